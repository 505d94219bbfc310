"""What one row of `qa_test_daily` holds, and how stored days and fresh hours become one set of cells.

A row is (source, test_name, day) with parallel arrays, one place per cell of that day after `compact`:

    hours Array(UInt8) of the day, branches, shas, checks, runners Array(LowCardinality(String) or String), prs Array(Int64),
    passes, fails, skips, others Array(UInt32), firsts, lasts Array(Int64) microseconds since the epoch,

and the sums `runs`, `failures` for lists. Its size is bounded by hours x checks x runners, trunk commits and failing
heads.

The worker rolls whole hours, rows of which are all in: `fresh_from` is the first hour not rolled. It makes the last
REDO_DAYS days anew at each pass and replaces their rows, so that late rows and re-runs on a later day are seen:
passes on a pull request's head are kept by head if that head failed on any of those days, else they are pooled. A
head whose runs are spread over more days than that loses the contradiction, nothing else; everything else gives the
verdict of the raw runs.

Beside it stands one row per (source, day) of what all tests did (`pack_weather`): storm hours, crowded jobs, levels.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

from services.tracker.signal.cells import Cells, Counts, Key, add, compact, merge
from services.tracker.signal.storms import Crowd, Levels, Storm, Weather

REDO_DAYS = 3
_EPOCH = date(1970, 1, 1)
_ARRAYS = (
    "hours",
    "branches",
    "prs",
    "shas",
    "checks",
    "runners",
    "passes",
    "fails",
    "skips",
    "others",
    "firsts",
    "lasts",
)


def cells_from_counts(rows: Iterable[Mapping[str, Any]]) -> Cells:
    """Cells from the rows of the `expressions.counts_statement`."""
    cells: Cells = {}
    for row in rows:
        key = Key(int(row["hour"]), row["branch"], int(row["pr"]), row["sha"], row["check"], row["machine"])
        counts = Counts(*(int(row[name]) for name in ("passes", "fails", "skips", "other", "first_us", "last_us")))
        cells[key] = add(cells[key], counts) if key in cells else counts
    return cells


def day_of(hour: int) -> date:
    return _EPOCH + timedelta(hours=hour)


def hour_of(at: datetime) -> int:
    """Hours since the epoch; a datetime without a zone is UTC."""
    return int((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()) // 3600


def days(cells: Cells) -> dict[date, Cells]:
    """Cells by day (UTC), compacted as they are stored. `cells` are all that the pass re-made, of one test."""
    keep = failing_heads(cells)
    found: dict[date, Cells] = defaultdict(dict)
    for key, counts in cells.items():
        found[day_of(key.hour)][key] = counts
    return {day: compact(found[day], keep) for day in sorted(found)}


def failing_heads(cells: Cells) -> frozenset[str]:
    return frozenset(key.sha for key, counts in cells.items() if counts.fails)


def pack(cells: Cells) -> dict[str, Any]:
    """One day's cells as the columns of a row; the same cells give the same row whatever their order."""
    ordered = sorted(cells.items())
    columns = list(zip(*((key.hour % 24, *key[1:], *counts) for key, counts in ordered), strict=True)) or [()] * len(
        _ARRAYS
    )
    row: dict[str, Any] = {name: list(column) for name, column in zip(_ARRAYS, columns, strict=True)}
    return row | {"runs": sum(c.runs for c in cells.values()), "failures": sum(c.fails for c in cells.values())}


def unpack(day: date, row: Mapping[str, Any]) -> Cells:
    """The inverse of `pack`."""
    first = (day - _EPOCH).days * 24
    return {
        Key(first + int(hour), str(branch), int(pr), str(sha), str(check), str(runner)): Counts(*map(int, counts))
        for hour, branch, pr, sha, check, runner, *counts in zip(*(row[name] for name in _ARRAYS), strict=True)
    }


def combine(stored: Iterable[Cells], fresh: Cells, fresh_from: int) -> Cells:
    """Stored days and fresh hours as one: an hour comes from one side only, stored before `fresh_from`, fresh from
    then on.
    """
    cells: Cells = {}
    for day in stored:
        cells = merge(cells, {key: counts for key, counts in day.items() if key.hour < fresh_from})
    return merge(cells, {key: counts for key, counts in fresh.items() if key.hour >= fresh_from})


def pack_weather(weather: Weather, levels: Levels) -> dict[str, Any]:
    """One day's (or any span's) weather and levels as columns of parallel arrays."""
    crowds = sorted(weather.crowds)
    return {
        "storm_hours": [storm.hour for storm in weather.storms],
        "storm_checks": [storm.check for storm in weather.storms],
        "storm_changes": [storm.changes for storm in weather.storms],
        "storm_tests": [storm.tests for storm in weather.storms],
        "crowd_hours": [crowd.hour for crowd in crowds],
        "crowd_shas": [crowd.sha for crowd in crowds],
        "crowd_checks": [crowd.check for crowd in crowds],
        "crowd_runners": [crowd.runner for crowd in crowds],
        "level_checks": [check for check, _ in sorted(levels)],
        "level_hours": [hour for _, hour in sorted(levels)],
        "level_values": [levels[place] for place in sorted(levels)],
    }


def unpack_weather(row: Mapping[str, Any]) -> tuple[Weather, Levels]:
    """The inverse of `pack_weather`."""
    storms = zip(*(row[f"storm_{name}"] for name in ("hours", "checks", "changes", "tests")), strict=True)
    crowds = zip(*(row[f"crowd_{name}"] for name in ("hours", "shas", "checks", "runners")), strict=True)
    known = zip(row["level_checks"], row["level_hours"], row["level_values"], strict=True)
    return (
        Weather(tuple(Storm(*storm) for storm in storms), frozenset(Crowd(*crowd) for crowd in crowds)),
        {(check, hour): value for check, hour, value in known},
    )
