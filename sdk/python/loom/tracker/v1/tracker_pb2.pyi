from loom.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ItemRequest(_message.Message):
    __slots__ = ("org", "namespace", "numbers", "repo")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    NUMBERS_FIELD_NUMBER: _ClassVar[int]
    REPO_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    numbers: _containers.RepeatedScalarFieldContainer[int]
    repo: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., numbers: _Optional[_Iterable[int]] = ..., repo: _Optional[str] = ...) -> None: ...

class ItemResponse(_message.Message):
    __slots__ = ("items", "missing", "tracker_namespace", "tracker_unavailable", "unavailable_reason", "leg_status", "not_provided", "timings_ms")
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
    MISSING_FIELD_NUMBER: _ClassVar[int]
    TRACKER_NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    TRACKER_UNAVAILABLE_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_REASON_FIELD_NUMBER: _ClassVar[int]
    LEG_STATUS_FIELD_NUMBER: _ClassVar[int]
    NOT_PROVIDED_FIELD_NUMBER: _ClassVar[int]
    TIMINGS_MS_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[ItemRecord]
    missing: _containers.RepeatedScalarFieldContainer[int]
    tracker_namespace: str
    tracker_unavailable: bool
    unavailable_reason: str
    leg_status: _containers.ScalarMap[str, str]
    not_provided: _containers.RepeatedScalarFieldContainer[str]
    timings_ms: _containers.ScalarMap[str, float]
    def __init__(self, items: _Optional[_Iterable[_Union[ItemRecord, _Mapping]]] = ..., missing: _Optional[_Iterable[int]] = ..., tracker_namespace: _Optional[str] = ..., tracker_unavailable: _Optional[bool] = ..., unavailable_reason: _Optional[str] = ..., leg_status: _Optional[_Mapping[str, str]] = ..., not_provided: _Optional[_Iterable[str]] = ..., timings_ms: _Optional[_Mapping[str, float]] = ...) -> None: ...

class ItemRecord(_message.Message):
    __slots__ = ("tracker_namespace", "source_id", "number", "kind", "title", "state", "url", "component", "severity", "created_at", "score", "why", "body", "body_clipped", "labels", "author", "updated_at", "closed_at", "merged_at", "milestone", "version", "state_reason", "error_codes", "tests", "affected_branches", "bisect_verdict", "triage_reproduces_on", "triage_clean_on", "base_ref", "head_ref", "merge_sha", "paths", "pull_requests", "graph")
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
    BODY_FIELD_NUMBER: _ClassVar[int]
    BODY_CLIPPED_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    CLOSED_AT_FIELD_NUMBER: _ClassVar[int]
    MERGED_AT_FIELD_NUMBER: _ClassVar[int]
    MILESTONE_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    STATE_REASON_FIELD_NUMBER: _ClassVar[int]
    ERROR_CODES_FIELD_NUMBER: _ClassVar[int]
    TESTS_FIELD_NUMBER: _ClassVar[int]
    AFFECTED_BRANCHES_FIELD_NUMBER: _ClassVar[int]
    BISECT_VERDICT_FIELD_NUMBER: _ClassVar[int]
    TRIAGE_REPRODUCES_ON_FIELD_NUMBER: _ClassVar[int]
    TRIAGE_CLEAN_ON_FIELD_NUMBER: _ClassVar[int]
    BASE_REF_FIELD_NUMBER: _ClassVar[int]
    HEAD_REF_FIELD_NUMBER: _ClassVar[int]
    MERGE_SHA_FIELD_NUMBER: _ClassVar[int]
    PATHS_FIELD_NUMBER: _ClassVar[int]
    PULL_REQUESTS_FIELD_NUMBER: _ClassVar[int]
    GRAPH_FIELD_NUMBER: _ClassVar[int]
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
    body: str
    body_clipped: bool
    labels: _containers.RepeatedScalarFieldContainer[str]
    author: str
    updated_at: str
    closed_at: str
    merged_at: str
    milestone: str
    version: str
    state_reason: str
    error_codes: _containers.RepeatedScalarFieldContainer[str]
    tests: _containers.RepeatedScalarFieldContainer[str]
    affected_branches: _containers.RepeatedScalarFieldContainer[str]
    bisect_verdict: str
    triage_reproduces_on: _containers.RepeatedScalarFieldContainer[str]
    triage_clean_on: _containers.RepeatedScalarFieldContainer[str]
    base_ref: str
    head_ref: str
    merge_sha: str
    paths: _containers.RepeatedScalarFieldContainer[str]
    pull_requests: _containers.RepeatedCompositeFieldContainer[PullRequest]
    graph: _containers.RepeatedCompositeFieldContainer[Relation]
    def __init__(self, tracker_namespace: _Optional[str] = ..., source_id: _Optional[str] = ..., number: _Optional[int] = ..., kind: _Optional[str] = ..., title: _Optional[str] = ..., state: _Optional[str] = ..., url: _Optional[str] = ..., component: _Optional[str] = ..., severity: _Optional[str] = ..., created_at: _Optional[str] = ..., score: _Optional[float] = ..., why: _Optional[_Iterable[str]] = ..., body: _Optional[str] = ..., body_clipped: _Optional[bool] = ..., labels: _Optional[_Iterable[str]] = ..., author: _Optional[str] = ..., updated_at: _Optional[str] = ..., closed_at: _Optional[str] = ..., merged_at: _Optional[str] = ..., milestone: _Optional[str] = ..., version: _Optional[str] = ..., state_reason: _Optional[str] = ..., error_codes: _Optional[_Iterable[str]] = ..., tests: _Optional[_Iterable[str]] = ..., affected_branches: _Optional[_Iterable[str]] = ..., bisect_verdict: _Optional[str] = ..., triage_reproduces_on: _Optional[_Iterable[str]] = ..., triage_clean_on: _Optional[_Iterable[str]] = ..., base_ref: _Optional[str] = ..., head_ref: _Optional[str] = ..., merge_sha: _Optional[str] = ..., paths: _Optional[_Iterable[str]] = ..., pull_requests: _Optional[_Iterable[_Union[PullRequest, _Mapping]]] = ..., graph: _Optional[_Iterable[_Union[Relation, _Mapping]]] = ...) -> None: ...

class PullRequest(_message.Message):
    __slots__ = ("number", "source_id", "title", "state", "relation", "base_ref", "merged_at", "release", "backport_state", "ci", "failed_checks", "report_url", "url")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    SOURCE_ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    RELATION_FIELD_NUMBER: _ClassVar[int]
    BASE_REF_FIELD_NUMBER: _ClassVar[int]
    MERGED_AT_FIELD_NUMBER: _ClassVar[int]
    RELEASE_FIELD_NUMBER: _ClassVar[int]
    BACKPORT_STATE_FIELD_NUMBER: _ClassVar[int]
    CI_FIELD_NUMBER: _ClassVar[int]
    FAILED_CHECKS_FIELD_NUMBER: _ClassVar[int]
    REPORT_URL_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    number: int
    source_id: str
    title: str
    state: str
    relation: str
    base_ref: str
    merged_at: str
    release: str
    backport_state: str
    ci: str
    failed_checks: _containers.RepeatedScalarFieldContainer[str]
    report_url: str
    url: str
    def __init__(self, number: _Optional[int] = ..., source_id: _Optional[str] = ..., title: _Optional[str] = ..., state: _Optional[str] = ..., relation: _Optional[str] = ..., base_ref: _Optional[str] = ..., merged_at: _Optional[str] = ..., release: _Optional[str] = ..., backport_state: _Optional[str] = ..., ci: _Optional[str] = ..., failed_checks: _Optional[_Iterable[str]] = ..., report_url: _Optional[str] = ..., url: _Optional[str] = ...) -> None: ...

class Relation(_message.Message):
    __slots__ = ("source", "target", "relation", "steps", "title", "state", "kind")
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    RELATION_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    source: str
    target: str
    relation: str
    steps: int
    title: str
    state: str
    kind: str
    def __init__(self, source: _Optional[str] = ..., target: _Optional[str] = ..., relation: _Optional[str] = ..., steps: _Optional[int] = ..., title: _Optional[str] = ..., state: _Optional[str] = ..., kind: _Optional[str] = ...) -> None: ...

class LinksRequest(_message.Message):
    __slots__ = ("org", "namespace", "issue_number", "pr_number", "repo")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    ISSUE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    PR_NUMBER_FIELD_NUMBER: _ClassVar[int]
    REPO_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    issue_number: int
    pr_number: int
    repo: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., issue_number: _Optional[int] = ..., pr_number: _Optional[int] = ..., repo: _Optional[str] = ...) -> None: ...

class LinksResponse(_message.Message):
    __slots__ = ("items", "missing", "tracker_namespace", "tracker_unavailable", "unavailable_reason", "leg_status", "not_provided", "timings_ms")
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
    MISSING_FIELD_NUMBER: _ClassVar[int]
    TRACKER_NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    TRACKER_UNAVAILABLE_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_REASON_FIELD_NUMBER: _ClassVar[int]
    LEG_STATUS_FIELD_NUMBER: _ClassVar[int]
    NOT_PROVIDED_FIELD_NUMBER: _ClassVar[int]
    TIMINGS_MS_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[Link]
    missing: int
    tracker_namespace: str
    tracker_unavailable: bool
    unavailable_reason: str
    leg_status: _containers.ScalarMap[str, str]
    not_provided: _containers.RepeatedScalarFieldContainer[str]
    timings_ms: _containers.ScalarMap[str, float]
    def __init__(self, items: _Optional[_Iterable[_Union[Link, _Mapping]]] = ..., missing: _Optional[int] = ..., tracker_namespace: _Optional[str] = ..., tracker_unavailable: _Optional[bool] = ..., unavailable_reason: _Optional[str] = ..., leg_status: _Optional[_Mapping[str, str]] = ..., not_provided: _Optional[_Iterable[str]] = ..., timings_ms: _Optional[_Mapping[str, float]] = ...) -> None: ...

class Link(_message.Message):
    __slots__ = ("tracker_namespace", "source_id", "number", "kind", "title", "state", "url", "component", "severity", "created_at", "score", "why", "written", "relation")
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
    WRITTEN_FIELD_NUMBER: _ClassVar[int]
    RELATION_FIELD_NUMBER: _ClassVar[int]
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
    written: bool
    relation: str
    def __init__(self, tracker_namespace: _Optional[str] = ..., source_id: _Optional[str] = ..., number: _Optional[int] = ..., kind: _Optional[str] = ..., title: _Optional[str] = ..., state: _Optional[str] = ..., url: _Optional[str] = ..., component: _Optional[str] = ..., severity: _Optional[str] = ..., created_at: _Optional[str] = ..., score: _Optional[float] = ..., why: _Optional[_Iterable[str]] = ..., written: _Optional[bool] = ..., relation: _Optional[str] = ...) -> None: ...

class FlakyRequest(_message.Message):
    __slots__ = ("org", "namespace", "test_name", "include_signal")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    TEST_NAME_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_SIGNAL_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    test_name: str
    include_signal: bool
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., test_name: _Optional[str] = ..., include_signal: _Optional[bool] = ...) -> None: ...

class FlakyResponse(_message.Message):
    __slots__ = ("verdict", "items", "similar_names", "epistemic", "tracker_namespace", "tracker_unavailable", "unavailable_reason", "leg_status", "not_provided", "timings_ms", "signal")
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
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    SIMILAR_NAMES_FIELD_NUMBER: _ClassVar[int]
    EPISTEMIC_FIELD_NUMBER: _ClassVar[int]
    TRACKER_NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    TRACKER_UNAVAILABLE_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_REASON_FIELD_NUMBER: _ClassVar[int]
    LEG_STATUS_FIELD_NUMBER: _ClassVar[int]
    NOT_PROVIDED_FIELD_NUMBER: _ClassVar[int]
    TIMINGS_MS_FIELD_NUMBER: _ClassVar[int]
    SIGNAL_FIELD_NUMBER: _ClassVar[int]
    verdict: str
    items: _containers.RepeatedCompositeFieldContainer[Item]
    similar_names: _containers.RepeatedScalarFieldContainer[str]
    epistemic: str
    tracker_namespace: str
    tracker_unavailable: bool
    unavailable_reason: str
    leg_status: _containers.ScalarMap[str, str]
    not_provided: _containers.RepeatedScalarFieldContainer[str]
    timings_ms: _containers.ScalarMap[str, float]
    signal: FlakySignal
    def __init__(self, verdict: _Optional[str] = ..., items: _Optional[_Iterable[_Union[Item, _Mapping]]] = ..., similar_names: _Optional[_Iterable[str]] = ..., epistemic: _Optional[str] = ..., tracker_namespace: _Optional[str] = ..., tracker_unavailable: _Optional[bool] = ..., unavailable_reason: _Optional[str] = ..., leg_status: _Optional[_Mapping[str, str]] = ..., not_provided: _Optional[_Iterable[str]] = ..., timings_ms: _Optional[_Mapping[str, float]] = ..., signal: _Optional[_Union[FlakySignal, _Mapping]] = ...) -> None: ...

class FlakySignal(_message.Message):
    __slots__ = ("verdict", "why", "lower_bound", "window_days", "since", "candidates")
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    LOWER_BOUND_FIELD_NUMBER: _ClassVar[int]
    WINDOW_DAYS_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    CANDIDATES_FIELD_NUMBER: _ClassVar[int]
    verdict: str
    why: _containers.RepeatedScalarFieldContainer[str]
    lower_bound: float
    window_days: int
    since: str
    candidates: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, verdict: _Optional[str] = ..., why: _Optional[_Iterable[str]] = ..., lower_bound: _Optional[float] = ..., window_days: _Optional[int] = ..., since: _Optional[str] = ..., candidates: _Optional[_Iterable[str]] = ...) -> None: ...

class Item(_message.Message):
    __slots__ = ("tracker_namespace", "source_id", "number", "kind", "title", "state", "url", "component", "severity", "created_at", "score", "why")
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
    def __init__(self, tracker_namespace: _Optional[str] = ..., source_id: _Optional[str] = ..., number: _Optional[int] = ..., kind: _Optional[str] = ..., title: _Optional[str] = ..., state: _Optional[str] = ..., url: _Optional[str] = ..., component: _Optional[str] = ..., severity: _Optional[str] = ..., created_at: _Optional[str] = ..., score: _Optional[float] = ..., why: _Optional[_Iterable[str]] = ...) -> None: ...

class ReleaseRequest(_message.Message):
    __slots__ = ("org", "namespace", "version")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    version: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., version: _Optional[str] = ...) -> None: ...

class ReleaseResponse(_message.Message):
    __slots__ = ("verdict", "answer", "version", "branch", "state", "released_at", "blockers", "health", "missing", "waiting_backports", "near", "epistemic", "tracker_namespace", "tracker_unavailable", "unavailable_reason", "leg_status", "not_provided", "timings_ms")
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
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    BRANCH_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    RELEASED_AT_FIELD_NUMBER: _ClassVar[int]
    BLOCKERS_FIELD_NUMBER: _ClassVar[int]
    HEALTH_FIELD_NUMBER: _ClassVar[int]
    MISSING_FIELD_NUMBER: _ClassVar[int]
    WAITING_BACKPORTS_FIELD_NUMBER: _ClassVar[int]
    NEAR_FIELD_NUMBER: _ClassVar[int]
    EPISTEMIC_FIELD_NUMBER: _ClassVar[int]
    TRACKER_NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    TRACKER_UNAVAILABLE_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_REASON_FIELD_NUMBER: _ClassVar[int]
    LEG_STATUS_FIELD_NUMBER: _ClassVar[int]
    NOT_PROVIDED_FIELD_NUMBER: _ClassVar[int]
    TIMINGS_MS_FIELD_NUMBER: _ClassVar[int]
    verdict: str
    answer: str
    version: str
    branch: str
    state: str
    released_at: str
    blockers: _containers.RepeatedCompositeFieldContainer[Blocker]
    health: Health
    missing: _containers.RepeatedScalarFieldContainer[str]
    waiting_backports: _containers.RepeatedCompositeFieldContainer[WaitingFix]
    near: _containers.RepeatedScalarFieldContainer[str]
    epistemic: str
    tracker_namespace: str
    tracker_unavailable: bool
    unavailable_reason: str
    leg_status: _containers.ScalarMap[str, str]
    not_provided: _containers.RepeatedScalarFieldContainer[str]
    timings_ms: _containers.ScalarMap[str, float]
    def __init__(self, verdict: _Optional[str] = ..., answer: _Optional[str] = ..., version: _Optional[str] = ..., branch: _Optional[str] = ..., state: _Optional[str] = ..., released_at: _Optional[str] = ..., blockers: _Optional[_Iterable[_Union[Blocker, _Mapping]]] = ..., health: _Optional[_Union[Health, _Mapping]] = ..., missing: _Optional[_Iterable[str]] = ..., waiting_backports: _Optional[_Iterable[_Union[WaitingFix, _Mapping]]] = ..., near: _Optional[_Iterable[str]] = ..., epistemic: _Optional[str] = ..., tracker_namespace: _Optional[str] = ..., tracker_unavailable: _Optional[bool] = ..., unavailable_reason: _Optional[str] = ..., leg_status: _Optional[_Mapping[str, str]] = ..., not_provided: _Optional[_Iterable[str]] = ..., timings_ms: _Optional[_Mapping[str, float]] = ...) -> None: ...

class Blocker(_message.Message):
    __slots__ = ("tracker_namespace", "source_id", "number", "kind", "title", "state", "url", "component", "severity", "created_at", "score", "why", "status", "fixed_by")
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
    STATUS_FIELD_NUMBER: _ClassVar[int]
    FIXED_BY_FIELD_NUMBER: _ClassVar[int]
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
    status: str
    fixed_by: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, tracker_namespace: _Optional[str] = ..., source_id: _Optional[str] = ..., number: _Optional[int] = ..., kind: _Optional[str] = ..., title: _Optional[str] = ..., state: _Optional[str] = ..., url: _Optional[str] = ..., component: _Optional[str] = ..., severity: _Optional[str] = ..., created_at: _Optional[str] = ..., score: _Optional[float] = ..., why: _Optional[_Iterable[str]] = ..., status: _Optional[str] = ..., fixed_by: _Optional[_Iterable[int]] = ...) -> None: ...

class Health(_message.Message):
    __slots__ = ("snapshot_at", "status", "blockers_open", "ci_pass_rate", "notes")
    SNAPSHOT_AT_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    BLOCKERS_OPEN_FIELD_NUMBER: _ClassVar[int]
    CI_PASS_RATE_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    snapshot_at: str
    status: str
    blockers_open: int
    ci_pass_rate: float
    notes: str
    def __init__(self, snapshot_at: _Optional[str] = ..., status: _Optional[str] = ..., blockers_open: _Optional[int] = ..., ci_pass_rate: _Optional[float] = ..., notes: _Optional[str] = ...) -> None: ...

class WaitingFix(_message.Message):
    __slots__ = ("tracker_namespace", "source_id", "number", "kind", "title", "state", "url", "component", "severity", "created_at", "score", "why", "base_ref", "merged_at", "backport_state", "issue_number")
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
    BASE_REF_FIELD_NUMBER: _ClassVar[int]
    MERGED_AT_FIELD_NUMBER: _ClassVar[int]
    BACKPORT_STATE_FIELD_NUMBER: _ClassVar[int]
    ISSUE_NUMBER_FIELD_NUMBER: _ClassVar[int]
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
    base_ref: str
    merged_at: str
    backport_state: str
    issue_number: int
    def __init__(self, tracker_namespace: _Optional[str] = ..., source_id: _Optional[str] = ..., number: _Optional[int] = ..., kind: _Optional[str] = ..., title: _Optional[str] = ..., state: _Optional[str] = ..., url: _Optional[str] = ..., component: _Optional[str] = ..., severity: _Optional[str] = ..., created_at: _Optional[str] = ..., score: _Optional[float] = ..., why: _Optional[_Iterable[str]] = ..., base_ref: _Optional[str] = ..., merged_at: _Optional[str] = ..., backport_state: _Optional[str] = ..., issue_number: _Optional[int] = ...) -> None: ...

class ComponentRequest(_message.Message):
    __slots__ = ("org", "namespace", "component", "limit")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    COMPONENT_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    component: str
    limit: int
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., component: _Optional[str] = ..., limit: _Optional[int] = ...) -> None: ...

class ComponentResponse(_message.Message):
    __slots__ = ("component", "risk", "items", "open_issues", "incidents", "near", "tracker_namespace", "tracker_unavailable", "unavailable_reason", "leg_status", "not_provided", "timings_ms")
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
    COMPONENT_FIELD_NUMBER: _ClassVar[int]
    RISK_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    OPEN_ISSUES_FIELD_NUMBER: _ClassVar[int]
    INCIDENTS_FIELD_NUMBER: _ClassVar[int]
    NEAR_FIELD_NUMBER: _ClassVar[int]
    TRACKER_NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    TRACKER_UNAVAILABLE_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_REASON_FIELD_NUMBER: _ClassVar[int]
    LEG_STATUS_FIELD_NUMBER: _ClassVar[int]
    NOT_PROVIDED_FIELD_NUMBER: _ClassVar[int]
    TIMINGS_MS_FIELD_NUMBER: _ClassVar[int]
    component: str
    risk: Risk
    items: _containers.RepeatedCompositeFieldContainer[Item]
    open_issues: int
    incidents: _containers.RepeatedCompositeFieldContainer[Incident]
    near: _containers.RepeatedScalarFieldContainer[str]
    tracker_namespace: str
    tracker_unavailable: bool
    unavailable_reason: str
    leg_status: _containers.ScalarMap[str, str]
    not_provided: _containers.RepeatedScalarFieldContainer[str]
    timings_ms: _containers.ScalarMap[str, float]
    def __init__(self, component: _Optional[str] = ..., risk: _Optional[_Union[Risk, _Mapping]] = ..., items: _Optional[_Iterable[_Union[Item, _Mapping]]] = ..., open_issues: _Optional[int] = ..., incidents: _Optional[_Iterable[_Union[Incident, _Mapping]]] = ..., near: _Optional[_Iterable[str]] = ..., tracker_namespace: _Optional[str] = ..., tracker_unavailable: _Optional[bool] = ..., unavailable_reason: _Optional[str] = ..., leg_status: _Optional[_Mapping[str, str]] = ..., not_provided: _Optional[_Iterable[str]] = ..., timings_ms: _Optional[_Mapping[str, float]] = ...) -> None: ...

class Risk(_message.Message):
    __slots__ = ("snapshot_at", "score", "open_issues", "open_severe", "trend", "owners", "notes")
    SNAPSHOT_AT_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    OPEN_ISSUES_FIELD_NUMBER: _ClassVar[int]
    OPEN_SEVERE_FIELD_NUMBER: _ClassVar[int]
    TREND_FIELD_NUMBER: _ClassVar[int]
    OWNERS_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    snapshot_at: str
    score: float
    open_issues: int
    open_severe: int
    trend: str
    owners: _containers.RepeatedScalarFieldContainer[str]
    notes: str
    def __init__(self, snapshot_at: _Optional[str] = ..., score: _Optional[float] = ..., open_issues: _Optional[int] = ..., open_severe: _Optional[int] = ..., trend: _Optional[str] = ..., owners: _Optional[_Iterable[str]] = ..., notes: _Optional[str] = ...) -> None: ...

class Incident(_message.Message):
    __slots__ = ("id", "title", "severity", "state", "started_at", "resolved_at", "issue_numbers")
    ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    SEVERITY_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    RESOLVED_AT_FIELD_NUMBER: _ClassVar[int]
    ISSUE_NUMBERS_FIELD_NUMBER: _ClassVar[int]
    id: str
    title: str
    severity: str
    state: str
    started_at: str
    resolved_at: str
    issue_numbers: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, id: _Optional[str] = ..., title: _Optional[str] = ..., severity: _Optional[str] = ..., state: _Optional[str] = ..., started_at: _Optional[str] = ..., resolved_at: _Optional[str] = ..., issue_numbers: _Optional[_Iterable[int]] = ...) -> None: ...

class AnswerRequest(_message.Message):
    __slots__ = ("org", "namespace", "question", "anchors", "explain_only", "limit")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    ANCHORS_FIELD_NUMBER: _ClassVar[int]
    EXPLAIN_ONLY_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    question: str
    anchors: Anchors
    explain_only: bool
    limit: int
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., question: _Optional[str] = ..., anchors: _Optional[_Union[Anchors, _Mapping]] = ..., explain_only: _Optional[bool] = ..., limit: _Optional[int] = ...) -> None: ...

class Anchors(_message.Message):
    __slots__ = ("numbers", "tests", "versions", "shas", "paths", "frames", "components")
    NUMBERS_FIELD_NUMBER: _ClassVar[int]
    TESTS_FIELD_NUMBER: _ClassVar[int]
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    SHAS_FIELD_NUMBER: _ClassVar[int]
    PATHS_FIELD_NUMBER: _ClassVar[int]
    FRAMES_FIELD_NUMBER: _ClassVar[int]
    COMPONENTS_FIELD_NUMBER: _ClassVar[int]
    numbers: _containers.RepeatedScalarFieldContainer[int]
    tests: _containers.RepeatedScalarFieldContainer[str]
    versions: _containers.RepeatedScalarFieldContainer[str]
    shas: _containers.RepeatedScalarFieldContainer[str]
    paths: _containers.RepeatedScalarFieldContainer[str]
    frames: _containers.RepeatedScalarFieldContainer[str]
    components: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, numbers: _Optional[_Iterable[int]] = ..., tests: _Optional[_Iterable[str]] = ..., versions: _Optional[_Iterable[str]] = ..., shas: _Optional[_Iterable[str]] = ..., paths: _Optional[_Iterable[str]] = ..., frames: _Optional[_Iterable[str]] = ..., components: _Optional[_Iterable[str]] = ...) -> None: ...

class AnswerResponse(_message.Message):
    __slots__ = ("text", "citations", "searched", "templates", "suggestions", "epistemic", "tracker_namespace", "tracker_unavailable", "unavailable_reason", "leg_status", "not_provided", "timings_ms")
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
    TEXT_FIELD_NUMBER: _ClassVar[int]
    CITATIONS_FIELD_NUMBER: _ClassVar[int]
    SEARCHED_FIELD_NUMBER: _ClassVar[int]
    TEMPLATES_FIELD_NUMBER: _ClassVar[int]
    SUGGESTIONS_FIELD_NUMBER: _ClassVar[int]
    EPISTEMIC_FIELD_NUMBER: _ClassVar[int]
    TRACKER_NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    TRACKER_UNAVAILABLE_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_REASON_FIELD_NUMBER: _ClassVar[int]
    LEG_STATUS_FIELD_NUMBER: _ClassVar[int]
    NOT_PROVIDED_FIELD_NUMBER: _ClassVar[int]
    TIMINGS_MS_FIELD_NUMBER: _ClassVar[int]
    text: str
    citations: _containers.RepeatedCompositeFieldContainer[Citation]
    searched: _containers.RepeatedScalarFieldContainer[str]
    templates: _containers.RepeatedCompositeFieldContainer[TemplateRun]
    suggestions: _containers.RepeatedCompositeFieldContainer[Suggestion]
    epistemic: str
    tracker_namespace: str
    tracker_unavailable: bool
    unavailable_reason: str
    leg_status: _containers.ScalarMap[str, str]
    not_provided: _containers.RepeatedScalarFieldContainer[str]
    timings_ms: _containers.ScalarMap[str, float]
    def __init__(self, text: _Optional[str] = ..., citations: _Optional[_Iterable[_Union[Citation, _Mapping]]] = ..., searched: _Optional[_Iterable[str]] = ..., templates: _Optional[_Iterable[_Union[TemplateRun, _Mapping]]] = ..., suggestions: _Optional[_Iterable[_Union[Suggestion, _Mapping]]] = ..., epistemic: _Optional[str] = ..., tracker_namespace: _Optional[str] = ..., tracker_unavailable: _Optional[bool] = ..., unavailable_reason: _Optional[str] = ..., leg_status: _Optional[_Mapping[str, str]] = ..., not_provided: _Optional[_Iterable[str]] = ..., timings_ms: _Optional[_Mapping[str, float]] = ...) -> None: ...

class Citation(_message.Message):
    __slots__ = ("tracker_namespace", "source_id", "number", "kind", "title", "state", "url", "component", "severity", "created_at", "score", "why", "index", "template")
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
    INDEX_FIELD_NUMBER: _ClassVar[int]
    TEMPLATE_FIELD_NUMBER: _ClassVar[int]
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
    index: int
    template: str
    def __init__(self, tracker_namespace: _Optional[str] = ..., source_id: _Optional[str] = ..., number: _Optional[int] = ..., kind: _Optional[str] = ..., title: _Optional[str] = ..., state: _Optional[str] = ..., url: _Optional[str] = ..., component: _Optional[str] = ..., severity: _Optional[str] = ..., created_at: _Optional[str] = ..., score: _Optional[float] = ..., why: _Optional[_Iterable[str]] = ..., index: _Optional[int] = ..., template: _Optional[str] = ...) -> None: ...

class TemplateRun(_message.Message):
    __slots__ = ("name", "why", "anchors", "sql", "rows")
    NAME_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    ANCHORS_FIELD_NUMBER: _ClassVar[int]
    SQL_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    name: str
    why: str
    anchors: _containers.RepeatedScalarFieldContainer[str]
    sql: str
    rows: int
    def __init__(self, name: _Optional[str] = ..., why: _Optional[str] = ..., anchors: _Optional[_Iterable[str]] = ..., sql: _Optional[str] = ..., rows: _Optional[int] = ...) -> None: ...

class Suggestion(_message.Message):
    __slots__ = ("template", "answers", "example")
    TEMPLATE_FIELD_NUMBER: _ClassVar[int]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    EXAMPLE_FIELD_NUMBER: _ClassVar[int]
    template: str
    answers: str
    example: str
    def __init__(self, template: _Optional[str] = ..., answers: _Optional[str] = ..., example: _Optional[str] = ...) -> None: ...

class BindingRequest(_message.Message):
    __slots__ = ("org", "namespace")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ...) -> None: ...

class BindingResponse(_message.Message):
    __slots__ = ("kind", "trackers", "templates")
    KIND_FIELD_NUMBER: _ClassVar[int]
    TRACKERS_FIELD_NUMBER: _ClassVar[int]
    TEMPLATES_FIELD_NUMBER: _ClassVar[int]
    kind: str
    trackers: _containers.RepeatedCompositeFieldContainer[BoundTracker]
    templates: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, kind: _Optional[str] = ..., trackers: _Optional[_Iterable[_Union[BoundTracker, _Mapping]]] = ..., templates: _Optional[_Iterable[str]] = ...) -> None: ...

class BoundTracker(_message.Message):
    __slots__ = ("namespace", "primary", "repos", "restricted", "state", "features", "fit")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    PRIMARY_FIELD_NUMBER: _ClassVar[int]
    REPOS_FIELD_NUMBER: _ClassVar[int]
    RESTRICTED_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    FEATURES_FIELD_NUMBER: _ClassVar[int]
    FIT_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    primary: bool
    repos: _containers.RepeatedScalarFieldContainer[str]
    restricted: bool
    state: str
    features: _containers.RepeatedScalarFieldContainer[str]
    fit: FitQuality
    def __init__(self, namespace: _Optional[str] = ..., primary: _Optional[bool] = ..., repos: _Optional[_Iterable[str]] = ..., restricted: _Optional[bool] = ..., state: _Optional[str] = ..., features: _Optional[_Iterable[str]] = ..., fit: _Optional[_Union[FitQuality, _Mapping]] = ...) -> None: ...

class FitQuality(_message.Message):
    __slots__ = ("fitted_at", "precision", "recall", "brier", "threshold", "pairs", "related_recall", "related_share")
    FITTED_AT_FIELD_NUMBER: _ClassVar[int]
    PRECISION_FIELD_NUMBER: _ClassVar[int]
    RECALL_FIELD_NUMBER: _ClassVar[int]
    BRIER_FIELD_NUMBER: _ClassVar[int]
    THRESHOLD_FIELD_NUMBER: _ClassVar[int]
    PAIRS_FIELD_NUMBER: _ClassVar[int]
    RELATED_RECALL_FIELD_NUMBER: _ClassVar[int]
    RELATED_SHARE_FIELD_NUMBER: _ClassVar[int]
    fitted_at: str
    precision: float
    recall: float
    brier: float
    threshold: float
    pairs: int
    related_recall: float
    related_share: float
    def __init__(self, fitted_at: _Optional[str] = ..., precision: _Optional[float] = ..., recall: _Optional[float] = ..., brier: _Optional[float] = ..., threshold: _Optional[float] = ..., pairs: _Optional[int] = ..., related_recall: _Optional[float] = ..., related_share: _Optional[float] = ...) -> None: ...

class ContractRequest(_message.Message):
    __slots__ = ("org",)
    ORG_FIELD_NUMBER: _ClassVar[int]
    org: str
    def __init__(self, org: _Optional[str] = ...) -> None: ...

class ContractResponse(_message.Message):
    __slots__ = ("tables", "features")
    TABLES_FIELD_NUMBER: _ClassVar[int]
    FEATURES_FIELD_NUMBER: _ClassVar[int]
    tables: _containers.RepeatedCompositeFieldContainer[ContractTable]
    features: _containers.RepeatedCompositeFieldContainer[ContractFeature]
    def __init__(self, tables: _Optional[_Iterable[_Union[ContractTable, _Mapping]]] = ..., features: _Optional[_Iterable[_Union[ContractFeature, _Mapping]]] = ...) -> None: ...

class ContractTable(_message.Message):
    __slots__ = ("name", "required", "meaning", "columns", "view_template", "restricted_only")
    NAME_FIELD_NUMBER: _ClassVar[int]
    REQUIRED_FIELD_NUMBER: _ClassVar[int]
    MEANING_FIELD_NUMBER: _ClassVar[int]
    COLUMNS_FIELD_NUMBER: _ClassVar[int]
    VIEW_TEMPLATE_FIELD_NUMBER: _ClassVar[int]
    RESTRICTED_ONLY_FIELD_NUMBER: _ClassVar[int]
    name: str
    required: bool
    meaning: str
    columns: _containers.RepeatedCompositeFieldContainer[ContractColumn]
    view_template: str
    restricted_only: bool
    def __init__(self, name: _Optional[str] = ..., required: _Optional[bool] = ..., meaning: _Optional[str] = ..., columns: _Optional[_Iterable[_Union[ContractColumn, _Mapping]]] = ..., view_template: _Optional[str] = ..., restricted_only: _Optional[bool] = ...) -> None: ...

class ContractColumn(_message.Message):
    __slots__ = ("name", "required", "type", "aliases", "meaning", "takes", "values")
    NAME_FIELD_NUMBER: _ClassVar[int]
    REQUIRED_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    ALIASES_FIELD_NUMBER: _ClassVar[int]
    MEANING_FIELD_NUMBER: _ClassVar[int]
    TAKES_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    name: str
    required: bool
    type: str
    aliases: _containers.RepeatedScalarFieldContainer[str]
    meaning: str
    takes: str
    values: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., required: _Optional[bool] = ..., type: _Optional[str] = ..., aliases: _Optional[_Iterable[str]] = ..., meaning: _Optional[str] = ..., takes: _Optional[str] = ..., values: _Optional[_Iterable[str]] = ...) -> None: ...

class ContractFeature(_message.Message):
    __slots__ = ("name", "meaning", "all_of", "any_of", "better_with")
    NAME_FIELD_NUMBER: _ClassVar[int]
    MEANING_FIELD_NUMBER: _ClassVar[int]
    ALL_OF_FIELD_NUMBER: _ClassVar[int]
    ANY_OF_FIELD_NUMBER: _ClassVar[int]
    BETTER_WITH_FIELD_NUMBER: _ClassVar[int]
    name: str
    meaning: str
    all_of: _containers.RepeatedScalarFieldContainer[str]
    any_of: _containers.RepeatedScalarFieldContainer[str]
    better_with: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., meaning: _Optional[str] = ..., all_of: _Optional[_Iterable[str]] = ..., any_of: _Optional[_Iterable[str]] = ..., better_with: _Optional[_Iterable[str]] = ...) -> None: ...
