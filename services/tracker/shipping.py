"""Whether a release can ship: a pure rule over blockers, fixes, backports and the last health snapshot."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

NO_FIX, FIX_OPEN, FIX_MERGED, BACKPORT_OPEN, ON_BRANCH = (
    "no_fix",
    "fix_open",
    "fix_merged",
    "backport_open",
    "on_branch",
)
READY, BLOCKED, RELEASED, UNKNOWN = "ready", "blocked", "released", "unknown"
SHIPPED_WORDS = frozenset({"released", "published", "shipped", "ga", "general availability", "final"})
BAD_HEALTH = frozenset({"red", "blocked", "failing", "failed", "unhealthy", "bad", "no-go", "nogo", "critical"})
# Backports that are still to be done, as trackers word their state.
PENDING = frozenset(
    {"pending", "needed", "requested", "open", "todo", "missing", "in_progress", "in progress", "queued"}
)

Row = Mapping[str, Any]


def bare(version: str) -> str:
    """A version without the `v` in front, in lower case: trackers write both."""
    text = version.strip().lower()
    return text[1:] if text[:1] == "v" and text[1:2].isdigit() else text


@dataclass(frozen=True, slots=True)
class Fix:
    """A pull request as far as shipping goes."""

    number: int
    state: str
    base_ref: str
    backport_of: int | None
    backport_state: str

    @classmethod
    def of(cls, row: Row) -> "Fix":
        return cls(
            int(row["number"]),
            row["state"] or "",
            row["base_ref"] or "",
            row["backport_of"],
            (row["backport_state"] or "").lower(),
        )


def fix_status(fixes: Sequence[Fix], everything: Iterable[Fix], branch: str) -> str:
    """Where the fix of a blocker is, as seen from the release's branch. Without a known branch a merged fix is on it."""
    numbers = {fix.number for fix in fixes}
    backports = [fix for fix in everything if fix.backport_of in numbers]
    merged = [fix for fix in (*fixes, *backports) if fix.state == "merged"]
    if any(not branch or fix.base_ref in ("", branch) for fix in merged):
        return ON_BRANCH
    if any(fix.state == "open" and (fix.base_ref == branch or fix.backport_state in PENDING) for fix in backports):
        return BACKPORT_OPEN
    if merged:
        return FIX_MERGED
    return FIX_OPEN if any(fix.state == "open" for fix in fixes) else NO_FIX


def is_shipped(state: str, released_at: datetime | None, now: datetime) -> bool:
    return state.strip().lower() in SHIPPED_WORDS or (released_at is not None and released_at <= now)


def missing_to_ship(statuses: Sequence[str], waiting: int, health: Row | None) -> list[str]:
    """What stands in the way, one sentence each."""
    said = []
    words = {
        NO_FIX: "without a fix",
        FIX_OPEN: "with a fix in review",
        FIX_MERGED: "fixed elsewhere and not on the release's branch",
        BACKPORT_OPEN: "with an open backport",
    }
    for status, text in words.items():
        count = statuses.count(status)
        if count:
            said.append(f"{count} {'blocker' if count == 1 else 'blockers'} {text}")
    if waiting:
        said.append(f"{waiting} merged {'fix waits' if waiting == 1 else 'fixes wait'} for a backport")
    if health is not None and (health["status"] or "").strip().lower() in BAD_HEALTH:
        said.append("the latest health snapshot is bad")
    return said


def answer(version: str, verdict: str, missing: Sequence[str], *, is_named: bool = True) -> str:
    """One sentence. `is_named` is False where the record was read in full and has no such version."""
    if not is_named:
        return f"No release and no milestone of the record is called {version}."
    if verdict == RELEASED:
        return f"{version} is released."
    if verdict == READY:
        return f"Nothing on record stands in the way of {version}."
    if verdict == UNKNOWN:
        return "The record does not say enough to judge."
    return f"{version} is blocked: {'; '.join(missing)}."
