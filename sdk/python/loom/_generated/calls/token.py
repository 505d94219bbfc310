"""Generated from the contract by tools/gen_sdk.py; do not edit."""

from __future__ import annotations

from loom._generated import table
from loom._generated.models import directory as directory_models
from loom._op import AsyncSend, Send


class Token:
    """The ops `token.*`."""

    __slots__ = ("_send",)

    def __init__(self, send: Send) -> None:
        self._send = send

    def mint(
        self,
        *,
        subject: str,
        org: str | None = None,
        namespaces: list[directory_models.NamespaceRoleInput] | None = None,
        kind: str | None = None,
        ttl_s: int | None = None,
    ) -> directory_models.MintTokenResponse:
        """Makes a token of the caller's organisation. It is shown once, in the answer.

        Role: org_admin. Writes; not idempotent.

        Args:
            subject: The agent or user that it speaks for. Limit: 256 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespaces: Namespaces that it names, with the role on each. Limit: 64 entries.
            kind: Whom it speaks for: `service` (an agent) or `user`. One of `service`, `user`. Default `"service"`.
            ttl_s: Seconds that it lives. From 60 to 31,536,000. Default `2592000`.

        Returns:
            The token.
        """
        return self._send(
            table.TOKEN_MINT, {"org": org, "subject": subject, "namespaces": namespaces, "kind": kind, "ttl_s": ttl_s}
        )


class AsyncToken:
    """The ops `token.*`."""

    __slots__ = ("_send",)

    def __init__(self, send: AsyncSend) -> None:
        self._send = send

    async def mint(
        self,
        *,
        subject: str,
        org: str | None = None,
        namespaces: list[directory_models.NamespaceRoleInput] | None = None,
        kind: str | None = None,
        ttl_s: int | None = None,
    ) -> directory_models.MintTokenResponse:
        """Makes a token of the caller's organisation. It is shown once, in the answer.

        Role: org_admin. Writes; not idempotent.

        Args:
            subject: The agent or user that it speaks for. Limit: 256 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespaces: Namespaces that it names, with the role on each. Limit: 64 entries.
            kind: Whom it speaks for: `service` (an agent) or `user`. One of `service`, `user`. Default `"service"`.
            ttl_s: Seconds that it lives. From 60 to 31,536,000. Default `2592000`.

        Returns:
            The token.
        """
        return await self._send(
            table.TOKEN_MINT, {"org": org, "subject": subject, "namespaces": namespaces, "kind": kind, "ttl_s": ttl_s}
        )
