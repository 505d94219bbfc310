"""The extraction worker: claims queued observations, drafts memories of them session by session, saves, completes.

Nothing is lost and nothing done twice: what a worker claimed and did not complete returns when its lease ends, and the
same observations give the same memories, so doing a part of the work again changes nothing.
"""

import asyncio
import contextvars
import logging
from collections.abc import Awaitable, Callable, Sequence

from runtime import ids
from runtime.clock import Clock
from runtime.errors import LoomError
from runtime.peers import Bell
from services.memory.extract.calls import Observed
from services.memory.workers.drafting import Drafting
from services.memory.workers.extracted_store import ExtractedStore
from services.memory.workers.handover import Handover, Source
from services.memory.workers.keeping import Keeping

log = logging.getLogger("loom.memory")

SAVE_S = 30.0
FIRST_PAUSE_S, LAST_PAUSE_S = 1.0, 60.0
# What closing waits for: the session at hand is finished if it takes no longer.
CLOSING_S = 5.0

Count = Callable[[str, int], None]


class Extraction:
    """One worker of this process. `count` is told what happened; `pause` waits after failures, and tests replace it."""

    def __init__(
        self,
        handover: Handover,
        drafting: Drafting,
        keeping: Keeping,
        store: ExtractedStore,
        clock: Clock,
        bell: Bell,
        count: Count,
        *,
        batch: int,
        lease_s: int,
        poll_s: float,
        pause: Callable[[float], Awaitable[None]] | None = None,
    ) -> None:
        self._handover, self._drafting, self._keeping, self._store = handover, drafting, keeping, store
        self._clock, self._bell, self._count = clock, bell, count
        self._batch, self._lease_s, self._poll_s = batch, lease_s, poll_s
        self._stop = asyncio.Event()
        self._pause = pause or self._wait_unless_stopped
        self._task: asyncio.Task[None] | None = None
        self.failures = 0

    def start(self) -> None:
        """Works in the background until `close`."""
        self._task = asyncio.create_task(self._run(), context=contextvars.Context())

    async def close(self) -> None:
        """Stops; what is claimed and not completed returns with its lease."""
        self._stop.set()
        self._bell.ring()
        if self._task:
            await asyncio.wait([self._task], timeout=CLOSING_S)
            self._task.cancel()
            await asyncio.wait([self._task])
        await self._drafting.close()

    async def round(self) -> int:
        """Claims once and works on what it got: the number of observations claimed. Raises LoomError."""
        ends = self._clock.monotonic() + self._lease_s
        sources = await self._handover.claim(self._batch, self._lease_s)
        for source, rows in sources.items():
            if self._stop.is_set() or self._clock.monotonic() >= ends:
                break
            await self._session_or_leave(source, rows)
        return sum(map(len, sources.values()))

    async def _run(self) -> None:
        while not self._stop.is_set():
            try:
                if not await self.round():
                    await self._bell.wait(self._poll_s)
                self.failures = 0
            except LoomError as error:
                if error.code.name == "FEATURE_DISABLED":  # no observe plane yet, or none at all
                    await self._bell.wait(self._poll_s)
                    continue
                await self._after_failure(error.code.name)
            except Exception:
                log.exception("defect in the extraction worker")
                await self._after_failure("INTERNAL")

    async def _session_or_leave(self, source: Source, rows: Sequence[Observed]) -> None:
        """One session. A failure that is not of its making ends the round; a defect concerns this session alone."""
        try:
            await self._session(source, rows)
        except LoomError as error:
            if error.code.retryable:
                raise
            log.warning("a session was not extracted and is tried again after its lease: %s", error.code.name)
            self._count("session_failed", 1)
        except Exception:
            log.exception("a session was not extracted and is tried again after its lease")
            self._count("session_failed", 1)

    async def _session(self, source: Source, rows: Sequence[Observed]) -> None:
        memories: dict[str, list[int]] = {row.memory_key: [] for row in rows}
        if self._drafting.has_llm:
            memories |= await self._store.by_llm(source.scope, list(memories), SAVE_S)
        # What a language model drafted of before it was stopped is not asked about again: it would answer otherwise.
        fresh = [row for row in rows if row.has_content and not memories[row.memory_key]]
        if fresh:
            first = min(fresh, key=lambda row: (row.observed_at, row.memory_key))
            earlier = await self._handover.earlier(source, first)
            found = await self._drafting.draft(source.session_id, fresh, earlier)
            kept = await self._keeping.keep(source.scope, found, SAVE_S)
            memories |= {key: kept[key] for key in memories if key in kept}
        await self._handover.complete(source.scope, memories)
        self._count("session", 1)

    async def _after_failure(self, code: str) -> None:
        self.failures += 1
        self._count("failure", 1)
        seconds = min(FIRST_PAUSE_S * 2 ** min(self.failures - 1, 16), LAST_PAUSE_S) * (0.5 + ids.fraction() / 2)
        log.warning("extraction failed and goes on in %.1f s: %s", seconds, code)
        await self._pause(seconds)

    async def _wait_unless_stopped(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._stop.wait()
        except TimeoutError:
            return
