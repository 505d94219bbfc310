"""Reads the mapping that is saved with a source.

    {"tables": {"github_issues": {"from": "jira.issues", "where": "project = 'CORE'",
                                  "columns": {"number": "key_no", "labels": {"expr": "splitByChar(',', labels)"}}}}}

`from` is `table` or `database.table`, each in backticks or double quotes if need be; without it the contract's own name
is meant. A column is a source column's name, an expression, or null for an optional column that the source does not
have. Columns that are not listed are found by name and alias.
"""

import json
import re
from collections.abc import Iterator
from collections.abc import Mapping as Dict
from typing import Any

from services.tracker.contract.model import Column, Table
from services.tracker.contract.tables import TABLES
from services.tracker.mapping.expressions import expression
from services.tracker.mapping.model import Expression, MappedTable, Mapping, SourceTable
from services.tracker.mapping.problems import ExpressionError, MappingError, Problem, suggestion

LONGEST_NAME = 256
LONGEST_TEXT = 512 * 1024
_KEYS = ("from", "where", "columns")
_NAME = r"""([A-Za-z_][A-Za-z0-9_]*|`(?:[^`\\\x00]|\\[`\\]|``)+`|"(?:[^"\\\x00]|\\["\\]|"")+")"""
_FROM = re.compile(rf"\s*(?:{_NAME}\s*\.\s*)?{_NAME}\s*")
_FORBIDDEN = frozenset({"system", "information_schema"})
_EXAMPLE = 'write {"tables": {"github_issues": {"from": "database.table", "columns": {"title": "summary"}}}}'


def parse_text(text: str) -> Mapping:
    """The mapping of a JSON text. Raises MappingError with everything that is wrong."""
    if len(text) > LONGEST_TEXT:
        raise MappingError(
            [Problem("$", f"is longer than {LONGEST_TEXT} characters", "map fewer columns, or offer views")]
        )
    twice: list[bool] = []

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        twice.append(len({key for key, _ in found}) != len(found))
        return dict(found)

    try:
        value = json.loads(text, object_pairs_hook=pairs)
    except (ValueError, RecursionError):
        raise MappingError([Problem("$", "is not JSON", _EXAMPLE)]) from None
    if any(twice):
        raise MappingError([Problem("$", "has a key twice in one object", "name each table and column once")])
    return parse(value)


def parse(value: object) -> Mapping:
    """The mapping of decoded JSON. Raises MappingError with everything that is wrong, in the order of the mapping."""
    reader = _Reader()
    mapping = reader.mapping(value)
    if reader.problems:
        raise MappingError(reader.problems)
    return mapping


def table_named(text: str) -> SourceTable | None:
    """The table that `table` or `database.table` names, as in `from`; None where it names none that may be read."""
    return _Reader().source(text, "$")


class _Reader:
    """Reads on past what is wrong, and collects it."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def mapping(self, value: object) -> Mapping:
        found: dict[str, MappedTable] = {}
        for _, name, place, tables in self._entries(value, "$", ["tables"], "key of a mapping"):
            if name == "tables":
                for _, table, at, mapped in self._entries(tables, place, TABLES, "table of the contract"):
                    found[table] = self._table(TABLES[table], mapped, at)
        if not self.problems and not (isinstance(value, dict) and "tables" in value):
            self._wrong("$", "has no tables", _EXAMPLE)
        return Mapping(found)

    def _table(self, table: Table, value: object, place: str) -> MappedTable:
        source, where, columns = SourceTable(table.name), None, {}
        for _, key, at, part in self._entries(value, place, _KEYS, "key of a mapped table"):
            if key == "from":
                source = self.source(part, at) or source
            elif key == "where":
                where = self._expression(part, at)
            else:
                columns = {
                    name: self._column(table.columns[name], origin, column_place)
                    for _, name, column_place, origin in self._entries(part, at, table.columns, "column of the table")
                }
        return MappedTable(source, where, columns)

    def source(self, value: object, place: str) -> SourceTable | None:
        fix = "write table or database.table, with names in backticks if they hold other than letters, digits and _"
        found = _FROM.fullmatch(value) if isinstance(value, str) and len(value) <= 2 * LONGEST_NAME else None
        if found is None or not _is_text(found[0]):
            return self._wrong(place, "does not name a table", fix)
        database, table = (None if part is None else _unquoted(part) for part in found.groups())
        if (database or "").lower() in _FORBIDDEN:
            return self._wrong(place, "names a table of the engine itself", "name a table of the record")
        return SourceTable(table or "", database)

    def _column(self, column: Column, value: object, place: str) -> str | Expression | None:
        if isinstance(value, str):
            if value and len(value) <= LONGEST_NAME and "\x00" not in value and _is_text(value):
                return value
            return self._wrong(place, "does not name a column", "write the name of a column, as the table has it")
        if value is None:
            if column.required or column.guard:
                self._wrong(place, "cannot be left out", 'name a column, or write {"expr": "…"}')
            return None
        for _, _, at, text in self._entries(value, place, ["expr"], "key of a column"):
            return self._expression(text, at)
        if not isinstance(value, dict) or not value:
            self._wrong(place, "is neither a name nor an expression", 'write "column", {"expr": "…"} or null')
        return None

    def _expression(self, value: object, place: str) -> Expression | None:
        if not isinstance(value, str):
            return self._wrong(place, "is not a text", "write one ClickHouse expression in double quotes")
        try:
            return expression(value)
        except ExpressionError as error:
            return self._wrong(place, error.reason, error.fix)

    def _entries(
        self, value: object, place: str, known: Dict[str, Any] | list[str] | tuple[str, ...], what: str
    ) -> Iterator[tuple[int, str, str, Any]]:
        """Position, key, place and value of the entries whose keys are known; the others are problems."""
        if not isinstance(value, dict):
            if what != "key of a column":
                self._wrong(place, "is not an object", _EXAMPLE)
            return
        for i, (key, part) in enumerate(value.items()):
            if isinstance(key, str) and key in known:
                yield i, key, f"{place}.{key}", part
            else:
                some = ", ".join(list(known)[:8]) + (", …" if len(known) > 8 else "")
                self._wrong(f"{place}[{i}]", f"is no {what}", suggestion(str(key), known, f"use one of {some}"))

    def _wrong(self, place: str, reason: str, fix: str) -> None:
        self.problems.append(Problem(place, reason, fix))


def _unquoted(name: str) -> str:
    if name[0] not in '`"':
        return name
    return re.sub(r'\\([`"\\])|([`"])\2', lambda found: found[1] or found[2], name[1:-1])


def _is_text(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)
