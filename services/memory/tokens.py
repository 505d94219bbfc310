"""Page tokens: opaque texts that name the last row of a page by its instant and its id."""

import base64
import binascii
from datetime import datetime

from runtime import jsontext
from runtime.errors import invalid_field
from services.memory.identity import LAST_ID
from services.memory.model import EPOCH, LAST_INSTANT, TICK

Place = tuple[datetime, int]


def encode(place: Place) -> str:
    """The token of the page that follows on this row."""
    text = jsontext.dumps([(place[0] - EPOCH) // TICK, place[1]])
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def decode(token: str) -> Place | None:
    """The row that a token names; None for no token. Raises INVALID_FIELD."""
    if not token:
        return None
    try:
        micros, id_ = jsontext.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
        if not (type(micros) is int and type(id_) is int and 0 < id_ <= LAST_ID):
            raise ValueError
        instant = EPOCH + micros * TICK
        if not EPOCH <= instant <= LAST_INSTANT:
            raise ValueError
        return instant, id_
    except (ValueError, TypeError, binascii.Error, OverflowError):
        raise invalid_field("page_token", "the next_page_token of the page before, unchanged") from None
