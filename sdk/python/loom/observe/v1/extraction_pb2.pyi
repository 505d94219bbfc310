from loom.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ClaimReadyRequest(_message.Message):
    __slots__ = ("limit", "lease_s")
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    LEASE_S_FIELD_NUMBER: _ClassVar[int]
    limit: int
    lease_s: int
    def __init__(self, limit: _Optional[int] = ..., lease_s: _Optional[int] = ...) -> None: ...

class ClaimReadyResponse(_message.Message):
    __slots__ = ("claim_id", "observations")
    CLAIM_ID_FIELD_NUMBER: _ClassVar[int]
    OBSERVATIONS_FIELD_NUMBER: _ClassVar[int]
    claim_id: str
    observations: _containers.RepeatedCompositeFieldContainer[ClaimedObservation]
    def __init__(self, claim_id: _Optional[str] = ..., observations: _Optional[_Iterable[_Union[ClaimedObservation, _Mapping]]] = ...) -> None: ...

class ClaimedObservation(_message.Message):
    __slots__ = ("org", "namespace", "observation")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    observation: ExtractionObservation
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., observation: _Optional[_Union[ExtractionObservation, _Mapping]] = ...) -> None: ...

class ExtractionObservation(_message.Message):
    __slots__ = ("memory_key", "agent", "user_id", "session_id", "run_id", "kind", "tool_name", "narrative", "error", "tags", "file_paths", "skipped_reason", "observed_at")
    MEMORY_KEY_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TOOL_NAME_FIELD_NUMBER: _ClassVar[int]
    NARRATIVE_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    FILE_PATHS_FIELD_NUMBER: _ClassVar[int]
    SKIPPED_REASON_FIELD_NUMBER: _ClassVar[int]
    OBSERVED_AT_FIELD_NUMBER: _ClassVar[int]
    memory_key: str
    agent: str
    user_id: str
    session_id: str
    run_id: str
    kind: str
    tool_name: str
    narrative: str
    error: str
    tags: _containers.RepeatedScalarFieldContainer[str]
    file_paths: _containers.RepeatedScalarFieldContainer[str]
    skipped_reason: str
    observed_at: str
    def __init__(self, memory_key: _Optional[str] = ..., agent: _Optional[str] = ..., user_id: _Optional[str] = ..., session_id: _Optional[str] = ..., run_id: _Optional[str] = ..., kind: _Optional[str] = ..., tool_name: _Optional[str] = ..., narrative: _Optional[str] = ..., error: _Optional[str] = ..., tags: _Optional[_Iterable[str]] = ..., file_paths: _Optional[_Iterable[str]] = ..., skipped_reason: _Optional[str] = ..., observed_at: _Optional[str] = ...) -> None: ...

class CompleteRequest(_message.Message):
    __slots__ = ("completions",)
    COMPLETIONS_FIELD_NUMBER: _ClassVar[int]
    completions: _containers.RepeatedCompositeFieldContainer[Completion]
    def __init__(self, completions: _Optional[_Iterable[_Union[Completion, _Mapping]]] = ...) -> None: ...

class Completion(_message.Message):
    __slots__ = ("org", "namespace", "memory_key", "memories")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    MEMORY_KEY_FIELD_NUMBER: _ClassVar[int]
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    memory_key: str
    memories: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., memory_key: _Optional[str] = ..., memories: _Optional[_Iterable[str]] = ...) -> None: ...

class CompleteResponse(_message.Message):
    __slots__ = ("completed", "ignored")
    COMPLETED_FIELD_NUMBER: _ClassVar[int]
    IGNORED_FIELD_NUMBER: _ClassVar[int]
    completed: int
    ignored: int
    def __init__(self, completed: _Optional[int] = ..., ignored: _Optional[int] = ...) -> None: ...

class EarlierRequest(_message.Message):
    __slots__ = ("org", "namespace", "user_id", "session_id", "agent", "observed_at", "memory_key", "limit")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    OBSERVED_AT_FIELD_NUMBER: _ClassVar[int]
    MEMORY_KEY_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    user_id: str
    session_id: str
    agent: str
    observed_at: str
    memory_key: str
    limit: int
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., user_id: _Optional[str] = ..., session_id: _Optional[str] = ..., agent: _Optional[str] = ..., observed_at: _Optional[str] = ..., memory_key: _Optional[str] = ..., limit: _Optional[int] = ...) -> None: ...

class EarlierResponse(_message.Message):
    __slots__ = ("observations",)
    OBSERVATIONS_FIELD_NUMBER: _ClassVar[int]
    observations: _containers.RepeatedCompositeFieldContainer[ExtractionObservation]
    def __init__(self, observations: _Optional[_Iterable[_Union[ExtractionObservation, _Mapping]]] = ...) -> None: ...
