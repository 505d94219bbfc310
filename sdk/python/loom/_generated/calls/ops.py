"""Generated from the contract by tools/gen_sdk.py; do not edit."""

from __future__ import annotations

from loom._generated import table
from loom._generated.models import ops as ops_models
from loom._op import AsyncSend, Send


class Ops:
    """The ops `ops.*`."""

    __slots__ = ("_send",)

    def __init__(self, send: Send) -> None:
        self._send = send

    def capabilities(self) -> ops_models.CapabilitiesResponse:
        """Says what this installation can do: its version, planes, ops, doors and limits.

        Role: public. Reads; idempotent.

        Returns:
            What this installation can do.
        """
        return self._send(table.OPS_CAPABILITIES, {})

    def health(self) -> ops_models.HealthResponse:
        """Says whether the installation works, component by component. It answers while a component is down, and names
        it.

        Role: public. Reads; idempotent.

        Returns:
            The state of the installation.
        """
        return self._send(table.OPS_HEALTH, {})


class AsyncOps:
    """The ops `ops.*`."""

    __slots__ = ("_send",)

    def __init__(self, send: AsyncSend) -> None:
        self._send = send

    async def capabilities(self) -> ops_models.CapabilitiesResponse:
        """Says what this installation can do: its version, planes, ops, doors and limits.

        Role: public. Reads; idempotent.

        Returns:
            What this installation can do.
        """
        return await self._send(table.OPS_CAPABILITIES, {})

    async def health(self) -> ops_models.HealthResponse:
        """Says whether the installation works, component by component. It answers while a component is down, and names
        it.

        Role: public. Reads; idempotent.

        Returns:
            The state of the installation.
        """
        return await self._send(table.OPS_HEALTH, {})
