"""`loom migrate`: brings the tables of every plane to this program's schema, for installations whose planes wait for it."""

import argparse
import asyncio
from dataclasses import replace

from loom.cli.terminal import FAILED, OK, say, warn
from runtime.errors import LoomError
from runtime.settings import SettingsError
from runtime.store import DataFolderBusy, LockLost, MigrationError, Store, StoreConfig, migrate
from runtime.store.migrations import pending
from standalone.backup import schema
from standalone.commands.backup import config_of

REFUSALS = (SettingsError, DataFolderBusy, MigrationError, LockLost, ValueError)


class MigrateCommand:
    """The `migrate` command of the loom program."""

    help = "bring the tables of every plane to this version's schema"

    def configure(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--data", help="data folder (LOOM_DATA_DIR, default .loom)")
        parser.add_argument("--check", action="store_true", help="only say what is missing; exit code 1 where any is")

    def run(self, args: argparse.Namespace) -> int:
        try:
            found = asyncio.run(_migrate(replace(config_of(args.data), await_schema_s=0), args.check))
        except REFUSALS as error:
            warn(f"loom migrate: {error}")
            return FAILED
        except LoomError as error:
            warn(f"loom migrate: {error.message}")
            return FAILED
        for plane, names in found.items():
            for name in names:
                say(f"{plane}: {'missing' if args.check else 'applied'} {name}")
        if not any(found.values()):
            say("up to date")
        return FAILED if args.check and any(found.values()) else OK


async def _migrate(config: StoreConfig, check: bool) -> dict[str, list[str]]:
    store = await Store.open(config)
    try:
        step = pending if check else migrate
        return {plane: await step(store, schema.package(plane), plane=plane) for plane in schema.planes()}
    finally:
        await store.close()


command = MigrateCommand()
