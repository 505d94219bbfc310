"""Instants and days as callers write them."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.instants import LAST_DAY, format_instant, parse_day, parse_instant


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026-01-02T03:04:05Z", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2026-01-02t03:04:05z", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2026-01-02 03:04:05Z", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2026-01-02T03:04:05+05:30", datetime(2026, 1, 1, 21, 34, 5, tzinfo=UTC)),
        ("2026-01-02T03:04:05-08:00", datetime(2026, 1, 2, 11, 4, 5, tzinfo=UTC)),
        ("2026-01-02T03:04:05-00:00", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2026-01-02T03:04:05+23:59", datetime(2026, 1, 1, 3, 5, 5, tzinfo=UTC)),
        ("2026-01-02T03:04:05.5Z", datetime(2026, 1, 2, 3, 4, 5, 500_000, tzinfo=UTC)),
        ("2026-01-02T03:04:05.1234569Z", datetime(2026, 1, 2, 3, 4, 5, 123_456, tzinfo=UTC)),
        ("2026-01-02T03:04:05." + "9" * 40 + "Z", datetime(2026, 1, 2, 3, 4, 5, 999_999, tzinfo=UTC)),
        ("2024-02-29T00:00:00Z", datetime(2024, 2, 29, tzinfo=UTC)),
        ("1970-01-01T00:00:00Z", datetime(1970, 1, 1, tzinfo=UTC)),
        ("1969-12-31T23:30:00-01:00", datetime(1970, 1, 1, 0, 30, tzinfo=UTC)),
        ("2299-12-31T23:59:59.999999Z", datetime(2299, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)),
        ("2016-12-31T23:59:60Z", datetime(2017, 1, 1, tzinfo=UTC)),
        ("2016-12-31T15:59:60.7-08:00", datetime(2017, 1, 1, tzinfo=UTC)),
    ],
)
def test_rfc_3339_is_read_with_any_offset_and_given_in_utc(text, instant):
    parsed = parse_instant(text)

    assert parsed == instant
    assert parsed.tzinfo is UTC


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "now", "2026-01-02", "2026-01-02T03:04:05", "2026-01-02T03:04Z", "20260102T030405Z"),
        *("2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-10T00:00:00Z", "2026-01-32T00:00:00Z"),
        *("2026-01-02T24:00:00Z", "2026-01-02T03:60:05Z", "2026-01-02T03:04:61Z", "2026-01-02T03:04:60Z"),
        *("2026-01-02T03:04:05.Z", "2026-01-02T03:04:05,5Z", "2026-01-02T03:04:05+0530", "2026-01-02T03:04:05+05"),
        *("2026-01-02T03:04:05+24:00", "2026-01-02T03:04:05+05:60", "2026-01-02T03:04:05 Z", "2026-01-02T03:04:05Zx"),
        *("2026-01-02T03:04:05Z\n", "\u0662026-01-02T03:04:05Z", "2026-W01-1T00:00:00Z", "+2026-01-02T03:04:05Z"),
        *("1969-12-31T23:59:59Z", "2300-01-01T00:00:00Z", "1970-01-01T00:30:00+01:00", "0000-01-01T00:00:00Z"),
        *("0001-01-01T00:00:00+23:00", "9999-12-31T23:59:59-23:00", "2299-12-31T23:59:60Z", "9999-12-31T23:59:60Z"),
    ],
)
def test_anything_else_is_refused_in_words_that_do_not_repeat_it(text):
    with pytest.raises(ValueError, match="must be an RFC 3339 instant") as refused:
        parse_instant(text)

    assert len(text) < 3 or text not in str(refused.value)
    assert refused.value.__cause__ is None


@pytest.mark.parametrize(
    ("instant", "text"),
    [
        (datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), "2026-01-02T03:04:05.000000Z"),
        (datetime(2026, 1, 2, 3, 4, 5, 60, tzinfo=UTC), "2026-01-02T03:04:05.000060Z"),
        (datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone(timedelta(hours=2))), "2026-01-02T01:04:05.000000Z"),
    ],
)
def test_instants_are_written_in_utc_in_one_form(instant, text):
    assert format_instant(instant) == text


def test_an_instant_without_an_offset_is_not_written():
    with pytest.raises(ValueError, match="offset"):
        format_instant(datetime(2026, 1, 2))


INSTANTS = st.datetimes(datetime(1970, 1, 2), datetime(2299, 12, 30))
OFFSETS = st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(INSTANTS, OFFSETS)
def test_what_is_written_is_read_back(naive, zone):
    instant = naive.replace(tzinfo=zone)

    if datetime(1970, 1, 1, tzinfo=UTC) <= instant < datetime(2300, 1, 1, tzinfo=UTC):
        assert parse_instant(format_instant(instant)) == instant
        assert parse_instant(instant.isoformat()) == instant


@given(INSTANTS, INSTANTS)
def test_written_instants_sort_as_instants_do(one, other):
    one, other = one.replace(tzinfo=UTC), other.replace(tzinfo=UTC)

    assert (format_instant(one) < format_instant(other)) == (one < other)


@given(st.text(st.sampled_from("0123456789-:TZ+. "), max_size=30))
def test_text_is_an_instant_of_the_range_or_refused(text):
    try:
        assert 1970 <= parse_instant(text).year <= 2299
    except ValueError as refused:
        assert str(refused).startswith("must be ")


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-01-02", date(2026, 1, 2)),
        ("2024-02-29", date(2024, 2, 29)),
        ("1970-01-01", date(1970, 1, 1)),
        ("2149-06-06", LAST_DAY),
    ],
)
def test_days_are_read(text, day):
    assert parse_day(text) == day


@pytest.mark.parametrize(
    "text",
    [
        *("", "2026-1-2", "2026/01/02", "20260102", "2026-02-30", "2026-13-01", "2026-01-02 ", "2026-01-02\n"),
        *("1969-12-31", "2149-06-07", "9999-01-01", "0000-00-00", "2026-01-02T00:00:00Z", "\u0662026-01-02", "today"),
    ],
)
def test_other_days_are_refused_in_words_that_do_not_repeat_them(text):
    with pytest.raises(ValueError, match="must be a day written YYYY-MM-DD") as refused:
        parse_day(text)

    assert not text or text not in str(refused.value)
