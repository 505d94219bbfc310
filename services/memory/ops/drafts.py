"""From what a caller sends to a draft: private text goes first, then the rules hold for what is left."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

import regex

from loom.private import contains_private, strip_text
from runtime.errors import LoomError, invalid_field
from services.instants import parse_instant
from services.memory.identity import content_hash
from services.memory.model import IMPORTED, SAVED, Draft
from services.memory.sessions import short
from services.memory.types import SUMMARY, Types

BLANK = "more than blanks"
# Something to see: no blank, control or format character (zero-width ones, NUL), and no letter that is drawn as a blank.
_SEEN = regex.compile(r"[^\s\p{Z}\p{Cc}\p{Cf}\u115f\u1160\u2800\u3164\uffa0]")


@dataclass(frozen=True, slots=True)
class SaveInput:
    """One memory as it was sent. `topic_key` is None where none was given, `observed_at` empty."""

    content: str
    type: str
    title: str
    topic_key: str | None = None
    observed_at: str = ""
    source: str = SAVED
    evidence: Sequence[str] = ()


def draft_of(given: SaveInput, types: Types) -> Draft:
    """Raises INVALID_FIELD."""
    if not types.may_be_saved(given.type):
        raise invalid_field("type", types.expected)
    content = public_text("content", given.content)
    return Draft(
        type=given.type,
        title=public_text("title", given.title),
        content=content,
        content_hash=content_hash(content),
        topic_key="" if given.topic_key is None else checked_key(given.topic_key),
        said_at=instant("observed_at", given.observed_at),
        source=given.source,
        evidence=tuple(given.evidence),
    )


def summary_draft(summary: str) -> Draft:
    """The memory that a session's summary becomes. Raises INVALID_FIELD."""
    content = public_text("summary", summary)
    return Draft(SUMMARY, short(content), content, content_hash(content))


class ExportedText(Protocol):
    """One text of an exported memory."""

    type: str
    title: str
    content: str
    session_id: str
    said_at: str


def imported_draft(text: ExportedText, types: Types, topic_key: str, evidence: Sequence[str]) -> Draft:
    """Raises INVALID_FIELD."""
    if not types.may_be_asked_for(text.type):
        raise invalid_field("type", f"{types.expected}, or {SUMMARY}")
    content = public_text("content", text.content)
    return Draft(
        type=text.type,
        title=public_text("title", text.title),
        content=content,
        content_hash=content_hash(content),
        topic_key=topic_key,
        said_at=instant("said_at", text.said_at),
        source=IMPORTED,
        evidence=tuple(evidence),
        session_id=text.session_id,
    )


def public_text(field: str, text: str) -> str:
    """The text without what is private. Raises INVALID_FIELD where nothing but blanks is left."""
    public = strip_text(text)
    if not _SEEN.search(public):
        raise invalid_field(field, BLANK)
    return public


def checked_key(topic_key: str) -> str:
    """The key, unchanged. Raises INVALID_FIELD for one that is blank or has something private in it.

    What is private would become the same for different keys, and their memories would run together.
    """
    if contains_private(topic_key):
        raise invalid_field("topic_key", "without a private tag: a key is stored as it is")
    return public_text("topic_key", topic_key)


def instant(field: str, text: str) -> datetime | None:
    """None for an empty text. Raises INVALID_FIELD."""
    if not text:
        return None
    try:
        return parse_instant(text)
    except ValueError as error:
        raise LoomError("INVALID_FIELD", f"{field} {error}", field=field) from None
