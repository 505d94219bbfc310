"""The ClickHouse types that an expression may convert to."""

import re

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ErrorLevel

from services.tracker.mapping.problems import ExpressionError

_BITS = (8, 16, 32, 64, 128, 256)
_NAMES = [
    *(f"{sign}Int{bits}" for sign in ("", "U") for bits in _BITS),
    *(f"Decimal{bits}" for bits in ("", 32, 64, 128, 256)),
    *[
        "Float32",
        "Float64",
        "Bool",
        "String",
        "FixedString",
        "UUID",
        "Date",
        "Date32",
        "DateTime",
        "DateTime64",
        "JSON",
    ],
    *["Nullable", "LowCardinality", "Array", "Tuple", "Map"],
]
_KNOWN = {name.lower(): name for name in _NAMES}
_PART = re.compile(r"\s*(?:([A-Za-z][A-Za-z0-9]*)|([0-9]{1,5})|('[A-Za-z0-9_/+-]{1,40}')|([(),]))")
_FIX = "convert to a number, Bool, String, UUID, Date, DateTime, JSON, or to an Array, Tuple, Map or Nullable of those"


def type_text(kind: exp.DataType) -> str:
    """The type as ClickHouse writes it. Raises ExpressionError for one that is not allowed."""
    return _checked(kind.sql(dialect="clickhouse", unsupported_level=ErrorLevel.IGNORE))


def type_of_text(text: str, dialect: Dialect) -> str:
    """The type that a string names, for the two-argument forms of CAST."""
    try:
        return type_text(exp.DataType.build(text, dialect=dialect))
    except ExpressionError:
        raise
    except Exception:  # sqlglot stumbles over some broken texts instead of refusing them
        raise ExpressionError("names a type that cannot be read", _FIX) from None


def _checked(text: str) -> str:
    """The text, with names as ClickHouse spells them: sqlglot writes some in capitals."""
    at, parts = 0, []
    while at < len(text):
        found = _PART.match(text, at)
        if found is None or (found[1] and found[1].lower() not in _KNOWN):
            raise ExpressionError("converts to a type that is not allowed", _FIX)
        parts.append(_KNOWN[found[1].lower()] if found[1] else found[0].strip())
        at = found.end()
    return "".join(parts).replace(",", ", ")
