from loom.common.v1 import error_pb2 as _error_pb2
from loom.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RecordRequest(_message.Message):
    __slots__ = ("org", "namespace", "agent", "user_id", "session_id", "run_id", "tool_name", "tool_input", "tool_output", "file_paths", "error", "tags", "observation_date", "action_type", "metadata", "observed_at")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    TOOL_NAME_FIELD_NUMBER: _ClassVar[int]
    TOOL_INPUT_FIELD_NUMBER: _ClassVar[int]
    TOOL_OUTPUT_FIELD_NUMBER: _ClassVar[int]
    FILE_PATHS_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_DATE_FIELD_NUMBER: _ClassVar[int]
    ACTION_TYPE_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    OBSERVED_AT_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    agent: str
    user_id: str
    session_id: str
    run_id: str
    tool_name: str
    tool_input: str
    tool_output: str
    file_paths: _containers.RepeatedScalarFieldContainer[str]
    error: str
    tags: _containers.RepeatedScalarFieldContainer[str]
    observation_date: str
    action_type: str
    metadata: str
    observed_at: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., agent: _Optional[str] = ..., user_id: _Optional[str] = ..., session_id: _Optional[str] = ..., run_id: _Optional[str] = ..., tool_name: _Optional[str] = ..., tool_input: _Optional[str] = ..., tool_output: _Optional[str] = ..., file_paths: _Optional[_Iterable[str]] = ..., error: _Optional[str] = ..., tags: _Optional[_Iterable[str]] = ..., observation_date: _Optional[str] = ..., action_type: _Optional[str] = ..., metadata: _Optional[str] = ..., observed_at: _Optional[str] = ...) -> None: ...

class RecordResponse(_message.Message):
    __slots__ = ("memory_key", "memory_id", "kind", "tags", "file_paths", "content_sha256", "tool_name", "has_error", "narrative_chars", "skipped_reason")
    MEMORY_KEY_FIELD_NUMBER: _ClassVar[int]
    MEMORY_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    FILE_PATHS_FIELD_NUMBER: _ClassVar[int]
    CONTENT_SHA256_FIELD_NUMBER: _ClassVar[int]
    TOOL_NAME_FIELD_NUMBER: _ClassVar[int]
    HAS_ERROR_FIELD_NUMBER: _ClassVar[int]
    NARRATIVE_CHARS_FIELD_NUMBER: _ClassVar[int]
    SKIPPED_REASON_FIELD_NUMBER: _ClassVar[int]
    memory_key: str
    memory_id: str
    kind: str
    tags: _containers.RepeatedScalarFieldContainer[str]
    file_paths: _containers.RepeatedScalarFieldContainer[str]
    content_sha256: str
    tool_name: str
    has_error: bool
    narrative_chars: int
    skipped_reason: str
    def __init__(self, memory_key: _Optional[str] = ..., memory_id: _Optional[str] = ..., kind: _Optional[str] = ..., tags: _Optional[_Iterable[str]] = ..., file_paths: _Optional[_Iterable[str]] = ..., content_sha256: _Optional[str] = ..., tool_name: _Optional[str] = ..., has_error: _Optional[bool] = ..., narrative_chars: _Optional[int] = ..., skipped_reason: _Optional[str] = ...) -> None: ...

class RecordBatchRequest(_message.Message):
    __slots__ = ("org", "namespace", "agent", "user_id", "session_id", "run_id", "records")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    RECORDS_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    agent: str
    user_id: str
    session_id: str
    run_id: str
    records: _containers.RepeatedCompositeFieldContainer[BatchRecord]
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., agent: _Optional[str] = ..., user_id: _Optional[str] = ..., session_id: _Optional[str] = ..., run_id: _Optional[str] = ..., records: _Optional[_Iterable[_Union[BatchRecord, _Mapping]]] = ...) -> None: ...

class BatchRecord(_message.Message):
    __slots__ = ("org", "namespace", "agent", "user_id", "session_id", "run_id", "tool_name", "tool_input", "tool_output", "file_paths", "error", "tags", "observation_date", "action_type", "metadata", "observed_at")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    TOOL_NAME_FIELD_NUMBER: _ClassVar[int]
    TOOL_INPUT_FIELD_NUMBER: _ClassVar[int]
    TOOL_OUTPUT_FIELD_NUMBER: _ClassVar[int]
    FILE_PATHS_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_DATE_FIELD_NUMBER: _ClassVar[int]
    ACTION_TYPE_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    OBSERVED_AT_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    agent: str
    user_id: str
    session_id: str
    run_id: str
    tool_name: str
    tool_input: str
    tool_output: str
    file_paths: _containers.RepeatedScalarFieldContainer[str]
    error: str
    tags: _containers.RepeatedScalarFieldContainer[str]
    observation_date: str
    action_type: str
    metadata: str
    observed_at: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., agent: _Optional[str] = ..., user_id: _Optional[str] = ..., session_id: _Optional[str] = ..., run_id: _Optional[str] = ..., tool_name: _Optional[str] = ..., tool_input: _Optional[str] = ..., tool_output: _Optional[str] = ..., file_paths: _Optional[_Iterable[str]] = ..., error: _Optional[str] = ..., tags: _Optional[_Iterable[str]] = ..., observation_date: _Optional[str] = ..., action_type: _Optional[str] = ..., metadata: _Optional[str] = ..., observed_at: _Optional[str] = ...) -> None: ...

class RecordBatchResponse(_message.Message):
    __slots__ = ("results",)
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[BatchResult]
    def __init__(self, results: _Optional[_Iterable[_Union[BatchResult, _Mapping]]] = ...) -> None: ...

class BatchResult(_message.Message):
    __slots__ = ("memory_key", "memory_id", "kind", "tags", "file_paths", "content_sha256", "tool_name", "has_error", "narrative_chars", "skipped_reason", "detail")
    MEMORY_KEY_FIELD_NUMBER: _ClassVar[int]
    MEMORY_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    FILE_PATHS_FIELD_NUMBER: _ClassVar[int]
    CONTENT_SHA256_FIELD_NUMBER: _ClassVar[int]
    TOOL_NAME_FIELD_NUMBER: _ClassVar[int]
    HAS_ERROR_FIELD_NUMBER: _ClassVar[int]
    NARRATIVE_CHARS_FIELD_NUMBER: _ClassVar[int]
    SKIPPED_REASON_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    memory_key: str
    memory_id: str
    kind: str
    tags: _containers.RepeatedScalarFieldContainer[str]
    file_paths: _containers.RepeatedScalarFieldContainer[str]
    content_sha256: str
    tool_name: str
    has_error: bool
    narrative_chars: int
    skipped_reason: str
    detail: _error_pb2.ErrorDetail
    def __init__(self, memory_key: _Optional[str] = ..., memory_id: _Optional[str] = ..., kind: _Optional[str] = ..., tags: _Optional[_Iterable[str]] = ..., file_paths: _Optional[_Iterable[str]] = ..., content_sha256: _Optional[str] = ..., tool_name: _Optional[str] = ..., has_error: _Optional[bool] = ..., narrative_chars: _Optional[int] = ..., skipped_reason: _Optional[str] = ..., detail: _Optional[_Union[_error_pb2.ErrorDetail, _Mapping]] = ...) -> None: ...

class CrystallizeRequest(_message.Message):
    __slots__ = ("org", "namespace", "agent", "user_id", "session_id", "max_observations")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    MAX_OBSERVATIONS_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    agent: str
    user_id: str
    session_id: str
    max_observations: int
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., agent: _Optional[str] = ..., user_id: _Optional[str] = ..., session_id: _Optional[str] = ..., max_observations: _Optional[int] = ...) -> None: ...

class CrystallizeResponse(_message.Message):
    __slots__ = ("enqueued", "session_id")
    ENQUEUED_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    enqueued: int
    session_id: str
    def __init__(self, enqueued: _Optional[int] = ..., session_id: _Optional[str] = ...) -> None: ...

class ListRequest(_message.Message):
    __slots__ = ("org", "namespace", "agent", "user_id", "session_id", "kind", "tag", "path", "since", "until", "state", "page_size", "page_token")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TAG_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    agent: str
    user_id: str
    session_id: str
    kind: str
    tag: str
    path: str
    since: str
    until: str
    state: str
    page_size: int
    page_token: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., agent: _Optional[str] = ..., user_id: _Optional[str] = ..., session_id: _Optional[str] = ..., kind: _Optional[str] = ..., tag: _Optional[str] = ..., path: _Optional[str] = ..., since: _Optional[str] = ..., until: _Optional[str] = ..., state: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListResponse(_message.Message):
    __slots__ = ("observations", "next_page_token")
    OBSERVATIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    observations: _containers.RepeatedCompositeFieldContainer[Observation]
    next_page_token: str
    def __init__(self, observations: _Optional[_Iterable[_Union[Observation, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class Observation(_message.Message):
    __slots__ = ("memory_key", "agent", "user_id", "session_id", "run_id", "kind", "tool_name", "narrative", "error", "has_error", "tags", "file_paths", "content_sha256", "skipped_reason", "observed_at", "recorded_at", "valid_at", "state")
    MEMORY_KEY_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TOOL_NAME_FIELD_NUMBER: _ClassVar[int]
    NARRATIVE_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    HAS_ERROR_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    FILE_PATHS_FIELD_NUMBER: _ClassVar[int]
    CONTENT_SHA256_FIELD_NUMBER: _ClassVar[int]
    SKIPPED_REASON_FIELD_NUMBER: _ClassVar[int]
    OBSERVED_AT_FIELD_NUMBER: _ClassVar[int]
    RECORDED_AT_FIELD_NUMBER: _ClassVar[int]
    VALID_AT_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    memory_key: str
    agent: str
    user_id: str
    session_id: str
    run_id: str
    kind: str
    tool_name: str
    narrative: str
    error: str
    has_error: bool
    tags: _containers.RepeatedScalarFieldContainer[str]
    file_paths: _containers.RepeatedScalarFieldContainer[str]
    content_sha256: str
    skipped_reason: str
    observed_at: str
    recorded_at: str
    valid_at: str
    state: str
    def __init__(self, memory_key: _Optional[str] = ..., agent: _Optional[str] = ..., user_id: _Optional[str] = ..., session_id: _Optional[str] = ..., run_id: _Optional[str] = ..., kind: _Optional[str] = ..., tool_name: _Optional[str] = ..., narrative: _Optional[str] = ..., error: _Optional[str] = ..., has_error: _Optional[bool] = ..., tags: _Optional[_Iterable[str]] = ..., file_paths: _Optional[_Iterable[str]] = ..., content_sha256: _Optional[str] = ..., skipped_reason: _Optional[str] = ..., observed_at: _Optional[str] = ..., recorded_at: _Optional[str] = ..., valid_at: _Optional[str] = ..., state: _Optional[str] = ...) -> None: ...

class GetRequest(_message.Message):
    __slots__ = ("org", "namespace", "memory_key", "memory_keys", "user_id")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    MEMORY_KEY_FIELD_NUMBER: _ClassVar[int]
    MEMORY_KEYS_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    memory_key: str
    memory_keys: _containers.RepeatedScalarFieldContainer[str]
    user_id: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., memory_key: _Optional[str] = ..., memory_keys: _Optional[_Iterable[str]] = ..., user_id: _Optional[str] = ...) -> None: ...

class GetResponse(_message.Message):
    __slots__ = ("found", "observation", "observations", "missing")
    FOUND_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    OBSERVATIONS_FIELD_NUMBER: _ClassVar[int]
    MISSING_FIELD_NUMBER: _ClassVar[int]
    found: bool
    observation: Observation
    observations: _containers.RepeatedCompositeFieldContainer[Observation]
    missing: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, found: _Optional[bool] = ..., observation: _Optional[_Union[Observation, _Mapping]] = ..., observations: _Optional[_Iterable[_Union[Observation, _Mapping]]] = ..., missing: _Optional[_Iterable[str]] = ...) -> None: ...

class StatsRequest(_message.Message):
    __slots__ = ("org", "namespace", "agent", "user_id", "session_id")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    agent: str
    user_id: str
    session_id: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., agent: _Optional[str] = ..., user_id: _Optional[str] = ..., session_id: _Optional[str] = ...) -> None: ...

class StatsResponse(_message.Message):
    __slots__ = ("observations", "sessions", "by_kind", "by_state", "by_session")
    class ByKindEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    class ByStateEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    OBSERVATIONS_FIELD_NUMBER: _ClassVar[int]
    SESSIONS_FIELD_NUMBER: _ClassVar[int]
    BY_KIND_FIELD_NUMBER: _ClassVar[int]
    BY_STATE_FIELD_NUMBER: _ClassVar[int]
    BY_SESSION_FIELD_NUMBER: _ClassVar[int]
    observations: int
    sessions: int
    by_kind: _containers.ScalarMap[str, int]
    by_state: _containers.ScalarMap[str, int]
    by_session: _containers.RepeatedCompositeFieldContainer[SessionStats]
    def __init__(self, observations: _Optional[int] = ..., sessions: _Optional[int] = ..., by_kind: _Optional[_Mapping[str, int]] = ..., by_state: _Optional[_Mapping[str, int]] = ..., by_session: _Optional[_Iterable[_Union[SessionStats, _Mapping]]] = ...) -> None: ...

class SessionStats(_message.Message):
    __slots__ = ("session_id", "observations", "pending", "errors", "first_at", "last_at")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    OBSERVATIONS_FIELD_NUMBER: _ClassVar[int]
    PENDING_FIELD_NUMBER: _ClassVar[int]
    ERRORS_FIELD_NUMBER: _ClassVar[int]
    FIRST_AT_FIELD_NUMBER: _ClassVar[int]
    LAST_AT_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    observations: int
    pending: int
    errors: int
    first_at: str
    last_at: str
    def __init__(self, session_id: _Optional[str] = ..., observations: _Optional[int] = ..., pending: _Optional[int] = ..., errors: _Optional[int] = ..., first_at: _Optional[str] = ..., last_at: _Optional[str] = ...) -> None: ...
