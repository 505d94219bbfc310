"""What is open in a component."""

from collections.abc import Sequence

from services.tracker.answers.held import COMPONENT, Anchors
from services.tracker.answers.model import Line, Row, Template, quoted
from services.tracker.reads import Statement
from services.tracker.severity import RANK_SQL

_COLUMNS = "source_id, number, title, state, url, component, severity, created_at"
STATEMENT = Statement(
    "answer.component_open_issues",
    f"SELECT 'issue' AS kind, {_COLUMNS} FROM {{github_issues({_COLUMNS})}} "
    "WHERE state = 'open' AND lower(component) IN {components:Array(String)} "
    f"ORDER BY {RANK_SQL}, created_at DESC, source_id LIMIT {{limit:UInt32}}",
)


def words(rows: Sequence[Row], anchors: Anchors) -> list[Line]:
    return [Line(f"Issue {quoted(row)}{_severity(row)} is open in {row['component']}.", row) for row in rows]


def _severity(row: Row) -> str:
    return f" ({row['severity']})" if row["severity"] else ""


TEMPLATE = Template(
    name="component_open_issues",
    answers="what is open in a component",
    example="Which issues are open in the storage component?",
    statement=STATEMENT,
    params=lambda anchors, limit: {"components": [c.lower() for c in anchors.components], "limit": limit},
    wording=words,
    tables=("github_issues",),
    anchors=(COMPONENT,),
    intent=("open", "issue", "bug", "problem", "worst", "severe"),
    searched="open issues of the component, most severe first",
)
