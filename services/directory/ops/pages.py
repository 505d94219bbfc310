"""Page tokens: opaque text that names the last row of a page."""

import base64
import binascii
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from runtime import jsontext
from runtime.errors import LoomError, invalid_field

T = TypeVar("T")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
LAST_YEAR = 2299  # what a DateTime64(6) column holds
LAST_SEQ = (1 << 64) - 1


def cut(rows: list[T], size: int) -> tuple[list[T], bool]:
    """The page, and whether more follows: `rows` are up to one more than asked."""
    return rows[:size], len(rows) > size


def text_token(last: str) -> str:
    return _encode([last])


def text_of(token: str) -> str:
    """Empty without a token. Raises INVALID_FIELD."""
    return _decode(token, str)[0] if token else ""


def moment_token(at: datetime, last: str) -> str:
    return _encode([(at - EPOCH) // MICROSECOND, last])


def moment_of(token: str) -> tuple[datetime, str] | None:
    """None without a token. Raises INVALID_FIELD."""
    if not token:
        return None
    micros, last = _decode(token, int, str)
    try:
        at = EPOCH + micros * MICROSECOND
    except OverflowError:
        raise _invalid() from None
    if not EPOCH.year <= at.year <= LAST_YEAR:
        raise _invalid()
    return at, last


def seq_token(seq: int, last: str) -> str:
    return _encode([seq, last])


def seq_of(token: str) -> tuple[int, str] | None:
    """None without a token. Raises INVALID_FIELD."""
    if not token:
        return None
    seq, last = _decode(token, int, str)
    if not 0 <= seq <= LAST_SEQ:
        raise _invalid()
    return seq, last


def _encode(parts: list[str | int]) -> str:
    return base64.urlsafe_b64encode(jsontext.dumps(parts).encode()).decode().rstrip("=")


def _decode(token: str, *kinds: type) -> list:
    try:
        parts = jsontext.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
        if not isinstance(parts, list) or [type(part) for part in parts] != list(kinds):
            raise ValueError
        for part in parts:
            str(part).encode()  # half of a character would look like a defect further on
        return parts
    except (ValueError, TypeError, binascii.Error):
        raise _invalid() from None


def _invalid() -> LoomError:
    return invalid_field("page_token", "the next_page_token of the page before, unchanged")
