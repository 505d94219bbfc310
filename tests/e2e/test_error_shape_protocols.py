"""Failures that only MCP or only gRPC callers can make: what each protocol shows of them."""

import json
from collections.abc import Iterator
from typing import Any

import grpc
import httpx
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from loom.observe.v1 import extraction_pb2 as xpb
from loom.observe.v1 import observe_pb2 as pb
from runtime.optable import load_ops
from tests.support.envelope import CANARY, TIMEOUT_S, Failure, Grpc, check_http, check_tool_result
from tests.support.server import Server

LIMIT = 1 << 20
MODES = ("legacy", "2026-07-28")
OBSERVE = "/loom.observe.v1.ObserveService"
EXTRACTION = "/loom.observe.v1.ExtractionService"
PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS = -32700, -32600, -32602


@pytest.fixture(autouse=True)
def nothing_in_the_log(server: Server) -> Iterator[None]:
    yield
    assert CANARY not in server.log.read_text()


@pytest.fixture(params=MODES)
def post(request: pytest.FixtureRequest, server: Server) -> Iterator[Any]:
    """Posts a body to the MCP endpoint, as a client of that protocol era does."""
    headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    if request.param != "legacy":
        headers["mcp-protocol-version"] = request.param
    with httpx.Client(base_url=server.base_url, headers=headers, timeout=TIMEOUT_S, trust_env=False) as client:

        def send(body: bytes, **more: str) -> httpx.Response:
            return client.post("/mcp", content=body, headers={key.replace("_", "-"): more[key] for key in more})

        yield send


def tool_call(arguments: str, *, tool: str = "loom_observe_record", more: str = "") -> bytes:
    """A call whose arguments are JSON text, good or bad."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    }
    params = f'{{"name": "{tool}", "_meta": {json.dumps(meta)}, "arguments": {arguments}{more}}}'
    return f'{{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {params}}}'.encode()


def as_called(tool: str = "loom_observe_record") -> dict[str, str]:
    """The routing headers of the 2026-07-28 era; the other one ignores them."""
    return {"mcp_method": "tools/call", "mcp_name": tool}


@pytest.mark.provokes("MISSING_FIELD", "INVALID_FIELD")
def test_a_failed_tool_call_answers_200_with_the_request_id_in_header_and_envelope(post: Any) -> None:
    for arguments, code in (("{}", "MISSING_FIELD"), (f'{{"tool_name": ["{CANARY}"]}}', "INVALID_FIELD")):
        response = post(tool_call(arguments), x_request_id="mine-1", **as_called())
        detail = check_tool_result(response.json()["result"])
        assert (response.status_code, detail["code"]) == (200, code)
        assert response.headers.get_list("x-request-id") == [detail["request_id"]] == ["mine-1"]


BODIES = {
    "cut short": (b'{"jsonrpc": "2.0", "id": "canaryinthemine', PARSE_ERROR),
    "not a number": (tool_call('{"tool_name": "canaryinthemine", "tool_input": NaN}'), PARSE_ERROR),
    "beyond a double": (tool_call('{"tool_name": "canaryinthemine", "tool_input": 1e999}'), PARSE_ERROR),
    "too deep": (tool_call('{"tool_input": ' + "[" * 300 + '"canaryinthemine"' + "]" * 300 + "}"), PARSE_ERROR),
    "nothing but openers": (b"[" * 500_000, PARSE_ERROR),
    "not UTF-8": (b'{"jsonrpc": "2.0", "id": 1, "method": "canaryinthemine\xff"}', PARSE_ERROR),
    "a batch": (b'[{"jsonrpc": "2.0", "id": 1, "method": "canaryinthemine"}]', INVALID_REQUEST),
    "a text": (b'"canaryinthemine"', INVALID_REQUEST),
    "an object": (b'{"canaryinthemine": 1}', INVALID_REQUEST),
    "params that are a list": (
        b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": ["canaryinthemine"]}',
        INVALID_REQUEST,
    ),
    "another version": (b'{"jsonrpc": "canaryinthemine", "id": 1, "method": "ping"}', INVALID_REQUEST),
}


@pytest.mark.parametrize("name", BODIES)
def test_a_body_that_is_no_message_is_a_protocol_error_that_quotes_nothing(post: Any, name: str) -> None:
    body, code = BODIES[name]
    response = post(body, **as_called())
    answer = response.json()
    assert (response.status_code, answer["jsonrpc"], answer["id"], answer["error"]["code"]) == (400, "2.0", None, code)
    assert answer["error"]["message"]
    assert CANARY not in response.text + str(response.headers)
    assert response.headers["x-request-id"]


def test_an_unknown_tool_is_a_protocol_error_that_names_the_way_out(post: Any) -> None:
    response = post(tool_call("{}", tool=f"loom_{CANARY}"), **as_called(f"loom_{CANARY}"))
    error = response.json()["error"]
    assert (error["code"], "loom_op" in error["message"]) == (INVALID_PARAMS, True)
    assert CANARY not in response.text


@pytest.mark.parametrize("arguments", [f'["{CANARY}"]', f'"{CANARY}"', "5"])
def test_arguments_that_are_no_object_are_a_protocol_error(post: Any, arguments: str) -> None:
    response = post(tool_call(arguments), **as_called())
    assert response.json()["error"]["code"] == INVALID_PARAMS
    assert CANARY not in response.text


def test_halves_of_characters_and_deep_values_arrive_over_mcp(post: Any, namespace: str) -> None:
    deep = "[" * 250 + '"\\ud83d"' + "]" * 250
    arguments = f'{{"namespace": "{namespace}", "tool_name": "Bash", "tool_input": {deep}, "tool_output": {2**80}}}'
    answer = post(tool_call(arguments), **as_called()).json()["result"]
    assert (answer["isError"], answer["structuredContent"]["kind"]) == (False, "command_run")


@pytest.mark.provokes("BODY_TOO_LARGE")
@pytest.mark.parametrize("mode", MODES)
async def test_an_mcp_client_is_told_that_its_call_is_too_large_and_goes_on(
    server: Server, mode: str, namespace: str
) -> None:
    async with Client(f"{server.base_url}/mcp", mode=mode) as client:
        # Below the limit stays room for what the protocol puts around the arguments.
        for size in (LIMIT - 4096, LIMIT + (1 << 20)):
            args = {"namespace": namespace, "tool_name": "Bash", "tool_input": CANARY * (size // len(CANARY))}
            if size < LIMIT:
                assert not (await client.call_tool("loom_observe_record", args)).is_error
            else:
                with pytest.raises(MCPError) as raised:
                    await client.call_tool("loom_observe_record", args)
                assert CANARY not in str(raised.value)
        stats = await client.call_tool("loom_observe_stats", {"namespace": namespace})
        assert stats.structured_content["observations"] == 1
    async with httpx.AsyncClient(base_url=server.base_url, trust_env=False, timeout=TIMEOUT_S) as http:
        response = await http.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": CANARY * (1 << 17)})
    assert check_http(response)["code"] == "BODY_TOO_LARGE"


async def failed(server: Server, path: str, body: bytes | Any) -> dict[str, Any]:
    async with grpc.aio.insecure_channel(server.grpc) as channel:
        with pytest.raises(Failure) as raised:
            await Grpc(channel).send(path, body)
    return raised.value.detail


@pytest.mark.provokes("FEATURE_DISABLED")
@pytest.mark.parametrize("path", [f"{OBSERVE}/Nope", "/loom.memory.v1.MemoryService/NoSuchRpc", f"/loom.{CANARY}/X"])
async def test_an_unknown_rpc_is_not_served_here(server: Server, path: str) -> None:
    assert (await failed(server, path, CANARY.encode()))["code"] == "FEATURE_DISABLED"


@pytest.mark.provokes("INVALID_JSON")
@pytest.mark.parametrize("op", [op for op in load_ops() if op.request.DESCRIPTOR.fields], ids=lambda op: op.name)
async def test_bytes_that_are_no_message_are_refused(server: Server, op: Any) -> None:
    for body in (CANARY.encode(), b"\xff\xff\xff\xff", b"\x0a\xff\x01", b"\x0a\x02\xff\xfe", b"\x0a\x05abc"):
        assert (await failed(server, op.path, body))["code"] == "INVALID_JSON"


@pytest.mark.provokes("INVALID_FIELD")
@pytest.mark.parametrize("field", ["tool_input", "tool_output", "metadata"])
async def test_a_field_of_json_text_must_hold_json_text(server: Server, field: str) -> None:
    for text in (f'{{"{CANARY}', f"{CANARY}", "NaN", "{} {}", "[" * 300 + "]" * 300, " "):
        detail = await failed(server, f"{OBSERVE}/Record", pb.RecordRequest(tool_name="Bash", **{field: text}))
        assert (detail["code"], detail["metadata"]) == ("INVALID_FIELD", {"field": field})
        batch = pb.RecordBatchRequest(records=[pb.BatchRecord(tool_name="Bash", **{field: text})])
        async with grpc.aio.insecure_channel(server.grpc) as channel:
            answer = pb.RecordBatchResponse.FromString(await Grpc(channel).send(f"{OBSERVE}/RecordBatch", batch))
        assert answer.results[0].detail.metadata == {"field": f"records[0].{field}"}


@pytest.mark.provokes("BODY_TOO_LARGE")
async def test_a_message_may_have_a_mebibyte_and_not_a_byte_more(server: Server, namespace: str) -> None:
    request = pb.RecordRequest(namespace=namespace, tool_name="Bash", tool_input='""')
    request.tool_input = '"' + "a" * (LIMIT - request.ByteSize() - 2) + '"'
    assert request.ByteSize() == LIMIT
    async with grpc.aio.insecure_channel(server.grpc) as channel:
        answer = pb.RecordResponse.FromString(await Grpc(channel).send(f"{OBSERVE}/Record", request))
    assert answer.kind == "command_run"
    request.tool_input = '"' + "b" * (len(request.tool_input) - 1) + '"'
    detail = await failed(server, f"{OBSERVE}/Record", request)
    assert (detail["code"], detail["metadata"]) == ("BODY_TOO_LARGE", {"limit_bytes": str(LIMIT)})


@pytest.mark.provokes("INVALID_FIELD", "MISSING_FIELD", "FIELD_TOO_LONG")
async def test_internal_rpcs_have_the_same_shape(server: Server) -> None:
    completion = xpb.Completion(org="o", namespace="n", memory_key="obs:-:1")
    for rpc, request, code in [
        ("ClaimReady", xpb.ClaimReadyRequest(limit=-1), "INVALID_FIELD"),
        ("ClaimReady", xpb.ClaimReadyRequest(limit=100_000), "INVALID_FIELD"),
        ("Complete", xpb.CompleteRequest(completions=[xpb.Completion(org=CANARY)]), "MISSING_FIELD"),
        ("Complete", xpb.CompleteRequest(completions=[completion] * 2000), "FIELD_TOO_LONG"),
    ]:
        assert (await failed(server, f"{EXTRACTION}/{rpc}", request))["code"] == code


async def test_a_grpc_caller_gets_its_request_id_back_with_success_and_with_failure(server: Server) -> None:
    async with grpc.aio.insecure_channel(server.grpc) as channel:
        rpc = channel.unary_unary(f"{OBSERVE}/Stats")
        for given, kept in (("mine-2", True), (f"{CANARY} id", False)):
            for body in (b"", CANARY.encode()):
                call = rpc(body, metadata=(("x-request-id", given),))
                trailing = dict(await call.trailing_metadata())
                assert (trailing["x-request-id"] == given) is kept
