"""Sessions of a user: when one is over, which of two records of it stands, and the summary of one that nobody ended."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from services.memory.identity import Scope, session_id
from services.memory.model import EPOCH, TICK

MOST_TITLES = 5
TITLE_CHARS = 80
ELLIPSIS = "..."
_ENDED = 1 << 62
_LAST_MOMENT = (1 << 61) - 1


@dataclass(frozen=True, slots=True)
class Session:
    """One session; `ended_at` is None while it is active, and `summary` is empty then."""

    session_id: str
    started_at: datetime
    last_active_at: datetime
    ended_at: datetime | None = None
    summary: str = ""
    is_auto_generated: bool = False

    @property
    def is_active(self) -> bool:
        return self.ended_at is None

    @property
    def version(self) -> int:
        """Of two records of one session the greater version stands.

        An end beats activity, later activity beats earlier, and of two ends the first one stands.
        """
        if self.ended_at is None:
            return (self.last_active_at - EPOCH) // TICK
        return _ENDED + _LAST_MOMENT - (self.ended_at - EPOCH) // TICK


def is_stale(session: Session, now: datetime, timeout: timedelta) -> bool:
    """True from the moment on at which nothing has happened for `timeout`."""
    return now - session.last_active_at >= timeout


def touched(session: Session, now: datetime) -> Session:
    """The session with something happening in it now."""
    return replace(session, last_active_at=max(now, session.last_active_at))


def ended(session: Session, now: datetime, summary: str) -> Session:
    """The session ended by its user."""
    return replace(session, ended_at=max(now, session.started_at), summary=summary)


def closed(session: Session, summary: str) -> Session:
    """The session ended for its user, at the last moment at which anything happened in it."""
    return replace(session, ended_at=session.last_active_at, summary=summary, is_auto_generated=True)


def following(scope: Scope, previous: Session | None, now: datetime) -> Session:
    """The session that a user opens after `previous`. Two processes that open it at once open the same one."""
    if previous is None:
        return Session(session_id(scope, ""), now, now)
    started = max(now, previous.started_at + TICK)
    return Session(session_id(scope, previous.session_id), started, started)


def auto_summary(session: Session, by_type: Mapping[str, int], titles: Sequence[str]) -> str:
    """What a session says that nobody summed up: its time, what was saved in it, and the last titles."""
    start, end = session.started_at, session.last_active_at
    until = f"{end:%H:%M}" if start.date() == end.date() else f"{end:%Y-%m-%d %H:%M}"
    total = sum(by_type.values())
    counts = ", ".join(f"{count} {kind}" for kind, count in sorted(by_type.items()))
    saved = f"{total} {'memory' if total == 1 else 'memories'} saved ({counts})" if total else "nothing was saved"
    listed = "; ".join(short(title) for title in titles[:MOST_TITLES])
    return f"Session of {start:%Y-%m-%d %H:%M} to {until} UTC: {saved}" + (f": {listed}" if listed else ".")


def short(text: str) -> str:
    """A title made of a text: the text if it has at most 80 characters, else its first 77 and `...`."""
    return text if len(text) <= TITLE_CHARS else text[: TITLE_CHARS - len(ELLIPSIS)] + ELLIPSIS
