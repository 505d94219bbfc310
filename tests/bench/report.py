"""Tables of results: printed for people, dumped as JSON for programs."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from rich.console import Console
from rich.table import Table as RichTable


@dataclass(slots=True)
class Table:
    """`rows` hold ready texts, `numbers` what they were made from."""

    name: str
    title: str
    columns: Sequence[str]
    rows: list[Sequence[str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    numbers: dict[str, Any] = field(default_factory=dict)


def verdict(what: str, value: float, limit: float, *, at_least: bool) -> str:
    """One line about a target: the number, the target, and whether it is met."""
    met = value >= limit if at_least else value <= limit
    bound = "at least" if at_least else "at most"
    return f"TARGET {what}: {value:.2f}, wanted {bound} {limit:g}: {'met' if met else 'MISSED'}"


def show(tables: Sequence[Table], facts: Mapping[str, str]) -> None:
    """Prints everything; wide enough that no cell is cut when the output goes to a file."""
    console = Console(width=None if Console().is_terminal else 140)
    console.print(_facts(facts))
    for table in tables:
        shown = RichTable(title=table.title, title_justify="left")
        for place, column in enumerate(table.columns):
            shown.add_column(column, justify="left" if place == 0 else "right")
        for row in table.rows:
            shown.add_row(*row)
        console.print()
        console.print(shown)
        for note in table.notes:
            console.print(note, highlight=False, style="bold" if note.startswith("TARGET") else None)


def _facts(facts: Mapping[str, str]) -> RichTable:
    shown = RichTable(title="Machine", title_justify="left", show_header=False)
    for name, value in facts.items():
        shown.add_row(name, value)
    return shown


def as_json(tables: Sequence[Table], facts: Mapping[str, str]) -> dict[str, Any]:
    return {"machine": dict(facts), "tables": [asdict(table) for table in tables]}
