"""Rows of the directory's tables, each in the order of its columns."""

from datetime import datetime
from typing import NamedTuple

from services.directory.names import ORG, storage_name

ACTIVE, REMOVED = "active", "removed"
PENDING, APPROVED, DENIED = "pending", "approved", "denied"
MEMORY, APPROVAL, OPEN = "memory", "approval", "open"
# What takes the place of a namespace's id where a grant is about the organisation.
ORG_ID = ORG


class Namespace(NamedTuple):
    """One generation of a name. Rights hang on `id`, which no two namespaces share, so that none are inherited."""

    org: str
    name: str
    generation: int
    id: str
    kind: str
    join_policy: str
    restricted: bool
    created_by: str
    created_at: datetime
    state: str
    version: int

    @property
    def active(self) -> bool:
        return self.state == ACTIVE

    @property
    def storage_name(self) -> str:
        return storage_name(self.name, self.generation)


class Grant(NamedTuple):
    """A subject's direct role; an empty one is a revoked grant."""

    org: str
    namespace_id: str
    subject: str
    role: str
    granted_by: str
    granted_at: datetime
    version: int


class JoinRequest(NamedTuple):
    """A subject's latest request to join."""

    org: str
    namespace_id: str
    subject: str
    role: str
    state: str
    requested_at: datetime
    answered_by: str
    version: int


class RevokedToken(NamedTuple):
    """One entry of the deny list."""

    org: str
    jti: str
    revoked_by: str
    revoked_at: datetime
    version: int


class AuditEntry(NamedTuple):
    """One change of rights; never changed itself."""

    org: str
    seq: int
    id: str
    at: datetime
    actor: str
    action: str
    namespace: str
    subject: str
    role: str
    detail: str
    request_id: str


Changed = Namespace | Grant | JoinRequest | RevokedToken
Row = Changed | AuditEntry
