from loom.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AddRepoRequest(_message.Message):
    __slots__ = ("org", "namespace", "repo", "branch", "join_policy", "restricted")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    REPO_FIELD_NUMBER: _ClassVar[int]
    BRANCH_FIELD_NUMBER: _ClassVar[int]
    JOIN_POLICY_FIELD_NUMBER: _ClassVar[int]
    RESTRICTED_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    repo: str
    branch: str
    join_policy: str
    restricted: bool
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., repo: _Optional[str] = ..., branch: _Optional[str] = ..., join_policy: _Optional[str] = ..., restricted: _Optional[bool] = ...) -> None: ...

class AddRepoResponse(_message.Message):
    __slots__ = ("created",)
    CREATED_FIELD_NUMBER: _ClassVar[int]
    created: Repo
    def __init__(self, created: _Optional[_Union[Repo, _Mapping]] = ...) -> None: ...

class Repo(_message.Message):
    __slots__ = ("namespace", "repo", "branch", "root", "trackers", "linked_by", "created_by", "created_at")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    REPO_FIELD_NUMBER: _ClassVar[int]
    BRANCH_FIELD_NUMBER: _ClassVar[int]
    ROOT_FIELD_NUMBER: _ClassVar[int]
    TRACKERS_FIELD_NUMBER: _ClassVar[int]
    LINKED_BY_FIELD_NUMBER: _ClassVar[int]
    CREATED_BY_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    repo: str
    branch: str
    root: str
    trackers: _containers.RepeatedScalarFieldContainer[str]
    linked_by: str
    created_by: str
    created_at: str
    def __init__(self, namespace: _Optional[str] = ..., repo: _Optional[str] = ..., branch: _Optional[str] = ..., root: _Optional[str] = ..., trackers: _Optional[_Iterable[str]] = ..., linked_by: _Optional[str] = ..., created_by: _Optional[str] = ..., created_at: _Optional[str] = ...) -> None: ...

class AddBranchRequest(_message.Message):
    __slots__ = ("org", "namespace", "root", "branch")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    ROOT_FIELD_NUMBER: _ClassVar[int]
    BRANCH_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    root: str
    branch: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., root: _Optional[str] = ..., branch: _Optional[str] = ...) -> None: ...

class AddBranchResponse(_message.Message):
    __slots__ = ("created",)
    CREATED_FIELD_NUMBER: _ClassVar[int]
    created: Repo
    def __init__(self, created: _Optional[_Union[Repo, _Mapping]] = ...) -> None: ...

class SetAccessRequest(_message.Message):
    __slots__ = ("org", "namespace", "join_policy")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    JOIN_POLICY_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    join_policy: str
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., join_policy: _Optional[str] = ...) -> None: ...

class SetAccessResponse(_message.Message):
    __slots__ = ("join_policy",)
    JOIN_POLICY_FIELD_NUMBER: _ClassVar[int]
    join_policy: str
    def __init__(self, join_policy: _Optional[str] = ...) -> None: ...

class ListReposRequest(_message.Message):
    __slots__ = ("org",)
    ORG_FIELD_NUMBER: _ClassVar[int]
    org: str
    def __init__(self, org: _Optional[str] = ...) -> None: ...

class ListReposResponse(_message.Message):
    __slots__ = ("repos",)
    REPOS_FIELD_NUMBER: _ClassVar[int]
    repos: _containers.RepeatedCompositeFieldContainer[Repo]
    def __init__(self, repos: _Optional[_Iterable[_Union[Repo, _Mapping]]] = ...) -> None: ...

class SetSourceRequest(_message.Message):
    __slots__ = ("org", "namespace", "trackers")
    ORG_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    TRACKERS_FIELD_NUMBER: _ClassVar[int]
    org: str
    namespace: str
    trackers: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, org: _Optional[str] = ..., namespace: _Optional[str] = ..., trackers: _Optional[_Iterable[str]] = ...) -> None: ...

class SetSourceResponse(_message.Message):
    __slots__ = ("trackers", "not_covering")
    TRACKERS_FIELD_NUMBER: _ClassVar[int]
    NOT_COVERING_FIELD_NUMBER: _ClassVar[int]
    trackers: _containers.RepeatedScalarFieldContainer[str]
    not_covering: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, trackers: _Optional[_Iterable[str]] = ..., not_covering: _Optional[_Iterable[str]] = ...) -> None: ...
