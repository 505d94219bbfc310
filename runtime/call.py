"""One call on its way through a server, and the names of the metadata that travels with it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from google.protobuf.message import Message

from runtime.optable import Method

if TYPE_CHECKING:  # runtime/identity.py needs a Call first
    from runtime.identity import Caller

# Metadata keys, lower-case as gRPC wants them; the HTTP door maps its headers onto them.
REQUEST_ID = "x-request-id"
TRACEPARENT = "traceparent"
TRACESTATE = "tracestate"
AUTHORIZATION = "authorization"
AGENT_HINT = "loom-agent"
SESSION_HINT = "loom-session-id"
SHARD = "loom-shard"
# What an attempt carries that may be made at several replicas: an Envoy on the way asks another one where the first is
# unavailable. Where there is none, nobody reads it.
ELSEWHERE = {"x-envoy-retry-grpc-on": "unavailable", "x-envoy-max-retries": "2"}


@dataclass(slots=True)
class Call:
    """What links and servicers see of a call.

    `door` says how this process was entered (`http`, `mcp`, `grpc`, `inproc`); `timeout_s` is what the caller leaves
    us, None when it says nothing; `remaining` gives the seconds left once the deadline link has run. `caller` is who calls,
    once the auth link has run, and `namespace` the namespace as the caller knows it: the request's own is the name that
    rows are stored under, which may be another one. `admit` is what the auth link leaves to do once the request is known
    to be good.
    """

    method: Method
    # Left out of the repr, as all that a caller sends: tokens are in the metadata.
    request: Message = field(repr=False)
    metadata: Mapping[str, str] = field(repr=False)
    door: str
    timeout_s: float | None = None
    request_id: str = ""
    identity: dict[int, str] = field(default_factory=dict)
    caller: "Caller | None" = None
    namespace: str = ""
    admit: "Callable[[Call], Awaitable[None]] | None" = None
    remaining: Callable[[], float | None] = lambda: None

    @property
    def name(self) -> str:
        """The op's name; for an internal rpc its path."""
        return getattr(self.method, "name", self.method.path)


Handler = Callable[[Call], Awaitable[Message]]
