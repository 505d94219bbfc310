"""Messages -> JSON values: closures made once per message, so that no call reflects.

What is not in the contract was refused by the way in, which is compiled first.
"""

import binascii
import math
from collections.abc import Callable
from operator import attrgetter
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from gateway.codec.fields import SAFE_INTEGER, is_map, map_value, rules_of
from runtime import jsontext
from runtime.errors import internal

Convert = Callable[[Any], Any]
"""Turns one value of a field into JSON."""

Field = Callable[[Message, Any], Any]
"""Turns a field into JSON, given its message and what the message says it holds."""


class Writer:
    """Turns messages of one kind into dicts."""

    __slots__ = ("_fields", "_names", "_values")

    def __init__(self) -> None:
        self._names: list[str] = []
        self._values: Callable[[Message], tuple[Any, ...]] = lambda message: ()
        self._fields: list[tuple[str, Field]] = []

    @classmethod
    def of(cls, message: Descriptor, known: dict[str, "Writer"] | None = None) -> "Writer":
        """`known` holds the writers around this one: a message may contain itself."""
        known = known if known is not None else {}
        if message.full_name in known:
            return known[message.full_name]
        writer = known[message.full_name] = cls()
        writer._names = names = [field.name for field in message.fields]
        if len(names) == 1:
            writer._values = lambda message, name=names[0]: (getattr(message, name),)
        elif names:
            writer._values = attrgetter(*names)
        writer._fields = [(f.name, field) for f in message.fields if (field := _field(f, known))]
        return writer

    def __call__(self, message: Message) -> dict[str, Any]:
        written = dict(zip(self._names, self._values(message), strict=True))
        for name, field in self._fields:
            written[name] = field(message, written[name])
        return written


def _field(field: FieldDescriptor, known: dict[str, Writer]) -> Field | None:
    """None where the message already gives what JSON needs."""
    is_json = rules_of(field).json_text
    if is_map(field):
        return _map(_value(map_value(field), is_json, known))
    convert = _value(field, is_json, known)
    if field.is_repeated:
        return _list(convert)
    if field.has_presence:
        return _optional(field.name, convert)
    return convert and (lambda _, value: convert(value))


def _value(field: FieldDescriptor, is_json: bool, known: dict[str, Writer]) -> Convert | None:
    if field.message_type is not None:
        return Writer.of(field.message_type, known)
    if field.enum_type is not None:
        names = {value.number: value.name for value in field.enum_type.values}
        return lambda number: names.get(number, number)
    return _json if is_json else CONVERTS.get(field.type)


def _optional(name: str, convert: Convert | None) -> Field:
    if convert is None:
        return lambda message, value: value if message.HasField(name) else None
    return lambda message, value: convert(value) if message.HasField(name) else None


def _list(convert: Convert | None) -> Field:
    if convert is None:
        return lambda _, values: values[:]
    return lambda _, values: [convert(value) for value in values]


def _map(convert: Convert | None) -> Field:
    if convert is None:
        return lambda _, values: dict(values)
    return lambda _, values: {key: convert(values[key]) for key in values}


def _json(text: str) -> Any:
    """A text that is not JSON is the plane's defect."""
    try:
        return jsontext.loads(text) if text else None
    except jsontext.JsonTextError:
        raise internal() from None


def _safe(number: int) -> int:
    if -SAFE_INTEGER <= number <= SAFE_INTEGER:
        return number
    raise internal()


def _finite(number: float) -> float:
    if math.isfinite(number):
        return number
    raise internal()


def _base64(data: bytes) -> str:
    return binascii.b2a_base64(data, newline=False).decode()


CONVERTS: dict[int, Convert] = {
    FieldDescriptor.TYPE_BYTES: _base64,
    FieldDescriptor.TYPE_DOUBLE: _finite,
    **dict.fromkeys(
        [
            FieldDescriptor.TYPE_INT64,
            FieldDescriptor.TYPE_SINT64,
            FieldDescriptor.TYPE_SFIXED64,
            FieldDescriptor.TYPE_UINT64,
            FieldDescriptor.TYPE_FIXED64,
        ],
        _safe,
    ),
}
