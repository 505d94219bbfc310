"""Which pull requests fix an issue."""

from collections.abc import Sequence

from services.tracker.answers.held import NUMBER, Anchors
from services.tracker.answers.model import OF_REPO, REPO, Line, Row, Template, numbered, on_day, quoted
from services.tracker.reads import Statement

STATEMENT = Statement(
    "answer.fix_of_issue",
    "SELECT 'pr' AS kind, source_id, number, title, state, url, component, created_at, merged_at, base_ref, release, closes "
    "FROM {github_prs(source_id, number, title, state, url, component, created_at, merged_at, base_ref, release, closes)} "
    f"WHERE {OF_REPO} AND (hasAny(closes, {{numbers:Array(Int64)}}) OR ({REPO}, number) IN (SELECT {REPO}, arrayJoin(fixed_by) "
    "FROM {github_issues(source_id, number, fixed_by)} WHERE number IN {numbers:Array(Int64)})) "
    "ORDER BY merged_at DESC, source_id LIMIT {limit:UInt32}",
)


def words(rows: Sequence[Row], anchors: Anchors) -> list[Line]:
    return [Line(_sentence(row), row) for row in rows]


def _sentence(row: Row) -> str:
    text = f"Pull request {quoted(row)} fixes it and is {row['state']}{on_day(row['merged_at'])}"
    text += f" into {row['base_ref']}" if row["base_ref"] and row["state"] == "merged" else ""
    return f"{text}, in release {row['release']}." if row["release"] else f"{text}."


TEMPLATE = Template(
    name="fix_of_issue",
    answers="which pull requests fix an issue",
    example="Which PR fixed #42?",
    statement=STATEMENT,
    params=numbered,
    wording=words,
    tables=("github_prs",),
    anchors=(NUMBER,),
    intent=("fix", "resolv", "solv", "repair", "patch"),
    searched="pull requests that close the issue, and the fixes that the issue lists",
)
