"""Failures tied to one place: one runner, or one check (where a source names its runner classes in the check's name).

What fails in one place alone while the same test passes in others is that place's fault, unless its environment is
shown to work: then a commit broke the test for that platform.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import NamedTuple

from services.tracker.signal.cells import TRUNK, Cells, Counts, Key
from services.tracker.signal.intervals import at_least
from services.tracker.signal.thresholds import Thresholds


class Tie(NamedTuple):
    kind: str  # "runner" or "check"
    place: str
    changes: int  # that failed there
    other_changes: int  # that failed elsewhere
    runs: int  # there
    fails: int  # there
    passes_elsewhere: int
    chance: float  # of such a concentration if all places were alike
    since: int  # microseconds, first failure there

    def holds(self, key: Key) -> bool:
        return (key.runner if self.kind == "runner" else key.check) == self.place


_KINDS: Mapping[str, Callable[[Key], str]] = {"runner": lambda key: key.runner, "check": lambda key: key.check}


class _Place(NamedTuple):
    changes: set[object]
    counts: list[Counts]

    @property
    def fails(self) -> int:
        return sum(counts.fails for counts in self.counts)

    @property
    def runs(self) -> int:
        return sum(counts.runs for counts in self.counts)


def tie(counted: Cells, limits: Thresholds) -> Tie | None:
    """The place that failures are tied to, if any; a runner before a check, the clearer before the less clear."""
    found = [_tie(kind, counted, limits) for kind in _KINDS]
    return min((one for one in found if one is not None), key=lambda one: one.chance, default=None)


def _tie(kind: str, counted: Cells, limits: Thresholds) -> Tie | None:
    places: dict[str, _Place] = defaultdict(lambda: _Place(set(), []))
    for key, counts in counted.items():
        place = places[_KINDS[kind](key)]
        place.counts.append(counts)
        if counts.fails:
            place.changes.add(change(key))
    if len(places) < 2:
        return None
    name = max(places, key=lambda name: (len(places[name].changes), places[name].fails, name))
    worst, others = places[name], [place for other, place in places.items() if other != name]
    elsewhere = set[object]().union(*(place.changes for place in others))
    passes = sum(place.runs - place.fails for place in others)
    failing = len(worst.changes) + len(elsewhere)
    if not name or len(worst.changes) < limits.tied_changes or passes < limits.tied_elsewhere:
        return None
    share = worst.runs / (worst.runs + sum(place.runs for place in others))
    chance = min(1.0, len(places) * at_least(len(worst.changes), failing, share))
    if len(worst.changes) < limits.tied_share * failing or chance > limits.tied_chance:
        return None
    since = min(counts.first for counts in worst.counts if counts.fails)
    return Tie(kind, name, len(worst.changes), len(elsewhere), worst.runs, worst.fails, passes, chance, since)


def change(key: Key) -> object:
    """What was under test: a pull request however often it was pushed, or a commit of a branch."""
    return ("pr", key.pr) if key.pr > TRUNK else (key.branch, key.sha)


def environment_works(there: Cells, branch: str, since: int) -> bool:
    """Whether other work passes in that place since then, and none fails: pull requests or other branches that lack the
    failing commit. Where other work fails there as well, it may be the place or inherited, and nothing is shown."""
    others = [
        counts
        for key, counts in there.items()
        if counts.last >= since and (key.pr != TRUNK or key.branch != branch) and counts.runs
    ]
    return any(counts.passes for counts in others) and not any(counts.fails for counts in others)
