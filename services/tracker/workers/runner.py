"""Runs passes over the sources: all at once when asked, each when it is due in the background."""

import asyncio
import contextvars
import dataclasses
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from runtime.clock import Clock
from runtime.errors import LoomError
from services.tracker.rows import SourceRow
from services.tracker.workers import progress
from services.tracker.workers.frame import LeaseLost, Pass, SourceSilent, Work
from services.tracker.workers.lease import Lease, Leases
from services.tracker.workers.progress import Progress, State

log = logging.getLogger("loom.tracker.workers")

BUSY = "busy"
# Sources at once; of one source, one pass.
AT_ONCE = 2
LOOK_S = 30.0
CLOSING_S = 5.0


@dataclass(frozen=True, slots=True)
class Scheduled:
    """A pass, how often it runs on a source, and how long one run may take before it goes on at the next look."""

    work: Pass
    every_s: float
    limit_s: float


@dataclass(frozen=True, slots=True)
class Ran:
    """How a pass ended on one source: `done`, `partial`, `silent`, `failed` or `busy` (another process has it)."""

    source: str
    outcome: str
    counts: Mapping[str, int] = field(default_factory=dict)
    reason: str = ""


Sources = Callable[[], Awaitable[Sequence[SourceRow]]]


class Runner:
    """`sources` lists those that serve. `wait` is how long it looks away between looks, at most; tests replace it."""

    def __init__(
        self,
        passes: Mapping[str, Scheduled],
        sources: Sources,
        leases: Leases,
        states: Progress,
        clock: Clock,
        *,
        wait: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._passes, self._sources = passes, sources
        self._leases, self._states, self._clock, self._wait = leases, states, clock, wait
        self._task: asyncio.Task[None] | None = None

    async def once(self, name: str) -> list[Ran]:
        """Runs the pass on every source, due or not. KeyError for a name that no pass has."""
        scheduled = self._passes[name]
        return await self._over([(scheduled, source) for source in await self._sources()])

    async def due(self, names: Sequence[str] = ()) -> list[Ran]:
        """Runs what is due, of these passes or all."""
        now, found = self._clock.now(), []
        for source in await self._sources():
            for name in names or self._passes:
                state = await self._states.of(source.org, source.id, name)
                if is_due(state, self._passes[name], now.timestamp()):
                    found.append((self._passes[name], source))
        return await self._over(found)

    def start(self, names: Sequence[str] = ()) -> None:
        """Runs what is due in the background, until `close`."""
        self._task = asyncio.create_task(self._run(names), context=contextvars.Context())

    async def close(self) -> None:
        """Stops at once: a run that is cut off goes on from its checkpoint, elsewhere too."""
        if self._task:
            self._task.cancel()
            await asyncio.wait([self._task], timeout=CLOSING_S)

    async def _run(self, names: Sequence[str]) -> None:
        while True:
            # Waits first: what serves is more urgent than what runs in the background, at a start above all.
            await self._wait(LOOK_S)
            try:
                await self.due(names)
            except LoomError as error:
                log.warning("the background passes go on later: %s", error.code.name)
            except Exception:
                log.exception("defect in the background passes")

    async def _over(self, jobs: Sequence[tuple[Scheduled, SourceRow]]) -> list[Ran]:
        """Each source's passes one after the other, a few sources at once."""
        by_source: dict[str, list[tuple[Scheduled, SourceRow]]] = {}
        for job in jobs:
            by_source.setdefault(job[1].id, []).append(job)
        places = asyncio.Semaphore(AT_ONCE)

        async def one_source(own: Sequence[tuple[Scheduled, SourceRow]]) -> list[Ran]:
            async with places:
                return [await self._leased(scheduled, source) for scheduled, source in own]

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one_source(own)) for own in by_source.values()]
        return [ran for task in tasks for ran in task.result()]

    async def _leased(self, scheduled: Scheduled, source: SourceRow) -> Ran:
        lease = await self._leases.take(source.org, source.id)
        if lease is None:
            return Ran(source.name, BUSY)
        try:
            return await self._worked(scheduled, source, lease)
        finally:
            await self._leases.release(lease)

    async def _worked(self, scheduled: Scheduled, source: SourceRow, lease: Lease) -> Ran:
        name, before = scheduled.work.name, await self._states.of(source.org, source.id, scheduled.work.name)
        begun = dataclasses.replace(before, outcome=progress.RUNNING, begun_at=self._clock.now())
        saved = _Saved(self._states, await self._states.put(begun), lambda: self._leases.renew(lease))
        ran = await self._run_on(scheduled, Work(source, before.checkpoint, saved.save), source)
        checkpoint = "" if ran.outcome == progress.DONE else saved.state.checkpoint
        ended = dataclasses.replace(saved.state, outcome=ran.outcome, checkpoint=checkpoint, ended_at=self._clock.now())
        await self._states.put(ended)
        log.info("%s: %s", name, ran.outcome, extra={"source": source.id, "reason": ran.reason, **_named(ran.counts)})
        return ran

    async def _run_on(self, scheduled: Scheduled, work: Work, source: SourceRow) -> Ran:
        try:
            async with asyncio.timeout(scheduled.limit_s):
                return Ran(source.name, progress.DONE, await scheduled.work.run(work))
        except TimeoutError:
            return Ran(source.name, progress.PARTIAL, reason="time")
        except SourceSilent as silent:
            return Ran(source.name, progress.SILENT, reason=silent.reason)
        except LeaseLost:
            return Ran(source.name, progress.PARTIAL, reason="lease")
        except LoomError as error:
            return Ran(source.name, progress.FAILED, reason=error.code.name)
        except Exception as defect:
            # One source's trouble is no other's: the rest of the pass goes on.
            log.exception("defect in %s", scheduled.work.name)
            return Ran(source.name, progress.FAILED, reason=type(defect).__name__)


class _Saved:
    """The state as it was stored last."""

    def __init__(self, states: Progress, state: State, renew: Callable[[], Awaitable[None]]) -> None:
        self._states, self.state, self._renew = states, state, renew

    async def save(self, checkpoint: str) -> None:
        await self._renew()
        self.state = await self._states.put(dataclasses.replace(self.state, checkpoint=checkpoint))


def is_due(state: State, scheduled: Scheduled, now: float) -> bool:
    """Whether the pass is to run on the source: it never ran, was cut off, or its last run began an interval ago.

    What is `running` was cut off, too, unless it holds the lease still, which is asked later. A source that failed or
    was silent waits for its next turn like one that did not.
    """
    if state.outcome in ("", progress.PARTIAL, progress.RUNNING):
        return True
    return now >= (state.begun_at + timedelta(seconds=scheduled.every_s)).timestamp()


def _named(counts: Mapping[str, int]) -> dict[str, int]:
    return {f"count_{name}": count for name, count in counts.items()}
