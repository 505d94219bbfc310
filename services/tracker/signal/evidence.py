"""Events that speak for a flaky test, each with the weight of how well the code under test is excluded as its cause.

Only the contradicted failure is evidence, never the passes beside it, and counts are of failing runs.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from services.tracker.signal.cells import TRUNK, Cells
from services.tracker.signal.line import Commit, streaks
from services.tracker.signal.storms import Weather
from services.tracker.signal.thresholds import Thresholds

SAME_CHECK, SAME_COMMIT, ISOLATED, STREAK, PULL = "same_check", "same_commit", "isolated", "streak", "pull"
BROKEN_PULL, INHERITED = "broken_pull", "inherited"  # no evidence: they explain failures


class Event(NamedTuple):
    kind: str
    weight: float
    fails: int
    sha: str
    pr: int
    at: int  # microseconds, first run of the failing cells


class _Group(NamedTuple):
    """Counted runs of one commit in one check on one runner."""

    check: str
    runner: str
    passes: int
    fails: int
    crowded: bool  # every failure was in a crowded job
    first: int  # of the failing cells; NEVER without a failure


NEVER = 1 << 62
Heads = dict[tuple[str, int, str], list[_Group]]  # (branch, pr, sha) -> its groups


def heads(counted: Cells, weather: Weather) -> Heads:
    """The commits on which the test failed, with all that it did on them."""
    failing = {(key.branch, key.pr, key.sha) for key, counts in counted.items() if counts.fails and key.pr >= TRUNK}
    sums: dict[tuple[str, int, str], dict[tuple[str, str], list[int]]] = defaultdict(dict)
    crowds = bool(weather.crowds)
    for key, counts in counted.items():
        if (key.branch, key.pr, key.sha) not in failing:
            continue
        group = sums[key.branch, key.pr, key.sha].setdefault((key.check, key.runner), [0, 0, 0, NEVER])
        group[0] += counts.passes
        group[1] += counts.fails
        group[2] += counts.fails if crowds and weather.crowded(key) else 0
        if counts.fails:
            group[3] = min(group[3], counts.first)
    return {
        head: [
            _Group(*place, passes, fails, 0 < fails == crowd, at)
            for place, (passes, fails, crowd, at) in groups.items()
        ]
        for head, groups in sums.items()
    }


def branch_events(branch: str, commits: Sequence[Commit], failing: Heads, limits: Thresholds) -> list[Event]:
    """Events on the branch's own commits. Failures since the current streak began are the regression's, not ours."""
    events: list[Event] = []
    for streak in streaks(commits):
        if streak.fixed is None or not streak.start:
            continue  # it lasts, or its beginning is not seen
        members = [failing[branch, TRUNK, commit.sha] for commit in commits[streak.start : streak.stop]]
        alone = len(members) == 1 and len(members[0]) == 1
        kind, weight = (ISOLATED, limits.weight_isolated) if alone else (STREAK, limits.weight_streak)
        commit = commits[streak.start]
        crowd = all(group.crowded for groups in members for group in groups)
        events.append(Event(kind, weight * _crowd(crowd, limits), streak.fails, commit.sha, TRUNK, streak.since))
    for index, commit in enumerate(commits):
        if commit.fails and not commit.solid:
            events += _mixed(failing[branch, TRUNK, commit.sha], commit.sha, TRUNK, limits.weight_same_commit, limits)
            events += _stands_alone(branch, commits, index, failing, limits)
    return events


def _mixed(groups: Iterable[_Group], sha: str, pr: int, beside: float, limits: Thresholds) -> list[Event]:
    """Events of a commit that both failed and passed: in one check on one runner, or in different ones."""
    events: list[Event] = []
    for group in groups:
        if group.fails and group.passes:
            weight = limits.weight_same_check * group.fails * _crowd(group.crowded, limits)
            events.append(Event(SAME_CHECK, weight, group.fails, sha, pr, group.first))
    lone = [group for group in groups if group.fails and not group.passes]
    if lone:
        weight = beside * _crowd(all(group.crowded for group in lone), limits)
        events.append(Event(SAME_COMMIT, weight, sum(g.fails for g in lone), sha, pr, min(g.first for g in lone)))
    return events


def _stands_alone(
    branch: str, commits: Sequence[Commit], index: int, failing: Heads, limits: Thresholds
) -> list[Event]:
    """A check that failed on this commit alone and passed on the commits around it, beside checks that passed here."""
    commit = commits[index]
    red = [check for check, tally in commit.checks.items() if tally.solid]
    around = [_neighbour(commits, index, check, step) for check in red for step in (-1, 1)]
    if not red or not all(around):
        return []
    groups = [group for group in failing[branch, TRUNK, commit.sha] if group.check in red]
    weight = limits.weight_isolated * _crowd(all(group.crowded for group in groups if group.fails), limits)
    return [Event(ISOLATED, weight, 0, commit.sha, TRUNK, min(group.first for group in groups))]


def _neighbour(commits: Sequence[Commit], index: int, check: str, step: int) -> bool:
    """Whether the check passed on the nearest commit in that direction that it saw."""
    index += step
    while 0 <= index < len(commits):
        tally = commits[index].checks.get(check)
        if tally is not None:
            return tally.passes > 0
        index += step
    return False


def pull_events(failing: Heads, broken: Sequence[tuple[int, int]], limits: Thresholds) -> list[Event]:
    """Events on heads of pull requests. `broken`: times (microseconds) in which a branch failed solidly; what failed
    then on a pull request was inherited. Contradictions count each; failures that the pull request may have caused
    count once for it, and all of those together no more than `pull_evidence`."""
    events: list[Event] = []
    once: dict[int, Event] = {}
    for (_, pr, sha), groups in failing.items():
        if pr == TRUNK:
            continue
        inherited = [group for group in groups if group.fails and _within(group.first, broken)]
        events += [Event(INHERITED, 0.0, group.fails, sha, pr, group.first) for group in inherited]
        for event in _on_head([group for group in groups if group not in inherited], sha, pr, limits):
            if event.kind in (SAME_CHECK, BROKEN_PULL):
                events.append(event)
            elif pr not in once or (event.weight, -event.at) > (once[pr].weight, -once[pr].at):
                once[pr] = event
    return events + _bounded(list(once.values()), limits.pull_evidence)


def _bounded(events: Sequence[Event], most: float) -> list[Event]:
    """The same events with their weights scaled down so that together they weigh at most that."""
    total = sum(event.weight for event in events)
    return [event._replace(weight=event.weight * min(1.0, most / total)) for event in events] if total else list(events)


def _on_head(groups: Sequence[_Group], sha: str, pr: int, limits: Thresholds) -> list[Event]:
    failing = [group for group in groups if group.fails]
    if not failing:
        return []
    if any(group.passes for group in groups):
        return _mixed(groups, sha, pr, limits.weight_pull_same_commit, limits)
    fails, first = sum(group.fails for group in failing), min(group.first for group in failing)
    if fails > 1:  # run more than once and never passed: broken by what is on the head
        return [Event(BROKEN_PULL, 0.0, fails, sha, pr, first)]
    return [Event(PULL, limits.weight_pull * _crowd(failing[0].crowded, limits), fails, sha, pr, first)]


def _within(at: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= at <= stop for start, stop in spans)


def _crowd(crowded: bool, limits: Thresholds) -> float:
    return limits.weight_crowded if crowded else 1.0
