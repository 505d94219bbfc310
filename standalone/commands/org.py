"""`loom org init`: makes the first admin of an organisation, straight in the store."""

import argparse
import asyncio
import os

from loom.cli.terminal import FAILED, OK, UsageError, say, warn
from runtime.clock import SystemClock
from runtime.errors import LoomError
from runtime.process import StoreSettings
from runtime.settings import SettingsError, load
from runtime.store import DataFolderBusy, LockLost, MigrationError, Store
from services.directory.build import init_org
from services.directory.names import SUBJECT, is_subject

MOST = 128


class OrgCommand:
    """The `org` command of the loom program."""

    help = "make the first admin of an organisation"

    def configure(self, parser: argparse.ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", metavar="init", required=True)
        init = actions.add_parser("init", help="make the first admin of an organisation, in the store itself")
        init.add_argument("--org", required=True, help="organisation")
        init.add_argument("--admin", required=True, help="the agent or user, as in `sub` of its tokens")
        init.add_argument("--data", help="data folder (LOOM_DATA_DIR, default .loom)")

    def run(self, args: argparse.Namespace) -> int:
        if not (0 < len(args.org) <= MOST and args.org.isprintable() and args.org.strip()):
            raise UsageError(f"--org must be 1 to {MOST} printable characters")
        if not is_subject(args.admin):
            raise UsageError(f"--admin must be {SUBJECT}")
        try:
            is_new = asyncio.run(_init(args))
        except DataFolderBusy as busy:
            warn(f"loom org: {busy}")
            warn(
                "Stop that server first, or administer through it: a token of `--ns '*:admin'` may do all that a grant may."
            )
            return FAILED
        except (SettingsError, MigrationError, LockLost, ValueError) as error:
            warn(f"loom org: {error}")
            return FAILED
        except LoomError as error:
            warn(f"loom org: {error.message}")
            return FAILED
        say(f"{args.admin} {'is' if is_new else 'was already'} an admin of {args.org}")
        return OK


async def _init(args: argparse.Namespace) -> bool:
    environ = {**os.environ, **({"LOOM_DATA_DIR": args.data} if args.data is not None else {})}
    store = await Store.open(load(StoreSettings, environ).config())
    try:
        return await init_org(store, SystemClock(), args.org, args.admin)
    finally:
        await store.close()


command = OrgCommand()
