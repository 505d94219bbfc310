"""What tracker_links asks a source: reports and merged changes, oldest first, in pages."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from services.tracker.history.versions import release_line
from services.tracker.reads import Statement
from services.tracker.workers.reading_order import BODY_CHARS

# Of a record with more reports, the newest are fitted.
MOST_REPORTS = 100_000
DIFF_CHARS = 100_000
REPORTS_AT_ONCE, ISSUES_AT_ONCE, PULLS_AT_ONCE = 1_000, 200, 100
# A branch that so many of a repository's merges went to is one of its trunks.
_TRUNK_SHARE = 0.25

_REPORT = (
    "source_id, number, title, body, state, state_reason, created_at, closed_at, component, version, error_codes, frames, "
    "labels, duplicate_of, fixed_by"
)
_PULL = "source_id, number, title, body, merged_at, component, head_ref, base_ref, affected_file_paths, diff, closes"
_US = "ifNull(toUnixTimestamp64Micro(toDateTime64({}, 6, 'UTC')), 0)".format
# The texts have other names than their columns: ClickHouse would put the shortened ones into conditions.
_SHOWN = f"substringUTF8(body, 1, {BODY_CHARS}) AS shown"
_AFTER = "(changed_us, source_id) > ({at:Int64}, {item:String}) ORDER BY changed_us, source_id LIMIT {limit:UInt32}"
_FROM = "fromUnixTimestamp64Micro({at:Int64}, 'UTC')"
_MERGED = "ifNull(merged_at, updated_at)"

# `changed_us` is when a report was filed: the order in which it is read.
REPORTS = Statement(
    "links.reports",
    f"SELECT {_REPORT.replace('body', _SHOWN)}, {_US('created_at')} AS changed_us, {_US('updated_at')} AS updated_us "
    f"FROM {{github_issues({_REPORT}, updated_at)}} WHERE created_at >= {_FROM} AND {_AFTER}",
)
CUTOFF = Statement(
    "links.cutoff",
    f"SELECT min(at) AS at, count() AS reports FROM (SELECT {_US('created_at')} AS at "
    f"FROM {{github_issues(created_at)}} ORDER BY at DESC LIMIT {MOST_REPORTS}) LIMIT 1",
)
PULLS = Statement(
    "links.pulls",
    f"SELECT {_PULL.replace('body', _SHOWN).replace('diff', f'substringUTF8(diff, 1, {DIFF_CHARS}) AS changed')}, "
    f"{_US(_MERGED)} AS changed_us FROM {{github_prs({_PULL}, state, updated_at)}} "
    f"WHERE state = 'merged' AND {_MERGED} >= {_FROM} AND {_AFTER}",
)
BRANCHES = Statement(
    "links.branches",
    "SELECT substring(source_id, 1, position(source_id, '#') - 1) AS repo, ifNull(base_ref, '') AS base, count() AS merges "
    "FROM {github_prs(source_id, base_ref, state)} WHERE state = 'merged' GROUP BY repo, base LIMIT 20000",
)
HIGHEST = tuple(
    Statement(
        f"links.highest_{table}",
        "SELECT substring(source_id, 1, position(source_id, '#') - 1) AS repo, max(number) AS number "
        f"FROM {{{table}(source_id, number)}} GROUP BY repo LIMIT 20000",
    )
    for table in ("github_issues", "github_prs")
)


def highest(rows: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """The largest number of each repository: issues and pull requests count together."""
    found: dict[str, int] = {}
    for row in rows:
        found[row["repo"]] = max(found.get(row["repo"], 0), int(row["number"] or 0))
    return found


def trunks(rows: Iterable[Mapping[str, Any]]) -> dict[str, frozenset[str]]:
    """By repository, the branches that changes are merged into in the first place; release branches are none."""
    merges: dict[str, Counter[str]] = {}
    for row in rows:
        if release_line(row["base"]) is None:
            merges.setdefault(row["repo"], Counter())[row["base"]] += int(row["merges"])
    return {
        repo: frozenset(base for base, count in counted.items() if count >= _TRUNK_SHARE * counted.total())
        for repo, counted in merges.items()
    }


def is_on_trunk(row: Mapping[str, Any], known: Mapping[str, frozenset[str]]) -> bool:
    """Where a source does not say into which branch, every merge counts."""
    repo = str(row["source_id"]).rpartition("#")[0]
    return (row["base_ref"] or "") in known.get(repo, ())
