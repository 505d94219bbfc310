from loom.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TestSignalRequest(_message.Message):
    __slots__ = ("org", "namespace", "test_name", "window_days", "pr_number", "branch")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    TEST_NAME_FIELD_NUMBER: _ClassVar[int]
    WINDOW_DAYS_FIELD_NUMBER: _ClassVar[int]
    PR_NUMBER_FIELD_NUMBER: _ClassVar[int]
    BRANCH_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    test_name: str
    window_days: int
    pr_number: int
    branch: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., test_name: _Optional[str] = ..., window_days: _Optional[int] = ..., pr_number: _Optional[int] = ..., branch: _Optional[str] = ...) -> None: ...

class TestSignalResponse(_message.Message):
    __slots__ = ("verdict", "why", "lower_bound", "window_days", "since", "features", "infra", "churn", "streak", "smells", "rollup", "thresholds", "candidates", "epistemic", "tracker_namespace", "tracker_unavailable", "unavailable_reason", "leg_status", "not_provided", "timings_ms")
    class ThresholdsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: float
        def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...
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
    WHY_FIELD_NUMBER: _ClassVar[int]
    LOWER_BOUND_FIELD_NUMBER: _ClassVar[int]
    WINDOW_DAYS_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    FEATURES_FIELD_NUMBER: _ClassVar[int]
    INFRA_FIELD_NUMBER: _ClassVar[int]
    CHURN_FIELD_NUMBER: _ClassVar[int]
    STREAK_FIELD_NUMBER: _ClassVar[int]
    SMELLS_FIELD_NUMBER: _ClassVar[int]
    ROLLUP_FIELD_NUMBER: _ClassVar[int]
    THRESHOLDS_FIELD_NUMBER: _ClassVar[int]
    CANDIDATES_FIELD_NUMBER: _ClassVar[int]
    EPISTEMIC_FIELD_NUMBER: _ClassVar[int]
    TRACKER_NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    TRACKER_UNAVAILABLE_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_REASON_FIELD_NUMBER: _ClassVar[int]
    LEG_STATUS_FIELD_NUMBER: _ClassVar[int]
    NOT_PROVIDED_FIELD_NUMBER: _ClassVar[int]
    TIMINGS_MS_FIELD_NUMBER: _ClassVar[int]
    verdict: str
    why: _containers.RepeatedScalarFieldContainer[str]
    lower_bound: float
    window_days: int
    since: str
    features: SignalFeatures
    infra: SignalInfra
    churn: SignalChurn
    streak: SignalStreak
    smells: _containers.RepeatedCompositeFieldContainer[SignalSmell]
    rollup: SignalRollup
    thresholds: _containers.ScalarMap[str, float]
    candidates: _containers.RepeatedScalarFieldContainer[str]
    epistemic: str
    tracker_namespace: str
    tracker_unavailable: bool
    unavailable_reason: str
    leg_status: _containers.ScalarMap[str, str]
    not_provided: _containers.RepeatedScalarFieldContainer[str]
    timings_ms: _containers.ScalarMap[str, float]
    def __init__(self, verdict: _Optional[str] = ..., why: _Optional[_Iterable[str]] = ..., lower_bound: _Optional[float] = ..., window_days: _Optional[int] = ..., since: _Optional[str] = ..., features: _Optional[_Union[SignalFeatures, _Mapping]] = ..., infra: _Optional[_Union[SignalInfra, _Mapping]] = ..., churn: _Optional[_Union[SignalChurn, _Mapping]] = ..., streak: _Optional[_Union[SignalStreak, _Mapping]] = ..., smells: _Optional[_Iterable[_Union[SignalSmell, _Mapping]]] = ..., rollup: _Optional[_Union[SignalRollup, _Mapping]] = ..., thresholds: _Optional[_Mapping[str, float]] = ..., candidates: _Optional[_Iterable[str]] = ..., epistemic: _Optional[str] = ..., tracker_namespace: _Optional[str] = ..., tracker_unavailable: _Optional[bool] = ..., unavailable_reason: _Optional[str] = ..., leg_status: _Optional[_Mapping[str, str]] = ..., not_provided: _Optional[_Iterable[str]] = ..., timings_ms: _Optional[_Mapping[str, float]] = ...) -> None: ...

class SignalFeatures(_message.Message):
    __slots__ = ("runs", "fails", "passes", "skips", "other_statuses", "fail_rate", "interval_low", "interval_high", "rate_of", "flaky_fails", "flaky_evidence", "flips_same_commit", "flips_between_commits", "pull_requests_failed", "branch_commits", "pull_request_runs", "first_failing", "last_passing", "solid_fails", "fixed", "storms_known")
    RUNS_FIELD_NUMBER: _ClassVar[int]
    FAILS_FIELD_NUMBER: _ClassVar[int]
    PASSES_FIELD_NUMBER: _ClassVar[int]
    SKIPS_FIELD_NUMBER: _ClassVar[int]
    OTHER_STATUSES_FIELD_NUMBER: _ClassVar[int]
    FAIL_RATE_FIELD_NUMBER: _ClassVar[int]
    INTERVAL_LOW_FIELD_NUMBER: _ClassVar[int]
    INTERVAL_HIGH_FIELD_NUMBER: _ClassVar[int]
    RATE_OF_FIELD_NUMBER: _ClassVar[int]
    FLAKY_FAILS_FIELD_NUMBER: _ClassVar[int]
    FLAKY_EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    FLIPS_SAME_COMMIT_FIELD_NUMBER: _ClassVar[int]
    FLIPS_BETWEEN_COMMITS_FIELD_NUMBER: _ClassVar[int]
    PULL_REQUESTS_FAILED_FIELD_NUMBER: _ClassVar[int]
    BRANCH_COMMITS_FIELD_NUMBER: _ClassVar[int]
    PULL_REQUEST_RUNS_FIELD_NUMBER: _ClassVar[int]
    FIRST_FAILING_FIELD_NUMBER: _ClassVar[int]
    LAST_PASSING_FIELD_NUMBER: _ClassVar[int]
    SOLID_FAILS_FIELD_NUMBER: _ClassVar[int]
    FIXED_FIELD_NUMBER: _ClassVar[int]
    STORMS_KNOWN_FIELD_NUMBER: _ClassVar[int]
    runs: int
    fails: int
    passes: int
    skips: int
    other_statuses: int
    fail_rate: float
    interval_low: float
    interval_high: float
    rate_of: str
    flaky_fails: int
    flaky_evidence: float
    flips_same_commit: int
    flips_between_commits: int
    pull_requests_failed: int
    branch_commits: int
    pull_request_runs: int
    first_failing: str
    last_passing: str
    solid_fails: int
    fixed: bool
    storms_known: bool
    def __init__(self, runs: _Optional[int] = ..., fails: _Optional[int] = ..., passes: _Optional[int] = ..., skips: _Optional[int] = ..., other_statuses: _Optional[int] = ..., fail_rate: _Optional[float] = ..., interval_low: _Optional[float] = ..., interval_high: _Optional[float] = ..., rate_of: _Optional[str] = ..., flaky_fails: _Optional[int] = ..., flaky_evidence: _Optional[float] = ..., flips_same_commit: _Optional[int] = ..., flips_between_commits: _Optional[int] = ..., pull_requests_failed: _Optional[int] = ..., branch_commits: _Optional[int] = ..., pull_request_runs: _Optional[int] = ..., first_failing: _Optional[str] = ..., last_passing: _Optional[str] = ..., solid_fails: _Optional[int] = ..., fixed: _Optional[bool] = ..., storms_known: _Optional[bool] = ...) -> None: ...

class SignalInfra(_message.Message):
    __slots__ = ("storm_fails", "storm_passes", "storm_hours", "tied_to")
    STORM_FAILS_FIELD_NUMBER: _ClassVar[int]
    STORM_PASSES_FIELD_NUMBER: _ClassVar[int]
    STORM_HOURS_FIELD_NUMBER: _ClassVar[int]
    TIED_TO_FIELD_NUMBER: _ClassVar[int]
    storm_fails: int
    storm_passes: int
    storm_hours: _containers.RepeatedScalarFieldContainer[str]
    tied_to: SignalPlace
    def __init__(self, storm_fails: _Optional[int] = ..., storm_passes: _Optional[int] = ..., storm_hours: _Optional[_Iterable[str]] = ..., tied_to: _Optional[_Union[SignalPlace, _Mapping]] = ...) -> None: ...

class SignalPlace(_message.Message):
    __slots__ = ("kind", "place", "changes", "fails")
    KIND_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    FAILS_FIELD_NUMBER: _ClassVar[int]
    kind: str
    place: str
    changes: int
    fails: int
    def __init__(self, kind: _Optional[str] = ..., place: _Optional[str] = ..., changes: _Optional[int] = ..., fails: _Optional[int] = ...) -> None: ...

class SignalChurn(_message.Message):
    __slots__ = ("files", "changes", "pull_requests")
    FILES_FIELD_NUMBER: _ClassVar[int]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    PULL_REQUESTS_FIELD_NUMBER: _ClassVar[int]
    files: _containers.RepeatedScalarFieldContainer[str]
    changes: int
    pull_requests: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, files: _Optional[_Iterable[str]] = ..., changes: _Optional[int] = ..., pull_requests: _Optional[_Iterable[int]] = ...) -> None: ...

class SignalStreak(_message.Message):
    __slots__ = ("pr", "sha", "outcome", "length", "passes", "fails", "since", "failing_checks", "contradicted", "stale_heads", "stale_fails")
    PR_FIELD_NUMBER: _ClassVar[int]
    SHA_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    LENGTH_FIELD_NUMBER: _ClassVar[int]
    PASSES_FIELD_NUMBER: _ClassVar[int]
    FAILS_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    FAILING_CHECKS_FIELD_NUMBER: _ClassVar[int]
    CONTRADICTED_FIELD_NUMBER: _ClassVar[int]
    STALE_HEADS_FIELD_NUMBER: _ClassVar[int]
    STALE_FAILS_FIELD_NUMBER: _ClassVar[int]
    pr: int
    sha: str
    outcome: str
    length: int
    passes: int
    fails: int
    since: str
    failing_checks: _containers.RepeatedScalarFieldContainer[str]
    contradicted: bool
    stale_heads: int
    stale_fails: int
    def __init__(self, pr: _Optional[int] = ..., sha: _Optional[str] = ..., outcome: _Optional[str] = ..., length: _Optional[int] = ..., passes: _Optional[int] = ..., fails: _Optional[int] = ..., since: _Optional[str] = ..., failing_checks: _Optional[_Iterable[str]] = ..., contradicted: _Optional[bool] = ..., stale_heads: _Optional[int] = ..., stale_fails: _Optional[int] = ...) -> None: ...

class SignalSmell(_message.Message):
    __slots__ = ("smell", "path", "line", "pr")
    SMELL_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    PR_FIELD_NUMBER: _ClassVar[int]
    smell: str
    path: str
    line: int
    pr: int
    def __init__(self, smell: _Optional[str] = ..., path: _Optional[str] = ..., line: _Optional[int] = ..., pr: _Optional[int] = ...) -> None: ...

class SignalRollup(_message.Message):
    __slots__ = ("source", "fresh_from")
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    FRESH_FROM_FIELD_NUMBER: _ClassVar[int]
    source: str
    fresh_from: str
    def __init__(self, source: _Optional[str] = ..., fresh_from: _Optional[str] = ...) -> None: ...
