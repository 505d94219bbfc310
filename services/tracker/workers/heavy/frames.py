"""Messages between the two processes: JSON, and bytes beside it for vectors."""

import struct
from typing import Any, Protocol

import orjson

_HEAD = struct.Struct(">II")
HEAD_BYTES = _HEAD.size
# Statistics of the largest record are some ten megabytes.
MOST_BYTES = 1 << 30


class BadFrameError(Exception):
    """Not a message of the other side."""


class Readable(Protocol):
    def read(self, count: int, /) -> bytes: ...


def packed(message: dict[str, Any], extra: bytes = b"") -> bytes:
    """Instants become RFC 3339 text."""
    body = orjson.dumps(message, option=orjson.OPT_NON_STR_KEYS)
    return _HEAD.pack(len(body), len(extra)) + body + extra


def sizes(head: bytes) -> tuple[int, int]:
    """Lengths of the JSON and of the bytes. Raises BadFrameError."""
    body, extra = _HEAD.unpack(head)
    if max(body, extra) > MOST_BYTES:
        raise BadFrameError("the message is too long")
    return body, extra


def received(stream: Readable) -> tuple[dict[str, Any], bytes] | None:
    """The next message of a blocking stream; None at its end. Raises BadFrameError."""
    head = stream.read(HEAD_BYTES)
    if len(head) < HEAD_BYTES:
        return None
    body, extra = sizes(head)
    text, more = stream.read(body), stream.read(extra)
    if len(text) < body or len(more) < extra:
        return None
    return orjson.loads(text), more
