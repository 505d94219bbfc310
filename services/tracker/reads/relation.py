"""What the statement builder needs to know of a source's tables: a sub-select each, in the contract's names and types."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# Of a family: the type that every source's column is read as, and what stands for a column that a source does not offer.
_NOTHING = {
    "integer": "CAST(NULL, 'Nullable(Int64)')",
    "number": "CAST(NULL, 'Nullable(Float64)')",
    "flag": "toUInt8(0)",
    "string": "''",
    "label": "''",
    "datetime": "CAST(NULL, 'Nullable(DateTime64(3, \\'UTC\\'))')",
    "strings": "CAST([], 'Array(String)')",
    "integers": "CAST([], 'Array(Int64)')",
    "references": "CAST([], 'Array(String)')",
    "versions": "CAST([], 'Array(String)')",
}

Shape = Mapping[str, Mapping[str, str]]
"""The contract as the builder sees it: table -> column -> family."""


def shape_of(tables: Mapping[str, Any]) -> Shape:
    """The shape of the contract's tables (`services.tracker.contract.tables.TABLES`)."""
    return {
        name: {column.name: str(column.family) for column in table.columns.values()} for name, table in tables.items()
    }


@dataclass(frozen=True, slots=True)
class Relation:
    """One table of a source: `sql` is one SELECT that yields `columns`, under the contract's names and types."""

    sql: str
    columns: frozenset[str]


def nothing(family: str) -> str:
    """The typed expression that stands for a column which a source does not offer."""
    return _NOTHING[family]
