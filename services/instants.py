"""Instants and days as callers write them.

`INSTANT` and `DAY` complete "… must be"; messages of errors never contain what was sent.
"""

import re
from datetime import UTC, date, datetime, timedelta, timezone

FIRST_YEAR, LAST_YEAR = 1970, 2299  # what a DateTime64(6) column holds, from the epoch on
FIRST_DAY, LAST_DAY = date(1970, 1, 1), date(2149, 6, 6)  # what a Date column holds

INSTANT = (
    f"an RFC 3339 instant of the years {FIRST_YEAR} to {LAST_YEAR}: YYYY-MM-DDThh:mm:ss and Z or an offset like +02:00"
)
DAY = f"a day written YYYY-MM-DD, from {FIRST_DAY} to {LAST_DAY}"

_INSTANT = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt ]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?"
    r"(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))"
)
_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")


def parse_instant(text: str) -> datetime:
    """The instant in UTC, to the microsecond; further digits are cut off.

    A leap second (`23:59:60` in UTC) is the second after it, as clocks count. Raises ValueError for anything else than
    RFC 3339 with an offset, and outside the years 1970 to 2299.
    """
    found = _INSTANT.fullmatch(text)
    if found is None:
        raise ValueError(f"must be {INSTANT}")
    try:
        instant = _instant(*found.groups())
    except (ValueError, OverflowError):
        raise ValueError(f"must be {INSTANT}") from None
    if not FIRST_YEAR <= instant.year <= LAST_YEAR:
        raise ValueError(f"must be {INSTANT}")
    return instant


def _instant(
    year: str,
    month: str,
    day: str,
    hour: str,
    minute: str,
    second: str,
    fraction: str | None,
    sign: str | None,
    off_hours: str | None,
    off_minutes: str | None,
) -> datetime:
    leap = second == "60"
    micros = 0 if leap else int((fraction or "")[:6].ljust(6, "0"))
    zone = timezone(_offset(sign, off_hours or "0", off_minutes or "0"))
    local = datetime(int(year), int(month), int(day), int(hour), int(minute), 59 if leap else int(second), micros, zone)
    instant = local.astimezone(UTC)
    if leap:
        if (instant.hour, instant.minute) != (23, 59):
            raise ValueError("not a leap second")
        instant += timedelta(seconds=1)
    return instant


def _offset(sign: str | None, hours: str, minutes: str) -> timedelta:
    if int(hours) > 23 or int(minutes) > 59:
        raise ValueError("not an offset")
    offset = timedelta(hours=int(hours), minutes=int(minutes))
    return -offset if sign == "-" else offset


def format_instant(instant: datetime) -> str:
    """RFC 3339 in UTC with six digits of fraction, `2026-01-02T03:04:05.000000Z`, so that texts sort as instants do.

    Raises ValueError for an instant without an offset.
    """
    if instant.tzinfo is None:
        raise ValueError("must be an instant with an offset")
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def parse_day(text: str) -> date:
    """The day. Raises ValueError for anything else than `YYYY-MM-DD`, and outside what a Date column holds."""
    found = _DAY.fullmatch(text)
    if found is None:
        raise ValueError(f"must be {DAY}")
    try:
        day = date(*map(int, found.groups()))
    except ValueError:
        raise ValueError(f"must be {DAY}") from None
    if not FIRST_DAY <= day <= LAST_DAY:
        raise ValueError(f"must be {DAY}")
    return day
