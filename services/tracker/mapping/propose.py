"""Proposes a mapping for what was found at a source, with how sure it is of each column and why.

A proposal is a draft for a person to read: nothing is saved because of it, and the contract judges it like any other.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from services.tracker.contract.model import Table
from services.tracker.contract.tables import TABLES
from services.tracker.mapping.guess import Guess, guess, guessed_columns, name_factor
from services.tracker.mapping.model import Expression, SourceTable
from services.tracker.mapping.ready_made import Ready, ready_mappings

# A table that is less likely than this is not proposed; an optional one had better be left out than be wrong.
LEAST = {True: 0.4, False: 0.6}
_READY = 0.95
_UNSAID = 0.5  # a ready mapping says that no row is private, since its tables do not say which are


@dataclass(frozen=True, slots=True)
class Inspected:
    """A table of the source: its columns' types as DESCRIBE prints them, and how many rows it has, where known."""

    source: SourceTable
    columns: Mapping[str, str]
    rows: int | None = None


@dataclass(frozen=True, slots=True)
class Proposed:
    """A table of the contract: where it comes from, how sure that is, and each column with its confidence and reasons.

    Confidence is in [0, 1]. `missing` are required columns for which nothing was found. `ready` names the ready mapping
    that was recognised, if one was.
    """

    table: str
    source: SourceTable
    confidence: float
    columns: Mapping[str, Guess]
    missing: tuple[str, ...]
    where: str | None = None
    ready: str | None = None

    def mapped(self) -> dict[str, Any]:
        """The table's part of a mapping. Columns that are found by their own name are left out."""
        columns = {name: found.origin for name, found in self.columns.items() if found.origin != name}
        own = self.source == SourceTable(self.table)
        return {
            **({} if own else {"from": str(self.source)}),
            **({"where": self.where} if self.where else {}),
            **({"columns": columns} if columns else {}),
        }


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the source's tables could be, by contract table, the required ones first."""

    tables: Mapping[str, Proposed]

    def mapping(self) -> dict[str, Any]:
        """The proposal as the JSON of a mapping. Tables that are found as they are, are left out."""
        parts = {name: found.mapped() for name, found in self.tables.items()}
        return {"tables": {name: part for name, part in parts.items() if part}}


def propose(tables: Iterable[Inspected]) -> Proposal:
    """The likeliest mapping of the tables: each serves one table of the contract at most.

    The order of tables and columns changes nothing. Of equally likely tables the one with more rows is taken.
    """
    candidates = [found for inspected in tables for found in _candidates(inspected)]
    candidates.sort(
        key=lambda found: (-found[0].confidence, -(found[1].rows or 0), found[0].table, found[1].source.key)
    )
    chosen: dict[str, Proposed] = {}
    used: set[str] = set()
    for proposed, inspected in candidates:
        if proposed.table not in chosen and inspected.source.key not in used:
            chosen[proposed.table] = proposed
            used.add(inspected.source.key)
    return Proposal({name: chosen[name] for name in TABLES if name in chosen})


def _candidates(inspected: Inspected) -> list[tuple[Proposed, Inspected]]:
    """What the table could be; where a ready mapping knows it, what that says."""
    ready = [found for made in ready_mappings() for found in _recognised(made, inspected)]
    found = ready or [
        guessed
        for table in TABLES.values()
        if (guessed := _guessed(table, inspected)).confidence >= LEAST[table.required]
    ]
    return [(proposed, inspected) for proposed in found]


def _guessed(table: Table, inspected: Inspected) -> Proposed:
    columns = guessed_columns(table, inspected.columns, inspected.source.name == table.name)
    required = table.required_columns
    sure = sum(columns[column.name].confidence for column in required if column.name in columns) / len(required)
    optional = [name for name, column in table.columns.items() if not column.required]
    share = sum(name in columns for name in optional) / len(optional)
    confidence = name_factor(table, inspected.source.name) * (0.7 * sure + 0.3 * min(1.0, 2 * share))
    missing = tuple(column.name for column in required if column.name not in columns)
    return Proposed(table.name, inspected.source, round(confidence, 3), columns, missing)


def _recognised(made: Ready, inspected: Inspected) -> list[Proposed]:
    """The tables of a ready mapping whose tell-tale columns the source table has."""
    tables = [name for name, columns in made.recognised_by.items() if set(columns) <= inspected.columns.keys()]
    return [_from_ready(made, name, inspected) for name in tables if _complete(made, name, inspected)]


def _complete(made: Ready, table: str, inspected: Inspected) -> bool:
    origins = made.parsed.tables[table].columns
    required = {column.name for column in TABLES[table].required_columns}
    return all(_reads(origin, inspected) for name, origin in origins.items() if name in required)


def _reads(origin: str | Expression | None, inspected: Inspected) -> bool:
    if isinstance(origin, Expression):
        return all(parts[0] in inspected.columns for parts in origin.names)
    return origin in inspected.columns


def _from_ready(made: Ready, table: str, inspected: Inspected) -> Proposed:
    written = made.tables[table]
    origins = made.parsed.tables[table].columns
    columns = {
        name: _said(made, name, origin)
        for name, origin in written["columns"].items()
        if _reads(origins[name], inspected)
    }
    found = guessed_columns(TABLES[table], inspected.columns, by_contract=True)
    more = {name: found[name] for name in found if name not in columns and found[name].origin == name}
    confidence = _READY if inspected.source.name == written["from"] else _READY - 0.05
    ordered = {name: {**more, **columns}[name] for name in TABLES[table].columns if name in columns or name in more}
    return Proposed(table, inspected.source, confidence, ordered, (), written.get("where"), made.name)


def _said(made: Ready, name: str, origin: Any) -> Guess:
    if name == "is_private" and origin == {"expr": "0"}:
        return guess(origin, _UNSAID, f"ready mapping {made.name}: its tables do not say which rows are private")
    return guess(origin, _READY, f"ready mapping {made.name}")
