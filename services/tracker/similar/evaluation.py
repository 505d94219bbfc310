"""How good the duplicate check is on a labelled record: each report asked as it was filed, against what was there then.

The older half of the duplicates makes the fit, the newer half judges it. Nothing of the newer half was seen before.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from services.tracker.similar import fitting, quality
from services.tracker.similar.fit import Fit, Quality
from services.tracker.similar.order import default_order
from services.tracker.similar.walk import Asked, Record

Floats = NDArray[np.float64]
TOO_FEW, NOT_FITTABLE = "too_few_duplicates", "not_fittable"


@dataclass(frozen=True, slots=True)
class Bin:
    """Drafts whose best candidate had a probability in one tenth: their mean probability, the share that was right, and
    how many they stand for."""

    probability: float
    share: float
    weight: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """Of the duplicates asked: how many have the right report first, and among ten; MAP is the mean of 1 / rank."""

    duplicates: int
    recall_1: float
    recall_10: float
    mean_average_precision: float


@dataclass(frozen=True, slots=True)
class Evaluation:
    """`quality`, `threshold` and `bins` are None or empty where no fit could be made; `reason` says why, or why a fit
    serves no duplicate verdict."""

    reports: int
    duplicates: int
    asked: int
    has_vectors: bool
    ranking: Ranking
    reason: str = ""
    threshold: float | None = None
    quality: Quality | None = None
    bins: Sequence[Bin] = field(default_factory=tuple)


def evaluate(record: Record, told: Callable[[int, int], None] | None = None) -> Evaluation:
    """Replays the record and judges it; `told` hears how many of how many drafts were asked."""
    duplicates = record.duplicates()
    weights = fitting.wanted(record)
    asked = []
    for item in record.replay(weights):
        asked.append(item)
        if told is not None:
            told(len(asked), len(weights))
    old, new = _halves(asked)
    fitted, reason = _fitted(record, old, weights) if len(duplicates) >= fitting.LEAST_DUPLICATES else (None, TOO_FEW)
    has_vectors = record.vectors is not None
    judged = new if fitted else asked
    ranking = ranked(judged, fitted, with_vectors=has_vectors)
    if fitted is None:
        return Evaluation(len(record.reports), len(duplicates), len(asked), has_vectors, ranking, reason)
    measured = fitting.measure(record, fitted, new, weights)
    best = fitting.judge(record, fitted, new, weights)
    return Evaluation(
        reports=len(record.reports),
        duplicates=len(duplicates),
        asked=len(asked),
        has_vectors=has_vectors,
        ranking=ranking,
        reason=fitting.unserved(measured),
        threshold=fitted.threshold,
        quality=measured,
        bins=tuple(bins(best.probabilities, best.labels, best.weights)),
    )


def ranked(asked: Sequence[Asked], fitted: Fit | None, *, with_vectors: bool) -> Ranking:
    """With every bucket as one entry, and ties counted against us; a report that no leg found is ranked nowhere."""
    found = []
    for item in asked:
        if item.root >= 0:
            rows = item.rows.astype(np.float64)
            scores = (
                fitted.probabilities(rows, with_vectors=with_vectors)
                if fitted
                else default_order(rows, with_vectors=with_vectors)
            )
            mine = scores[item.targets == item.root]
            ahead = np.unique(item.targets[scores >= mine.max()]) if len(mine) else ()
            found.append(1 / max(1, len(ahead)) if len(mine) else 0.0)
    if not found:
        return Ranking(0, 0.0, 0.0, 0.0)
    shares = np.array(found)
    return Ranking(len(found), float((shares >= 1).mean()), float((shares >= 0.1).mean()), float(shares.mean()))


def bins(probabilities: Floats, labels: Floats, weights: Floats) -> list[Bin]:
    """Tenths that hold anything, lowest first."""
    place = np.minimum((probabilities * quality.BINS).astype(int), quality.BINS - 1)
    found = []
    for number in range(quality.BINS):
        own = place == number
        weight = float(weights[own].sum())
        if weight > 0:
            mean, share = ((values * weights)[own].sum() / weight for values in (probabilities, labels))
            found.append(Bin(float(mean), float(share), weight))
    return found


def _halves(asked: Sequence[Asked]) -> tuple[Sequence[Asked], Sequence[Asked]]:
    """Cut where half of the duplicates were asked."""
    places = [place for place, item in enumerate(asked) if item.root >= 0]
    middle = places[len(places) // 2] if places else len(asked)
    return asked[:middle], asked[middle:]


def _fitted(record: Record, old: Sequence[Asked], weights: Mapping[int, float]) -> tuple[Fit | None, str]:
    try:
        first, second, third = fitting.parts(old)
        return fitting.made_of(record, first, [*second, *third], weights), ""
    except (ValueError, IndexError):
        return None, NOT_FITTABLE
