"""tracker_links: which pull request fixed an issue that nobody linked, and the fit of the duplicate check.

Daily, per namespace of a source and through its filters: issues of the last months against the merged changes after
them. An issue that did not change is compared with the changes since the pass before alone. Weekly, or when another
model made the vectors: the record's statistics, and the fit of each standard namespace (refit.py). Scoring and fitting
run in a process of their own.
"""

import json
import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from runtime.clock import Clock
from services.tracker.checking.links_store import Candidate, LinkStore
from services.tracker.checking.marks import Marks
from services.tracker.reads import Reading
from services.tracker.rows import Bound
from services.tracker.workers import record_pages as ask
from services.tracker.workers.frame import BackgroundReads, Work
from services.tracker.workers.heavy.process import Beat, Heavy, HeavyError, heavy
from services.tracker.workers.reading_order import BEGINNING, Point, after, page
from services.tracker.workers.refit import Refit

log = logging.getLogger("loom.tracker.workers")

NAME = "tracker_links"
LINKED, REFITTED = "links", "refit"
# Changes may reach a source this much later than they were merged.
LATE = timedelta(days=2)
# A link that no pass has found again for so long goes.
KEPT = timedelta(days=365)


Start = Callable[[Beat], AbstractAsyncContextManager[Heavy]]


@dataclass(frozen=True, slots=True)
class LinkLimits:
    """Days back that issues are looked at, and links that are kept of each."""

    issue_days: int = 90
    per_issue: int = 20


@dataclass(frozen=True, slots=True)
class _State:
    """Where a run is: the namespace, the step of its work, and the issue that was seen to last."""

    part: int = 0
    step: str = LINKED
    point: Point = BEGINNING

    def text(self) -> str:
        return json.dumps({"part": self.part, "step": self.step, "point": self.point.text()})

    @classmethod
    def read(cls, text: str) -> "_State":
        try:
            found = json.loads(text or "{}")
            return cls(int(found["part"]), str(found["step"]), Point.read(found["point"]))
        except (ValueError, TypeError, KeyError, AttributeError):
            return cls()


class Links:
    """One pass for all sources."""

    name = NAME

    def __init__(
        self,
        reads: BackgroundReads,
        links: LinkStore,
        marks: Marks,
        refit: Refit,
        clock: Clock,
        limits: LinkLimits,
        *,
        start: Start = heavy,
    ) -> None:
        """`start` begins the process of heavy work; tests stay in their own."""
        self._reads, self._links, self._marks, self._refit = reads, links, marks, refit
        self._clock, self._limits, self._start = clock, limits, start

    async def run(self, work: Work) -> Mapping[str, int]:
        """Counts of issues, links and fits. Raises SourceSilent, LeaseLost."""
        done: Counter[str] = Counter(issues=0, links=0, statistics=0, fits=0)
        state = _State.read(work.checkpoint)
        # Restricted namespaces first: a link that others may see too has the score that their words give it.
        bounds = sorted(work.bounds, key=lambda bound: (not bound.restricted, bound.storage))

        async def beat() -> None:
            await work.save(state.text())

        try:
            async with self._start(beat) as process:
                for part, bound in enumerate(bounds):
                    if (part, LINKED) >= (state.part, state.step):
                        point = state.point if part == state.part else BEGINNING
                        state = _State(part, LINKED, point)
                        await self._linked(work, bound, process, state, done)
                    if part >= state.part:
                        state = _State(part, REFITTED)
                        await work.save(state.text())
                        await self._refit.run(work, bound, process, done)
        except HeavyError as failure:
            log.warning("%s goes on at the next pass: %s", NAME, failure)
            done["failed"] = 1
        kept_from = self._clock.now() - KEPT
        await self._links.erase(work.source.org, work.source.id, before=_version(kept_from))
        return done

    async def _linked(self, work: Work, bound: Bound, process: Heavy, state: _State, done: Counter[str]) -> None:
        org, source_id, now = work.source.org, work.source.id, self._clock.now()
        mark, reading = f"{LINKED}.{bound.storage}", await self._reads.reading(bound)
        before = await self._marks.of(org, source_id, mark)
        first = Point(max(0, _version(now - timedelta(days=self._limits.issue_days))))
        if not await self._pulls(reading, process, first):
            return
        since = datetime.fromisoformat(before) - LATE if before else None
        point = max(first, state.point, key=lambda each: (each.at, each.item))
        while rows := await page(self._reads, reading, ask.REPORTS, point, most=ask.ISSUES_AT_ONCE):
            point = after(rows)
            found = await self._best(work, await self._of_issues(process, rows, since))
            await self._links.put(org, source_id, found, _version(now))
            done["issues"], done["links"] = done["issues"] + len(rows), done["links"] + len(found)
            await work.save(_State(state.part, LINKED, point).text())
        await self._marks.put(org, source_id, mark, now.isoformat())

    async def _pulls(self, reading: Reading, process: Heavy, first: Point) -> int:
        """Gives the process every change merged into a trunk since then; how many that are."""
        rows = [row for statement in ask.HIGHEST for row in await self._reads.rows(reading, statement)]
        await process.do("begin_links", highest=ask.highest(rows))
        known, point, count = ask.trunks(await self._reads.rows(reading, ask.BRANCHES)), first, 0
        while pulls := await page(self._reads, reading, ask.PULLS, point, most=ask.PULLS_AT_ONCE):
            point, chosen = after(pulls), [row for row in pulls if ask.is_on_trunk(row, known)]
            await process.do("pulls", rows=chosen)
            count += len(chosen)
        return count

    async def _of_issues(
        self, process: Heavy, rows: Sequence[dict[str, Any]], since: datetime | None
    ) -> list[Candidate]:
        """`since` is None where every issue is compared with all changes."""
        changed_from = 0 if since is None else _version(since)
        asked = [{**row, "whole": int(row["updated_us"]) >= changed_from} for row in rows]
        answer = await process.do(
            "link", rows=asked, most=self._limits.per_issue, since=since.isoformat() if since else None
        )
        return [Candidate(*each) for each in answer["links"]]

    async def _best(self, work: Work, found: Sequence[Candidate]) -> list[Candidate]:
        """Without those that stand behind as many stored links of their issue as are kept."""
        issues = sorted({each.issue for each in found})
        least = await self._links.least(work.source.org, work.source.id, issues, self._limits.per_issue)
        return [each for each in found if each.written or each.score >= least.get(each.issue, 0.0)]


def _version(instant: datetime) -> int:
    return int(instant.timestamp() * 1e6)
