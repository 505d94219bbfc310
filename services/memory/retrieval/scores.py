"""The two scores that order memories: for a search and for a context. Both lie in [0, 1]; they are not comparable."""

from datetime import datetime

HALF_LIFE_DAYS = 30
MOST_REVISIONS = 10
TYPE_PRIORITY = {
    "profile": 1.0,
    "preference": 0.9,
    "decision": 0.7,
    "pattern": 0.6,
    "discovery": 0.5,
    "summary": 0.4,
}
OTHER_PRIORITY = 0.5
_DAY_S = 86_400.0


def search_score(text: float, updated_at: datetime, revision_count: int, now: datetime) -> float:
    """0.60 text relevance + 0.25 recency + 0.15 revision; `text` in [0, 1], instants aware."""
    return 0.60 * text + 0.25 * recency(updated_at, now) + 0.15 * revision(revision_count)


def context_score(kind: str, updated_at: datetime, revision_count: int, now: datetime) -> float:
    """0.50 recency + 0.30 revision + 0.20 type priority."""
    priority = TYPE_PRIORITY.get(kind, OTHER_PRIORITY)
    return 0.50 * recency(updated_at, now) + 0.30 * revision(revision_count) + 0.20 * priority


def recency(updated_at: datetime, now: datetime) -> float:
    """1 now, 0.5 after 30 days, 0.25 after 60; an instant to come counts as now."""
    age_days = max((now - updated_at).total_seconds(), 0.0) / _DAY_S
    return float(0.5 ** (age_days / HALF_LIFE_DAYS))


def revision(count: int) -> float:
    """A tenth for each text that a memory has had, up to ten."""
    return min(max(count, 0), MOST_REVISIONS) / MOST_REVISIONS
