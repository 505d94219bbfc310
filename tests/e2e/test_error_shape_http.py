"""The error envelope where HTTP itself is at fault: bodies, sizes, methods, routes, media types, hosts, request ids."""

import json
import socket
from collections.abc import Iterator
from http.client import HTTPResponse
from urllib.parse import urlsplit

import httpx
import pytest

from tests.support.envelope import CANARY, TIMEOUT_S, check_http
from tests.support.server import Server

LIMIT = 1 << 20
RECORD = "/v1/observe.record"
AS_JSON = {"content-type": "application/json"}
PAGES = ("/healthz", "/readyz", "/metrics", "/openapi.json", "/docs")
ROUTES = (*(("GET", page) for page in PAGES), ("POST", RECORD), ("POST", "/v1/nope"), ("GET", RECORD))
EVERYWHERE = (*ROUTES, ("POST", "/mcp"), ("GET", "/mcp"), ("DELETE", "/mcp"), ("GET", f"/{CANARY}"))

BODIES = {
    "cut short": b'{"tool_name": "canaryinthemine',
    "not a number": b'{"tool_name": "canaryinthemine", "tool_input": NaN}',
    "no end of it": b'{"tool_name": "canaryinthemine", "tool_input": [-Infinity]}',
    "beyond a double": b'{"tool_name": "canaryinthemine", "tool_input": 1e999}',
    "a number of 5,000 digits": b'{"tool_name": "canaryinthemine", "tool_input": ' + b"7" * 5000 + b"}",
    "one level too deep": b'{"tool_name": "canaryinthemine", "tool_input": ' + b"[" * 254 + b"]" * 254 + b"}",
    "nothing but openers": b"[" * 500_000,
    "nothing but objects": b'{"canaryinthemine":' * 50_000,
    "not UTF-8": b'{"tool_name": "canaryinthemine\xff"}',
    "UTF-16": '{"tool_name": "canaryinthemine"}'.encode("utf-16"),
    "a list": b'["canaryinthemine"]',
    "a text": b'"canaryinthemine"',
    "a number": b"42",
    "null": b"null",
    "two values": b'{"tool_name": "canaryinthemine"} {}',
    "a comma too many": b'{"tool_name": "canaryinthemine",}',
    "single quotes": b"{'tool_name': 'canaryinthemine'}",
    "a bare line end": b'{"tool_name": "canary\ninthemine"}',
    "not JSON at all": b"tool_name=canaryinthemine",
}


@pytest.fixture
def client(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.base_url, timeout=TIMEOUT_S, trust_env=False) as client:
        yield client
    assert CANARY not in server.log.read_text()


def sized(size: int) -> bytes:
    """A good record of that many bytes."""
    head, tail = b'{"namespace": "sized", "tool_name": "Bash", "tool_input": "', b'"}'
    return head + b"a" * (size - len(head) - len(tail)) + tail


def chunks(body: bytes) -> Iterator[bytes]:
    """The body without a length in front of it."""
    for start in range(0, len(body), 1 << 16):
        yield body[start : start + (1 << 16)]


@pytest.mark.provokes("INVALID_JSON")
@pytest.mark.parametrize("name", BODIES)
def test_a_body_that_is_not_one_json_object_is_refused(client: httpx.Client, name: str) -> None:
    detail = check_http(client.post(RECORD, content=BODIES[name], headers=AS_JSON))
    assert (detail["code"], detail["metadata"]) == ("INVALID_JSON", {})


@pytest.mark.provokes("MISSING_FIELD")
@pytest.mark.parametrize("body", [b"", b" \r\n\t", b"{}"])
def test_no_body_is_an_empty_object(client: httpx.Client, body: bytes) -> None:
    detail = check_http(client.post(RECORD, content=body, headers=AS_JSON))
    assert (detail["code"], detail["metadata"]) == ("MISSING_FIELD", {"field": "tool_name"})


@pytest.mark.provokes("BODY_TOO_LARGE")
@pytest.mark.parametrize("declared", [True, False])
def test_a_body_may_have_a_mebibyte_and_not_a_byte_more(client: httpx.Client, declared: bool) -> None:
    for size, code in ((LIMIT, ""), (LIMIT + 1, "BODY_TOO_LARGE"), (LIMIT + (5 << 20), "BODY_TOO_LARGE")):
        body = sized(size)
        response = client.post(RECORD, content=body if declared else chunks(body), headers=AS_JSON)
        assert ("content-length" in response.request.headers) is declared
        if code:
            detail = check_http(response)
            assert (detail["code"], detail["metadata"]) == (code, {"limit_bytes": str(LIMIT)})
        else:
            assert response.status_code == 200
    assert client.post("/v1/observe.stats", json={"namespace": "sized"}).json()["observations"] == 1


@pytest.mark.provokes("BODY_TOO_LARGE")
def test_a_length_over_the_limit_is_refused_before_the_body_is_sent(server: Server) -> None:
    address = urlsplit(server.base_url)
    with socket.create_connection((address.hostname, address.port), TIMEOUT_S) as connection:
        head = f"POST {RECORD} HTTP/1.1\r\nHost: {address.netloc}\r\nContent-Type: application/json\r\n"
        connection.sendall(f"{head}Content-Length: {LIMIT + 1}\r\n\r\n".encode())
        answer = HTTPResponse(connection)
        answer.begin()
        response = httpx.Response(answer.status, headers=answer.getheaders(), content=answer.read())
    assert check_http(response)["code"] == "BODY_TOO_LARGE"


@pytest.mark.provokes("METHOD_NOT_ALLOWED")
@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        *((method, RECORD, "POST") for method in ("GET", "PUT", "PATCH", "DELETE", "OPTIONS")),
        *((method, page, "GET, HEAD") for method in ("POST", "DELETE") for page in PAGES),
        *((method, "/mcp", "POST") for method in ("GET", "PUT", "DELETE")),
    ],
)
def test_a_wrong_method_is_told_the_right_one(client: httpx.Client, method: str, path: str, allow: str) -> None:
    response = client.request(method, path, headers={"accept": "text/event-stream"})
    assert check_http(response)["code"] == "METHOD_NOT_ALLOWED"
    assert response.headers["allow"] == allow


def test_head_has_the_status_and_no_body(client: httpx.Client) -> None:
    for path, status in ((RECORD, 405), ("/healthz", 200), ("/nope", 404)):
        response = client.head(path)
        assert (response.status_code, response.content) == (status, b"")
        assert response.headers["x-request-id"]


@pytest.mark.provokes("ROUTE_NOT_FOUND")
@pytest.mark.parametrize(
    "path", ["/", "/v1", "/v2/observe.record", "/mcp/", "/healthz/", f"/{CANARY}", f"/%2e%2e/{CANARY}"]
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_an_unknown_route_says_where_ops_are(client: httpx.Client, method: str, path: str) -> None:
    assert check_http(client.request(method, path))["code"] == "ROUTE_NOT_FOUND"


@pytest.mark.provokes("UNKNOWN_OP")
@pytest.mark.parametrize("name", ["", f"{CANARY}", "observe.record/", "observe%2frecord", "OBSERVE.RECORD", "%00", "é"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_an_op_that_is_none_is_unknown_with_any_method(client: httpx.Client, method: str, name: str) -> None:
    assert check_http(client.request(method, f"/v1/{name}"))["code"] == "UNKNOWN_OP"


@pytest.mark.provokes("UNSUPPORTED_MEDIA_TYPE")
@pytest.mark.parametrize("path", [RECORD, "/mcp"])
@pytest.mark.parametrize(
    "media", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", CANARY, ""]
)
def test_a_body_must_say_that_it_is_json(client: httpx.Client, media: str, path: str) -> None:
    headers = {"content-type": media, "accept": "application/json, text/event-stream"}
    body = json.dumps({"tool_name": CANARY}).encode()
    response = client.post(path, content=body, headers=headers)
    assert check_http(response)["code"] == "UNSUPPORTED_MEDIA_TYPE"


@pytest.mark.parametrize(
    "media", ["application/json", "application/json; charset=utf-8", "Application/JSON", "application/ld+json"]
)
def test_json_may_be_named_in_several_ways(client: httpx.Client, media: str, namespace: str) -> None:
    body = json.dumps({"namespace": namespace, "tool_name": "Bash"}).encode()
    assert client.post(RECORD, content=body, headers={"content-type": media}).status_code == 200


@pytest.mark.provokes("ORIGIN_FORBIDDEN")
@pytest.mark.parametrize(("method", "path"), EVERYWHERE)
@pytest.mark.parametrize(
    "foreign",
    [
        {"host": f"{CANARY}.example"},
        {"host": f"{CANARY}.example:80"},
        {"host": "127.0.0.1.example"},
        {"host": ""},
        {"origin": f"http://{CANARY}.example"},
        {"origin": "null"},
        {"origin": "https://localhost.example"},
        {"origin": f"http://localhost@{CANARY}.example"},
        {"origin": "file://127.0.0.1"},
    ],
    ids=lambda headers: next(f"{name}={value}" for name, value in headers.items()),
)
def test_a_page_of_a_foreign_host_reaches_nothing(
    client: httpx.Client, method: str, path: str, foreign: dict[str, str]
) -> None:
    response = client.request(method, path, headers=foreign)
    assert check_http(response)["code"] == "ORIGIN_FORBIDDEN"
    assert response.status_code == 403


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:7777", "127.0.0.1", "[::1]:1"])
def test_loopback_is_served_under_each_of_its_names(client: httpx.Client, host: str) -> None:
    origin = f"http://{host}"
    assert client.get("/healthz", headers={"host": host, "origin": origin}).status_code == 200


@pytest.mark.parametrize(("method", "path"), EVERYWHERE)
def test_a_good_request_id_comes_back_and_a_bad_one_is_replaced(client: httpx.Client, method: str, path: str) -> None:
    for given, kept in (
        ("a.B-9_" * 10, True),
        ("x" * 64, True),
        ("x" * 65, False),
        (f"{CANARY} id", False),
        ("", False),
    ):
        response = client.request(method, path, headers={"x-request-id": given})
        [answered] = response.headers.get_list("x-request-id")
        assert (answered == given) is kept
        if response.text.startswith('{"detail"'):
            assert check_http(response)["request_id"] == answered
