from loom.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SimilarRequest(_message.Message):
    __slots__ = ("org", "namespace", "text", "issue_number", "frames", "top_k", "kinds", "repo")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    ISSUE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    FRAMES_FIELD_NUMBER: _ClassVar[int]
    TOP_K_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    REPO_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    text: str
    issue_number: int
    frames: _containers.RepeatedScalarFieldContainer[str]
    top_k: int
    kinds: _containers.RepeatedScalarFieldContainer[str]
    repo: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., text: _Optional[str] = ..., issue_number: _Optional[int] = ..., frames: _Optional[_Iterable[str]] = ..., top_k: _Optional[int] = ..., kinds: _Optional[_Iterable[str]] = ..., repo: _Optional[str] = ...) -> None: ...

class SimilarResponse(_message.Message):
    __slots__ = ("items", "epistemic", "namespaces_read", "missing", "tracker_namespace", "tracker_unavailable", "unavailable_reason", "leg_status", "not_provided", "timings_ms")
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
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    EPISTEMIC_FIELD_NUMBER: _ClassVar[int]
    NAMESPACES_READ_FIELD_NUMBER: _ClassVar[int]
    MISSING_FIELD_NUMBER: _ClassVar[int]
    TRACKER_NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    TRACKER_UNAVAILABLE_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_REASON_FIELD_NUMBER: _ClassVar[int]
    LEG_STATUS_FIELD_NUMBER: _ClassVar[int]
    NOT_PROVIDED_FIELD_NUMBER: _ClassVar[int]
    TIMINGS_MS_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[SimilarItem]
    epistemic: str
    namespaces_read: _containers.RepeatedScalarFieldContainer[str]
    missing: int
    tracker_namespace: str
    tracker_unavailable: bool
    unavailable_reason: str
    leg_status: _containers.ScalarMap[str, str]
    not_provided: _containers.RepeatedScalarFieldContainer[str]
    timings_ms: _containers.ScalarMap[str, float]
    def __init__(self, items: _Optional[_Iterable[_Union[SimilarItem, _Mapping]]] = ..., epistemic: _Optional[str] = ..., namespaces_read: _Optional[_Iterable[str]] = ..., missing: _Optional[int] = ..., tracker_namespace: _Optional[str] = ..., tracker_unavailable: _Optional[bool] = ..., unavailable_reason: _Optional[str] = ..., leg_status: _Optional[_Mapping[str, str]] = ..., not_provided: _Optional[_Iterable[str]] = ..., timings_ms: _Optional[_Mapping[str, float]] = ...) -> None: ...

class SimilarItem(_message.Message):
    __slots__ = ("tracker_namespace", "source_id", "number", "kind", "title", "state", "url", "component", "severity", "created_at", "score", "why", "legs")
    TRACKER_NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_ID_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    COMPONENT_FIELD_NUMBER: _ClassVar[int]
    SEVERITY_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    LEGS_FIELD_NUMBER: _ClassVar[int]
    tracker_namespace: str
    source_id: str
    number: int
    kind: str
    title: str
    state: str
    url: str
    component: str
    severity: str
    created_at: str
    score: float
    why: _containers.RepeatedScalarFieldContainer[str]
    legs: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, tracker_namespace: _Optional[str] = ..., source_id: _Optional[str] = ..., number: _Optional[int] = ..., kind: _Optional[str] = ..., title: _Optional[str] = ..., state: _Optional[str] = ..., url: _Optional[str] = ..., component: _Optional[str] = ..., severity: _Optional[str] = ..., created_at: _Optional[str] = ..., score: _Optional[float] = ..., why: _Optional[_Iterable[str]] = ..., legs: _Optional[_Iterable[str]] = ...) -> None: ...

class DuplicateCheckRequest(_message.Message):
    __slots__ = ("org", "namespace", "title", "body", "frames", "component", "version", "mentions", "paths", "symbols", "issue_number", "top_k", "as_of", "related_prs", "rerank", "namespaces", "repo")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    BODY_FIELD_NUMBER: _ClassVar[int]
    FRAMES_FIELD_NUMBER: _ClassVar[int]
    COMPONENT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    MENTIONS_FIELD_NUMBER: _ClassVar[int]
    PATHS_FIELD_NUMBER: _ClassVar[int]
    SYMBOLS_FIELD_NUMBER: _ClassVar[int]
    ISSUE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    TOP_K_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    RELATED_PRS_FIELD_NUMBER: _ClassVar[int]
    RERANK_FIELD_NUMBER: _ClassVar[int]
    NAMESPACES_FIELD_NUMBER: _ClassVar[int]
    REPO_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    title: str
    body: str
    frames: _containers.RepeatedScalarFieldContainer[str]
    component: str
    version: str
    mentions: _containers.RepeatedScalarFieldContainer[str]
    paths: _containers.RepeatedScalarFieldContainer[str]
    symbols: _containers.RepeatedScalarFieldContainer[str]
    issue_number: int
    top_k: int
    as_of: str
    related_prs: bool
    rerank: bool
    namespaces: _containers.RepeatedScalarFieldContainer[str]
    repo: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., title: _Optional[str] = ..., body: _Optional[str] = ..., frames: _Optional[_Iterable[str]] = ..., component: _Optional[str] = ..., version: _Optional[str] = ..., mentions: _Optional[_Iterable[str]] = ..., paths: _Optional[_Iterable[str]] = ..., symbols: _Optional[_Iterable[str]] = ..., issue_number: _Optional[int] = ..., top_k: _Optional[int] = ..., as_of: _Optional[str] = ..., related_prs: _Optional[bool] = ..., rerank: _Optional[bool] = ..., namespaces: _Optional[_Iterable[str]] = ..., repo: _Optional[str] = ...) -> None: ...

class DuplicateCheckResponse(_message.Message):
    __slots__ = ("verdict", "epistemic", "answer", "confidence", "items", "nearest", "related_prs", "threshold", "fit", "namespaces_read", "reasons", "tracker_namespace", "tracker_unavailable", "unavailable_reason", "leg_status", "not_provided", "timings_ms")
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
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    EPISTEMIC_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEAREST_FIELD_NUMBER: _ClassVar[int]
    RELATED_PRS_FIELD_NUMBER: _ClassVar[int]
    THRESHOLD_FIELD_NUMBER: _ClassVar[int]
    FIT_FIELD_NUMBER: _ClassVar[int]
    NAMESPACES_READ_FIELD_NUMBER: _ClassVar[int]
    REASONS_FIELD_NUMBER: _ClassVar[int]
    TRACKER_NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    TRACKER_UNAVAILABLE_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_REASON_FIELD_NUMBER: _ClassVar[int]
    LEG_STATUS_FIELD_NUMBER: _ClassVar[int]
    NOT_PROVIDED_FIELD_NUMBER: _ClassVar[int]
    TIMINGS_MS_FIELD_NUMBER: _ClassVar[int]
    verdict: str
    epistemic: str
    answer: str
    confidence: float
    items: _containers.RepeatedCompositeFieldContainer[DuplicateItem]
    nearest: _containers.RepeatedCompositeFieldContainer[DuplicateItem]
    related_prs: _containers.RepeatedCompositeFieldContainer[SimilarItem]
    threshold: float
    fit: CheckFit
    namespaces_read: _containers.RepeatedScalarFieldContainer[str]
    reasons: _containers.RepeatedScalarFieldContainer[str]
    tracker_namespace: str
    tracker_unavailable: bool
    unavailable_reason: str
    leg_status: _containers.ScalarMap[str, str]
    not_provided: _containers.RepeatedScalarFieldContainer[str]
    timings_ms: _containers.ScalarMap[str, float]
    def __init__(self, verdict: _Optional[str] = ..., epistemic: _Optional[str] = ..., answer: _Optional[str] = ..., confidence: _Optional[float] = ..., items: _Optional[_Iterable[_Union[DuplicateItem, _Mapping]]] = ..., nearest: _Optional[_Iterable[_Union[DuplicateItem, _Mapping]]] = ..., related_prs: _Optional[_Iterable[_Union[SimilarItem, _Mapping]]] = ..., threshold: _Optional[float] = ..., fit: _Optional[_Union[CheckFit, _Mapping]] = ..., namespaces_read: _Optional[_Iterable[str]] = ..., reasons: _Optional[_Iterable[str]] = ..., tracker_namespace: _Optional[str] = ..., tracker_unavailable: _Optional[bool] = ..., unavailable_reason: _Optional[str] = ..., leg_status: _Optional[_Mapping[str, str]] = ..., not_provided: _Optional[_Iterable[str]] = ..., timings_ms: _Optional[_Mapping[str, float]] = ...) -> None: ...

class DuplicateItem(_message.Message):
    __slots__ = ("tracker_namespace", "source_id", "number", "kind", "title", "state", "url", "component", "severity", "created_at", "score", "why", "legs", "probability", "possible_regression", "closed_at", "fix_release", "fixed_by", "backports", "members", "caps")
    TRACKER_NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_ID_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    COMPONENT_FIELD_NUMBER: _ClassVar[int]
    SEVERITY_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    LEGS_FIELD_NUMBER: _ClassVar[int]
    PROBABILITY_FIELD_NUMBER: _ClassVar[int]
    POSSIBLE_REGRESSION_FIELD_NUMBER: _ClassVar[int]
    CLOSED_AT_FIELD_NUMBER: _ClassVar[int]
    FIX_RELEASE_FIELD_NUMBER: _ClassVar[int]
    FIXED_BY_FIELD_NUMBER: _ClassVar[int]
    BACKPORTS_FIELD_NUMBER: _ClassVar[int]
    MEMBERS_FIELD_NUMBER: _ClassVar[int]
    CAPS_FIELD_NUMBER: _ClassVar[int]
    tracker_namespace: str
    source_id: str
    number: int
    kind: str
    title: str
    state: str
    url: str
    component: str
    severity: str
    created_at: str
    score: float
    why: _containers.RepeatedScalarFieldContainer[str]
    legs: _containers.RepeatedScalarFieldContainer[str]
    probability: float
    possible_regression: bool
    closed_at: str
    fix_release: str
    fixed_by: _containers.RepeatedScalarFieldContainer[int]
    backports: _containers.RepeatedScalarFieldContainer[int]
    members: _containers.RepeatedScalarFieldContainer[str]
    caps: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, tracker_namespace: _Optional[str] = ..., source_id: _Optional[str] = ..., number: _Optional[int] = ..., kind: _Optional[str] = ..., title: _Optional[str] = ..., state: _Optional[str] = ..., url: _Optional[str] = ..., component: _Optional[str] = ..., severity: _Optional[str] = ..., created_at: _Optional[str] = ..., score: _Optional[float] = ..., why: _Optional[_Iterable[str]] = ..., legs: _Optional[_Iterable[str]] = ..., probability: _Optional[float] = ..., possible_regression: _Optional[bool] = ..., closed_at: _Optional[str] = ..., fix_release: _Optional[str] = ..., fixed_by: _Optional[_Iterable[int]] = ..., backports: _Optional[_Iterable[int]] = ..., members: _Optional[_Iterable[str]] = ..., caps: _Optional[_Iterable[str]] = ...) -> None: ...

class CheckFit(_message.Message):
    __slots__ = ("fitted_at", "namespace", "serves_duplicates", "reason", "precision", "recall", "brier", "ece", "drafts", "related_recall", "related_share")
    FITTED_AT_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    SERVES_DUPLICATES_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    PRECISION_FIELD_NUMBER: _ClassVar[int]
    RECALL_FIELD_NUMBER: _ClassVar[int]
    BRIER_FIELD_NUMBER: _ClassVar[int]
    ECE_FIELD_NUMBER: _ClassVar[int]
    DRAFTS_FIELD_NUMBER: _ClassVar[int]
    RELATED_RECALL_FIELD_NUMBER: _ClassVar[int]
    RELATED_SHARE_FIELD_NUMBER: _ClassVar[int]
    fitted_at: str
    namespace: str
    serves_duplicates: bool
    reason: str
    precision: float
    recall: float
    brier: float
    ece: float
    drafts: int
    related_recall: float
    related_share: float
    def __init__(self, fitted_at: _Optional[str] = ..., namespace: _Optional[str] = ..., serves_duplicates: _Optional[bool] = ..., reason: _Optional[str] = ..., precision: _Optional[float] = ..., recall: _Optional[float] = ..., brier: _Optional[float] = ..., ece: _Optional[float] = ..., drafts: _Optional[int] = ..., related_recall: _Optional[float] = ..., related_share: _Optional[float] = ...) -> None: ...
