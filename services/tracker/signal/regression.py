"""The first failing commit of a branch, and whether failures are solid after it."""

from collections.abc import Sequence
from typing import NamedTuple

from services.tracker.signal.intervals import expected_rate
from services.tracker.signal.line import Commit, narrowed, streaks
from services.tracker.signal.thresholds import Thresholds

RECENT_COMMITS = 20  # a failure rate that rose lately is the one to explain the streak with


class Regression(NamedTuple):
    """`last_good` and `since` are None when the test failed from the window's first commit on."""

    branch: str
    first_bad: str
    last_good: str | None
    since: int | None  # microseconds, first run of the first failing commit
    commits: int
    fails: int  # runs since then, all of them failures
    checks: tuple[str, ...]  # that fail
    passing: tuple[str, ...]  # that ran since then and pass
    chance: float  # of such a streak at the earlier failure rate


def regression(branch: str, commits: Sequence[Commit], limits: Thresholds, flaky: bool) -> Regression | None:
    """The current streak of failures at the branch's end, if chance does not explain it."""
    red, green = _newest(commits)
    if not red or len(red) < len(green):
        return None  # in most checks the newest commit passes: what fails elsewhere is the place's own
    seen = narrowed(commits, red)
    tail = streaks(seen)[-1:]
    if not tail or tail[0].stop != len(seen):
        return None
    start, fails = tail[0].start, tail[0].fails
    chance = _rate_before(seen[:start]) ** fails
    allowed = limits.regression_chance_flaky if flaky else limits.regression_chance
    if fails < limits.regression_runs or chance > allowed:
        return None
    good = seen[start - 1] if start else None
    since = seen[start].first if start else None
    return Regression(
        branch,
        seen[start].sha,
        good.sha if good else None,
        since,
        len(seen) - start,
        fails,
        tuple(sorted(red)),
        tuple(sorted(green)),
        chance,
    )


def _newest(commits: Sequence[Commit]) -> tuple[frozenset[str], frozenset[str]]:
    """Checks by what they said of the newest commit that they saw: solid failure, or not."""
    last = {check: tally for commit in commits for check, tally in commit.checks.items()}
    red = frozenset(check for check, tally in last.items() if tally.solid)
    return red, frozenset(last) - red


def _rate_before(commits: Sequence[Commit]) -> float:
    """The failure rate that has to explain the streak: the higher of all earlier runs' and the recent ones'."""
    if not commits:
        return 0.5  # nothing known: the streak has to be long to speak for itself
    return max(_rate(commits), _rate(commits[-RECENT_COMMITS:]))


def _rate(commits: Sequence[Commit]) -> float:
    fails = sum(commit.fails for commit in commits)
    return expected_rate(fails, fails + sum(commit.passes for commit in commits))
