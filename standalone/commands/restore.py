"""`loom restore SOURCE`: puts what `loom backup` wrote into an empty installation, or back into the one it came from."""

import argparse
import asyncio
import tempfile
from dataclasses import replace
from pathlib import Path

from loom.cli.options import add_json
from loom.cli.terminal import FAILED, OK, say, show, warn
from runtime.errors import LoomError
from runtime.store import DataFolderBusy, Store, StoreConfig
from standalone.backup import schema
from standalone.backup.load import Report, Target, restore
from standalone.backup.manifest import Manifest
from standalone.backup.pack import opened
from standalone.commands.backup import REFUSALS, config_of


class RestoreCommand:
    """The `restore` command of the loom program."""

    help = "put a backup into an empty installation, or back into the one it came from"

    def configure(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("source", type=Path, help="what `loom backup` wrote")
        parser.add_argument("--data", help="data folder (LOOM_DATA_DIR, default .loom); no server may run on it")
        parser.add_argument("--check", action="store_true", help="look whether the backup is whole, and change nothing")
        add_json(parser)

    def run(self, args: argparse.Namespace) -> int:
        try:
            config = replace(config_of(args.data), await_schema_s=0)
            with tempfile.TemporaryDirectory(prefix="loom-restore-") as scratch:
                return self._run(args, config, Path(scratch))
        except DataFolderBusy as error:
            warn(f"loom restore: {error}. A restore needs the folder for itself.")
        except REFUSALS as error:
            warn(f"loom restore: {error}")
        except LoomError as error:
            warn(f"loom restore: {error.message}; the restore is not finished, run it again")
        except OSError as error:
            warn(f"loom restore: {args.source}: {error.strerror or type(error).__name__}")
        return FAILED

    def _run(self, args: argparse.Namespace, config: StoreConfig, scratch: Path) -> int:
        with opened(args.source.absolute(), scratch) as (manifest, folder):
            schema.known_here(manifest.migrations, schema.planes(), "the backup")
            added = 0 if args.check else asyncio.run(_restore(config, manifest, folder, _reporting(args.json)))
        facts = {"id": manifest.id, "made_at": manifest.made_at, "rows": manifest.rows, "added": added}
        if args.json:
            show(facts, compact=True)
        elif args.check:
            say(f"whole: {manifest.rows} rows of {len(manifest.tables)} tables, made at {manifest.made_at}")
        else:
            say(f"{manifest.rows} rows, of which {added} were not there; made at {manifest.made_at}")
            warn("Bring back the key folder and LOOM_SECRET_KEY (or secret.key) too: they are not part of a backup.")
        return OK


def _reporting(quiet: bool) -> Report:
    async def report(name: str, rows: int) -> None:
        if not quiet:
            say(f"{name}: {rows} rows added")

    return report


async def _restore(config: StoreConfig, manifest: Manifest, folder: Path, report: Report) -> int:
    store = await Store.open(config)
    try:
        return await restore(Target(store, schema.planes()), manifest, folder, report)
    finally:
        await store.close()


command = RestoreCommand()
