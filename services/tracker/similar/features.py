"""What speaks for and against each candidate, as numbers: one row per candidate, one column per feature."""

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from services.tracker.similar import frame_match, text, twins
from services.tracker.similar.errors import contradict
from services.tracker.similar.mentions import names
from services.tracker.similar.model import Candidate
from services.tracker.similar.prepared import Prepared
from services.tracker.similar.statistics import Statistics

Floats = NDArray[np.float64]

NAMES = (
    "bm25f",  # text.TextScores has the meaning of these eight
    "amount",
    "tfidf",
    "title",
    "covered",
    "covers",
    "rarest",
    "named",
    "bm25f_lead",  # share of the best candidate's bm25f
    "bm25f_rank",  # 1 / rank
    "tfidf_rank",
    "cosine",  # of the vectors
    "cosine_lead",  # over the best other candidate, negative for all but one
    "cosine_rank",
    "component_same",
    "component_other",
    "version_same",
    "codes_same",
    "errors_other",  # both name errors, and none in common
    "frames",  # frame_match.similarity
    "mentioned",  # the draft names the candidate
    "touched",  # a PR that touches the draft's paths fixes it
    "conflict",  # titles of other platforms, or twins
    "open",  # when the draft was filed
    "age",  # ln(1 + days)
    "length",  # ln(1 + terms of the candidate)
)
VECTOR_NAMES = frozenset({"cosine", "cosine_lead", "cosine_rank"})
COLUMN = {name: column for column, name in enumerate(NAMES)}
_UNKNOWN_AGE = float(np.log1p(180.0))


def compare(draft: Prepared, candidates: Sequence[Prepared], statistics: Statistics) -> Floats:
    """Features of shape (candidates, NAMES), the same for a candidate whatever the order of the others."""
    found = np.zeros((len(candidates), len(NAMES)))
    if not candidates:
        return found
    scores = text.score(draft.document, [candidate.document for candidate in candidates], statistics)
    columns = {name: getattr(scores, name) for name in NAMES[:8]}
    columns["bm25f_lead"] = scores.bm25f / max(float(scores.bm25f.max()), 1e-9)
    columns["bm25f_rank"], columns["tfidf_rank"] = _ranks(scores.bm25f), _ranks(scores.tfidf)
    columns |= _vectors(candidates) | _facts(draft, candidates, statistics)
    columns["length"] = np.log1p(
        [candidate.document.title.total() + candidate.document.body.total() for candidate in candidates]
    )
    for name, values in columns.items():
        found[:, COLUMN[name]] = values
    return found


def has_vectors(candidates: Sequence[Prepared]) -> bool:
    """Whether any candidate could be compared by vectors."""
    return any(_cosine(candidate) is not None for candidate in candidates)


def _cosine(candidate: Prepared) -> float | None:
    return candidate.report.cosine if isinstance(candidate.report, Candidate) else None


def _vectors(candidates: Sequence[Prepared]) -> dict[str, Floats]:
    """A candidate without a vector stands in the middle of those that have one."""
    given = np.array([np.nan if (value := _cosine(item)) is None else value for item in candidates], dtype=np.float64)
    if np.isnan(given).all():
        return {}
    cosines = np.where(np.isnan(given), np.nanmean(given), given)
    best = np.sort(cosines)[::-1]
    others = np.where(cosines >= best[0], best[min(1, len(best) - 1)], best[0])
    return {"cosine": cosines, "cosine_lead": cosines - others, "cosine_rank": _ranks(cosines)}


def _ranks(scores: Floats) -> Floats:
    """1 / rank; equal scores have the rank of the first of them."""
    order = np.sort(-scores)
    ranks: Floats = 1.0 / (1 + np.searchsorted(order, -scores, side="left"))
    return ranks


def _facts(draft: Prepared, candidates: Sequence[Prepared], statistics: Statistics) -> dict[str, list[float]]:
    rows = [_pair(draft, candidate, statistics) for candidate in candidates]
    return {name: [float(row[name]) for row in rows] for name in rows[0]}


def _pair(draft: Prepared, candidate: Prepared, statistics: Statistics) -> dict[str, float]:
    other = candidate.report
    filed = draft.report.created_at
    both = bool(draft.components and candidate.components)
    title = draft.report.title
    return {
        "component_same": bool(draft.components & candidate.components),
        "component_other": both and not draft.components & candidate.components,
        "version_same": bool(draft.versions & candidate.versions),
        # The candidate's text is searched only where the draft gives cause to.
        "codes_same": bool(draft.errors.codes) and bool(draft.errors.codes & candidate.errors.codes),
        "errors_other": bool(draft.errors.codes or draft.errors.messages)
        and contradict(draft.errors, candidate.errors),
        "frames": frame_match.similarity(draft.frames, candidate.frames, statistics.frame_idf)
        if draft.own_frames
        else 0,
        "mentioned": isinstance(other, Candidate) and is_named(draft, other),
        "touched": isinstance(other, Candidate) and other.touched,
        "conflict": twins.conflicts(title, other.title) or bool(twins.difference(title, other.title)),
        "open": isinstance(other, Candidate) and other.was_open(filed),
        "age": _age(other.created_at, filed),
    }


def is_named(draft: Prepared, candidate: Candidate) -> bool:
    """Whether the draft's text names the candidate."""
    return any(names(mention, candidate.source_id, candidate.url) for mention in draft.named)


def _age(created: datetime | None, filed: datetime | None) -> float:
    if created is None or filed is None:
        return _UNKNOWN_AGE
    seconds = (filed.astimezone(UTC) - created.astimezone(UTC)).total_seconds()
    return float(np.log1p(max(0.0, seconds / 86_400)))
