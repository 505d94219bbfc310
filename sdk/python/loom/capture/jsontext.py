"""JSON in and out, for text that other programs wrote."""

import json
import math
from typing import Any

LONGEST_INTEGER = 1000


def loads(data: bytes | str) -> Any:
    """The value of JSON text. ValueError when it is none, or is nested too deep to be read.

    What has no place in strict JSON (NaN, Infinity, a number outside the range of a float, an integer of more than
    1,000 digits) comes back as its text, since a server would refuse the value and the record with it. Bytes that are
    not UTF-8 become U+FFFD.
    """
    text = data.decode("utf-8-sig", "replace") if isinstance(data, bytes) else data
    try:
        return json.loads(text, parse_constant=str, parse_int=_integer, parse_float=_number)
    except RecursionError as failure:
        raise ValueError("nested too deep") from failure


def dumps(value: Any) -> bytes:
    """`value` as JSON in UTF-8, without spaces. A lone surrogate, which UTF-8 cannot hold, becomes `?`."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= LONGEST_INTEGER else digits


def _number(digits: str) -> float | str:
    number = float(digits)
    return number if math.isfinite(number) else digits
