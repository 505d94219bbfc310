"""Loom behind a real Envoy: every door works through one port, and nothing that the caller sent or got is changed."""

import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from loom.observe.v1 import observe_pb2, observe_pb2_grpc
from tests.support.doors import DOORS, DoorError, detail_of, door
from tests.support.envoy import Envoy, config
from tests.support.mcp_client import post, post_modern, send, structured
from tests.support.otlp import OtlpReceiver
from tests.support.server import Server

SERVICE = "loom.observe.v1.ObserveService"
TRACE = "11111111111111111111111111111111"
PARENT = "b7ad6b7169203331"
TRACEPARENT = f"00-{TRACE}-{PARENT}-01"


@pytest.fixture(scope="module")
def envoy(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Envoy]:
    with Envoy(tmp_path_factory.mktemp("envoy"), config(server, SERVICE)) as running:
        yield running


@pytest.fixture(scope="module")
def edge(envoy: Envoy, server: Server) -> Server:
    """The server as clients see it: both addresses are Envoy's."""
    return Server(server.data, server.log, base_url=f"http://{envoy.address}", grpc=envoy.address)


@pytest.fixture
def http(edge: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=edge.base_url, timeout=30, trust_env=False) as client:
        yield client


def test_envoy_finds_the_configuration_valid(server: Server, tmp_path: Path) -> None:
    checked = Envoy(tmp_path, config(server, SERVICE)).validate()
    assert checked.returncode == 0, checked.stderr
    broken = config(server, SERVICE)
    broken["static_resources"]["clusters"][0]["type"] = "NO_SUCH_TYPE"
    assert Envoy(tmp_path, broken).validate().returncode != 0


def test_both_health_checks_find_the_server_well(envoy: Envoy) -> None:
    assert envoy.clusters() == {"http": "HEALTHY", "grpc": "HEALTHY"}
    for name in ("http", "grpc"):
        assert envoy.counter(f"cluster.{name}.health_check.success") > 0


@pytest.mark.parametrize("name", DOORS)
async def test_every_door_works_through_envoy(edge: Server, namespace: str, name: str) -> None:
    through = door(name, edge)
    args = {
        "namespace": namespace,
        "session_id": "s",
        "tool_name": "Edit",
        "tool_input": {"file_path": "é.py", "n": 2**70},
    }
    stored = await through.call("observe.record", args)
    listed = await through.call("observe.list", {"namespace": namespace})
    assert [row["memory_key"] for row in listed["observations"]] == [stored["memory_key"]]


@pytest.mark.parametrize("name", DOORS)
async def test_an_error_keeps_its_envelope_through_envoy(edge: Server, server: Server, name: str) -> None:
    details = []
    for front in (edge, server):
        with pytest.raises(DoorError) as raised:
            await door(name, front).call("observe.list", {"page_size": -1})
        details.append({**raised.value.detail, "request_id": ""})
    assert details[0] == details[1]
    assert details[0]["code"] == "INVALID_FIELD"


@pytest.mark.parametrize(
    ("method", "path", "more", "status", "code"),
    [
        ("POST", "/v1/observe.lits", {"json": {}}, 404, "UNKNOWN_OP"),
        ("GET", "/nope", {}, 404, "ROUTE_NOT_FOUND"),
        ("GET", "/v1/ops.health", {}, 405, "METHOD_NOT_ALLOWED"),
        ("DELETE", "/mcp", {}, 405, "METHOD_NOT_ALLOWED"),
        ("POST", "/v1/ops.health", {"content": b"{}"}, 415, "UNSUPPORTED_MEDIA_TYPE"),
        ("POST", "/v1/ops.health", {"json": ["x" * (1 << 20)]}, 413, "BODY_TOO_LARGE"),
        ("POST", "/v1/ops.health", {"json": {}, "headers": {"host": "loom.example"}}, 403, "ORIGIN_FORBIDDEN"),
    ],
)
def test_what_http_refuses_comes_through_as_it_is(
    http: httpx.Client, method: str, path: str, more: dict[str, Any], status: int, code: str
) -> None:
    response = http.request(method, path, **more)
    assert (response.status_code, response.json()["detail"]["code"]) == (status, code)
    assert response.json()["detail"]["request_id"] == response.headers["x-request-id"]


@pytest.mark.parametrize("ask", [post, post_modern], ids=["handshake", "2026-07-28"])
def test_mcp_refusals_come_through_as_they_are(edge: Server, ask: Any) -> None:
    assert structured(ask(edge, "tools/call", {"name": "loom_observe_record"}))["detail"]["code"] == "MISSING_FIELD"
    assert ask(edge, "tools/call", {"name": "loom_nope"}).json()["error"]["code"] == -32602
    assert send(edge, None, {"accept": "text/event-stream"}, method="GET").status_code == 405


GIVEN = pytest.mark.parametrize("given", ["mine.1_a-B", str(uuid.UUID(int=7, version=4))])


@GIVEN
def test_the_callers_request_id_passes_both_ways(edge: Server, http: httpx.Client, given: str) -> None:
    response = http.post("/v1/observe.record", json={}, headers={"x-request-id": given})
    assert response.headers["x-request-id"] == response.json()["detail"]["request_id"] == given
    called = post(edge, "tools/call", {"name": "loom_observe_record"}, x_request_id=given)
    assert structured(called)["detail"]["request_id"] == given


@GIVEN
async def test_a_grpc_callers_request_id_comes_back(edge: Server, given: str) -> None:
    async with grpc.aio.insecure_channel(edge.grpc) as channel:
        stub = observe_pb2_grpc.ObserveServiceStub(channel)
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await stub.Record(observe_pb2.RecordRequest(), metadata=(("x-request-id", given),), timeout=30)
    assert detail_of(raised.value)["request_id"] == given


def test_a_caller_without_a_request_id_gets_envoys(http: httpx.Client) -> None:
    response = http.post("/v1/observe.record", json={})
    assert uuid.UUID(response.headers["x-request-id"])
    assert response.json()["detail"]["request_id"] == response.headers["x-request-id"]


async def test_grpc_health_is_answered_through_envoy(edge: Server) -> None:
    async with grpc.aio.insecure_channel(edge.grpc) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        answer = await stub.Check(health_pb2.HealthCheckRequest(service=SERVICE), timeout=30)
    assert answer.status == health_pb2.HealthCheckResponse.SERVING


async def test_the_callers_trace_goes_on_behind_envoy(tmp_path: Path) -> None:
    async with OtlpReceiver() as receiver:
        settings = {"LOOM_OTLP_ENDPOINT": receiver.endpoint, "OTEL_BSP_SCHEDULE_DELAY": "100"}
        with (
            Server(tmp_path / "data", tmp_path / "log", env=settings) as traced,
            Envoy(tmp_path, config(traced, SERVICE)) as envoy,
        ):
            body = {"tool_name": "A"}
            given = {"traceparent": TRACEPARENT}
            async with httpx.AsyncClient(base_url=f"http://{envoy.address}", trust_env=False) as client:
                (await client.post("/v1/observe.record", json=body, headers=given)).raise_for_status()
            async with grpc.aio.insecure_channel(envoy.address) as channel:
                request = observe_pb2.RecordRequest(tool_name="B")
                stub = observe_pb2_grpc.ObserveServiceStub(channel)
                await stub.Record(request, metadata=tuple(given.items()), timeout=30)
            spans = await receiver.wait_for(lambda spans: sum(s.parent_id == PARENT for s in spans) == 2, 30)
    assert {span.trace_id for span in spans if span.parent_id == PARENT} == {TRACE}


def test_the_page_and_the_document_are_the_same_through_envoy(http: httpx.Client, server: Server) -> None:
    for path in ("/docs", "/openapi.json"):
        direct = httpx.get(server.base_url + path, trust_env=False)
        through = http.get(path)
        assert through.content == direct.content
        assert through.headers.get("content-security-policy") == direct.headers.get("content-security-policy")
    assert json.loads(http.get("/readyz").content) == {"status": "ready"}
