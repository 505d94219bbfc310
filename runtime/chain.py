"""The server chain: named links around a handler, composed once.

A link is a plain async callable `(call, proceed)`. The same chain hangs in grpc.aio (runtime/grpc_server.py) and in
the in-process transport (runtime/transport.py), so a rule that holds on one door holds on all.
"""

from collections.abc import Sequence
from typing import Protocol

from google.protobuf.message import Message

from runtime.call import Call, Handler

# Outermost first. Errors stands outside of all, so that no failure leaves in another shape; auth stands before
# validate, since it fills in the identity that validate requires.
ORDER = ("errors", "request_id", "tracing", "access", "deadline", "auth", "validate")


class Link(Protocol):
    """One link; `name` is its place in ORDER."""

    name: str

    async def __call__(self, call: Call, proceed: Handler) -> Message: ...


class Chain:
    """A complete chain. Raises ValueError when the links are not exactly ORDER."""

    def __init__(self, links: Sequence[Link]) -> None:
        self.names = tuple(link.name for link in links)
        if self.names != ORDER:
            raise ValueError(f"the chain must be {ORDER}, not {self.names}")
        self._links = tuple(links)

    def bind(self, handler: Handler) -> Handler:
        """The handler with every link around it."""
        for link in reversed(self._links):
            handler = _wrap(link, handler)
        return handler


def _wrap(link: Link, proceed: Handler) -> Handler:
    def call_link(call: Call):
        return link(call, proceed)

    return call_link
