"""Runs of one test counted per hour, commit, pull request, check and runner.

Counts add up, so cells merge in any order and grouping (a commutative monoid). Attempts of one run are separate runs:
a commit that failed and then passed keeps both counts, and nothing is overwritten.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from services.tracker.signal.statuses import Outcome, outcome

MICROSECONDS_PER_HOUR = 3_600_000_000
TRUNK = 0  # the `pr` of runs on a branch itself
POOLED = -1  # the `pr` of a cell of passes on several pull requests


class Key(NamedTuple):
    hour: int  # hours since the epoch, UTC
    branch: str  # of a trunk run the branch it ran on, of a pull request's run the branch it wants to go to
    pr: int
    sha: str  # "" in a cell of POOLED
    check: str
    runner: str


class Counts(NamedTuple):
    """`first` and `last` are microseconds since the epoch of the earliest and latest start."""

    passes: int
    fails: int
    skips: int
    other: int
    first: int
    last: int

    @property
    def runs(self) -> int:
        """Runs with a result; skips are neither pass nor fail."""
        return self.passes + self.fails


Cells = dict[Key, Counts]
Row = Mapping[str, Any]

# What makes a row another row. `attempt` and `runner` are not of the contract; a source may offer them.
COLUMNS = (
    "check_start_time",
    "test_status",
    "pull_request_number",
    "commit_sha",
    "check_name",
    "base_ref",
    "head_ref",
    "runner",
    "attempt",
    "test_duration_ms",
    "report_url",
)
_PLACE = slice(COLUMNS.index("pull_request_number"), COLUMNS.index("runner") + 1)

_ONE = {
    Outcome.PASS: (1, 0, 0, 0),
    Outcome.FAIL: (0, 1, 0, 0),
    Outcome.SKIP: (0, 0, 1, 0),
    Outcome.BOTH: (1, 1, 0, 0),
    Outcome.OTHER: (0, 0, 0, 1),
}


def cells_of(rows: Iterable[Row]) -> Cells:
    """Rows of one test (columns of `checks`, and `attempt` and `runner` where offered) as cells.

    A row delivered twice, equal in every column, counts once. Rows without check_start_time are left out.
    """
    sums: dict[Key, list[int]] = {}
    places: dict[tuple[Any, ...], tuple[str, int, str, str, str]] = {}
    for values in dict.fromkeys(map(_values, rows)):
        if values[0] is None:
            continue
        at, named = microseconds(values[0]), values[_PLACE]
        place = places.get(named)
        if place is None:
            place = places[named] = _place(*named)
        key, one = Key(at // MICROSECONDS_PER_HOUR, *place), _ONE[outcome(values[1])]
        known = sums.get(key)
        if known is None:
            sums[key] = [*one, at, at]
        else:
            _add(known, (*one, at, at))
    return {key: Counts(*counts) for key, counts in sums.items()}


def merge(left: Cells, right: Cells) -> Cells:
    """Both together. The two must not hold the same rows: counts add up."""
    merged = dict(left)
    for key, counts in right.items():
        merged[key] = add(merged[key], counts) if key in merged else counts
    return merged


def add(left: Counts, right: Counts) -> Counts:
    sums = list(left)
    _add(sums, right)
    return Counts(*sums)


def _add(sums: list[int], more: tuple[int, ...]) -> None:
    sums[0] += more[0]
    sums[1] += more[1]
    sums[2] += more[2]
    sums[3] += more[3]
    sums[4] = min(sums[4], more[4])
    sums[5] = max(sums[5], more[5])


def compact(cells: Cells, keep: frozenset[str] = frozenset()) -> Cells:
    """The same cells with passes of pull requests pooled per hour, branch, check and runner, unless their head failed
    too.

    No verdict asks which pull request's head a lone pass was on; only how many passes there were. `keep` names heads
    that failed elsewhere (on another day). What is left is bounded by hours x checks x runners, trunk commits and
    failing heads, whatever the number of runs.
    """
    failing = keep | {key.sha for key, counts in cells.items() if counts.fails}
    pooled: Cells = {}
    for key, counts in cells.items():
        if key.pr != TRUNK and key.sha not in failing:
            place = Key(key.hour, key.branch, POOLED, "", key.check, key.runner)
            pooled[place] = add(pooled[place], counts) if place in pooled else counts
        else:
            pooled[key] = counts
    return pooled


def distinct(rows: Iterable[Row]) -> list[Row]:
    """Rows without those that repeat an earlier one in every column (at-least-once delivery, unmerged parts)."""
    return list({_values(row): row for row in rows}.values())


def microseconds(at: datetime) -> int:
    """Since the epoch. A datetime without a zone is UTC, as ClickHouse hands out columns without one."""
    return round((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * 1_000_000)


def instant(at: int) -> datetime:
    """The inverse of `microseconds`, in UTC."""
    return datetime.fromtimestamp(at / 1_000_000, UTC)


def short(ref: str) -> str:
    """A branch name without `refs/heads/` or `origin/` in front."""
    return ref.removeprefix("refs/heads/").removeprefix("refs/remotes/").removeprefix("origin/")


def _values(row: Row) -> tuple[Any, ...]:
    return tuple(map(row.get, COLUMNS))


def _place(number: Any, sha: Any, check: Any, base: Any, head: Any, runner: Any) -> tuple[str, int, str, str, str]:
    """branch, pr, sha, check and runner; what is absent is "" or 0."""
    pr = max(int(number or 0), TRUNK)
    first, second = (base, head) if pr else (head, base)
    return short(_text(first) or _text(second)), pr, _text(sha), _text(check), _text(runner)


def _text(value: Any) -> str:
    return "" if value is None else str(value)
