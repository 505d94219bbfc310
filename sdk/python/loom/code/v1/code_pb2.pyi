from loom.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class BisectCandidatesRequest(_message.Message):
    __slots__ = ("org", "namespace", "repo", "issue_number", "good", "bad", "text", "frames", "paths", "symbols", "component", "top_k")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    REPO_FIELD_NUMBER: _ClassVar[int]
    ISSUE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    GOOD_FIELD_NUMBER: _ClassVar[int]
    BAD_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    FRAMES_FIELD_NUMBER: _ClassVar[int]
    PATHS_FIELD_NUMBER: _ClassVar[int]
    SYMBOLS_FIELD_NUMBER: _ClassVar[int]
    COMPONENT_FIELD_NUMBER: _ClassVar[int]
    TOP_K_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    repo: str
    issue_number: int
    good: _containers.RepeatedScalarFieldContainer[str]
    bad: _containers.RepeatedScalarFieldContainer[str]
    text: str
    frames: _containers.RepeatedScalarFieldContainer[str]
    paths: _containers.RepeatedScalarFieldContainer[str]
    symbols: _containers.RepeatedScalarFieldContainer[str]
    component: str
    top_k: int
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., repo: _Optional[str] = ..., issue_number: _Optional[int] = ..., good: _Optional[_Iterable[str]] = ..., bad: _Optional[_Iterable[str]] = ..., text: _Optional[str] = ..., frames: _Optional[_Iterable[str]] = ..., paths: _Optional[_Iterable[str]] = ..., symbols: _Optional[_Iterable[str]] = ..., component: _Optional[str] = ..., top_k: _Optional[int] = ...) -> None: ...

class BisectCandidatesResponse(_message.Message):
    __slots__ = ("verdict", "causes", "epistemic", "tracker_namespace", "tracker_unavailable", "unavailable_reason", "leg_status", "not_provided", "timings_ms", "candidates", "window", "partial", "partial_reason", "scanned", "in_window", "after_report", "patterns", "component_dirs", "known_fixes")
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
    CAUSES_FIELD_NUMBER: _ClassVar[int]
    EPISTEMIC_FIELD_NUMBER: _ClassVar[int]
    TRACKER_NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    TRACKER_UNAVAILABLE_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_REASON_FIELD_NUMBER: _ClassVar[int]
    LEG_STATUS_FIELD_NUMBER: _ClassVar[int]
    NOT_PROVIDED_FIELD_NUMBER: _ClassVar[int]
    TIMINGS_MS_FIELD_NUMBER: _ClassVar[int]
    CANDIDATES_FIELD_NUMBER: _ClassVar[int]
    WINDOW_FIELD_NUMBER: _ClassVar[int]
    PARTIAL_FIELD_NUMBER: _ClassVar[int]
    PARTIAL_REASON_FIELD_NUMBER: _ClassVar[int]
    SCANNED_FIELD_NUMBER: _ClassVar[int]
    IN_WINDOW_FIELD_NUMBER: _ClassVar[int]
    AFTER_REPORT_FIELD_NUMBER: _ClassVar[int]
    PATTERNS_FIELD_NUMBER: _ClassVar[int]
    COMPONENT_DIRS_FIELD_NUMBER: _ClassVar[int]
    KNOWN_FIXES_FIELD_NUMBER: _ClassVar[int]
    verdict: str
    causes: _containers.RepeatedScalarFieldContainer[str]
    epistemic: str
    tracker_namespace: str
    tracker_unavailable: bool
    unavailable_reason: str
    leg_status: _containers.ScalarMap[str, str]
    not_provided: _containers.RepeatedScalarFieldContainer[str]
    timings_ms: _containers.ScalarMap[str, float]
    candidates: _containers.RepeatedCompositeFieldContainer[Suspect]
    window: BisectWindow
    partial: bool
    partial_reason: str
    scanned: int
    in_window: int
    after_report: int
    patterns: _containers.RepeatedScalarFieldContainer[str]
    component_dirs: _containers.RepeatedScalarFieldContainer[str]
    known_fixes: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, verdict: _Optional[str] = ..., causes: _Optional[_Iterable[str]] = ..., epistemic: _Optional[str] = ..., tracker_namespace: _Optional[str] = ..., tracker_unavailable: _Optional[bool] = ..., unavailable_reason: _Optional[str] = ..., leg_status: _Optional[_Mapping[str, str]] = ..., not_provided: _Optional[_Iterable[str]] = ..., timings_ms: _Optional[_Mapping[str, float]] = ..., candidates: _Optional[_Iterable[_Union[Suspect, _Mapping]]] = ..., window: _Optional[_Union[BisectWindow, _Mapping]] = ..., partial: _Optional[bool] = ..., partial_reason: _Optional[str] = ..., scanned: _Optional[int] = ..., in_window: _Optional[int] = ..., after_report: _Optional[int] = ..., patterns: _Optional[_Iterable[str]] = ..., component_dirs: _Optional[_Iterable[str]] = ..., known_fixes: _Optional[_Iterable[int]] = ...) -> None: ...

class Suspect(_message.Message):
    __slots__ = ("number", "source_id", "title", "merged_at", "merge_sha", "score", "legs", "why")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    SOURCE_ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    MERGED_AT_FIELD_NUMBER: _ClassVar[int]
    MERGE_SHA_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    LEGS_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    number: int
    source_id: str
    title: str
    merged_at: str
    merge_sha: str
    score: float
    legs: _containers.RepeatedScalarFieldContainer[str]
    why: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, number: _Optional[int] = ..., source_id: _Optional[str] = ..., title: _Optional[str] = ..., merged_at: _Optional[str] = ..., merge_sha: _Optional[str] = ..., score: _Optional[float] = ..., legs: _Optional[_Iterable[str]] = ..., why: _Optional[_Iterable[str]] = ...) -> None: ...

class BisectWindow(_message.Message):
    __slots__ = ("good", "good_at", "good_how", "bad", "bad_at", "bad_how", "unknown")
    GOOD_FIELD_NUMBER: _ClassVar[int]
    GOOD_AT_FIELD_NUMBER: _ClassVar[int]
    GOOD_HOW_FIELD_NUMBER: _ClassVar[int]
    BAD_FIELD_NUMBER: _ClassVar[int]
    BAD_AT_FIELD_NUMBER: _ClassVar[int]
    BAD_HOW_FIELD_NUMBER: _ClassVar[int]
    UNKNOWN_FIELD_NUMBER: _ClassVar[int]
    good: str
    good_at: str
    good_how: str
    bad: str
    bad_at: str
    bad_how: str
    unknown: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, good: _Optional[str] = ..., good_at: _Optional[str] = ..., good_how: _Optional[str] = ..., bad: _Optional[str] = ..., bad_at: _Optional[str] = ..., bad_how: _Optional[str] = ..., unknown: _Optional[_Iterable[str]] = ...) -> None: ...

class BackportGapRequest(_message.Message):
    __slots__ = ("org", "namespace", "repo", "issue_number", "pr_number", "branches")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    REPO_FIELD_NUMBER: _ClassVar[int]
    ISSUE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    PR_NUMBER_FIELD_NUMBER: _ClassVar[int]
    BRANCHES_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    repo: str
    issue_number: int
    pr_number: int
    branches: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., repo: _Optional[str] = ..., issue_number: _Optional[int] = ..., pr_number: _Optional[int] = ..., branches: _Optional[_Iterable[str]] = ...) -> None: ...

class BackportGapResponse(_message.Message):
    __slots__ = ("verdict", "causes", "epistemic", "tracker_namespace", "tracker_unavailable", "unavailable_reason", "leg_status", "not_provided", "timings_ms", "branches", "fixes")
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
    CAUSES_FIELD_NUMBER: _ClassVar[int]
    EPISTEMIC_FIELD_NUMBER: _ClassVar[int]
    TRACKER_NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    TRACKER_UNAVAILABLE_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_REASON_FIELD_NUMBER: _ClassVar[int]
    LEG_STATUS_FIELD_NUMBER: _ClassVar[int]
    NOT_PROVIDED_FIELD_NUMBER: _ClassVar[int]
    TIMINGS_MS_FIELD_NUMBER: _ClassVar[int]
    BRANCHES_FIELD_NUMBER: _ClassVar[int]
    FIXES_FIELD_NUMBER: _ClassVar[int]
    verdict: str
    causes: _containers.RepeatedScalarFieldContainer[str]
    epistemic: str
    tracker_namespace: str
    tracker_unavailable: bool
    unavailable_reason: str
    leg_status: _containers.ScalarMap[str, str]
    not_provided: _containers.RepeatedScalarFieldContainer[str]
    timings_ms: _containers.ScalarMap[str, float]
    branches: _containers.RepeatedCompositeFieldContainer[BranchGap]
    fixes: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, verdict: _Optional[str] = ..., causes: _Optional[_Iterable[str]] = ..., epistemic: _Optional[str] = ..., tracker_namespace: _Optional[str] = ..., tracker_unavailable: _Optional[bool] = ..., unavailable_reason: _Optional[str] = ..., leg_status: _Optional[_Mapping[str, str]] = ..., not_provided: _Optional[_Iterable[str]] = ..., timings_ms: _Optional[_Mapping[str, float]] = ..., branches: _Optional[_Iterable[_Union[BranchGap, _Mapping]]] = ..., fixes: _Optional[_Iterable[int]] = ...) -> None: ...

class BranchGap(_message.Message):
    __slots__ = ("branch", "status", "evidence", "pull_request")
    BRANCH_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    PULL_REQUEST_FIELD_NUMBER: _ClassVar[int]
    branch: str
    status: str
    evidence: _containers.RepeatedScalarFieldContainer[str]
    pull_request: int
    def __init__(self, branch: _Optional[str] = ..., status: _Optional[str] = ..., evidence: _Optional[_Iterable[str]] = ..., pull_request: _Optional[int] = ...) -> None: ...

class BackportGapsRequest(_message.Message):
    __slots__ = ("org", "namespace", "repo", "pr_numbers", "days", "branches", "limit")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    REPO_FIELD_NUMBER: _ClassVar[int]
    PR_NUMBERS_FIELD_NUMBER: _ClassVar[int]
    DAYS_FIELD_NUMBER: _ClassVar[int]
    BRANCHES_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    repo: str
    pr_numbers: _containers.RepeatedScalarFieldContainer[int]
    days: int
    branches: _containers.RepeatedScalarFieldContainer[str]
    limit: int
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., repo: _Optional[str] = ..., pr_numbers: _Optional[_Iterable[int]] = ..., days: _Optional[int] = ..., branches: _Optional[_Iterable[str]] = ..., limit: _Optional[int] = ...) -> None: ...

class BackportGapsResponse(_message.Message):
    __slots__ = ("verdict", "causes", "epistemic", "tracker_namespace", "tracker_unavailable", "unavailable_reason", "leg_status", "not_provided", "timings_ms", "fixes", "missing_numbers", "missing_by_branch")
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
    class MissingByBranchEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    CAUSES_FIELD_NUMBER: _ClassVar[int]
    EPISTEMIC_FIELD_NUMBER: _ClassVar[int]
    TRACKER_NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    TRACKER_UNAVAILABLE_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_REASON_FIELD_NUMBER: _ClassVar[int]
    LEG_STATUS_FIELD_NUMBER: _ClassVar[int]
    NOT_PROVIDED_FIELD_NUMBER: _ClassVar[int]
    TIMINGS_MS_FIELD_NUMBER: _ClassVar[int]
    FIXES_FIELD_NUMBER: _ClassVar[int]
    MISSING_NUMBERS_FIELD_NUMBER: _ClassVar[int]
    MISSING_BY_BRANCH_FIELD_NUMBER: _ClassVar[int]
    verdict: str
    causes: _containers.RepeatedScalarFieldContainer[str]
    epistemic: str
    tracker_namespace: str
    tracker_unavailable: bool
    unavailable_reason: str
    leg_status: _containers.ScalarMap[str, str]
    not_provided: _containers.RepeatedScalarFieldContainer[str]
    timings_ms: _containers.ScalarMap[str, float]
    fixes: _containers.RepeatedCompositeFieldContainer[FixGaps]
    missing_numbers: _containers.RepeatedScalarFieldContainer[int]
    missing_by_branch: _containers.ScalarMap[str, int]
    def __init__(self, verdict: _Optional[str] = ..., causes: _Optional[_Iterable[str]] = ..., epistemic: _Optional[str] = ..., tracker_namespace: _Optional[str] = ..., tracker_unavailable: _Optional[bool] = ..., unavailable_reason: _Optional[str] = ..., leg_status: _Optional[_Mapping[str, str]] = ..., not_provided: _Optional[_Iterable[str]] = ..., timings_ms: _Optional[_Mapping[str, float]] = ..., fixes: _Optional[_Iterable[_Union[FixGaps, _Mapping]]] = ..., missing_numbers: _Optional[_Iterable[int]] = ..., missing_by_branch: _Optional[_Mapping[str, int]] = ...) -> None: ...

class FixGaps(_message.Message):
    __slots__ = ("number", "source_id", "title", "merged_at", "issues", "branches")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    SOURCE_ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    MERGED_AT_FIELD_NUMBER: _ClassVar[int]
    ISSUES_FIELD_NUMBER: _ClassVar[int]
    BRANCHES_FIELD_NUMBER: _ClassVar[int]
    number: int
    source_id: str
    title: str
    merged_at: str
    issues: _containers.RepeatedScalarFieldContainer[int]
    branches: _containers.RepeatedCompositeFieldContainer[BranchGap]
    def __init__(self, number: _Optional[int] = ..., source_id: _Optional[str] = ..., title: _Optional[str] = ..., merged_at: _Optional[str] = ..., issues: _Optional[_Iterable[int]] = ..., branches: _Optional[_Iterable[_Union[BranchGap, _Mapping]]] = ...) -> None: ...

class FirstBuildRequest(_message.Message):
    __slots__ = ("org", "namespace", "repo", "pr_number", "sha")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    REPO_FIELD_NUMBER: _ClassVar[int]
    PR_NUMBER_FIELD_NUMBER: _ClassVar[int]
    SHA_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    repo: str
    pr_number: int
    sha: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., repo: _Optional[str] = ..., pr_number: _Optional[int] = ..., sha: _Optional[str] = ...) -> None: ...

class FirstBuildResponse(_message.Message):
    __slots__ = ("verdict", "causes", "epistemic", "tracker_namespace", "tracker_unavailable", "unavailable_reason", "leg_status", "not_provided", "timings_ms", "builds", "pr_number")
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
    CAUSES_FIELD_NUMBER: _ClassVar[int]
    EPISTEMIC_FIELD_NUMBER: _ClassVar[int]
    TRACKER_NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    TRACKER_UNAVAILABLE_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_REASON_FIELD_NUMBER: _ClassVar[int]
    LEG_STATUS_FIELD_NUMBER: _ClassVar[int]
    NOT_PROVIDED_FIELD_NUMBER: _ClassVar[int]
    TIMINGS_MS_FIELD_NUMBER: _ClassVar[int]
    BUILDS_FIELD_NUMBER: _ClassVar[int]
    PR_NUMBER_FIELD_NUMBER: _ClassVar[int]
    verdict: str
    causes: _containers.RepeatedScalarFieldContainer[str]
    epistemic: str
    tracker_namespace: str
    tracker_unavailable: bool
    unavailable_reason: str
    leg_status: _containers.ScalarMap[str, str]
    not_provided: _containers.RepeatedScalarFieldContainer[str]
    timings_ms: _containers.ScalarMap[str, float]
    builds: _containers.RepeatedCompositeFieldContainer[Build]
    pr_number: int
    def __init__(self, verdict: _Optional[str] = ..., causes: _Optional[_Iterable[str]] = ..., epistemic: _Optional[str] = ..., tracker_namespace: _Optional[str] = ..., tracker_unavailable: _Optional[bool] = ..., unavailable_reason: _Optional[str] = ..., leg_status: _Optional[_Mapping[str, str]] = ..., not_provided: _Optional[_Iterable[str]] = ..., timings_ms: _Optional[_Mapping[str, float]] = ..., builds: _Optional[_Iterable[_Union[Build, _Mapping]]] = ..., pr_number: _Optional[int] = ...) -> None: ...

class Build(_message.Message):
    __slots__ = ("branch", "version", "sha", "built_at", "evidence", "release", "released_at")
    BRANCH_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    SHA_FIELD_NUMBER: _ClassVar[int]
    BUILT_AT_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    RELEASE_FIELD_NUMBER: _ClassVar[int]
    RELEASED_AT_FIELD_NUMBER: _ClassVar[int]
    branch: str
    version: str
    sha: str
    built_at: str
    evidence: str
    release: str
    released_at: str
    def __init__(self, branch: _Optional[str] = ..., version: _Optional[str] = ..., sha: _Optional[str] = ..., built_at: _Optional[str] = ..., evidence: _Optional[str] = ..., release: _Optional[str] = ..., released_at: _Optional[str] = ...) -> None: ...

class HistoryRequest(_message.Message):
    __slots__ = ("org", "namespace", "paths", "symbols", "days", "limit")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    PATHS_FIELD_NUMBER: _ClassVar[int]
    SYMBOLS_FIELD_NUMBER: _ClassVar[int]
    DAYS_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    paths: _containers.RepeatedScalarFieldContainer[str]
    symbols: _containers.RepeatedScalarFieldContainer[str]
    days: int
    limit: int
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., paths: _Optional[_Iterable[str]] = ..., symbols: _Optional[_Iterable[str]] = ..., days: _Optional[int] = ..., limit: _Optional[int] = ...) -> None: ...

class HistoryResponse(_message.Message):
    __slots__ = ("verdict", "causes", "epistemic", "tracker_namespace", "tracker_unavailable", "unavailable_reason", "leg_status", "not_provided", "timings_ms", "items", "namespaces_read")
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
    CAUSES_FIELD_NUMBER: _ClassVar[int]
    EPISTEMIC_FIELD_NUMBER: _ClassVar[int]
    TRACKER_NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    TRACKER_UNAVAILABLE_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_REASON_FIELD_NUMBER: _ClassVar[int]
    LEG_STATUS_FIELD_NUMBER: _ClassVar[int]
    NOT_PROVIDED_FIELD_NUMBER: _ClassVar[int]
    TIMINGS_MS_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NAMESPACES_READ_FIELD_NUMBER: _ClassVar[int]
    verdict: str
    causes: _containers.RepeatedScalarFieldContainer[str]
    epistemic: str
    tracker_namespace: str
    tracker_unavailable: bool
    unavailable_reason: str
    leg_status: _containers.ScalarMap[str, str]
    not_provided: _containers.RepeatedScalarFieldContainer[str]
    timings_ms: _containers.ScalarMap[str, float]
    items: _containers.RepeatedCompositeFieldContainer[Touch]
    namespaces_read: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, verdict: _Optional[str] = ..., causes: _Optional[_Iterable[str]] = ..., epistemic: _Optional[str] = ..., tracker_namespace: _Optional[str] = ..., tracker_unavailable: _Optional[bool] = ..., unavailable_reason: _Optional[str] = ..., leg_status: _Optional[_Mapping[str, str]] = ..., not_provided: _Optional[_Iterable[str]] = ..., timings_ms: _Optional[_Mapping[str, float]] = ..., items: _Optional[_Iterable[_Union[Touch, _Mapping]]] = ..., namespaces_read: _Optional[_Iterable[str]] = ...) -> None: ...

class Touch(_message.Message):
    __slots__ = ("tracker_namespace", "source_id", "number", "kind", "title", "state", "why", "at")
    TRACKER_NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_ID_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    tracker_namespace: str
    source_id: str
    number: int
    kind: str
    title: str
    state: str
    why: _containers.RepeatedScalarFieldContainer[str]
    at: str
    def __init__(self, tracker_namespace: _Optional[str] = ..., source_id: _Optional[str] = ..., number: _Optional[int] = ..., kind: _Optional[str] = ..., title: _Optional[str] = ..., state: _Optional[str] = ..., why: _Optional[_Iterable[str]] = ..., at: _Optional[str] = ...) -> None: ...

class PrCheckRequest(_message.Message):
    __slots__ = ("org", "namespace", "title", "body", "paths", "symbols", "frames", "component", "issue_numbers", "days", "top_k")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    BODY_FIELD_NUMBER: _ClassVar[int]
    PATHS_FIELD_NUMBER: _ClassVar[int]
    SYMBOLS_FIELD_NUMBER: _ClassVar[int]
    FRAMES_FIELD_NUMBER: _ClassVar[int]
    COMPONENT_FIELD_NUMBER: _ClassVar[int]
    ISSUE_NUMBERS_FIELD_NUMBER: _ClassVar[int]
    DAYS_FIELD_NUMBER: _ClassVar[int]
    TOP_K_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    title: str
    body: str
    paths: _containers.RepeatedScalarFieldContainer[str]
    symbols: _containers.RepeatedScalarFieldContainer[str]
    frames: _containers.RepeatedScalarFieldContainer[str]
    component: str
    issue_numbers: _containers.RepeatedScalarFieldContainer[int]
    days: int
    top_k: int
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., title: _Optional[str] = ..., body: _Optional[str] = ..., paths: _Optional[_Iterable[str]] = ..., symbols: _Optional[_Iterable[str]] = ..., frames: _Optional[_Iterable[str]] = ..., component: _Optional[str] = ..., issue_numbers: _Optional[_Iterable[int]] = ..., days: _Optional[int] = ..., top_k: _Optional[int] = ...) -> None: ...

class PrCheckResponse(_message.Message):
    __slots__ = ("verdict", "causes", "epistemic", "tracker_namespace", "tracker_unavailable", "unavailable_reason", "leg_status", "not_provided", "timings_ms", "items", "namespaces_read")
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
    CAUSES_FIELD_NUMBER: _ClassVar[int]
    EPISTEMIC_FIELD_NUMBER: _ClassVar[int]
    TRACKER_NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    TRACKER_UNAVAILABLE_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_REASON_FIELD_NUMBER: _ClassVar[int]
    LEG_STATUS_FIELD_NUMBER: _ClassVar[int]
    NOT_PROVIDED_FIELD_NUMBER: _ClassVar[int]
    TIMINGS_MS_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NAMESPACES_READ_FIELD_NUMBER: _ClassVar[int]
    verdict: str
    causes: _containers.RepeatedScalarFieldContainer[str]
    epistemic: str
    tracker_namespace: str
    tracker_unavailable: bool
    unavailable_reason: str
    leg_status: _containers.ScalarMap[str, str]
    not_provided: _containers.RepeatedScalarFieldContainer[str]
    timings_ms: _containers.ScalarMap[str, float]
    items: _containers.RepeatedCompositeFieldContainer[RelatedPull]
    namespaces_read: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, verdict: _Optional[str] = ..., causes: _Optional[_Iterable[str]] = ..., epistemic: _Optional[str] = ..., tracker_namespace: _Optional[str] = ..., tracker_unavailable: _Optional[bool] = ..., unavailable_reason: _Optional[str] = ..., leg_status: _Optional[_Mapping[str, str]] = ..., not_provided: _Optional[_Iterable[str]] = ..., timings_ms: _Optional[_Mapping[str, float]] = ..., items: _Optional[_Iterable[_Union[RelatedPull, _Mapping]]] = ..., namespaces_read: _Optional[_Iterable[str]] = ...) -> None: ...

class RelatedPull(_message.Message):
    __slots__ = ("tracker_namespace", "source_id", "number", "kind", "title", "state", "why", "verdict", "score", "features")
    class FeaturesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: float
        def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...
    TRACKER_NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_ID_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    FEATURES_FIELD_NUMBER: _ClassVar[int]
    tracker_namespace: str
    source_id: str
    number: int
    kind: str
    title: str
    state: str
    why: _containers.RepeatedScalarFieldContainer[str]
    verdict: str
    score: float
    features: _containers.ScalarMap[str, float]
    def __init__(self, tracker_namespace: _Optional[str] = ..., source_id: _Optional[str] = ..., number: _Optional[int] = ..., kind: _Optional[str] = ..., title: _Optional[str] = ..., state: _Optional[str] = ..., why: _Optional[_Iterable[str]] = ..., verdict: _Optional[str] = ..., score: _Optional[float] = ..., features: _Optional[_Mapping[str, float]] = ...) -> None: ...

class ContextPackRequest(_message.Message):
    __slots__ = ("org", "namespace", "repo", "issue_number", "max_chars")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    REPO_FIELD_NUMBER: _ClassVar[int]
    ISSUE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    MAX_CHARS_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    repo: str
    issue_number: int
    max_chars: int
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., repo: _Optional[str] = ..., issue_number: _Optional[int] = ..., max_chars: _Optional[int] = ...) -> None: ...

class ContextPackResponse(_message.Message):
    __slots__ = ("verdict", "causes", "epistemic", "tracker_namespace", "tracker_unavailable", "unavailable_reason", "leg_status", "not_provided", "timings_ms", "pack", "sections", "left_out")
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
    CAUSES_FIELD_NUMBER: _ClassVar[int]
    EPISTEMIC_FIELD_NUMBER: _ClassVar[int]
    TRACKER_NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    TRACKER_UNAVAILABLE_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_REASON_FIELD_NUMBER: _ClassVar[int]
    LEG_STATUS_FIELD_NUMBER: _ClassVar[int]
    NOT_PROVIDED_FIELD_NUMBER: _ClassVar[int]
    TIMINGS_MS_FIELD_NUMBER: _ClassVar[int]
    PACK_FIELD_NUMBER: _ClassVar[int]
    SECTIONS_FIELD_NUMBER: _ClassVar[int]
    LEFT_OUT_FIELD_NUMBER: _ClassVar[int]
    verdict: str
    causes: _containers.RepeatedScalarFieldContainer[str]
    epistemic: str
    tracker_namespace: str
    tracker_unavailable: bool
    unavailable_reason: str
    leg_status: _containers.ScalarMap[str, str]
    not_provided: _containers.RepeatedScalarFieldContainer[str]
    timings_ms: _containers.ScalarMap[str, float]
    pack: str
    sections: _containers.RepeatedCompositeFieldContainer[PackSection]
    left_out: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, verdict: _Optional[str] = ..., causes: _Optional[_Iterable[str]] = ..., epistemic: _Optional[str] = ..., tracker_namespace: _Optional[str] = ..., tracker_unavailable: _Optional[bool] = ..., unavailable_reason: _Optional[str] = ..., leg_status: _Optional[_Mapping[str, str]] = ..., not_provided: _Optional[_Iterable[str]] = ..., timings_ms: _Optional[_Mapping[str, float]] = ..., pack: _Optional[str] = ..., sections: _Optional[_Iterable[_Union[PackSection, _Mapping]]] = ..., left_out: _Optional[_Iterable[str]] = ...) -> None: ...

class PackSection(_message.Message):
    __slots__ = ("name", "chars", "clipped")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CHARS_FIELD_NUMBER: _ClassVar[int]
    CLIPPED_FIELD_NUMBER: _ClassVar[int]
    name: str
    chars: int
    clipped: bool
    def __init__(self, name: _Optional[str] = ..., chars: _Optional[int] = ..., clipped: _Optional[bool] = ...) -> None: ...
