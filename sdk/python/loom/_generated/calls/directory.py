"""Generated from the contract by tools/gen_sdk.py; do not edit."""

from __future__ import annotations

from loom._generated import table
from loom._generated.models import directory as directory_models
from loom._op import AsyncSend, Send


class Directory:
    """The ops `directory.*`."""

    __slots__ = ("_send",)

    def __init__(self, send: Send) -> None:
        self._send = send

    def audit(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        subject: str | None = None,
        page_size: int | None = None,
        page_token: str | None = None,
    ) -> directory_models.AuditResponse:
        """Lists changes of rights, newest first: who did what to whom, and when.

        Role: org_admin. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Only changes of this namespace; empty means any. Limit: 128 characters.
            subject: Only changes that concern this subject; empty means any. Limit: 256 characters.
            page_size: Rows in a page. From 1 to 500. Default `50`.
            page_token: The previous page's next_page_token; empty means the first page. Limit: 2,048 characters.

        Returns:
            One page of changes, newest first.
        """
        return self._send(
            table.DIRECTORY_AUDIT,
            {"org": org, "namespace": namespace, "subject": subject, "page_size": page_size, "page_token": page_token},
        )

    def token_revoke(self, *, jti: str, org: str | None = None) -> directory_models.RevokeTokenResponse:
        """Puts a token on the deny list; planes refuse it within seconds.

        Role: org_admin. Writes; idempotent.

        Args:
            jti: Id of the token, its `jti`. Limit: 128 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.

        Returns:
            What was revoked.
        """
        return self._send(table.DIRECTORY_TOKEN_REVOKE, {"org": org, "jti": jti})


class AsyncDirectory:
    """The ops `directory.*`."""

    __slots__ = ("_send",)

    def __init__(self, send: AsyncSend) -> None:
        self._send = send

    async def audit(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        subject: str | None = None,
        page_size: int | None = None,
        page_token: str | None = None,
    ) -> directory_models.AuditResponse:
        """Lists changes of rights, newest first: who did what to whom, and when.

        Role: org_admin. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Only changes of this namespace; empty means any. Limit: 128 characters.
            subject: Only changes that concern this subject; empty means any. Limit: 256 characters.
            page_size: Rows in a page. From 1 to 500. Default `50`.
            page_token: The previous page's next_page_token; empty means the first page. Limit: 2,048 characters.

        Returns:
            One page of changes, newest first.
        """
        return await self._send(
            table.DIRECTORY_AUDIT,
            {"org": org, "namespace": namespace, "subject": subject, "page_size": page_size, "page_token": page_token},
        )

    async def token_revoke(self, *, jti: str, org: str | None = None) -> directory_models.RevokeTokenResponse:
        """Puts a token on the deny list; planes refuse it within seconds.

        Role: org_admin. Writes; idempotent.

        Args:
            jti: Id of the token, its `jti`. Limit: 128 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.

        Returns:
            What was revoked.
        """
        return await self._send(table.DIRECTORY_TOKEN_REVOKE, {"org": org, "jti": jti})
