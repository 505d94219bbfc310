"""A store for tests of the group commit: it keeps the rows in a list and does what the test says."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from runtime.store import GroupCommit, RowsRefused, StoreConfig
from runtime.store.observer import Nobody

POISON = "poison"
LIMIT_S = 10.0


class FakeInserter:
    """`insert` waits for `gate`, then calls `fail` with the number of the call (from 0), then keeps the rows.

    A row that holds POISON is refused, and the whole insert with it, as a table does it.
    """

    def __init__(self, fail: Callable[[int], None] = lambda call: None, tracer: Any = None, **config: Any) -> None:
        self.config = StoreConfig(**{"group_window_ms": 0.0, **config})
        self.tracer = tracer
        self.observer = Nobody()
        self.gate = asyncio.Event()
        self.gate.set()
        self.started = asyncio.Event()
        self.calls: list[list[Any]] = []
        self.limits: list[float | None] = []
        self.rows: list[Any] = []
        self._fail = fail

    async def insert(
        self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], *, timeout_s: float | None = None
    ) -> None:
        call = len(self.calls)
        self.calls.append([list(row) for row in rows])
        self.limits.append(timeout_s)
        self.started.set()
        await self.gate.wait()
        await asyncio.sleep(0)
        self._fail(call)
        if any(POISON in row for row in rows):
            raise RowsRefused
        self.rows += [list(row) for row in rows]


async def outcomes(*writes: Awaitable[None]) -> list[Any]:
    """What each writer hears."""
    async with asyncio.timeout(LIMIT_S):
        return await asyncio.gather(*writes, return_exceptions=True)


async def while_an_insert_runs(store: FakeInserter, group: GroupCommit) -> "asyncio.Task[None]":
    """A writer whose insert waits at the closed gate."""
    store.gate.clear()
    store.started.clear()
    first = asyncio.create_task(group.write([["first"]]))
    async with asyncio.timeout(LIMIT_S):
        await store.started.wait()
    return first


async def joined(group: GroupCommit, *row_lists: Any, timeout_s: float | None = None) -> "list[asyncio.Task[None]]":
    """Writers in the queue, as tasks."""
    tasks = [asyncio.create_task(group.write(rows, timeout_s=timeout_s)) for rows in row_lists]
    for _ in range(3):
        await asyncio.sleep(0)
    return tasks
