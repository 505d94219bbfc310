"""Statistics and fit of a namespace, out of its own record.

A restricted namespace counts its own words, private rows included, and borrows the fit of a standard one: labels of few
reports would make a poor fit, and one made of private reports would tell of them. Statistics are stored where there are
too few duplicates for a fit, too. A fit that is worse than the stored one on the newest reports is not stored.
"""

import json
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from runtime.clock import Clock
from services.tracker.checking.fits import FitStore, Stored
from services.tracker.checking.marks import Marks
from services.tracker.checking.models import COMPLETE
from services.tracker.checking.vectors import ItemVectors
from services.tracker.rows import Bound
from services.tracker.similar.fit import VERSION, Fit
from services.tracker.similar.statistics import Statistics
from services.tracker.workers import record_pages as ask
from services.tracker.workers.frame import BackgroundReads, Work
from services.tracker.workers.heavy.jobs import KEPT
from services.tracker.workers.heavy.process import Heavy
from services.tracker.workers.reading_order import BEGINNING, Point, after, page

log = logging.getLogger("loom.tracker.workers")

MARK = "fit"


@dataclass(frozen=True, slots=True)
class RefitLimits:
    """How often a record is fitted, and between what a duplicate threshold may lie."""

    every_s: float = 7 * 86_400.0
    low: float = 0.5
    high: float = 0.95


class Refit:
    """One for all sources."""

    def __init__(
        self,
        reads: BackgroundReads,
        fits: FitStore,
        vectors: ItemVectors,
        marks: Marks,
        clock: Clock,
        limits: RefitLimits,
    ) -> None:
        self._reads, self._fits, self._vectors, self._marks = reads, fits, vectors, marks
        self._clock, self._limits = clock, limits

    async def run(self, work: Work, bound: Bound, process: Heavy, done: Counter[str]) -> None:
        """Makes both, where it is time to. Raises SourceSilent, LeaseLost, HeavyError."""
        org, source_id = work.source.org, work.source.id
        model = await self._marks.of(org, source_id, COMPLETE)
        if not await self._is_due(work, bound, model):
            return
        stored = await self._fits.of(org, bound.storage)
        answer = await self._made(work, bound, process, stored, model)
        fit = Fit.from_json(answer["fit"]) if answer["fit"] else None
        kept_from = stored.fitted_at if stored and answer["state"] == KEPT else None
        await self._fits.put(org, bound.storage, source_id, fit, Statistics.from_json(answer["statistics"]), kept_from)
        await self._marks.put(org, source_id, f"{MARK}.{bound.storage}", self._mark(model))
        log.info("fitted a namespace", extra={"source": source_id, **_facts(answer)})
        done["statistics"] += 1
        done["fits"] += answer["state"] == "made"

    async def _is_due(self, work: Work, bound: Bound, model: str) -> bool:
        """A fit knows vectors of one model alone: another one's are on another scale. One of another version is none."""
        text = await self._marks.of(work.source.org, work.source.id, f"{MARK}.{bound.storage}")
        if not text:
            return True
        mark = json.loads(text)
        at = datetime.fromisoformat(mark["at"])
        if (mark["model"], mark.get("version")) != (model, VERSION):
            return True
        return at + timedelta(seconds=self._limits.every_s) <= self._clock.now()

    def _mark(self, model: str) -> str:
        return json.dumps({"at": self._clock.now().isoformat(), "model": model, "version": VERSION})

    async def _made(
        self, work: Work, bound: Bound, process: Heavy, stored: Stored | None, model: str
    ) -> Mapping[str, Any]:
        """Reads the record page by page into the process, and lets it be fitted there."""
        reading = await self._reads.reading(bound)
        cutoff = await self._reads.rows(reading, ask.CUTOFF)
        # The first page begins with the cutoff itself: no name is before the empty one.
        point = Point(max(0, int(cutoff[0]["at"]))) if cutoff and cutoff[0]["reports"] else BEGINNING
        await process.do("begin_fit")
        while rows := await page(self._reads, reading, ask.REPORTS, point, most=ask.REPORTS_AT_ONCE):
            point = after(rows)
            await self._page(work, process, rows, model)
        known = stored.fit.to_json() if stored and stored.fit and not bound.restricted else None
        limits = self._limits
        return await process.do("fit", stored=known, low=limits.low, high=limits.high, fits=not bound.restricted)

    async def _page(self, work: Work, process: Heavy, rows: Sequence[Mapping[str, Any]], model: str) -> None:
        vectors: Mapping[str, bytes] = {}
        if model:
            ids = [str(row["source_id"]) for row in rows]
            vectors = await self._vectors.of_items(work.source.org, work.source.id, model, ids)
        width = max(map(len, vectors.values()), default=0)
        found = b"".join(vectors.get(str(row["source_id"]), b"").ljust(width, b"\0") for row in rows)
        await process.do("reports", found, rows=list(rows), dim=width // 4)


def _facts(answer: Mapping[str, Any]) -> dict[str, Any]:
    """For the log: counts and reasons, nothing of the record."""
    fit = answer["fit"]
    return {
        "state": answer["state"],
        "reason": answer["reason"],
        "reports": answer["reports"],
        "duplicates": answer["duplicates"],
        "has_vectors": answer["has_vectors"],
        "serves_duplicates": bool(fit and fit["serves_duplicates"]),
    }
