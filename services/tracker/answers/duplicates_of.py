"""Which reports say the same as an issue, as the tracker marks them."""

from collections.abc import Sequence

from services.tracker.answers.held import NUMBER, Anchors
from services.tracker.answers.model import OF_REPO, REPO, Line, Row, Template, numbered, quoted
from services.tracker.reads import Statement

_COLUMNS = "source_id, number, title, state, url, component, severity, created_at, duplicate_of"
STATEMENT = Statement(
    "answer.duplicates_of",
    f"SELECT 'issue' AS kind, {_COLUMNS} FROM {{github_issues({_COLUMNS})}} "
    f"WHERE {OF_REPO} AND (duplicate_of IN {{numbers:Array(Int64)}} OR ({REPO}, number) IN (SELECT {REPO}, duplicate_of FROM "
    "{github_issues(source_id, number, duplicate_of)} WHERE number IN {numbers:Array(Int64)} AND duplicate_of > 0)) "
    "ORDER BY created_at, source_id LIMIT {limit:UInt32}",
)


def words(rows: Sequence[Row], anchors: Anchors) -> list[Line]:
    return [Line(_sentence(row, anchors), row) for row in rows]


def _sentence(row: Row, anchors: Anchors) -> str:
    if row["duplicate_of"] in anchors.numbers:
        return f"Issue {quoted(row)} is marked as its duplicate and is {row['state']}."
    return f"It is marked as a duplicate of issue {quoted(row)}, which is {row['state']}."


TEMPLATE = Template(
    name="duplicates_of",
    answers="which reports the tracker marks as duplicates of an issue",
    example="Are there duplicates of #42?",
    statement=STATEMENT,
    params=numbered,
    wording=words,
    tables=("github_issues",),
    anchors=(NUMBER,),
    intent=("duplicat", "dup", "dupe", "same", "already", "before", "reported", "known"),
    searched="issues that are marked as duplicates, either way",
    nothing="The tracker marks no duplicates of it.",
)
