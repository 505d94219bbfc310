from loom.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SearchRequest(_message.Message):
    __slots__ = ("org", "namespace", "agent", "user_id", "query", "limit", "memory_namespace")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    MEMORY_NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    agent: str
    user_id: str
    query: str
    limit: int
    memory_namespace: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., agent: _Optional[str] = ..., user_id: _Optional[str] = ..., query: _Optional[str] = ..., limit: _Optional[int] = ..., memory_namespace: _Optional[str] = ...) -> None: ...

class SearchResponse(_message.Message):
    __slots__ = ("hits", "abstained", "duplicate", "leg_status", "namespaces_read", "timings_ms")
    class LegStatusEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    class TimingsMsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: float
        def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...
    HITS_FIELD_NUMBER: _ClassVar[int]
    ABSTAINED_FIELD_NUMBER: _ClassVar[int]
    DUPLICATE_FIELD_NUMBER: _ClassVar[int]
    LEG_STATUS_FIELD_NUMBER: _ClassVar[int]
    NAMESPACES_READ_FIELD_NUMBER: _ClassVar[int]
    TIMINGS_MS_FIELD_NUMBER: _ClassVar[int]
    hits: _containers.RepeatedCompositeFieldContainer[SearchHit]
    abstained: bool
    duplicate: SearchDuplicate
    leg_status: _containers.ScalarMap[str, str]
    namespaces_read: _containers.RepeatedScalarFieldContainer[str]
    timings_ms: _containers.ScalarMap[str, float]
    def __init__(self, hits: _Optional[_Iterable[_Union[SearchHit, _Mapping]]] = ..., abstained: _Optional[bool] = ..., duplicate: _Optional[_Union[SearchDuplicate, _Mapping]] = ..., leg_status: _Optional[_Mapping[str, str]] = ..., namespaces_read: _Optional[_Iterable[str]] = ..., timings_ms: _Optional[_Mapping[str, float]] = ...) -> None: ...

class SearchHit(_message.Message):
    __slots__ = ("origin", "legs", "score", "namespace", "kind", "title", "snippet", "memory_id", "source_id", "number", "state", "url", "at", "own_score", "why")
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    LEGS_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    SNIPPET_FIELD_NUMBER: _ClassVar[int]
    MEMORY_ID_FIELD_NUMBER: _ClassVar[int]
    SOURCE_ID_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    OWN_SCORE_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    origin: str
    legs: _containers.RepeatedScalarFieldContainer[str]
    score: float
    namespace: str
    kind: str
    title: str
    snippet: str
    memory_id: int
    source_id: str
    number: int
    state: str
    url: str
    at: str
    own_score: float
    why: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, origin: _Optional[str] = ..., legs: _Optional[_Iterable[str]] = ..., score: _Optional[float] = ..., namespace: _Optional[str] = ..., kind: _Optional[str] = ..., title: _Optional[str] = ..., snippet: _Optional[str] = ..., memory_id: _Optional[int] = ..., source_id: _Optional[str] = ..., number: _Optional[int] = ..., state: _Optional[str] = ..., url: _Optional[str] = ..., at: _Optional[str] = ..., own_score: _Optional[float] = ..., why: _Optional[_Iterable[str]] = ...) -> None: ...

class SearchDuplicate(_message.Message):
    __slots__ = ("verdict", "epistemic", "answer")
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    EPISTEMIC_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    verdict: str
    epistemic: str
    answer: str
    def __init__(self, verdict: _Optional[str] = ..., epistemic: _Optional[str] = ..., answer: _Optional[str] = ...) -> None: ...
