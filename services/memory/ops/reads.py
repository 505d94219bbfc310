"""memory.list, get_observation, timeline, revisions, stats: reads, which touch nothing."""

import asyncio
from dataclasses import dataclass
from typing import Any

from services.memory.identity import Scope
from services.memory.ops.views import Compact, Whole, compact, whole
from services.memory.session_store import SessionStore
from services.memory.store import Filters, RevisionStore
from services.memory.tokens import encode


@dataclass(frozen=True, slots=True)
class Counts:
    by_type: dict[str, int]
    sessions: int

    @property
    def observations(self) -> int:
        return sum(self.by_type.values())


class Reads:
    """Another user's memory and a missing one are the same to all of them."""

    def __init__(self, store: RevisionStore, sessions: SessionStore) -> None:
        self._store, self._sessions = store, sessions

    async def page(
        self, scope: Scope, filters: Filters, size: int, timeout_s: float | None
    ) -> tuple[list[Compact], str]:
        """One page, most recently updated first, and the next page's token, empty on the last page.

        Pages go by what is stored in a row: one that is added moves no other row to another page.
        """
        rows = await self._store.page(scope, filters, size + 1, timeout_s)
        more, rows = len(rows) > size, rows[:size]
        token = encode((rows[-1]["updated_at"], rows[-1]["id"]), filters.listed) if more else ""
        return await compact(self._store, scope, rows, timeout_s), token

    async def get(self, scope: Scope, id_: int, timeout_s: float | None) -> Whole | None:
        return await whole(self._store, scope, id_, timeout_s)

    async def timeline(self, scope: Scope, id_: int, before: int, after: int, timeout_s: float | None) -> list[Compact]:
        """The memory among those that were first said around it, in that order; empty where there is none."""
        heads = await self._store.heads(scope, [id_], timeout_s)
        if id_ not in heads:
            return []
        created_at = heads[id_]["created_at"]
        rows = await self._store.neighbours(scope, created_at, id_, before, after, timeout_s)
        return await compact(self._store, scope, rows, timeout_s)

    async def revisions(self, scope: Scope, id_: int, timeout_s: float | None) -> list[tuple[int, dict[str, Any]]]:
        """Every text with its number (1 for the oldest), newest first; empty where there is none."""
        rows = await self._store.revisions(scope, [id_], timeout_s)
        return list(enumerate(rows, 1))[::-1]

    async def stats(self, scope: Scope, timeout_s: float | None) -> Counts:
        by_type, sessions = await asyncio.gather(
            self._store.counts(scope, timeout_s), self._sessions.count(scope, timeout_s)
        )
        return Counts(by_type, sessions)
