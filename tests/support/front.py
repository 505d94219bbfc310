"""A real gateway in the test's own process, in front of planes that the test scripts."""

import io
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import grpc
import httpx
import structlog
from google.protobuf.message import Message

from gateway.build import Gateway, GatewayParts, gateway
from gateway.settings import GatewaySettings
from loom import Agent
from loom.observe.v1 import observe_pb2
from runtime import logs
from runtime.call import Call
from runtime.chain import Chain
from runtime.clock import Clock, SystemClock
from runtime.grpc_server import GrpcServer
from runtime.health import Health
from runtime.identity import SingleUser
from runtime.links import server_chain
from runtime.metrics import Metrics
from runtime.plane import Bound
from runtime.process import SETTINGS
from runtime.settings import Loaded, load_all
from runtime.telemetry import Telemetry
from runtime.transport import Transport, handlers
from services.observe.settings import ObserveSettings
from tests.support.envelope import ONCE, Caller, Failure, Grpc, Http, Sdk, check_tool_result

BASE = "http://127.0.0.1"
Serve = Callable[[Message, Call], Awaitable[Message]]


def settings(**environ: str) -> Loaded:
    return load_all([*SETTINGS, GatewaySettings, ObserveSettings], environ)


def chain(plane: str = "observe", clock: Clock | None = None) -> Chain:
    """The chain that every plane runs."""
    return server_chain(
        plane,
        telemetry=Telemetry(),
        metrics=Metrics(),
        authenticator=SingleUser("dev", "local"),
        clock=clock or SystemClock(),
    )


def scripted(serve: Serve) -> Bound:
    """The observe plane with `serve` in the place of every rpc, and the real chain around it."""

    class Servicer:
        def __getattr__(self, rpc: str) -> Serve:
            return serve

    return handlers(Servicer(), observe_pb2.DESCRIPTOR.services_by_name["ObserveService"], chain())


@asynccontextmanager
async def front(
    transports: Mapping[str, Transport], *, clock: Clock | None = None, **environ: str
) -> AsyncIterator[tuple[Gateway, Health]]:
    """The gateway in front of these planes, ready; and its health."""
    health = Health()
    health.ready = True
    parts = GatewayParts(
        settings(**environ), Telemetry(), Metrics(), health, clock or SystemClock(), SingleUser("dev", "local")
    )
    async with gateway(parts, transports) as built:
        yield built, health


class McpByHand:
    """Tool calls as JSON-RPC over any HTTP client."""

    name = "mcp"

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    async def call(self, op: str, args: Mapping[str, Any]) -> dict[str, Any]:
        params = {"name": "loom_" + op.replace(".", "_"), "arguments": dict(args)}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        response = await self._client.post("/mcp", json=body, headers={"accept": "application/json, text/event-stream"})
        assert response.status_code == 200, response.text
        result = response.json()["result"]
        if result["isError"]:
            raise Failure(check_tool_result(result))
        return result["structuredContent"]


@asynccontextmanager
async def doors(built: Gateway) -> AsyncIterator[dict[str, Caller]]:
    """The doors of a gateway, without a socket."""
    transport = httpx.ASGITransport(built.app)
    async with (
        httpx.AsyncClient(transport=transport, base_url=BASE) as client,
        Agent(base_url=BASE, transport=transport, retry=ONCE) as agent,
    ):
        yield {"http": Http(client), "mcp": McpByHand(client), "sdk": Sdk(agent)}


@asynccontextmanager
async def grpc_door(bound: Bound, **limits: int) -> AsyncIterator[Grpc]:
    """A gRPC server over a plane, and a client of it."""
    server = GrpcServer(bound, **limits)
    port = await server.start("127.0.0.1:0")
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            yield Grpc(channel)
    finally:
        await server.stop(0)


@contextmanager
def log_lines() -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """Sends the log into memory, in the form that operators see; the function gives its lines so far."""
    root, loom = logging.getLogger(), logging.getLogger("loom")
    before = root.handlers[:], root.level, loom.level, structlog.get_config(), logs._Access.log
    stream = io.StringIO()
    logs.setup("debug", stream)
    try:
        yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    finally:
        root.handlers[:], logs._Access.log = before[0], before[4]
        root.setLevel(before[1])
        loom.setLevel(before[2])
        structlog.configure(**before[3])
