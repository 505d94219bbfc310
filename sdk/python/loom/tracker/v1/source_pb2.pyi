from loom.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class InspectSourceRequest(_message.Message):
    __slots__ = ("org", "host", "port", "secure", "database", "user", "password")
    ORG_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    PORT_FIELD_NUMBER: _ClassVar[int]
    SECURE_FIELD_NUMBER: _ClassVar[int]
    DATABASE_FIELD_NUMBER: _ClassVar[int]
    USER_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    org: str
    host: str
    port: int
    secure: bool
    database: str
    user: str
    password: str
    def __init__(self, org: _Optional[str] = ..., host: _Optional[str] = ..., port: _Optional[int] = ..., secure: _Optional[bool] = ..., database: _Optional[str] = ..., user: _Optional[str] = ..., password: _Optional[str] = ...) -> None: ...

class InspectSourceResponse(_message.Message):
    __slots__ = ("status", "tables", "mapping", "columns", "missing", "server_version", "readonly")
    STATUS_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    MAPPING_FIELD_NUMBER: _ClassVar[int]
    COLUMNS_FIELD_NUMBER: _ClassVar[int]
    MISSING_FIELD_NUMBER: _ClassVar[int]
    SERVER_VERSION_FIELD_NUMBER: _ClassVar[int]
    READONLY_FIELD_NUMBER: _ClassVar[int]
    status: str
    tables: _containers.RepeatedCompositeFieldContainer[InspectedTable]
    mapping: str
    columns: _containers.RepeatedCompositeFieldContainer[ProposedColumn]
    missing: _containers.RepeatedScalarFieldContainer[str]
    server_version: str
    readonly: int
    def __init__(self, status: _Optional[str] = ..., tables: _Optional[_Iterable[_Union[InspectedTable, _Mapping]]] = ..., mapping: _Optional[str] = ..., columns: _Optional[_Iterable[_Union[ProposedColumn, _Mapping]]] = ..., missing: _Optional[_Iterable[str]] = ..., server_version: _Optional[str] = ..., readonly: _Optional[int] = ...) -> None: ...

class InspectedTable(_message.Message):
    __slots__ = ("database", "name", "rows", "columns")
    DATABASE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    COLUMNS_FIELD_NUMBER: _ClassVar[int]
    database: str
    name: str
    rows: int
    columns: _containers.RepeatedCompositeFieldContainer[InspectedColumn]
    def __init__(self, database: _Optional[str] = ..., name: _Optional[str] = ..., rows: _Optional[int] = ..., columns: _Optional[_Iterable[_Union[InspectedColumn, _Mapping]]] = ...) -> None: ...

class InspectedColumn(_message.Message):
    __slots__ = ("name", "type")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    name: str
    type: str
    def __init__(self, name: _Optional[str] = ..., type: _Optional[str] = ...) -> None: ...

class ProposedColumn(_message.Message):
    __slots__ = ("table", "column", "source", "confidence", "why")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    COLUMN_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    table: str
    column: str
    source: str
    confidence: float
    why: str
    def __init__(self, table: _Optional[str] = ..., column: _Optional[str] = ..., source: _Optional[str] = ..., confidence: _Optional[float] = ..., why: _Optional[str] = ...) -> None: ...

class AddSourceRequest(_message.Message):
    __slots__ = ("org", "name", "host", "port", "secure", "database", "user", "password", "namespaces", "mapping", "dry_run")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    PORT_FIELD_NUMBER: _ClassVar[int]
    SECURE_FIELD_NUMBER: _ClassVar[int]
    DATABASE_FIELD_NUMBER: _ClassVar[int]
    USER_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    NAMESPACES_FIELD_NUMBER: _ClassVar[int]
    MAPPING_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    org: str
    name: str
    host: str
    port: int
    secure: bool
    database: str
    user: str
    password: str
    namespaces: _containers.RepeatedCompositeFieldContainer[SourceNamespace]
    mapping: str
    dry_run: bool
    def __init__(self, org: _Optional[str] = ..., name: _Optional[str] = ..., host: _Optional[str] = ..., port: _Optional[int] = ..., secure: _Optional[bool] = ..., database: _Optional[str] = ..., user: _Optional[str] = ..., password: _Optional[str] = ..., namespaces: _Optional[_Iterable[_Union[SourceNamespace, _Mapping]]] = ..., mapping: _Optional[str] = ..., dry_run: _Optional[bool] = ...) -> None: ...

class SourceNamespace(_message.Message):
    __slots__ = ("namespace", "repos", "restricted", "join_policy")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    REPOS_FIELD_NUMBER: _ClassVar[int]
    RESTRICTED_FIELD_NUMBER: _ClassVar[int]
    JOIN_POLICY_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    repos: _containers.RepeatedScalarFieldContainer[str]
    restricted: bool
    join_policy: str
    def __init__(self, namespace: _Optional[str] = ..., repos: _Optional[_Iterable[str]] = ..., restricted: _Optional[bool] = ..., join_policy: _Optional[str] = ...) -> None: ...

class AddSourceResponse(_message.Message):
    __slots__ = ("added", "verdict")
    ADDED_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    added: bool
    verdict: SourceVerdict
    def __init__(self, added: _Optional[bool] = ..., verdict: _Optional[_Union[SourceVerdict, _Mapping]] = ...) -> None: ...

class SourceVerdict(_message.Message):
    __slots__ = ("ok", "summary", "reachable", "read_only", "readonly", "tables", "features", "clock_skew_s", "latency_ms", "server_version", "checked_at")
    OK_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    REACHABLE_FIELD_NUMBER: _ClassVar[int]
    READ_ONLY_FIELD_NUMBER: _ClassVar[int]
    READONLY_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    FEATURES_FIELD_NUMBER: _ClassVar[int]
    CLOCK_SKEW_S_FIELD_NUMBER: _ClassVar[int]
    LATENCY_MS_FIELD_NUMBER: _ClassVar[int]
    SERVER_VERSION_FIELD_NUMBER: _ClassVar[int]
    CHECKED_AT_FIELD_NUMBER: _ClassVar[int]
    ok: bool
    summary: str
    reachable: str
    read_only: bool
    readonly: int
    tables: _containers.RepeatedCompositeFieldContainer[TableVerdict]
    features: _containers.RepeatedScalarFieldContainer[str]
    clock_skew_s: float
    latency_ms: float
    server_version: str
    checked_at: str
    def __init__(self, ok: _Optional[bool] = ..., summary: _Optional[str] = ..., reachable: _Optional[str] = ..., read_only: _Optional[bool] = ..., readonly: _Optional[int] = ..., tables: _Optional[_Iterable[_Union[TableVerdict, _Mapping]]] = ..., features: _Optional[_Iterable[str]] = ..., clock_skew_s: _Optional[float] = ..., latency_ms: _Optional[float] = ..., server_version: _Optional[str] = ..., checked_at: _Optional[str] = ...) -> None: ...

class TableVerdict(_message.Message):
    __slots__ = ("table", "status", "missing", "wrong_types", "not_provided", "rows", "view_draft")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    MISSING_FIELD_NUMBER: _ClassVar[int]
    WRONG_TYPES_FIELD_NUMBER: _ClassVar[int]
    NOT_PROVIDED_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    VIEW_DRAFT_FIELD_NUMBER: _ClassVar[int]
    table: str
    status: str
    missing: _containers.RepeatedScalarFieldContainer[str]
    wrong_types: _containers.RepeatedScalarFieldContainer[str]
    not_provided: _containers.RepeatedScalarFieldContainer[str]
    rows: int
    view_draft: str
    def __init__(self, table: _Optional[str] = ..., status: _Optional[str] = ..., missing: _Optional[_Iterable[str]] = ..., wrong_types: _Optional[_Iterable[str]] = ..., not_provided: _Optional[_Iterable[str]] = ..., rows: _Optional[int] = ..., view_draft: _Optional[str] = ...) -> None: ...

class CheckSourceRequest(_message.Message):
    __slots__ = ("org", "name")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    org: str
    name: str
    def __init__(self, org: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class CheckSourceResponse(_message.Message):
    __slots__ = ("verdict",)
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    verdict: SourceVerdict
    def __init__(self, verdict: _Optional[_Union[SourceVerdict, _Mapping]] = ...) -> None: ...

class RemapSourceRequest(_message.Message):
    __slots__ = ("org", "name", "mapping", "dry_run")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    MAPPING_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    org: str
    name: str
    mapping: str
    dry_run: bool
    def __init__(self, org: _Optional[str] = ..., name: _Optional[str] = ..., mapping: _Optional[str] = ..., dry_run: _Optional[bool] = ...) -> None: ...

class RemapSourceResponse(_message.Message):
    __slots__ = ("changed", "verdict")
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    changed: bool
    verdict: SourceVerdict
    def __init__(self, changed: _Optional[bool] = ..., verdict: _Optional[_Union[SourceVerdict, _Mapping]] = ...) -> None: ...

class RotateSourceRequest(_message.Message):
    __slots__ = ("org", "name", "user", "password")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    USER_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    org: str
    name: str
    user: str
    password: str
    def __init__(self, org: _Optional[str] = ..., name: _Optional[str] = ..., user: _Optional[str] = ..., password: _Optional[str] = ...) -> None: ...

class RotateSourceResponse(_message.Message):
    __slots__ = ("changed", "verdict")
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    changed: bool
    verdict: SourceVerdict
    def __init__(self, changed: _Optional[bool] = ..., verdict: _Optional[_Union[SourceVerdict, _Mapping]] = ...) -> None: ...

class ListSourcesRequest(_message.Message):
    __slots__ = ("org",)
    ORG_FIELD_NUMBER: _ClassVar[int]
    org: str
    def __init__(self, org: _Optional[str] = ...) -> None: ...

class ListSourcesResponse(_message.Message):
    __slots__ = ("sources",)
    SOURCES_FIELD_NUMBER: _ClassVar[int]
    sources: _containers.RepeatedCompositeFieldContainer[Source]
    def __init__(self, sources: _Optional[_Iterable[_Union[Source, _Mapping]]] = ...) -> None: ...

class Source(_message.Message):
    __slots__ = ("name", "kind", "host", "port", "secure", "database", "namespaces", "mapped", "state", "added_by", "added_at", "key_id")
    NAME_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    PORT_FIELD_NUMBER: _ClassVar[int]
    SECURE_FIELD_NUMBER: _ClassVar[int]
    DATABASE_FIELD_NUMBER: _ClassVar[int]
    NAMESPACES_FIELD_NUMBER: _ClassVar[int]
    MAPPED_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    ADDED_BY_FIELD_NUMBER: _ClassVar[int]
    ADDED_AT_FIELD_NUMBER: _ClassVar[int]
    KEY_ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    kind: str
    host: str
    port: int
    secure: bool
    database: str
    namespaces: _containers.RepeatedCompositeFieldContainer[SourceNamespace]
    mapped: bool
    state: str
    added_by: str
    added_at: str
    key_id: str
    def __init__(self, name: _Optional[str] = ..., kind: _Optional[str] = ..., host: _Optional[str] = ..., port: _Optional[int] = ..., secure: _Optional[bool] = ..., database: _Optional[str] = ..., namespaces: _Optional[_Iterable[_Union[SourceNamespace, _Mapping]]] = ..., mapped: _Optional[bool] = ..., state: _Optional[str] = ..., added_by: _Optional[str] = ..., added_at: _Optional[str] = ..., key_id: _Optional[str] = ...) -> None: ...

class RemoveSourceRequest(_message.Message):
    __slots__ = ("org", "name")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    org: str
    name: str
    def __init__(self, org: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class RemoveSourceResponse(_message.Message):
    __slots__ = ("removed",)
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    removed: bool
    def __init__(self, removed: _Optional[bool] = ...) -> None: ...

class LoadRecordRequest(_message.Message):
    __slots__ = ("org", "namespace", "table", "rows", "repos", "load_id", "finish", "replace")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    REPOS_FIELD_NUMBER: _ClassVar[int]
    LOAD_ID_FIELD_NUMBER: _ClassVar[int]
    FINISH_FIELD_NUMBER: _ClassVar[int]
    REPLACE_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    table: str
    rows: str
    repos: _containers.RepeatedScalarFieldContainer[str]
    load_id: str
    finish: bool
    replace: bool
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., table: _Optional[str] = ..., rows: _Optional[str] = ..., repos: _Optional[_Iterable[str]] = ..., load_id: _Optional[str] = ..., finish: _Optional[bool] = ..., replace: _Optional[bool] = ...) -> None: ...

class LoadRecordResponse(_message.Message):
    __slots__ = ("stored", "refused", "refused_count", "shown")
    STORED_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    REFUSED_COUNT_FIELD_NUMBER: _ClassVar[int]
    SHOWN_FIELD_NUMBER: _ClassVar[int]
    stored: int
    refused: _containers.RepeatedCompositeFieldContainer[RefusedRow]
    refused_count: int
    shown: bool
    def __init__(self, stored: _Optional[int] = ..., refused: _Optional[_Iterable[_Union[RefusedRow, _Mapping]]] = ..., refused_count: _Optional[int] = ..., shown: _Optional[bool] = ...) -> None: ...

class RefusedRow(_message.Message):
    __slots__ = ("index", "reason")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    index: int
    reason: str
    def __init__(self, index: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...
