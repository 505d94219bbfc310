"""The sessions of a user: begun, gone on with, ended. Everything here runs in the user's lane."""

from collections import Counter
from datetime import datetime, timedelta

from runtime.clock import Clock
from runtime.errors import LoomError
from services.memory.identity import Scope
from services.memory.lanes import Lanes
from services.memory.session_store import SessionStore
from services.memory.sessions import Session, auto_summary, closed, ended, following, is_stale, touched
from services.memory.store import RevisionStore


class Sessions:
    """At most one is active per user."""

    def __init__(self, store: SessionStore, revisions: RevisionStore, timeout: timedelta) -> None:
        self._store, self._revisions, self._timeout = store, revisions, timeout

    async def enter(self, scope: Scope, now: datetime, timeout_s: float | None) -> tuple[Session, bool]:
        """The session that what happens now belongs to, touched; True when this call opened it.

        A stale one is closed with a generated summary first.
        """
        latest = await self._store.latest(scope, timeout_s)
        if latest is not None and latest.is_active and not is_stale(latest, now, self._timeout):
            session = touched(latest, now)
            self._store.touch(scope, session)
            return session, False
        opened = following(scope, latest, now)
        changed = [opened]
        if latest is not None and latest.is_active:
            changed.insert(0, closed(latest, await self._summary(scope, latest, timeout_s)))
        await self._store.put(scope, changed, timeout_s)
        return opened, True

    async def end(self, scope: Scope, summary: str, now: datetime, timeout_s: float | None) -> Session:
        """Ends the active session, however long nothing happened in it: its user's words are worth more than ours.

        Raises SESSION_NOT_FOUND.
        """
        latest = await self._store.latest(scope, timeout_s)
        if latest is None or not latest.is_active:
            raise LoomError("SESSION_NOT_FOUND", "there is no active session; memory.session_start begins one")
        session = ended(latest, now, summary)
        await self._store.put(scope, [session], timeout_s)
        return session

    async def _summary(self, scope: Scope, session: Session, timeout_s: float | None) -> str:
        rows = await self._revisions.of_session(scope, session.session_id, timeout_s)
        return auto_summary(session, Counter(row["kind"] for row in rows), [row["title"] for row in rows])


class SessionEnd:
    """Ends the active session with its user's summary."""

    def __init__(self, sessions: Sessions, lanes: Lanes[Scope, object], clock: Clock) -> None:
        self._sessions, self._lanes, self._clock = sessions, lanes, clock

    async def execute(self, scope: Scope, summary: str, timeout_s: float | None) -> Session:
        """The session that was ended. Raises SESSION_NOT_FOUND."""

        async def end(left: float | None) -> Session:
            return await self._sessions.end(scope, summary, self._clock.now(), left)

        return await self._lanes.alone(scope, end, timeout_s)
