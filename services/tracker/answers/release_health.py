"""How a release is doing."""

from collections.abc import Sequence

from services.tracker.answers.held import VERSION, Anchors
from services.tracker.answers.model import Line, Row, Template, day
from services.tracker.reads import Statement
from services.tracker.shipping import bare

_COLUMNS = "version, snapshot_at, status, blockers_open, ci_pass_rate, notes"
STATEMENT = Statement(
    "answer.release_health",
    f"SELECT * FROM (SELECT {_COLUMNS} FROM {{release_health({_COLUMNS})}} "
    "WHERE replaceRegexpOne(lower(version), '^v([0-9])', '\\\\1') IN {versions:Array(String)} "
    "ORDER BY snapshot_at DESC LIMIT 1 BY version) LIMIT {limit:UInt32}",
)


def words(rows: Sequence[Row], anchors: Anchors) -> list[Line]:
    return [Line(_sentence(row)) for row in rows]


def _sentence(row: Row) -> str:
    parts = [f"{row['version']} was {row['status'] or 'without a status'} on {day(row['snapshot_at'])}"]
    if row["blockers_open"] is not None:
        parts.append(f"{row['blockers_open']} blockers open")
    if row["ci_pass_rate"] is not None:
        parts.append(
            f"CI passed at {row['ci_pass_rate']:.0%}" if row["ci_pass_rate"] <= 1 else f"CI {row['ci_pass_rate']:g}"
        )
    notes = f" {row['notes'][:300]}" if row["notes"] else ""
    return f"{'; '.join(parts)}.{notes}"


TEMPLATE = Template(
    name="release_health",
    answers="how a release is doing",
    example="How healthy is 2.4.0?",
    statement=STATEMENT,
    params=lambda anchors, limit: {"versions": [bare(version) for version in anchors.versions], "limit": limit},
    wording=words,
    tables=("release_health",),
    anchors=(VERSION,),
    intent=("health", "doing", "ready", "green", "red", "status"),
    searched="health snapshots of the version",
)
