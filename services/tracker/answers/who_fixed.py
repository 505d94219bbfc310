"""Who fixed an issue."""

from collections.abc import Sequence

from services.tracker.answers.held import NUMBER, Anchors
from services.tracker.answers.model import OF_REPO, REPO, Line, Row, Template, numbered, on_day, quoted
from services.tracker.reads import Statement

_COLUMNS = "source_id, number, title, state, url, component, created_at, merged_at, author, closes"
STATEMENT = Statement(
    "answer.who_fixed",
    f"SELECT 'pr' AS kind, {_COLUMNS} FROM {{github_prs({_COLUMNS})}} "
    f"WHERE state = 'merged' AND {OF_REPO} AND (hasAny(closes, {{numbers:Array(Int64)}}) OR ({REPO}, number) IN "
    f"(SELECT {REPO}, arrayJoin(fixed_by) FROM {{github_issues(source_id, number, fixed_by)}} "
    "WHERE number IN {numbers:Array(Int64)})) ORDER BY merged_at, source_id LIMIT {limit:UInt32}",
)


def words(rows: Sequence[Row], anchors: Anchors) -> list[Line]:
    return [
        Line(
            f"{row['author'] or 'Somebody unnamed'} fixed it with {quoted(row)}, merged{on_day(row['merged_at'])}.", row
        )
        for row in rows
    ]


TEMPLATE = Template(
    name="who_fixed",
    answers="who fixed an issue",
    example="Who fixed #42?",
    statement=STATEMENT,
    params=numbered,
    wording=words,
    tables=("github_prs",),
    anchors=(NUMBER,),
    intent=("who", "author", "person", "engineer"),
    searched="merged pull requests that close the issue",
)
