"""The outcome streak at a pull request's head. What failed on an earlier head says nothing about the head."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from services.tracker.signal.cells import MICROSECONDS_PER_HOUR, Row, distinct, microseconds
from services.tracker.signal.statuses import Outcome, outcome


@dataclass(frozen=True, slots=True)
class PullStreak:
    """`length`: runs at the head with the newest outcome, counted back from the newest run. `outcome` is "none" when
    the head has no run with a result. `sha` is None when the pull request has no run at all. `since` is microseconds,
    of the oldest run of `length`.
    """

    pr: int
    sha: str | None
    outcome: str
    length: int
    passes: int
    fails: int
    since: int | None
    failing_checks: tuple[str, ...]
    failing_hours: tuple[int, ...]  # since the epoch
    contradicted: bool  # one check both failed and passed at the head
    stale_heads: int
    stale_fails: int

    @property
    def solid(self) -> bool:
        return self.fails > 0 and self.passes == 0


def pull_streak(rows: Iterable[Row], pr: int, head: str | None = None) -> PullStreak:
    """From the runs of one test on one pull request. `head`: its head commit by the record; without it, the head is
    the commit that was first seen last, as a re-run of an older head starts later without being newer."""
    runs = sorted(
        (
            microseconds(row["check_start_time"]),
            int(row.get("attempt") or 0),
            str(row.get("commit_sha") or ""),
            index,
            row,
        )
        for index, row in enumerate(distinct(rows))
        if row.get("check_start_time") is not None
    )
    first: dict[str, int] = {}
    for at, _, sha, _, _ in runs:
        first.setdefault(sha, at)
    sha = head or max(first, key=lambda one: (first[one], one), default=None)
    results = [
        (at, passed, str(row.get("check_name") or ""))
        for at, _, one, _, row in runs
        if one == sha
        for passed in _passed(outcome(row.get("test_status")))
    ]
    failing = {check for _, passed, check in results if not passed}
    stale = [(one, outcome(row.get("test_status"))) for _, _, one, _, row in runs if one != sha]
    return PullStreak(
        pr,
        sha,
        *_length(results),
        tuple(sorted(failing)),
        tuple(sorted({at // MICROSECONDS_PER_HOUR for at, passed, _ in results if not passed})),
        bool(failing & {check for _, passed, check in results if passed}),
        len({one for one, _ in stale}),
        sum(what in (Outcome.FAIL, Outcome.BOTH) for _, what in stale),
    )


def _passed(result: Outcome) -> tuple[bool, ...]:
    """The results that a status stands for, in order."""
    return {Outcome.PASS: (True,), Outcome.FAIL: (False,), Outcome.BOTH: (False, True)}.get(result, ())


def _length(results: Sequence[tuple[int, bool, str]]) -> tuple[str, int, int, int, int | None]:
    """outcome, length, passes, fails, since."""
    if not results:
        return "none", 0, 0, 0, None
    newest, length = results[-1][1], 0
    for _, passed, _ in reversed(results):
        if passed != newest:
            break
        length += 1
    passes = sum(passed for _, passed, _ in results)
    since = results[len(results) - length][0]
    return ("passing" if newest else "failing"), length, passes, len(results) - passes, since
