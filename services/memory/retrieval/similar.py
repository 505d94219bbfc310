"""Whether two texts say nearly the same: by their words, and by their vectors where both have one."""

from collections.abc import Mapping

MOST_SIMILAR = 3
# Two wordings of one fact share half of what their words weigh, or stand at least this close.
LEAST_DICE, LEAST_COSINE = 0.5, 0.65


def dice(one: frozenset[str], other: frozenset[str], weights: Mapping[str, float]) -> float:
    """Sørensen–Dice over weighted terms, in [0, 1]; a term without a weight has the mean weight."""
    mean = sum(weights.values()) / len(weights) if weights else 1.0

    def weigh(terms: frozenset[str]) -> float:
        return sum(weights.get(term, mean) for term in terms)

    total = weigh(one) + weigh(other)
    return 2 * weigh(one & other) / total if total else 0.0


def similarity(by_words: float, cosine: float | None) -> float | None:
    """How alike two texts are, in [0, 1]; None where they are not nearly the same."""
    near = cosine if cosine is not None and cosine >= LEAST_COSINE else 0.0
    best = max(by_words if by_words >= LEAST_DICE else 0.0, near)
    return min(best, 1.0) if best else None
