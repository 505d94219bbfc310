"""Batches of rows into a record in Loom's own engine."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Protocol

from services.tracker.contract.families import Family
from services.tracker.contract.tables import TABLES
from services.tracker.record.batch import Batch
from services.tracker.record.tables import KEYS, MARK, Load, load_of, quoted, staging_name

Told = Callable[[str, int], None]
"""Hears of the table and how many rows of it were written."""

_LIMIT_S = 600.0
_ALONE = "alone"
_NOTHING: Mapping[Family, Any] = {
    Family.DATETIME: datetime(1970, 1, 1, tzinfo=UTC),
    Family.INTEGER: 0,
    Family.NUMBER: 0.0,
}
# Tables of loads that nothing was written to since `before`. A table without rows has no parts.
_IDLE = """
SELECT name FROM system.tables WHERE database = {database:String} AND position(name, {mark:String}) > 0
AND metadata_modification_time < {before:DateTime64(3, 'UTC')} AND name NOT IN (
    SELECT table FROM system.parts
    WHERE database = {database:String} AND modification_time >= {before:DateTime64(3, 'UTC')})
"""


class Target(Protocol):
    """What is needed of `runtime.store.Store`."""

    async def query(
        self, sql: str, params: Mapping[str, Any] | None = None, *, timeout_s: float | None = None
    ) -> list[dict[str, Any]]: ...

    async def command(
        self, sql: str, params: Mapping[str, Any] | None = None, *, timeout_s: float | None = None
    ) -> None: ...

    async def insert(self, table: str, columns: Any, rows: Any, *, timeout_s: float | None = None) -> None: ...


async def _nothing() -> None:
    """Nothing is to be done between two statements."""


class Record:
    """A database that holds a record.

    `expand` fills in the macros of a statement: `functools.partial(runtime.store.macros.expand, config=store.config)`.
    The database is created where it is missing; its name must be a plain SQL name, which the caller has checked, and so
    must be the names of loads.
    """

    def __init__(self, store: Target, database: str, expand: Callable[[str], str]) -> None:
        self._store, self._database, self._expand = store, database, expand

    async def load(self, batches: Iterable[Batch], told: Told | None = None) -> dict[str, int]:
        """A load by itself: gathers the batches, and shows their tables once all are in. Returns rows written by table.

        Nothing changes where it fails or is cancelled. Batches are made on a thread, since making them may take as long
        as writing them.
        """
        written: dict[str, int] = {}
        await self.discard(_ALONE)
        try:
            source = iter(batches)
            while (batch := await asyncio.to_thread(_next, source)) is not None:
                if len(batch):
                    await self.gather(_ALONE, batch)
                    written[batch.table] = written.get(batch.table, 0) + len(batch)
                    if told is not None:
                        told(batch.table, len(batch))
            await self.publish(_ALONE)
        finally:
            await self.discard(_ALONE)
        return written

    async def gather(self, load: str, batch: Batch) -> None:
        """Puts rows into the load of that name, which begins with its first. One call at a time for a load."""
        begun = await self._columns(staging_name(batch.table, load), batch.table)
        wanted = load_of(self._database, batch.table, batch.names, load, begun)
        if not begun:
            await self._run(f"CREATE DATABASE IF NOT EXISTS {quoted(self._database)} {{{{on_cluster}}}}")
            await self._run(wanted.create())
        elif set(wanted.columns) > set(begun):
            for statement in wanted.widen(begun):
                await self._run(statement)
        rows = await asyncio.to_thread(_rows, batch)
        await self._store.insert(wanted.staging, batch.names, rows, timeout_s=_LIMIT_S)

    async def publish(
        self, load: str, *, replace: bool = False, between: Callable[[], Awaitable[None]] = _nothing
    ) -> list[str]:
        """Shows what the load has gathered, and ends it. Returns the tables of the contract that it had rows of.

        With `replace` the record is the load alone afterwards; nothing changes where the load has no rows. Each table
        changes at one instant, all of them one after the other. Two at once into one record are the caller's to prevent;
        `between` is awaited before each statement.
        """
        loads = [each for table in TABLES if (each := await self._gathered(table, load)) is not None]
        existing = {table: await self._columns(table, table) for table in TABLES}
        try:
            for each in loads:
                for statement in each.merge(() if replace else existing[each.table]):
                    await between()
                    await self._run(statement)
            for each in loads:
                await between()
                await self._run(each.publish(bool(existing[each.table])))
            gone = {table for table in TABLES if existing[table]} - {each.table for each in loads}
            for table in sorted(gone) if replace and loads else ():
                await self._drop(table)
        finally:
            await self.discard(load)
        return [each.table for each in loads]

    async def discard(self, load: str) -> None:
        """Gives the load up. Nothing that is read changes."""
        for name in await self._tables(f"{MARK}{load}"):
            await self._drop(name)

    async def discard_idle(self, before: datetime) -> None:
        """Gives up loads of all names that nothing was written to since then."""
        found = await self._store.query(_IDLE, {"database": self._database, "mark": MARK, "before": before})
        for row in found:
            await self._drop(row["name"])

    async def clear(self) -> None:
        """Remove the record, its database included."""
        await self._run(f"DROP DATABASE IF EXISTS {quoted(self._database)} {{{{on_cluster}}}} SYNC")

    async def _gathered(self, table: str, load: str) -> Load | None:
        columns = await self._columns(staging_name(table, load), table)
        return Load(self._database, table, tuple(columns), load) if columns else None

    async def _tables(self, mark: str) -> list[str]:
        sql = "SELECT name FROM system.tables WHERE database = {database:String} AND position(name, {mark:String}) > 0"
        return [row["name"] for row in await self._store.query(sql, {"database": self._database, "mark": mark})]

    async def _columns(self, name: str, table: str) -> list[str]:
        """Columns of the contract that a table of the database has; none where there is no such table."""
        sql = "SELECT name FROM system.columns WHERE database = {database:String} AND table = {table:String} ORDER BY position"
        found = await self._store.query(sql, {"database": self._database, "table": name})
        return [row["name"] for row in found if row["name"] in TABLES[table].columns]

    async def _drop(self, name: str) -> None:
        await self._run(f"DROP TABLE IF EXISTS {quoted(self._database)}.{quoted(name)} {{{{on_cluster}}}} SYNC")

    async def _run(self, statement: str) -> None:
        await self._store.command(self._expand(statement), timeout_s=_LIMIT_S)


def _next(source: Iterator[Batch]) -> Batch | None:
    return next(source, None)


def _rows(batch: Batch) -> list[tuple[Any, ...]]:
    """Rows to insert. An optional column that names rows may not be null: it gets what stands for nothing."""
    known = TABLES[batch.table].columns
    columns = dict(batch.columns)
    for name in KEYS[batch.table]:
        if name in columns and not known[name].required and (nothing := _NOTHING.get(known[name].family)) is not None:
            columns[name] = [nothing if value is None else value for value in columns[name]]
    return Batch(batch.table, columns).rows()
