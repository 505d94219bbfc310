"""The commits of one branch in order of ancestry, and what the test did on each.

Order is the commits' own: positions that the record gives (version_history), else the order in which commits were
first seen on the branch. A re-run of an old commit stays at its old place, so a late pass of an old commit fixes
nothing.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from services.tracker.signal.cells import TRUNK, Cells

USUAL_BRANCHES = ("main", "master", "trunk", "develop")


class Tally(NamedTuple):
    """Runs of one commit in one check, storms left out."""

    passes: int
    fails: int

    @property
    def solid(self) -> bool:
        return self.fails > 0 and self.passes == 0


class Commit(NamedTuple):
    sha: str
    first: int  # microseconds, earliest run
    checks: Mapping[str, Tally]

    @property
    def fails(self) -> int:
        return sum(tally.fails for tally in self.checks.values())

    @property
    def passes(self) -> int:
        return sum(tally.passes for tally in self.checks.values())

    @property
    def solid(self) -> bool:
        """Failed in every check that ran, in every run."""
        return self.fails > 0 and self.passes == 0


class Streak(NamedTuple):
    """Commits running on which every run failed. Indexes into the line; `fixed` is None while it lasts."""

    start: int
    stop: int  # exclusive
    fails: int
    since: int  # microseconds
    fixed: int | None


def branches(cells: Cells) -> list[str]:
    """Branches with runs of their own, the busiest first; on a tie a usual name of the trunk comes first."""
    runs: Counter[str] = Counter()
    for key, counts in cells.items():
        if key.pr == TRUNK:
            runs[key.branch] += counts.runs
    return sorted(runs, key=lambda name: (-runs[name], name not in USUAL_BRANCHES, name))


def line(cells: Cells, counted: Cells, branch: str, order: Mapping[str, int] | None = None) -> list[Commit]:
    """Commits of the branch, oldest first, with the counted runs of each; commits without any are left out.

    `cells` are all runs: a commit keeps the place where it was first seen even if that run was in a storm or skipped.
    """
    first = first_seen(cells, branch)
    sums: dict[str, dict[str, list[int]]] = defaultdict(dict)
    for key, counts in counted.items():
        if key.pr == TRUNK and key.branch == branch and counts.runs:
            both = sums[key.sha].setdefault(key.check, [0, 0])
            both[0] += counts.passes
            both[1] += counts.fails
    return [
        Commit(sha, first[sha], {check: Tally(*both) for check, both in sorted(sums[sha].items())})
        for sha in ancestry(first, order or {})
        if sha in sums
    ]


def first_seen(cells: Cells, branch: str) -> dict[str, int]:
    """sha -> microseconds of its first run on the branch itself, whatever came of it."""
    first: dict[str, int] = {}
    for key, counts in cells.items():
        if key.pr == TRUNK and key.branch == branch:
            first[key.sha] = min(first.get(key.sha, counts.first), counts.first)
    return first


def ancestry(first: Mapping[str, int], order: Mapping[str, int]) -> list[str]:
    """Shas in order. One that `order` does not know stands behind the latest known one that was first seen before
    it.
    """
    places: dict[str, tuple[float, int, int, str]] = {}
    latest = float("-inf")
    for sha in sorted(first, key=lambda sha: (first[sha], sha)):
        known = order.get(sha)
        if known is not None:
            latest = max(latest, known)
        places[sha] = (latest, 1, first[sha], sha) if known is None else (known, 0, 0, sha)
    return sorted(places, key=places.__getitem__)


def streaks(commits: list[Commit]) -> list[Streak]:
    """All unbroken sequences of solidly failing commits, oldest first."""
    found: list[Streak] = []
    start: int | None = None
    for index, commit in enumerate(commits):
        if commit.solid:
            start = index if start is None else start
        elif start is not None:
            found.append(_streak(commits, start, index, commit.first))
            start = None
    if start is not None:
        found.append(_streak(commits, start, len(commits), None))
    return found


def _streak(commits: list[Commit], start: int, stop: int, fixed: int | None) -> Streak:
    fails = sum(commit.fails for commit in commits[start:stop])
    return Streak(start, stop, fails, commits[start].first, fixed)


def narrowed(commits: Iterable[Commit], checks: frozenset[str]) -> list[Commit]:
    """The line as only these checks saw it."""
    seen = [commit._replace(checks={c: t for c, t in commit.checks.items() if c in checks}) for commit in commits]
    return [commit for commit in seen if commit.checks]


def between(cells: Cells, branch: str, order: Mapping[str, int] | None, good: str, bad: str) -> list[str]:
    """Commits after `good` and before `bad`, newest first, on which this test may never have run."""
    known = order or {}
    if good in known and bad in known:
        inside = {known[sha]: sha for sha in known if known[good] < known[sha] < known[bad]}
        return [inside[place] for place in sorted(inside, reverse=True)]
    shas = ancestry(first_seen(cells, branch), known)
    return shas[shas.index(good) + 1 : shas.index(bad)][::-1]
