"""The state of CI at a pull request's newest commit, out of the latest state of each of its checks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from services.tracker.signal.statuses import FAILED as FAILED_WORDS
from services.tracker.signal.statuses import PASSED as PASSED_WORDS
from services.tracker.signal.statuses import fold

PASSED, FAILED, RUNNING = "passed", "failed", "running"
# A check as a whole: what was cancelled or waits for somebody holds a merge up, and what was skipped does not.
_HELD = frozenset({"cancel", "cancelled", "canceled", "actionrequired", "unstable"})
_DONE = frozenset({"completed", "neutral", "skip", "skipped"})


@dataclass(frozen=True, slots=True)
class Ci:
    """`verdict` is empty where nothing is known."""

    verdict: str = ""
    failed: list[str] = field(default_factory=list)
    report_url: str = ""


def latest(rows: Iterable[Mapping[str, Any]], heads: Mapping[int, str]) -> dict[int, Ci]:
    """By pull request: the state at its head, or where that is not known at the commit that ran last.

    Rows have pull_request_number, commit_sha, check_name, status, at, report, newest first.
    """
    by_pr: dict[int, list[Mapping[str, Any]]] = {}
    for row in rows:
        by_pr.setdefault(int(row["pull_request_number"]), []).append(row)
    return {number: _state(_at_head(found, heads.get(number, ""))) for number, found in by_pr.items()}


def _at_head(rows: list[Mapping[str, Any]], head: str) -> list[Mapping[str, Any]]:
    at_head = [row for row in rows if head and row["commit_sha"] == head]
    if at_head or head:
        # Checks of an older commit say nothing of the one that would be merged.
        return at_head
    newest = max(rows, key=lambda row: row["at"])["commit_sha"]
    return [row for row in rows if row["commit_sha"] == newest]


def _state(rows: list[Mapping[str, Any]]) -> Ci:
    if not rows:
        return Ci()
    words = {str(row["check_name"]): fold(str(row["status"])) for row in rows}
    failed = sorted(name for name, word in words.items() if word in FAILED_WORDS | _HELD)
    report = next((row["report"] for row in rows if row["report"] and str(row["check_name"]) in failed), "")
    report = report or next((row["report"] for row in rows if row["report"]), "")
    if failed:
        return Ci(FAILED, failed, report)
    return Ci(PASSED if all(word in PASSED_WORDS | _DONE for word in words.values()) else RUNNING, [], report)
