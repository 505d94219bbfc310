"""Group commit: rows of concurrent writers to one table go in together, and every writer hears its own outcome.

One insert of a thousand rows costs about what one row costs, so this is how durable writes get fast. A group is
gathered for a few milliseconds when the table is idle, unless the last writer was alone and so has no company to wait
for; rows that arrive while an insert runs form the next group.
"""

import asyncio
import contextlib
import contextvars
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from opentelemetry.trace import Link, Span, Tracer, set_span_in_context

from runtime.clock import Clock
from runtime.errors import LoomError
from runtime.store.config import StoreConfig
from runtime.store.faults import RowsRefused, late, logger
from runtime.store.observer import Observer
from runtime.telemetry import span

Rows = Sequence[Sequence[Any]]

# From so many writers in one group on, the next group gathers for so many seconds before it goes in: the writers that
# were just answered are about to write again, and an insert costs the engine milliseconds of CPU whatever its size.
CROWD, CROWD_S = 8, 0.008


class Inserter(Protocol):
    """What a group commit needs of a store."""

    config: StoreConfig
    tracer: Tracer | None
    observer: Observer

    async def insert(self, table: str, columns: Sequence[str], rows: Rows, *, timeout_s: float | None = None) -> None:
        """All of the rows or none; RowsRefused where the rows are at fault."""
        ...


@dataclass(eq=False, slots=True)
class _Writer:
    rows: Rows
    deadline: float
    outcome: asyncio.Future[None]
    span: Span

    def hear(self, error: Exception | None = None) -> None:
        # Past its deadline or cancelled, a writer no longer listens.
        if self.outcome.done():
            return
        if error:
            self.outcome.set_exception(error)
        else:
            self.outcome.set_result(None)

    def expire(self) -> None:
        self.hear(late())


class GroupCommit:
    """The group commit of one table; `columns` names the values of each row, in order.

    Rows keep the order in which `write` was called; the rows of one call are never split.
    """

    def __init__(self, store: Inserter, table: str, columns: Sequence[str], *, clock: Clock) -> None:
        self._store, self._table, self._columns, self._clock = store, table, tuple(columns), clock
        self._waiting: dict[_Writer, None] = {}
        self._waiting_rows = 0
        self._full = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closed = False
        self._was_alone = False
        store.observer.queue_rows(table, lambda: self._waiting_rows)

    async def write(self, rows: Rows, *, timeout_s: float | None = None) -> None:
        """Returns when the rows are durable.

        Raises LoomError: OVERLOADED at once where too many rows wait, DEADLINE_EXCEEDED past `timeout_s` (rows that
        were not yet on their way are not written then), SHUTTING_DOWN after `close`, and what the insert raises.
        """
        if not rows:
            return
        self._admit(len(rows))
        limit = self._store.config.timeout_s if timeout_s is None else timeout_s
        with self._commit_span() as span:
            outcome = asyncio.get_running_loop().create_future()
            await self._wait(_Writer(rows, self._clock.monotonic() + limit, outcome, span), limit)

    async def close(self) -> None:
        """Write what waits; refuse what comes after."""
        self._closed = True
        self._full.set()
        if self._task:
            await asyncio.wait([self._task])

    def _admit(self, count: int) -> None:
        if self._closed:
            raise LoomError("SHUTTING_DOWN", "the process is stopping", retry_after_s=1.0)
        if self._waiting and self._waiting_rows + count > self._store.config.queue_max_rows:
            raise LoomError("OVERLOADED", "too many writes wait for the storage engine", retry_after_s=1.0)

    async def _wait(self, writer: _Writer, limit: float) -> None:
        # A bare timer: `asyncio.timeout` costs several times as much, and every write pays for it.
        timer = asyncio.get_running_loop().call_later(limit, writer.expire)
        self._join(writer)
        try:
            await writer.outcome
        finally:
            timer.cancel()
            self._leave(writer)
            if writer.outcome.done() and not writer.outcome.cancelled():
                writer.outcome.exception()  # heard, even where a cancellation overtook it

    def _join(self, writer: _Writer) -> None:
        self._waiting[writer] = None
        self._waiting_rows += len(writer.rows)
        if self._waiting_rows >= self._store.config.group_max_rows:
            self._full.set()
        if self._task is None:
            # An empty context: the group belongs to no single writer's request.
            self._task = asyncio.create_task(self._flush(), context=contextvars.Context())

    def _leave(self, writer: _Writer) -> None:
        if writer in self._waiting:
            del self._waiting[writer]
            self._waiting_rows -= len(writer.rows)

    async def _flush(self) -> None:
        try:
            if not self._was_alone:
                await self._gather(self._store.config.group_window_ms / 1000)
            while group := self._take():
                self._was_alone = len(group) == 1
                await self._settle(group)
                if len(group) >= CROWD:
                    await self._gather(CROWD_S)
        finally:
            self._task = None

    async def _gather(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._full.wait()

    def _take(self) -> list[_Writer]:
        group: list[_Writer] = []
        size = 0
        for writer in list(self._waiting):
            if group and size + len(writer.rows) > self._store.config.group_max_rows:
                break
            self._leave(writer)
            group.append(writer)
            size += len(writer.rows)
        if not self._closed:
            self._full.clear()
        return group

    async def _settle(self, group: list[_Writer]) -> None:
        """Insert the group and tell its writers. Rows at fault are found by halving, so that the others get in."""
        error: Exception | None = None
        try:
            await self._insert(group)
        except RowsRefused as refused:
            if len(group) > 1:
                middle = len(group) // 2
                await self._settle(group[:middle])
                await self._settle(group[middle:])
                return
            error = refused
        except LoomError as fault:
            error = fault
        except Exception as defect:
            logger.exception("group commit of %s: %s", self._table, type(defect).__name__)
            error = LoomError("INTERNAL", "internal error")
        for writer in group:
            writer.hear(error)

    async def _insert(self, group: list[_Writer]) -> None:
        rows = [row for writer in group for row in writer.rows]
        left = max(writer.deadline for writer in group) - self._clock.monotonic()
        self._store.observer.group_commit(self._table, len(rows))
        with self._group_span(group):
            await self._store.insert(self._table, self._columns, rows, timeout_s=max(left, 0.0))

    def _commit_span(self) -> AbstractContextManager[Span]:
        return span(self._store.tracer, f"commit {self._table}")

    def _group_span(self, group: list[_Writer]) -> AbstractContextManager[Span]:
        """Child of the first writer's span, linked to the others'."""
        if self._store.tracer is None:
            return span(None, "")
        links = [Link(writer.span.get_span_context()) for writer in group[1:]]
        return span(self._store.tracer, f"group {self._table}", parent=set_span_in_context(group[0].span), links=links)
