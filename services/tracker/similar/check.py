"""The duplicate check as a pure function, and what to ask a source for before it.

needles.needles(title, body, statistics)            what the candidate statement searches for
buckets.missing(candidates)                         roots that are still to be read
check(draft, candidates, statistics, fit, legs)     the verdict
"""

from collections.abc import Iterable, Mapping

from services.tracker.similar import information, ranking, verdict
from services.tracker.similar.caps import Context
from services.tracker.similar.fit import Fit
from services.tracker.similar.information import Said
from services.tracker.similar.model import Candidate, Draft, Scored, Verdict
from services.tracker.similar.prepared import Prepared
from services.tracker.similar.statistics import Statistics

TOP = 10


def check(
    draft: Draft,
    candidates: Iterable[Candidate],
    statistics: Statistics,
    fit: Fit | None,
    legs: Mapping[str, str],
    *,
    top_k: int = TOP,
) -> Verdict:
    """Whether the draft exists already.

    `candidates` are rows that any leg found, and roots of buckets; their order does not matter, and those that are not
    older than the draft are left out. `legs` gives the state of every leg and tracker: `ok`, `off`, `not_provided`,
    `not_asked`, or why it was silent.
    """
    said, scored = _scored(draft, candidates, statistics, fit)
    return verdict.decide(scored, said, fit, legs, top_k=top_k)


def nearest(
    draft: Draft, candidates: Iterable[Candidate], statistics: Statistics, fit: Fit | None, *, top_k: int = TOP
) -> list[Scored]:
    """The best ranked candidates that share more with the draft than words of every report."""
    said, scored = _scored(draft, candidates, statistics, fit)
    if said.level == information.NOTHING:
        return []
    return [item for item in scored if item.says_the_same][:top_k]


def _scored(
    draft: Draft, candidates: Iterable[Candidate], statistics: Statistics, fit: Fit | None
) -> tuple[Said, list[Scored]]:
    prepared = Prepared.of(draft, statistics)
    has_evidence = bool(prepared.own_frames or prepared.errors.codes or prepared.named)
    said = information.said(prepared.document, statistics, has_evidence=has_evidence)
    rows = ranking.eligible(draft, candidates)
    context = Context.of(prepared, said, statistics)
    return said, ranking.rank(context, rows, fit) if rows else []
