"""The MCP endpoint as HTTP sees it: no sessions to keep, both eras, checks before the SDK, nothing lost on the way."""

import json
from typing import Any

import httpx
import mcp_types as types
import pytest

from tests.support.mcp_client import ACCEPT, META, message, post, post_modern, send, structured
from tests.support.server import Server

MODERN = ACCEPT | {"mcp-protocol-version": "2026-07-28"}
ERAS = pytest.mark.parametrize("ask", [post, post_modern], ids=["handshake", "2026-07-28"])
HEADERS = pytest.mark.parametrize("headers", [ACCEPT, MODERN], ids=["handshake", "2026-07-28"])
HEALTH = {"name": "loom_ops_health", "arguments": {}}
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "weaver", "version": "1"}}


def record(namespace: str, **more: Any) -> dict[str, Any]:
    return {"name": "loom_observe_record", "arguments": {"namespace": namespace, "tool_name": "Probe", **more}}


def narrative(server: Server, namespace: str) -> str:
    body = {"namespace": namespace}
    response = httpx.post(f"{server.base_url}/v1/observe.list", json=body, trust_env=False)
    [row] = response.json()["observations"]
    return row["narrative"]


def error_of(response: httpx.Response) -> dict[str, Any]:
    body = response.json()
    assert body["jsonrpc"] == "2.0"
    return body["error"]


@ERAS
def test_a_call_needs_no_handshake_and_no_session(server: Server, ask: Any) -> None:
    assert structured(ask(server, "tools/call", HEALTH))["status"] == "ok"
    assert structured(ask(server, "tools/call", HEALTH, mcp_session_id="of-another-server"))["status"] == "ok"


def test_a_session_begun_on_one_connection_goes_on_on_another(server: Server, namespace: str) -> None:
    session = post(server, "initialize", HELLO).headers["mcp-session-id"]
    for number in range(2):
        structured(post(server, "tools/call", record(namespace, tool_input=number), mcp_session_id=session))
    stats = structured(
        post(server, "tools/call", {"name": "loom_observe_stats", "arguments": {"namespace": namespace}})
    )
    assert [entry["observations"] for entry in stats["by_session"]] == [2]


def test_a_session_id_is_new_for_each_handshake_and_visible_ascii(server: Server) -> None:
    first, second = (post(server, "initialize", HELLO).headers["mcp-session-id"] for _ in range(2))
    assert first != second
    assert first.isascii() and first.isprintable() and " " not in first
    assert "mcp-session-id" not in post(server, "tools/list").headers
    assert "mcp-session-id" not in post_modern(server, "server/discover").headers


@HEADERS
@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "HEAD"])
def test_there_is_no_stream_to_open_and_no_session_to_end(server: Server, headers: dict[str, str], method: str) -> None:
    response = send(server, None, {**headers, "mcp-session-id": "any"}, method=method)
    assert (response.status_code, response.headers["allow"]) == (405, "POST")
    if method != "HEAD":
        assert response.json()["detail"]["code"] == "METHOD_NOT_ALLOWED"


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_each_handshake_version_is_answered_in_kind(server: Server, version: str) -> None:
    result = post(server, "initialize", {**HELLO, "protocolVersion": version}).json()["result"]
    assert result["protocolVersion"] == version
    assert send(server, b'{"jsonrpc":"2.0","method":"notifications/initialized"}', ACCEPT).status_code == 202
    assert structured(post(server, "tools/call", HEALTH, mcp_protocol_version=version))["status"] == "ok"


def test_an_unknown_handshake_version_is_answered_with_the_newest(server: Server) -> None:
    result = post(server, "initialize", {**HELLO, "protocolVersion": "1999-01-01"}).json()["result"]
    assert result["protocolVersion"] == "2025-11-25"


def test_the_newest_version_is_one_self_contained_post(server: Server, namespace: str) -> None:
    offered = post_modern(server, "server/discover").json()["result"]
    assert offered["supportedVersions"] == ["2026-07-28"]
    structured(post_modern(server, "tools/call", record(namespace)))
    rows = structured(
        post_modern(server, "tools/call", {"name": "loom_observe_list", "arguments": {"namespace": namespace}})
    )
    assert [row["agent"] for row in rows["observations"]] == ["by-hand"]


@pytest.mark.parametrize(
    "headers",
    [
        {"mcp_name": "loom_ops_capabilities"},
        {"mcp_method": "tools/list"},
        {"mcp_protocol_version": "2099-01-01"},
    ],
    ids=str,
)
def test_headers_that_contradict_the_body_are_refused(server: Server, headers: dict[str, str]) -> None:
    response = post_modern(server, "tools/call", HEALTH, **headers)
    assert response.status_code == 400
    assert error_of(response)["code"] == types.HEADER_MISMATCH


def test_a_version_that_is_not_served_is_refused_with_those_that_are(server: Server) -> None:
    meta = {**META, "io.modelcontextprotocol/protocolVersion": "2099-01-01"}
    response = post_modern(server, "tools/list", {"_meta": meta}, mcp_protocol_version="2099-01-01")
    assert response.status_code == 400
    error = error_of(response)
    assert error["code"] == types.UNSUPPORTED_PROTOCOL_VERSION
    assert error["data"]["supported"] == ["2026-07-28"]


@ERAS
@pytest.mark.parametrize(
    "headers",
    [{"host": "loom.example"}, {"origin": "http://loom.example"}, {"origin": "null"}, {"origin": "file://localhost"}],
    ids=str,
)
def test_foreign_hosts_and_origins_are_refused_with_the_envelope(
    server: Server, ask: Any, headers: dict[str, str]
) -> None:
    response = ask(server, "tools/list", **headers)
    assert response.status_code == 403
    assert response.json()["detail"]["code"] == "ORIGIN_FORBIDDEN"


@ERAS
@pytest.mark.parametrize("headers", [{"host": "LocalHost:1"}, {"origin": "http://LOCALHOST:5173"}], ids=str)
def test_loopback_is_served_however_it_is_written(server: Server, ask: Any, headers: dict[str, str]) -> None:
    assert ask(server, "tools/list", **headers).status_code == 200


@HEADERS
@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", types.PARSE_ERROR),
        (b'{"hunter2', types.PARSE_ERROR),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"hunter2":NaN}}', types.PARSE_ERROR),
        (b'{"a":' * 300 + b"1" + b"}" * 300, types.PARSE_ERROR),
        (b'"hunter2"', types.INVALID_REQUEST),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping","hunter2":1}]', types.INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1,"hunter2":"hunter2"}', types.INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":{"hunter2":1},"method":"ping"}', types.INVALID_REQUEST),
        (b'{"jsonrpc":"1.0","id":1,"method":"hunter2"}', types.INVALID_REQUEST),
    ],
)
def test_what_is_no_message_is_refused_without_repeating_it(
    server: Server, headers: dict[str, str], body: bytes, code: int
) -> None:
    response = send(server, body, headers)
    assert response.status_code == 400
    assert error_of(response)["code"] == code
    assert response.json()["id"] is None
    assert "hunter2" not in response.text


@ERAS
@pytest.mark.parametrize("arguments", [[1], "text", 1, True])
def test_arguments_that_are_no_object_are_a_protocol_error(server: Server, ask: Any, arguments: Any) -> None:
    response = ask(server, "tools/call", {"name": "loom_ops_health", "arguments": arguments})
    assert error_of(response)["code"] == types.INVALID_PARAMS


@HEADERS
def test_http_refusals_have_the_envelope(server: Server, headers: dict[str, str]) -> None:
    plain = send(server, message("ping"), {**headers, "content-type": "text/plain"})
    assert (plain.status_code, plain.json()["detail"]["code"]) == (415, "UNSUPPORTED_MEDIA_TYPE")
    large = send(server, b" " * (1 << 20) + b"{}", headers)
    assert (large.status_code, large.json()["detail"]["code"]) == (413, "BODY_TOO_LARGE")
    for response in (plain, large):
        assert response.json()["detail"]["request_id"] == response.headers["x-request-id"]


@ERAS
def test_a_body_just_under_the_limit_is_served(server: Server, namespace: str, ask: Any) -> None:
    answer = structured(ask(server, "tools/call", record(namespace, tool_input="x" * ((1 << 20) - 2048))))
    assert answer["kind"] == "tool_use"


@ERAS
def test_big_whole_numbers_and_halves_of_characters_arrive_as_over_http(
    server: Server, namespace: str, ask: Any
) -> None:
    given = {"big": 2**64 + 1, "huge": -(10**300), "half": "a\ud800b", "\udc00": 1, "float": 1.0, "tiny": 5e-324}
    httpx.post(
        f"{server.base_url}/v1/observe.record",
        content=json.dumps({"namespace": namespace, "tool_name": "Probe", "tool_input": given}),
        headers={"content-type": "application/json"},
        trust_env=False,
    ).raise_for_status()
    structured(ask(server, "tools/call", record(f"{namespace}-mcp", tool_input=given)))
    assert narrative(server, f"{namespace}-mcp") == narrative(server, namespace)
    assert str(2**64 + 1) in narrative(server, namespace)


@ERAS
def test_an_unknown_argument_named_by_half_a_character_is_named_in_the_answer(
    server: Server, namespace: str, ask: Any
) -> None:
    answer = structured(ask(server, "tools/call", record(namespace, **{"odd\ud800": 1})))
    assert answer["ignored_args"] == ["odd\ufffd"]


@ERAS
def test_nesting_goes_as_deep_as_json_over_http_may(server: Server, namespace: str, ask: Any) -> None:
    deep: Any = "bottom"
    for _ in range(240):
        deep = [deep]
    assert structured(ask(server, "tools/call", record(namespace, tool_input=deep)))["memory_key"]


@ERAS
def test_the_callers_request_id_is_kept_and_answered(server: Server, ask: Any) -> None:
    response = ask(server, "tools/call", {"name": "loom_observe_record", "arguments": {}}, x_request_id="mine-1")
    assert response.headers["x-request-id"] == "mine-1"
    assert structured(response)["detail"]["request_id"] == "mine-1"
