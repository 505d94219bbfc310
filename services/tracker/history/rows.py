"""Reading rows of the record: absent and None are alike, instants are aware, shas match by prefix."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

Row = Mapping[str, Any]

SHORTEST_SHA = 7


def text(row: Row, name: str) -> str:
    value = row.get(name)
    return "" if value is None else str(value)


def number(row: Row, name: str = "number") -> int:
    return int(row.get(name) or 0)


def texts(row: Row, name: str) -> list[str]:
    """A list column, or a text column of one or several names parted by commas; without empty ones."""
    value = row.get(name)
    parts = value.split(",") if isinstance(value, str) else (value or ())
    return [str(part).strip() for part in parts if str(part).strip()]


def numbers(row: Row, name: str) -> list[int]:
    return [int(part) for part in row.get(name) or ()]


def instant(row: Row, name: str) -> datetime | None:
    """Aware; a datetime without a zone is UTC."""
    value = row.get(name)
    if not isinstance(value, datetime):
        return None
    return value if value.tzinfo else value.replace(tzinfo=UTC)


def same_sha(left: str | None, right: str | None) -> bool:
    """Equal, or one is the beginning of the other, of SHORTEST_SHA characters at least."""
    shorter, longer = sorted(((left or "").casefold(), (right or "").casefold()), key=len)
    return bool(shorter) and (shorter == longer or (len(shorter) >= SHORTEST_SHA and longer.startswith(shorter)))


def merged(row: Row) -> bool:
    return text(row, "state").casefold() == "merged" or row.get("merged_at") is not None


def by_number(rows: Iterable[Row]) -> dict[int, Row]:
    """Of several rows of one number the one updated last; the same whatever their order."""
    latest: dict[int, Row] = {}
    for row in sorted(rows, key=_age):
        latest[number(row)] = row
    return latest


def _age(row: Row) -> Sequence[Any]:
    updated = instant(row, "updated_at")
    return (updated.timestamp() if updated else float("-inf"), repr(sorted((k, str(v)) for k, v in row.items())))
