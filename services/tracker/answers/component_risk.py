"""How risky a component is."""

from collections.abc import Sequence

from services.tracker.answers.held import COMPONENT, Anchors
from services.tracker.answers.model import Line, Row, Template, day
from services.tracker.reads import Statement

_COLUMNS = "component, snapshot_at, score, open_issues, open_severe, trend, owners"
STATEMENT = Statement(
    "answer.component_risk",
    f"SELECT * FROM (SELECT {_COLUMNS} FROM {{component_risk({_COLUMNS})}} "
    "WHERE lower(component) IN {components:Array(String)} "
    "ORDER BY snapshot_at DESC LIMIT 1 BY component) LIMIT {limit:UInt32}",
)


def words(rows: Sequence[Row], anchors: Anchors) -> list[Line]:
    return [Line(_sentence(row)) for row in rows]


def _sentence(row: Row) -> str:
    score = "no score" if row["score"] is None else f"a risk score of {row['score']:g}"
    parts = [f"{row['component']} had {score} on {day(row['snapshot_at'])}"]
    parts += [f"{row[name]} {label}" for name, label in _COUNTS if row[name] is not None]
    parts += [f"trend {row['trend']}"] if row["trend"] else []
    parts += [f"owned by {', '.join(row['owners'])}"] if row["owners"] else []
    return f"{'; '.join(parts)}."


_COUNTS = (("open_issues", "open issues"), ("open_severe", "of them severe"))

TEMPLATE = Template(
    name="component_risk",
    answers="how risky a component is, and who owns it",
    example="How risky is the storage component?",
    statement=STATEMENT,
    params=lambda anchors, limit: {"components": [c.lower() for c in anchors.components], "limit": limit},
    wording=words,
    tables=("component_risk",),
    anchors=(COMPONENT,),
    intent=("risk", "trend", "own", "owner", "owned", "health", "score", "doing"),
    searched="risk snapshots of the component",
)
