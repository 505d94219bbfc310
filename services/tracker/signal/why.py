"""The reasons of a verdict in words: short sentences with counts, the strongest first."""

from collections.abc import Sequence

from services.tracker.signal.cells import instant
from services.tracker.signal.evidence import (
    BROKEN_PULL,
    INHERITED,
    ISOLATED,
    PULL,
    SAME_CHECK,
    SAME_COMMIT,
    STREAK,
    Event,
)
from services.tracker.signal.intervals import wilson
from services.tracker.signal.line import Commit, Streak
from services.tracker.signal.regression import Regression
from services.tracker.signal.ties import Tie
from services.tracker.signal.verdict import INFRA, SILENT, Findings

_EVENTS = {
    SAME_CHECK: "{fails} {failures} on {places} that passed in the same check on the same commit",
    SAME_COMMIT: "{fails} {failures} on {places} that passed in other checks or on other runners",
    ISOLATED: "failed on {places} of a branch alone, and passed on the commits before and after",
    STREAK: "failed on commits running and passed again, {times}: may be land and revert, weighs little",
    BROKEN_PULL: "{fails} {failures} on heads of {pulls} that never passed there: their own doing, no evidence",
    INHERITED: "{fails} {failures} on heads of {pulls} while the branch itself failed: inherited, no evidence",
    PULL: "{fails} {failures} on heads of {times} different pull requests, not run again: weighs little",
}
SHORT_SHA = 12


def reasons(found: Findings) -> list[str]:
    said: list[str] = []
    if found.regression is not None:
        said.append(_regression(found.regression))
    if found.tie is not None:
        said.append(_tie(found.tie))
    said += _events(found.events)
    if found.sums.storm_fails:
        said.append(
            f"{_many(found.sums.storm_fails, 'failure')} in {_many(len(found.storm_hours), 'hour')} in which many tests"
            " failed in unrelated changes (storms): they leave the statistics"
        )
    if found.regression is None:
        said += [_fixed(branch, commit, streak) for branch, commit, streak in found.fixed[-1:]]
    return said + _silence(found)


def _regression(found: Regression) -> str:
    checks = f" in {_many(len(found.checks), 'check')}" if found.checks != ("",) else ""
    but = f" ({', '.join(found.passing)} pass)" if found.passing else ""
    if found.last_good is None:
        return (
            f"every run on {found.branch or 'the branch'} in the window failed{checks}{but}: broken since before it;"
            " widen the window to find the first failing commit"
        )
    return (
        f"{found.branch or 'the branch'} fails since commit {found.first_bad[:SHORT_SHA]}: {_many(found.fails, 'run')} on"
        f" {_many(found.commits, 'commit')}{checks}, none passed{but}; last passed on {found.last_good[:SHORT_SHA]}"
    )


def _tie(found: Tie) -> str:
    return (
        f"failures are tied to {found.kind} {found.place}: {_many(found.changes, 'change')} failed there and"
        f" {found.other_changes} elsewhere, where {_many(found.passes_elsewhere, 'run')} passed"
    )


def _events(events: Sequence[Event]) -> list[str]:
    said = []
    for kind, text in _EVENTS.items():
        mine = [event for event in events if event.kind == kind]
        if mine:
            fails = sum(event.fails for event in mine)
            places = _many(len({event.sha for event in mine}), "commit")
            failures = "failure" if fails == 1 else "failures"
            times, pulls = _times(len(mine), kind), _many(len({event.pr for event in mine}), "pull request")
            said.append(text.format(fails=fails, failures=failures, places=places, times=times, pulls=pulls))
    return said


def _times(count: int, kind: str) -> str:
    return str(count) if kind == PULL else _many(count, "time")


def _fixed(branch: str, commit: Commit, streak: Streak) -> str:
    return (
        f"{branch or 'the branch'} failed from commit {commit.sha[:SHORT_SHA]} on for"
        f" {_many(streak.stop - streak.start, 'commit')} and passes on later commits: fixed or reverted"
    )


def _silence(found: Findings) -> list[str]:
    sums = found.sums
    low, high = wilson(sums.fails, sums.runs)
    counted = f"{sums.fails} of {_many(sums.runs, 'counted run')} failed, rate {low:.4f} to {high:.4f} (95 %)"
    if found.verdict not in (SILENT, INFRA):
        return [counted]
    if sums.runs + sums.storm_fails + sums.storm_passes < found.limits.min_runs:
        return [f"too few runs to say more: {counted}; {found.limits.min_runs} are needed"]
    return [counted] if found.verdict == INFRA else [f"{counted}; silence is not a clean bill"]


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def iso(at: int | None) -> str | None:
    """Microseconds as RFC 3339 in UTC."""
    return None if at is None else instant(at).isoformat().replace("+00:00", "Z")
