"""Whether a test is known as flaky."""

from collections.abc import Sequence

from services.tracker.answers.held import TEST, Anchors
from services.tracker.answers.model import Line, Row, Template, quoted
from services.tracker.reads import Statement

_COLUMNS = "source_id, number, title, state, url, component, severity, created_at, tests"
STATEMENT = Statement(
    "answer.flaky_verdict",
    f"SELECT 'issue' AS kind, {_COLUMNS} FROM {{github_issues({_COLUMNS})}} "
    "WHERE hasAny(tests, {tests:Array(String)}) OR multiSearchAny(title, {tests:Array(String)}) "
    "ORDER BY state = 'open' DESC, created_at DESC, source_id LIMIT {limit:UInt32}",
)


def words(rows: Sequence[Row], anchors: Anchors) -> list[Line]:
    return [Line(f"Issue {quoted(row)} names the test and is {row['state']}.", row) for row in rows]


TEMPLATE = Template(
    name="flaky_verdict",
    answers="whether an issue names a test as flaky",
    example="Is test_compaction_keeps_order flaky?",
    statement=STATEMENT,
    params=lambda anchors, limit: {"tests": list(anchors.tests), "limit": limit},
    wording=words,
    tables=("github_issues",),
    anchors=(TEST,),
    intent=("flak", "unstable", "intermit", "known", "issue"),
    searched="issues that name the test",
    nothing="No issue names the test.",
)
