"""What the ops answer, as plain values with the contract's field names; the service turns them into messages."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

CUT = "…"
TITLE_CHARS, BODY_CHARS, WORD_CHARS, URL_CHARS = 300, 4000, 300, 2000
LIST_ITEMS = 100


@dataclass(frozen=True, slots=True)
class Common:
    """What every question op says of its reading, beside its answer."""

    tracker_namespace: str = ""
    tracker_unavailable: bool = False
    unavailable_reason: str = ""
    leg_status: dict[str, str] = field(default_factory=dict)
    not_provided: list[str] = field(default_factory=list)
    timings_ms: dict[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class Item:
    """One thing of a tracker. `score` is None where nothing was scored; instants are aware, in UTC."""

    tracker_namespace: str
    source_id: str
    number: int
    kind: str
    title: str
    state: str
    url: str = ""
    component: str = ""
    severity: str = ""
    created_at: datetime | None = None
    score: float | None = None
    why: list[str] = field(default_factory=list)


def cut(text: str, chars: int) -> tuple[str, bool]:
    """The text, at most `chars` characters with `…` at its end where it was longer, and whether it was."""
    return (text, False) if len(text) <= chars else (text[: chars - 1] + CUT, True)


def title_of(text: str) -> str:
    """A title in one line."""
    return cut(" ".join(text.split()), TITLE_CHARS)[0]


def word(text: str | None) -> str:
    """A name, a state or the like: short, or cut."""
    return cut(text or "", WORD_CHARS)[0]


def words(texts: Sequence[str] | None) -> list[str]:
    """The first hundred of a list, each short, or cut."""
    return [word(text) for text in (texts or ())[:LIST_ITEMS]]


def address(text: str | None) -> str:
    """A URL; one that is too long to be one is none."""
    return text if text and len(text) <= URL_CHARS else ""
