"""Which days and hours tracker_test_daily rolls."""

from datetime import UTC, date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from services.tracker.rollups.touching import name_parts
from services.tracker.workers.rolling import Point, first_day, settled, start_of, steps

INSTANTS = st.datetimes(datetime(2026, 1, 1), datetime(2027, 1, 1), timezones=st.just(UTC))


@given(INSTANTS, st.integers(0, 100))
def test_steps_write_each_day_once_up_to_the_last_settled_hour(now: datetime, back: int) -> None:
    begin = now.date() - timedelta(days=back)
    made = list(steps(begin, now, 600.0))
    days = [day for step in made for day in step.days]
    assert days == sorted(set(days))
    if made:
        assert days[0] == begin
        assert made[-1].rolled_until == settled(now, 600.0)
        assert start_of(days[-1]) < settled(now, 600.0)
    for step in made:
        assert step.from_hour <= start_of(step.first)
        assert step.until_hour <= settled(now, 600.0)
        assert step.rolled_until <= step.until_hour


def test_an_hour_is_settled_once_its_runs_had_time_to_come_in() -> None:
    noon = datetime(2026, 3, 2, 12, 5, tzinfo=UTC)
    assert settled(noon, 600.0) == start_of(date(2026, 3, 2)) + 11
    assert settled(noon + timedelta(minutes=5), 600.0) == start_of(date(2026, 3, 2)) + 12


def test_a_record_begins_with_its_first_run_and_not_before_what_is_kept() -> None:
    now = datetime(2026, 3, 2, tzinfo=UTC)
    assert first_day(now, 30, datetime(2026, 2, 20, tzinfo=UTC)) == date(2026, 2, 20)
    assert first_day(now, 30, datetime(2025, 1, 1, tzinfo=UTC)) == date(2026, 1, 31)
    assert first_day(now, 30, None) == date(2026, 3, 2)


@given(st.text(max_size=60))
def test_any_text_is_a_checkpoint_or_a_beginning(text: str) -> None:
    assert Point.read(text).buckets >= 1
    point = Point("k", "2026-01-01", 8)
    assert Point.read(point.text()) == point


def test_the_words_of_a_name_that_tell_its_files() -> None:
    assert name_parts("tests/unit/test_cart.py::test_totals") == ["test_cart.py"]
    assert name_parts("consensus::lease::tests::wakes_waiters") == ["consensus", "lease", "wakes_waiters"]
    assert name_parts("test") == []
