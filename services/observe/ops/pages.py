"""observe.list: one page of observations, and the token that leads to the next."""

import base64
import binascii
from datetime import UTC, datetime, timedelta
from typing import Any

from runtime import jsontext
from runtime.errors import invalid_field
from services.instants import FIRST_YEAR, LAST_YEAR
from services.observe.store import Filters, ObserveStore, Scope

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


class ListPage:
    """Keyset pages: a row that arrives meanwhile moves no other row to another page."""

    def __init__(self, store: ObserveStore) -> None:
        self._store = store

    async def execute(
        self, scope: Scope, filters: Filters, size: int, timeout_s: float | None
    ) -> tuple[list[dict[str, Any]], str]:
        """The rows and the next page's token, empty on the last page."""
        rows = await self._store.page(scope, filters, size + 1, timeout_s)
        more, rows = len(rows) > size, rows[:size]
        return rows, encode_token(rows[-1]["observed_at"], rows[-1]["memory_key"]) if more else ""


def encode_token(observed_at: datetime, memory_key: str) -> str:
    """Opaque text that names the last row of a page."""
    micros = (observed_at - EPOCH) // MICROSECOND
    return base64.urlsafe_b64encode(jsontext.dumps([micros, memory_key]).encode()).decode().rstrip("=")


def decode_token(token: str) -> tuple[datetime, str] | None:
    """The row that a token names; None for no token. Raises INVALID_FIELD."""
    if not token:
        return None
    try:
        micros, key = jsontext.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
        if not (type(micros) is int and isinstance(key, str)):
            raise ValueError
        instant = EPOCH + micros * MICROSECOND
        key.encode()  # half of a character, like an instant that no row can have, would look like a defect further on
        if not FIRST_YEAR <= instant.year <= LAST_YEAR:
            raise ValueError
        return instant, key
    except (ValueError, TypeError, binascii.Error, OverflowError):
        raise invalid_field("page_token", "the next_page_token of the page before, unchanged") from None
