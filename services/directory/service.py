"""The directory plane's servicers: request to op, result to response."""

from dataclasses import dataclass
from datetime import UTC, datetime

from loom.directory.v1 import access_pb2 as apb
from loom.directory.v1 import directory_pb2 as pb
from runtime.call import Call
from runtime.errors import forbidden
from runtime.identity import Caller
from services.directory import rows
from services.directory.ledger import Actor
from services.directory.ops.access import Check, ListRevoked
from services.directory.ops.audit import Audit
from services.directory.ops.create import Create
from services.directory.ops.establish import ChangePolicy, Establish
from services.directory.ops.join import Join
from services.directory.ops.listing import ListNamespaces
from services.directory.ops.members import GrantRole, ListMembers, Revoke
from services.directory.ops.policy import Remove, SetPolicy
from services.directory.ops.queue import Approve, Deny, ListRequests
from services.directory.ops.tokens import MintToken, RevokeToken
from services.directory.roles import ADMIN


@dataclass(frozen=True, slots=True)
class Ops:
    """Every op of the plane."""

    create: Create
    namespaces: ListNamespaces
    join: Join
    requests: ListRequests
    approve: Approve
    deny: Deny
    members: ListMembers
    grant: GrantRole
    revoke: Revoke
    set_policy: SetPolicy
    remove: Remove
    audit: Audit
    revoke_token: RevokeToken
    mint: MintToken


class DirectoryService:
    """Public rpcs; each is an op. The auth link has checked the role of those that need one."""

    def __init__(self, ops: Ops) -> None:
        self._ops = ops

    async def CreateNamespace(self, request: pb.CreateNamespaceRequest, call: Call) -> pb.CreateNamespaceResponse:
        made = await self._ops.create.execute(
            request.org,
            request.namespace,
            request.kind,
            request.join_policy,
            request.restricted,
            actor(call, request.org),
            anew=caller(call, request.org).mode == "token",
        )
        return pb.CreateNamespaceResponse(created=namespace(made, ADMIN))

    async def ListNamespaces(self, request: pb.ListNamespacesRequest, call: Call) -> pb.ListNamespacesResponse:
        found, token = await self._ops.namespaces.execute(
            request.org, request.kind, request.page_size, request.page_token, caller(call, request.org)
        )
        shown = [namespace(row, role) for row, role in found]
        return pb.ListNamespacesResponse(namespaces=shown, next_page_token=token)

    async def JoinNamespace(self, request: pb.JoinNamespaceRequest, call: Call) -> pb.JoinNamespaceResponse:
        outcome = await self._ops.join.execute(
            request.org, request.namespace, request.role, caller(call, request.org), actor(call, request.org)
        )
        return pb.JoinNamespaceResponse(outcome=outcome)

    async def ListRequests(self, request: pb.ListRequestsRequest, call: Call) -> pb.ListRequestsResponse:
        found, token = await self._ops.requests.execute(
            request.org, request.namespace, request.page_size, request.page_token
        )
        shown = [
            pb.JoinRequest(subject=row.subject, role=row.role, requested_at=instant(row.requested_at)) for row in found
        ]
        return pb.ListRequestsResponse(requests=shown, next_page_token=token)

    async def ApproveRequest(self, request: pb.ApproveRequestRequest, call: Call) -> pb.ApproveRequestResponse:
        granted = await self._ops.approve.execute(
            request.org, request.namespace, request.subject, actor(call, request.org)
        )
        return pb.ApproveRequestResponse(granted=member(granted))

    async def DenyRequest(self, request: pb.DenyRequestRequest, call: Call) -> pb.DenyRequestResponse:
        denied = await self._ops.deny.execute(request.org, request.namespace, request.subject, actor(call, request.org))
        return pb.DenyRequestResponse(denied=denied)

    async def ListMembers(self, request: pb.ListMembersRequest, call: Call) -> pb.ListMembersResponse:
        found, token = await self._ops.members.execute(
            request.org, request.namespace, request.page_size, request.page_token
        )
        return pb.ListMembersResponse(members=[member(row) for row in found], next_page_token=token)

    async def Grant(self, request: pb.GrantRequest, call: Call) -> pb.GrantResponse:
        granted = await self._ops.grant.execute(
            request.org, request.namespace, request.subject, request.role, actor(call, request.org)
        )
        return pb.GrantResponse(granted=member(granted))

    async def Revoke(self, request: pb.RevokeRequest, call: Call) -> pb.RevokeResponse:
        revoked = await self._ops.revoke.execute(
            request.org, request.namespace, request.subject, actor(call, request.org)
        )
        return pb.RevokeResponse(revoked=revoked)

    async def SetPolicy(self, request: pb.SetPolicyRequest, call: Call) -> pb.SetPolicyResponse:
        changed = await self._ops.set_policy.execute(
            request.org, request.namespace, request.join_policy, actor(call, request.org)
        )
        return pb.SetPolicyResponse(changed=namespace(changed, ADMIN))

    async def RemoveNamespace(self, request: pb.RemoveNamespaceRequest, call: Call) -> pb.RemoveNamespaceResponse:
        removed = await self._ops.remove.execute(request.org, request.namespace, actor(call, request.org))
        return pb.RemoveNamespaceResponse(removed=removed)

    async def Audit(self, request: pb.AuditRequest, call: Call) -> pb.AuditResponse:
        found, token = await self._ops.audit.execute(
            request.org, request.namespace, request.subject, request.page_size, request.page_token
        )
        return pb.AuditResponse(entries=[entry(row) for row in found], next_page_token=token)

    async def RevokeToken(self, request: pb.RevokeTokenRequest, call: Call) -> pb.RevokeTokenResponse:
        revoked = await self._ops.revoke_token.execute(request.org, request.jti, actor(call, request.org))
        return pb.RevokeTokenResponse(revoked=revoked)

    async def MintToken(self, request: pb.MintTokenRequest, call: Call) -> pb.MintTokenResponse:
        named = [(item.namespace, item.role) for item in request.namespaces]
        minted = await self._ops.mint.execute(
            request.org, request.subject, request.kind, named, request.ttl_s, actor(call, request.org)
        )
        return pb.MintTokenResponse(token=minted.token, jti=minted.jti, expires_at=instant(minted.expires_at))


class AccessService:
    """Internal rpcs: what the other planes ask, and what they do to namespaces."""

    def __init__(self, check: Check, revoked: ListRevoked, establish: Establish, policy: ChangePolicy) -> None:
        self._check, self._revoked, self._establish, self._policy = check, revoked, establish, policy

    async def Check(self, request: apb.CheckRequest, call: Call) -> apb.CheckResponse:
        found = await self._check.execute(
            request.org, request.namespace, request.subject, request.ensure, request.claimed_role, call.request_id
        )
        row = found.namespace
        return apb.CheckResponse(
            exists=row is not None,
            kind=row.kind if row else "",
            restricted=row is not None and row.restricted,
            storage_name=found.storage_name,
            role=found.role,
            org_admin=found.org_admin,
        )

    async def ListRevoked(self, request: apb.ListRevokedRequest, call: Call) -> apb.ListRevokedResponse:
        return apb.ListRevokedResponse(tokens=[f"{org}/{jti}" for org, jti in await self._revoked.execute()])

    async def Establish(self, request: apb.EstablishRequest, call: Call) -> apb.EstablishResponse:
        row, created = await self._establish.execute(
            request.org,
            request.namespace,
            request.kind,
            request.join_policy,
            request.restricted,
            Actor(request.subject, call.request_id),
            single_user=request.single_user,
        )
        return apb.EstablishResponse(created=created, storage_name=row.storage_name)

    async def ChangePolicy(self, request: apb.ChangePolicyRequest, call: Call) -> apb.ChangePolicyResponse:
        doer = Actor(request.subject, call.request_id)
        holds = await self._policy.execute(request.org, request.namespace, request.join_policy, doer)
        return apb.ChangePolicyResponse(join_policy=holds)


def caller(call: Call, org: str) -> Caller:
    """Who calls, about its own organisation and no other."""
    found = call.caller
    if found is None:
        raise RuntimeError("the auth link did not say who calls")
    if found.mode == "token" and found.org != org:
        raise forbidden()
    return found


def actor(call: Call, org: str) -> Actor:
    return Actor(caller(call, org).subject, call.request_id)


def namespace(row: rows.Namespace, role: str) -> pb.Namespace:
    return pb.Namespace(
        namespace=row.name,
        kind=row.kind,
        join_policy=row.join_policy,
        restricted=row.restricted,
        created_by=row.created_by,
        created_at=instant(row.created_at),
        role=role,
    )


def member(row: rows.Grant) -> pb.Member:
    return pb.Member(subject=row.subject, role=row.role, granted_by=row.granted_by, granted_at=instant(row.granted_at))


def entry(row: rows.AuditEntry) -> pb.AuditEntry:
    return pb.AuditEntry(
        at=instant(row.at),
        actor=row.actor,
        action=row.action,
        namespace=row.namespace,
        subject=row.subject,
        role=row.role,
        request_id=row.request_id,
        detail=row.detail,
    )


def instant(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
