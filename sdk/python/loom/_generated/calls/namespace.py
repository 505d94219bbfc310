"""Generated from the contract by tools/gen_sdk.py; do not edit."""

from __future__ import annotations

from loom._generated import table
from loom._generated.models import directory as directory_models
from loom._op import AsyncSend, Send


class Namespace:
    """The ops `namespace.*`."""

    __slots__ = ("_send",)

    def __init__(self, send: Send) -> None:
        self._send = send

    def approve(
        self, *, namespace: str, subject: str, org: str | None = None
    ) -> directory_models.ApproveRequestResponse:
        """Approves a request to join.

        Role: admin. Writes; idempotent.

        Args:
            namespace: The namespace. Limit: 128 characters.
            subject: The agent or user, as in `sub` of its tokens. Limit: 256 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.

        Returns:
            What the subject has now.
        """
        return self._send(table.NAMESPACE_APPROVE, {"org": org, "namespace": namespace, "subject": subject})

    def create(
        self,
        *,
        namespace: str,
        org: str | None = None,
        kind: str | None = None,
        join_policy: str | None = None,
        restricted: bool | None = None,
    ) -> directory_models.CreateNamespaceResponse:
        """Creates a namespace; the caller becomes its first admin. A name that was removed starts anew and inherits
        nothing.

        Role: member. Writes; not idempotent.

        Args:
            namespace: The namespace. Limit: 128 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            kind: What it holds: `memory`, `code` or `tracker`. One of `memory`, `code`, `tracker`. Default
                `"memory"`.
            join_policy: How people join: `open` at once, `approval` by its admins. One of `open`, `approval`.
                Default `"approval"`.
            restricted: True when access needs a token that names it and a direct grant too.

        Returns:
            The namespace that was created.
        """
        return self._send(
            table.NAMESPACE_CREATE,
            {"org": org, "namespace": namespace, "kind": kind, "join_policy": join_policy, "restricted": restricted},
        )

    def deny(self, *, namespace: str, subject: str, org: str | None = None) -> directory_models.DenyRequestResponse:
        """Denies a request to join.

        Role: admin. Writes; idempotent.

        Args:
            namespace: The namespace. Limit: 128 characters.
            subject: The agent or user, as in `sub` of its tokens. Limit: 256 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.

        Returns:
            What was denied.
        """
        return self._send(table.NAMESPACE_DENY, {"org": org, "namespace": namespace, "subject": subject})

    def grant(
        self, *, namespace: str, subject: str, role: str, org: str | None = None
    ) -> directory_models.GrantResponse:
        """Grants a role, in place of the one that the subject had.

        Role: admin. Writes; idempotent.

        Args:
            namespace: The namespace. Limit: 128 characters.
            subject: The agent or user, as in `sub` of its tokens. Limit: 256 characters.
            role: The role: `viewer`, `writer` or `admin`. One of `viewer`, `writer`, `admin`.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.

        Returns:
            The grant that holds now.
        """
        return self._send(table.NAMESPACE_GRANT, {"org": org, "namespace": namespace, "subject": subject, "role": role})

    def join(
        self, *, namespace: str, org: str | None = None, role: str | None = None
    ) -> directory_models.JoinNamespaceResponse:
        """Joins a namespace as a viewer: at once where it is open, by a request to its admins where it wants approval.
        A refusal and a namespace that does not exist answer alike.

        Role: member. Writes; idempotent.

        Args:
            namespace: The namespace. Limit: 128 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            role: The role asked for; only `viewer` can be had by joining. One of `viewer`. Default `"viewer"`.

        Returns:
            What became of it.
        """
        return self._send(table.NAMESPACE_JOIN, {"org": org, "namespace": namespace, "role": role})

    def list(
        self,
        *,
        org: str | None = None,
        kind: str | None = None,
        page_size: int | None = None,
        page_token: str | None = None,
    ) -> directory_models.ListNamespacesResponse:
        """Lists the namespaces that the caller can see; a restricted one that it cannot read is not among them.

        Role: member. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            kind: Only this kind; empty means any. One of `memory`, `code`, `tracker`.
            page_size: Rows in a page. From 1 to 500. Default `50`.
            page_token: The previous page's next_page_token; empty means the first page. Limit: 2,048 characters.

        Returns:
            One page of namespaces, in name order.
        """
        return self._send(
            table.NAMESPACE_LIST, {"org": org, "kind": kind, "page_size": page_size, "page_token": page_token}
        )

    def members(
        self, *, namespace: str, org: str | None = None, page_size: int | None = None, page_token: str | None = None
    ) -> directory_models.ListMembersResponse:
        """Lists the direct grants of a namespace.

        Role: admin. Reads; idempotent.

        Args:
            namespace: The namespace. Limit: 128 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            page_size: Rows in a page. From 1 to 500. Default `50`.
            page_token: The previous page's next_page_token; empty means the first page. Limit: 2,048 characters.

        Returns:
            One page of members, in the order of their names.
        """
        return self._send(
            table.NAMESPACE_MEMBERS,
            {"org": org, "namespace": namespace, "page_size": page_size, "page_token": page_token},
        )

    def remove(self, *, namespace: str, org: str | None = None) -> directory_models.RemoveNamespaceResponse:
        """Removes a namespace: the name is free again, and a later namespace of that name inherits nothing.

        Role: admin. Writes; idempotent.

        Args:
            namespace: The namespace. Limit: 128 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.

        Returns:
            What was removed.
        """
        return self._send(table.NAMESPACE_REMOVE, {"org": org, "namespace": namespace})

    def requests(
        self, *, namespace: str, org: str | None = None, page_size: int | None = None, page_token: str | None = None
    ) -> directory_models.ListRequestsResponse:
        """Lists the requests to join that wait for an answer, oldest first.

        Role: admin. Reads; idempotent.

        Args:
            namespace: The namespace. Limit: 128 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            page_size: Rows in a page. From 1 to 500. Default `50`.
            page_token: The previous page's next_page_token; empty means the first page. Limit: 2,048 characters.

        Returns:
            One page of requests, oldest first.
        """
        return self._send(
            table.NAMESPACE_REQUESTS,
            {"org": org, "namespace": namespace, "page_size": page_size, "page_token": page_token},
        )

    def revoke(self, *, namespace: str, subject: str, org: str | None = None) -> directory_models.RevokeResponse:
        """Revokes a subject's grant. The last admin cannot be removed.

        Role: admin. Writes; idempotent.

        Args:
            namespace: The namespace. Limit: 128 characters.
            subject: The agent or user, as in `sub` of its tokens. Limit: 256 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.

        Returns:
            What was revoked.
        """
        return self._send(table.NAMESPACE_REVOKE, {"org": org, "namespace": namespace, "subject": subject})

    def set_policy(
        self, *, namespace: str, join_policy: str, org: str | None = None
    ) -> directory_models.SetPolicyResponse:
        """Sets how people join.

        Role: admin. Writes; idempotent.

        Args:
            namespace: The namespace. Limit: 128 characters.
            join_policy: How people join from now on: `open` or `approval`. One of `open`, `approval`.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.

        Returns:
            The namespace as it is now.
        """
        return self._send(table.NAMESPACE_SET_POLICY, {"org": org, "namespace": namespace, "join_policy": join_policy})


class AsyncNamespace:
    """The ops `namespace.*`."""

    __slots__ = ("_send",)

    def __init__(self, send: AsyncSend) -> None:
        self._send = send

    async def approve(
        self, *, namespace: str, subject: str, org: str | None = None
    ) -> directory_models.ApproveRequestResponse:
        """Approves a request to join.

        Role: admin. Writes; idempotent.

        Args:
            namespace: The namespace. Limit: 128 characters.
            subject: The agent or user, as in `sub` of its tokens. Limit: 256 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.

        Returns:
            What the subject has now.
        """
        return await self._send(table.NAMESPACE_APPROVE, {"org": org, "namespace": namespace, "subject": subject})

    async def create(
        self,
        *,
        namespace: str,
        org: str | None = None,
        kind: str | None = None,
        join_policy: str | None = None,
        restricted: bool | None = None,
    ) -> directory_models.CreateNamespaceResponse:
        """Creates a namespace; the caller becomes its first admin. A name that was removed starts anew and inherits
        nothing.

        Role: member. Writes; not idempotent.

        Args:
            namespace: The namespace. Limit: 128 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            kind: What it holds: `memory`, `code` or `tracker`. One of `memory`, `code`, `tracker`. Default
                `"memory"`.
            join_policy: How people join: `open` at once, `approval` by its admins. One of `open`, `approval`.
                Default `"approval"`.
            restricted: True when access needs a token that names it and a direct grant too.

        Returns:
            The namespace that was created.
        """
        return await self._send(
            table.NAMESPACE_CREATE,
            {"org": org, "namespace": namespace, "kind": kind, "join_policy": join_policy, "restricted": restricted},
        )

    async def deny(
        self, *, namespace: str, subject: str, org: str | None = None
    ) -> directory_models.DenyRequestResponse:
        """Denies a request to join.

        Role: admin. Writes; idempotent.

        Args:
            namespace: The namespace. Limit: 128 characters.
            subject: The agent or user, as in `sub` of its tokens. Limit: 256 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.

        Returns:
            What was denied.
        """
        return await self._send(table.NAMESPACE_DENY, {"org": org, "namespace": namespace, "subject": subject})

    async def grant(
        self, *, namespace: str, subject: str, role: str, org: str | None = None
    ) -> directory_models.GrantResponse:
        """Grants a role, in place of the one that the subject had.

        Role: admin. Writes; idempotent.

        Args:
            namespace: The namespace. Limit: 128 characters.
            subject: The agent or user, as in `sub` of its tokens. Limit: 256 characters.
            role: The role: `viewer`, `writer` or `admin`. One of `viewer`, `writer`, `admin`.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.

        Returns:
            The grant that holds now.
        """
        return await self._send(
            table.NAMESPACE_GRANT, {"org": org, "namespace": namespace, "subject": subject, "role": role}
        )

    async def join(
        self, *, namespace: str, org: str | None = None, role: str | None = None
    ) -> directory_models.JoinNamespaceResponse:
        """Joins a namespace as a viewer: at once where it is open, by a request to its admins where it wants approval.
        A refusal and a namespace that does not exist answer alike.

        Role: member. Writes; idempotent.

        Args:
            namespace: The namespace. Limit: 128 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            role: The role asked for; only `viewer` can be had by joining. One of `viewer`. Default `"viewer"`.

        Returns:
            What became of it.
        """
        return await self._send(table.NAMESPACE_JOIN, {"org": org, "namespace": namespace, "role": role})

    async def list(
        self,
        *,
        org: str | None = None,
        kind: str | None = None,
        page_size: int | None = None,
        page_token: str | None = None,
    ) -> directory_models.ListNamespacesResponse:
        """Lists the namespaces that the caller can see; a restricted one that it cannot read is not among them.

        Role: member. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            kind: Only this kind; empty means any. One of `memory`, `code`, `tracker`.
            page_size: Rows in a page. From 1 to 500. Default `50`.
            page_token: The previous page's next_page_token; empty means the first page. Limit: 2,048 characters.

        Returns:
            One page of namespaces, in name order.
        """
        return await self._send(
            table.NAMESPACE_LIST, {"org": org, "kind": kind, "page_size": page_size, "page_token": page_token}
        )

    async def members(
        self, *, namespace: str, org: str | None = None, page_size: int | None = None, page_token: str | None = None
    ) -> directory_models.ListMembersResponse:
        """Lists the direct grants of a namespace.

        Role: admin. Reads; idempotent.

        Args:
            namespace: The namespace. Limit: 128 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            page_size: Rows in a page. From 1 to 500. Default `50`.
            page_token: The previous page's next_page_token; empty means the first page. Limit: 2,048 characters.

        Returns:
            One page of members, in the order of their names.
        """
        return await self._send(
            table.NAMESPACE_MEMBERS,
            {"org": org, "namespace": namespace, "page_size": page_size, "page_token": page_token},
        )

    async def remove(self, *, namespace: str, org: str | None = None) -> directory_models.RemoveNamespaceResponse:
        """Removes a namespace: the name is free again, and a later namespace of that name inherits nothing.

        Role: admin. Writes; idempotent.

        Args:
            namespace: The namespace. Limit: 128 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.

        Returns:
            What was removed.
        """
        return await self._send(table.NAMESPACE_REMOVE, {"org": org, "namespace": namespace})

    async def requests(
        self, *, namespace: str, org: str | None = None, page_size: int | None = None, page_token: str | None = None
    ) -> directory_models.ListRequestsResponse:
        """Lists the requests to join that wait for an answer, oldest first.

        Role: admin. Reads; idempotent.

        Args:
            namespace: The namespace. Limit: 128 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            page_size: Rows in a page. From 1 to 500. Default `50`.
            page_token: The previous page's next_page_token; empty means the first page. Limit: 2,048 characters.

        Returns:
            One page of requests, oldest first.
        """
        return await self._send(
            table.NAMESPACE_REQUESTS,
            {"org": org, "namespace": namespace, "page_size": page_size, "page_token": page_token},
        )

    async def revoke(self, *, namespace: str, subject: str, org: str | None = None) -> directory_models.RevokeResponse:
        """Revokes a subject's grant. The last admin cannot be removed.

        Role: admin. Writes; idempotent.

        Args:
            namespace: The namespace. Limit: 128 characters.
            subject: The agent or user, as in `sub` of its tokens. Limit: 256 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.

        Returns:
            What was revoked.
        """
        return await self._send(table.NAMESPACE_REVOKE, {"org": org, "namespace": namespace, "subject": subject})

    async def set_policy(
        self, *, namespace: str, join_policy: str, org: str | None = None
    ) -> directory_models.SetPolicyResponse:
        """Sets how people join.

        Role: admin. Writes; idempotent.

        Args:
            namespace: The namespace. Limit: 128 characters.
            join_policy: How people join from now on: `open` or `approval`. One of `open`, `approval`.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.

        Returns:
            The namespace as it is now.
        """
        return await self._send(
            table.NAMESPACE_SET_POLICY, {"org": org, "namespace": namespace, "join_policy": join_policy}
        )
