"""Rows of one table on their way into a record."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Batch:
    """Columns of a table of the contract, all of one length. Instants are aware, in UTC."""

    table: str
    columns: Mapping[str, Sequence[Any]]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.columns)

    def rows(self) -> list[tuple[Any, ...]]:
        """The same as rows, in the order of `names`: what `Store.insert` takes."""
        return list(zip(*self.columns.values(), strict=True))


def names(text: str) -> tuple[str, ...]:
    """Names of columns, separated by blanks."""
    return tuple(text.split())


def batch_of(table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Batch:
    """Rows as a batch."""
    values = list(zip(*rows, strict=True)) or [()] * len(columns)
    return Batch(table, dict(zip(columns, values, strict=True)))
