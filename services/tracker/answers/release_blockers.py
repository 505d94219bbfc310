"""What blocks a release."""

from collections.abc import Sequence

from services.tracker.answers.held import VERSION, Anchors
from services.tracker.answers.model import REPO, Line, Row, Template, quoted
from services.tracker.reads import Statement
from services.tracker.severity import RANK_SQL
from services.tracker.shipping import bare

_CLOSED = (
    f"({REPO}, number) IN (SELECT {REPO}, arrayJoin(closes) FROM {{github_prs(source_id, state, closes)}} WHERE state ="
)
_COLUMNS = "source_id, number, title, state, url, component, severity, created_at, milestone, labels, fixed_by"
STATEMENT = Statement(
    "answer.release_blockers",
    "SELECT 'issue' AS kind, source_id, number, title, state, url, component, severity, created_at, milestone, fixed_by, "
    "arrayExists(l -> positionCaseInsensitive(l, 'block') > 0, labels) AS labelled, "
    f"{_CLOSED} 'merged') AS fix_merged, {_CLOSED} 'open') AS fix_open "
    f"FROM {{github_issues({_COLUMNS})}} WHERE state = 'open' "
    "AND replaceRegexpOne(lower(milestone), '^v([0-9])', '\\\\1') IN {versions:Array(String)} "
    f"ORDER BY labelled DESC, {RANK_SQL}, created_at, source_id LIMIT {{limit:UInt32}}",
)


def words(rows: Sequence[Row], anchors: Anchors) -> list[Line]:
    return [Line(_sentence(row), row) for row in rows]


def _sentence(row: Row) -> str:
    what = "blocks" if row["labelled"] else "is open for"
    severity = f" ({row['severity']})" if row["severity"] else ""
    return f"Issue {quoted(row)}{severity} {what} {row['milestone']}. {_fix(row)}"


def _fix(row: Row) -> str:
    if row["fix_open"]:
        return "A fix is in review."
    if row["fix_merged"]:
        return "A fix is merged."
    return "A fix is linked." if row["fixed_by"] else "No fix is linked."


TEMPLATE = Template(
    name="release_blockers",
    answers="what blocks a release",
    example="What blocks 2.4.0?",
    statement=STATEMENT,
    params=lambda anchors, limit: {"versions": [bare(version) for version in anchors.versions], "limit": limit},
    wording=words,
    tables=("github_issues",),
    anchors=(VERSION,),
    intent=("block", "ship", "missing", "stand", "prevent", "hold", "remain", "left"),
    searched="open issues that are planned for the version",
    nothing="No open issue is planned for it.",
)
