"""What a judged record offers for a table of the contract: the input of the relation that reads it."""

from collections.abc import Mapping
from dataclasses import dataclass

from services.tracker.mapping.model import Expression, SourceTable


@dataclass(frozen=True, slots=True)
class Bound:
    """A contract column's origin: the name of a source column, or an expression, and its ClickHouse type.

    The type is empty where it is not known, which only an expression's may be.
    """

    name: str
    origin: str | Expression
    type: str

    @property
    def shown(self) -> str:
        """The origin as a verdict shows it."""
        return self.origin if isinstance(self.origin, str) else "(expression)"


@dataclass(frozen=True, slots=True)
class Binding:
    """A usable table: its source, the mapping's own condition, and the columns that it has, in the contract's order."""

    table: str
    source: SourceTable
    where: Expression | None
    columns: Mapping[str, Bound]

    def has(self, *columns: str) -> bool:
        """Whether the table offers all of the columns."""
        return all(name in self.columns for name in columns)
