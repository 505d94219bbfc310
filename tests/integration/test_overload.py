"""Limits, deadlines and callers that go away: refusals come at once, and nothing stays held."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import httpx
import pytest

from gateway.build import Gateway
from gateway.dispatch import Caller
from gateway.http_server import HttpServer
from loom.observe.v1 import observe_pb2, observe_pb2_grpc
from runtime.call import Call
from runtime.chain import ORDER, Chain
from runtime.clock import ManualClock, SystemClock
from runtime.deadline import Deadline
from runtime.errors import LoomError
from runtime.identity import SingleUser
from runtime.links import Access, Auth, Deadlines, Errors, RequestId, Tracing, Validate, server_chain
from runtime.metrics import Metrics
from runtime.optable import load_ops
from runtime.telemetry import Telemetry
from runtime.transport import GrpcTransport, InProcess
from tests.support.doors import detail_of
from tests.support.planes import LIMIT_S, HeldPlane, gateway_over, grpc_server

LIST = load_ops().by_name["observe.list"]
REQUEST = observe_pb2.ListRequest()
LONG_S = 60.0
# gRPC rounds a timeout up to fewer digits.
ON_THE_WIRE = 1.05


def caller() -> Caller:
    return Caller("http", "r-1")


@asynccontextmanager
async def http_over(front: Gateway) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=front.app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", timeout=LIMIT_S) as client:
        yield client


@asynccontextmanager
async def stub_of(address: str) -> AsyncIterator[observe_pb2_grpc.ObserveServiceStub]:
    async with grpc.aio.insecure_channel(address) as channel:
        yield observe_pb2_grpc.ObserveServiceStub(channel)


async def failure_of(awaitable: Any) -> LoomError:
    with pytest.raises(LoomError) as failed:
        await awaitable
    return failed.value


# --- concurrency ---------------------------------------------------------------------------------------------------


async def test_the_gateway_refuses_at_once_over_its_limit_and_serves_again_below() -> None:
    plane = HeldPlane()
    async with (
        gateway_over({"observe": InProcess(plane.bound)}, LOOM_UPSTREAM_MAX_CONCURRENT="2") as front,
        http_over(front) as client,
    ):
        held = [asyncio.create_task(client.post("/v1/observe.list", json={})) for _ in range(2)]
        await plane.until(running=2)
        refused = await client.post("/v1/observe.list", json={})
        assert refused.status_code == 429
        assert refused.headers["retry-after"] == "1"
        detail = refused.json()["detail"]
        assert (detail["code"], detail["retryable"], detail["retry_after_s"]) == ("OVERLOADED", True, 1.0)
        assert detail["metadata"] == {"plane": "observe", "origin": "limit"}
        assert plane.running == 2
        # The limit is the plane's alone.
        assert (await client.post("/v1/ops.health", json={})).status_code == 200
        plane.let_go.set()
        assert [(await call).status_code for call in held] == [200, 200]
        assert (await client.post("/v1/observe.list", json={})).status_code == 200


async def test_a_plane_refuses_at_once_over_its_limit_and_serves_again_below() -> None:
    plane = HeldPlane()
    async with grpc_server(plane.bound, max_concurrent=2) as server, stub_of(f"127.0.0.1:{server.port}") as stub:
        held = [stub.List(REQUEST, timeout=LIMIT_S) for _ in range(2)]
        waiting = [asyncio.ensure_future(call) for call in held]
        await plane.until(running=2)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await stub.List(REQUEST, timeout=LIMIT_S)
        assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        detail = detail_of(refused.value)
        assert (detail["code"], detail["retry_after_s"]) == ("OVERLOADED", 1.0)
        plane.let_go.set()
        await asyncio.gather(*waiting)
        await stub.List(REQUEST, timeout=LIMIT_S)


async def test_a_refusal_over_the_limit_does_not_open_the_breaker() -> None:
    plane = HeldPlane()
    async with gateway_over({"observe": InProcess(plane.bound)}, LOOM_UPSTREAM_MAX_CONCURRENT="1") as front:
        held = asyncio.create_task(front.dispatcher.dispatch("observe.list", {}, caller()))
        await plane.until(running=1)
        codes = {
            (await failure_of(front.dispatcher.dispatch("observe.list", {}, caller()))).code.name for _ in range(30)
        }
        assert codes == {"OVERLOADED"}
        plane.let_go.set()
        await held


# --- deadlines -----------------------------------------------------------------------------------------------------


async def remaining_for(timeout_s: float | None) -> float:
    """What an op with the default deadline of 10 s has left, on a clock that stands still."""
    plane = HeldPlane(ManualClock())
    plane.let_go.set()
    await plane.bound[LIST.path][1](Call(LIST, observe_pb2.ListRequest(), {}, "grpc", timeout_s))
    return plane.calls[0].remaining()


@pytest.mark.parametrize(("given", "left"), [(None, 10.0), (3.0, 3.0), (10.0, 10.0), (99.0, 10.0)])
async def test_an_op_has_the_callers_deadline_or_its_own_whichever_is_nearer(given: float | None, left: float) -> None:
    assert await remaining_for(given) == left


async def test_a_deadline_that_has_passed_does_not_begin_the_op() -> None:
    plane = HeldPlane()
    call = Call(LIST, observe_pb2.ListRequest(), {}, "grpc", 0.0)
    assert (await failure_of(plane.bound[LIST.path][1](call))).code.name == "DEADLINE_EXCEEDED"
    assert plane.calls == []


async def test_each_hop_passes_on_what_is_left() -> None:
    plane, clock = HeldPlane(), SystemClock()
    plane.let_go.set()
    async with grpc_server(plane.bound) as server:
        transport = GrpcTransport(f"127.0.0.1:{server.port}")
        async with gateway_over({"observe": transport}) as front:
            deadline = Deadline(clock, LIST.deadline_s)
            await front.dispatcher.dispatch("observe.list", {}, caller())
            # The plane was given less than the op has, since getting there took some of it, and more than is left now.
            assert deadline.remaining() < plane.calls[0].timeout_s <= LIST.deadline_s * ON_THE_WIRE


async def test_a_grpc_callers_deadline_ends_the_op_and_frees_its_place() -> None:
    plane = HeldPlane()
    async with grpc_server(plane.bound, max_concurrent=1) as server, stub_of(f"127.0.0.1:{server.port}") as stub:
        with pytest.raises(grpc.aio.AioRpcError) as failed:
            await stub.List(REQUEST, timeout=0.2)
        assert failed.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        await plane.until(ended=1)
        assert plane.calls[0].timeout_s <= 0.2 * ON_THE_WIRE
        plane.let_go.set()
        await stub.List(REQUEST, timeout=LIMIT_S)


async def test_a_plane_that_does_not_answer_in_time_is_a_deadline_exceeded_of_the_transport() -> None:
    plane = HeldPlane()
    async with grpc_server(plane.bound) as server:
        transport = GrpcTransport(f"127.0.0.1:{server.port}")
        try:
            assert (await failure_of(transport.call(LIST, REQUEST, {}, 0.2))).code.name == "DEADLINE_EXCEEDED"
        finally:
            await transport.close()


async def test_in_one_process_the_deadline_ends_the_op_too() -> None:
    plane = HeldPlane()
    failure = await failure_of(InProcess(plane.bound).call(LIST, observe_pb2.ListRequest(), {}, 0.05))
    assert failure.code.name == "DEADLINE_EXCEEDED"
    assert (plane.running, plane.cancelled) == (0, 1)


# --- callers that go away ------------------------------------------------------------------------------------------


async def test_a_grpc_caller_that_cancels_ends_the_op_and_frees_its_place() -> None:
    plane = HeldPlane()
    async with grpc_server(plane.bound, max_concurrent=1) as server, stub_of(f"127.0.0.1:{server.port}") as stub:
        call = stub.List(REQUEST, timeout=LONG_S)
        gone = asyncio.ensure_future(call)
        await plane.until(running=1)
        gone.cancel()
        await plane.until(running=0, ended=1)
        assert plane.cancelled == 1
        plane.let_go.set()
        await stub.List(REQUEST, timeout=LIMIT_S)


async def test_a_cancelled_gateway_call_ends_the_op_in_the_planes_process_and_frees_both_places() -> None:
    plane = HeldPlane()
    async with grpc_server(plane.bound, max_concurrent=1) as server:
        transport = GrpcTransport(f"127.0.0.1:{server.port}")
        async with gateway_over({"observe": transport}, LOOM_UPSTREAM_MAX_CONCURRENT="1") as front:
            gone = asyncio.create_task(front.dispatcher.dispatch("observe.list", {}, caller()))
            await plane.until(running=1)
            gone.cancel()
            await plane.until(running=0, ended=1)
            plane.let_go.set()
            await front.dispatcher.dispatch("observe.list", {}, caller())


@asynccontextmanager
async def http_server(front: Gateway) -> AsyncIterator[int]:
    server = HttpServer(front.app, grace_s=1)
    port = await server.start("127.0.0.1", 0)
    try:
        yield port
    finally:
        await server.stop()


def raw_request(op: str) -> bytes:
    lines = [f"POST /v1/{op} HTTP/1.1", "host: 127.0.0.1", "content-type: application/json", "content-length: 2"]
    return "\r\n".join([*lines, "", "{}"]).encode()


async def test_an_http_client_that_hangs_up_ends_the_op_and_frees_its_place() -> None:
    plane = HeldPlane()
    transports = {"observe": InProcess(plane.bound)}
    async with (
        gateway_over(transports, LOOM_UPSTREAM_MAX_CONCURRENT="1") as front,
        http_server(front) as port,
        httpx.AsyncClient(trust_env=False, timeout=LIMIT_S) as client,
    ):
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(raw_request("observe.list"))
        await plane.until(running=1)
        writer.close()
        await writer.wait_closed()
        await plane.until(running=0, ended=1)
        assert plane.cancelled == 1
        plane.let_go.set()
        url = f"http://127.0.0.1:{port}/v1/observe.list"
        assert (await client.post(url, json={})).status_code == 200


async def test_a_long_call_of_a_client_that_stays_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateway.connected.WATCH_AFTER_S", 0.0)
    plane = HeldPlane()
    async with (
        gateway_over({"observe": InProcess(plane.bound)}) as front,
        http_server(front) as port,
        httpx.AsyncClient(trust_env=False, timeout=LIMIT_S) as client,
    ):
        url = f"http://127.0.0.1:{port}/v1/observe.list"
        # Twice over one connection: the watch of the first call takes nothing of the second.
        for _ in range(2):
            plane.let_go.clear()
            call = asyncio.create_task(client.post(url, json={}))
            await plane.until(running=1)
            for _ in range(5):
                assert (await client.get(f"http://127.0.0.1:{port}/healthz")).status_code == 200
            plane.let_go.set()
            assert (await call).status_code == 200


# --- the chain -----------------------------------------------------------------------------------------------------


def links() -> list[Any]:
    clock = SystemClock()
    return [
        Errors(),
        RequestId(),
        Tracing(Telemetry(), "observe"),
        Access(Metrics()),
        Deadlines(clock),
        Auth(SingleUser("dev", "local")),
        Validate(),
    ]


def test_every_server_runs_the_chain_in_the_order_of_the_specification() -> None:
    chain = server_chain(
        "observe",
        telemetry=Telemetry(),
        metrics=Metrics(),
        authenticator=SingleUser("dev", "local"),
        clock=SystemClock(),
    )
    assert chain.names == ORDER
    assert ORDER == ("errors", "request_id", "tracing", "access", "deadline", "auth", "validate")


def test_links_run_outermost_first() -> None:
    assert Chain(links()).names == ORDER


@pytest.mark.parametrize("place", range(len(ORDER) - 1))
def test_two_links_in_the_wrong_order_are_refused(place: int) -> None:
    wrong = links()
    wrong[place], wrong[place + 1] = wrong[place + 1], wrong[place]
    with pytest.raises(ValueError, match="the chain must be"):
        Chain(wrong)


@pytest.mark.parametrize("place", range(len(ORDER)))
def test_a_missing_and_a_doubled_link_are_refused(place: int) -> None:
    for wrong in (links()[:place] + links()[place + 1 :], links()[: place + 1] + links()[place:]):
        with pytest.raises(ValueError, match="the chain must be"):
            Chain(wrong)


async def test_links_are_entered_from_first_to_last() -> None:
    seen: list[str] = []

    class Noting:
        def __init__(self, name: str) -> None:
            self.name = name

        async def __call__(self, call: Call, proceed: Any) -> Any:
            seen.append(self.name)
            return await proceed(call)

    async def handler(call: Call) -> Any:
        seen.append("handler")
        return call.request

    call = Call(LIST, REQUEST, {}, "grpc")
    assert await Chain([Noting(name) for name in ORDER]).bind(handler)(call) is REQUEST
    assert seen == [*ORDER, "handler"]


async def test_a_defect_of_a_plane_is_a_constant_on_every_way_to_it(caplog: pytest.LogCaptureFixture) -> None:
    plane = HeldPlane()
    plane.error = RuntimeError("secret7")
    plane.let_go.set()
    async with grpc_server(plane.bound) as server:
        transports = [InProcess(plane.bound), GrpcTransport(f"127.0.0.1:{server.port}")]
        for transport in transports:
            failure = await failure_of(transport.call(LIST, observe_pb2.ListRequest(), {}, LIMIT_S))
            assert (failure.code.name, failure.message, failure.metadata) == ("INTERNAL", "internal error", {})
            await transport.close()
