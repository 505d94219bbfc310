"""Which ClickHouse types a column of the contract may have, and which one it is read as."""

import re
from dataclasses import dataclass
from enum import StrEnum

_HEAD = re.compile(r"\s*([A-Za-z][A-Za-z0-9_]*)\s*")
_MARKS = re.compile(r"[(),]|'(?:[^'\\]|\\.|'')*'", re.DOTALL)
_INTEGERS = frozenset(f"{sign}Int{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64, 128, 256))
_NUMBERS = _INTEGERS | {
    "Float32",
    "Float64",
    "BFloat16",
    "Decimal",
    "Decimal32",
    "Decimal64",
    "Decimal128",
    "Decimal256",
}
_STRINGS = frozenset({"String", "FixedString", "Enum", "Enum8", "Enum16"})
_DATETIMES = frozenset({"DateTime", "DateTime32", "DateTime64"})
_LABELS = _STRINGS | _NUMBERS | {"UUID"}
_TRANSPARENT = ("LowCardinality", "SimpleAggregateFunction")


class Family(StrEnum):
    """A family of types. The value is its name in the contract's description."""

    INTEGER = "integer"
    NUMBER = "number"
    FLAG = "flag"
    STRING = "string"
    LABEL = "label"
    DATETIME = "datetime"
    STRINGS = "strings"
    INTEGERS = "integers"
    REFERENCES = "references"
    VERSIONS = "versions"


# Family -> what it takes, in words, and the type that it is read as.
TAKES: dict[Family, str] = {
    Family.INTEGER: "any Int or UInt",
    Family.NUMBER: "any Int, UInt, Float or Decimal",
    Family.FLAG: "Bool, or any Int or UInt, where 0 is no",
    Family.STRING: "String, FixedString or Enum",
    Family.LABEL: "String, FixedString, Enum, UUID or a number",
    Family.DATETIME: "DateTime or DateTime64 of any precision and time zone",
    Family.STRINGS: "Array(String)",
    Family.INTEGERS: "Array of any Int or UInt",
    Family.REFERENCES: "Array(String), or Array of any Int or UInt",
    Family.VERSIONS: "Array(String), or one String",
}
CANONICAL: dict[Family, str] = {
    Family.INTEGER: "Int64",
    Family.NUMBER: "Float64",
    Family.FLAG: "UInt8",
    Family.STRING: "String",
    Family.LABEL: "String",
    Family.DATETIME: "DateTime64(3, 'UTC')",
    Family.STRINGS: "Array(String)",
    Family.INTEGERS: "Array(Int64)",
    Family.REFERENCES: "Array(String)",
    Family.VERSIONS: "Array(String)",
}
_SCALARS: dict[Family, frozenset[str]] = {
    Family.INTEGER: _INTEGERS,
    Family.NUMBER: _NUMBERS,
    Family.FLAG: _INTEGERS | {"Bool"},
    Family.STRING: _STRINGS,
    Family.LABEL: _LABELS,
    Family.DATETIME: _DATETIMES,
    Family.VERSIONS: _STRINGS,
}
_ELEMENTS: dict[Family, frozenset[str]] = {
    Family.STRINGS: _STRINGS,
    Family.INTEGERS: _INTEGERS,
    Family.REFERENCES: _STRINGS | _INTEGERS,
    Family.VERSIONS: _STRINGS,
}


@dataclass(frozen=True, slots=True)
class Shape:
    """A type as far as families care: its base name (of the elements, for an array) and what is wrapped around it."""

    base: str
    array: bool = False
    nullable: bool = False
    nullable_elements: bool = False


def shape(clickhouse_type: str) -> Shape | None:
    """The shape of a type as DESCRIBE prints it; None for nested arrays and what is no type at all."""
    base, nullable = _peeled(clickhouse_type)
    if base != "Array":
        return Shape(base, nullable=nullable) if base else None
    element, nullable_elements = _peeled(_last_argument(_unwrapped(clickhouse_type)))
    if nullable or not element or element == "Array":
        return None
    return Shape(element, array=True, nullable_elements=nullable_elements)


def accepts(family: Family, clickhouse_type: str, optional: bool) -> bool:
    """Whether a column of this type can be read as the family; Nullable only where the column is optional."""
    found = shape(clickhouse_type)
    if found is None or (found.nullable and not optional):
        return False
    return found.base in (_ELEMENTS if found.array else _SCALARS).get(family, frozenset())


def expected(family: Family, optional: bool) -> str:
    """Completes "must be …"."""
    return f"{family}: {TAKES[family]}" + ("" if optional else ", not Nullable")


def _peeled(text: str) -> tuple[str, bool]:
    """The base name of a type, and whether it may be NULL."""
    text = _unwrapped(text)
    nullable = _head(text) == "Nullable"
    return _head(_unwrapped(_last_argument(text)) if nullable else text), nullable


def _unwrapped(text: str) -> str:
    while _head(text) in _TRANSPARENT:
        text = _last_argument(text)
    return text


def _head(text: str) -> str:
    found = _HEAD.match(text)
    return found[1] if found else ""


def _last_argument(text: str) -> str:
    """`T` of `F(T)` and of `F(x, T)`; empty where there are no brackets."""
    start, end = text.find("("), text.rfind(")")
    if not 0 <= start < end:
        return ""
    depth, last = 0, start + 1
    for mark in _MARKS.finditer(text, start + 1, end):  # a quoted value of an Enum may hold any of the marks
        depth += {"(": 1, ")": -1}.get(mark[0], 0)
        if mark[0] == "," and depth == 0:
            last = mark.end()
    return text[last:end].strip()
