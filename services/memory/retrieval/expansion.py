"""What stands for a question's word that no stored text has: stored words that share most of its pieces."""

from collections.abc import Iterable

from services.memory.retrieval.tokens import GRAM, grams

MOST_EXPANSIONS = 8
# A stored word must have this share of the pieces of the word that was asked for.
LEAST_COVERAGE = 0.6
# Part of a word is weaker evidence than the word.
EXPANSION_WEIGHT = 0.5


def expandable(term: str) -> bool:
    """Whether a term has pieces at all."""
    return len(term) >= GRAM


def expansions(term: str, stored: Iterable[str]) -> dict[str, float]:
    """The best of the `stored` words for `term`, each with its weight in (0, EXPANSION_WEIGHT]."""
    wanted = set(grams(term))
    if not wanted:
        return {}
    found = {word: _coverage(term, wanted, word) for word in stored if word != term}
    best = sorted(((share, word) for word, share in found.items() if share >= LEAST_COVERAGE), key=_order)
    return {word: EXPANSION_WEIGHT * share for share, word in best[:MOST_EXPANSIONS]}


def _coverage(term: str, wanted: set[str], word: str) -> float:
    if term in word:
        return 1.0
    return len(wanted.intersection(grams(word))) / len(wanted)


def _order(pair: tuple[float, str]) -> tuple[float, int, str]:
    share, word = pair
    return (-share, len(word), word)
