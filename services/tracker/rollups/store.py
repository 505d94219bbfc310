"""Roll-ups in the plane's own tables. Rows are replaced by a greater version, so a pass that runs again changes nothing."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from runtime.store import Store
from services.tracker.signal.cells import Cells
from services.tracker.signal.rollup import combine, day_of, pack, pack_weather, unpack, unpack_weather
from services.tracker.signal.storms import Levels, Weather, join

TESTS, DAYS, MARKS = "qa_test_daily", "qa_test_days", "qa_test_marks"
TABLES = (TESTS, DAYS, MARKS)
_KEY = ["org", "source_id", "checks_key"]
_CELLS = "hours branches prs shas checks runners passes fails skips others firsts lasts".split()  # noqa: SIM905
_TEST = [*_KEY, "test_name", "day", *_CELLS, "runs", "failures", "version"]
_WEATHER = (  # noqa: SIM905
    "storm_hours storm_checks storm_changes storm_tests crowd_hours crowd_shas crowd_checks crowd_runners "
    "level_checks level_hours level_values"
).split()
_DAY = [*_KEY, "day", *_WEATHER, "version"]
_MARK = [*_KEY, "covers_from", "fresh_from", "version"]
_SAME = "org = {org:String} AND checks_key = {key:String}"
_OF_SOURCE = "org = {org:String} AND source_id = {source:String}"
_SPAN = "day >= {first:Date} AND day <= {last:Date}"
BATCH = 1_000
NEAREST = 200


@dataclass(frozen=True, slots=True)
class Rolled:
    """What roll-ups are of."""

    org: str
    source_id: str
    checks_key: str


@dataclass(frozen=True, slots=True)
class Mark:
    """Runs are rolled from `covers_from` on, up to the hour `fresh_from` since the epoch (exclusive)."""

    covers_from: date
    fresh_from: int


@dataclass(frozen=True, slots=True)
class Stored:
    """Of one test: its cells of the span, before `mark.fresh_from`, and what the others did."""

    mark: Mark
    cells: Cells
    weather: Weather
    levels: Levels


class RollupStore:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def put_tests(self, of: Rolled, days: Mapping[str, Mapping[date, Cells]], version: int) -> int:
        """Rows of tests by name and day. Returns how many there were."""
        rows = [
            [*_own(of), name, day, *_columns(pack(cells), _CELLS, ("runs", "failures")), version]
            for name, by_day in sorted(days.items())
            for day, cells in sorted(by_day.items())
        ]
        for start in range(0, len(rows), BATCH):
            await self._store.insert(TESTS, _TEST, rows[start : start + BATCH])
        return len(rows)

    async def put_days(self, of: Rolled, days: Mapping[date, tuple[Weather, Levels]], version: int) -> None:
        """What all tests did, of each day of the span; rows of tests that are older than it end to count."""
        rows = [[*_own(of), day, *_columns(pack_weather(*each), _WEATHER), version] for day, each in days.items()]
        await self._store.insert(DAYS, _DAY, rows)

    async def put_mark(self, of: Rolled, mark: Mark, version: int) -> None:
        await self._store.insert(MARKS, _MARK, [[*_own(of), mark.covers_from, mark.fresh_from, version]])

    async def mark(self, of: Rolled) -> Mark | None:
        """None where nothing is rolled."""
        rows = await self._store.query(
            f"SELECT covers_from, fresh_from FROM {MARKS} FINAL WHERE {_SAME}", _params(of), name="tracker.rollup_mark"
        )
        return Mark(rows[0]["covers_from"], int(rows[0]["fresh_from"])) if rows else None

    async def read(self, of: Rolled, name: str, first: date, last: date) -> Stored | None:
        """None where the span's beginning is not rolled."""
        params = {**_params(of), "name": name, "first": first, "last": last}
        mark, tests, days = await asyncio.gather(
            self.mark(of),
            self._store.query(
                f"SELECT * FROM {TESTS} FINAL WHERE {_SAME} AND test_name = {{name:String}} AND {_SPAN}",
                params,
                name="tracker.rollup_test",
            ),
            self._store.query(
                f"SELECT * FROM {DAYS} FINAL WHERE {_SAME} AND {_SPAN}", params, name="tracker.rollup_days"
            ),
        )
        if mark is None or mark.covers_from > first:
            return None
        versions = {row["day"]: row["version"] for row in days}
        cells = [unpack(row["day"], row) for row in tests if row["version"] >= versions.get(row["day"], 0)]
        found = [unpack_weather(row) for row in days]
        levels = {place: level for _, each in found for place, level in each.items()}
        return Stored(mark, combine(cells, {}, mark.fresh_from), join(*(each for each, _ in found)), levels)

    async def names(self, of: Rolled, like: str) -> list[str]:
        """Names of tests that were rolled lately, those nearest to `like` by their letters."""
        rows = await self._store.query(
            f"SELECT test_name FROM (SELECT DISTINCT test_name FROM {TESTS} WHERE {_SAME}) "
            f"ORDER BY ngramDistanceCaseInsensitive(test_name, {{like:String}}), test_name LIMIT {NEAREST}",
            {**_params(of), "like": like},
            name="tracker.rollup_names",
        )
        return [row["test_name"] for row in rows]

    async def knows(self, of: Rolled, name: str) -> bool:
        """Whether the test was ever rolled."""
        rows = await self._store.query(
            f"SELECT 1 FROM {TESTS} WHERE {_SAME} AND test_name = {{name:String}} LIMIT 1",
            {**_params(of), "name": name},
            name="tracker.rollup_knows",
        )
        return bool(rows)

    async def prune(self, org: str, source_id: str, keys: Iterable[str], before: date) -> None:
        """Erases days before `before`, and what was rolled of the source's runs as they were read earlier."""
        params = {"org": org, "source": source_id, "keys": sorted(keys), "before": before}
        gone = f"{_OF_SOURCE} AND checks_key NOT IN {{keys:Array(String)}}"
        old = f"{_OF_SOURCE} AND day < {{before:Date}}"
        for table, condition in ((TESTS, f"({gone}) OR ({old})"), (DAYS, f"({gone}) OR ({old})"), (MARKS, gone)):
            # Deleting is dear, also of nothing.
            sql = f"SELECT 1 FROM {table} WHERE {condition} LIMIT 1"
            if await self._store.query(sql, params, name="tracker.rollup_old"):
                await self._store.command(f"DELETE FROM {table} WHERE {condition}", params, name="tracker.rollup_prune")

    async def forget(self, org: str, source_id: str) -> None:
        """Erases what was rolled of a source."""
        for table in TABLES:
            await self._store.command(
                f"DELETE FROM {table} WHERE {_OF_SOURCE}",
                {"org": org, "source": source_id},
                name="tracker.rollup_forget",
            )


def split_days(weather: Weather, levels: Levels, days: Iterable[date]) -> dict[date, tuple[Weather, Levels]]:
    """What happened on each of the days, also where nothing did."""
    wanted = list(days)
    return {
        day: (
            Weather(
                tuple(storm for storm in weather.storms if day_of(storm.hour) == day),
                frozenset(crowd for crowd in weather.crowds if day_of(crowd.hour) == day),
            ),
            {place: level for place, level in levels.items() if day_of(place[1]) == day},
        )
        for day in wanted
    }


def _own(of: Rolled) -> tuple[str, str, str]:
    return of.org, of.source_id, of.checks_key


def _params(of: Rolled) -> dict[str, Any]:
    return {"org": of.org, "key": of.checks_key}


def _columns(row: Mapping[str, Any], *names: Sequence[str]) -> list[Any]:
    return [row[name] for group in names for name in group]
