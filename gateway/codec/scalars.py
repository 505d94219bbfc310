"""JSON values -> the values of single fields."""

import binascii
import math
from collections.abc import Callable
from typing import Any

from google.protobuf.descriptor import FieldDescriptor

from gateway.codec.fields import INTEGERS
from runtime import jsontext
from runtime.errors import LoomError, invalid_field

Scalar = Callable[[Any, Any], Any]
"""Takes the JSON value and the notes of the request, which scalars have no use for."""


class ReadError(Exception):
    """A value that a field does not take. `path` grows outwards while the error climbs; the value stays behind."""

    def __init__(self, expected: str, path: str = "") -> None:
        super().__init__()
        self.expected, self.path = expected, path

    def below(self, outer: str) -> None:
        """Places what is at fault inside `outer`: a field name, or an index in brackets."""
        dot = "" if not self.path or self.path.startswith("[") else "."
        self.path = f"{outer}{dot}{self.path}"

    def error(self) -> LoomError:
        return invalid_field(self.path, self.expected)


def text(value: Any, _: Any) -> str:
    if type(value) is not str:
        raise ReadError("a string")
    return value


def json_text(value: Any, _: Any) -> str:
    try:
        return jsontext.dumps(value)
    except jsontext.JsonTextError:
        pass
    raise ReadError(f"JSON of at most {jsontext.MAX_DEPTH} levels")


def _bool(value: Any, _: Any) -> bool:
    if type(value) is not bool:
        raise ReadError("true or false")
    return value


def _number(value: Any, _: Any) -> float:
    if type(value) is float and math.isfinite(value):
        return value
    if type(value) is int:
        try:
            return float(value)
        except OverflowError:
            pass
    raise ReadError("a number")


def _bytes(value: Any, _: Any) -> bytes:
    if type(value) is str:
        standard = value.rstrip("=").replace("-", "+").replace("_", "/")
        try:
            return binascii.a2b_base64(standard + "=" * (-len(standard) % 4), strict_mode=True)
        except ValueError:  # also what text beyond ASCII gives
            pass
    raise ReadError("base64 text")


def _whole(field: FieldDescriptor) -> Scalar:
    least, greatest = INTEGERS[field.cpp_type]
    expected = f"a whole number from {least} to {greatest}"

    def whole(value: Any, _: Any) -> int:
        if type(value) is float and value.is_integer():
            value = int(value)
        if type(value) is not int:
            raise ReadError("a whole number")
        if not least <= value <= greatest:
            raise ReadError(expected)
        return value

    return whole


def _word(field: FieldDescriptor) -> Scalar:
    numbers = {value.name: value.number for value in field.enum_type.values}
    expected = f"one of {', '.join(numbers)}"

    def word(value: Any, _: Any) -> int:
        number = numbers.get(value) if type(value) is str else None
        if number is None:
            raise ReadError(expected)
        return number

    return word


def _always(read: Scalar) -> Callable[[FieldDescriptor], Scalar]:
    return lambda field: read


# What makes the reader of a field, by its type. Types that are not here are not in the contract.
READERS: dict[int, Callable[[FieldDescriptor], Scalar]] = {
    FieldDescriptor.TYPE_STRING: _always(text),
    FieldDescriptor.TYPE_BOOL: _always(_bool),
    FieldDescriptor.TYPE_DOUBLE: _always(_number),
    FieldDescriptor.TYPE_BYTES: _always(_bytes),
    FieldDescriptor.TYPE_ENUM: _word,
    **dict.fromkeys(
        [
            FieldDescriptor.TYPE_INT32,
            FieldDescriptor.TYPE_SINT32,
            FieldDescriptor.TYPE_SFIXED32,
            FieldDescriptor.TYPE_UINT32,
            FieldDescriptor.TYPE_FIXED32,
            FieldDescriptor.TYPE_INT64,
            FieldDescriptor.TYPE_SINT64,
            FieldDescriptor.TYPE_SFIXED64,
            FieldDescriptor.TYPE_UINT64,
            FieldDescriptor.TYPE_FIXED64,
        ],
        _whole,
    ),
}
