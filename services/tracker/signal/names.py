"""Names of tests that are like one that nobody knows."""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

MOST_NAMES = 5
LEAST_LIKE = 0.5
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def similar_names(name: str, known: Iterable[str], most: int = MOST_NAMES) -> list[str]:
    """The known names most like it: by shared words first, then by letters; equal but for case comes first."""
    words = _words(name)
    close: list[tuple[float, str]] = []
    for other in set(known):
        theirs = _words(other)
        shared = 2 * len(words & theirs) / (len(words) + len(theirs)) if words and theirs else 0.0
        if shared > 0 or len(words) < 2:
            close.append((shared, other))
    close.sort(key=lambda one: (-one[0], one[1]))
    scored = [(shared + _letters(name, other), other) for shared, other in close[: 20 * most]]
    scored.sort(key=lambda one: (-one[0], one[1]))
    return [other for score, other in scored if score >= 2 * LEAST_LIKE][:most]


def _words(name: str) -> set[str]:
    return {part.casefold() for part in _PARTS.findall(name)}


def _letters(name: str, other: str) -> float:
    return SequenceMatcher(None, name.casefold(), other.casefold(), autojunk=False).ratio()
