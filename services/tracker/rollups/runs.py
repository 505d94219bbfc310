"""A test's runs of a window: days that are rolled, and the hours since from the source."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from services.tracker.reads import OK, Reading
from services.tracker.rollups import statements as ask
from services.tracker.rollups.store import Rolled, RollupStore, Stored
from services.tracker.signal.cells import Cells
from services.tracker.signal.rollup import cells_from_counts, combine, hour_of
from services.tracker.signal.storms import Weather, jobs_of, join, weather

HOUR_US = 3_600_000_000
RUNS, STORMS = "runs", "storms"
# What says which tests fail often needs days, however few hours are looked at.
OFTEN_HOURS = 72
ROLLED, LIVE, NOWHERE = "rolled", "live", "none"


@dataclass(frozen=True, slots=True)
class Runs:
    """`weather` is None where nobody could look. `fresh_from` is the hour from which on runs were read live, or None.

    `clipped`: the source had more than one answer holds, and some runs are missing.
    """

    cells: Cells
    weather: Weather | None
    source: str
    fresh_from: int | None
    clipped: bool = False


class RunsOfTests:
    def __init__(self, store: RollupStore) -> None:
        self._store = store

    async def of(self, reading: Reading, rolled: Rolled, name: str, since: datetime, now: datetime) -> Runs:
        """Runs of the test from `since` on. What the source does not answer is left out; `reading` says which."""
        first = hour_of(since)
        stored = await self._store.read(rolled, name, _day(first), now.date()) if rolled.checks_key else None
        fresh_from = max(first, stored.mark.fresh_from) if stored else first
        until = hour_of(now) + 1
        counts, jobs = await asyncio.gather(
            reading.rows(RUNS, ask.ONE_TEST, {"name": name, **_span(fresh_from, until)}),
            reading.rows(STORMS, ask.JOBS, _jobs_span(fresh_from, first if stored is None else None, until)),
        )
        heard = reading.leg_status.get(RUNS) == OK
        cells = combine([stored.cells] if stored else [], cells_from_counts(counts), fresh_from)
        return Runs(
            {key: counts for key, counts in cells.items() if key.hour >= first},
            _weather(reading, stored, jobs, fresh_from),
            ROLLED if stored else LIVE if heard else NOWHERE,
            fresh_from if heard else None,
            RUNS in reading.clipped,
        )


def _weather(reading: Reading, stored: Stored | None, jobs: list[dict[str, Any]], fresh_from: int) -> Weather | None:
    heard = reading.leg_status.get(STORMS) == OK and STORMS not in reading.clipped
    if not heard:
        return stored.weather if stored else None
    fresh = weather(jobs_of(jobs), stored.levels if stored else None)
    if stored is None:
        return fresh
    before = Weather(
        tuple(storm for storm in stored.weather.storms if storm.hour < fresh_from),
        frozenset(crowd for crowd in stored.weather.crowds if crowd.hour < fresh_from),
    )
    return join(before, fresh)


def _span(first: int, until: int) -> Mapping[str, int]:
    return {"since": first * HOUR_US, "until": until * HOUR_US}


def _jobs_span(fresh_from: int, live_from: int | None, until: int) -> Mapping[str, int]:
    """Jobs of the hours that are not rolled; of a window that is not rolled at all, all its jobs."""
    since = min(fresh_from, until - OFTEN_HOURS) if live_from is None else live_from
    return {**_span(since, until), "from_hour": fresh_from, "until_hour": until}


def _day(hour: int) -> date:
    return date(1970, 1, 1) + timedelta(hours=hour)
