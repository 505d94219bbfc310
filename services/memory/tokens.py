"""Page tokens: opaque texts that name the last row of a page by its instant and its id, and the list that it is of."""

import base64
import binascii
import hashlib
from datetime import datetime

from runtime import jsontext
from runtime.errors import invalid_field
from services.memory.identity import LAST_ID
from services.memory.model import EPOCH, LAST_INSTANT, TICK

Place = tuple[datetime, int]


def list_of(*parts: str) -> str:
    """Names a list: the op, whose it is, and its filters."""
    sha = hashlib.sha256()
    for part in parts:
        text = part.encode("utf-8", "surrogatepass")
        sha.update(b"%d:%b" % (len(text), text))
    return sha.hexdigest()[:16]


def encode(place: Place, listed: str) -> str:
    """The token of the page that follows on this row of the list."""
    text = jsontext.dumps([(place[0] - EPOCH) // TICK, place[1], listed])
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def decode(token: str, listed: str) -> Place | None:
    """The row that a token names; None for no token. Raises INVALID_FIELD, also for a token of another list."""
    if not token:
        return None
    try:
        micros, id_, of = jsontext.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
        if not (type(micros) is int and type(id_) is int and 0 < id_ <= LAST_ID and type(of) is str):
            raise ValueError
        instant = EPOCH + micros * TICK
        if not EPOCH <= instant <= LAST_INSTANT:
            raise ValueError
    except (ValueError, TypeError, binascii.Error, OverflowError):
        raise invalid_field("page_token", "the next_page_token of the page before, unchanged") from None
    if of != listed:
        raise invalid_field("page_token", "sent with the user and the filters of the call that answered it")
    return instant, id_
