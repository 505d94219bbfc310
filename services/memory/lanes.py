"""Writes of one user one after another, in the order in which they came; those that can go in together do.

So that in one process no write overlooks another's, a user has at most one active session, and the waiting saves cost
one read and one insert. Between processes nothing here holds: the stored rows merge there (docs/adr/0013).
"""

import asyncio
import contextvars
from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from runtime.clock import Clock
from runtime.errors import LoomError

Item = TypeVar("Item")
Key = TypeVar("Key", bound=Hashable)
Gather = Callable[[Any, Sequence[Any], float | None], Awaitable[Sequence[Any]]]
Work = Callable[[float | None], Awaitable[Any]]


@dataclass(eq=False, slots=True)
class _Job:
    """Either `work` or an `item` for the gathering; `ends` on the monotonic clock, None for never."""

    ends: float | None
    work: Work | None = None
    item: Any = None
    weight: int = 1
    context: contextvars.Context = field(default_factory=contextvars.copy_context)
    outcome: asyncio.Future[Any] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Lanes(Generic[Key, Item]):
    """`gather` serves items of one key that go in together: it answers each, in order, or fails for all of them."""

    def __init__(self, gather: Gather, clock: Clock, *, most: int) -> None:
        self._gather, self._clock, self._most = gather, clock, most
        self._lanes: dict[Key, deque[_Job]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    async def alone(self, key: Key, work: Work, timeout_s: float | None) -> Any:
        """Runs `work` when it is its turn; `work` gets the seconds left."""
        return await self._wait(key, _Job(self._ends(timeout_s), work=work))

    async def together(self, key: Key, item: Item, weight: int, timeout_s: float | None) -> Any:
        """Has `item` served with its neighbours, up to `most` in weight at once."""
        return await self._wait(key, _Job(self._ends(timeout_s), item=item, weight=weight))

    async def close(self) -> None:
        """Finishes what waits; refuses what comes after."""
        self._closed = True
        if self._tasks:
            await asyncio.wait(self._tasks)

    def _ends(self, timeout_s: float | None) -> float | None:
        return None if timeout_s is None else self._clock.monotonic() + timeout_s

    async def _wait(self, key: Key, job: _Job) -> Any:
        if self._closed:
            raise LoomError("SHUTTING_DOWN", "the process is stopping", retry_after_s=1.0)
        lane = self._lanes.get(key)
        if lane is None:
            lane = self._lanes[key] = deque()
            task = asyncio.create_task(self._run(key, lane), context=contextvars.Context())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        lane.append(job)
        # A caller who leaves cancels the future: what has not begun then is not begun.
        return await job.outcome

    async def _run(self, key: Key, lane: deque[_Job]) -> None:
        try:
            while jobs := self._take(lane):
                await self._settle(key, jobs)
        finally:
            del self._lanes[key]

    def _take(self, lane: deque[_Job]) -> list[_Job]:
        jobs: list[_Job] = []
        weight = 0
        while lane:
            job = lane[0]
            if jobs and (job.work or jobs[0].work or weight + job.weight > self._most):
                break
            lane.popleft()
            if not job.outcome.done():
                jobs.append(job)
                weight += job.weight
        return jobs

    async def _settle(self, key: Key, jobs: list[_Job]) -> None:
        # In the first caller's context, so that its spans have a parent.
        task = asyncio.create_task(self._answers(key, jobs), context=jobs[0].context)
        try:
            answers = await task
        except Exception as error:
            for job in jobs:
                if not job.outcome.done():
                    job.outcome.set_exception(error)
        else:
            for job, answer in zip(jobs, answers, strict=True):
                if not job.outcome.done():
                    job.outcome.set_result(answer)

    async def _answers(self, key: Key, jobs: list[_Job]) -> Sequence[Any]:
        ends = [job.ends for job in jobs if job.ends is not None]
        left = max(max(ends) - self._clock.monotonic(), 0.0) if len(ends) == len(jobs) else None
        if jobs[0].work:
            return [await jobs[0].work(left)]
        return await self._gather(key, [job.item for job in jobs], left)
