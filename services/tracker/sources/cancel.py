"""Statements that nobody waits for any more: cancelled at the source, in the background, and never more than a few."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

logger = logging.getLogger("loom.tracker.sources")

Kill = Callable[[Sequence[str]], Awaitable[bool]]
"""Asks the source to end the statements of these ids; whether it answered."""


class Canceller:
    """The statements of one source that were sent and given up, until the source confirms that they are gone.

    Each is killed once when it is given up. Where the source does not answer even that, its id stays in `hanging`; once
    `most` hang, nothing may be sent but a sign of life, and `settle` kills them all when it is answered.
    """

    def __init__(self, kill: Kill, *, most: int, limit_s: float = 2.0) -> None:
        self._kill, self._most, self._limit_s = kill, most, limit_s
        self._tasks: set[asyncio.Task[None]] = set()
        self.hanging: dict[str, None] = {}

    @property
    def full(self) -> bool:
        return len(self.hanging) >= self._most

    def abandon(self, query_id: str) -> None:
        """Give up a statement that may be running; returns at once."""
        self.hanging[query_id] = None
        if len(self._tasks) < self._most:
            self._start([query_id])

    def revived(self) -> None:
        """The source answered something: end in the background what still hangs there."""
        if self.hanging and not self._tasks:
            self._start(list(self.hanging))

    async def settle(self) -> None:
        """End what hangs, now. Raises what the killing raises."""
        if ids := list(self.hanging):
            await self._end(ids)

    async def close(self) -> None:
        """Stop trying."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def idle(self) -> None:
        """Wait until no cancellation runs; for tests and for a tidy end."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _start(self, ids: Sequence[str]) -> None:
        task = asyncio.get_running_loop().create_task(self._limited(ids))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _limited(self, ids: Sequence[str]) -> None:
        try:
            async with asyncio.timeout(self._limit_s):
                await self._end(ids)
        except TimeoutError:
            logger.info("a source does not answer; %d statements of ours may be running there", len(self.hanging))

    async def _end(self, ids: Sequence[str]) -> None:
        if await self._kill(ids):
            for query_id in ids:
                self.hanging.pop(query_id, None)
