"""Which build or release has a pull request first."""

from collections.abc import Sequence

from services.tracker.answers.held import NUMBER, Anchors
from services.tracker.answers.model import OF_REPO, Line, Row, Template, numbered, on_day
from services.tracker.reads import Statement

_COLUMNS = "version, branch, sha, pr_number, built_at"
STATEMENT = Statement(
    "answer.first_release_of_pr",
    f"SELECT * FROM (SELECT {_COLUMNS} FROM {{version_history({_COLUMNS})}} "
    "WHERE pr_number IN {numbers:Array(Int64)} OR (pr_number > 0 AND pr_number IN (SELECT number FROM "
    f"{{github_prs(source_id, number, closes)}} WHERE hasAny(closes, {{numbers:Array(Int64)}}) AND {OF_REPO})) "
    "ORDER BY built_at LIMIT 1 BY pr_number) LIMIT {limit:UInt32}",
)


def words(rows: Sequence[Row], anchors: Anchors) -> list[Line]:
    return [Line(_sentence(row)) for row in rows]


def _sentence(row: Row) -> str:
    branch = f" on {row['branch']}" if row["branch"] else ""
    return f"Pull request #{row['pr_number']} is first in {row['version']}{branch}, built{on_day(row['built_at'])}."


TEMPLATE = Template(
    name="first_release_of_pr",
    answers="which build or release has a pull request, or the fix of an issue, first",
    example="Which release first has PR #57?",
    statement=STATEMENT,
    params=numbered,
    wording=words,
    tables=("version_history",),
    anchors=(NUMBER,),
    intent=("release", "first", "contain", "version", "build", "ship", "include"),
    searched="the history of versions, by pull request",
)
