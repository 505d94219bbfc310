"""Generated from the contract by tools/gen_sdk.py; do not edit."""

from __future__ import annotations

from loom._generated.calls.directory import AsyncDirectory, Directory
from loom._generated.calls.memory import AsyncMemory, Memory
from loom._generated.calls.namespace import AsyncNamespace, Namespace
from loom._generated.calls.observe import AsyncObserve, Observe
from loom._generated.calls.ops import AsyncOps, Ops
from loom._generated.calls.token import AsyncToken, Token
from loom._op import AsyncSend, Send


class Root:
    """Every op."""

    __slots__ = (
        "_send",
        "directory",
        "memory",
        "namespace",
        "observe",
        "ops",
        "token",
    )

    def __init__(self, send: Send) -> None:
        self._send = send
        self.directory = Directory(send)
        self.memory = Memory(send)
        self.namespace = Namespace(send)
        self.observe = Observe(send)
        self.ops = Ops(send)
        self.token = Token(send)


class AsyncRoot:
    """Every op."""

    __slots__ = (
        "_send",
        "directory",
        "memory",
        "namespace",
        "observe",
        "ops",
        "token",
    )

    def __init__(self, send: AsyncSend) -> None:
        self._send = send
        self.directory = AsyncDirectory(send)
        self.memory = AsyncMemory(send)
        self.namespace = AsyncNamespace(send)
        self.observe = AsyncObserve(send)
        self.ops = AsyncOps(send)
        self.token = AsyncToken(send)
