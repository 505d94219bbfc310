from loom.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class HealthRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class HealthResponse(_message.Message):
    __slots__ = ("status", "components", "uptime_s")
    STATUS_FIELD_NUMBER: _ClassVar[int]
    COMPONENTS_FIELD_NUMBER: _ClassVar[int]
    UPTIME_S_FIELD_NUMBER: _ClassVar[int]
    status: str
    components: _containers.RepeatedCompositeFieldContainer[Component]
    uptime_s: float
    def __init__(self, status: _Optional[str] = ..., components: _Optional[_Iterable[_Union[Component, _Mapping]]] = ..., uptime_s: _Optional[float] = ...) -> None: ...

class Component(_message.Message):
    __slots__ = ("name", "status", "reason", "breaker")
    NAME_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    BREAKER_FIELD_NUMBER: _ClassVar[int]
    name: str
    status: str
    reason: str
    breaker: str
    def __init__(self, name: _Optional[str] = ..., status: _Optional[str] = ..., reason: _Optional[str] = ..., breaker: _Optional[str] = ...) -> None: ...

class CapabilitiesRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class CapabilitiesResponse(_message.Message):
    __slots__ = ("version", "auth_mode", "planes", "ops", "toolsets", "max_body_bytes", "mcp_versions")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    AUTH_MODE_FIELD_NUMBER: _ClassVar[int]
    PLANES_FIELD_NUMBER: _ClassVar[int]
    OPS_FIELD_NUMBER: _ClassVar[int]
    TOOLSETS_FIELD_NUMBER: _ClassVar[int]
    MAX_BODY_BYTES_FIELD_NUMBER: _ClassVar[int]
    MCP_VERSIONS_FIELD_NUMBER: _ClassVar[int]
    version: str
    auth_mode: str
    planes: _containers.RepeatedScalarFieldContainer[str]
    ops: _containers.RepeatedScalarFieldContainer[str]
    toolsets: _containers.RepeatedScalarFieldContainer[str]
    max_body_bytes: int
    mcp_versions: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, version: _Optional[str] = ..., auth_mode: _Optional[str] = ..., planes: _Optional[_Iterable[str]] = ..., ops: _Optional[_Iterable[str]] = ..., toolsets: _Optional[_Iterable[str]] = ..., max_body_bytes: _Optional[int] = ..., mcp_versions: _Optional[_Iterable[str]] = ...) -> None: ...
