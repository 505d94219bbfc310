"""What brought an issue in, and what a pull request broke."""

from collections.abc import Sequence

from services.tracker.answers.held import NUMBER, Anchors
from services.tracker.answers.model import OF_REPO, REPO, Line, Row, Template, numbered, on_day, quoted
from services.tracker.reads import Statement

_ISSUE = "source_id, number, title, state, url, component, severity, created_at, caused_by"
_PR = "source_id, number, title, state, url, component, created_at, merged_at, base_ref"
STATEMENT = Statement(
    "answer.causes",
    "SELECT * FROM (SELECT 'pr' AS kind, source_id, number, title, state, url, component, '' AS severity, created_at, "
    f"merged_at, base_ref FROM {{github_prs({_PR})}} WHERE {OF_REPO} AND ({REPO}, number) IN "
    f"(SELECT {REPO}, arrayJoin(caused_by) FROM {{github_issues(source_id, number, caused_by)}} "
    "WHERE number IN {numbers:Array(Int64)}) LIMIT 50 "
    "UNION ALL SELECT 'issue' AS kind, source_id, number, title, state, url, component, severity, created_at, "
    f"NULL AS merged_at, '' AS base_ref FROM {{github_issues({_ISSUE})}} "
    f"WHERE {OF_REPO} AND hasAny(caused_by, {{numbers:Array(Int64)}}) LIMIT 50) "
    "ORDER BY created_at DESC, source_id LIMIT {limit:UInt32}",
)


def words(rows: Sequence[Row], anchors: Anchors) -> list[Line]:
    return [Line(_sentence(row), row) for row in rows]


def _sentence(row: Row) -> str:
    if row["kind"] == "issue":
        return f"It is named as the cause of issue {quoted(row)}, which is {row['state']}."
    into = f" into {row['base_ref']}" if row["base_ref"] else ""
    return f"Pull request {quoted(row)}, {row['state']}{on_day(row['merged_at'])}{into}, is named as its cause."


TEMPLATE = Template(
    name="causes",
    answers="what brought an issue in, or what a pull request broke",
    example="What caused #42?",
    statement=STATEMENT,
    params=numbered,
    wording=words,
    tables=("github_issues", "github_prs"),
    anchors=(NUMBER,),
    intent=("caus", "introduc", "brought", "bisect", "blame", "broke", "break", "regress", "culprit", "behind"),
    searched="causes that issues name",
    nothing="No cause is named.",
)
