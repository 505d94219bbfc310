"""Rows and states of memories, as rules, ops and stores hand them to one another."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

LIVE, HIDDEN, ERASED = 0, 1, 2
SAVED, EXTRACTED, IMPORTED = "saved", "extracted", "imported"
TICK = timedelta(microseconds=1)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LAST_INSTANT = datetime(2299, 12, 31, 23, 59, 59, 999999, UTC)
TIE = 0xFFFFF  # the bits of a revision_id that decide between texts of one instant, written in one microsecond
LAST_PRECEDENCE = (1 << 63) - 1


class Revision(NamedTuple):
    """One row of memory_revisions, in the order of its columns; `topic_key` is empty for none."""

    org: str
    namespace: str
    user_id: str
    id: int
    revision_id: int
    lookup: int
    type: str
    title: str
    content: str
    topic_key: str
    content_hash: str
    session_id: str
    source: str
    evidence: list[str]
    said_at: datetime
    written_at: datetime
    deleted: int
    precedence: int


@dataclass(frozen=True, slots=True)
class Draft:
    """A text to be saved, free of private text. `said_at` is None where the caller gave none: it is said now."""

    type: str
    title: str
    content: str
    content_hash: str
    topic_key: str = ""
    said_at: datetime | None = None
    source: str = SAVED
    evidence: tuple[str, ...] = ()
    session_id: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """One revision without its content."""

    revision_id: int
    content_hash: str
    type: str
    title: str
    said_at: datetime
    written_at: datetime

    @property
    def place(self) -> tuple[datetime, datetime, int]:
        """The order of a memory's texts; the last one is current."""
        return self.said_at, self.written_at, self.revision_id & TIE


@dataclass(slots=True)
class Known:
    """A memory as far as a write needs to know it.

    `texts` are in order, the last one is always there once there is any; `written_at` is when the last row was written.
    """

    id: int
    topic_key: str
    is_gone: bool
    texts: list[Text] = field(default_factory=list)
    written_at: datetime = EPOCH

    @property
    def current(self) -> Text:
        return self.texts[-1]


def precedence(written_at: datetime) -> int:
    """Falls with time, so that of two rows of one revision the first written stands."""
    return LAST_PRECEDENCE - (written_at - EPOCH) // TICK
