"""A whole installation behind its rendered Envoy: every door works, and what Envoy itself says has the one shape."""

import asyncio
import json
import uuid
from collections.abc import Iterator
from typing import Any

import grpc
import httpx
import pytest

from loom import Agent
from runtime.ids import REQUEST_ID
from runtime.optable import load_ops
from tests.support.cluster import Cluster, Shape, cluster, until
from tests.support.doors import DoorError, Grpc, detail_of, door
from tests.support.envelope import SHAPE as ENVELOPE
from tests.support.envelope import check_http
from tests.support.http_raw import answered

DOORS = ("http", "mcp", "mcp-legacy", "grpc", "sdk")


def check_edge(response: httpx.Response) -> dict[str, Any]:
    """The envelope, as Envoy says it: in the order of the alphabet."""
    detail = response.json()["detail"]
    given = {"detail": {name: detail[name] for name in ENVELOPE}}
    assert len(detail) == len(ENVELOPE)
    return check_http(httpx.Response(response.status_code, headers=response.headers, json=given))


SHAPE = Shape(replicas=1, gateways=1, tokens=False, edge={"LOOM_ENVOY_GRPC": "on", "LOOM_ENVOY_HEAD_TIMEOUT_S": "0.3"})


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("cluster"), SHAPE) as made:
        yield made


@pytest.fixture
def http(running: Cluster) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=running.base_url, timeout=30, trust_env=False) as client:
        yield client


@pytest.mark.parametrize("name", DOORS)
async def test_a_journey_through_every_plane_works_at_every_door(running: Cluster, namespace: str, name: str) -> None:
    through, where = door(name, running), {"namespace": namespace, "user_id": "u"}
    recorded = await through.call(
        "observe.record",
        {**where, "session_id": "s", "tool_name": "Edit", "tool_input": {"file_path": "é.py", "n": 2**70}},
    )
    listed = await through.call("observe.list", where)
    assert [row["memory_key"] for row in listed["observations"]] == [recorded["memory_key"]]
    batch = {"namespace": namespace, "records": [{"tool_name": "Bash"}, {"tool_name": "Read"}]}
    assert len((await through.call("observe.record_batch", batch))["results"]) == 2
    saved = await through.call("memory.save", {**where, "title": "fox", "content": "the quick fox", "type": "decision"})
    found = await through.call("memory.search", {**where, "query": "fox"})
    assert [hit["id"] for hit in found["hits"]] == [saved["id"]]
    one = {**where, "observation_id": saved["id"]}
    assert (await through.call("memory.get_observation", one))["observation"]["content"] == "the quick fox"
    await through.call("memory.delete", one)
    assert not (await through.call("memory.get_observation", one))["found"]
    assert "namespaces" in await through.call("namespace.list", {})


@pytest.mark.parametrize("name", DOORS)
async def test_an_error_of_a_plane_keeps_its_envelope(running: Cluster, name: str) -> None:
    with pytest.raises(DoorError) as raised:
        await door(name, running).call("observe.list", {"page_size": -1})
    assert raised.value.detail["metadata"] == {"field": "page_size"}
    assert raised.value.code == "INVALID_FIELD"


async def test_loom_calls_its_planes_through_the_inner_door(running: Cluster, namespace: str) -> None:
    async with grpc.aio.insecure_channel(running.inner) as channel:
        op = load_ops().by_name["observe.list"]
        rpc = channel.unary_unary(
            op.path, request_serializer=op.request.SerializeToString, response_deserializer=op.response.FromString
        )
        answer = await rpc(op.request(namespace=namespace), timeout=30)
    assert list(answer.observations) == []


async def test_with_one_agent_the_library_works_through_the_edge(running: Cluster, namespace: str) -> None:
    async with Agent(base_url=running.base_url) as agent:
        stored = await agent.observe.record(namespace=namespace, tool_name="Bash", tool_input={"command": "ls"})
        assert stored.memory_key


@pytest.mark.parametrize("given", ["mine.1_a-B", str(uuid.UUID(int=7, version=4))])
def test_a_callers_request_id_comes_back(http: httpx.Client, given: str) -> None:
    response = http.post("/v1/observe.record", json={}, headers={"x-request-id": given})
    assert response.headers["x-request-id"] == response.json()["detail"]["request_id"] == given


@pytest.mark.parametrize("path", ["/v1/ops.health", "/v1/observe.record", "/nope"])
def test_a_request_id_that_is_none_is_replaced_and_not_repeated(http: httpx.Client, path: str) -> None:
    response = http.post(path, json={}, headers={"x-request-id": 'not "one"'})
    assert REQUEST_ID.fullmatch(response.headers["x-request-id"])
    if response.status_code != 200:
        assert response.json()["detail"]["request_id"] == response.headers["x-request-id"]


def test_a_body_over_the_limit_is_refused_before_a_gateway_sees_it(http: httpx.Client) -> None:
    for path in ("/v1/observe.record", "/mcp"):
        detail = check_edge(http.post(path, json={"tool_name": "x" * (1 << 20)}, headers={"x-request-id": "mine"}))
        assert (detail["code"], detail["metadata"]) == ("BODY_TOO_LARGE", {"limit_bytes": str(1 << 20)})
        assert detail["request_id"] == "mine"


MALFORMED = {
    "a head that is too long": b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: " + b"a" * (1 << 16) + b"\r\n\r\n",
    "too many headers": b"GET /healthz HTTP/1.1\r\nHost: a\r\n" + b"X: a\r\n" * 300 + b"\r\n",
    "a head without an end": b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: ",
    "no host": b"GET /healthz HTTP/1.1\r\n\r\n",
    "two lengths": b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}c",
    "a control character": b"GET / HTTP/1.1\r\nHost: a\r\nX: canary\x00inthemine\r\n\r\n",
    "an unknown method": b"canaryinthemine / HTTP/1.1\r\nHost: a\r\n\r\n",
}


async def test_what_is_no_request_is_answered_in_the_one_shape(running: Cluster) -> None:
    # All at once, since Envoy waits for a second before it ends a connection.
    said = await asyncio.gather(*(answered(running.envoy.address, sent) for sent in MALFORMED.values()))
    for name, response in zip(MALFORMED, said, strict=True):
        detail = response.json()["detail"]
        assert (detail["code"], response.status_code) == ("MALFORMED_REQUEST", 400), name
        assert detail.keys() == set(ENVELOPE), name
        assert b"canary" not in response.content, name


@pytest.mark.provokes("UPSTREAM_UNAVAILABLE")
async def test_without_a_plane_every_door_says_so_in_the_one_shape(running: Cluster) -> None:
    [memory] = running.planes["memory"]
    memory.kill()
    try:
        running.until_out_of_use("memory", memory)
        async with httpx.AsyncClient(base_url=running.base_url, timeout=30, trust_env=False) as http:
            check_http(await http.post("/v1/memory.stats", json={}, headers={"x-request-id": "mine"}))
            assert (await http.post("/v1/observe.list", json={})).status_code == 200
        # At the edge, where Envoy itself is who answers a caller of gRPC.
        with pytest.raises(DoorError) as raised:
            await Grpc(running).call("memory.stats", {})
        assert raised.value.detail | {"request_id": ""} == {
            "code": "UPSTREAM_UNAVAILABLE",
            "category": "unavailable",
            "message": "nothing that serves this answers",
            "retryable": True,
            "retry_after_s": 1.0,
            "request_id": "",
            "metadata": {},
        }
    finally:
        memory.start()
        running.until_in_use("memory", memory)


def test_without_a_gateway_the_edge_says_so_in_the_one_shape(running: Cluster, http: httpx.Client) -> None:
    [front] = running.gateways
    front.kill()
    try:
        running.until_out_of_use("gateway", front)
        response = http.post("/v1/ops.health", json={}, headers={"x-request-id": "mine"})
        detail = check_edge(response)
        assert (detail["code"], detail["request_id"]) == ("UPSTREAM_UNAVAILABLE", "mine")
        assert response.headers["retry-after"] == "1"
    finally:
        front.start()
        running.until_in_use("gateway", front)


async def test_a_service_that_nobody_has_is_refused_in_the_one_shape(running: Cluster) -> None:
    async with grpc.aio.insecure_channel(running.inner) as channel:
        rpc = channel.unary_unary("/loom.nowhere.v1.NowhereService/Call")
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await rpc(b"", timeout=30)
    detail = detail_of(refused.value)
    assert detail["code"] == "ROUTE_NOT_FOUND"


def test_the_refusals_are_written_down_without_what_was_sent(running: Cluster, http: httpx.Client) -> None:
    body = {"a": "canaryinthemine" * (1 << 17)}
    http.post("/v1/canaryinthemine", json=body, headers={"x-request-id": "written-down"})
    log = running.folder / "envoy" / "log"
    until(lambda: '"request_id":"written-down"' in log.read_text())
    [line] = [json.loads(line) for line in log.read_text().splitlines() if '"request_id":"written-down"' in line]
    assert (line["event"], line["status"]) == ("envoy_refused", 413)
    assert "canary" not in log.read_text()
