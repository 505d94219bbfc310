"""Writing a backup: a copy of every table at one moment, then its rows into files.

The copies are `CLONE`s: links to the parts that are there, which cost no space until the tables move on. In `loom serve`
no write comes between them. On a server each table is of one moment and all moments are within the same second or so:
what may be missing between two tables is what a crash between two writes could have left, which the planes mend.
"""

import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from loom import __version__
from runtime.clock import Clock
from runtime.errors import LoomError
from runtime.ids import new_id
from runtime.store import Store
from runtime.store.installation import Installation, read_installation, write_installation
from runtime.store.locks import migration_lock
from standalone.backup import records, schema
from standalone.backup.errors import BackupError
from standalone.backup.manifest import FileInfo, Manifest, TableInfo, file_info
from standalone.backup.schema import SNAPSHOT, Table, quoted

log = logging.getLogger("loom.backup")

Report = Callable[[str, TableInfo], Awaitable[None]]
# A file holds so many rows, so that no statement lasts for ever and no answer is kept back in one piece.
ROWS_PER_FILE = 2_000_000
LONG_S = 3600.0
STEP_S = 60.0
# Copies that a killed backup left behind go when they are this old: none takes longer.
STALE_HOURS = 24


@dataclass(frozen=True, slots=True)
class Source:
    """What is read. `live` is the store that the planes write through, which makes the copies; `store` reads them."""

    live: Store
    store: Store
    planes: Collection[str]
    clock: Clock


async def write(source: Source, folder: Path, report: Report) -> Manifest:
    """Writes files into the existing `folder`, tells of each table when it is there, and returns the manifest.

    Raises BackupError where there is nothing to back up, or data that this program does not know.
    """
    store = source.store
    applied = await schema.migrations(store)
    if not applied:
        raise BackupError("there is nothing to back up: no plane of Loom ever ran on this storage")
    schema.known_here(applied, source.planes, "the storage")
    installation = await _installation(store)
    found = await schema.tables(store)
    ours, strangers = schema.of_planes(found, applied)
    of_records = await records.tables(store)
    found, ours = {**found, **of_records}, [*ours, *of_records]
    async with _copies(source.live, [found[name] for name in ours]) as copies:
        written: dict[str, TableInfo] = {}
        for name, copy in copies.items():
            written[name] = await _write_table(store, found[name], copy, folder)
            await report(name, written[name])
    engine = await store.query("SELECT version() AS v", name="backup")
    return Manifest(
        id=new_id(),
        installation=installation.id,
        made_at=source.clock.now().isoformat(),
        loom=__version__,
        engine=engine[0]["v"],
        migrations=applied,
        tables=written,
        left_out=tuple(strangers),
    )


async def _installation(store: Store) -> Installation:
    async with migration_lock(store):
        found = await read_installation(store)
        if found is None:
            found = Installation(new_id())
            await write_installation(store, found)
    if found.unfinished:
        raise BackupError("a restore into this storage has not finished: run `loom restore` again before a backup")
    return found


@contextlib.asynccontextmanager
async def _copies(store: Store, of: list[Table]) -> AsyncIterator[Mapping[str, str]]:
    """Table -> its copy, all of one moment; they are gone at the end."""
    await drop_stale(store)
    mark = new_id().replace("-", "")
    copies = {table.name: f"{SNAPSHOT}{mark}_{table.name.replace('.', '_')}" for table in of}
    try:
        clones = [f"CREATE TABLE {quoted(copy)} CLONE AS {quoted(name)}" for name, copy in copies.items()]
        await store.commands(clones, timeout_s=STEP_S, name="backup: copy")
        yield copies
    finally:
        for copy in copies.values():
            with contextlib.suppress(LoomError):
                await store.command(f"DROP TABLE IF EXISTS {quoted(copy)} SYNC", timeout_s=STEP_S, name="backup: drop")


async def drop_stale(store: Store, hours: int = STALE_HOURS) -> None:
    """Drops copies that a killed backup left behind."""
    rows = await store.query(
        "SELECT name FROM system.tables WHERE database = currentDatabase() AND startsWith(name, {prefix:String})"
        " AND metadata_modification_time <= now() - toIntervalHour({hours:UInt32})",
        {"prefix": SNAPSHOT, "hours": hours},
        name="backup: stale",
    )
    for row in rows:
        log.warning("dropping a copy that a backup left behind")
        await store.command(f"DROP TABLE IF EXISTS {quoted(row['name'])} SYNC", timeout_s=STEP_S, name="backup: drop")


async def _write_table(store: Store, table: Table, copy: str, folder: Path) -> TableInfo:
    rows, mark = await schema.counted(store, copy, table.final, table.columns, LONG_S)
    of = -(-rows // ROWS_PER_FILE)
    files = [await _write_file(store, table, copy, folder, at, of) for at in range(of)]
    await _read_back(store, table, [folder / file.name for file in files], (rows, mark))
    return TableInfo(dict(table.columns), rows, mark, tuple(files))


async def _read_back(store: Store, table: Table, paths: list[Path], expected: tuple[int, str]) -> None:
    """The embedded engine does not notice a write that failed, as on a full disk; what a server sends comes whole or not."""
    if store.config.dsn.startswith("chdb:"):
        found = await schema.counted_files(store, paths, table.columns, LONG_S)
        if found != expected:
            raise BackupError(f"the rows of {table.name} did not come to the target whole: is there room for them?")


async def _write_file(store: Store, table: Table, copy: str, folder: Path, at: int, of: int) -> FileInfo:
    path = folder / f"{table.name}.{at}.native.zst"
    names = ", ".join(quoted(name) for name in table.columns)
    part = f" WHERE {schema.row_hash(table.columns)} % {of} = {at}" if of > 1 else ""
    await store.unload(
        f"SELECT {names} FROM {quoted(copy)}{table.final}{part}", path, timeout_s=LONG_S, name=f"backup {table.name}"
    )
    path.chmod(0o600)
    return file_info(path)
