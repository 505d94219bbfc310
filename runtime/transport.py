"""How a call reaches a plane: in this process, or over gRPC. Both raise LoomError and nothing else."""

from collections.abc import Mapping
from typing import Any, Protocol

import grpc
from google.protobuf.message import Message

from runtime.call import SHARD, Call, Handler
from runtime.chain import Chain
from runtime.errors import LoomError
from runtime.optable import Method, methods_of
from runtime.shard import shard_of
from runtime.wire import from_rpc_error

CHANNEL_OPTIONS = [
    ("grpc.max_receive_message_length", 64 << 20),
    ("grpc.max_send_message_length", 64 << 20),
    # Above the server's minimum (runtime/grpc_server.py), or the server answers pings with GOAWAY.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    # Our breaker decides how long to leave a plane alone; the channel must not add two minutes to that.
    ("grpc.max_reconnect_backoff_ms", 2_000),
    ("grpc.initial_reconnect_backoff_ms", 200),
    ("grpc.enable_retries", 0),
    ("grpc.lb_policy_name", "round_robin"),
]


class Transport(Protocol):
    """The one way to a plane."""

    async def call(self, op: Method, request: Message, metadata: Mapping[str, str], timeout_s: float) -> Message:
        """Calls the rpc and returns its response message. Raises LoomError."""
        ...

    async def close(self) -> None: ...


def handlers(servicer: Any, service: Any, chain: Chain) -> dict[str, tuple[Method, Handler]]:
    """rpc path -> (rpc, servicer method with the chain around it), for every rpc of the service descriptor."""
    return {method.path: (method, chain.bind(_handler(servicer, method))) for method in methods_of(service)}


def _handler(servicer: Any, method: Method) -> Handler:
    serve = getattr(servicer, method.rpc)

    def handle(call: Call):
        return serve(call.request, call)

    return handle


class InProcess:
    """Calls the planes of this process through their chains, without a socket and without serialising."""

    def __init__(self, bound: Mapping[str, tuple[Method, Handler]]) -> None:
        self._bound = bound

    async def call(self, op: Method, request: Message, metadata: Mapping[str, str], timeout_s: float) -> Message:
        bound = self._bound.get(op.path)
        if bound is None:
            raise LoomError("FEATURE_DISABLED", "this installation does not serve the plane of that op")
        return await bound[1](Call(op, request, metadata, "inproc", timeout_s))

    async def close(self) -> None:
        """Nothing to close: whoever built the planes closes them."""


class Late:
    """A transport to a plane that is built later, in this process; until it is bound, the plane does not answer."""

    def __init__(self) -> None:
        self._transport: Transport | None = None

    def bind(self, transport: Transport) -> None:
        self._transport = transport

    @property
    def bound(self) -> bool:
        return self._transport is not None

    async def call(self, op: Method, request: Message, metadata: Mapping[str, str], timeout_s: float) -> Message:
        if self._transport is None:
            raise LoomError("UPSTREAM_UNAVAILABLE", "the plane does not run yet", retry_after_s=1.0)
        return await self._transport.call(op, request, metadata, timeout_s)

    async def close(self) -> None:
        if self._transport is not None:
            await self._transport.close()


class GrpcTransport:
    """Calls a plane over a gRPC channel to `target` (`host:port` or any gRPC name)."""

    def __init__(self, target: str) -> None:
        self._channel = grpc.aio.insecure_channel(target, options=CHANNEL_OPTIONS)
        self._calls: dict[str, grpc.aio.UnaryUnaryMultiCallable] = {}

    async def call(self, op: Method, request: Message, metadata: Mapping[str, str], timeout_s: float) -> Message:
        sent = (*metadata.items(), (SHARD, shard_of(request, metadata)))
        try:
            return await self._multicallable(op)(request, timeout=timeout_s, metadata=sent)
        except grpc.aio.AioRpcError as error:
            raise from_rpc_error(error) from None

    def _multicallable(self, op: Method) -> grpc.aio.UnaryUnaryMultiCallable:
        found = self._calls.get(op.path)
        if found is None:
            found = self._channel.unary_unary(
                op.path,
                request_serializer=op.request.SerializeToString,
                response_deserializer=op.response.FromString,
            )
            self._calls[op.path] = found
        return found

    async def close(self) -> None:
        await self._channel.close()
