"""Putting a backup into an installation.

Rows go into tables of their own beside the real ones first, and are counted and hashed there; only what is right is then
linked into its table, whole. So a killed restore leaves no half table, and running it again goes on. Until it has
finished, no plane starts on that storage.

What the target may be: empty; the same installation (rows that are there stay, rows that are missing come back, and
where a row was changed since, the change stands); or where a restore of this very backup was killed. Anything else is
refused: names and ids of two installations cannot be told apart once they are mixed.
"""

import asyncio
import contextlib
import os
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, replace
from pathlib import Path

from runtime.errors import LoomError
from runtime.store import MigrationError, Store, StoreConfig
from runtime.store.config import chdb_folder
from runtime.store.installation import (
    DONE,
    LOADING,
    MERGING,
    MIGRATING,
    Installation,
    read_installation,
    write_installation,
)
from runtime.store.migrations import migrate
from standalone.backup import records, schema
from standalone.backup.errors import BackupError
from standalone.backup.manifest import Manifest, TableInfo
from standalone.backup.schema import STAGING, Table, quoted

LONG_S = 3600.0
STEP_S = 60.0
# Rows of one step of telling old rows from new ones, which holds their hashes in memory.
ROWS_PER_STEP = 2_000_000

Report = Callable[[str, int], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Target:
    """Where the rows go, and the planes that this program knows."""

    store: Store
    planes: Collection[str]


async def restore(target: Target, manifest: Manifest, folder: Path, report: Report) -> int:
    """Puts the backup in `folder`, which is checked already, into the target; the number of rows that came to it.

    Raises BackupError, before anything is written, where the backup does not fit the target or this program.
    """
    schema.known_here(manifest.migrations, target.planes, "the backup")
    now = await _judge(target, manifest)
    added = 0
    if now.state in (LOADING, MERGING):
        await write_installation(target.store, now)
        await _schema_of(target, manifest)
        added = await _load_all(target, manifest, folder, report, strict=now.state == LOADING)
        now = await _step(target.store, now, MIGRATING)
    if now.state == MIGRATING:
        for plane in target.planes:
            await _migrate(target.store, plane, None)
        await _step(target.store, now, DONE)
    if target.store.config.fsync:
        await asyncio.to_thread(_sync_folders, target.store.config)
    return added


def _sync_folders(config: StoreConfig) -> None:
    """The rows are on disk since they were loaded; that they were linked into their tables is not, by itself."""
    folder = chdb_folder(config) if config.dsn.startswith("chdb:") else None
    for path, _, _ in os.walk(folder) if folder else ():
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


async def _judge(target: Target, manifest: Manifest) -> Installation:
    """Where the restore begins. Raises BackupError where it may not."""
    store = target.store
    applied, found = await schema.migrations(store), await read_installation(store)
    schema.known_here(applied, target.planes, "the target")
    if found and found.unfinished:
        if found.backup != manifest.id:
            raise BackupError("a restore of another backup into this target has not finished: finish that one first")
        return found
    if found is None or found.id != manifest.installation:
        if await _has_rows(store):
            raise BackupError(
                "the target holds the data of another installation: restore into an empty one (another data folder or"
                " database)"
            )
        if applied and not _fits(applied, manifest):
            raise BackupError(
                "the backup is of an older schema than the target's: restore into a new data folder or database, where no"
                " plane ever ran; the rows are then brought to this version's schema"
            )
        await records.refuse_others(store, manifest)
        version = found.version + 1 if found else 1
        return Installation(manifest.installation, manifest.id, LOADING, version)
    if not _fits(applied, manifest):
        raise BackupError("the backup is of an older schema than the target's: restore it into an empty installation")
    return Installation(found.id, manifest.id, MERGING, found.version + 1)


def _fits(applied: dict[str, dict[str, str]], manifest: Manifest) -> bool:
    """Whether the target's tables are not ahead of the backup's; a plane that the backup has not is no matter."""
    return all(
        set(names) <= set(manifest.migrations[plane])
        for plane, names in applied.items()
        if plane in manifest.migrations
    )


async def _has_rows(store: Store) -> bool:
    for table in (await schema.tables(store)).values():
        if table.name.startswith((STAGING, schema.SNAPSHOT)):
            continue
        rows = await store.query(f"SELECT 1 AS one FROM {quoted(table.name)} LIMIT 1", name="restore: look")
        if rows:
            return True
    return False


async def _step(store: Store, now: Installation, state: str) -> Installation:
    following = replace(now, state=state, version=now.version + 1)
    await write_installation(store, following)
    return following


async def _schema_of(target: Target, manifest: Manifest) -> None:
    """The tables as they were when the backup was taken."""
    for plane, names in manifest.migrations.items():
        await _migrate(target.store, plane, set(names))


async def _migrate(store: Store, plane: str, only: set[str] | None) -> None:
    try:
        await migrate(store, schema.package(plane), plane=plane, only=only, restoring=True)
    except MigrationError as error:
        raise BackupError(str(error)) from None


async def _load_all(target: Target, manifest: Manifest, folder: Path, report: Report, *, strict: bool) -> int:
    there = await schema.tables(target.store)
    for name, info in manifest.tables.items():
        is_known = name in there and set(info.columns) <= set(there[name].columns)
        if not (records.known(name, info) if records.is_record(name) else is_known):
            raise BackupError(
                f"the table {name} of the backup is not one of this program's: use the version that made it"
            )
    added = 0
    for name, info in manifest.tables.items():
        if records.is_record(name):
            new = await records.load(target.store, name, info, folder, _verify)
        else:
            new = await _load(target.store, there[name], info, folder)
        added += new
        await report(name, new)
    for name, info in manifest.tables.items() if strict else ():
        await _verify(target.store, name, there[name].final if name in there else schema.FINAL, info)
    return added


async def _load(store: Store, table: Table, info: TableInfo, folder: Path) -> int:
    staging, fresh = f"{STAGING}{table.name}", f"{STAGING}new_{table.name}"
    try:
        for name in (staging, fresh):
            await _drop(store, name)
            await store.command(
                f"CREATE TABLE {quoted(name)} AS {quoted(table.name)}", timeout_s=STEP_S, name="restore"
            )
        for file in info.files:
            await store.load(quoted(staging), list(info.columns), folder / file.name, timeout_s=LONG_S)
        await _verify(store, staging, table.final, info)
        source, rows = await _new_rows(store, table, info, staging, fresh)
        if rows:
            link = f"ALTER TABLE {quoted(table.name)} ATTACH PARTITION ALL FROM {quoted(source)}"
            await store.command(link, timeout_s=LONG_S, name="restore")
        return rows
    finally:
        for name in (staging, fresh):
            with contextlib.suppress(LoomError):
                await _drop(store, name)


async def _new_rows(store: Store, table: Table, info: TableInfo, staging: str, fresh: str) -> tuple[str, int]:
    """A table with the rows that the target has not, and how many."""
    there = await store.query(f"SELECT count() AS n FROM {quoted(table.name)}", name="restore: count")
    if not there[0]["n"]:
        return staging, info.rows
    if await schema.counted(store, table.name, table.final, info.columns, LONG_S) == (info.rows, info.hash):
        return fresh, 0
    one = f"sipHash128({schema.row(info.columns)})"  # 64 bits would take one row for another now and then
    steps = 1 + max(there[0]["n"], info.rows) // ROWS_PER_STEP
    names = ", ".join(quoted(column) for column in info.columns)
    for step in range(steps):
        part = f"{schema.row_hash(info.columns)} % {steps} = {step}"
        known = f"SELECT {one} FROM {quoted(table.name)} WHERE {part}"
        await store.command(
            f"INSERT INTO {quoted(fresh)} ({names}) SELECT {names} FROM {quoted(staging)}{table.final}"
            f" WHERE {part} AND {one} NOT IN ({known})",
            timeout_s=LONG_S,
            name="restore: compare",
        )
    rows = await store.query(f"SELECT count() AS n FROM {quoted(fresh)}", name="restore: count")
    return fresh, rows[0]["n"]


async def _verify(store: Store, name: str, final: str, info: TableInfo) -> None:
    found = await schema.counted(store, name, final, info.columns, LONG_S)
    if found != (info.rows, info.hash):
        raise BackupError(f"the rows of {name} do not come out as the manifest says: the restore is not finished")


async def _drop(store: Store, name: str) -> None:
    await store.command(f"DROP TABLE IF EXISTS {quoted(name)} SYNC", timeout_s=STEP_S, name="restore: drop")
