"""memory.session_start's first knowledge and memory.context's block: the memories that matter most, unasked."""

import asyncio
from dataclasses import dataclass, replace
from datetime import datetime

from runtime.clock import Clock
from services.memory.context import Block, Entry, block
from services.memory.identity import Scope
from services.memory.lanes import Lanes
from services.memory.ops.sessions import Sessions
from services.memory.ops.views import Compact, compact
from services.memory.retrieval.scores import context_score
from services.memory.session_store import SessionStore
from services.memory.sessions import Session
from services.memory.store import RevisionStore

PAST_SESSIONS = 5
TOP_MEMORIES = 10
# More lines than fit into most prompts; what is beyond is told by `truncated`.
BLOCK_MEMORIES = 100
BLOCK_SESSIONS = 3


@dataclass(frozen=True, slots=True)
class Started:
    """The active session, whether this call opened it, and what is worth knowing first."""

    session: Session
    is_new: bool
    past: list[Session]
    memories: list[Compact]


class Context:
    """Reads by ContextScore."""

    def __init__(self, store: RevisionStore, session_store: SessionStore, clock: Clock) -> None:
        self._store, self._session_store, self._clock = store, session_store, clock

    async def top(self, scope: Scope, limit: int, timeout_s: float | None) -> tuple[list[Compact], int]:
        """Up to `limit` memories of the greatest ContextScore, best first, and how many there are in all."""
        now = self._clock.now()
        rows = await self._store.top(scope, now, limit, timeout_s)
        scores = {row["id"]: context_score(row["kind"], row["updated_at"], row["revision_count"], now) for row in rows}
        shown = await compact(self._store, scope, rows, timeout_s)
        return [replace(row, score=scores[row.id]) for row in shown], rows[0]["total"] if rows else 0

    async def past(self, scope: Scope, limit: int, timeout_s: float | None) -> list[Session]:
        """The sessions that ended last, newest first."""
        return await self._session_store.summaries(scope, limit, timeout_s)

    async def block(self, scope: Scope, budget: int, timeout_s: float | None) -> tuple[Block, list[Compact]]:
        """The block and the memories in it."""
        past, (memories, total) = await asyncio.gather(
            self.past(scope, BLOCK_SESSIONS, timeout_s), self.top(scope, BLOCK_MEMORIES, timeout_s)
        )
        contents = await self._contents(scope, memories, timeout_s)
        made = block(
            [Entry(_day(session), session.summary) for session in past],
            [Entry(f"[{row.type}]", contents.get(row.id, row.snippet), row.title) for row in memories],
            budget,
        )
        used = memories[: made.used]
        return replace(made, truncated=made.truncated or total > made.used), used

    async def _contents(self, scope: Scope, memories: list[Compact], timeout_s: float | None) -> dict[int, str]:
        heads = await self._store.heads(scope, [row.id for row in memories], timeout_s) if memories else {}
        bodies = await self._store.bodies(
            scope, {id_: row["head"] for id_, row in heads.items()}, timeout_s, whole=False
        )
        return {id_: body["content"] for id_, body in bodies.items()}


class SessionStart:
    """Opens a session or goes on with the active one, and hands back what is worth knowing first."""

    def __init__(self, sessions: Sessions, context: Context, lanes: Lanes[Scope, object], clock: Clock) -> None:
        self._sessions, self._context, self._lanes, self._clock = sessions, context, lanes, clock

    async def execute(self, scope: Scope, timeout_s: float | None) -> Started:
        async def enter(left: float | None) -> tuple[Session, bool]:
            return await self._sessions.enter(scope, self._clock.now(), left)

        session, is_new = await self._lanes.alone(scope, enter, timeout_s)
        past, (memories, _) = await asyncio.gather(
            self._context.past(scope, PAST_SESSIONS, timeout_s), self._context.top(scope, TOP_MEMORIES, timeout_s)
        )
        return Started(session, is_new, past, memories)


def _day(session: Session) -> str:
    ended: datetime = session.ended_at or session.last_active_at
    return f"{ended:%Y-%m-%d}"
