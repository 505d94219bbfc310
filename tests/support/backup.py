"""Installations with rows in every table of every plane, for tests of backup and restore."""

import hashlib
from collections.abc import Collection, Iterable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from runtime.clock import SystemClock
from runtime.store import Store, StoreConfig, migrate
from runtime.store.macros import expand
from services.tracker.record.batch import Batch, batch_of
from services.tracker.record.write import Record
from standalone.backup import records, schema
from standalone.backup.load import Target, restore
from standalone.backup.manifest import Manifest, TableInfo
from standalone.backup.pack import opened as unpacked
from standalone.backup.pack import sink
from standalone.backup.write import Source, write
from tests.support.stores import opened

PLANES = schema.planes()


async def make_schema(store: Store, planes: Collection[str] = PLANES, only: set[str] | None = None) -> None:
    for plane in planes:
        await migrate(store, schema.package(plane), plane=plane, only=only)


async def fill(store: Store, rows: int = 40, seed: int = 1) -> None:
    """Random rows in every table, whatever planes there are."""
    for at, table in enumerate((await schema.tables(store)).values()):
        columns = ", ".join(f"{name} {kind}" for name, kind in table.columns.items())
        quoted = columns.replace("\\", "\\\\").replace("'", "\\'")
        await store.command(
            f"INSERT INTO {table.name} SELECT * FROM generateRandom('{quoted}', {seed + at}, 8, 3) LIMIT {rows}"
        )


def rows_of(text: str, numbers: Iterable[int], *, day: int = 1) -> Batch:
    """Issues with this title, last changed on that day."""
    at = datetime(2026, 1, day, tzinfo=UTC)
    columns = ("source_id", "number", "title", "body", "state", "created_at", "updated_at", "is_private")
    rows = [(f"Org/repo#{number}", number, text, "", "open", at, at, 0) for number in numbers]
    return batch_of("github_issues", columns, rows)


def runs_of(test: str, count: int) -> Batch:
    """CI runs, which have no name of their own."""
    at = datetime(2026, 1, 1, tzinfo=UTC)
    columns = ("check_start_time", "pull_request_number", "commit_sha", "check_name", "check_status", "test_name")
    rows = [(at + timedelta(hours=hour), 7, "a" * 8, "unit", "success", test) for hour in range(count)]
    return batch_of("checks", (*columns, "test_status", "test_duration_ms"), [(*row, "ok", 1.5) for row in rows])


async def keep_record(store: Store, database: str, *batches: Batch) -> None:
    """Loads rows into a local record, as `tracker.load` does."""
    await Record(store, database, partial(expand, config=store.config)).load(batches)


async def register(store: Store, database: str, state: str = "active") -> None:
    """The source that a local record belongs to."""
    columns = ("org", "name", "id", "kind", "database", "namespaces", "state", "version")
    await store.insert("tracker_sources", columns, [("dev", database, database, "local", database, "[]", state, 1)])


async def counts(store: Store) -> dict[str, tuple[int, str]]:
    """Table -> rows and hash; of local records too."""
    return {
        name: await schema.counted(store, name, table.final, table.columns, 60)
        for name, table in {**await schema.tables(store), **await records.tables(store)}.items()
    }


async def back_up(store: Store, target: Path) -> Manifest:
    with sink(target) as out:

        async def report(_: str, table: TableInfo) -> None:
            out.add(table)

        manifest = await write(Source(store, store, PLANES, SystemClock()), out.folder, report)
        out.finish(manifest)
    return manifest


async def bring_back(config: StoreConfig, source: Path, scratch: Path) -> int:
    """The rows that came to the installation."""

    async def report(_: str, __: int) -> None: ...

    with unpacked(source, scratch) as (manifest, folder):
        async with opened(config) as store:
            return await restore(Target(store, PLANES), manifest, folder, report)


async def made(config: StoreConfig, target: Path, *, rows: int = 40) -> Manifest:
    """The backup of an installation full of random rows."""
    async with opened(config) as store:
        await make_schema(store)
        await fill(store, rows)
        return await back_up(store, target)


def content(folder: Path) -> dict[str, str]:
    """Every file below a folder, by the hash of what it holds."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }
