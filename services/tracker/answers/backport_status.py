"""Where the backports of a fix are."""

from collections.abc import Sequence

from services.tracker.answers.held import NUMBER, Anchors
from services.tracker.answers.model import OF_REPO, REPO, Line, Row, Template, numbered, on_day, quoted
from services.tracker.reads import Statement

_COLUMNS = (
    "source_id, number, title, state, url, component, created_at, merged_at, base_ref, backport_of, backport_state, "
    "release, labels, closes"
)
_ITS = (
    f"hasAny(closes, {{numbers:Array(Int64)}}) OR ({REPO}, number) IN (SELECT {REPO}, arrayJoin(fixed_by) "
    "FROM {github_issues(source_id, number, fixed_by)} WHERE number IN {numbers:Array(Int64)})"
)


def fixes_and_backports(name: str) -> Statement:
    """The pull requests of these numbers or that fix the issues of these numbers, and the backports of both."""
    return Statement(
        name,
        f"SELECT 'pr' AS kind, {_COLUMNS} FROM {{github_prs({_COLUMNS})}} "
        f"WHERE {OF_REPO} AND (number IN {{numbers:Array(Int64)}} OR {_ITS} OR (backport_of > 0 AND "
        f"(backport_of IN {{numbers:Array(Int64)}} OR ({REPO}, backport_of) IN "
        f"(SELECT {REPO}, number FROM {{github_prs(source_id, number, closes)}} WHERE {_ITS})))) "
        "ORDER BY backport_of > 0, base_ref, created_at, source_id LIMIT {limit:UInt32}",
    )


STATEMENT = fixes_and_backports("answer.backport_status")


def words(rows: Sequence[Row], anchors: Anchors) -> list[Line]:
    backported = {row["backport_of"] for row in rows if row["backport_of"]}
    return [Line(sentence(row, row["number"] in backported), row) for row in rows]


def sentence(row: Row, backported: bool) -> str:
    """`backported` says that a backport of it is recorded."""
    if row["backport_of"]:
        return f"The backport {quoted(row)} to {row['base_ref'] or 'an unknown branch'} is {_state(row)}."
    into = f" into {row['base_ref']}" if row["base_ref"] and row["state"] == "merged" else ""
    text = f"Pull request {quoted(row)} is {row['state']}{on_day(row['merged_at'])}{into}"
    if not backported:
        text += (
            f"; its backport is {row['backport_state']}" if row["backport_state"] else "; no backport of it is recorded"
        )
    asked = [label for label in row["labels"] or () if "backport" in label.lower()][:_LABELS]
    return f"{text} (labelled {', '.join(asked)})." if asked else f"{text}."


def _state(row: Row) -> str:
    release = f", in release {row['release']}" if row["release"] else ""
    return f"{row['state']}{on_day(row['merged_at'])}{release}"


_LABELS = 5
TEMPLATE = Template(
    name="backport_status",
    answers="where the backports of a fix are",
    example="Was the fix of #42 backported?",
    statement=STATEMENT,
    params=numbered,
    wording=words,
    tables=("github_prs",),
    anchors=(NUMBER,),
    intent=("backport", "cherry", "port", "branch", "landed"),
    searched="backports of the pull request, or of the pull requests that fix the issue",
    nothing="No pull request of it is recorded.",
)
