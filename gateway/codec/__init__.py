"""JSON <-> contract messages, compiled once per message from its descriptor.

The mapping is protobuf's own (`json_format`, with the contract's field names), apart from these differences:

 1. int64 and uint64 are JSON numbers, below 2^53 in magnitude. Input beyond is refused; output beyond is a defect.
 2. Numbers as text ("1", "NaN") and numbers that are not finite are refused. Whole numbers may be written with a
    fraction of zero or an exponent (`3.0`, `1e3`), as in protobuf's mapping.
 3. A `json_text` field takes and gives any JSON value where protobuf has a string of its text. `null` is "not given",
    and so is the empty text on output; a JSON string becomes its text, with the quotes.
 4. Output: every field is there. An unset `optional` field is null.
 5. Input: unknown arguments are dropped, at any depth, and listed. Of a field given under both of its names
    (`tool_name`, `toolName`) the last value that is not null counts, as with a repeated key.
 6. Base64 input may be of either alphabet, padded or not, but holds nothing else. Enum values are read by name alone.
 7. Halves of a surrogate pair that stand alone, which protobuf has no room for, become U+FFFD in plain strings. In
    those that name something (identity, topic_key) they are refused, since two names would become one.
 8. An entry of a list with the option `answered_by` that cannot be read does not fail the call: see `Decoded.refused`.

Refused when compiled, since they are not in the contract: `float`, groups, map keys that are not strings, and the
well-known types (Struct, Any, Timestamp, ...).
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from google.protobuf.message import Message

from gateway.codec.decode import MAX_IGNORED, Reader
from gateway.codec.encode import Writer
from runtime.errors import LoomError

__all__ = ["MAX_IGNORED", "Codec", "Decoded", "codec_for"]


class Decoded(NamedTuple):
    """A request as read.

    `ignored` lists the arguments that nobody knows, as dotted paths in order of appearance (`a.b`, `records[3].x`), at
    most MAX_IGNORED. `refused` holds, by field and index, why an entry of an `answered_by` list could not be read; the
    message has an empty entry in its place.
    """

    message: Message
    ignored: list[str]
    refused: dict[str, dict[int, LoomError]]


class Codec:
    """Both directions of one message."""

    def __init__(self, message: type[Message]) -> None:
        self._reader = Reader(message)
        self.encode: Callable[[Message], dict[str, Any]] = Writer.of(message.DESCRIPTOR)
        """A message as JSON values, for `jsontext.dump_bytes`. Raises INTERNAL for what JSON has no room for."""

    def decode(self, args: Mapping[str, Any]) -> Decoded:
        """Raises INVALID_FIELD with the field's path and what it takes."""
        message, notes = self._reader.read(args)
        return Decoded(message, notes.ignored, notes.refused)


@cache
def codec_for(message: type[Message]) -> Codec:
    """The codec of a message class, compiled at the first call. Raises TypeError for what is not in the contract."""
    return Codec(message)
