"""Local records of trackers, which `loom tracker load` and the demo put into databases beside Loom's own.

Their tables are named `<database>.<table>` in a backup. What the sources of the tracker plane name is in it, and nothing
else of a server: other installations may have theirs there. Into a record that is there, rows come as a load brings them:
into a table beside it, which then takes its place, so that it is seen whole at any time. What is there stands.
"""

import contextlib
import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from pathlib import Path

from runtime.errors import LoomError
from runtime.store import Store
from runtime.store.macros import expand
from services.tracker.contract.tables import TABLES
from services.tracker.record.tables import load_of, quoted, staging_name
from services.tracker.record_tables import PREFIX
from services.tracker.rows import ACTIVE, LOCAL
from standalone.backup import schema
from standalone.backup.errors import BackupError
from standalone.backup.manifest import Manifest, TableInfo
from standalone.backup.schema import Table

SOURCES = "tracker_sources"
LONG_S = 3600.0
_DATABASE = re.compile(re.escape(PREFIX) + "[0-9a-f]{16}")
_LOAD = "restore"
Verify = Callable[[Store, str, str, TableInfo], Awaitable[None]]


def is_record(name: str) -> bool:
    """Whether a table of a backup is one of a record."""
    return "." in name


def known(name: str, info: TableInfo) -> bool:
    """Whether a record's table of a backup is one that this program can make."""
    database, _, table = name.partition(".")
    return bool(_DATABASE.fullmatch(database)) and table in TABLES and set(info.columns) <= set(TABLES[table].columns)


async def tables(store: Store) -> dict[str, Table]:
    """Every table of the records that the installation's trackers read; loads on their way are none."""
    if not await schema.has_table(store, SOURCES):
        return {}
    rows = await store.query(
        f"SELECT DISTINCT database FROM {SOURCES} FINAL WHERE kind = {{kind:String}} AND state = {{state:String}}"
        " ORDER BY database",
        {"kind": LOCAL, "state": ACTIVE},
        name="backup: records",
    )
    databases = [row["database"] for row in rows if _DATABASE.fullmatch(row["database"])]
    return {name: table for database in databases for name, table in (await _of(store, database)).items()}


async def refuse_others(store: Store, manifest: Manifest) -> None:
    """Raises BackupError where a record of the backup would meet another one of its name, on a server of several.

    For a target that is empty: nothing of it can be there, so what is there is another installation's.
    """
    for name, info in manifest.tables.items():
        database = name.partition(".")[0]
        there = (await _of(store, database)).get(name) if is_record(name) else None
        if there and await _count(store, name) and not await _is_equal(store, there, info):
            raise BackupError(
                f"the server has the record {database} already, with other rows, which another installation reads:"
                " restore into another server"
            )


async def load(store: Store, name: str, info: TableInfo, folder: Path, verify: Verify) -> int:
    """Brings the rows of one table into its record; how many were not there."""
    database, _, table = name.partition(".")
    existing = (await _of(store, database)).get(name)
    if existing and await _is_equal(store, existing, info):
        return 0
    columns = tuple(existing.columns) if existing else ()
    before = await _count(store, name) if existing else 0
    into = load_of(database, table, info.columns, _LOAD, columns)
    await _run(
        store, [f"CREATE DATABASE IF NOT EXISTS {quoted(database)} {{{{on_cluster}}}}", *into.drop(), into.create()]
    )
    try:
        for file in info.files:
            await store.load(into.staging, list(info.columns), folder / file.name, timeout_s=LONG_S)
        gathered = f"{database}.{staging_name(table, _LOAD)}"
        await verify(store, gathered, schema.FINAL, info)
        await _run(store, into.beneath(columns))
        added = await _count(store, f"{gathered}_next") - before
        if added or not existing:
            await _run(store, [into.publish(existing is not None)])
        return added
    finally:
        with contextlib.suppress(LoomError):
            await _run(store, into.drop())


async def _of(store: Store, database: str) -> dict[str, Table]:
    found = await schema.tables(store, database)
    return {
        f"{database}.{name}": replace(one, name=f"{database}.{name}") for name, one in found.items() if name in TABLES
    }


async def _is_equal(store: Store, table: Table, info: TableInfo) -> bool:
    if not set(info.columns) <= set(table.columns):
        return False
    return await schema.counted(store, table.name, table.final, info.columns, LONG_S) == (info.rows, info.hash)


async def _count(store: Store, name: str) -> int:
    rows = await store.query(f"SELECT count() AS n FROM {schema.quoted(name)}", timeout_s=LONG_S, name="restore: count")
    return int(rows[0]["n"])


async def _run(store: Store, statements: Iterable[str]) -> None:
    for statement in statements:
        await store.command(expand(statement, store.config), timeout_s=LONG_S, name="restore: record")
