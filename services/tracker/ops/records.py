"""Statements over issues and pull requests that several ops use, and the item that a row is."""

from collections.abc import Mapping, Sequence
from typing import Any

from services.tracker.outcome import LIST_ITEMS, WORD_CHARS, address, title_of, word
from services.tracker.reads import Statement
from services.tracker.signal.expressions import FAIL_WORDS, folded

Row = Mapping[str, Any]
# Not a column of the contract: which table a row came from.
KIND = "kind"

_ISSUE = (
    "source_id, number, title, state, created_at, updated_at, closed_at, component, severity, url, fixed_by, caused_by, "
    "duplicate_of"
)
_ISSUE_WHOLE = (
    f"{_ISSUE}, body, author, labels, version, error_codes, milestone, state_reason, tests, affected_branches, "
    "triage_reproduces_on, triage_clean_on, bisect_verdict"
)
_PR = (
    "source_id, number, title, state, created_at, updated_at, merged_at, component, url, base_ref, head_sha, closes, "
    "backport_of, backport_state, release"
)
_PR_WHOLE = f"{_PR}, body, author, labels, head_ref, merge_sha, affected_file_paths"
_LISTS = (
    *("labels", "error_codes", "tests", "affected_branches", "triage_reproduces_on", "triage_clean_on"),
    "affected_file_paths",
)


def _shown(columns: str) -> str:
    """The columns, with no more of a list than is shown: a row is read whole, and its lists may be of any length."""
    names = columns.split(", ")
    return ", ".join(
        f"arrayMap(x -> leftUTF8(x, {WORD_CHARS + 1}), arraySlice({name}, 1, {LIST_ITEMS})) AS {name}"
        if name in _LISTS
        else name
        for name in names
    )


_NUMBERED = (
    "WHERE number IN {numbers:Array(Int64)} AND startsWith(source_id, {repo:String}) "
    "ORDER BY updated_at DESC, source_id LIMIT 200"
)

ISSUES = Statement(
    "item.issues",
    f"SELECT 'issue' AS kind, {_shown(_ISSUE_WHOLE)} FROM {{github_issues({_ISSUE_WHOLE})}} {_NUMBERED}",
)
PRS = Statement("item.prs", f"SELECT 'pr' AS kind, {_shown(_PR_WHOLE)} FROM {{github_prs({_PR_WHOLE})}} {_NUMBERED}")

# What a set of items points to (`wanted`) and what points to it.
NEAR_ISSUES = Statement(
    "item.near_issues",
    f"SELECT 'issue' AS kind, {_ISSUE} FROM {{github_issues({_ISSUE})}} "
    "WHERE number IN {wanted:Array(Int64)} OR duplicate_of IN {issues:Array(Int64)} "
    "OR hasAny(fixed_by, {prs:Array(Int64)}) OR hasAny(caused_by, {prs:Array(Int64)}) "
    "ORDER BY updated_at DESC, source_id LIMIT 200",
)
NEAR_PRS = Statement(
    "item.near_prs",
    f"SELECT 'pr' AS kind, {_PR} FROM {{github_prs({_PR})}} "
    "WHERE number IN {wanted:Array(Int64)} OR hasAny(closes, {issues:Array(Int64)}) "
    "OR backport_of IN {prs:Array(Int64)} ORDER BY updated_at DESC, source_id LIMIT 200",
)
# Of several states at one instant the one that failed: nothing is passed because of the order in which rows are kept.
_LAST = f"(check_start_time, {folded('check_status')} IN {FAIL_WORDS}, ifNull(toString(check_status), ''))"
# CI of pull requests and of their backports, which nobody has read yet when this is asked.
CHECKS = Statement(
    "item.checks",
    f"SELECT pull_request_number, commit_sha, check_name, argMax(check_status, {_LAST}) AS status, "
    "max(check_start_time) AS at, argMax(report_url, (check_start_time, ifNull(report_url, ''))) AS report "
    "FROM {checks(pull_request_number, commit_sha, check_name, check_status, check_start_time, report_url)} "
    "WHERE pull_request_number IN {numbers:Array(Int64)} OR pull_request_number IN "
    "(SELECT number FROM {github_prs(number, backport_of)} WHERE backport_of IN {numbers:Array(Int64)}) "
    "GROUP BY pull_request_number, commit_sha, check_name "
    "ORDER BY at DESC, pull_request_number, commit_sha, check_name LIMIT 5000",
)


def once(rows: Sequence[Row]) -> list[Row]:
    """The rows, of an item that a record holds twice the first one. Rows of other things stay as they are."""
    first = {row["source_id"]: row for row in reversed(rows) if row.get("source_id")}
    return [row for row in rows if not row.get("source_id") or first[row["source_id"]] is row]


def item_of(namespace: str, row: Any) -> dict[str, Any]:
    """The fields that every item has, out of a row of either table."""
    return {
        "tracker_namespace": namespace,
        "source_id": word(row["source_id"]),
        "number": row["number"],
        "kind": row[KIND],
        "title": title_of(row.get("title") or ""),
        "state": word(row.get("state")),
        "url": address(row.get("url")),
        "component": word(row.get("component")),
        "severity": word(row.get("severity")),
        "created_at": row.get("created_at"),
    }
