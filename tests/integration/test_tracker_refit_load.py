"""A namespace is fitted anew while questions come: none waits for it, and each has one fit, the old or the new."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from services.tracker.checking.checker import Checker
from services.tracker.checking.draft import Asked
from services.tracker.checking.fits import FitStore
from services.tracker.checking.legs import Legs
from services.tracker.checking.semantic import Semantic
from services.tracker.ops.checks import Checking
from services.tracker.ops.duplicate_check import DuplicateCheck, Options, Outcome
from services.tracker.rows import SourceRow
from services.tracker.workers.heavy.process import Beat, heavy
from services.tracker.workers.links import LinkLimits, Links
from services.tracker.workers.refit import Refit, RefitLimits
from tests.integration.test_tracker_links_pass import record
from tests.integration.test_tracker_refit import labelled
from tests.support.tracker_passes import DAY_S, OPEN, Passing, passing
from tests.support.tracker_record import CALLER, ORG, TRACKER

OPTIONS = Options(top_k=10, related_prs=True, rerank=False, namespaces=())
SPACE = replace(OPEN, namespace=TRACKER, storage=TRACKER)


@dataclass
class Registered:
    """Stands for the registry."""

    source: SourceRow

    async def sources(self, org: str) -> list[SourceRow]:
        return [self.source]


@dataclass
class Asking:
    """Asks one question again and again, and keeps what was said."""

    check: DuplicateCheck
    draft: Asked
    said: list[Outcome] = field(default_factory=list)

    async def once(self) -> Outcome:
        self.said.append(await self.check.execute(ORG, TRACKER, self.draft, None, OPTIONS, CALLER))
        return self.said[-1]

    async def until(self, task: "asyncio.Task[Counter[str]]") -> None:
        while not task.done():
            await self.once()


class Watched:
    """The process of heavy work; tells how many questions were answered while it fitted."""

    def __init__(self, process: Any, asking: Asking) -> None:
        self._process, self._asking = process, asking
        self.answered = 0

    async def do(self, job: str, extra: bytes = b"", **given: Any) -> dict[str, Any]:
        before = len(self._asking.said)
        answer: dict[str, Any] = await self._process.do(job, extra, **given)
        self.answered += (len(self._asking.said) - before) * (job == "fit")
        return answer


def fits_of(found: list[Outcome]) -> list[datetime]:
    return [each.fit.fitted_at for each in found if each.fit is not None]


def asking_of(given: Passing, fits: FitStore) -> Asking:
    semantic = Semantic(given.vectors, None, given.record.clock, budget_s=30.0, catch_up_s=30.0)
    checking = Checking(given.record.asking, Checker(Legs(semantic), fits), Registered(given.source))  # type: ignore[arg-type]
    row = labelled()[0]
    return Asking(DuplicateCheck(checking), Asked(title=f"After restart: {row['title']}", body=row["body"]))


async def test_a_refit_disturbs_no_answer_and_the_next_ones_have_the_new_fit() -> None:
    async with passing(record(labelled()), SPACE) as given:
        await given.link(days=1).run(given.work())
        given.record.clock.advance(8 * DAY_S)
        fits = given.fits
        asking = asking_of(given, fits)
        quiet, watched = await asking.once(), list[Watched]()

        @asynccontextmanager
        async def start(beat: Beat) -> AsyncIterator[Any]:
            async with heavy(beat) as process:
                watched.append(Watched(process, asking))
                yield watched[0]

        refit = Refit(given.reads, fits, given.vectors, given.marks, given.record.clock, RefitLimits())
        links = Links(given.reads, given.links, given.marks, refit, given.record.clock, LinkLimits(1, 20), start=start)
        # A poor one is stored, so that the new fit takes its place.
        stored = await fits.of(ORG, TRACKER)
        assert stored is not None and stored.fit is not None
        flat = replace(stored.fit.without_vectors, prior=0.1)
        poor = replace(stored.fit, with_vectors=flat, without_vectors=flat)
        await fits.put(ORG, TRACKER, given.source.id, poor, stored.statistics, stored.fitted_at)
        pass_ = asyncio.create_task(links.run(given.work()))
        await asking.until(pass_)
        done = pass_.result()
        last = await asking.once()
    assert quiet.epistemic == "calibrated" and done["fits"] == 1
    assert watched[0].answered > 0
    assert {each.epistemic for each in asking.said} == {"calibrated"}
    assert {each.items[0].source_id for each in asking.said if each.items} == {quiet.items[0].source_id}
    at = fits_of(asking.said)
    assert len(at) == len(asking.said) and at == sorted(at) and len(set(at)) == 2
    assert last.fit is not None and last.fit.fitted_at == max(at)
