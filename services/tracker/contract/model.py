"""The words that the contract is written in: columns, tables, features."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from services.tracker.contract.families import Family


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the contract.

    `aliases` are other names under which a source may offer it, best first, in snake case; a mapping is not needed for
    those. `values` are the values that the ops understand, where they are few. A `guard` decides which rows may be
    read: a table whose guard cannot be read as its family is not read at all.
    """

    name: str
    family: Family
    required: bool
    aliases: tuple[str, ...]
    meaning: str
    values: tuple[str, ...] = ()
    guard: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the contract. `required` columns make it usable; `hints` are table names that propose it."""

    name: str
    required: bool
    columns: Mapping[str, Column]
    meaning: str
    hints: tuple[str, ...] = ()

    @property
    def required_columns(self) -> tuple[Column, ...]:
        return tuple(column for column in self.columns.values() if column.required)


@dataclass(frozen=True, slots=True)
class Feature:
    """What a record can answer: all of `all_of`, and one at least of `any_of` where there are any.

    Names are `table` or `table.column`. What is in `better_with` makes the answers fuller and is not needed.
    """

    name: str
    meaning: str
    all_of: tuple[str, ...] = ()
    any_of: tuple[str, ...] = ()
    better_with: tuple[str, ...] = ()


def table(name: str, meaning: str, *columns: Column, required: bool = False, hints: str = "") -> Table:
    """A table of these columns; `hints` are separated by blanks."""
    return Table(name, required, MappingProxyType({c.name: c for c in columns}), meaning, tuple(hints.split()))


def needed(name: str, family: Family, meaning: str, aliases: str = "", **more: object) -> Column:
    """A required column; `aliases` are separated by blanks."""
    return Column(name, family, True, tuple(aliases.split()), meaning, **more)  # type: ignore[arg-type]


def optional(name: str, family: Family, meaning: str, aliases: str = "", **more: object) -> Column:
    """A column that a table may lack; `aliases` are separated by blanks."""
    return Column(name, family, False, tuple(aliases.split()), meaning, **more)  # type: ignore[arg-type]
