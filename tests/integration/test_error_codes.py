"""Codes that need something to go wrong: each is provoked behind a real gateway, and looked at through every door."""

import asyncio
import errno
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
from google.protobuf.message import Message

from loom.observe.v1 import observe_pb2 as pb
from runtime.call import Call
from runtime.clock import ManualClock, SystemClock
from runtime.errors import LoomError
from runtime.plane import Bound, Parts
from runtime.store import Store
from runtime.transport import GrpcTransport, InProcess
from runtime.wire import BARE
from services.observe.build import build
from tests.support.envelope import CANARY, check_http, failure_of
from tests.support.front import BASE, chain, doors, front, grpc_door, log_lines, scripted, settings
from tests.support.stores import chdb_store

CALL = {"tool_name": CANARY, "session_id": CANARY, "tool_input": {CANARY: CANARY}}
RPC = "/loom.observe.v1.ObserveService/Record"
# One sending is what these tests look at: retries are tests/unit/test_upstream.py's.
ONCE = {"LOOM_UPSTREAM_RETRIES": "0"}


async def refused(bound: Bound) -> dict[str, Any]:
    """The one detail with which a plane refuses CALL, the same through HTTP, MCP, SDK and gRPC."""
    found = []
    async with (
        front({"observe": InProcess(bound)}, **ONCE) as (built, _),
        doors(built) as by_name,
        grpc_door(bound) as door,
    ):
        for each in (*by_name.values(), door):
            found.append((await failure_of(each, "observe.record", CALL)).told)
    assert all(told == found[0] for told in found), found
    return found[0]


class Raising:
    """A transport that fails; `calls` counts how often it was asked."""

    def __init__(self, error: LoomError) -> None:
        self.error, self.calls = error, 0

    async def call(self, op: Any, request: Message, metadata: Any, timeout_s: float) -> Message:
        self.calls += 1
        raise self.error

    async def close(self) -> None:
        """Nothing to close."""


class Impatient(InProcess):
    """Leaves a call next to no time."""

    async def call(self, op: Any, request: Message, metadata: Any, timeout_s: float) -> Message:
        return await super().call(op, request, metadata, 0.01)


@asynccontextmanager
async def observe(folder: Path) -> AsyncIterator[tuple[Bound, Store, Callable[[], Awaitable[None]]]]:
    """The real observe plane on a store of its own: its rpcs, the store, and the plane's closing."""
    async with chdb_store(folder) as store:
        plane = await build(Parts(settings(), store, chain(), SystemClock()))
        try:
            yield plane.bound, store, plane.close
        finally:
            await plane.close()


@pytest.mark.provokes("INTERNAL")
async def test_a_defect_is_a_constant_to_the_caller_and_has_its_place_in_the_log() -> None:
    async def broken(request: Message, call: Call) -> Message:
        raise ValueError(f"cannot store {CANARY} at /secret/path") from KeyError(CANARY)

    with log_lines() as lines:
        told = await refused(scripted(broken))
    assert told == {
        "code": "INTERNAL",
        "category": "internal",
        "message": "internal error",
        "retryable": False,
        "retry_after_s": None,
        "metadata": {},
    }
    defects = [line for line in lines() if line["event"] == "defect in observe.record"]
    assert len(defects) == 4
    assert all(line["request_id"] and line["exception"][0]["type"] == "ValueError" for line in defects)
    assert CANARY not in str(lines())


@pytest.mark.provokes("INTERNAL")
async def test_a_defect_of_the_gateway_itself_has_the_same_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError(CANARY)

    with log_lines() as lines:
        async with front({"observe": InProcess({})}) as (built, health), doors(built) as by_name:
            monkeypatch.setattr(built.dispatcher, "dispatch", broken)
            monkeypatch.setattr(health, "states", broken)
            for door in by_name.values():
                assert (await failure_of(door, "observe.record", CALL)).detail["code"] == "INTERNAL"
            async with httpx.AsyncClient(transport=httpx.ASGITransport(built.app), base_url=BASE) as client:
                assert check_http(await client.get("/readyz"))["code"] == "INTERNAL"
    assert CANARY not in str(lines())


@pytest.mark.provokes("INTERNAL")
async def test_an_answer_that_json_has_no_room_for_is_a_defect() -> None:
    async def too_large(request: Message, call: Call) -> Message:
        return pb.StatsResponse(observations=2**53)

    async with front({"observe": InProcess(scripted(too_large))}) as (built, _), doors(built) as by_name:
        for door in by_name.values():
            assert (await failure_of(door, "observe.stats", {})).detail["code"] == "INTERNAL"


@pytest.mark.provokes("DEADLINE_EXCEEDED")
async def test_a_call_ends_at_its_deadline() -> None:
    cancelled = 0

    async def endless(request: Message, call: Call) -> Message:
        nonlocal cancelled
        try:
            return await asyncio.get_running_loop().create_future()
        except asyncio.CancelledError:
            cancelled += 1
            raise

    async with front({"observe": Impatient(scripted(endless))}, **ONCE) as (built, _), doors(built) as by_name:
        for door in by_name.values():
            detail = (await failure_of(door, "observe.record", CALL)).detail
            assert (detail["code"], detail["retryable"]) == ("DEADLINE_EXCEEDED", True)
    assert cancelled == len(by_name)


@pytest.mark.provokes("OVERLOADED")
async def test_the_gateway_refuses_at_once_what_is_over_a_planes_limit() -> None:
    running, go_on = asyncio.Event(), asyncio.Event()

    async def slow(request: Message, call: Call) -> Message:
        running.set()
        await go_on.wait()
        return pb.StatsResponse()

    limits = {"LOOM_UPSTREAM_MAX_CONCURRENT": "1"}
    async with front({"observe": InProcess(scripted(slow))}, **limits) as (built, _), doors(built) as by_name:
        first = asyncio.create_task(by_name["http"].call("observe.stats", {}))
        await running.wait()
        for door in by_name.values():
            detail = (await failure_of(door, "observe.stats", {})).detail
            assert (detail["code"], detail["retry_after_s"]) == ("OVERLOADED", 1.0)
            assert detail["metadata"] == {"plane": "observe", "origin": "limit"}
            # Another plane goes on serving.
            assert (await door.call("ops.health", {}))["components"]
        go_on.set()
        assert (await first)["observations"] == 0
        assert (await by_name["http"].call("observe.stats", {}))["observations"] == 0


@pytest.mark.provokes("OVERLOADED")
async def test_a_grpc_server_refuses_at_once_what_is_over_its_limit() -> None:
    running, go_on = asyncio.Event(), asyncio.Event()

    async def slow(request: Message, call: Call) -> Message:
        running.set()
        await go_on.wait()
        return pb.StatsResponse()

    async with grpc_door(scripted(slow), max_concurrent=1) as door:
        first = asyncio.create_task(door.call("observe.stats", {}))
        await running.wait()
        detail = (await failure_of(door, "observe.stats", {})).detail
        assert (detail["code"], detail["retry_after_s"]) == ("OVERLOADED", 1.0)
        go_on.set()
        await first


@pytest.mark.provokes("UPSTREAM_UNAVAILABLE")
async def test_a_plane_that_nobody_serves_is_unavailable() -> None:
    async with front({"observe": GrpcTransport("127.0.0.1:1")}, **ONCE) as (built, _), doors(built) as by_name:
        for door in by_name.values():
            detail = (await failure_of(door, "observe.record", CALL)).detail
            assert (detail["code"], detail["retry_after_s"]) == ("UPSTREAM_UNAVAILABLE", 1.0)


@pytest.mark.provokes("CIRCUIT_OPEN", "UPSTREAM_UNAVAILABLE")
async def test_a_plane_that_fails_again_and_again_is_left_alone_while_others_serve() -> None:
    clock = ManualClock()
    plane = Raising(LoomError("UPSTREAM_UNAVAILABLE", "the plane does not answer", retry_after_s=1.0))
    async with front({"observe": plane}, clock=clock, **ONCE) as (built, _), doors(built) as by_name:
        for _ in range(5):
            await failure_of(by_name["http"], "observe.record", CALL)
        clock.advance(1.5)
        for door in by_name.values():
            detail = (await failure_of(door, "observe.record", CALL)).detail
            assert (detail["code"], detail["retry_after_s"]) == ("CIRCUIT_OPEN", 3.5)
            assert detail["metadata"] == {"plane": "observe", "origin": "breaker"}
            health = await door.call("ops.health", {})
            assert [(c["name"], c["status"], c["breaker"]) for c in health["components"]] == [
                ("observe", "down", "open")
            ]
        assert plane.calls == 5
        async with httpx.AsyncClient(transport=httpx.ASGITransport(built.app), base_url=BASE) as client:
            ready = check_http(await client.get("/readyz"))
            assert (ready["code"], list(ready["metadata"])) == ("UPSTREAM_UNAVAILABLE", ["observe"])
        clock.advance(3.5)
        await failure_of(by_name["http"], "observe.record", CALL)
        assert plane.calls == 6  # the probe


@pytest.mark.provokes("STORAGE_UNAVAILABLE")
async def test_a_storage_engine_that_does_not_answer_is_told_apart(tmp_path: Path) -> None:
    async with observe(tmp_path) as (bound, store, _):
        await store.close()
        told = await refused(bound)
        assert (told["code"], told["retryable"], told["retry_after_s"]) == ("STORAGE_UNAVAILABLE", True, 1.0)


@pytest.mark.provokes("STORAGE_FULL")
async def test_a_full_disk_refuses_writes_and_opens_no_breaker_that_reads_would_meet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(*_: object) -> None:
        raise OSError(errno.ENOSPC, "no room")

    async with observe(tmp_path) as (bound, _, _):
        monkeypatch.setattr(os, "posix_fallocate", no_room)
        told = await refused(bound)
        assert (told["code"], told["retryable"], told["retry_after_s"]) == ("STORAGE_FULL", True, 5.0)
        async with front({"observe": InProcess(bound)}, **ONCE) as (built, _), doors(built) as by_name:
            for _ in range(6):
                detail = (await failure_of(by_name["http"], "observe.record", CALL)).detail
                assert detail["code"] == "STORAGE_FULL"
                assert (await by_name["http"].call("observe.list", {}))["observations"] == []


@pytest.mark.provokes("SHUTTING_DOWN")
async def test_a_plane_that_stops_takes_no_more_writes(tmp_path: Path) -> None:
    async with observe(tmp_path) as (bound, _, close):
        await close()
        told = await refused(bound)
        assert (told["code"], told["retryable"], told["retry_after_s"]) == ("SHUTTING_DOWN", True, 1.0)


@pytest.mark.provokes("SHUTTING_DOWN")
async def test_a_process_that_drains_is_not_ready_and_still_alive() -> None:
    async with front({"observe": InProcess({})}) as (built, health):
        health.ready = False
        async with httpx.AsyncClient(transport=httpx.ASGITransport(built.app), base_url=BASE) as client:
            assert check_http(await client.get("/readyz"))["code"] == "SHUTTING_DOWN"
            assert (await client.get("/healthz")).status_code == 200


@pytest.mark.provokes("FEATURE_DISABLED")
async def test_an_op_that_the_plane_does_not_serve_is_not_an_unknown_one() -> None:
    async with front({"observe": InProcess({})}) as (built, _), doors(built) as by_name, grpc_door({}) as door:
        for each in (*by_name.values(), door):
            detail = (await failure_of(each, "observe.record", CALL)).detail
            assert (detail["code"], detail["category"]) == ("FEATURE_DISABLED", "unsupported")


@pytest.mark.provokes("UNKNOWN_OP")
async def test_ops_of_a_plane_that_is_not_installed_are_unknown() -> None:
    async with front({}) as (built, _), doors(built) as by_name:
        for name in ("http", "sdk"):
            assert (await failure_of(by_name[name], "observe.record", CALL)).detail["code"] == "UNKNOWN_OP"


@pytest.mark.parametrize("status", [*BARE, "UNKNOWN", "DATA_LOSS", "INTERNAL", "INVALID_ARGUMENT", "UNAUTHENTICATED"])
async def test_a_status_without_our_details_gets_an_envelope_of_its_own(status: str) -> None:
    """Such a status comes from the gRPC library or from a proxy, and its text may be anything."""

    class Proxy(grpc.GenericRpcHandler):
        def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler:
            async def refuse(body: bytes, context: grpc.aio.ServicerContext) -> None:
                await context.abort(grpc.StatusCode[status], f"proxy of {CANARY}")

            return grpc.unary_unary_rpc_method_handler(refuse)

    async with AsyncExitStack() as stack:
        server = grpc.aio.server()
        server.add_generic_rpc_handlers((Proxy(),))
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        stack.push_async_callback(server.stop, 0)
        transports = {"observe": GrpcTransport(f"127.0.0.1:{port}")}
        built, _ = await stack.enter_async_context(front(transports, **ONCE))
        for door in (await stack.enter_async_context(doors(built))).values():
            detail = (await failure_of(door, "observe.record", CALL)).detail
            assert detail["code"] == BARE.get(status, ("INTERNAL",))[0]
