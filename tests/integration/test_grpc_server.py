"""The gRPC server itself: health, limits, addresses, and what no plane sees."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from gateway.envoy.settings import EnvoySettings
from loom.observe.v1 import observe_pb2
from runtime.errors import LoomError
from runtime.grpc_server import OPTIONS, GrpcServer
from runtime.optable import load_ops
from runtime.settings import describe
from runtime.transport import CHANNEL_OPTIONS, GrpcTransport
from tests.support.doors import detail_of
from tests.support.planes import LIMIT_S, SERVICE, HeldPlane, grpc_server

LIST = "/loom.observe.v1.ObserveService/List"
MAX_BODY = 2048


@pytest.fixture
async def plane() -> HeldPlane:
    """A plane that answers at once."""
    plane = HeldPlane()
    plane.let_go.set()
    return plane


@asynccontextmanager
async def channel_to(server: GrpcServer) -> AsyncIterator[grpc.aio.Channel]:
    options = [("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1)]
    async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}", options=options) as channel:
        yield channel


async def failure(channel: grpc.aio.Channel, path: str, body: bytes = b"", **options: Any) -> grpc.aio.AioRpcError:
    """The failure of a call with these bytes."""
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await channel.unary_unary(path)(body, timeout=LIMIT_S, **options)
    return failed.value


# --- health --------------------------------------------------------------------------------------------------------


async def test_every_service_and_the_whole_are_serving(plane: HeldPlane) -> None:
    async with grpc_server(plane.bound) as server, channel_to(server) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        for name in ("", SERVICE.full_name):
            answer = await stub.Check(health_pb2.HealthCheckRequest(service=name))
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
        with pytest.raises(grpc.aio.AioRpcError) as unknown:
            await stub.Check(health_pb2.HealthCheckRequest(service="loom.unknown"))
        assert unknown.value.code() is grpc.StatusCode.NOT_FOUND


async def test_a_watcher_hears_of_the_drain_and_calls_are_served_on(plane: HeldPlane) -> None:
    async with grpc_server(plane.bound) as server, channel_to(server) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        watch = stub.Watch(health_pb2.HealthCheckRequest(service=SERVICE.full_name))
        assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
        await server.drain()
        assert (await asyncio.wait_for(watch.read(), LIMIT_S)).status == health_pb2.HealthCheckResponse.NOT_SERVING
        # Nothing turns it on again.
        await server.serving(True)
        answer = await stub.Check(health_pb2.HealthCheckRequest())
        assert answer.status == health_pb2.HealthCheckResponse.NOT_SERVING
        assert await channel.unary_unary(LIST)(b"", timeout=LIMIT_S) == b""


async def test_a_stop_lets_running_calls_finish_and_refuses_new_ones() -> None:
    plane = HeldPlane()
    async with grpc_server(plane.bound) as server, channel_to(server) as channel:
        running = asyncio.ensure_future(channel.unary_unary(LIST)(b"", timeout=LIMIT_S))
        await plane.until(running=1)
        stopping = asyncio.create_task(server.stop(LIMIT_S))
        refused = await failure(channel, LIST)
        # grpc cancels a call that reached it while it began to stop; for the gateway, both mean the same.
        assert refused.code() in {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED}
        plane.let_go.set()
        assert await running == b""
        await stopping


async def test_a_stop_whose_grace_is_over_ends_running_calls() -> None:
    plane = HeldPlane()
    async with grpc_server(plane.bound) as server, channel_to(server) as channel:
        running = asyncio.ensure_future(channel.unary_unary(LIST)(b"", timeout=LIMIT_S))
        await plane.until(running=1)
        await server.stop(0)
        with pytest.raises(grpc.aio.AioRpcError):
            await running
        await plane.until(running=0, ended=1)


# --- limits --------------------------------------------------------------------------------------------------------


async def test_a_body_over_the_limit_is_refused_in_our_words_and_one_at_the_limit_is_served(plane: HeldPlane) -> None:
    fits = observe_pb2.ListRequest(page_token="t" * (MAX_BODY - 3)).SerializeToString()
    assert len(fits) == MAX_BODY
    async with grpc_server(plane.bound, max_body=MAX_BODY) as server, channel_to(server) as channel:
        over = await failure(channel, LIST, fits + b"\x00")
        detail = detail_of(over)
        assert (detail["code"], detail["metadata"]) == ("BODY_TOO_LARGE", {"limit_bytes": str(MAX_BODY)})
        assert plane.calls == []
        assert await channel.unary_unary(LIST)(fits, timeout=LIMIT_S) == b""


async def test_a_body_far_over_the_limit_is_never_read(plane: HeldPlane) -> None:
    async with grpc_server(plane.bound, max_body=MAX_BODY) as server, channel_to(server) as channel:
        far = await failure(channel, LIST, bytes(9 << 20))
        assert far.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert plane.calls == []
        assert await channel.unary_unary(LIST)(b"", timeout=LIMIT_S) == b""


async def test_bytes_that_are_no_message_are_invalid(plane: HeldPlane) -> None:
    async with grpc_server(plane.bound) as server, channel_to(server) as channel:
        assert detail_of(await failure(channel, LIST, b"\xff\xff\xff"))["code"] == "INVALID_JSON"


# --- addresses -----------------------------------------------------------------------------------------------------


async def test_a_second_server_on_the_port_is_an_error_and_not_a_share_of_the_calls(plane: HeldPlane) -> None:
    async with grpc_server(plane.bound) as server:
        with pytest.raises(OSError, match=f"127.0.0.1:{server.port}"):
            await GrpcServer(plane.bound).start(f"127.0.0.1:{server.port}")


def test_keepalive_of_our_channels_is_above_what_our_servers_take() -> None:
    server, channel = dict(OPTIONS), dict(CHANNEL_OPTIONS)
    assert channel["grpc.keepalive_time_ms"] > server["grpc.http2.min_ping_interval_without_data_ms"]
    assert server["grpc.so_reuseport"] == 0
    assert server["grpc.max_connection_age_ms"] > 0
    assert server["grpc.max_connection_age_grace_ms"] > 0


# --- rpcs ----------------------------------------------------------------------------------------------------------


async def test_an_rpc_of_a_plane_that_is_not_served_says_so(plane: HeldPlane) -> None:
    async with grpc_server(plane.bound) as server, channel_to(server) as channel:
        for path in ("/loom.memory.v1.MemoryService/Search", "/loom.observe.v1.ObserveService/Unknown"):
            refused = await failure(channel, path, metadata=(("x-request-id", "mine"),))
            assert refused.code() is grpc.StatusCode.UNIMPLEMENTED
            assert detail_of(refused)["code"] == "FEATURE_DISABLED"
            assert detail_of(refused)["request_id"] == "mine"


async def test_a_path_that_is_not_loom_s_is_grpc_s_own_answer(plane: HeldPlane) -> None:
    async with grpc_server(plane.bound) as server, channel_to(server) as channel:
        assert (await failure(channel, "/other.Service/Call")).code() is grpc.StatusCode.UNIMPLEMENTED


async def test_the_request_id_goes_back_with_answers_and_failures(plane: HeldPlane) -> None:
    async with grpc_server(plane.bound, max_body=MAX_BODY) as server, channel_to(server) as channel:
        call = channel.unary_unary(LIST)(b"", metadata=(("x-request-id", "mine"),), timeout=LIMIT_S)
        await call
        assert ("x-request-id", "mine") in tuple(await call.trailing_metadata())
        assert plane.calls[0].request_id == "mine"
        failed = await failure(channel, LIST, bytes(MAX_BODY + 1), metadata=(("x-request-id", "mine"),))
        assert ("x-request-id", "mine") in tuple(failed.trailing_metadata())
        assert detail_of(failed)["request_id"] == "mine"


async def test_a_request_id_that_is_none_is_replaced(plane: HeldPlane) -> None:
    async with grpc_server(plane.bound) as server, channel_to(server) as channel:
        call = channel.unary_unary(LIST)(b"", metadata=(("x-request-id", "no spaces please"),), timeout=LIMIT_S)
        await call
        [made] = [value for key, value in tuple(await call.trailing_metadata()) if key == "x-request-id"]
        assert len(made) == 32


async def test_a_planes_error_arrives_whole_over_the_wire(plane: HeldPlane) -> None:
    plane.error = LoomError("OVERLOADED", "too many writes wait", retry_after_s=2.5, plane="observe")
    async with grpc_server(plane.bound) as server:
        transport = GrpcTransport(f"127.0.0.1:{server.port}")
        with pytest.raises(LoomError) as failed:
            await transport.call(load_ops().by_name["observe.list"], observe_pb2.ListRequest(), {}, LIMIT_S)
        await transport.close()
    assert failed.value.code.name == "OVERLOADED"
    assert (failed.value.message, failed.value.retry_after_s) == ("too many writes wait", 2.5)
    assert failed.value.metadata == {"plane": "observe"}


# --- limits of the wire --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("packing", [grpc.Compression.Gzip, grpc.Compression.Deflate])
async def test_a_message_that_would_have_to_be_unpacked_is_refused(plane: HeldPlane, packing: grpc.Compression) -> None:
    bomb = b"\0" * (32 << 20)
    async with grpc_server(plane.bound, max_body=MAX_BODY) as server, channel_to(server) as channel:
        refused = await failure(channel, LIST, bomb, compression=packing)
        assert refused.code() is grpc.StatusCode.UNIMPLEMENTED
        assert await channel.unary_unary(LIST)(b"", timeout=LIMIT_S) == b""


def test_pings_are_allowed_as_often_as_envoy_and_our_channels_send_them() -> None:
    allowed = dict(OPTIONS)["grpc.http2.min_ping_interval_without_data_ms"]
    [least] = [info.takes for info in describe(EnvoySettings) if info.env == "LOOM_ENVOY_PING_S"]
    assert "from 1 to" in least
    assert allowed < 1000
    assert allowed < dict(CHANNEL_OPTIONS)["grpc.keepalive_time_ms"]
