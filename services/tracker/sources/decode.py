"""A source's rows, out of JSONCompactEachRowWithNamesAndTypes, as plain Python values.

Chosen over ClickHouse's binary format because a hostile source cannot make the reader allocate what was not sent, and
because it needs no setting: 64-bit numbers are read quoted or not, instants in each of the server's notations.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from itertools import chain
from typing import Any
from zoneinfo import ZoneInfo

import orjson

from services.tracker.sources.faults import Kind, SourceFault, of_text
from services.tracker.sources.model import Row

FORMAT = "JSONCompactEachRowWithNamesAndTypes"
_NESTED = 32  # brackets in a type: more is nobody's, and would go deep
Read = Callable[[Any], Any]
_WRAPPERS = ("LowCardinality(", "Nullable(", "SimpleAggregateFunction(")


class RowReader:
    """Takes a result's lines as they come; `count` rows came so far."""

    def __init__(self, zone: tzinfo = UTC) -> None:
        self._zone = zone
        self._names: list[str] | None = None
        self._reads: list[Read] | None = None
        self._lines: list[list[Any]] = []

    @property
    def count(self) -> int:
        return len(self._lines)

    def line(self, line: bytes) -> None:
        """One line. SourceFault where it is no row: the server's error, or no ClickHouse."""
        if not line:
            return
        values = self._values(line)
        if self._names is None:
            self._names = [str(name) for name in values]
        elif self._reads is None:
            self._reads = [_checked_reader(found, self._zone) for found in values]
        else:
            self._lines.append(values)

    def rows(self) -> list[Row]:
        """The rows that came. SourceFault where not even the result's head came, or a value is none of its type."""
        if self._reads is None or self._names is None:
            raise SourceFault(Kind.NOT_CLICKHOUSE)
        try:
            # By columns, which is a third of the time by rows: most columns need no look at each value.
            columns = [
                _column(read, values) for read, values in zip(self._reads, zip(*self._lines, strict=True), strict=False)
            ]
        except (ValueError, TypeError, ArithmeticError, OSError):
            raise SourceFault(Kind.NOT_CLICKHOUSE) from None
        return [dict(zip(self._names, row, strict=True)) for row in zip(*columns, strict=True)]

    def _values(self, line: bytes) -> list[Any]:
        try:
            values = _loads(line)
        except orjson.JSONDecodeError:
            raise of_text(line) from None
        if not isinstance(values, list) or (self._names is not None and len(values) != len(self._names)):
            raise of_text(line)
        return values


def _column(read: Read, values: Sequence[Any]) -> Sequence[Any]:
    if isinstance(read, _Items) and {list}.issuperset(map(type, values)):
        if _are_unchanged(read.item, chain.from_iterable(values)):
            return values
    elif _are_unchanged(read, values):
        return values
    return [None if value is None else read(value) for value in values]


def _are_unchanged(read: Read, values: Iterable[Any]) -> bool:
    unchanged = _UNCHANGED.get(read)
    return unchanged is not None and unchanged.issuperset(map(type, values))


def _checked_reader(kind: Any, zone: tzinfo) -> Read:
    try:
        if isinstance(kind, str) and kind.count("(") <= _NESTED:
            return reader_of(kind, zone)
    except ValueError:
        pass
    raise SourceFault(Kind.NOT_CLICKHOUSE)


def _loads(line: bytes) -> Any:
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        # Bytes that are no Unicode pass through ClickHouse as they are.
        return orjson.loads(line.decode("utf-8", "replace"))


def reader_of(clickhouse_type: str, zone: tzinfo = UTC) -> Read:
    """What turns a JSON value of that type into ours; a type that has no rule stays what JSON says."""
    kind = clickhouse_type.strip()
    while kind.startswith(_WRAPPERS):
        kind = _argument(kind)
    if kind.startswith("Array("):
        return _Items(reader_of(_argument(kind), zone))
    if kind.startswith(("Int", "UInt")) and not kind.startswith("Interval"):
        return _int
    if kind.startswith(("Float", "Decimal", "BFloat")):
        return float
    if kind.startswith("DateTime"):
        inside = _zone_of(kind, zone)
        return lambda value: _instant(value, inside)
    if kind in ("Date", "Date32"):
        return lambda value: date.fromisoformat(value)
    if kind == "Bool":
        return _flag
    return _text if kind.startswith(("String", "FixedString", "Enum", "UUID")) else lambda value: value


@dataclass(frozen=True, slots=True)
class _Items:
    """Reads an array, item by item."""

    item: Read

    def __call__(self, values: Any) -> list[Any]:
        if not isinstance(values, list):
            raise TypeError
        return [None if value is None else self.item(value) for value in values]


def _argument(kind: str) -> str:
    inner = kind[kind.index("(") + 1 : kind.rindex(")")]
    return inner.split(",", 1)[1].strip() if kind.startswith("SimpleAggregateFunction(") else inner.strip()


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _int(value: Any) -> int:
    return int(value)


def _flag(value: Any) -> bool:
    return bool(int(value)) if not isinstance(value, bool) else value


# Types of JSON values that a reader gives back as they are.
_UNCHANGED: dict[Read, frozenset[type]] = {
    _text: frozenset({str, type(None)}),
    _int: frozenset({int, type(None)}),
    _flag: frozenset({bool, type(None)}),
}


def _zone_of(kind: str, default: tzinfo) -> tzinfo:
    parts = kind.split("'")
    return zone(parts[1]) if len(parts) > 2 else default


def zone(name: str) -> tzinfo:
    """A time zone by its name; UTC where this machine does not know it."""
    if name in ("", "UTC"):
        return UTC
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        return UTC


def _instant(value: Any, inside: tzinfo) -> datetime | None:
    """`2026-01-02 03:04:05.678` in the column's zone, the same with T and Z, or seconds since 1970."""
    if isinstance(value, int | float):
        return datetime.fromtimestamp(value, UTC)
    text = str(value)
    if text.startswith("0000-"):
        return None
    if "-" not in text:
        return datetime.fromtimestamp(float(text), UTC)
    found = datetime.fromisoformat(text)
    found = found if found.tzinfo else found.replace(tzinfo=inside)
    return found if found.tzinfo is UTC else found.astimezone(UTC)
