"""Which incidents a component had."""

from collections.abc import Sequence

from services.tracker.answers.held import COMPONENT, Anchors
from services.tracker.answers.model import Line, Row, Template, day, quoted
from services.tracker.reads import Statement

_COLUMNS = "id, title, severity, state, started_at, resolved_at, component"
STATEMENT = Statement(
    "answer.incidents",
    f"SELECT 'incident' AS kind, {_COLUMNS} FROM {{core_incidents({_COLUMNS})}} "
    "WHERE lower(component) IN {components:Array(String)} ORDER BY started_at DESC, id LIMIT {limit:UInt32}",
)


def words(rows: Sequence[Row], anchors: Anchors) -> list[Line]:
    return [Line(_sentence(row), row) for row in rows]


def _sentence(row: Row) -> str:
    ended = f", resolved {day(row['resolved_at'])}" if row["resolved_at"] else ", not resolved"
    return f"Incident {quoted(row)} ({row['severity'] or 'no severity'}) started {day(row['started_at'])}{ended}."


TEMPLATE = Template(
    name="incidents",
    answers="which incidents a component had",
    example="Which incidents did the storage component have?",
    statement=STATEMENT,
    params=lambda anchors, limit: {"components": [c.lower() for c in anchors.components], "limit": limit},
    wording=words,
    tables=("core_incidents",),
    anchors=(COMPONENT,),
    intent=("incident", "outage", "down", "page", "alert"),
    restricted=True,
    searched="incidents of the component",
)
