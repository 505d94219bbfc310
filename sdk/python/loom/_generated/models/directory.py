"""Generated from the contract by tools/gen_sdk.py; do not edit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as _field
from typing import Any, Required, Self, TypedDict


@dataclass(frozen=True, slots=True, kw_only=True)
class ApproveRequestResponse:
    """What the subject has now."""

    granted: Member | None = None
    """The grant."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            granted=None if data.get("granted") is None else Member.from_dict(data["granted"]),
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One change of rights."""

    at: str = ""
    """When, RFC 3339 in UTC."""
    actor: str = ""
    """Who did it."""
    action: str = ""
    """What was done, such as `namespace.grant`."""
    namespace: str = ""
    """Namespace that it concerns; empty for the organisation."""
    subject: str = ""
    """Subject that it concerns; empty for none."""
    role: str = ""
    """Role that the subject has through it; empty for none."""
    request_id: str = ""
    """The request that did it."""
    detail: str = ""
    """More about it: the policy that was set, the id of the token; empty for nothing."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            at=data.get("at") or "",
            actor=data.get("actor") or "",
            action=data.get("action") or "",
            namespace=data.get("namespace") or "",
            subject=data.get("subject") or "",
            role=data.get("role") or "",
            request_id=data.get("request_id") or "",
            detail=data.get("detail") or "",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditResponse:
    """One page of changes, newest first."""

    entries: list[AuditEntry] = _field(default_factory=list)
    """The changes."""
    next_page_token: str = ""
    """Token of the next page; empty when this is the last one."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            entries=[AuditEntry.from_dict(item) for item in data.get("entries") or []],
            next_page_token=data.get("next_page_token") or "",
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateNamespaceResponse:
    """The namespace that was created."""

    created: Namespace | None = None
    """The namespace."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            created=None if data.get("created") is None else Namespace.from_dict(data["created"]),
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DenyRequestResponse:
    """What was denied."""

    denied: bool = False
    """True when a request waited; false when there was none."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(denied=data.get("denied") or False, ignored_args=data.get("ignored_args") or [])


@dataclass(frozen=True, slots=True, kw_only=True)
class GrantResponse:
    """The grant that holds now."""

    granted: Member | None = None
    """The grant."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            granted=None if data.get("granted") is None else Member.from_dict(data["granted"]),
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinNamespaceResponse:
    """What became of it."""

    outcome: str = ""
    """`granted`, or `pending` until an admin answers."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(outcome=data.get("outcome") or "", ignored_args=data.get("ignored_args") or [])


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinRequest:
    """One request to join that waits for an answer."""

    subject: str = ""
    """Who asks."""
    role: str = ""
    """The role asked for."""
    requested_at: str = ""
    """When it was asked, RFC 3339 in UTC."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            subject=data.get("subject") or "", role=data.get("role") or "", requested_at=data.get("requested_at") or ""
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ListMembersResponse:
    """One page of members, in the order of their names."""

    members: list[Member] = _field(default_factory=list)
    """The members."""
    next_page_token: str = ""
    """Token of the next page; empty when this is the last one."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            members=[Member.from_dict(item) for item in data.get("members") or []],
            next_page_token=data.get("next_page_token") or "",
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ListNamespacesResponse:
    """One page of namespaces, in name order."""

    namespaces: list[Namespace] = _field(default_factory=list)
    """The namespaces."""
    next_page_token: str = ""
    """Token of the next page; empty when this is the last one."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            namespaces=[Namespace.from_dict(item) for item in data.get("namespaces") or []],
            next_page_token=data.get("next_page_token") or "",
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ListRequestsResponse:
    """One page of requests, oldest first."""

    requests: list[JoinRequest] = _field(default_factory=list)
    """The requests."""
    next_page_token: str = ""
    """Token of the next page; empty when this is the last one."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            requests=[JoinRequest.from_dict(item) for item in data.get("requests") or []],
            next_page_token=data.get("next_page_token") or "",
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One direct grant."""

    subject: str = ""
    """The agent or user."""
    role: str = ""
    """Its role."""
    granted_by: str = ""
    """Who granted it."""
    granted_at: str = ""
    """When it was granted, RFC 3339 in UTC."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            subject=data.get("subject") or "",
            role=data.get("role") or "",
            granted_by=data.get("granted_by") or "",
            granted_at=data.get("granted_at") or "",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MintTokenResponse:
    """The token."""

    token: str = ""
    """The token itself, a signed JWT. It is not stored: keep it, or make another."""
    jti: str = ""
    """Its id, for directory.token_revoke."""
    expires_at: str = ""
    """When it ends, RFC 3339 in UTC."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            token=data.get("token") or "",
            jti=data.get("jti") or "",
            expires_at=data.get("expires_at") or "",
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Namespace:
    """One namespace, as its members see it."""

    namespace: str = ""
    """Name."""
    kind: str = ""
    """What it holds: `memory`, `code` or `tracker`."""
    join_policy: str = ""
    """How people join: `open` or `approval`."""
    restricted: bool = False
    """True when access needs a token that names it and a direct grant too."""
    created_by: str = ""
    """Subject that created it."""
    created_at: str = ""
    """When it was created, RFC 3339 in UTC."""
    role: str = ""
    """The caller's own role: `viewer`, `writer`, `admin`, or empty for none."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            namespace=data.get("namespace") or "",
            kind=data.get("kind") or "",
            join_policy=data.get("join_policy") or "",
            restricted=data.get("restricted") or False,
            created_by=data.get("created_by") or "",
            created_at=data.get("created_at") or "",
            role=data.get("role") or "",
        )


class NamespaceRoleInput(TypedDict, total=False):
    """A namespace and a role on it."""

    namespace: Required[str]
    """The namespace; `*` means every one that exists and is not restricted. Limit: 128 characters."""
    role: Required[str]
    """The role: `viewer`, `writer` or `admin`. One of `viewer`, `writer`, `admin`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveNamespaceResponse:
    """What was removed."""

    removed: bool = False
    """True when there was one; false when there was none."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(removed=data.get("removed") or False, ignored_args=data.get("ignored_args") or [])


@dataclass(frozen=True, slots=True, kw_only=True)
class RevokeResponse:
    """What was revoked."""

    revoked: bool = False
    """True when the subject had a grant; false when there was none."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(revoked=data.get("revoked") or False, ignored_args=data.get("ignored_args") or [])


@dataclass(frozen=True, slots=True, kw_only=True)
class RevokeTokenResponse:
    """What was revoked."""

    revoked: bool = False
    """True when it is on the deny list for the first time."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(revoked=data.get("revoked") or False, ignored_args=data.get("ignored_args") or [])


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPolicyResponse:
    """The namespace as it is now."""

    changed: Namespace | None = None
    """The namespace."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            changed=None if data.get("changed") is None else Namespace.from_dict(data["changed"]),
            ignored_args=data.get("ignored_args") or [],
        )
