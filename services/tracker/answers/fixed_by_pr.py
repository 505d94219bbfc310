"""Which issues a pull request fixes."""

from collections.abc import Sequence

from services.tracker.answers.held import NUMBER, Anchors
from services.tracker.answers.model import OF_REPO, REPO, Line, Row, Template, numbered, quoted
from services.tracker.reads import Statement

STATEMENT = Statement(
    "answer.fixed_by_pr",
    "SELECT 'issue' AS kind, source_id, number, title, state, url, component, severity, created_at "
    "FROM {github_issues(source_id, number, title, state, url, component, severity, created_at, fixed_by)} "
    f"WHERE {OF_REPO} AND (hasAny(fixed_by, {{numbers:Array(Int64)}}) OR ({REPO}, number) IN (SELECT {REPO}, arrayJoin(closes) "
    "FROM {github_prs(source_id, number, closes)} WHERE number IN {numbers:Array(Int64)})) "
    "ORDER BY number, source_id LIMIT {limit:UInt32}",
)


def words(rows: Sequence[Row], anchors: Anchors) -> list[Line]:
    return [Line(f"It fixes issue {quoted(row)}, which is {row['state']}.", row) for row in rows]


TEMPLATE = Template(
    name="fixed_by_pr",
    answers="which issues a pull request fixes",
    example="Which issues does PR #57 fix?",
    statement=STATEMENT,
    params=numbered,
    wording=words,
    tables=("github_issues",),
    anchors=(NUMBER,),
    intent=("issues", "bugs", "closes", "fixes", "pr", "pull", "does"),
    searched="issues that the pull request closes, and issues that list it as their fix",
)
