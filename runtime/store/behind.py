"""Inserts behind: rows are durable in a journal at once, and go into their tables a moment later, many at a time.

For the engine in this process alone, where nobody else reads the tables: whoever reads through this store waits until
what was written before is in. An insert costs chDB ten files with a sync each, whatever its size; this way a write costs
one append and one sync.

A full disk takes no reads away. The journal takes a row only where there is room for its insert too, so what is
acknowledged can go in. Where the disk fills up in that quarter of a second, the rows stay in the journal, reads go on
without them, and writes are refused until the rows are in: nothing is decided on what a read has missed.
"""

import asyncio
import contextvars
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

from runtime.errors import LoomError
from runtime.store.engine import Row
from runtime.store.faults import RowsRefused, full, logger, translate
from runtime.store.folder import assure_room
from runtime.store.journal import Journal, Record
from runtime.store.store import Store

T = TypeVar("T")

FULL = "STORAGE_FULL"
WINDOW_S, RETRY_S = 0.25, 1.0
INSERT_S = 30.0
# The room that an insert needs beside its rows, and a little more.
SPARE_BYTES = 2 << 20
# Bytes that may wait; past that, who writes waits for an insert first.
MOST_BYTES = 16 << 20


def journal_folder(data: Path, name: str) -> Path:
    """Where a journal of this name is, in a data folder."""
    return data / f"{name}.journal"


@dataclass(slots=True)
class _Batch:
    records: list[tuple[Record, "Future[None] | None"]] = field(default_factory=list)
    size: int = 0
    upto: int = 0
    file: int | None = None


class Behind(Store):
    """A store on another store's engine. `tables` go in behind, in this order; True for those that must be durable.

    Rows of the others may be lost with the process. Rows that were written may be inserted twice, after a crash.
    """

    def __init__(self, store: Store, name: str, tables: Mapping[str, bool]) -> None:
        """`name` is that of the journal's folder. Raises what the file system raises."""
        super().__init__(store._engine, store.config, tracer=store.tracer, clock=store._clock, observer=store.observer)
        folder = store.folder
        if folder is None:
            raise ValueError("only a store on a folder of its own has a journal")
        self.plain, self._tables = store, dict(tables)
        self._folder = folder
        self._journal = Journal(journal_folder(folder, name), fsync=store.config.fsync)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"loom-journal-{name}")
        self._open, self._taken = _Batch(), None
        self.added = self.done = 0
        self._insert: asyncio.Task[None] | None = None
        self._soon: asyncio.Task[None] | None = None
        self._no_room = False

    async def recover(self) -> None:
        """Brings in what an earlier process left."""
        for number in self._journal.left:
            for record in await asyncio.to_thread(lambda number=number: list(self._journal.read(number))):
                await self._put([record])
            await self._on_thread(self._journal.drop, number)

    async def query(
        self,
        sql: str,
        params: Mapping[str, Any] | None = None,
        *,
        timeout_s: float | None = None,
        name: str = "query",
    ) -> list[Row]:
        """See Store. Sees every row that was written before, but for rows that wait for room on the disk."""
        try:
            await self.settled()
        except LoomError as error:
            if error.code.name != FULL:
                raise
        return await super().query(sql, params, timeout_s=timeout_s, name=name)

    async def command(
        self,
        sql: str,
        params: Mapping[str, Any] | None = None,
        *,
        timeout_s: float | None = None,
        name: str = "command",
    ) -> None:
        """See Store. Sees every row that was written before."""
        await self.settled()
        await super().command(sql, params, timeout_s=timeout_s, name=name)

    async def insert(
        self,
        table: str,
        columns: Sequence[str],
        rows: Sequence[Sequence[Any]],
        *,
        timeout_s: float | None = None,
    ) -> None:
        """See Store; returns when the rows are durable, or will go in where they need not be."""
        if table not in self._tables:
            await super().insert(table, columns, rows, timeout_s=timeout_s)
            return

        async def work(until: float) -> None:
            if self._no_room:
                raise full()
            record = Record(table, tuple(columns), await self._encoded(table, columns, rows, until))
            if self._open.size > MOST_BYTES:
                await self.settled()
            written = self._take_in(record)
            if written is not None:
                await asyncio.shield(asyncio.wrap_future(written))

        if rows:
            await self._run(f"journal {table}", "INSERT", timeout_s, work)

    async def settled(self) -> None:
        """Returns when what was written before is in its tables. Raises what the inserts raise."""
        upto = self.added
        while self.done < upto:
            # Shielded: an insert that is cut off may be in all the same, and would be in twice.
            await asyncio.shield(self._inserting())

    async def weed(self, unwanted: Callable[[Mapping[str, Any]], bool]) -> None:
        """Removes rows, given by column, from those that were set aside because the engine refuses them."""
        await self._on_thread(self._journal.weed, unwanted)

    async def close(self) -> None:
        """Brings in what waits; the journal keeps what cannot go in now. The engine stays open."""
        if self._soon:
            self._soon.cancel()
            await asyncio.wait([self._soon])
        try:
            await self.settled()
        except LoomError as error:
            logger.warning("rows stay in the journal until the next start: %s", error.code.name)
        await asyncio.to_thread(self._thread.shutdown)

    def _take_in(self, record: Record) -> "Future[None] | None":
        # In one go: what is in a batch when its file is turned is in that file.
        batch = self._open
        size = len(record.body) + batch.size + (self._taken.size if self._taken else 0)
        written = self._thread.submit(self._append, record, size) if self._tables[record.table] else None
        self.added += 1
        batch.records.append((record, written))
        batch.size += len(record.body)
        batch.upto = self.added
        if self._soon is None or self._soon.done():
            self._soon = asyncio.create_task(self._insert_soon(), context=contextvars.Context())
        return written

    def _append(self, record: Record, waiting: int) -> None:
        assure_room(self._folder, 2 * waiting + SPARE_BYTES)
        self._journal.append(record)

    def _inserting(self) -> asyncio.Task[None]:
        if self._insert is None or self._insert.done():
            self._insert = asyncio.create_task(self._insert_noted(), context=contextvars.Context())
        return self._insert

    async def _insert_noted(self) -> None:
        try:
            await self._insert_batch()
        except LoomError as error:
            self._no_room = error.code.name == FULL
            raise
        self._no_room = False

    async def _insert_batch(self) -> None:
        if self._taken is None:
            self._taken, self._open = self._open, _Batch()
        batch = self._taken
        if batch.file is None:
            # Nothing happens between the swap and the turn: what is in the batch is in the files up to this one.
            batch.file = await self._on_thread(self._journal.turn)
        await self._put([record for record, written in batch.records if _is_written(written)])
        await self._on_thread(self._journal.drop, batch.file)
        self.done, self._taken = batch.upto, None

    async def _put(self, records: Sequence[Record]) -> None:
        order = list(self._tables)
        ordered = sorted(records, key=lambda record: order.index(record.table))
        for (table, columns), some in groupby(ordered, key=lambda record: (record.table, tuple(record.columns))):
            bodies = [record.body for record in some]
            try:
                await self._put_body(table, columns, b"\n".join(bodies))
            except RowsRefused:
                for body in bodies:
                    await self._put_alone(Record(table, columns, body))

    async def _put_alone(self, record: Record) -> None:
        try:
            await self._put_body(*record)
        except RowsRefused:
            logger.error("rows of %s are refused by the engine, and set aside", record.table)
            await self._on_thread(self._journal.set_aside, record)

    async def _put_body(self, table: str, columns: Sequence[str], body: bytes) -> None:
        await self._run(
            f"insert {table}", "INSERT", INSERT_S, lambda until: self._engine.insert(table, columns, body, until)
        )

    async def _on_thread(self, work: Callable[..., T], *args: Any) -> T:
        try:
            return await asyncio.wrap_future(self._thread.submit(work, *args))
        except OSError as error:
            raise translate(error, "journal") from None

    async def _insert_soon(self) -> None:
        pause_s = WINDOW_S
        while self.done < self.added:
            await asyncio.sleep(pause_s)
            try:
                await self.settled()
                pause_s = WINDOW_S
            except LoomError as error:
                logger.warning("rows wait in the journal: %s", error.code.name)
                pause_s = RETRY_S


def _is_written(written: "Future[None] | None") -> bool:
    """Of a batch whose file is turned, every append has ended."""
    return written is None or written.exception() is None
