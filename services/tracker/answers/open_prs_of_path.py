"""Which open pull requests touch a path."""

from collections.abc import Sequence

from services.tracker.answers.held import PATH, Anchors
from services.tracker.answers.model import Line, Row, Template, day, quoted
from services.tracker.reads import Statement

_COLUMNS = "source_id, number, title, state, url, component, created_at, updated_at, affected_file_paths"
STATEMENT = Statement(
    "answer.open_prs_of_path",
    "SELECT 'pr' AS kind, source_id, number, title, state, url, component, created_at, updated_at "
    f"FROM {{github_prs({_COLUMNS})}} WHERE state = 'open' AND arrayExists(p -> arrayExists(w -> p = w "
    "OR endsWith(p, concat('/', w)) OR startsWith(p, concat(trimRight(w, '/'), '/')), {paths:Array(String)}), "
    "affected_file_paths) ORDER BY updated_at DESC, source_id LIMIT {limit:UInt32}",
)


def words(rows: Sequence[Row], anchors: Anchors) -> list[Line]:
    return [
        Line(f"Pull request {quoted(row)} touches it and is open, changed on {day(row['updated_at'])}.", row)
        for row in rows
    ]


TEMPLATE = Template(
    name="open_prs_of_path",
    answers="which open pull requests touch a path",
    example="Which open PRs touch src/storage/compaction.rs?",
    statement=STATEMENT,
    params=lambda anchors, limit: {"paths": list(anchors.paths), "limit": limit},
    wording=words,
    tables=("github_prs",),
    anchors=(PATH,),
    intent=("open", "pr", "pull", "touch", "change", "work"),
    searched="open pull requests that change the path",
)
