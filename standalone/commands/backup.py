"""`loom backup TARGET`: every row of every plane into a folder or a tar file, while the server runs or without one."""

import argparse
import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

from loom.cli.options import add_json
from loom.cli.terminal import FAILED, OK, say, show, warn
from runtime.clock import SystemClock
from runtime.errors import LoomError
from runtime.process import StoreSettings
from runtime.settings import SettingsError, load
from runtime.store import DataFolderBusy, LockLost, MigrationError, Store, StoreConfig
from runtime.store.config import chdb_folder
from services.memory.build import inserting_behind
from services.memory.settings import MemorySettings
from standalone.backup import BackupError, schema
from standalone.backup.manifest import Manifest, TableInfo, parse, table_info
from standalone.backup.pack import Sink, sink
from standalone.backup.write import Source, write
from standalone.control import Refused, ask

# What either command may fail with, for reasons that a person can mend.
REFUSALS = (BackupError, Refused, SettingsError, DataFolderBusy, MigrationError, LockLost, ValueError)
KEYS = (
    "Keys and secrets are not in it: keep the key folder (LOOM_KEYS_DIR) and LOOM_SECRET_KEY, or secret.key"
    " of the data folder, apart. Without that secret the credentials of sources in the backup cannot be read."
)
Report = Callable[[str, TableInfo], Awaitable[None]]


class BackupCommand:
    """The `backup` command of the loom program."""

    help = "copy all data into a folder or a .tar file; the server may run on"

    def configure(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("target", type=Path, help="new folder, or a new file that ends in .tar")
        parser.add_argument("--data", help="data folder (LOOM_DATA_DIR, default .loom)")
        add_json(parser)

    def run(self, args: argparse.Namespace) -> int:
        try:
            config = config_of(args.data)
            with sink(args.target.absolute()) as out:
                manifest = asyncio.run(_backup(config, out, _reporting(out, args.json)))
                out.finish(manifest)
        except REFUSALS as error:
            warn(f"loom backup: {error}")
            return FAILED
        except LoomError as error:
            warn(f"loom backup: {error.message}")
            return FAILED
        except OSError as error:
            warn(f"loom backup: {args.target}: {error.strerror or type(error).__name__}")
            return FAILED
        _tell(manifest, args)
        return OK


def config_of(data: str | None) -> StoreConfig:
    """The store that the environment and `--data` name."""
    return load(StoreSettings, {**os.environ, **({} if data is None else {"LOOM_DATA_DIR": data})}).config()


def _reporting(out: Sink, quiet: bool) -> Report:
    async def report(name: str, table: TableInfo) -> None:
        await asyncio.to_thread(out.add, table)
        if not quiet:
            say(f"{name}: {table.rows} rows")

    return report


async def _backup(config: StoreConfig, out: Sink, report: Report) -> Manifest:
    folder = chdb_folder(config) if config.dsn.startswith("chdb:") else None
    if folder is None and config.dsn.startswith("chdb:"):
        raise BackupError("LOOM_CLICKHOUSE_DSN: data that are in memory alone cannot be backed up")
    if folder is None:
        return await _by_itself(config, out, report)
    if not folder.exists():
        raise BackupError(f"there is nothing to back up: {folder} does not exist")
    try:
        return await _by_the_server(folder, out, report)
    except (FileNotFoundError, ConnectionRefusedError):
        return await _by_itself(config, out, report)


async def _by_itself(config: StoreConfig, out: Sink, report: Report) -> Manifest:
    store = await Store.open(config)
    try:
        # Saves that were acknowledged and that the end of the server kept from their tables.
        left = await inserting_behind(store, load(MemorySettings, os.environ))
        if left:
            await left.close()
        return await write(Source(store, store, schema.planes(), SystemClock()), out.folder, report)
    finally:
        await store.close()


async def _by_the_server(folder: Path, out: Sink, report: Report) -> Manifest:
    async for answer in ask(folder, {"do": "backup", "folder": str(out.folder)}):
        if "table" in answer:
            await report(answer["table"], table_info(answer["table"], answer["info"]))
        else:
            return parse(json.dumps(answer["manifest"]).encode())
    raise BackupError("the server stopped before the backup was whole: run it again")


def _tell(manifest: Manifest, args: argparse.Namespace) -> None:
    if args.json:
        show(
            {"target": str(args.target), "id": manifest.id, "rows": manifest.rows, "bytes": manifest.bytes,
             "tables": {name: table.rows for name, table in manifest.tables.items()}, "left_out": manifest.left_out},
            compact=True,
        )  # fmt: skip
        return
    say(f"{manifest.rows} rows of {len(manifest.tables)} tables, {manifest.bytes / 1e6:.1f} MB, in {args.target}")
    for name in manifest.left_out:
        warn(f"left out, since no plane of Loom has it: the table {name}")
    warn(KEYS)


command = BackupCommand()
