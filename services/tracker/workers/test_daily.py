"""tracker_test_daily: rolls the CI runs of a source up, a few days and some of the tests at a time.

A first run goes from the oldest day that is kept to now; later ones make the last days anew, so that runs which came
late and re-runs of a later day are seen. Tests are split into as many parts as it takes for each to fit into one
answer of the source, so memory does not grow with the record.
"""

from collections import defaultdict
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from runtime.clock import Clock
from services.tracker.reads import Reading
from services.tracker.rollups import statements as ask
from services.tracker.rollups.key import checks_key
from services.tracker.rollups.store import Mark, Rolled, RollupStore, split_days
from services.tracker.signal.cells import Cells
from services.tracker.signal.rollup import REDO_DAYS, cells_from_counts, days
from services.tracker.signal.storms import jobs_of, levels, weather
from services.tracker.workers.frame import BackgroundReads, Clipped, Work
from services.tracker.workers.rolling import HOUR_US, Point, Step, first_day, steps

NAME = "tracker_test_daily"
# Runs may reach the record this late before the next pass has to see to them.
LAG_S = 600.0
# Parts that tests are split into at most; beyond, the hours are split.
MOST_BUCKETS = 4096


class TestDaily:
    """One pass for all sources. `keep_days` is how far back a record is rolled."""

    __test__ = False  # named after the op; not for a test runner to collect
    name = NAME

    def __init__(self, reads: BackgroundReads, store: RollupStore, clock: Clock, keep_days: int) -> None:
        self._reads, self._store, self._clock, self._keep_days = reads, store, clock, keep_days

    async def run(self, work: Work) -> Mapping[str, int]:
        """Counts of records, days and rows rolled. Raises SourceSilent, LeaseLost."""
        point, done = Point.read(work.checkpoint), {"records": 0, "days": 0, "rows": 0}
        seen: set[str] = set()
        for bound in work.bounds:
            reading = await self._reads.reading(bound)
            key = checks_key(work.source.id, reading.binding)
            if key and key not in seen:
                seen.add(key)
                of = Rolled(work.source.org, work.source.id, key)
                await self._record(work, reading, of, point if point.key == key else Point(key), done)
                done["records"] += 1
        oldest = self._clock.now().date() - timedelta(days=2 * self._keep_days)
        await self._store.prune(work.source.org, work.source.id, seen, oldest)
        return done

    async def _record(self, work: Work, reading: Reading, of: Rolled, point: Point, done: dict[str, int]) -> None:
        now = self._clock.now()
        mark = await self._store.mark(of)
        begin = await self._begin(reading, mark)
        covers = self._covers(mark)
        if point.day:
            begin = date.fromisoformat(point.day)
        buckets = point.buckets
        for step in steps(begin, now, LAG_S):
            rows, buckets = await self._step(work, reading, of, step, buckets)
            # Hours that were rolled before stay so: making them anew takes nothing back.
            rolled = max(step.rolled_until, mark.fresh_from if mark else 0)
            await self._store.put_mark(of, Mark(covers, rolled), self._version())
            done["days"], done["rows"] = done["days"] + len(step.days), done["rows"] + rows
            await work.save(Point(of.checks_key, (step.last + timedelta(days=1)).isoformat(), buckets).text())

    async def _begin(self, reading: Reading, mark: Mark | None) -> date:
        now = self._clock.now()
        if mark is not None:
            rolled = date(1970, 1, 1) + timedelta(days=mark.fresh_from // 24)
            return min(rolled, now.date()) - timedelta(days=REDO_DAYS - 1)
        found = await self._reads.rows(reading, ask.FIRST_RUN)
        return first_day(now, self._keep_days, found[0]["first_at"] if found else None)

    def _covers(self, mark: Mark | None) -> date:
        """Before the first run there was nothing, so the whole span that is kept counts as rolled."""
        return mark.covers_from if mark else self._clock.now().date() - timedelta(days=self._keep_days)

    async def _step(self, work: Work, reading: Reading, of: Rolled, step: Step, buckets: int) -> tuple[int, int]:
        """Rows that were written, and the parts that it took."""
        version, rows, finest = self._version(), 0, buckets
        waiting = [(buckets, each) for each in range(buckets)]
        while waiting:
            parts, part = waiting.pop()
            try:
                tests = await self._tests(reading, step, parts, part, step.from_hour, step.until_hour)
            except Clipped:
                waiting += [(2 * parts, part), (2 * parts, part + parts)]
                finest = max(finest, 2 * parts)
                continue
            rows += await self._store.put_tests(of, _of_days(tests, set(step.days)), version)
            # Renews the lease: a step over many parts may take longer than it. Cut off here, the step is done again.
            await work.save(Point(of.checks_key, step.first.isoformat(), finest).text())
        jobs = await self._jobs(reading, step, step.from_hour, step.until_hour)
        known = jobs_of(jobs)
        await self._store.put_days(of, split_days(weather(known), levels(known), step.days), version)
        return rows, finest

    async def _tests(
        self, reading: Reading, step: Step, parts: int, part: int, first: int, until: int
    ) -> dict[str, list[dict[str, Any]]]:
        """Counts by test, of one part of the tests. Raises Clipped while it can be split further."""
        params = {"since": first * HOUR_US, "until": until * HOUR_US, "buckets": parts, "bucket": part}
        try:
            rows = await self._reads.rows(reading, ask.SOME_TESTS, params)
        except Clipped:
            if parts < MOST_BUCKETS or until - first < 2:
                raise
            middle = (first + until) // 2
            halves = [
                await self._tests(reading, step, parts, part, *half) for half in ((first, middle), (middle, until))
            ]
            return {name: [row for half in halves for row in half.get(name, ())] for half in halves for name in half}
        found: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in rows:
            found[row["test_name"]].append(row)
        return found

    async def _jobs(self, reading: Reading, step: Step, first: int, until: int) -> list[dict[str, Any]]:
        span = {"since": step.from_hour * HOUR_US, "until": step.until_hour * HOUR_US}
        try:
            return await self._reads.rows(reading, ask.JOBS, {**span, "from_hour": first, "until_hour": until})
        except Clipped:
            if until - first < 2:
                raise
            middle = (first + until) // 2
            return [*await self._jobs(reading, step, first, middle), *await self._jobs(reading, step, middle, until)]

    def _version(self) -> int:
        return int(self._clock.now().timestamp() * 1e6)


def _of_days(tests: Mapping[str, list[dict[str, Any]]], wanted: set[date]) -> dict[str, dict[date, Cells]]:
    """The days of each test that are written: what is read around them says only which commits failed."""
    return {
        name: {day: cells for day, cells in days(cells_from_counts(rows)).items() if day in wanted}
        for name, rows in tests.items()
    }
