"""Which customers' cases an issue has."""

from collections.abc import Sequence

from services.tracker.answers.held import NUMBER, Anchors
from services.tracker.answers.model import Line, Row, Template, day, quoted
from services.tracker.reads import Statement

_COLUMNS = "id, title, state, opened_at, closed_at, component, issue_numbers"
STATEMENT = Statement(
    "answer.support_cases",
    f"SELECT 'case' AS kind, {_COLUMNS} FROM {{support_cases({_COLUMNS})}} "
    "WHERE hasAny(issue_numbers, {numbers:Array(Int64)}) ORDER BY opened_at DESC, id LIMIT {limit:UInt32}",
)


def words(rows: Sequence[Row], anchors: Anchors) -> list[Line]:
    return [
        Line(f"Case {quoted(row)} is {row['state'] or 'of unknown state'}, opened {day(row['opened_at'])}.", row)
        for row in rows
    ]


TEMPLATE = Template(
    name="support_cases",
    answers="which support cases an issue has",
    example="Which support cases does #42 have?",
    statement=STATEMENT,
    params=lambda anchors, limit: {"numbers": list(anchors.numbers), "limit": limit},
    wording=words,
    tables=("support_cases",),
    anchors=(NUMBER,),
    intent=("case", "customer", "support", "ticket"),
    restricted=True,
    searched="support cases that name the issue",
)
