"""The verdict on one test from its cells.

Order of the question: is it broken now (regression), is it one place's fault, is it flaky by evidence that excludes
the code, did storms do it,
or do we not know. Silence is `no_signal`, never a clean bill.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from services.tracker.signal.cells import TRUNK, Cells, Counts, Key, compact
from services.tracker.signal.evidence import Event, branch_events, heads, pull_events
from services.tracker.signal.line import Commit, Streak, branches, line, streaks
from services.tracker.signal.regression import Regression, regression
from services.tracker.signal.storms import ANY, Weather
from services.tracker.signal.thresholds import DEFAULT, Thresholds
from services.tracker.signal.ties import Tie, change, environment_works, tie

FLAKY, REGRESSION, INFRA, SILENT, UNKNOWN = (
    "flaky",
    "regression_candidate",
    "infra_candidate",
    "no_signal",
    "unknown_test",
)
PASSES_OF_OTHERS = 5  # in storms, at least, to put a change's failures there down to the change
VERDICTS = (FLAKY, REGRESSION, INFRA, SILENT, UNKNOWN)


class Sums(NamedTuple):
    """Runs of the window: those that count, and those that left the statistics."""

    passes: int = 0
    fails: int = 0
    skips: int = 0
    other: int = 0
    storm_passes: int = 0
    storm_fails: int = 0

    @property
    def runs(self) -> int:
        return self.passes + self.fails


class Findings(NamedTuple):
    """Everything that the rules found; `report` words it."""

    verdict: str
    sums: Sums
    events: tuple[Event, ...]
    regression: Regression | None
    tie: Tie | None
    fixed: tuple[
        tuple[str, Commit, Streak], ...
    ]  # (branch, first failing commit, streak): failed solidly and passes again
    storm_hours: tuple[int, ...]
    limits: Thresholds

    @property
    def evidence(self) -> float:
        return sum(event.weight for event in self.events)


def judge(
    cells: Cells,
    weather: Weather | None = None,
    order: Mapping[str, int] | None = None,
    branch: str | None = None,
    limits: Thresholds = DEFAULT,
) -> Findings:
    """`order`: sha -> position along the branch, where the record knows (version_history). `branch` narrows to runs
    on it and of pull requests to it; without it every branch with runs of its own is looked at, the busiest first."""
    weather = weather or Weather()
    seen = compact({key: counts for key, counts in cells.items() if branch is None or key.branch == branch})
    counted, sums, hours = _split(seen, weather)
    if not sums.fails:  # nothing to explain, or storms explain it
        return _found(Findings(SILENT, sums, (), None, None, (), hours, limits))
    lines = {name: line(seen, counted, name, order) for name in branches(seen)}
    tied = tie(counted, limits)
    events = _untied_events(seen, counted, weather, lines, order, tied, limits)
    flaky = sum(event.weight for event in events) >= limits.flaky_evidence
    broken = _regression(seen, counted, lines, order, tied, flaky, limits)
    fixed = tuple(
        (name, commits[s.start], s) for name, commits in lines.items() for s in streaks(commits) if _mended(s)
    )
    return _found(Findings(SILENT, sums, tuple(events), broken, tied, fixed, hours, limits))


def _found(found: Findings) -> Findings:
    return found._replace(verdict=_decide(found))


def _decide(found: Findings) -> str:
    if found.sums.runs + found.sums.storm_fails + found.sums.storm_passes < found.limits.min_runs:
        return SILENT
    if found.regression is not None:
        return REGRESSION
    if found.evidence >= found.limits.flaky_evidence:
        return FLAKY
    if found.tie is not None or found.sums.storm_fails:
        return INFRA
    return SILENT


def _split(cells: Cells, weather: Weather) -> tuple[Cells, Sums, tuple[int, ...]]:
    """Runs outside of storms, all sums, and the storms' hours in which the test failed."""
    scopes = weather.scopes()
    counted: Cells = {}
    stormy: Cells = {}
    for key, counts in cells.items():
        storm = scopes.get(key.hour)
        (stormy if storm is not None and (ANY in storm or key.check in storm) else counted)[key] = counts
    own = _broken_anyway(stormy, counted)
    hours = {key.hour for key, counts in stormy.items() if counts.fails and key not in own}
    totals = [sum(counts[place] for counts in counted.values()) for place in range(4)]
    passes = sum(counts.passes for counts in stormy.values())
    fails = sum(counts.fails for key, counts in stormy.items() if key not in own)
    return counted, Sums(*totals, passes, fails), tuple(sorted(hours))


def _broken_anyway(stormy: Cells, counted: Cells) -> set[Key]:
    """Failures in a storm on heads that fail outside of it too and never pass: the storm is not what broke them."""
    calm: dict[tuple[str, int, str], list[int]] = {}
    for key, counts in counted.items() if stormy else ():
        sums = calm.setdefault((key.branch, key.pr, key.sha), [0, 0])
        sums[0] += counts.passes
        sums[1] += counts.fails
    heads = {head for head, (passes, fails) in calm.items() if fails and not passes}
    pulls = {head[1] for head in heads if head[1] > TRUNK}
    own = {key for key, counts in stormy.items() if _broken(key, counts, heads, pulls)}
    return own | _of_one_change({key: counts for key, counts in stormy.items() if key not in own})


def _broken(key: Key, counts: Counts, heads: set[tuple[str, int, str]], pulls: set[int]) -> bool:
    """On a head that is broken outside of the storm, or on another head of its pull request that does not pass here."""
    return (key.branch, key.pr, key.sha) in heads or (key.pr in pulls and not counts.passes)


def _of_one_change(stormy: Cells) -> set[Key]:
    """Failures in storms that one change alone made, in all of its runs, while the test passed for the others."""
    failing = {change(key) for key, counts in stormy.items() if counts.fails}
    if len(failing) != 1:
        return set()
    mine = {key: counts for key, counts in stormy.items() if change(key) in failing}
    passes = sum(counts.passes for key, counts in stormy.items() if key not in mine)
    alone = sum(counts.fails for counts in mine.values()) > 1 and not any(counts.passes for counts in mine.values())
    return set(mine) if alone and passes >= PASSES_OF_OTHERS else set()


def _untied_events(
    seen: Cells,
    counted: Cells,
    weather: Weather,
    lines: Mapping[str, Sequence[Commit]],
    order: Mapping[str, int] | None,
    tied: Tie | None,
    limits: Thresholds,
) -> list[Event]:
    """Events outside of the place that failures are tied to: its failures are its own fault."""
    if tied is None:
        return _events(counted, weather, lines, limits)
    rest = {key: counts for key, counts in counted.items() if not tied.holds(key)}
    return _events(rest, weather, {name: line(seen, rest, name, order) for name in lines}, limits)


def _events(counted: Cells, weather: Weather, lines: Mapping[str, Sequence[Commit]], limits: Thresholds) -> list[Event]:
    failing = heads(counted, weather)
    if not failing:
        return []
    events = [event for name, commits in lines.items() for event in branch_events(name, commits, failing, limits)]
    events += pull_events(failing, _broken_spans(lines), limits)
    return sorted(events, key=lambda event: (event.at, event.sha, event.pr, event.kind))


def _broken_spans(lines: Mapping[str, Sequence[Commit]]) -> list[tuple[int, int]]:
    """Times in which a branch failed on more than one run in a row: pull requests inherit it."""
    found = [streak for commits in lines.values() for streak in streaks(list(commits)) if streak.fails > 1]
    return [(streak.since, streak.fixed or 1 << 62) for streak in found]


def _mended(streak: Streak) -> bool:
    return streak.fixed is not None and streak.start > 0 and streak.fails > 1


def _regression(
    seen: Cells,
    counted: Cells,
    lines: Mapping[str, Sequence[Commit]],
    order: Mapping[str, int] | None,
    tied: Tie | None,
    flaky: bool,
    limits: Thresholds,
) -> Regression | None:
    for name, commits in lines.items():
        found = regression(name, list(commits), limits, flaky)
        if found is not None and tied is None:
            return found
        if tied is None:
            continue
        # One place alone fails: its platform, or its environment. Only the first is the commit's fault.
        there = {key: counts for key, counts in counted.items() if tied.holds(key)}
        found = regression(name, line(seen, there, name, order), limits, flaky)
        if found and found.since is not None and environment_works(there, name, found.since):
            return found
    return None
