"""Generated from the contract by tools/gen_sdk.py; do not edit."""

from __future__ import annotations

from loom._generated.calls.memory import AsyncMemory, Memory
from loom._generated.calls.observe import AsyncObserve, Observe
from loom._generated.calls.ops import AsyncOps, Ops
from loom._op import AsyncSend, Send


class Root:
    """Every op."""

    __slots__ = (
        "_send",
        "memory",
        "observe",
        "ops",
    )

    def __init__(self, send: Send) -> None:
        self._send = send
        self.memory = Memory(send)
        self.observe = Observe(send)
        self.ops = Ops(send)


class AsyncRoot:
    """Every op."""

    __slots__ = (
        "_send",
        "memory",
        "observe",
        "ops",
    )

    def __init__(self, send: AsyncSend) -> None:
        self._send = send
        self.memory = AsyncMemory(send)
        self.observe = AsyncObserve(send)
        self.ops = AsyncOps(send)
