"""What became of an issue or a pull request."""

from collections.abc import Sequence

from services.tracker.answers.held import NUMBER, Anchors
from services.tracker.answers.model import OF_REPO, Line, Row, Template, on_day, quoted
from services.tracker.reads import Statement

_ISSUE = "source_id, number, title, state, url, component, severity, created_at, closed_at, state_reason"
_PR = "source_id, number, title, state, url, component, created_at, merged_at, base_ref"
STATEMENT = Statement(
    "answer.item_status",
    "SELECT * FROM (SELECT 'issue' AS kind, source_id, number, title, state, url, component, severity, created_at, "
    "closed_at AS ended_at, state_reason AS detail "
    f"FROM {{github_issues({_ISSUE})}} WHERE number IN {{numbers:Array(Int64)}} AND {OF_REPO} LIMIT 50 "
    "UNION ALL SELECT 'pr' AS kind, source_id, number, title, state, url, component, '' AS severity, created_at, "
    "merged_at AS ended_at, base_ref AS detail "
    f"FROM {{github_prs({_PR})}} WHERE number IN {{numbers:Array(Int64)}} AND {OF_REPO} LIMIT 50) "
    "ORDER BY number, source_id LIMIT 50",
)


def words(rows: Sequence[Row], anchors: Anchors) -> list[Line]:
    return [Line(_sentence(row), row) for row in rows]


def _sentence(row: Row) -> str:
    what = "Issue" if row["kind"] == "issue" else "Pull request"
    text = f"{what} {quoted(row)} is {row['state']}{on_day(row['ended_at'])}"
    if row["kind"] == "pr" and row["state"] == "merged" and row["detail"]:
        text += f" into {row['detail']}"
    if row["kind"] == "issue" and row["detail"]:
        text += f" ({row['detail']})"
    extra = [name for name in (row["component"], row["severity"]) if name]
    return f"{text}; {', '.join(extra)}." if extra else f"{text}."


TEMPLATE = Template(
    name="item_status",
    answers="what became of an issue or a pull request",
    example="What is the state of #42?",
    statement=STATEMENT,
    params=lambda anchors, limit: {"numbers": list(anchors.numbers), "repos": list(anchors.repos)},
    wording=words,
    tables=("github_issues",),
    anchors=(NUMBER,),
    intent=("state", "status", "open", "closed", "happen", "about", "what"),
    searched="issues and pull requests by number",
)
