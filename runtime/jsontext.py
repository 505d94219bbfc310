"""JSON text as Loom treats it: nothing that a caller sent is lost between the door and the store.

Whole numbers of any size, key order and lone surrogates survive. NaN and Infinity, which RFC 8259 leaves out, are
refused, and so is a number beyond a double and anything nested deeper than MAX_DEPTH. Of a repeated key the last value
counts, at the place of the first. A byte order mark in front is skipped, since some Windows tools write one.

orjson does the work; the few texts and values that it refuses or would change take a slower path with the same result.
"""

import json
import math
import re
from typing import Any, NoReturn

import orjson

# The deepest nesting that orjson writes. One limit for both directions: what could be read can also be written.
MAX_DEPTH = 254

TOO_DEEP = f"nested deeper than {MAX_DEPTH} levels"
TOO_LARGE = "a number is out of range"

# orjson turns whole numbers that need more than 64 bits into floats, and those have 19 digits or more. A translation in
# which all digits look alike, and all openers, answers both questions several times faster than patterns do.
_ALIKE = bytes.maketrans(b"123456789{", b"000000000[")
_MANY_DIGITS = b"0" * 19

_INT64_MIN, _UINT64_MAX = -(2**63), 2**64 - 1
_SURROGATE = re.compile("[\ud800-\udfff]")


class JsonTextError(ValueError):
    """Not JSON text as defined above. The message says what and where, and never repeats the text."""


def loads(data: bytes | str) -> Any:
    """The value of a JSON text (UTF-8, where it is bytes). Raises JsonTextError."""
    try:
        raw = data.encode() if isinstance(data, str) else data
        value = orjson.loads(raw)
    except ValueError:
        raw = None
    if raw is None or _MANY_DIGITS in (alike := raw.translate(_ALIKE)):
        # Not in the handler: the error at hand holds the text, and a new one would carry it along.
        return _loads_slowly(data)
    if len(raw) > 2 * MAX_DEPTH and alike.count(b"[") > MAX_DEPTH:
        dumps(value)  # finds out whether it is too deep, faster than a walk in Python
    return value


def dumps(value: Any) -> str:
    """The text of a JSON value: compact, keys in their order. It always encodes to UTF-8.

    Floats are written as orjson does: the shortest text that reads back equal, `1.0` with its fraction, `-0.0` with its
    sign; one that is not finite is no JSON value and becomes `null`. Raises JsonTextError for what is nested too deep,
    TypeError for what is not JSON at all.
    """
    return _write(value, 0).decode()


def dump_bytes(value: Any) -> bytes:
    """`dumps` in UTF-8."""
    return _write(value, 0)


def canonical(value: Any) -> bytes:
    """The one text, in UTF-8, of all values that are equal as JSON: `dumps` with keys sorted by code point.

    A whole number and a float stay apart (`1` and `1.0`), as `0` and `-0.0` do: telling them apart is what keeps large
    whole numbers intact. Same errors as `dumps`.
    """
    return _write(value, orjson.OPT_SORT_KEYS)


def _write(value: Any, option: int) -> bytes:
    try:
        return orjson.dumps(value, option=option)
    except TypeError:
        pass
    try:
        return _write_slowly(value, option, 0)
    except RecursionError:
        pass
    raise JsonTextError(TOO_DEEP)


def _write_slowly(value: Any, option: int, depth: int) -> bytes:
    """The same text as orjson's, and the text of what it refuses. It leaves floats to orjson, for their format."""
    if isinstance(value, dict | list | tuple) and depth == MAX_DEPTH:
        raise JsonTextError(TOO_DEEP)
    if isinstance(value, dict):
        members = {_paired(key): member for key, member in value.items()}
        keys = sorted(members) if option & orjson.OPT_SORT_KEYS else members
        parts = [_text(key) + b":" + _write_slowly(members[key], option, depth + 1) for key in keys]
        return b"{" + b",".join(parts) + b"}"
    if isinstance(value, list | tuple):
        return b"[" + b",".join([_write_slowly(entry, option, depth + 1) for entry in value]) + b"]"
    if isinstance(value, str):
        return _text(_paired(value))
    if type(value) is int and not _INT64_MIN <= value <= _UINT64_MAX:
        return str(value).encode()
    return orjson.dumps(value, option=option)


def _paired(text: str) -> str:
    """With two halves of a character that stand together made one, as reading their escapes would."""
    if not isinstance(text, str):
        raise TypeError("a JSON key is a string")
    return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _text(text: str) -> bytes:
    try:
        return orjson.dumps(text)
    except TypeError:
        quoted = json.dumps(text, ensure_ascii=False)
        return _SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", quoted).encode()


def _loads_slowly(data: bytes | str) -> Any:
    """The standard library's parser, which keeps large whole numbers and halves of characters."""
    try:
        text = (data if isinstance(data, str) else data.decode()).removeprefix("\ufeff")
        value = _DECODER.decode(text)
        if text.count("[") + text.count("{") > MAX_DEPTH:
            dumps(value)
        return value
    except JsonTextError as error:
        problem = str(error)
    except json.JSONDecodeError as error:
        problem = f"not JSON at character {error.pos}"
    except UnicodeDecodeError as error:
        problem = f"not UTF-8 at byte {error.start}"
    except RecursionError:
        problem = TOO_DEEP
    except ValueError:  # a whole number of more digits than Python converts
        problem = TOO_LARGE
    raise JsonTextError(problem)  # outside the handlers, for the same reason as above


def _refuse_constant(_: str) -> NoReturn:
    raise JsonTextError("NaN and Infinity are not JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise JsonTextError(TOO_LARGE)
    return number


_DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=_refuse_constant)
