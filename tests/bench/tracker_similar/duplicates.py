"""Duplicates: how well the right report is ranked, and how far probabilities can be trusted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from services.tracker.similar import fitting
from services.tracker.similar.features import NAMES, VECTOR_NAMES
from services.tracker.similar.fit import Fit, Quality
from services.tracker.similar.order import default_order
from services.tracker.similar.quality import average_precision
from services.tracker.similar.statistics import Statistics
from services.tracker.similar.walk import Asked, Record
from tests.bench.report import Table, verdict
from tests.bench.tracker_similar.baselines import Lexical, methods
from tests.bench.tracker_similar.data import Set
from tests.bench.tracker_similar.ranks import MISSED, line, rank_of

MOST_ORIGINALS = 3_000
_RESAMPLES = 400
LEGS = {
    "text leg alone": NAMES[:11],
    "vector leg alone": tuple(sorted(VECTOR_NAMES)),
    "frames leg alone": ("frames", "codes_same", "errors_other"),
    "numbers leg alone": ("mentioned",),
    "BM25F alone": ("bm25f",),
    "TF-IDF alone": ("tfidf",),
}


@dataclass(frozen=True, slots=True)
class Halves:
    """Asked drafts, cut where half of the duplicates are asked, and their weights."""

    old: Sequence[Asked]
    new: Sequence[Asked]
    weights: Mapping[int, float]

    @property
    def all(self) -> Sequence[Asked]:
        return [*self.old, *self.new]


def run(given: Set) -> list[Table]:
    halves = _asked(given)
    outcome = fitting.fit_asked(given.record, halves.old, halves.weights)
    old, middle, last = fitting.parts(halves.old)
    # What is reported is fitted on the older half alone: its last part chooses the threshold.
    fitted = fitting.made_of(given.record, old, [*middle, *last], halves.weights)
    return [_ranking(given, halves, fitted), _trust(given, halves, fitted, (old, [*middle, *last]), outcome.reason)]


def _asked(given: Set) -> Halves:
    originals = given.asked_originals
    places = np.unique(np.linspace(0, len(originals) - 1, min(MOST_ORIGINALS, len(originals))).astype(int))
    chosen = [originals[place] for place in places]
    weights = dict.fromkeys(chosen, len(originals) / len(chosen)) | dict.fromkeys(given.record.duplicates(), 1.0)
    asked = list(given.record.replay(weights))
    duplicates = [place for place, item in enumerate(asked) if item.root >= 0]
    middle = duplicates[len(duplicates) // 2]
    return Halves(asked[:middle], asked[middle:], weights)


def _ranking(given: Set, halves: Halves, fitted: Fit) -> Table:
    table = Table(
        given.name,
        f"{given.name}: the right report among all earlier ones ({len(given.record.reports):,} reports)",
        ("method", "newer half: recall@1", "@10", "MAP", "all: recall@1", "@10", "MAP"),
    )
    new = [item for item in halves.new if item.root >= 0]
    every = [item for item in halves.all if item.root >= 0]
    best = [0.0, 0.0]
    for name, ranks in _baselines(given.record, every).items():
        newer, whole = line([ranks[item.place] for item in new]), line(list(ranks.values()))
        best = [max(best[0], newer[1]), max(best[1], newer[2])]
        _add(table, name, newer, whole)
    for name, with_vectors in (("ours, default order, no vectors", False), ("ours, default order", True)):
        ranks = {item.place: _rank(item, None, with_vectors) for item in every}
        _add(table, name, line([ranks[item.place] for item in new]), line(list(ranks.values())))
    ours = line([_rank(item, fitted, True) for item in new])
    _add(table, "ours, fitted on the older half", ours, None)
    table.notes += [
        f"{len(new)} duplicates in the newer half, {len(every)} in all",
        verdict("recall@10 of the newer half, above every row", ours[1], best[0], at_least=True),
        verdict("MAP of the newer half, above every row", ours[2], best[1], at_least=True),
    ]
    table.numbers = {"ours": ours, "best baseline": best}
    return table


def _baselines(record: Record, every: Sequence[Asked]) -> dict[str, dict[int, int]]:
    statistics = Statistics()
    documents = [statistics.add(report.title, report.body) for report in record.reports]
    targets = {item.place: record.targets(item.place, np.arange(item.place)) for item in every}
    found: dict[str, dict[int, int]] = {}
    for name, method in methods(Lexical(record, documents)).items():
        found[name] = {}
        for item in every:
            scores = method(item.place)
            scores = np.where(scores > 0, scores, -np.inf)
            found[name][item.place] = rank_of(item.root, targets[item.place], scores)
    return found


def _rank(item: Asked, fitted: Fit | None, with_vectors: bool) -> int:
    rows = item.rows.astype(np.float64)
    scores = fitted.probabilities(rows, with_vectors=True) if fitted else default_order(rows, with_vectors=with_vectors)
    return rank_of(item.root, item.targets, scores) if len(item.pool) else MISSED


def _trust(
    given: Set, halves: Halves, fitted: Fit, parts: tuple[Sequence[Asked], Sequence[Asked]], reason: str
) -> Table:
    table = Table(
        f"{given.name}_trust",
        f"{given.name}: probabilities at the record's own share of duplicates, newer half",
        ("fit", "average precision", "ECE", "Brier", "threshold", "served", "precision", "recall"),
    )
    ours = fitting.measure(given.record, fitted, halves.new, halves.weights)
    _add_quality(table, "ours", fitted, ours)
    best, rival = 0.0, fitted
    for name, names in LEGS.items():
        single = fitting.made_of(given.record, *parts, halves.weights, names=names, with_prior=False)
        reached = fitting.measure(given.record, single, halves.new, halves.weights)
        if reached.average_precision > best:
            best, rival = reached.average_precision, single
        _add_quality(table, name, single, reached)
    shown = "none" if ours.precision is None else f"{ours.precision:.2f}"
    table.notes += [
        verdict("expected calibration error", ours.ece, 0.02, at_least=False),
        verdict(
            "100 x average precision, above every single leg", 100 * ours.average_precision, 100 * best, at_least=True
        ),
        _difference(given, halves, fitted, rival),
        f"The fit on the older half: {reason}. On the newer half {ours.served} drafts reach the threshold, precision "
        f"{shown}; below 0.7 a fit serves no duplicate verdict.",
    ]
    table.notes.append(
        f"Related from {fitted.related:.3f} on: the original of {ours.related_recall:.2f} of the duplicates; "
        f"of other drafts {ours.related_share:.2f} have anything related."
    )
    table.numbers = {"ece": ours.ece, "average precision": ours.average_precision, "best leg": best}
    return table


def _difference(given: Set, halves: Halves, fitted: Fit, rival: Fit) -> str:
    """How sure the difference to the best single leg is: 5th and 95th percentile over resampled drafts."""
    pair = [fitting.judge(given.record, one, halves.new, halves.weights) for one in (fitted, rival)]
    is_duplicate = np.array([item.root >= 0 for item in halves.new], dtype=np.float64)
    generator, found = np.random.default_rng(1), []
    for _ in range(_RESAMPLES):
        rows = generator.integers(0, len(is_duplicate), len(is_duplicate))
        ours, other = (
            average_precision(
                one.probabilities[rows], one.labels[rows], one.weights[rows], float(is_duplicate[rows].sum())
            )
            for one in pair
        )
        found.append(100 * (ours - other))
    low, high = np.percentile(found, [5, 95])
    return f"100 x the difference to the best single leg: {low:+.2f} to {high:+.2f} (90 % of {_RESAMPLES} resamples)"


def _add(table: Table, name: str, newer: tuple[float, float, float], whole: tuple[float, float, float] | None) -> None:
    cells = [f"{value:.3f}" for value in newer] + ([f"{value:.3f}" for value in whole] if whole else ["", "", ""])
    table.rows.append((name, *cells))


def _add_quality(table: Table, name: str, fitted: Fit, reached: Quality) -> None:
    precision = "" if reached.precision is None else f"{reached.precision:.2f}"
    numbers = (f"{reached.average_precision:.4f}", f"{reached.ece:.4f}", f"{reached.brier:.4f}")
    table.rows.append(
        (name, *numbers, f"{fitted.threshold:.2f}", str(reached.served), precision, f"{reached.recall:.3f}")
    )
