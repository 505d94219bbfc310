"""observe.stats: counts."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from services.observe.store import ObserveStore, Scope

SESSIONS = 100


@dataclass(frozen=True, slots=True)
class Counts:
    """`recent` holds the SESSIONS most recent sessions."""

    by_kind: dict[str, int]
    by_state: dict[str, int]
    sessions: int
    recent: list[dict[str, Any]]

    @property
    def observations(self) -> int:
        return sum(self.by_kind.values())


class Stats:
    def __init__(self, store: ObserveStore) -> None:
        self._store = store

    async def execute(self, scope: Scope, timeout_s: float | None) -> Counts:
        found = await self._store.stats(scope, SESSIONS, timeout_s)
        kinds: Counter[str] = Counter()
        by_state: Counter[str] = Counter()
        for row in found["totals"]:
            kinds[row["kind"]] += row["n"]
            by_state[row["state"]] += row["n"]
        recent = found["recent"]
        return Counts(dict(kinds), dict(by_state), recent[0]["sessions"] if recent else 0, recent)
