"""Whether two texts say nearly the same: by their words, and by their vectors where both have one."""

from collections.abc import Iterable, Mapping

MOST_SIMILAR = 3
# Two wordings of one fact share half of what their words weigh, or stand at least this close.
LEAST_DICE, LEAST_COSINE = 0.5, 0.65


class Weights(dict[str, float]):
    """Weight by term; a term that is not stored has the mean of those that are."""

    def __init__(self, known: Mapping[str, float]) -> None:
        super().__init__(known)
        self._mean = sum(known.values()) / len(known) if known else 1.0

    def __missing__(self, term: str) -> float:
        return self._mean

    def of(self, terms: Iterable[str]) -> float:
        """Sum over the terms."""
        return sum(self[term] for term in terms)


def dice(one: frozenset[str], other: frozenset[str], weights: Weights) -> float:
    """Sørensen–Dice over weighted terms, in [0, 1]."""
    total = weights.of(one) + weights.of(other)
    return 2 * weights.of(one & other) / total if total else 0.0


def at_most(shared: float, whole: float) -> float:
    """The most that `dice` can be of a text that weighs `whole`, with one of which only `shared` is known to be common."""
    return 2 * shared / (whole + shared) if whole + shared else 0.0


def similarity(by_words: float, cosine: float | None) -> float | None:
    """How alike two texts are, in [0, 1]; None where they are not nearly the same."""
    near = cosine if cosine is not None and cosine >= LEAST_COSINE else 0.0
    best = max(by_words if by_words >= LEAST_DICE else 0.0, near)
    return min(best, 1.0) if best else None
