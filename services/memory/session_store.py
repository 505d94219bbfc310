"""The plane's SQL on sessions. Every statement is held to one user's scope."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from runtime.clock import Clock
from runtime.errors import LoomError
from runtime.store import Behind, GroupCommit, Store
from services.memory.identity import Scope
from services.memory.sessions import Session
from services.memory.store import SCOPE

logger = logging.getLogger("loom.memory")

SESSIONS = "memory_sessions"
COLUMNS = (
    *Scope._fields,
    "session_id",
    "started_at",
    "last_active_at",
    "ended_at",
    "summary",
    "is_auto_generated",
    "version",
)
SHOWN = "session_id, started_at, last_active_at, ended_at, summary, is_auto_generated"
TOUCH_S = 1.0
MOST_REMEMBERED = 10_000


class SessionStore:
    """Reads and writes sessions.

    Beginnings and ends are on disk when they return. Touches are gathered for TOUCH_S: this process sees them at once,
    others and the disk that much later, so a save costs no second write. Where no other process reaches the table, the
    last session of a user is remembered, unless a write of it failed: that may still take effect later.
    """

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._commit = GroupCommit(store, SESSIONS, COLUMNS, clock=clock)
        self._touched: dict[Scope, Session] = {}
        self._remembers = isinstance(store, Behind)
        self._latest: OrderedDict[Scope, Session | None] = OrderedDict()
        self._doubtful: set[Scope] = set()
        self._flush: asyncio.Task[None] | None = None

    async def latest(self, scope: Scope, timeout_s: float | None) -> Session | None:
        """The session that the user began last, ended or not."""
        if scope in self._latest:
            self._latest.move_to_end(scope)
            return self._latest[scope]
        rows = await self._query("latest", "1", scope, 1, timeout_s)
        known = self._touched.get(scope)
        found = rows[0] if rows else None
        if known is not None and found is not None:
            found = max(found, known, key=_place)
        self._remember(scope, found)
        return found

    async def summaries(self, scope: Scope, limit: int, timeout_s: float | None) -> list[Session]:
        """The sessions that ended last, newest first."""
        return await self._query("summaries", "ended_at IS NOT NULL", scope, limit, timeout_s)

    async def count(self, scope: Scope, timeout_s: float | None) -> int:
        rows = await self._store.query(
            f"SELECT uniqExact(session_id) AS n FROM {SESSIONS} WHERE {SCOPE}",
            scope._asdict(),
            timeout_s=timeout_s,
            name="memory.sessions",
        )
        return rows[0]["n"]

    async def put(self, scope: Scope, sessions: Sequence[Session], timeout_s: float | None) -> None:
        """Returns when the sessions are on disk."""
        try:
            await self._commit.write([_row(scope, session) for session in sessions], timeout_s=timeout_s)
        except BaseException:
            self._latest.pop(scope, None)
            self._doubtful.add(scope)
            raise
        if scope in self._latest:
            self._remember(scope, max(sessions, key=_place))
        if any(not session.is_active for session in sessions):
            self._touched.pop(scope, None)

    def touch(self, scope: Scope, session: Session) -> None:
        """Writes the session soon."""
        self._touched[scope] = session
        if scope in self._latest:
            self._remember(scope, session)
        if self._flush is None or self._flush.done():
            self._flush = asyncio.create_task(self._flush_soon())

    async def close(self) -> None:
        if self._flush:
            self._flush.cancel()
            await asyncio.wait([self._flush])
        await self._write_touches()
        await self._commit.close()

    def _remember(self, scope: Scope, session: Session | None) -> None:
        if not self._remembers or scope in self._doubtful:
            return
        self._latest[scope] = session
        if len(self._latest) > MOST_REMEMBERED:
            self._latest.popitem(last=False)

    async def _flush_soon(self) -> None:
        while self._touched:
            await asyncio.sleep(TOUCH_S)
            await self._write_touches()

    async def _write_touches(self) -> None:
        due = dict(self._touched)
        try:
            await self._commit.write([_row(scope, session) for scope, session in due.items()])
        except LoomError as error:
            # A session may end a little early then, if nothing touches it again.
            logger.warning("touches of sessions were not written: %s", error.code.name)
        for scope, session in due.items():
            if self._touched.get(scope) is session:
                del self._touched[scope]

    async def _query(self, name: str, where: str, scope: Scope, limit: int, timeout_s: float | None) -> list[Session]:
        order = "ended_at DESC, started_at DESC" if name == "summaries" else "started_at DESC, session_id DESC"
        rows: list[dict[str, Any]] = await self._store.query(
            f"SELECT {SHOWN} FROM {SESSIONS} FINAL WHERE {SCOPE} AND {where} ORDER BY {order} LIMIT {{limit:UInt32}}",
            {**scope._asdict(), "limit": limit},
            timeout_s=timeout_s,
            name=f"memory.{name}",
        )
        return [Session(**row) for row in rows]


def _place(session: Session) -> tuple[datetime, int]:
    return session.started_at, session.version


def _row(scope: Scope, session: Session) -> tuple[Any, ...]:
    return (
        *scope,
        session.session_id,
        session.started_at,
        session.last_active_at,
        session.ended_at,
        session.summary,
        session.is_auto_generated,
        session.version,
    )
