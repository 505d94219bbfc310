"""A plane that answers observe.get from memory, through the real chain: what is left is the cost of the way there.

`--door http` is the gateway and that plane in one process, as `loom serve` has them; `--door grpc` is the plane alone.
`--no-hooks` leaves out the tracing link and the gateway's span, to see what they cost when tracing is off.
"""

import argparse
import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from typing import Any

import uvloop

from gateway.build import GatewayParts, gateway
from gateway.dispatch import Caller, Dispatcher
from gateway.http_server import HttpServer
from gateway.settings import GatewaySettings
from loom.observe.v1 import observe_pb2 as pb
from runtime import logs
from runtime.call import REQUEST_ID, Call, Handler
from runtime.chain import Chain
from runtime.clock import SystemClock
from runtime.grpc_server import GrpcServer
from runtime.health import Health
from runtime.identity import SingleUser
from runtime.links import server_chain
from runtime.metrics import Metrics
from runtime.optable import Method, Op
from runtime.process import ProcessSettings
from runtime.settings import Loaded, load_all
from runtime.telemetry import Telemetry
from runtime.transport import InProcess, handlers
from runtime.tuning import tune_for_serving

Bound = Mapping[str, tuple[Method, Handler]]


class SmallObserve:
    """Every rpc is a Get that finds its observation at once."""

    async def Get(self, request: pb.GetRequest, call: Call) -> pb.GetResponse:
        found = pb.Observation(
            memory_key=request.memory_key,
            agent="bench",
            user_id="-",
            session_id="bench-session-1",
            run_id="-",
            kind="command_run",
            tool_name="Bash",
            narrative="Bash: pytest -q\ntimeout: 60000\nOutput: 97 passed in 3.20s",
            tags=["observation", "command_run", "bench"],
            file_paths=["src/app/module_1.py"],
            content_sha256="0" * 64,
            observed_at="2026-01-02T03:04:05.000000Z",
            recorded_at="2026-01-02T03:04:05.000000Z",
            state="pending",
        )
        return pb.GetResponse(found=True, observation=found)

    Record = RecordBatch = Crystallize = List = Stats = Get


class _NoTracing:
    """Stands in the place of the tracing link."""

    name = "tracing"

    async def __call__(self, call: Call, proceed: Handler) -> Any:
        return await proceed(call)


class _Untraced(Dispatcher):
    """The dispatcher without its span."""

    async def _traced(self, op: Op, args: Mapping[str, Any], caller: Caller) -> dict[str, Any]:
        return await self._call(op, args, caller, {**caller.metadata, REQUEST_ID: caller.request_id})


def bound(parts: GatewayParts, *, hooks: bool) -> Bound:
    chain = server_chain(
        "observe",
        telemetry=parts.telemetry,
        metrics=parts.metrics,
        authenticator=parts.authenticator,
        clock=parts.clock,
    )
    if not hooks:
        chain = Chain([_NoTracing() if link.name == "tracing" else link for link in chain._links])
    return handlers(SmallObserve(), pb.DESCRIPTOR.services_by_name["ObserveService"], chain)


def parts_of(loaded: Loaded, endpoint: str) -> GatewayParts:
    telemetry = Telemetry.start("bench", endpoint=endpoint)
    return GatewayParts(loaded, telemetry, Metrics(), Health(), SystemClock(), SingleUser("dev", "local"))


@contextlib.asynccontextmanager
async def http_door(parts: GatewayParts, *, hooks: bool) -> AsyncIterator[int]:
    async with gateway(parts, {"observe": InProcess(bound(parts, hooks=hooks))}) as front:
        if not hooks:
            front.dispatcher.__class__ = _Untraced
        server = HttpServer(front.app, grace_s=1)
        yield await server.start("127.0.0.1", 0)
        await server.stop()


@contextlib.asynccontextmanager
async def grpc_door(parts: GatewayParts) -> AsyncIterator[int]:
    server = GrpcServer(bound(parts, hooks=True))
    yield await server.start("127.0.0.1:0")
    await server.stop(1)


async def main(door: str, otlp: str, hooks: bool) -> None:
    loaded = load_all([ProcessSettings, GatewaySettings], {})
    logs.setup("info")
    parts = parts_of(loaded, otlp)
    async with http_door(parts, hooks=hooks) if door == "http" else grpc_door(parts) as port:
        tune_for_serving()
        print(f"port {port}", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--door", choices=("http", "grpc"), default="http")
    parser.add_argument("--otlp", default="")
    parser.add_argument("--no-hooks", action="store_true")
    given = parser.parse_args()
    uvloop.run(main(given.door, given.otlp, not given.no_hooks))
