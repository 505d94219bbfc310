"""What the legs of the check ask a source.

Each needle is a parameter of its own: `position` with one needle reads text three times as fast as the functions that look
for many at once (docs/bench.md). Parameters that are left over are empty needles of no weight.
"""

from collections.abc import Sequence
from typing import Any

from services.tracker.reads import Statement
from services.tracker.similar.needles import MOST_NEEDLES, Needle
from services.tracker.similar.walk import POOL

# As many as a fit is made over, so that its probabilities hold for what is asked.
CANDIDATES = POOL
FEW, READ = 60, 300
# Needles that pull requests are looked for by: what they find is shown beside the verdict and takes no part in it.
PULL_NEEDLES = 8
# Of a body, what is compared: the rest of a long report is logs.
BODY_CHARS = 8_000
# Functions of stack frames that are looked for, and terms that are counted where there are no statistics.
NAMES, COUNTED = 8, 60

_COLUMNS = (
    "source_id, number, title, body, state, state_reason, created_at, closed_at, component, severity, version, error_codes, "
    "frames, labels, duplicate_of, fixed_by, url"
)
# The text has another name than its column: ClickHouse would put the shortened one into conditions.
_SELECTED = _COLUMNS.replace("body", f"substringUTF8(body, 1, {BODY_CHARS}) AS shown")
# Two reports of one instant are told apart later, by their numbers.
_BEFORE = "created_at <= fromUnixTimestamp64Milli({before:Int64})"
_WHOLE = "lowerUTF8(concat(title, char(10), body))"
# A needle in the title counts twice, one in either place once.
_EACH = (
    "{{w{0}:Float64}} * ((position(lowerUTF8(title), {{n{0}:String}}) > 0) + (position("
    + _WHOLE
    + ", {{n{0}:String}}) > 0))"
)
_WEIGHTS = [_EACH.format(place) for place in range(MOST_NEEDLES)]
_WEIGHT, _PULL_WEIGHT = " + ".join(_WEIGHTS), " + ".join(_WEIGHTS[:PULL_NEEDLES])
_ORDERED = "ORDER BY weight DESC, number DESC, source_id"
_FOUND = f"WHERE {_BEFORE} AND weight > 0 {_ORDERED}"


def _heaviest(kind: str, columns: str, weight: str, table: str, most: int) -> str:
    """The rows with the largest weight. Those without any are left out last: to filter the record by it takes ClickHouse
    longer than to sort all of it.
    """
    return (
        f"SELECT * FROM (SELECT '{kind}' AS kind, {columns}, {weight} AS weight FROM {table} WHERE {_BEFORE} {_ORDERED} "
        f"LIMIT {most}) WHERE weight > 0"
    )


TEXT = Statement("similar.text", _heaviest("issue", _SELECTED, _WEIGHT, f"{{github_issues({_COLUMNS})}}", CANDIDATES))
# For a source without a fit: how many reports have each needle.
COUNTS = Statement(
    "similar.counts",
    "SELECT count() AS documents, ["
    + ", ".join(f"countIf(position({_WHOLE}, {{n{place}:String}}) > 0)" for place in range(COUNTED))
    + f"] AS counts FROM {{github_issues(title, body, created_at)}} WHERE {_BEFORE} LIMIT 1",
)
_TRACE = "concat(arrayStringConcat(frames, char(10)), char(10), body)"
_NAMED = " + ".join(f"{{u{place}:UInt8}} * (position({_TRACE}, {{f{place}:String}}) > 0)" for place in range(NAMES))
FRAMES = Statement(
    "similar.frames",
    f"SELECT 'issue' AS kind, {_SELECTED}, {_NAMED} AS weight FROM {{github_issues({_COLUMNS})}} {_FOUND} LIMIT {FEW}",
)
NUMBERED = Statement(
    "similar.numbers",
    f"SELECT 'issue' AS kind, {_SELECTED} FROM {{github_issues({_COLUMNS})}} "
    f"WHERE number IN {{numbers:Array(Int64)}} ORDER BY source_id LIMIT {FEW}",
)
# With what they duplicate, since another wave for the roots of buckets would be another scan that all waits for.
BY_ID = Statement(
    "similar.by_id",
    f"SELECT 'issue' AS kind, {_SELECTED} FROM {{github_issues({_COLUMNS})}} "
    "WHERE source_id IN {ids:Array(String)} OR source_id IN ("
    "SELECT concat(substring(source_id, 1, position(source_id, '#')), toString(duplicate_of)) "
    "FROM {github_issues(source_id, duplicate_of)} WHERE duplicate_of > 0 AND source_id IN {ids:Array(String)}) "
    f"LIMIT {2 * READ}",
)

_PR = (
    "source_id, number, title, body, state, created_at, merged_at, component, url, head_ref, closes, affected_file_paths, "
    "backport_of, release"
)
_PR_SELECTED = _PR.replace("body", f"substringUTF8(body, 1, {BODY_CHARS}) AS shown")
# Pull requests that touch the draft's paths: what they fix may be the draft's defect.
TOUCHING = Statement(
    "similar.touching",
    f"SELECT 'pr' AS kind, {_PR_SELECTED} FROM {{github_prs({_PR})}} WHERE {_BEFORE} "
    "AND arrayExists(p -> arrayExists(w -> p = w OR endsWith(p, concat('/', w)), {paths:Array(String)}), "
    f"affected_file_paths) ORDER BY created_at DESC, source_id LIMIT {FEW}",
)
PULLS = Statement("similar.prs", _heaviest("pr", _PR_SELECTED, _PULL_WEIGHT, f"{{github_prs({_PR})}}", FEW))
# Pull requests that fix the shown reports, and backports of them, with when their release came out: releases are named
# with and without a `v`.
FIXING = Statement(
    "similar.fixing",
    "SELECT p.source_id AS source_id, p.number AS number, p.state AS state, p.merged_at AS merged_at, "
    "p.release AS release, p.closes AS closes, p.backport_of AS backport_of, "
    "notEmpty(r.version) AS is_listed, r.released_at AS released_at "
    "FROM (SELECT source_id, number, state, merged_at, release, closes, backport_of, "
    "trimLeft(lower(release), 'v') AS plain "
    "FROM {github_prs(source_id, number, state, merged_at, release, closes, backport_of)} "
    "WHERE number IN {fixes:Array(Int64)} OR hasAny(closes, {issues:Array(Int64)}) "
    "OR backport_of IN {fixes:Array(Int64)}) AS p "
    "LEFT ANY JOIN (SELECT version, released_at, trimLeft(lower(version), 'v') AS plain "
    "FROM {releases(version, released_at)}) AS r ON p.plain = r.plain ORDER BY source_id LIMIT 300",
)


def weighing(needles: Sequence[Needle], before: int) -> dict[str, Any]:
    """Parameters of TEXT and PULLS. `before` is in milliseconds."""
    texts = [each.text for each in needles[:MOST_NEEDLES]]
    weights = [float(each.weight) for each in needles[:MOST_NEEDLES]]
    spare = [0.0] * (MOST_NEEDLES - len(weights))
    return {**_numbered("n", texts, MOST_NEEDLES), **_named("w", [*weights, *spare]), "before": before}


def counting(needles: Sequence[Needle], before: int) -> dict[str, Any]:
    """Parameters of COUNTS, for COUNTED needles at most."""
    return {**_numbered("n", [each.text for each in needles], COUNTED), "before": before}


def naming(names: Sequence[str], before: int) -> dict[str, Any]:
    """Parameters of FRAMES, for NAMES names at most."""
    used = [int(place < len(names)) for place in range(NAMES)]
    return {**_numbered("f", names, NAMES), **_named("u", used), "before": before}


def _numbered(letter: str, texts: Sequence[str], count: int) -> dict[str, Any]:
    return _named(letter, [*texts[:count], *[""] * (count - len(texts))])


def _named(letter: str, values: Sequence[Any]) -> dict[str, Any]:
    return {f"{letter}{place}": value for place, value in enumerate(values)}
