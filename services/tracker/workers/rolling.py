"""What tracker_test_daily rolls and in which order: pure rules over days and hours."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from services.tracker.signal.rollup import hour_of

HOUR_US = 3_600_000_000
# Days around the ones that are written which are read too: a commit that fails on one may pass on the next.
AROUND = 2
# Days that are written at once: the more, the smaller the share of the days around them; the fewer, the less is held.
STEP_DAYS = 6
EPOCH = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class Step:
    """Days that are written, first and last, and the hours that are read for them, the last one exclusive."""

    first: date
    last: date
    from_hour: int
    until_hour: int

    @property
    def days(self) -> list[date]:
        return [self.first + timedelta(days=each) for each in range((self.last - self.first).days + 1)]

    @property
    def rolled_until(self) -> int:
        """The hour up to which runs are rolled once it is done."""
        return min(self.until_hour, start_of(self.last + timedelta(days=1)))


def start_of(day: date) -> int:
    """Its first hour since the epoch."""
    return (day - EPOCH).days * 24


def settled(now: datetime, lag_s: float) -> int:
    """The first hour of which runs may still come in: not rolled yet."""
    return hour_of(now - timedelta(seconds=lag_s))


def first_day(now: datetime, keep_days: int, first_run: datetime | None) -> date:
    """Where a record that was never rolled begins."""
    oldest = now.date() - timedelta(days=keep_days)
    return max(oldest, first_run.date()) if first_run else now.date()


def steps(begin: date, now: datetime, lag_s: float) -> Iterator[Step]:
    """From `begin` on, STEP_DAYS days at a time, up to the last hour that is settled."""
    until = settled(now, lag_s)
    day = begin
    while start_of(day) < until:
        last = day + timedelta(days=STEP_DAYS - 1)
        read_until = min(start_of(last + timedelta(days=1 + AROUND)), until)
        last = min(last, EPOCH + timedelta(days=(until - 1) // 24))
        yield Step(day, last, start_of(day - timedelta(days=AROUND)), read_until)
        day = last + timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Point:
    """Where a run of the pass is: which runs (`key`), the next day, and into how many parts tests were split."""

    key: str = ""
    day: str = ""
    buckets: int = 1

    def text(self) -> str:
        return json.dumps({"key": self.key, "day": self.day, "buckets": self.buckets})

    @classmethod
    def read(cls, text: str) -> "Point":
        """What was saved; the beginning for what is no such text."""
        try:
            found = json.loads(text or "{}")
            return cls(str(found.get("key", "")), str(found.get("day", "")), max(1, int(found.get("buckets", 1))))
        except (ValueError, TypeError, AttributeError):
            return cls()
