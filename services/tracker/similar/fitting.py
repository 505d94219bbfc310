"""Fits a record's own labelled duplicates (scikit-learn; everything that serves a fit needs numpy alone).

By time: parameters from the older 60 % of the duplicates, calibration and threshold from the next 20 %, quality from
the newest 20 %, which nothing else has seen. Reports that duplicate nothing are sampled and weighted to their number,
so that a probability is one at the record's own share of duplicates.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from services.tracker.similar import caps, quality
from services.tracker.similar.features import NAMES, VECTOR_NAMES
from services.tracker.similar.fit import RELATED, THRESHOLD_MAX, THRESHOLD_MIN, Fit, Logistic, Quality, clamp
from services.tracker.similar.information import said
from services.tracker.similar.order import default_order
from services.tracker.similar.prepared import Prepared
from services.tracker.similar.walk import Asked, Record

Floats = NDArray[np.float64]

LEAST_DUPLICATES = 30
MOST_DUPLICATES, MOST_ORIGINALS = 2_000, 4_000
# Precision that the threshold is chosen for, and the least that has to show on newer reports.
WANTED_PRECISION, LEAST_PRECISION, LEAST_SERVED = 0.8, 0.7, 5
# Of the originals that are found at all, so many are to be related, as long as not more than that share of other drafts
# has something related.
WANTED_RELATED, MOST_RELATED = 0.8, 0.5
_SHARES = (0.6, 0.8)
_HARDEST = 40
# Inverse of the penalty per labelled duplicate: few duplicates hardly move the default order.
_STRENGTH = 1.6e-5
_PRIOR_SCALE = 3.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """`fit` is what is to be stored: None where it could not be made, or where the stored one is better."""

    fit: Fit | None
    reason: str
    stored: Quality | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """Best candidates of asked drafts: probability, whether it is the root, weight, whether a cap keeps it related."""

    probabilities: Floats
    labels: Floats
    weights: Floats
    capped: NDArray[np.bool_]


def wanted(record: Record) -> dict[int, float]:
    """Places to be asked with their weights: the newest labelled duplicates, and originals at even distances."""
    duplicates, originals = record.duplicates()[-MOST_DUPLICATES:], record.originals()
    count = min(len(originals), MOST_ORIGINALS, max(1_500, 3 * len(duplicates)))
    chosen = [originals[place] for place in np.linspace(0, len(originals) - 1, count).astype(int)] if count else []
    weight = len(originals) / max(len(chosen), 1)
    return {**dict.fromkeys(chosen, weight), **dict.fromkeys(duplicates, 1.0)}


def fit(
    record: Record, *, stored: Fit | None = None, low: float = THRESHOLD_MIN, high: float = THRESHOLD_MAX
) -> Outcome:
    """Replays the record and fits it. `low` and `high` are the limits of the threshold."""
    if len(record.duplicates()) < LEAST_DUPLICATES:
        return Outcome(None, "too_few_duplicates")
    weights = wanted(record)
    return fit_asked(record, list(record.replay(weights)), weights, stored=stored, low=low, high=high)


def fit_asked(
    record: Record,
    asked: Sequence[Asked],
    weights: Mapping[int, float],
    *,
    stored: Fit | None = None,
    low: float = THRESHOLD_MIN,
    high: float = THRESHOLD_MAX,
) -> Outcome:
    """As `fit`, of what was replayed before; `asked` is oldest first."""
    old, middle, new = parts(asked)
    made = made_of(record, old, middle, weights, low=low, high=high)
    measured = measure(record, made, new, weights)
    if stored is not None:
        before = measure(record, stored, new, weights)
        if before.log_loss < measured.log_loss:
            return Outcome(None, "worse_than_stored", before)
    reason = unserved(measured)
    return Outcome(replace(made, quality=measured, serves_duplicates=not reason, reason=reason), reason or "served")


def made_of(
    record: Record,
    old: Sequence[Asked],
    middle: Sequence[Asked],
    weights: Mapping[int, float],
    *,
    names: Sequence[str] = NAMES,
    with_prior: bool = True,
    low: float = THRESHOLD_MIN,
    high: float = THRESHOLD_MAX,
) -> Fit:
    """A fit with parameters from `old`, and calibration and threshold from `middle`; nothing measured yet."""
    blind = [name for name in names if name not in VECTOR_NAMES]
    found = [
        _calibrated(_logistic(old, weights, chosen, with_vectors, with_prior), middle, weights, with_vectors)
        for chosen, with_vectors in ((names, True), (blind, False))
    ]
    unmeasured = Quality(0, 0, 0, None, 0.0, 0.0, 0.0, 0.0, 0.0)
    made = Fit(found[0], found[1], high, True, "", unmeasured, labelled=sum(item.root >= 0 for item in (*old, *middle)))
    best = judge(record, made, middle, weights)
    free = ~best.capped
    suggested = quality.threshold_for(best.probabilities[free], best.labels[free], best.weights[free], WANTED_PRECISION)
    made = replace(made, threshold=clamp(suggested, low, high))
    related = [min(made.threshold, _related(made, middle, weights, with_vectors=each)) for each in (True, False)]
    return replace(made, related=related[0], related_without=related[1])


def judge(record: Record, fitted: Fit, asked: Sequence[Asked], weights: Mapping[int, float]) -> Judged:
    """The best candidate of each draft."""
    rows = []
    for item in asked:
        chances = fitted.probabilities(item.rows.astype(np.float64), with_vectors=True)
        best = int(np.argmax(chances))
        is_root = item.root >= 0 and item.targets[best] == item.root
        capped = chances[best] >= THRESHOLD_MIN / 2 and _is_capped(record, item, best)
        rows.append((chances[best], is_root, weights.get(item.place, 1.0), capped))
    table = np.array(rows, dtype=np.float64).reshape(-1, 4)
    return Judged(table[:, 0], table[:, 1], table[:, 2], table[:, 3] > 0)


def measure(record: Record, fitted: Fit, asked: Sequence[Asked], weights: Mapping[int, float]) -> Quality:
    """What a fit reaches on drafts that it has not seen."""
    best = judge(record, fitted, asked, weights)
    duplicates = float(sum(weights.get(item.place, 1.0) for item in asked if item.root >= 0))
    looks = looked(fitted, asked, weights, with_vectors=True)
    served = (best.probabilities >= fitted.threshold) & ~best.capped
    hits, weight = float((best.labels * best.weights)[served].sum()), float(best.weights[served].sum())
    triple = (best.probabilities, best.labels, best.weights)
    return Quality(
        drafts=len(asked),
        duplicates=sum(item.root >= 0 for item in asked),
        served=int(served.sum()),
        precision=hits / weight if weight else None,
        recall=hits / duplicates if duplicates else 0.0,
        brier=quality.brier(*triple),
        ece=quality.expected_calibration_error(*triple),
        average_precision=quality.average_precision(*triple, duplicates),
        log_loss=quality.log_loss(*triple),
        related_recall=_share(looks.originals >= fitted.related),
        related_share=_share(looks.others >= fitted.related, looks.weights),
    )


@dataclass(frozen=True, slots=True)
class Looks:
    """Probabilities of the originals of duplicates (0 where none was found), and of other drafts' best candidates."""

    originals: Floats
    others: Floats
    weights: Floats


def looked(fitted: Fit, asked: Sequence[Asked], weights: Mapping[int, float], *, with_vectors: bool) -> Looks:
    """What a reader would be shown of drafts that the fit has not seen."""
    originals, others, heavy = [], [], []
    for item in asked:
        chances = fitted.probabilities(item.rows.astype(np.float64), with_vectors=with_vectors)
        if item.root >= 0:
            originals.append(chances[item.targets == item.root].max(initial=0.0))
        else:
            others.append(chances.max(initial=0.0))
            heavy.append(weights.get(item.place, 1.0))
    return Looks(np.array(originals), np.array(others), np.array(heavy))


def _related(fitted: Fit, asked: Sequence[Asked], weights: Mapping[int, float], *, with_vectors: bool) -> float:
    looks = looked(fitted, asked, weights, with_vectors=with_vectors)
    found = looks.originals[looks.originals > 0]
    chosen = quality.look_threshold(found, looks.others, looks.weights, recall=WANTED_RELATED, most=MOST_RELATED)
    return min(RELATED, chosen)


def _share(chosen: NDArray[np.bool_], weights: Floats | None = None) -> float:
    return float(np.average(chosen, weights=weights)) if len(chosen) else 0.0


def parts(asked: Sequence[Asked]) -> tuple[Sequence[Asked], Sequence[Asked], Sequence[Asked]]:
    """Cut where the shares of the duplicates are reached."""
    at = [place for place, item in enumerate(asked) if item.root >= 0]
    first, second = (at[min(int(share * len(at)), len(at) - 1)] for share in _SHARES)
    return asked[:first], asked[first:second], asked[second:]


def unserved(measured: Quality) -> str:
    """Why a fit of this quality serves no duplicate verdict; empty text where it serves one."""
    if measured.served < LEAST_SERVED or measured.precision is None:
        return "too_few_sure_duplicates"
    return "" if measured.precision >= LEAST_PRECISION else "precision_too_low"


def _is_capped(record: Record, item: Asked, best: int) -> bool:
    draft = Prepared.of(record.draft(item.place), record.statistics)
    other = int(item.pool[best])
    says = said(draft.document, record.statistics, has_evidence=bool(draft.own_frames or draft.errors.codes))
    context = caps.Context.of(draft, says, record.statistics)
    return bool(caps.pair_caps(context, Prepared(record.reports[other], record.corpus.document(other))))


def _logistic(
    asked: Sequence[Asked], weights: Mapping[int, float], names: Sequence[str], with_vectors: bool, with_prior: bool
) -> Logistic:
    """Over the hardest candidates of each draft, and all that are right."""
    columns = [NAMES.index(name) for name in names]
    rows, labels, heavy = [], [], []
    for item in asked:
        order = default_order(item.rows.astype(np.float64), with_vectors=with_vectors)
        right = (item.targets == item.root) | (item.pool == item.root)
        chosen = right | (np.argsort(np.argsort(-order)) < _HARDEST)
        rows.append(np.column_stack([item.rows[chosen][:, columns], order[chosen]]))
        labels.append(right[chosen])
        heavy.append(np.full(int(chosen.sum()), weights.get(item.place, 1.0)))
    table = np.concatenate(rows).astype(np.float64)
    means, scales = table.mean(axis=0), table.std(axis=0)
    scales[scales < 1e-6] = 1.0
    standard = (table - means) / scales
    standard[:, -1] = _PRIOR_SCALE * table[:, -1] * with_prior
    strength = _STRENGTH * max(1, sum(item.root >= 0 for item in asked))
    model = LogisticRegression(C=strength, max_iter=500)
    model.fit(standard, np.concatenate(labels), sample_weight=np.concatenate(heavy))
    found = model.coef_[0]
    return Logistic(
        dict(zip(names, means[:-1].tolist(), strict=True)),
        dict(zip(names, scales[:-1].tolist(), strict=True)),
        dict(zip(names, found[:-1].tolist(), strict=True)),
        float(model.intercept_[0]),
        float(found[-1]) * _PRIOR_SCALE * with_prior,
    )


def _calibrated(
    logistic: Logistic, asked: Sequence[Asked], weights: Mapping[int, float], with_vectors: bool
) -> Logistic:
    """Stretches and shifts the logits so that the best candidates' probabilities hold (Platt 1999)."""
    logits, labels, heavy = [], [], []
    for item in asked:
        chances = logistic.probabilities(item.rows.astype(np.float64), with_vectors=with_vectors)
        best = int(np.argmax(chances))
        logits.append(float(np.log(chances[best] / (1 - chances[best] + 1e-12))))
        labels.append(item.root >= 0 and int(item.targets[best]) == item.root)
        heavy.append(weights.get(item.place, 1.0))
    if min(sum(labels), len(labels) - sum(labels)) < 5:
        return logistic
    model = LogisticRegression(C=1.0, max_iter=500).fit(np.array(logits)[:, None], labels, sample_weight=heavy)
    slope, shift = max(float(model.coef_[0][0]), 0.05), float(model.intercept_[0])
    return Logistic(
        logistic.means,
        logistic.scales,
        {name: slope * weight for name, weight in logistic.weights.items()},
        slope * logistic.intercept + shift,
        slope * logistic.prior,
    )
