"""What a template of tracker.answer is, and what it is given."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from services.tracker.answers.held import Anchors
from services.tracker.reads import Statement

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Line:
    """One statement of an answer; `row` is what it cites, with `source_id` and `kind`, None for nothing."""

    text: str
    row: Row | None = None


REPO = "splitByChar('#', source_id)[1]"
"""The repository of a row of issues or pull requests, in a statement. Numbers belong to one repository."""
OF_REPO = f"(empty({{repos:Array(String)}}) OR has({{repos:Array(String)}}, {REPO}))"
"""Rows of the repositories that the question names with its numbers; of every one where it names none."""


def numbered(anchors: Anchors, limit: int) -> Mapping[str, Any]:
    """Parameters of statements about items by number."""
    return {"numbers": list(anchors.numbers), "repos": list(anchors.repos), "limit": limit}


Params = Callable[[Anchors, int], Mapping[str, Any]]
Wording = Callable[[Sequence[Row], Anchors], Sequence[Line]]


@dataclass(frozen=True, slots=True)
class Template:
    """One question that a record can answer by one statement.

    `anchors` are the kinds that it needs, each of them; where it needs none it is picked by its words alone. `intent`
    are words (lower case, a stem matches its forms) that speak for it. `tables` must be offered by the source. `nothing` is
    what it says where it was read and found no row.
    """

    name: str
    answers: str
    example: str
    statement: Statement
    params: Params
    wording: Wording
    tables: tuple[str, ...]
    anchors: tuple[str, ...] = ()
    intent: tuple[str, ...] = ()
    restricted: bool = False
    searched: str = field(default="")
    nothing: str = ""


def quoted(row: Row) -> str:
    """How a sentence names an item."""
    title = " ".join(str(row.get("title") or "").split())
    shown = title if len(title) <= 120 else title[:119] + "…"
    name = f"#{row['number']}" if row.get("number") else str(row.get("id") or row.get("source_id") or "")
    return f"{name} “{shown}”" if shown else name


def day(value: Any) -> str:
    """An instant as a day, in UTC."""
    return value.strftime("%Y-%m-%d") if value else ""


def on_day(value: Any) -> str:
    return f" on {day(value)}" if value else ""
