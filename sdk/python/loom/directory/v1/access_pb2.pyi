from loom.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class CheckRequest(_message.Message):
    __slots__ = ("org", "namespace", "subject", "ensure", "claimed_role")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    ENSURE_FIELD_NUMBER: _ClassVar[int]
    CLAIMED_ROLE_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    subject: str
    ensure: bool
    claimed_role: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., subject: _Optional[str] = ..., ensure: _Optional[bool] = ..., claimed_role: _Optional[str] = ...) -> None: ...

class CheckResponse(_message.Message):
    __slots__ = ("exists", "kind", "restricted", "storage_name", "role", "org_admin")
    EXISTS_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    RESTRICTED_FIELD_NUMBER: _ClassVar[int]
    STORAGE_NAME_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    ORG_ADMIN_FIELD_NUMBER: _ClassVar[int]
    exists: bool
    kind: str
    restricted: bool
    storage_name: str
    role: str
    org_admin: bool
    def __init__(self, exists: _Optional[bool] = ..., kind: _Optional[str] = ..., restricted: _Optional[bool] = ..., storage_name: _Optional[str] = ..., role: _Optional[str] = ..., org_admin: _Optional[bool] = ...) -> None: ...

class ListRevokedRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListRevokedResponse(_message.Message):
    __slots__ = ("tokens",)
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    tokens: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, tokens: _Optional[_Iterable[str]] = ...) -> None: ...

class EstablishRequest(_message.Message):
    __slots__ = ("org", "namespace", "subject", "kind", "join_policy", "restricted", "single_user")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    JOIN_POLICY_FIELD_NUMBER: _ClassVar[int]
    RESTRICTED_FIELD_NUMBER: _ClassVar[int]
    SINGLE_USER_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    subject: str
    kind: str
    join_policy: str
    restricted: bool
    single_user: bool
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., subject: _Optional[str] = ..., kind: _Optional[str] = ..., join_policy: _Optional[str] = ..., restricted: _Optional[bool] = ..., single_user: _Optional[bool] = ...) -> None: ...

class EstablishResponse(_message.Message):
    __slots__ = ("created", "storage_name")
    CREATED_FIELD_NUMBER: _ClassVar[int]
    STORAGE_NAME_FIELD_NUMBER: _ClassVar[int]
    created: bool
    storage_name: str
    def __init__(self, created: _Optional[bool] = ..., storage_name: _Optional[str] = ...) -> None: ...

class ChangePolicyRequest(_message.Message):
    __slots__ = ("org", "namespace", "subject", "join_policy")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    JOIN_POLICY_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    subject: str
    join_policy: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., subject: _Optional[str] = ..., join_policy: _Optional[str] = ...) -> None: ...

class ChangePolicyResponse(_message.Message):
    __slots__ = ("join_policy",)
    JOIN_POLICY_FIELD_NUMBER: _ClassVar[int]
    join_policy: str
    def __init__(self, join_policy: _Optional[str] = ...) -> None: ...
