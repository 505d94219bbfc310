"""A record replayed in order of time: chosen reports are asked as drafts against what was there before each.

Everything is as it was then: term statistics, shared lines, which duplicates were known (one counts as known when it
was closed), what was open. So what is fitted or measured here is what a check would have seen.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from services.tracker.similar import buckets, features
from services.tracker.similar.corpus import Corpus, Indexes, largest
from services.tracker.similar.model import Candidate, Draft
from services.tracker.similar.needles import needles
from services.tracker.similar.prepared import Prepared
from services.tracker.similar.statistics import Statistics

POOL, VECTOR_POOL = 200, 40

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Asked:
    """One report asked as a draft. Numbers are places in the record.

    `root` is what it duplicates (-1: nothing older). `pool` are the candidates, `targets` the root of each one's bucket
    as far as it was known then. `rows` are features of shape (pool, features.NAMES), float32.
    """

    place: int
    root: int
    pool: Indexes
    targets: Indexes
    rows: NDArray[np.float32]


class Record:
    """Reports in order of time with their vectors (rows of length one, or None) and the roots of their buckets."""

    def __init__(self, reports: Sequence[Candidate], vectors: Vectors | None = None) -> None:
        """Reports without an instant are left out, since nobody knows what was there before them."""
        timed = [place for place, report in enumerate(reports) if report.created_at is not None]
        timed.sort(key=lambda place: (reports[place].created_at, reports[place].repo, reports[place].number))
        self.reports = [reports[place] for place in timed]
        self.vectors = None if vectors is None else vectors[timed]
        self.corpus, self.statistics = Corpus(), Statistics()
        self.roots = _roots(self.reports)

    def duplicates(self) -> list[int]:
        """Places of reports whose root is older."""
        return [place for place, root in enumerate(self.roots) if 0 <= root < place]

    def originals(self) -> list[int]:
        """Places of reports that duplicate nothing. What was closed as a duplicate of nobody knows what is neither."""
        return [
            place
            for place, root in enumerate(self.roots)
            if root == place and "duplicate" not in self.reports[place].state_reason.casefold()
        ]

    def replay(self, wanted: Mapping[int, float]) -> Iterator[Asked]:
        """Asks the wanted places, oldest first. Can be done once."""
        for place, report in enumerate(self.reports):
            if place in wanted and place:
                asked = self._ask(place)
                if len(asked.pool):
                    yield asked
            self.corpus.add(self.statistics.add(report.title, report.body))

    def draft(self, place: int) -> Draft:
        """The report as it was filed."""
        report = self.reports[place]
        taken = ("title", "body", "created_at", "repo", "number", "component", "version", "error_codes", "frames")
        return Draft(**{name: getattr(report, name) for name in taken})

    def _ask(self, place: int) -> Asked:
        report = self.reports[place]
        found = self.corpus.pool(needles(report.title, report.body, self.statistics), POOL)
        cosines = None
        if self.vectors is not None:
            cosines = self.vectors[:place] @ self.vectors[place]
            found = np.union1d(found, largest(cosines.astype(np.float64), VECTOR_POOL))
        pool = np.sort(found)
        candidates = [self._candidate(other, cosines) for other in pool.tolist()]
        rows = features.compare(Prepared.of(self.draft(place), self.statistics), candidates, self.statistics)
        root = self.roots[place]
        return Asked(place, root if root < place else -1, pool, self.targets(place, pool), rows.astype(np.float32))

    def _candidate(self, place: int, cosines: Vectors | None) -> Prepared:
        report = self.reports[place]
        if cosines is not None:
            report = replace(report, cosine=float(cosines[place]))
        return Prepared(report, self.corpus.document(place))

    def targets(self, place: int, pool: Indexes) -> Indexes:
        """Root of each candidate's bucket, as far as it was known when `place` was filed."""
        now = self.reports[place].created_at
        known = [self.reports[other].closed_at for other in pool.tolist()]
        return np.array(
            [
                self.roots[other] if closed is not None and now is not None and closed <= now else other
                for other, closed in zip(pool.tolist(), known, strict=True)
            ],
            dtype=np.int64,
        )


def _roots(reports: Sequence[Candidate]) -> list[int]:
    """Place of each report's root; its own where it has none, -1 in a cycle or where the root is not in the record."""
    duplicates = buckets.links(reports)
    places = {report.source_id: place for place, report in enumerate(reports)}
    found = []
    for report in reports:
        root = buckets.root(report.source_id, duplicates)
        found.append(-1 if root.is_cycle else places.get(root.source_id, -1))
    return found
