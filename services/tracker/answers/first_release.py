"""Which build or release has a commit first."""

from collections.abc import Sequence

from services.tracker.answers.held import SHA, Anchors
from services.tracker.answers.model import Line, Row, Template, on_day
from services.tracker.reads import Statement

_COLUMNS = "version, branch, sha, pr_number, built_at"
STATEMENT = Statement(
    "answer.first_release",
    f"SELECT {_COLUMNS} FROM {{version_history({_COLUMNS})}} "
    "WHERE arrayExists(s -> startsWith(sha, s), {shas:Array(String)}) ORDER BY built_at, version LIMIT {limit:UInt32}",
)


def words(rows: Sequence[Row], anchors: Anchors) -> list[Line]:
    if not rows:
        return []
    row = rows[0]
    branch = f" on {row['branch']}" if row["branch"] else ""
    return [Line(f"Commit {row['sha'][:12]} is first in {row['version']}{branch}, built{on_day(row['built_at'])}.")]


TEMPLATE = Template(
    name="first_release",
    answers="which build or release has a commit first",
    example="Which release first contains 1f3870be2a4c?",
    statement=STATEMENT,
    params=lambda anchors, limit: {"shas": [sha.lower() for sha in anchors.shas], "limit": limit},
    wording=words,
    tables=("version_history",),
    anchors=(SHA,),
    intent=("release", "first", "contain", "version", "build", "ship", "include"),
    searched="the history of versions, by commit",
)
