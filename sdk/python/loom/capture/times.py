"""Instants as other programs write them, in the one form that records carry."""

from datetime import UTC, datetime, timedelta
from typing import Any

# Seconds of the year 5138: a greater number counts milliseconds, as JavaScript does.
MOST_SECONDS = 1e11


def rfc3339(value: Any) -> str:
    """`value` as RFC 3339 in UTC with microseconds; empty when it is no instant.

    Takes ISO 8601 text with any offset (none means UTC) and Unix time in seconds or milliseconds.
    """
    try:
        if isinstance(value, str):
            instant = datetime.fromisoformat(value.strip())
        elif isinstance(value, int | float) and not isinstance(value, bool):
            instant = datetime.fromtimestamp(value / (1000 if value > MOST_SECONDS else 1), UTC)
        else:
            return ""
        return _text(instant if instant.tzinfo else instant.replace(tzinfo=UTC))
    except (ValueError, OverflowError, OSError):
        return ""


def later(at: str, microseconds: int) -> str:
    """`at`, an instant that `rfc3339` gave, moved on."""
    return _text(datetime.fromisoformat(at) + timedelta(microseconds=microseconds))


def now() -> str:
    """This instant."""
    return _text(datetime.now(UTC))


def _text(instant: datetime) -> str:
    return instant.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"
