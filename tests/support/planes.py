"""The observe plane's contract over a servicer that does what the test says, behind the real chain and real servers."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from typing import Any

from google.protobuf.message import Message

from gateway.build import Gateway, GatewayParts, gateway
from gateway.settings import GatewaySettings
from loom.observe.v1 import observe_pb2
from runtime.call import Call
from runtime.clock import Clock, SystemClock
from runtime.grpc_server import GrpcServer
from runtime.health import Health
from runtime.identity import SingleUser
from runtime.links import server_chain
from runtime.metrics import Metrics
from runtime.plane import Bound
from runtime.process import ProcessSettings
from runtime.settings import load_all
from runtime.telemetry import Telemetry
from runtime.transport import Transport, handlers

SERVICE = observe_pb2.DESCRIPTOR.services_by_name["ObserveService"]
LIMIT_S = 10.0


class HeldPlane:
    """Every rpc waits until `let_go` is set, and answers with an empty message.

    `calls` are those that came so far; `running` and `ended` count; `error`, where set, is raised in place of an answer.
    """

    def __init__(self, clock: Clock | None = None) -> None:
        self.clock = clock or SystemClock()
        self.let_go = asyncio.Event()
        self.calls: list[Call] = []
        self.running = self.ended = self.cancelled = 0
        self.error: Exception | None = None
        self._changed = asyncio.Condition()
        self.bound: Bound = handlers(self, SERVICE, self._chain())

    def _chain(self) -> Any:
        return server_chain(
            "observe",
            telemetry=Telemetry(),
            metrics=Metrics(),
            authenticator=SingleUser("dev", "local"),
            clock=self.clock,
        )

    def __getattr__(self, rpc: str) -> Any:
        if not rpc[0].isupper():
            raise AttributeError(rpc)

        async def serve(request: Message, call: Call) -> Message:
            await self._note(call)
            try:
                await self.let_go.wait()
            except asyncio.CancelledError:
                self.cancelled += 1
                raise
            finally:
                self.running -= 1
                self.ended += 1
                # Not awaited here: a cancelled task must end at once.
                self._told = asyncio.create_task(self._tell())
            if self.error:
                raise self.error
            return call.method.response()

        return serve

    async def _note(self, call: Call) -> None:
        self.calls.append(call)
        self.running += 1
        await self._tell()

    async def _tell(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    async def until(self, *, running: int | None = None, ended: int | None = None) -> None:
        """Returns when so many calls are running, or have ended."""

        def reached() -> bool:
            return (running is None or self.running == running) and (ended is None or self.ended >= ended)

        async with self._changed:
            await asyncio.wait_for(self._changed.wait_for(reached), LIMIT_S)


@contextlib.asynccontextmanager
async def grpc_server(bound: Bound, **limits: int) -> AsyncIterator[GrpcServer]:
    """A server on a free port of the loopback."""
    server = GrpcServer(bound, **limits)
    await server.start("127.0.0.1:0")
    try:
        yield server
    finally:
        await server.stop(0)


@contextlib.asynccontextmanager
async def gateway_over(
    transports: Mapping[str, Transport], *, clock: Clock | None = None, health: Health | None = None, **environ: str
) -> AsyncIterator[Gateway]:
    """The gateway in front of these transports, with settings from `environ`."""
    parts = GatewayParts(
        load_all([ProcessSettings, GatewaySettings], environ),
        Telemetry(),
        Metrics(),
        health or Health(),
        clock or SystemClock(),
        SingleUser("dev", "local"),
    )
    async with gateway(parts, transports) as built:
        yield built
