"""Generated from the contract by tools/gen_sdk.py; do not edit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as _field
from typing import Any, Required, Self, TypedDict

from loom._generated.models import common as common_models


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactMemory:
    """A memory in a list: enough to choose from. Fetch one whole with memory.get_observation."""

    id: int = 0
    """Id (below 2^53)."""
    type: str = ""
    """Kind."""
    title: str = ""
    """Title."""
    topic_key: str | None = None
    """Topic key; null when it has none."""
    score: float = 0.0
    """Score in [0, 1]: SearchScore in a search, ContextScore in a context; 0 in a plain list."""
    snippet: str = ""
    """Part of the content, at most 240 characters, around the best match in a search."""
    updated_at: str = ""
    """When its current text was said, RFC 3339 in UTC."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            id=data.get("id") or 0,
            type=data.get("type") or "",
            title=data.get("title") or "",
            topic_key=data.get("topic_key"),
            score=data.get("score") or 0.0,
            snippet=data.get("snippet") or "",
            updated_at=data.get("updated_at") or "",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextResponse:
    """A block for a prompt."""

    text: str = ""
    """The block; empty when nothing is remembered."""
    truncated: bool = False
    """True when something was left out or cut for the budget."""
    memories: list[CompactMemory] = _field(default_factory=list)
    """The memories in it."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            text=data.get("text") or "",
            truncated=data.get("truncated") or False,
            memories=[CompactMemory.from_dict(item) for item in data.get("memories") or []],
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteResponse:
    """What was deleted."""

    deleted: bool = False
    """True when it was there; false when there was none."""
    evidence: list[str] = _field(default_factory=list)
    """After a hard deletion: keys of the tool calls that it was extracted from, which still hold what they said."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            deleted=data.get("deleted") or False,
            evidence=data.get("evidence") or [],
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportResponse:
    """One page of memories with their revisions."""

    records: list[MemoryRecord] = _field(default_factory=list)
    """The memories, in the order in which they were first said."""
    next_page_token: str = ""
    """Token of the next page; empty when this is the last one."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            records=[MemoryRecord.from_dict(item) for item in data.get("records") or []],
            next_page_token=data.get("next_page_token") or "",
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GetObservationResponse:
    """The memory, if it is there."""

    found: bool = False
    """True when it was found."""
    observation: Memory | None = None
    """The memory; null when it was not found."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            found=data.get("found") or False,
            observation=None if data.get("observation") is None else Memory.from_dict(data["observation"]),
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportBatchResponse:
    """One answer for each memory, in order."""

    results: list[ImportResult] = _field(default_factory=list)
    """The answers."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            results=[ImportResult.from_dict(item) for item in data.get("results") or []],
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportResult:
    """What became of one memory."""

    id: int = 0
    """Its id here (below 2^53)."""
    added: int = 0
    """Texts that were new here."""
    detail: common_models.ErrorDetail | None = None
    """The failure of this one; null when it was brought in."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            id=data.get("id") or 0,
            added=data.get("added") or 0,
            detail=None if data.get("detail") is None else common_models.ErrorDetail.from_dict(data["detail"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ListResponse:
    """One page of memories."""

    observations: list[CompactMemory] = _field(default_factory=list)
    """The memories, most recently updated first."""
    next_page_token: str = ""
    """Token of the next page; empty when this is the last one."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            observations=[CompactMemory.from_dict(item) for item in data.get("observations") or []],
            next_page_token=data.get("next_page_token") or "",
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A memory, whole."""

    id: int = 0
    """Id (below 2^53)."""
    session_id: str = ""
    """Session of its last change."""
    user_id: str = ""
    """User that it belongs to; `-` is the namespace's shared memory."""
    type: str = ""
    """Kind."""
    title: str = ""
    """Title."""
    content: str = ""
    """Content."""
    topic_key: str | None = None
    """Topic key; null when it has none."""
    revision_count: int = 0
    """Number of texts that it has had, this one included."""
    created_at: str = ""
    """When it was first said, RFC 3339 in UTC."""
    updated_at: str = ""
    """When its current text was said, RFC 3339 in UTC."""
    source: str = ""
    """Where it came from: `saved`, `extracted` or `imported`."""
    evidence: list[str] = _field(default_factory=list)
    """Keys of the tool observations that it was extracted from; empty for one that was saved."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            id=data.get("id") or 0,
            session_id=data.get("session_id") or "",
            user_id=data.get("user_id") or "",
            type=data.get("type") or "",
            title=data.get("title") or "",
            content=data.get("content") or "",
            topic_key=data.get("topic_key"),
            revision_count=data.get("revision_count") or 0,
            created_at=data.get("created_at") or "",
            updated_at=data.get("updated_at") or "",
            source=data.get("source") or "",
            evidence=data.get("evidence") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRecord:
    """A memory as it is exported: all of its texts, oldest first."""

    id: int = 0
    """Id where it was exported (below 2^53)."""
    topic_key: str | None = None
    """Topic key; null when it has none."""
    revisions: list[RevisionRecord] = _field(default_factory=list)
    """The texts, oldest first."""
    evidence: list[str] = _field(default_factory=list)
    """Keys of the tool observations that it was extracted from."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            id=data.get("id") or 0,
            topic_key=data.get("topic_key"),
            revisions=[RevisionRecord.from_dict(item) for item in data.get("revisions") or []],
            evidence=data.get("evidence") or [],
        )


class MemoryRecordInput(TypedDict, total=False):
    """A memory as it is exported: all of its texts, oldest first."""

    id: int
    """Id where it was exported (below 2^53)."""
    topic_key: str | None
    """Topic key; null when it has none. Limit: 512 characters."""
    revisions: Required[list[RevisionRecordInput]]
    """The texts, oldest first. Limit: 10,000 entries."""
    evidence: list[str]
    """Keys of the tool observations that it was extracted from. Limit: 1,000 entries of 512 characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """One text of a memory."""

    revision: int = 0
    """Its number, 1 for the first."""
    type: str = ""
    """Kind then."""
    title: str = ""
    """Title then."""
    content: str = ""
    """Content then."""
    session_id: str = ""
    """Session that it was said in."""
    said_at: str = ""
    """When it was said, RFC 3339 in UTC."""
    source: str = ""
    """Where it came from: `saved`, `extracted` or `imported`."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            revision=data.get("revision") or 0,
            type=data.get("type") or "",
            title=data.get("title") or "",
            content=data.get("content") or "",
            session_id=data.get("session_id") or "",
            said_at=data.get("said_at") or "",
            source=data.get("source") or "",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionRecord:
    """One text of an exported memory."""

    type: str = ""
    """Kind."""
    title: str = ""
    """Title."""
    content: str = ""
    """Content."""
    session_id: str = ""
    """Session that it was said in."""
    said_at: str = ""
    """When it was said, RFC 3339 with any offset."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            type=data.get("type") or "",
            title=data.get("title") or "",
            content=data.get("content") or "",
            session_id=data.get("session_id") or "",
            said_at=data.get("said_at") or "",
        )


class RevisionRecordInput(TypedDict, total=False):
    """One text of an exported memory."""

    type: Required[str]
    """Kind. Limit: 64 characters."""
    title: Required[str]
    """Title. Limit: 500 characters."""
    content: Required[str]
    """Content. Limit: 50,000 characters."""
    session_id: str
    """Session that it was said in. Limit: 256 characters."""
    said_at: Required[str]
    """When it was said, RFC 3339 with any offset. Limit: 64 characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionsResponse:
    """Every text of a memory."""

    revisions: list[Revision] = _field(default_factory=list)
    """The texts, newest first; empty when the memory was not found."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            revisions=[Revision.from_dict(item) for item in data.get("revisions") or []],
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveBatchResponse:
    """One answer for each item, in the order of the items."""

    results: list[SaveResult] = _field(default_factory=list)
    """The answers."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            results=[SaveResult.from_dict(item) for item in data.get("results") or []],
            ignored_args=data.get("ignored_args") or [],
        )


class SaveItemInput(TypedDict, total=False):
    """One memory of a batch."""

    content: Required[str]
    """What should be remembered: one fact, preference, decision, pattern or discovery. Text inside <private> is removed
    before it is stored. Limit: 50,000 characters.
    """
    type: Required[str]
    """Kind of memory: `profile`, `preference`, `decision`, `pattern`, `discovery`, or what the installation adds.
    Limit: 64 characters.
    """
    title: Required[str]
    """A line that says what it is about. Limit: 500 characters."""
    topic_key: str | None
    """Stable key of the topic, such as `user/ada/greeting`: a later save under it replaces the text and keeps the old
    one as a revision. Null means that the memory stands for itself. Limit: 512 characters.
    """
    observed_at: str
    """When it was said, RFC 3339 with any offset, for text that is brought in later; empty means now. Limit: 64
    characters.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveResponse:
    """What was saved."""

    id: int = 0
    """Id of the memory (below 2^53)."""
    outcome: str = ""
    """What was done: `created`, `updated` or `deduped`."""
    session_id: str = ""
    """Session that it was said in: the active one."""
    topic_key: str | None = None
    """Its topic key; null when it has none."""
    notice: str = ""
    """What the caller should know, such as that a stored title was kept; empty for nothing."""
    similar: list[SimilarMemory] = _field(default_factory=list)
    """Up to three stored memories that say nearly the same."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            id=data.get("id") or 0,
            outcome=data.get("outcome") or "",
            session_id=data.get("session_id") or "",
            topic_key=data.get("topic_key"),
            notice=data.get("notice") or "",
            similar=[SimilarMemory.from_dict(item) for item in data.get("similar") or []],
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveResult:
    """What became of one item of a batch."""

    id: int = 0
    """Id of the memory (below 2^53)."""
    outcome: str = ""
    """What was done: `created`, `updated` or `deduped`."""
    session_id: str = ""
    """Session that it was said in: the active one."""
    topic_key: str | None = None
    """Its topic key; null when it has none."""
    notice: str = ""
    """What the caller should know, such as that a stored title was kept; empty for nothing."""
    similar: list[SimilarMemory] = _field(default_factory=list)
    """Up to three stored memories that say nearly the same."""
    detail: common_models.ErrorDetail | None = None
    """The failure of this item; null when it was saved, and then the other fields say how."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            id=data.get("id") or 0,
            outcome=data.get("outcome") or "",
            session_id=data.get("session_id") or "",
            topic_key=data.get("topic_key"),
            notice=data.get("notice") or "",
            similar=[SimilarMemory.from_dict(item) for item in data.get("similar") or []],
            detail=None if data.get("detail") is None else common_models.ErrorDetail.from_dict(data["detail"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResponse:
    """What was found."""

    hits: list[CompactMemory] = _field(default_factory=list)
    """The hits, best first."""
    leg_status: dict[str, str] = _field(default_factory=dict)
    """Each leg of the search (`lexical`, `semantic`) and how it fared: `ok`, or why it fell out."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            hits=[CompactMemory.from_dict(item) for item in data.get("hits") or []],
            leg_status=data.get("leg_status") or {},
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionContext:
    """A past session."""

    session_id: str = ""
    """The session."""
    date: str = ""
    """When it ended, RFC 3339 in UTC."""
    summary: str = ""
    """Its summary."""
    is_auto_generated: bool = False
    """True when Loom wrote the summary, since nobody ended the session."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            session_id=data.get("session_id") or "",
            date=data.get("date") or "",
            summary=data.get("summary") or "",
            is_auto_generated=data.get("is_auto_generated") or False,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEndResponse:
    """The session that was ended."""

    session_id: str = ""
    """The session."""
    started_at: str = ""
    """When it began, RFC 3339 in UTC."""
    ended_at: str = ""
    """When it ended, RFC 3339 in UTC."""
    summary: str = ""
    """Its summary."""
    is_auto_generated: bool = False
    """True when Loom wrote the summary."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            session_id=data.get("session_id") or "",
            started_at=data.get("started_at") or "",
            ended_at=data.get("ended_at") or "",
            summary=data.get("summary") or "",
            is_auto_generated=data.get("is_auto_generated") or False,
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionStartResponse:
    """The session, and what is worth knowing first."""

    session_id: str = ""
    """The active session."""
    is_new: bool = False
    """True when it was opened by this call."""
    sessions_context: list[SessionContext] = _field(default_factory=list)
    """Up to five past sessions' summaries, newest first."""
    memories: list[CompactMemory] = _field(default_factory=list)
    """Up to ten memories, by ContextScore."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            session_id=data.get("session_id") or "",
            is_new=data.get("is_new") or False,
            sessions_context=[SessionContext.from_dict(item) for item in data.get("sessions_context") or []],
            memories=[CompactMemory.from_dict(item) for item in data.get("memories") or []],
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSummaryResponse:
    """What was saved."""

    id: int = 0
    """Id of the memory (below 2^53)."""
    outcome: str = ""
    """What was done: `created`, `updated` or `deduped`."""
    session_id: str = ""
    """Session that it was said in: the active one."""
    topic_key: str | None = None
    """Its topic key; null when it has none."""
    notice: str = ""
    """What the caller should know, such as that a stored title was kept; empty for nothing."""
    similar: list[SimilarMemory] = _field(default_factory=list)
    """Up to three stored memories that say nearly the same."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            id=data.get("id") or 0,
            outcome=data.get("outcome") or "",
            session_id=data.get("session_id") or "",
            topic_key=data.get("topic_key"),
            notice=data.get("notice") or "",
            similar=[SimilarMemory.from_dict(item) for item in data.get("similar") or []],
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarMemory:
    """A stored memory that says nearly the same."""

    id: int = 0
    """Id (below 2^53)."""
    title: str = ""
    """Title."""
    topic_key: str | None = None
    """Topic key; null when it has none."""
    similarity: float = 0.0
    """How alike they are, in [0, 1]."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            id=data.get("id") or 0,
            title=data.get("title") or "",
            topic_key=data.get("topic_key"),
            similarity=data.get("similarity") or 0.0,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StatsResponse:
    """Counts."""

    observations: int = 0
    """Memories (below 2^53)."""
    sessions: int = 0
    """Sessions (below 2^53)."""
    by_type: dict[str, int] = _field(default_factory=dict)
    """Memories by kind (below 2^53); a kind without any is left out."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            observations=data.get("observations") or 0,
            sessions=data.get("sessions") or 0,
            by_type=data.get("by_type") or {},
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestTopicKeyResponse:
    """A key."""

    topic_key: str = ""
    """The key, `area/sub-area`."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(topic_key=data.get("topic_key") or "", ignored_args=data.get("ignored_args") or [])


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineResponse:
    """The memory and its neighbours."""

    observations: list[CompactMemory] = _field(default_factory=list)
    """In the order in which they were first said, the memory itself among them; empty when it was not found."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            observations=[CompactMemory.from_dict(item) for item in data.get("observations") or []],
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateResponse:
    """What was changed."""

    id: int = 0
    """Id of the memory (below 2^53)."""
    outcome: str = ""
    """What was done: `created`, `updated` or `deduped`."""
    session_id: str = ""
    """Session that it was said in: the active one."""
    topic_key: str | None = None
    """Its topic key; null when it has none."""
    notice: str = ""
    """What the caller should know, such as that a stored title was kept; empty for nothing."""
    similar: list[SimilarMemory] = _field(default_factory=list)
    """Up to three stored memories that say nearly the same."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            id=data.get("id") or 0,
            outcome=data.get("outcome") or "",
            session_id=data.get("session_id") or "",
            topic_key=data.get("topic_key"),
            notice=data.get("notice") or "",
            similar=[SimilarMemory.from_dict(item) for item in data.get("similar") or []],
            ignored_args=data.get("ignored_args") or [],
        )
