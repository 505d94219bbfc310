"""A mapping that was read and found good."""

import re
from collections.abc import Mapping as Dict
from dataclasses import dataclass, field

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Expression:
    """One checked ClickHouse expression.

    `sql` is rendered by us from the checked tree: its columns are qualified with `SOURCE` and quoted. `names` are the
    columns that it reads, each as the parts of its name; more than one part where the expression reads into a column.
    """

    sql: str
    names: frozenset[tuple[str, ...]] = frozenset()


@dataclass(frozen=True, slots=True)
class SourceTable:
    """A table of the source; database None is the source's own."""

    name: str
    database: str | None = None

    def __str__(self) -> str:
        return ".".join(written(part) for part in (self.database, self.name) if part is not None)

    @property
    def key(self) -> str:
        """How a described record names it: `table`, or `database.table`; names with dots stand in backticks."""
        return ".".join(f"`{part}`" if "." in part else part for part in (self.database, self.name) if part is not None)


def written(name: str) -> str:
    """The name as a person writes it in a mapping: as it is, or in backticks."""
    return name if _PLAIN.fullmatch(name) else "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"


@dataclass(frozen=True, slots=True)
class MappedTable:
    """Where a table of the contract comes from.

    A column is the name of a source column, an expression, or None where the mapping says that the source has no such
    column. Columns that are not listed are found by their own name or an alias.
    """

    source: SourceTable
    where: Expression | None = None
    columns: Dict[str, str | Expression | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mapping:
    """Contract table -> where it comes from. A table that is not listed is looked for under its own name."""

    tables: Dict[str, MappedTable] = field(default_factory=dict)

    def sources(self) -> tuple[SourceTable, ...]:
        """The tables that the mapping reads, each once, in a fixed order."""
        found = {mapped.source.key: mapped.source for mapped in self.tables.values()}
        return tuple(found[key] for key in sorted(found))


EMPTY = Mapping()
# Every source table of a relation is read under this name; expressions qualify their columns with it.
SOURCE = "_loom_source"
