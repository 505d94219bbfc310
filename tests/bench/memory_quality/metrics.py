"""any@5, any@10, all@10 and MRR over rankings."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Metrics:
    """Shares in percent."""

    any5: float
    any10: float
    all10: float
    mrr: float


def metrics(rankings: Sequence[tuple[Sequence[str], frozenset[str]]]) -> Metrics:
    """Each ranking: labels, best first, and the gold labels (at least one)."""
    found = [[label in gold for label in labels] for labels, gold in rankings]
    golds = [len(gold) for _, gold in rankings]
    firsts = [1 / (hits.index(True) + 1) if any(hits) else 0.0 for hits in found]
    return Metrics(
        _percent([any(hits[:5]) for hits in found]),
        _percent([any(hits[:10]) for hits in found]),
        _percent([sum(hits[:10]) == min(gold, 10) for hits, gold in zip(found, golds, strict=True)]),
        _percent(firsts),
    )


def _percent(values: Sequence[float]) -> float:
    return round(100 * sum(values) / max(len(values), 1), 1)
