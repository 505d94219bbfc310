"""Rows that a call brings: JSON objects to batches, and what could not be taken, by its place."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from services.tracker.contract.tables import TABLES
from services.tracker.record.batch import Batch
from services.tracker.record.load.cells import empty
from services.tracker.record.load.report import FileReport
from services.tracker.record.load.report import Refused as RefusedRecord
from services.tracker.record.load.rows import Row, Rows


@dataclass(frozen=True, slots=True)
class Refused:
    """A row that was not taken: its place, from 0, and why, without any of its values."""

    index: int
    reason: str


@dataclass(slots=True)
class Incoming:
    """The rows that can be taken, by table, and the others. `count` is how many can."""

    batches: list[Batch] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)

    @property
    def count(self) -> int:
        return sum(len(batch) for batch in self.batches)


def incoming(table: str, found: Sequence[Any]) -> Incoming:
    """Rows for `table`, one of the contract. Issues that say that they are pull requests are taken as such."""
    rows, taken = Rows(table, "", FileReport("")), Incoming()
    by_table: dict[str, list[Row]] = {}
    for index, record in enumerate(found):
        if not isinstance(record, dict):
            taken.refused.append(Refused(index, "must be an object"))
            continue
        try:
            home, row = rows.row(record)
        except RefusedRecord as reason:
            taken.refused.append(Refused(index, str(reason)))
        else:
            by_table.setdefault(home, []).append(row)
    taken.batches = [batch(home, good) for home, good in by_table.items()]
    return taken


def batch(table: str, rows: Sequence[Row]) -> Batch:
    """Columns that any of the rows has, in the contract's order; a row without one has it empty."""
    present = set(chain.from_iterable(rows))
    columns = {}
    for name, column in TABLES[table].columns.items():
        if name in present:
            columns[name] = [row[name] if name in row else empty(column.family) for row in rows]
    return Batch(table, columns)
