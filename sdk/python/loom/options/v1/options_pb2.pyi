from google.protobuf import descriptor_pb2 as _descriptor_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Role(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ROLE_UNSPECIFIED: _ClassVar[Role]
    ROLE_VIEWER: _ClassVar[Role]
    ROLE_WRITER: _ClassVar[Role]
    ROLE_ADMIN: _ClassVar[Role]
    ROLE_PUBLIC: _ClassVar[Role]
    ROLE_MEMBER: _ClassVar[Role]
    ROLE_ORG_ADMIN: _ClassVar[Role]

class Kind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    KIND_UNSPECIFIED: _ClassVar[Kind]
    KIND_READ: _ClassVar[Kind]
    KIND_WRITE: _ClassVar[Kind]

class Identity(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    IDENTITY_UNSPECIFIED: _ClassVar[Identity]
    IDENTITY_ORG: _ClassVar[Identity]
    IDENTITY_NAMESPACE: _ClassVar[Identity]
    IDENTITY_AGENT: _ClassVar[Identity]
    IDENTITY_USER: _ClassVar[Identity]
    IDENTITY_SESSION: _ClassVar[Identity]

class JsonShape(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    JSON_SHAPE_UNSPECIFIED: _ClassVar[JsonShape]
    JSON_SHAPE_OBJECT: _ClassVar[JsonShape]
ROLE_UNSPECIFIED: Role
ROLE_VIEWER: Role
ROLE_WRITER: Role
ROLE_ADMIN: Role
ROLE_PUBLIC: Role
ROLE_MEMBER: Role
ROLE_ORG_ADMIN: Role
KIND_UNSPECIFIED: Kind
KIND_READ: Kind
KIND_WRITE: Kind
IDENTITY_UNSPECIFIED: Identity
IDENTITY_ORG: Identity
IDENTITY_NAMESPACE: Identity
IDENTITY_AGENT: Identity
IDENTITY_USER: Identity
IDENTITY_SESSION: Identity
JSON_SHAPE_UNSPECIFIED: JsonShape
JSON_SHAPE_OBJECT: JsonShape
OP_FIELD_NUMBER: _ClassVar[int]
op: _descriptor.FieldDescriptor
FIELD_FIELD_NUMBER: _ClassVar[int]
field: _descriptor.FieldDescriptor
PLANE_FIELD_NUMBER: _ClassVar[int]
plane: _descriptor.FieldDescriptor

class Op(_message.Message):
    __slots__ = ("name", "role", "kind", "idempotent", "toolset", "listed", "deadline_ms", "http_path")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENT_FIELD_NUMBER: _ClassVar[int]
    TOOLSET_FIELD_NUMBER: _ClassVar[int]
    LISTED_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_MS_FIELD_NUMBER: _ClassVar[int]
    HTTP_PATH_FIELD_NUMBER: _ClassVar[int]
    name: str
    role: Role
    kind: Kind
    idempotent: bool
    toolset: str
    listed: bool
    deadline_ms: int
    http_path: str
    def __init__(self, name: _Optional[str] = ..., role: _Optional[_Union[Role, str]] = ..., kind: _Optional[_Union[Kind, str]] = ..., idempotent: _Optional[bool] = ..., toolset: _Optional[str] = ..., listed: _Optional[bool] = ..., deadline_ms: _Optional[int] = ..., http_path: _Optional[str] = ...) -> None: ...

class Field(_message.Message):
    __slots__ = ("required", "default_json", "identity", "max_chars", "max_items", "json_text", "json_shape", "words", "min", "max", "has_range", "answered_by")
    REQUIRED_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_JSON_FIELD_NUMBER: _ClassVar[int]
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    MAX_CHARS_FIELD_NUMBER: _ClassVar[int]
    MAX_ITEMS_FIELD_NUMBER: _ClassVar[int]
    JSON_TEXT_FIELD_NUMBER: _ClassVar[int]
    JSON_SHAPE_FIELD_NUMBER: _ClassVar[int]
    WORDS_FIELD_NUMBER: _ClassVar[int]
    MIN_FIELD_NUMBER: _ClassVar[int]
    MAX_FIELD_NUMBER: _ClassVar[int]
    HAS_RANGE_FIELD_NUMBER: _ClassVar[int]
    ANSWERED_BY_FIELD_NUMBER: _ClassVar[int]
    required: bool
    default_json: str
    identity: Identity
    max_chars: int
    max_items: int
    json_text: bool
    json_shape: JsonShape
    words: _containers.RepeatedScalarFieldContainer[str]
    min: int
    max: int
    has_range: bool
    answered_by: str
    def __init__(self, required: _Optional[bool] = ..., default_json: _Optional[str] = ..., identity: _Optional[_Union[Identity, str]] = ..., max_chars: _Optional[int] = ..., max_items: _Optional[int] = ..., json_text: _Optional[bool] = ..., json_shape: _Optional[_Union[JsonShape, str]] = ..., words: _Optional[_Iterable[str]] = ..., min: _Optional[int] = ..., max: _Optional[int] = ..., has_range: _Optional[bool] = ..., answered_by: _Optional[str] = ...) -> None: ...
