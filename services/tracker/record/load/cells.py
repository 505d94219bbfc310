"""Cells as exports have them, to values of the contract's families.

Exports write one thing in many ways: an author as text or object, labels as a list of objects or a text with commas, an
instant in any offset or as seconds since 1970. Each function gives the value, None for "nothing there", or raises
Refused with a reason that does not quote it.
"""

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

from services.tracker.contract.families import Family
from services.tracker.record.load.report import Refused

EXACT = 2**53
_NAMES = ("login", "username", "name", "title", "path", "filename", "new_path", "text", "key", "value", "displayName")
_NUMBERS = ("number", "iid")
_FLAGS = {"true": 1, "t": 1, "yes": 1, "1": 1, "false": 0, "f": 0, "no": 0, "0": 0}
_WHOLE = re.compile(r"[+-]?[0-9]+(?:\.0+)?")
_REFERENCE = re.compile(r"(?:[\w.-]+(?:/[\w.-]+)+)?[#!]([0-9]{1,15})|https?://\S*/([0-9]{1,15})/?")
_SEPARATORS = re.compile(r"[,;|]")
_FIRST_YEAR, _LAST_YEAR = 1970, 2299
_EPOCHS = ((1e11, 1.0), (1e14, 1e3), (1e17, 1e6))  # below the bound: seconds, milli-, microseconds
_OFFSET = re.compile(r"([+-][0-9]{2})([0-9]{2})$")


def text(cell: Any) -> str | None:
    """One text; of an object its name, of a list its first entry's."""
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, bytes):
        return cell.decode("utf-8", "replace")
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, int | float | Decimal):
        return str(int(cell)) if _integral(cell) else str(cell)
    if isinstance(cell, datetime | date):
        return cell.isoformat()
    if isinstance(cell, Mapping):
        return text(next((cell[name] for name in _NAMES if cell.get(name) and isinstance(cell[name], str)), None))
    if isinstance(cell, Sequence):
        return text(cell[0]) if cell and not isinstance(cell[0], list) else None
    raise Refused("must be text")


def integer(cell: Any) -> int | None:
    """A whole number up to 2^53, of which a text or an object with a number is one too."""
    if isinstance(cell, Mapping):
        cell = next((cell[name] for name in (*_NUMBERS, "totalCount") if name in cell), None)
    if cell is None or cell == "":
        return None
    if isinstance(cell, str):
        plain = cell.strip().removeprefix("#")
        if not _WHOLE.fullmatch(plain) or len(plain) > 40:
            raise Refused("must be a whole number")
        cell = int(plain.partition(".")[0])
    if isinstance(cell, bool) or not isinstance(cell, int | float | Decimal) or not _integral(cell):
        raise Refused("must be a whole number")
    if abs(cell) > EXACT:
        raise Refused("must not be beyond 2^53")
    return int(cell)


def number(cell: Any) -> float | None:
    """A finite number."""
    if cell is None or cell == "":
        return None
    try:
        value = float(cell)
    except (TypeError, ValueError, OverflowError):
        raise Refused("must be a number") from None
    if isinstance(cell, bool) or not math.isfinite(value):
        raise Refused("must be a finite number")
    return value


def flag(cell: Any) -> int | None:
    """1 or 0."""
    if cell is None or cell == "":
        return None
    if isinstance(cell, bool | int | float) and cell in (0, 1):
        return int(cell)
    known = _FLAGS.get(cell.strip().lower()) if isinstance(cell, str) else None
    if known is None:
        raise Refused("must be a flag: true, false, 1 or 0")
    return known


def instant(cell: Any) -> datetime | None:
    """An instant in UTC; without an offset it is taken as UTC. The year 1 stands for none in some exports."""
    if cell is None or cell == "":
        return None
    try:
        found = _instant(cell)
        if found.year == 1:
            return None
        found = found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError, TypeError):
        raise Refused("must be an instant, such as 2026-01-31T12:00:00Z") from None
    if not _FIRST_YEAR <= found.year <= _LAST_YEAR:
        raise Refused(f"must be an instant of the years {_FIRST_YEAR} to {_LAST_YEAR}")
    return found


def texts(cell: Any) -> list[str]:
    """A list of texts: of texts, of objects with a name, as JSON, or separated by commas."""
    return [each for each in (text(entry) for entry in _entries(cell)) if each]


def integers(cell: Any) -> list[int]:
    """A list of numbers, of which `#7`, `Org/repo#7` and an address that ends in the number are others."""
    found = []
    for entry in _entries(cell):
        if isinstance(entry, str) and (reference := _REFERENCE.fullmatch(entry.strip())):
            entry = int(reference[1] or reference[2])
        value = integer(entry)
        if value is not None:
            found.append(value)
    return found


def _integral(value: int | float | Decimal) -> bool:
    return isinstance(value, int) or (math.isfinite(value) and value == int(value))


def _instant(cell: Any) -> datetime:
    if isinstance(cell, datetime):
        return cell
    if isinstance(cell, date):
        return datetime(cell.year, cell.month, cell.day, tzinfo=UTC)
    if isinstance(cell, str):
        plain = cell.strip()
        if not _WHOLE.fullmatch(plain) or len(plain) == 8:  # 20260131 is a day
            return datetime.fromisoformat(_OFFSET.sub(r"\1:\2", plain.removesuffix(" UTC")))
        cell = int(plain.partition(".")[0])
    if isinstance(cell, bool) or not isinstance(cell, int | float | Decimal):
        raise ValueError
    factor = next(factor for bound, factor in (*_EPOCHS, (math.inf, 1e9)) if abs(cell) < bound)
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=float(cell) / factor)


def _entries(cell: Any) -> Sequence[Any]:
    if cell is None or cell == "":
        return ()
    if isinstance(cell, Mapping):
        nodes = cell.get("nodes")
        return nodes if isinstance(nodes, list) else (cell,)
    if isinstance(cell, str):
        return _listed(cell.strip())
    if isinstance(cell, list | tuple):
        return cell
    return (cell,)


def _listed(cell: str) -> Sequence[Any]:
    """Of a text: a JSON array, ClickHouse's array of quoted texts, or parts between separators."""
    if cell.startswith("[") and cell.endswith("]"):
        for form in (cell, cell.replace("'", '"')):
            try:
                found = json.loads(form)
            except (ValueError, RecursionError):
                continue
            return found if isinstance(found, list) else ()
    return [part.strip() for part in _SEPARATORS.split(cell)]


CONVERT: dict[Family, Callable[[Any], Any]] = {
    Family.STRING: text,
    Family.LABEL: text,
    Family.INTEGER: integer,
    Family.NUMBER: number,
    Family.FLAG: flag,
    Family.DATETIME: instant,
    Family.STRINGS: texts,
    Family.VERSIONS: texts,
    Family.REFERENCES: texts,
    Family.INTEGERS: integers,
}
_EMPTY: dict[Family, Callable[[], Any]] = {
    Family.STRING: str,
    Family.LABEL: str,
    Family.STRINGS: list,
    Family.VERSIONS: list,
    Family.REFERENCES: list,
    Family.INTEGERS: list,
    Family.FLAG: int,
}


def empty(family: Family) -> Any:
    """What stands for nothing in an optional column: None for numbers and instants."""
    return _EMPTY.get(family, lambda: None)()
