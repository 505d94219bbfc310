from loom.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CreateNamespaceRequest(_message.Message):
    __slots__ = ("org", "namespace", "kind", "join_policy", "restricted")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    JOIN_POLICY_FIELD_NUMBER: _ClassVar[int]
    RESTRICTED_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    kind: str
    join_policy: str
    restricted: bool
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., kind: _Optional[str] = ..., join_policy: _Optional[str] = ..., restricted: _Optional[bool] = ...) -> None: ...

class CreateNamespaceResponse(_message.Message):
    __slots__ = ("created",)
    CREATED_FIELD_NUMBER: _ClassVar[int]
    created: Namespace
    def __init__(self, created: _Optional[_Union[Namespace, _Mapping]] = ...) -> None: ...

class Namespace(_message.Message):
    __slots__ = ("namespace", "kind", "join_policy", "restricted", "created_by", "created_at", "role")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    JOIN_POLICY_FIELD_NUMBER: _ClassVar[int]
    RESTRICTED_FIELD_NUMBER: _ClassVar[int]
    CREATED_BY_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    kind: str
    join_policy: str
    restricted: bool
    created_by: str
    created_at: str
    role: str
    def __init__(self, namespace: _Optional[str] = ..., kind: _Optional[str] = ..., join_policy: _Optional[str] = ..., restricted: _Optional[bool] = ..., created_by: _Optional[str] = ..., created_at: _Optional[str] = ..., role: _Optional[str] = ...) -> None: ...

class ListNamespacesRequest(_message.Message):
    __slots__ = ("org", "kind", "page_size", "page_token")
    ORG_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    org: str
    kind: str
    page_size: int
    page_token: str
    def __init__(self, org: _Optional[str] = ..., kind: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListNamespacesResponse(_message.Message):
    __slots__ = ("namespaces", "next_page_token")
    NAMESPACES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    namespaces: _containers.RepeatedCompositeFieldContainer[Namespace]
    next_page_token: str
    def __init__(self, namespaces: _Optional[_Iterable[_Union[Namespace, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class JoinNamespaceRequest(_message.Message):
    __slots__ = ("org", "namespace", "role")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    role: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., role: _Optional[str] = ...) -> None: ...

class JoinNamespaceResponse(_message.Message):
    __slots__ = ("outcome",)
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    outcome: str
    def __init__(self, outcome: _Optional[str] = ...) -> None: ...

class ListRequestsRequest(_message.Message):
    __slots__ = ("org", "namespace", "page_size", "page_token")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    page_size: int
    page_token: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListRequestsResponse(_message.Message):
    __slots__ = ("requests", "next_page_token")
    REQUESTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    requests: _containers.RepeatedCompositeFieldContainer[JoinRequest]
    next_page_token: str
    def __init__(self, requests: _Optional[_Iterable[_Union[JoinRequest, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class JoinRequest(_message.Message):
    __slots__ = ("subject", "role", "requested_at")
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    REQUESTED_AT_FIELD_NUMBER: _ClassVar[int]
    subject: str
    role: str
    requested_at: str
    def __init__(self, subject: _Optional[str] = ..., role: _Optional[str] = ..., requested_at: _Optional[str] = ...) -> None: ...

class ApproveRequestRequest(_message.Message):
    __slots__ = ("org", "namespace", "subject")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    subject: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., subject: _Optional[str] = ...) -> None: ...

class ApproveRequestResponse(_message.Message):
    __slots__ = ("granted",)
    GRANTED_FIELD_NUMBER: _ClassVar[int]
    granted: Member
    def __init__(self, granted: _Optional[_Union[Member, _Mapping]] = ...) -> None: ...

class DenyRequestRequest(_message.Message):
    __slots__ = ("org", "namespace", "subject")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    subject: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., subject: _Optional[str] = ...) -> None: ...

class DenyRequestResponse(_message.Message):
    __slots__ = ("denied",)
    DENIED_FIELD_NUMBER: _ClassVar[int]
    denied: bool
    def __init__(self, denied: _Optional[bool] = ...) -> None: ...

class ListMembersRequest(_message.Message):
    __slots__ = ("org", "namespace", "page_size", "page_token")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    page_size: int
    page_token: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListMembersResponse(_message.Message):
    __slots__ = ("members", "next_page_token")
    MEMBERS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    members: _containers.RepeatedCompositeFieldContainer[Member]
    next_page_token: str
    def __init__(self, members: _Optional[_Iterable[_Union[Member, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class Member(_message.Message):
    __slots__ = ("subject", "role", "granted_by", "granted_at")
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    GRANTED_BY_FIELD_NUMBER: _ClassVar[int]
    GRANTED_AT_FIELD_NUMBER: _ClassVar[int]
    subject: str
    role: str
    granted_by: str
    granted_at: str
    def __init__(self, subject: _Optional[str] = ..., role: _Optional[str] = ..., granted_by: _Optional[str] = ..., granted_at: _Optional[str] = ...) -> None: ...

class GrantRequest(_message.Message):
    __slots__ = ("org", "namespace", "subject", "role")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    subject: str
    role: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., subject: _Optional[str] = ..., role: _Optional[str] = ...) -> None: ...

class GrantResponse(_message.Message):
    __slots__ = ("granted",)
    GRANTED_FIELD_NUMBER: _ClassVar[int]
    granted: Member
    def __init__(self, granted: _Optional[_Union[Member, _Mapping]] = ...) -> None: ...

class RevokeRequest(_message.Message):
    __slots__ = ("org", "namespace", "subject")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    subject: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., subject: _Optional[str] = ...) -> None: ...

class RevokeResponse(_message.Message):
    __slots__ = ("revoked",)
    REVOKED_FIELD_NUMBER: _ClassVar[int]
    revoked: bool
    def __init__(self, revoked: _Optional[bool] = ...) -> None: ...

class SetPolicyRequest(_message.Message):
    __slots__ = ("org", "namespace", "join_policy")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    JOIN_POLICY_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    join_policy: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., join_policy: _Optional[str] = ...) -> None: ...

class SetPolicyResponse(_message.Message):
    __slots__ = ("changed",)
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    changed: Namespace
    def __init__(self, changed: _Optional[_Union[Namespace, _Mapping]] = ...) -> None: ...

class RemoveNamespaceRequest(_message.Message):
    __slots__ = ("org", "namespace")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ...) -> None: ...

class RemoveNamespaceResponse(_message.Message):
    __slots__ = ("removed",)
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    removed: bool
    def __init__(self, removed: _Optional[bool] = ...) -> None: ...

class AuditRequest(_message.Message):
    __slots__ = ("org", "namespace", "subject", "page_size", "page_token")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    subject: str
    page_size: int
    page_token: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., subject: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class AuditResponse(_message.Message):
    __slots__ = ("entries", "next_page_token")
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[AuditEntry]
    next_page_token: str
    def __init__(self, entries: _Optional[_Iterable[_Union[AuditEntry, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class AuditEntry(_message.Message):
    __slots__ = ("at", "actor", "action", "namespace", "subject", "role", "request_id", "detail")
    AT_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    at: str
    actor: str
    action: str
    namespace: str
    subject: str
    role: str
    request_id: str
    detail: str
    def __init__(self, at: _Optional[str] = ..., actor: _Optional[str] = ..., action: _Optional[str] = ..., namespace: _Optional[str] = ..., subject: _Optional[str] = ..., role: _Optional[str] = ..., request_id: _Optional[str] = ..., detail: _Optional[str] = ...) -> None: ...

class RevokeTokenRequest(_message.Message):
    __slots__ = ("org", "jti")
    ORG_FIELD_NUMBER: _ClassVar[int]
    JTI_FIELD_NUMBER: _ClassVar[int]
    org: str
    jti: str
    def __init__(self, org: _Optional[str] = ..., jti: _Optional[str] = ...) -> None: ...

class RevokeTokenResponse(_message.Message):
    __slots__ = ("revoked",)
    REVOKED_FIELD_NUMBER: _ClassVar[int]
    revoked: bool
    def __init__(self, revoked: _Optional[bool] = ...) -> None: ...

class MintTokenRequest(_message.Message):
    __slots__ = ("org", "subject", "namespaces", "kind", "ttl_s")
    ORG_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    NAMESPACES_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TTL_S_FIELD_NUMBER: _ClassVar[int]
    org: str
    subject: str
    namespaces: _containers.RepeatedCompositeFieldContainer[NamespaceRole]
    kind: str
    ttl_s: int
    def __init__(self, org: _Optional[str] = ..., subject: _Optional[str] = ..., namespaces: _Optional[_Iterable[_Union[NamespaceRole, _Mapping]]] = ..., kind: _Optional[str] = ..., ttl_s: _Optional[int] = ...) -> None: ...

class NamespaceRole(_message.Message):
    __slots__ = ("namespace", "role")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    role: str
    def __init__(self, namespace: _Optional[str] = ..., role: _Optional[str] = ...) -> None: ...

class MintTokenResponse(_message.Message):
    __slots__ = ("token", "jti", "expires_at")
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    JTI_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    token: str
    jti: str
    expires_at: str
    def __init__(self, token: _Optional[str] = ..., jti: _Optional[str] = ..., expires_at: _Optional[str] = ...) -> None: ...
