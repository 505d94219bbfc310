"""`CREATE OR REPLACE VIEW` templates with which a team offers its tables under the contract's names."""

from collections.abc import Mapping

from services.tracker.contract.families import CANONICAL, accepts
from services.tracker.contract.matching import found
from services.tracker.contract.model import Column, Table
from services.tracker.contract.quoting import quoted
from services.tracker.contract.tables import TABLES
from services.tracker.contract.verdict import Verdict
from services.tracker.mapping.model import EMPTY, SourceTable
from services.tracker.mapping.model import Mapping as TableMapping

_BLANK: Mapping[str, str] = {
    "Int64": "0",
    "Float64": "0.0",
    "UInt8": "0",
    "String": "''",
    "DateTime64(3, 'UTC')": "toDateTime64(0, 3, 'UTC')",
    "Array(String)": "CAST([] AS Array(String))",
    "Array(Int64)": "CAST([] AS Array(Int64))",
}


def blank(table: str) -> str:
    """A template of the table with every column to fill in; optional columns are commented out."""
    wanted = TABLES[table]
    return _view(wanted, [_line(column, *_to_fill(column)) for column in wanted.columns.values()], "your_table")


def drafted(table: str, source: SourceTable, described: Mapping[str, str]) -> str:
    """A template filled in from what a source table has; columns that nothing was found for are left to fill in.

    Optional columns that were not found are commented out. A view that would take the name of the table that it reads
    is put into another database, since CREATE OR REPLACE would drop the table.
    """
    wanted = TABLES[table]
    names = found(wanted, described)
    lines = [
        _line(column, *_drafted(column, names[name], described[names[name]]), live=True)
        if name in names
        else _line(column, *_to_fill(column))
        for name, column in wanted.columns.items()
    ]
    database = None if source.database is None else quoted(source.database)
    name = quoted(source.name) if database is None else f"{database}.{quoted(source.name)}"
    return _view(wanted, lines, name, "`your_views`." if source.name == table else "")


def drafts(
    verdict: Verdict, described: Mapping[str, Mapping[str, str]], mapping: TableMapping = EMPTY
) -> dict[str, str]:
    """Contract table -> a template, for the tables that the verdict finds fault with: drafted where there is a source."""
    result: dict[str, str] = {}
    for name, judged in verdict.tables.items():
        if judged.problems:
            mapped = mapping.tables.get(name)
            source = mapped.source if mapped else SourceTable(name)
            columns = described.get(source.key)
            result[name] = blank(name) if columns is None else drafted(name, source, columns)
    return result


def _view(table: Table, lines: list[str], source: str, database: str = "") -> str:
    """Commas lead, so that a line can be commented out or in without touching another; the first column is required."""
    columns = "\n".join([lines[0].replace(", ", "  ", 1), *lines[1:]])
    return f"CREATE OR REPLACE VIEW {database}{quoted(table.name)} AS\nSELECT\n{columns}\nFROM {source}"


def _line(column: Column, expression: str, comment: str = "", live: bool = False) -> str:
    mark = "" if live or column.required else "-- "
    return f"    {mark}, {expression}" + (f"  -- {comment}" if comment else "")


def _to_fill(column: Column) -> tuple[str, str]:
    return f"{_blank(column)} AS {column.name}", _told(column)


def _blank(column: Column) -> str:
    """A value of the column's type; nothing is public unless somebody says so."""
    return "1" if column.name == "is_private" else _BLANK[CANONICAL[column.family]]


def _drafted(column: Column, source: str, found_type: str) -> tuple[str, str]:
    origin = quoted(source)
    if accepts(column.family, found_type, not column.required):
        return (origin if source == column.name else f"{origin} AS {column.name}"), ""
    if accepts(column.family, found_type, optional=True):
        return f"ifNull({origin}, {_blank(column)}) AS {column.name}", _told(column)
    return f"{origin} AS {column.name}", f"to convert: it is {' '.join(found_type.split())}. {_told(column)}"


def _told(column: Column) -> str:
    values = f", one of {', '.join(column.values)}" if column.values else ""
    return f"{CANONICAL[column.family]}{values}: {column.meaning}"
