"""Hangs bound planes into grpc.aio: parses, limits, maps errors, and nothing else."""

from collections.abc import Mapping

import grpc
from google.protobuf.message import DecodeError
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from runtime.call import REQUEST_ID, Call, Handler
from runtime.errors import LoomError
from runtime.ids import request_id
from runtime.optable import Method
from runtime.wire import to_status

OPTIONS = [
    # A second server on the port is a mistake, and must be an error rather than a silent share of the connections.
    ("grpc.so_reuseport", 0),
    ("grpc.max_send_message_length", 64 << 20),
    ("grpc.max_connection_age_ms", 30 * 60_000),
    ("grpc.max_connection_age_grace_ms", 30_000),
    ("grpc.keepalive_permit_without_calls", 1),
    # Below what Envoy and our channels ping at; whoever pings oftener is sent away, and its calls with it.
    ("grpc.http2.min_ping_interval_without_data_ms", 500),
    # Messages are small. A compressed one would be unpacked before its size is looked at: a few MB into as many GB.
    ("grpc.compression_enabled_algorithms_bitset", 1 << grpc.Compression.NoCompression.value),
]
# Room above our own limit, so that a body slightly over it is refused by us, in our words.
MESSAGE_SLACK = 8 << 20


class _Handlers(grpc.GenericRpcHandler):
    def __init__(self, bound: Mapping[str, tuple[Method, Handler]], max_body: int, max_concurrent: int) -> None:
        self._handlers = {
            path: grpc.unary_unary_rpc_method_handler(self._serve(method, handler))
            for path, (method, handler) in bound.items()
        }
        self._unknown = grpc.unary_unary_rpc_method_handler(_unknown)
        self._max_body, self._max_concurrent, self._running = max_body, max_concurrent, 0

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler | None:
        found = self._handlers.get(handler_call_details.method)
        if found is None and handler_call_details.method.startswith("/loom."):
            return self._unknown
        return found

    def _serve(self, method: Method, handler: Handler):
        async def serve(body: bytes, context: grpc.aio.ServicerContext) -> bytes:
            metadata = {key: value for key, value in context.invocation_metadata() if isinstance(value, str)}
            # Made here and not only in the chain, since an error needs it even when the chain never ran.
            metadata[REQUEST_ID] = request_id(metadata.get(REQUEST_ID))
            context.set_trailing_metadata(((REQUEST_ID, metadata[REQUEST_ID]),))
            self._running += 1
            try:
                request = self._parse(method, body)
                call = Call(method, request, metadata, "grpc", context.time_remaining())
                return (await handler(call)).SerializeToString()
            except LoomError as error:
                failure = error
            finally:
                self._running -= 1
            return await _abort(context, failure, metadata[REQUEST_ID])

        return serve

    def _parse(self, method: Method, body: bytes):
        if self._running > self._max_concurrent:
            raise LoomError("OVERLOADED", f"{self._max_concurrent} calls are running", retry_after_s=1.0)
        if len(body) > self._max_body:
            raise too_large(self._max_body)
        try:
            return method.request.FromString(body)
        except DecodeError:
            raise LoomError("INVALID_JSON", "the body is not a message of this rpc") from None


async def _unknown(body: bytes, context: grpc.aio.ServicerContext) -> bytes:
    error = LoomError("FEATURE_DISABLED", "this server does not serve that rpc")
    return await _abort(context, error, request_id(dict(context.invocation_metadata()).get(REQUEST_ID)))


async def _abort(context: grpc.aio.ServicerContext, error: LoomError, rid: str) -> bytes:
    status = to_status(error, rid)
    # Aborting sends the status' own metadata in place of the context's.
    await context.abort_with_status(status._replace(trailing_metadata=(*status.trailing_metadata, (REQUEST_ID, rid))))
    return b""


def too_large(limit: int) -> LoomError:
    """The refusal of a body over the limit, the same on every door."""
    return LoomError("BODY_TOO_LARGE", f"the body is over {limit} bytes; nothing was stored", limit_bytes=limit)


class GrpcServer:
    """A grpc.aio server over bound planes, with the standard health service."""

    def __init__(
        self, bound: Mapping[str, tuple[Method, Handler]], *, max_body: int = 1 << 20, max_concurrent: int = 256
    ) -> None:
        options = [*OPTIONS, ("grpc.max_receive_message_length", max_body + MESSAGE_SLACK)]
        self._server = grpc.aio.server(options=options)
        self._server.add_generic_rpc_handlers((_Handlers(bound, max_body, max_concurrent),))
        self._health = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        self._services = sorted({path.split("/")[1] for path in bound})
        self.port = 0

    async def start(self, address: str) -> int:
        """Listens on `host:port` (port 0: a free one) and returns the port. Raises OSError when it is taken."""
        try:
            self.port = self._server.add_insecure_port(address)
        except RuntimeError:
            raise OSError(f"cannot listen on {address}: the port is taken or may not be used") from None
        await self._server.start()
        await self.serving(True)
        return self.port

    async def serving(self, ready: bool) -> None:
        """Sets the health of every service."""
        states = health_pb2.HealthCheckResponse
        state = states.SERVING if ready else states.NOT_SERVING
        for name in ("", *self._services):
            await self._health.set(name, state)

    async def drain(self) -> None:
        """Says NOT_SERVING from now on, while calls are still served."""
        await self._health.enter_graceful_shutdown()

    async def stop(self, grace_s: float) -> None:
        """Refuses new calls, and gives the running ones `grace_s` seconds."""
        await self._server.stop(grace_s)
