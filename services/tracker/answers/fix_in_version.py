"""Whether a version has a pull request, or the fix of an issue."""

import re
from collections.abc import Sequence

from services.tracker.answers.backport_status import fixes_and_backports, sentence
from services.tracker.answers.held import NUMBER, VERSION, Anchors
from services.tracker.answers.model import Line, Row, Template, numbered, on_day, quoted
from services.tracker.shipping import bare

STATEMENT = fixes_and_backports("answer.fix_in_version")


def words(rows: Sequence[Row], anchors: Anchors) -> list[Line]:
    lines: list[Line] = []
    for version in anchors.versions:
        inside = [row for row in rows if _is_of(row, bare(version))]
        lines += [Line(_inside(row), row) for row in inside]
        if rows and not inside:
            lines.append(Line(f"No pull request of it went to a branch of {version}."))
            lines += [Line(sentence(row, backported=False), row) for row in rows if not row["backport_of"]]
    return lines


def _inside(row: Row) -> str:
    release = f", in release {row['release']}" if row["release"] else ""
    return f"Pull request {quoted(row)} to {row['base_ref']} is {row['state']}{on_day(row['merged_at'])}{release}."


def _is_of(row: Row, version: str) -> bool:
    """The release itself, or a branch that is named after the version or its line: `release/3.1`, `v3.1.x`."""
    if row["release"] and bare(row["release"]) == version:
        return True
    line = ".".join(version.split(".")[:2])
    return bool(re.search(rf"(?<![0-9.]){re.escape(line)}(?:\.x|\.[0-9]+)?(?![0-9.])", row["base_ref"] or ""))


TEMPLATE = Template(
    name="fix_in_version",
    answers="whether a version has a pull request, or the fix of an issue",
    example="Is the fix of #42 in 2.4.0?",
    statement=STATEMENT,
    params=numbered,
    wording=words,
    tables=("github_prs",),
    anchors=(NUMBER, VERSION),
    intent=(
        "backport",
        "cherry",
        "fix",
        "contain",
        "includ",
        "part",
        "land",
        "miss",
        "got",
        "has",
        "have",
        "does",
        "ship",
        "releas",
    ),
    searched="the pull requests of the number, and their backports to branches of the version",
    nothing="No pull request of it is recorded.",
)
