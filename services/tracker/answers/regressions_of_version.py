"""What went wrong with a version."""

from collections.abc import Sequence

from services.tracker.answers.held import VERSION, Anchors
from services.tracker.answers.model import Line, Row, Template, day, quoted
from services.tracker.reads import Statement
from services.tracker.severity import RANK_SQL
from services.tracker.shipping import bare

_COLUMNS = "source_id, number, title, state, url, component, severity, created_at, version, labels, caused_by"
STATEMENT = Statement(
    "answer.regressions_of_version",
    f"SELECT 'issue' AS kind, {_COLUMNS} FROM {{github_issues({_COLUMNS})}} "
    "WHERE replaceRegexpOne(lower(version), '^v([0-9])', '\\\\1') IN {versions:Array(String)} "
    "AND (notEmpty(caused_by) OR positionCaseInsensitive(title, 'regress') > 0 "
    "OR arrayExists(l -> positionCaseInsensitive(l, 'regress') > 0, labels)) "
    f"ORDER BY state = 'open' DESC, {RANK_SQL}, created_at DESC, source_id LIMIT {{limit:UInt32}}",
)


def words(rows: Sequence[Row], anchors: Anchors) -> list[Line]:
    return [Line(_sentence(row), row) for row in rows]


def _sentence(row: Row) -> str:
    cause = f", brought in by #{', #'.join(str(n) for n in row['caused_by'][:3])}" if row["caused_by"] else ""
    return f"Issue {quoted(row)} was reported for {row['version']} on {day(row['created_at'])} and is {row['state']}{cause}."


TEMPLATE = Template(
    name="regressions_of_version",
    answers="which regressions a version has",
    example="What regressed in 2.4.0?",
    statement=STATEMENT,
    params=lambda anchors, limit: {"versions": [bare(version) for version in anchors.versions], "limit": limit},
    wording=words,
    tables=("github_issues",),
    anchors=(VERSION,),
    intent=("regress", "broke", "break", "wrong", "worse", "recent"),
    searched="issues of the version that are called regressions or name a cause",
)
