"""What is wrong with a mapping: a place, a reason, a fix. No text of them contains a value of the mapping."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches


@dataclass(frozen=True, slots=True)
class Problem:
    """`place` is a JSON path whose keys the contract knows; an unknown key stands as its position: `$.tables[2]`."""

    place: str
    reason: str
    fix: str

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}; {self.fix}"


class MappingError(ValueError):
    """The mapping is not good; `problems` has all that is wrong with it."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


class ExpressionError(ValueError):
    """The text is not an expression that a mapping may hold."""

    def __init__(self, reason: str, fix: str) -> None:
        super().__init__(f"{reason}; {fix}")
        self.reason, self.fix = reason, fix


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """Up to three of the known names that look like the name, ignoring case; the best first."""
    lowered = {other.lower(): other for other in known}
    return [lowered[found] for found in get_close_matches(name.lower()[:128], lowered, n=3, cutoff=0.6)]


def suggestion(name: str, known: Iterable[str], otherwise: str) -> str:
    """ "did you mean …?" with the nearest known names, else the other advice."""
    names = nearest(name, known)
    return f"did you mean {' or '.join(names)}?" if names else otherwise
