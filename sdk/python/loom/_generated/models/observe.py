"""Generated from the contract by tools/gen_sdk.py; do not edit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as _field
from typing import Any, Required, Self, TypedDict

from loom._generated.models import common as common_models
from loom._op import JsonValue


class BatchRecordInput(TypedDict, total=False):
    """One tool call in a batch; the fields of observe.record, where an empty identity field takes the batch's."""

    org: str
    """Organisation; the batch's when empty. Limit: 128 characters."""
    namespace: str
    """Namespace of the organisation; the batch's when empty. Limit: 128 characters."""
    agent: str
    """Agent that called the tool; the batch's when empty. Limit: 128 characters."""
    user_id: str
    """User on whose behalf the agent ran; the batch's when empty. Limit: 256 characters."""
    session_id: str
    """Session of the agent; the batch's when empty. Limit: 256 characters."""
    run_id: str
    """Agent run (task) that the call belongs to; the batch's when empty. Limit: 256 characters."""
    tool_name: Required[str]
    """Name of the tool as the agent knows it, such as `Bash`; it picks the kind by substring. Limit: 256 characters."""
    tool_input: JsonValue
    """What the tool was given: any JSON value. Made into text, cut, never executed; empty or null means nothing."""
    tool_output: JsonValue
    """What the tool gave back: any JSON value. Made into text, cut, never executed; empty or null means nothing."""
    file_paths: list[str]
    """Files that the call concerns; united with the paths found in the input and the narrative. At most 64 are kept.
    Limit: 1,024 entries of 4,096 characters.
    """
    error: str | None
    """Error text of the call; not empty means that the call failed, and the kind becomes `error`."""
    tags: list[str]
    """The caller's tags, stored after the server's own; 32 are kept in all. Limit: 256 entries of 256 characters."""
    observation_date: str
    """Day that the observation is about, `YYYY-MM-DD`; empty leaves it null. Limit: 10 characters."""
    action_type: str
    """The client's own class of action; becomes the tag `action:<type>`. Empty adds no tag. Limit: 128 characters."""
    metadata: Mapping[str, JsonValue] | None
    """Accepted for the sake of callers that send it, and not stored; a JSON object. Default `{}`."""
    observed_at: str
    """When the tool ran, RFC 3339 with any offset; empty means now. Limit: 64 characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchResult:
    """What became of one record of a batch."""

    memory_key: str = ""
    """Key of the observation, `obs:<session_id>:<hash prefix>`; the same call sent again gets the same key."""
    memory_id: str = ""
    """Always empty: the table assigns it, and it is not read back."""
    kind: str = ""
    """What the tool did: `file_edit`, `command_run`, `error`, `web_fetch`, `file_read` or `tool_use`."""
    tags: list[str] = _field(default_factory=list)
    """Tags as stored."""
    file_paths: list[str] = _field(default_factory=list)
    """Paths as stored; empty for a self-referential call."""
    content_sha256: str = ""
    """SHA-256 in hex of the stored value: kind, tool, narrative, paths, error."""
    tool_name: str = ""
    """Tool name as stored."""
    has_error: bool = False
    """True when the call failed; false for a self-referential call."""
    narrative_chars: int = 0
    """Length of the stored narrative in characters, at most 2,000."""
    skipped_reason: str = ""
    """Why the row has no content: empty (it has), `self_referential` or `blacklisted`."""
    detail: common_models.ErrorDetail | None = None
    """The failure of this record; null when it was stored, and then the other fields say what was."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            memory_key=data.get("memory_key") or "",
            memory_id=data.get("memory_id") or "",
            kind=data.get("kind") or "",
            tags=data.get("tags") or [],
            file_paths=data.get("file_paths") or [],
            content_sha256=data.get("content_sha256") or "",
            tool_name=data.get("tool_name") or "",
            has_error=data.get("has_error") or False,
            narrative_chars=data.get("narrative_chars") or 0,
            skipped_reason=data.get("skipped_reason") or "",
            detail=None if data.get("detail") is None else common_models.ErrorDetail.from_dict(data["detail"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CrystallizeResponse:
    """What was queued."""

    enqueued: int = 0
    """Number of observations queued by this call; 0 means that none was pending."""
    session_id: str = ""
    """The session."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            enqueued=data.get("enqueued") or 0,
            session_id=data.get("session_id") or "",
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GetResponse:
    """The observations that were found."""

    found: bool = False
    """True when every key that was asked for was found."""
    observation: Observation | None = None
    """The observation of memory_key; null when it was not asked for or not found."""
    observations: list[Observation] = _field(default_factory=list)
    """The observations of memory_keys that were found, in the order asked."""
    missing: list[str] = _field(default_factory=list)
    """Keys that were not found, in the order asked."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            found=data.get("found") or False,
            observation=None if data.get("observation") is None else Observation.from_dict(data["observation"]),
            observations=[Observation.from_dict(item) for item in data.get("observations") or []],
            missing=data.get("missing") or [],
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ListResponse:
    """One page of observations."""

    observations: list[Observation] = _field(default_factory=list)
    """The rows, oldest first."""
    next_page_token: str = ""
    """Token of the next page; empty when this is the last one."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            observations=[Observation.from_dict(item) for item in data.get("observations") or []],
            next_page_token=data.get("next_page_token") or "",
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One recorded tool call."""

    memory_key: str = ""
    """Key, `obs:<session_id>:<hash prefix>`."""
    agent: str = ""
    """Agent that called the tool."""
    user_id: str = ""
    """User on whose behalf it ran; `-` means none."""
    session_id: str = ""
    """Session; `-` means that it was not known."""
    run_id: str = ""
    """Run; `-` means none."""
    kind: str = ""
    """Kind of call."""
    tool_name: str = ""
    """Tool name."""
    narrative: str = ""
    """Readable text of the call, at most 2,000 characters; empty for a skipped row."""
    error: str = ""
    """Error text, cut to 800 characters; empty when the call succeeded or was skipped."""
    has_error: bool = False
    """True when the call failed."""
    tags: list[str] = _field(default_factory=list)
    """Tags."""
    file_paths: list[str] = _field(default_factory=list)
    """Paths."""
    content_sha256: str = ""
    """SHA-256 in hex of the stored value."""
    skipped_reason: str = ""
    """Why the row has no content; empty when it has."""
    observed_at: str = ""
    """When the tool ran, RFC 3339 in UTC."""
    recorded_at: str = ""
    """When the server stored it, RFC 3339 in UTC."""
    valid_at: str | None = None
    """Day that it is about, `YYYY-MM-DD`; null when none was named."""
    state: str = ""
    """State of extraction: `pending`, `ready`, `claimed`, `extracted`, or `empty` when nothing was worth keeping."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            memory_key=data.get("memory_key") or "",
            agent=data.get("agent") or "",
            user_id=data.get("user_id") or "",
            session_id=data.get("session_id") or "",
            run_id=data.get("run_id") or "",
            kind=data.get("kind") or "",
            tool_name=data.get("tool_name") or "",
            narrative=data.get("narrative") or "",
            error=data.get("error") or "",
            has_error=data.get("has_error") or False,
            tags=data.get("tags") or [],
            file_paths=data.get("file_paths") or [],
            content_sha256=data.get("content_sha256") or "",
            skipped_reason=data.get("skipped_reason") or "",
            observed_at=data.get("observed_at") or "",
            recorded_at=data.get("recorded_at") or "",
            valid_at=data.get("valid_at"),
            state=data.get("state") or "",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordBatchResponse:
    """One answer for each record, in the order of the records."""

    results: list[BatchResult] = _field(default_factory=list)
    """The answers."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            results=[BatchResult.from_dict(item) for item in data.get("results") or []],
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordResponse:
    """What was stored."""

    memory_key: str = ""
    """Key of the observation, `obs:<session_id>:<hash prefix>`; the same call sent again gets the same key."""
    memory_id: str = ""
    """Always empty: the table assigns it, and it is not read back."""
    kind: str = ""
    """What the tool did: `file_edit`, `command_run`, `error`, `web_fetch`, `file_read` or `tool_use`."""
    tags: list[str] = _field(default_factory=list)
    """Tags as stored."""
    file_paths: list[str] = _field(default_factory=list)
    """Paths as stored; empty for a self-referential call."""
    content_sha256: str = ""
    """SHA-256 in hex of the stored value: kind, tool, narrative, paths, error."""
    tool_name: str = ""
    """Tool name as stored."""
    has_error: bool = False
    """True when the call failed; false for a self-referential call."""
    narrative_chars: int = 0
    """Length of the stored narrative in characters, at most 2,000."""
    skipped_reason: str = ""
    """Why the row has no content: empty (it has), `self_referential` or `blacklisted`."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            memory_key=data.get("memory_key") or "",
            memory_id=data.get("memory_id") or "",
            kind=data.get("kind") or "",
            tags=data.get("tags") or [],
            file_paths=data.get("file_paths") or [],
            content_sha256=data.get("content_sha256") or "",
            tool_name=data.get("tool_name") or "",
            has_error=data.get("has_error") or False,
            narrative_chars=data.get("narrative_chars") or 0,
            skipped_reason=data.get("skipped_reason") or "",
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionStats:
    """Counts of one session."""

    session_id: str = ""
    """Session; `-` means those whose session was not known."""
    observations: int = 0
    """Its observations (below 2^53)."""
    pending: int = 0
    """Those not queued for extraction yet (below 2^53)."""
    errors: int = 0
    """Those whose call failed (below 2^53)."""
    first_at: str = ""
    """When its first tool ran, RFC 3339 in UTC."""
    last_at: str = ""
    """When its last tool ran, RFC 3339 in UTC."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            session_id=data.get("session_id") or "",
            observations=data.get("observations") or 0,
            pending=data.get("pending") or 0,
            errors=data.get("errors") or 0,
            first_at=data.get("first_at") or "",
            last_at=data.get("last_at") or "",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StatsResponse:
    """Counts of observations."""

    observations: int = 0
    """All observations (below 2^53)."""
    sessions: int = 0
    """All sessions (below 2^53)."""
    by_kind: dict[str, int] = _field(default_factory=dict)
    """Observations by kind (below 2^53); a kind without any is left out."""
    by_state: dict[str, int] = _field(default_factory=dict)
    """Observations by state (below 2^53); a state without any is left out."""
    by_session: list[SessionStats] = _field(default_factory=list)
    """The 100 sessions with the most recent observation, most recent first."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            observations=data.get("observations") or 0,
            sessions=data.get("sessions") or 0,
            by_kind=data.get("by_kind") or {},
            by_state=data.get("by_state") or {},
            by_session=[SessionStats.from_dict(item) for item in data.get("by_session") or []],
            ignored_args=data.get("ignored_args") or [],
        )
