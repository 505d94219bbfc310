"""Words that trackers use for what the contract says in one way."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from services.tracker.record.load.report import Refused

_OPEN = """open opened reopened new
    todo to_do in_progress backlog triage unstarted started in_review active pending unresolved
    selected_for_development accepted confirmed assigned draft locked"""
_CLOSED = """closed close done
    resolved fixed complete completed canceled cancelled wont_fix won_t_fix wontfix duplicate verified
    archived rejected declined invalid not_planned abandoned superseded"""
_MERGED = frozenset({"merged", "merge"})
_NOT_LETTERS = re.compile(r"[^a-z]+")
_DUPLICATE = re.compile(
    r"^\W{0,3}duplicate of\s+(?:([\w.-]+(?:/[\w.-]+)+))?#([0-9]{1,15})\b", re.IGNORECASE | re.MULTILINE
)
_LABEL = re.compile(r"(component|comp|area|module|severity|sev|priority|prio)\s*[:/=]\s*(\S.*)", re.IGNORECASE)
_LABELLED = {"severity": "severity", "sev": "severity", "priority": "severity", "prio": "severity"}
_COMMENTS_READ = 200


def state(word: str | None, *, closed: bool, merged: bool) -> str:
    """`open`, `closed` or `merged`. Dates of closing and merging go before an unknown word."""
    if merged:
        return "merged"
    folded = _NOT_LETTERS.sub("_", (word or "").lower()).strip("_")
    if folded in _MERGED:
        return "merged"
    if folded in _CLOSED.split():
        return "closed"
    if folded in _OPEN.split():
        return "open"
    if closed:
        return "closed"
    raise Refused("state is no known word for open, closed or merged")


def from_labels(labels: Iterable[str]) -> dict[str, str]:
    """Component and severity out of labels such as `area: storage` and `severity/high`."""
    found: dict[str, str] = {}
    for label in labels:
        if match := _LABEL.fullmatch(label.strip()):
            found.setdefault(_LABELLED.get(match[1].lower(), "component"), match[2].strip())
    return found


def duplicate_of(body: str, comments: Any, repo: str) -> int | None:
    """The number in "Duplicate of #7" at the beginning of a line of the body or of a comment; the last one counts."""
    said = [body]
    if isinstance(comments, list):
        bodies = [each.get("body") for each in comments[:_COMMENTS_READ] if isinstance(each, Mapping)]
        said += [each for each in bodies if isinstance(each, str)]
    found = [match for each in said for match in _DUPLICATE.finditer(each) if match[1] in (None, repo)]
    return int(found[-1][2]) if found else None
