from loom.common.v1 import error_pb2 as _error_pb2
from loom.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SessionStartRequest(_message.Message):
    __slots__ = ("org", "namespace", "agent", "user_id")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    agent: str
    user_id: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., agent: _Optional[str] = ..., user_id: _Optional[str] = ...) -> None: ...

class SessionStartResponse(_message.Message):
    __slots__ = ("session_id", "is_new", "sessions_context", "memories")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    IS_NEW_FIELD_NUMBER: _ClassVar[int]
    SESSIONS_CONTEXT_FIELD_NUMBER: _ClassVar[int]
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    is_new: bool
    sessions_context: _containers.RepeatedCompositeFieldContainer[SessionContext]
    memories: _containers.RepeatedCompositeFieldContainer[CompactMemory]
    def __init__(self, session_id: _Optional[str] = ..., is_new: _Optional[bool] = ..., sessions_context: _Optional[_Iterable[_Union[SessionContext, _Mapping]]] = ..., memories: _Optional[_Iterable[_Union[CompactMemory, _Mapping]]] = ...) -> None: ...

class SessionContext(_message.Message):
    __slots__ = ("session_id", "date", "summary", "is_auto_generated")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    DATE_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    IS_AUTO_GENERATED_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    date: str
    summary: str
    is_auto_generated: bool
    def __init__(self, session_id: _Optional[str] = ..., date: _Optional[str] = ..., summary: _Optional[str] = ..., is_auto_generated: _Optional[bool] = ...) -> None: ...

class CompactMemory(_message.Message):
    __slots__ = ("id", "type", "title", "topic_key", "score", "snippet", "updated_at")
    ID_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    TOPIC_KEY_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    SNIPPET_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    id: int
    type: str
    title: str
    topic_key: str
    score: float
    snippet: str
    updated_at: str
    def __init__(self, id: _Optional[int] = ..., type: _Optional[str] = ..., title: _Optional[str] = ..., topic_key: _Optional[str] = ..., score: _Optional[float] = ..., snippet: _Optional[str] = ..., updated_at: _Optional[str] = ...) -> None: ...

class SessionEndRequest(_message.Message):
    __slots__ = ("org", "namespace", "agent", "user_id", "summary")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    agent: str
    user_id: str
    summary: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., agent: _Optional[str] = ..., user_id: _Optional[str] = ..., summary: _Optional[str] = ...) -> None: ...

class SessionEndResponse(_message.Message):
    __slots__ = ("session_id", "started_at", "ended_at", "summary", "is_auto_generated")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    ENDED_AT_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    IS_AUTO_GENERATED_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    started_at: str
    ended_at: str
    summary: str
    is_auto_generated: bool
    def __init__(self, session_id: _Optional[str] = ..., started_at: _Optional[str] = ..., ended_at: _Optional[str] = ..., summary: _Optional[str] = ..., is_auto_generated: _Optional[bool] = ...) -> None: ...

class SessionSummaryRequest(_message.Message):
    __slots__ = ("org", "namespace", "agent", "user_id", "summary")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    agent: str
    user_id: str
    summary: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., agent: _Optional[str] = ..., user_id: _Optional[str] = ..., summary: _Optional[str] = ...) -> None: ...

class SessionSummaryResponse(_message.Message):
    __slots__ = ("id", "outcome", "session_id", "topic_key", "notice", "similar")
    ID_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TOPIC_KEY_FIELD_NUMBER: _ClassVar[int]
    NOTICE_FIELD_NUMBER: _ClassVar[int]
    SIMILAR_FIELD_NUMBER: _ClassVar[int]
    id: int
    outcome: str
    session_id: str
    topic_key: str
    notice: str
    similar: _containers.RepeatedCompositeFieldContainer[SimilarMemory]
    def __init__(self, id: _Optional[int] = ..., outcome: _Optional[str] = ..., session_id: _Optional[str] = ..., topic_key: _Optional[str] = ..., notice: _Optional[str] = ..., similar: _Optional[_Iterable[_Union[SimilarMemory, _Mapping]]] = ...) -> None: ...

class SaveRequest(_message.Message):
    __slots__ = ("org", "namespace", "agent", "user_id", "content", "type", "title", "topic_key", "observed_at")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    TOPIC_KEY_FIELD_NUMBER: _ClassVar[int]
    OBSERVED_AT_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    agent: str
    user_id: str
    content: str
    type: str
    title: str
    topic_key: str
    observed_at: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., agent: _Optional[str] = ..., user_id: _Optional[str] = ..., content: _Optional[str] = ..., type: _Optional[str] = ..., title: _Optional[str] = ..., topic_key: _Optional[str] = ..., observed_at: _Optional[str] = ...) -> None: ...

class SimilarMemory(_message.Message):
    __slots__ = ("id", "title", "topic_key", "similarity")
    ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    TOPIC_KEY_FIELD_NUMBER: _ClassVar[int]
    SIMILARITY_FIELD_NUMBER: _ClassVar[int]
    id: int
    title: str
    topic_key: str
    similarity: float
    def __init__(self, id: _Optional[int] = ..., title: _Optional[str] = ..., topic_key: _Optional[str] = ..., similarity: _Optional[float] = ...) -> None: ...

class SaveResponse(_message.Message):
    __slots__ = ("id", "outcome", "session_id", "topic_key", "notice", "similar")
    ID_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TOPIC_KEY_FIELD_NUMBER: _ClassVar[int]
    NOTICE_FIELD_NUMBER: _ClassVar[int]
    SIMILAR_FIELD_NUMBER: _ClassVar[int]
    id: int
    outcome: str
    session_id: str
    topic_key: str
    notice: str
    similar: _containers.RepeatedCompositeFieldContainer[SimilarMemory]
    def __init__(self, id: _Optional[int] = ..., outcome: _Optional[str] = ..., session_id: _Optional[str] = ..., topic_key: _Optional[str] = ..., notice: _Optional[str] = ..., similar: _Optional[_Iterable[_Union[SimilarMemory, _Mapping]]] = ...) -> None: ...

class SaveBatchRequest(_message.Message):
    __slots__ = ("org", "namespace", "agent", "user_id", "items")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    agent: str
    user_id: str
    items: _containers.RepeatedCompositeFieldContainer[SaveItem]
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., agent: _Optional[str] = ..., user_id: _Optional[str] = ..., items: _Optional[_Iterable[_Union[SaveItem, _Mapping]]] = ...) -> None: ...

class SaveItem(_message.Message):
    __slots__ = ("content", "type", "title", "topic_key", "observed_at")
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    TOPIC_KEY_FIELD_NUMBER: _ClassVar[int]
    OBSERVED_AT_FIELD_NUMBER: _ClassVar[int]
    content: str
    type: str
    title: str
    topic_key: str
    observed_at: str
    def __init__(self, content: _Optional[str] = ..., type: _Optional[str] = ..., title: _Optional[str] = ..., topic_key: _Optional[str] = ..., observed_at: _Optional[str] = ...) -> None: ...

class SaveBatchResponse(_message.Message):
    __slots__ = ("results",)
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[SaveResult]
    def __init__(self, results: _Optional[_Iterable[_Union[SaveResult, _Mapping]]] = ...) -> None: ...

class SaveResult(_message.Message):
    __slots__ = ("id", "outcome", "session_id", "topic_key", "notice", "similar", "detail")
    ID_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TOPIC_KEY_FIELD_NUMBER: _ClassVar[int]
    NOTICE_FIELD_NUMBER: _ClassVar[int]
    SIMILAR_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    id: int
    outcome: str
    session_id: str
    topic_key: str
    notice: str
    similar: _containers.RepeatedCompositeFieldContainer[SimilarMemory]
    detail: _error_pb2.ErrorDetail
    def __init__(self, id: _Optional[int] = ..., outcome: _Optional[str] = ..., session_id: _Optional[str] = ..., topic_key: _Optional[str] = ..., notice: _Optional[str] = ..., similar: _Optional[_Iterable[_Union[SimilarMemory, _Mapping]]] = ..., detail: _Optional[_Union[_error_pb2.ErrorDetail, _Mapping]] = ...) -> None: ...

class ListRequest(_message.Message):
    __slots__ = ("org", "namespace", "agent", "user_id", "types", "session_id", "since", "until", "page_size", "page_token")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    TYPES_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    agent: str
    user_id: str
    types: _containers.RepeatedScalarFieldContainer[str]
    session_id: str
    since: str
    until: str
    page_size: int
    page_token: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., agent: _Optional[str] = ..., user_id: _Optional[str] = ..., types: _Optional[_Iterable[str]] = ..., session_id: _Optional[str] = ..., since: _Optional[str] = ..., until: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListResponse(_message.Message):
    __slots__ = ("observations", "next_page_token")
    OBSERVATIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    observations: _containers.RepeatedCompositeFieldContainer[CompactMemory]
    next_page_token: str
    def __init__(self, observations: _Optional[_Iterable[_Union[CompactMemory, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class SearchRequest(_message.Message):
    __slots__ = ("org", "namespace", "agent", "user_id", "query", "limit", "types", "types_exclude", "since", "until", "as_of", "min_score")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    TYPES_FIELD_NUMBER: _ClassVar[int]
    TYPES_EXCLUDE_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    MIN_SCORE_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    agent: str
    user_id: str
    query: str
    limit: int
    types: _containers.RepeatedScalarFieldContainer[str]
    types_exclude: _containers.RepeatedScalarFieldContainer[str]
    since: str
    until: str
    as_of: str
    min_score: float
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., agent: _Optional[str] = ..., user_id: _Optional[str] = ..., query: _Optional[str] = ..., limit: _Optional[int] = ..., types: _Optional[_Iterable[str]] = ..., types_exclude: _Optional[_Iterable[str]] = ..., since: _Optional[str] = ..., until: _Optional[str] = ..., as_of: _Optional[str] = ..., min_score: _Optional[float] = ...) -> None: ...

class SearchResponse(_message.Message):
    __slots__ = ("hits", "leg_status")
    class LegStatusEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    HITS_FIELD_NUMBER: _ClassVar[int]
    LEG_STATUS_FIELD_NUMBER: _ClassVar[int]
    hits: _containers.RepeatedCompositeFieldContainer[CompactMemory]
    leg_status: _containers.ScalarMap[str, str]
    def __init__(self, hits: _Optional[_Iterable[_Union[CompactMemory, _Mapping]]] = ..., leg_status: _Optional[_Mapping[str, str]] = ...) -> None: ...

class GetObservationRequest(_message.Message):
    __slots__ = ("org", "namespace", "agent", "user_id", "observation_id")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_ID_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    agent: str
    user_id: str
    observation_id: int
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., agent: _Optional[str] = ..., user_id: _Optional[str] = ..., observation_id: _Optional[int] = ...) -> None: ...

class GetObservationResponse(_message.Message):
    __slots__ = ("found", "observation")
    FOUND_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    found: bool
    observation: Memory
    def __init__(self, found: _Optional[bool] = ..., observation: _Optional[_Union[Memory, _Mapping]] = ...) -> None: ...

class Memory(_message.Message):
    __slots__ = ("id", "session_id", "user_id", "type", "title", "content", "topic_key", "revision_count", "created_at", "updated_at", "source", "evidence")
    ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    TOPIC_KEY_FIELD_NUMBER: _ClassVar[int]
    REVISION_COUNT_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    id: int
    session_id: str
    user_id: str
    type: str
    title: str
    content: str
    topic_key: str
    revision_count: int
    created_at: str
    updated_at: str
    source: str
    evidence: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, id: _Optional[int] = ..., session_id: _Optional[str] = ..., user_id: _Optional[str] = ..., type: _Optional[str] = ..., title: _Optional[str] = ..., content: _Optional[str] = ..., topic_key: _Optional[str] = ..., revision_count: _Optional[int] = ..., created_at: _Optional[str] = ..., updated_at: _Optional[str] = ..., source: _Optional[str] = ..., evidence: _Optional[_Iterable[str]] = ...) -> None: ...

class TimelineRequest(_message.Message):
    __slots__ = ("org", "namespace", "agent", "user_id", "observation_id", "before", "after")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_ID_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    agent: str
    user_id: str
    observation_id: int
    before: int
    after: int
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., agent: _Optional[str] = ..., user_id: _Optional[str] = ..., observation_id: _Optional[int] = ..., before: _Optional[int] = ..., after: _Optional[int] = ...) -> None: ...

class TimelineResponse(_message.Message):
    __slots__ = ("observations",)
    OBSERVATIONS_FIELD_NUMBER: _ClassVar[int]
    observations: _containers.RepeatedCompositeFieldContainer[CompactMemory]
    def __init__(self, observations: _Optional[_Iterable[_Union[CompactMemory, _Mapping]]] = ...) -> None: ...

class RevisionsRequest(_message.Message):
    __slots__ = ("org", "namespace", "agent", "user_id", "observation_id")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_ID_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    agent: str
    user_id: str
    observation_id: int
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., agent: _Optional[str] = ..., user_id: _Optional[str] = ..., observation_id: _Optional[int] = ...) -> None: ...

class RevisionsResponse(_message.Message):
    __slots__ = ("revisions",)
    REVISIONS_FIELD_NUMBER: _ClassVar[int]
    revisions: _containers.RepeatedCompositeFieldContainer[Revision]
    def __init__(self, revisions: _Optional[_Iterable[_Union[Revision, _Mapping]]] = ...) -> None: ...

class Revision(_message.Message):
    __slots__ = ("revision", "type", "title", "content", "session_id", "said_at", "source")
    REVISION_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SAID_AT_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    revision: int
    type: str
    title: str
    content: str
    session_id: str
    said_at: str
    source: str
    def __init__(self, revision: _Optional[int] = ..., type: _Optional[str] = ..., title: _Optional[str] = ..., content: _Optional[str] = ..., session_id: _Optional[str] = ..., said_at: _Optional[str] = ..., source: _Optional[str] = ...) -> None: ...

class ContextRequest(_message.Message):
    __slots__ = ("org", "namespace", "agent", "user_id", "budget_chars")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    BUDGET_CHARS_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    agent: str
    user_id: str
    budget_chars: int
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., agent: _Optional[str] = ..., user_id: _Optional[str] = ..., budget_chars: _Optional[int] = ...) -> None: ...

class ContextResponse(_message.Message):
    __slots__ = ("text", "truncated", "memories")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    text: str
    truncated: bool
    memories: _containers.RepeatedCompositeFieldContainer[CompactMemory]
    def __init__(self, text: _Optional[str] = ..., truncated: _Optional[bool] = ..., memories: _Optional[_Iterable[_Union[CompactMemory, _Mapping]]] = ...) -> None: ...

class SuggestTopicKeyRequest(_message.Message):
    __slots__ = ("org", "namespace", "agent", "user_id", "type", "title", "content")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    agent: str
    user_id: str
    type: str
    title: str
    content: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., agent: _Optional[str] = ..., user_id: _Optional[str] = ..., type: _Optional[str] = ..., title: _Optional[str] = ..., content: _Optional[str] = ...) -> None: ...

class SuggestTopicKeyResponse(_message.Message):
    __slots__ = ("topic_key",)
    TOPIC_KEY_FIELD_NUMBER: _ClassVar[int]
    topic_key: str
    def __init__(self, topic_key: _Optional[str] = ...) -> None: ...

class UpdateRequest(_message.Message):
    __slots__ = ("org", "namespace", "agent", "user_id", "observation_id", "content", "type", "title")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_ID_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    agent: str
    user_id: str
    observation_id: int
    content: str
    type: str
    title: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., agent: _Optional[str] = ..., user_id: _Optional[str] = ..., observation_id: _Optional[int] = ..., content: _Optional[str] = ..., type: _Optional[str] = ..., title: _Optional[str] = ...) -> None: ...

class UpdateResponse(_message.Message):
    __slots__ = ("id", "outcome", "session_id", "topic_key", "notice", "similar")
    ID_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TOPIC_KEY_FIELD_NUMBER: _ClassVar[int]
    NOTICE_FIELD_NUMBER: _ClassVar[int]
    SIMILAR_FIELD_NUMBER: _ClassVar[int]
    id: int
    outcome: str
    session_id: str
    topic_key: str
    notice: str
    similar: _containers.RepeatedCompositeFieldContainer[SimilarMemory]
    def __init__(self, id: _Optional[int] = ..., outcome: _Optional[str] = ..., session_id: _Optional[str] = ..., topic_key: _Optional[str] = ..., notice: _Optional[str] = ..., similar: _Optional[_Iterable[_Union[SimilarMemory, _Mapping]]] = ...) -> None: ...

class DeleteRequest(_message.Message):
    __slots__ = ("org", "namespace", "agent", "user_id", "observation_id", "hard")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_ID_FIELD_NUMBER: _ClassVar[int]
    HARD_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    agent: str
    user_id: str
    observation_id: int
    hard: bool
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., agent: _Optional[str] = ..., user_id: _Optional[str] = ..., observation_id: _Optional[int] = ..., hard: _Optional[bool] = ...) -> None: ...

class DeleteResponse(_message.Message):
    __slots__ = ("deleted", "evidence")
    DELETED_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    deleted: bool
    evidence: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, deleted: _Optional[bool] = ..., evidence: _Optional[_Iterable[str]] = ...) -> None: ...

class StatsRequest(_message.Message):
    __slots__ = ("org", "namespace", "agent", "user_id")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    agent: str
    user_id: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., agent: _Optional[str] = ..., user_id: _Optional[str] = ...) -> None: ...

class StatsResponse(_message.Message):
    __slots__ = ("observations", "sessions", "by_type")
    class ByTypeEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    OBSERVATIONS_FIELD_NUMBER: _ClassVar[int]
    SESSIONS_FIELD_NUMBER: _ClassVar[int]
    BY_TYPE_FIELD_NUMBER: _ClassVar[int]
    observations: int
    sessions: int
    by_type: _containers.ScalarMap[str, int]
    def __init__(self, observations: _Optional[int] = ..., sessions: _Optional[int] = ..., by_type: _Optional[_Mapping[str, int]] = ...) -> None: ...

class ExportRequest(_message.Message):
    __slots__ = ("org", "namespace", "agent", "user_id", "page_size", "page_token")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    agent: str
    user_id: str
    page_size: int
    page_token: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., agent: _Optional[str] = ..., user_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ExportResponse(_message.Message):
    __slots__ = ("records", "next_page_token")
    RECORDS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    records: _containers.RepeatedCompositeFieldContainer[MemoryRecord]
    next_page_token: str
    def __init__(self, records: _Optional[_Iterable[_Union[MemoryRecord, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class MemoryRecord(_message.Message):
    __slots__ = ("id", "topic_key", "revisions", "evidence")
    ID_FIELD_NUMBER: _ClassVar[int]
    TOPIC_KEY_FIELD_NUMBER: _ClassVar[int]
    REVISIONS_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    id: int
    topic_key: str
    revisions: _containers.RepeatedCompositeFieldContainer[RevisionRecord]
    evidence: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, id: _Optional[int] = ..., topic_key: _Optional[str] = ..., revisions: _Optional[_Iterable[_Union[RevisionRecord, _Mapping]]] = ..., evidence: _Optional[_Iterable[str]] = ...) -> None: ...

class RevisionRecord(_message.Message):
    __slots__ = ("type", "title", "content", "session_id", "said_at")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SAID_AT_FIELD_NUMBER: _ClassVar[int]
    type: str
    title: str
    content: str
    session_id: str
    said_at: str
    def __init__(self, type: _Optional[str] = ..., title: _Optional[str] = ..., content: _Optional[str] = ..., session_id: _Optional[str] = ..., said_at: _Optional[str] = ...) -> None: ...

class ImportBatchRequest(_message.Message):
    __slots__ = ("org", "namespace", "agent", "user_id", "records")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    RECORDS_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    agent: str
    user_id: str
    records: _containers.RepeatedCompositeFieldContainer[MemoryRecord]
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., agent: _Optional[str] = ..., user_id: _Optional[str] = ..., records: _Optional[_Iterable[_Union[MemoryRecord, _Mapping]]] = ...) -> None: ...

class ImportBatchResponse(_message.Message):
    __slots__ = ("results",)
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[ImportResult]
    def __init__(self, results: _Optional[_Iterable[_Union[ImportResult, _Mapping]]] = ...) -> None: ...

class ImportResult(_message.Message):
    __slots__ = ("id", "added", "detail")
    ID_FIELD_NUMBER: _ClassVar[int]
    ADDED_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    id: int
    added: int
    detail: _error_pb2.ErrorDetail
    def __init__(self, id: _Optional[int] = ..., added: _Optional[int] = ..., detail: _Optional[_Union[_error_pb2.ErrorDetail, _Mapping]] = ...) -> None: ...
