"""What the running server has besides ops: the page, the document, metrics, health; and what it says of the rest."""

import base64
import hashlib
import re
from collections.abc import Iterator

import httpx
import pytest
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from gateway.openapi import openapi
from runtime.errors import REGISTRY
from runtime.metrics import OTHER
from runtime.optable import contract_files, load_ops, methods_of
from tests.support.server import Server

PAGES = ("/docs", "/openapi.json", "/metrics", "/healthz", "/readyz")
DOORS = {"http", "mcp", "grpc", "inproc"}


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.base_url, timeout=30, trust_env=False) as client:
        yield client


def metrics(http: httpx.Client) -> dict[str, Metric]:
    return {family.name: family for family in text_string_to_metric_families(http.get("/metrics").text)}


def requests_of(http: httpx.Client, **labels: str) -> float:
    samples = metrics(http)["loom_requests"].samples
    return sum(s.value for s in samples if s.name == "loom_requests_total" and labels.items() <= s.labels.items())


def test_the_page_runs_only_what_its_policy_names_by_hash(http: httpx.Client) -> None:
    response = http.get("/docs")
    assert response.status_code == 200
    policy = response.headers["content-security-policy"]
    for tag in ("script", "style"):
        [block] = re.findall(rf"<{tag}>(.*?)</{tag}>", response.text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(block.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}';" in policy
    assert "default-src 'none'" in policy and "connect-src 'self'" in policy


def test_the_page_names_no_other_host(http: httpx.Client) -> None:
    assert not re.search(r"(https?:)?//[a-z0-9]", http.get("/docs").text, re.IGNORECASE)


def test_the_document_is_that_of_the_contract(http: httpx.Client) -> None:
    response = http.get("/openapi.json")
    assert response.headers["content-type"] == "application/json"
    assert response.json() == openapi(load_ops())


def test_metrics_are_prometheus_text_and_count_calls_by_door_and_outcome(http: httpx.Client, namespace: str) -> None:
    assert http.get("/metrics").headers["content-type"].startswith("text/plain; version=0.0.4")
    labels = {"op": "observe.record", "door": "http"}
    before = {code: requests_of(http, code=code, **labels) for code in ("OK", "MISSING_FIELD")}
    assert http.post("/v1/observe.record", json={"namespace": namespace, "tool_name": "A"}).status_code == 200
    assert http.post("/v1/observe.record", json={"namespace": namespace}).status_code == 400
    after = {code: requests_of(http, code=code, **labels) for code in before}
    assert {code: after[code] - before[code] for code in after} == {"OK": 1, "MISSING_FIELD": 1}


def internal_rpcs() -> set[str]:
    """Paths of the rpcs that planes call each other by; the contract names them, no caller does."""
    services = [s for file in contract_files() for s in file.services_by_name.values()]
    return {method.path for service in services for method in methods_of(service)}


def test_no_label_holds_what_a_caller_sent(http: httpx.Client) -> None:
    for name in ("hunter2", "observe.hunter2", "hunter2/observe.list", "x" * 2000):
        assert http.post(f"/v1/{name}", json={}).status_code == 404
    http.post("/v1/observe.record", json={"tool_name": "hunter2", "namespace": "hunter2", "hunter2": 1})
    assert "hunter2" not in http.get("/metrics").text
    known = {
        "op": {*load_ops().by_name, *internal_rpcs(), OTHER},
        "door": DOORS,
        "code": {"OK", "CANCELLED", *REGISTRY},
        "plane": {"gateway", *(op.plane for op in load_ops())},
    }
    for family in metrics(http).values():
        for sample in family.samples:
            assert all(value in known[name] for name, value in sample.labels.items() if name in known)


def test_every_label_is_one_that_the_code_bounds(http: httpx.Client) -> None:
    names = {name for family in metrics(http).values() for sample in family.samples for name in sample.labels}
    assert names <= {"op", "door", "code", "plane", "reason", "statement", "table", "event", "le", "version", "volume"}


def test_the_process_lives_and_is_ready(http: httpx.Client) -> None:
    assert http.get("/healthz").json() == {"status": "ok"}
    assert http.get("/readyz").json() == {"status": "ready"}


@pytest.mark.parametrize("page", PAGES)
def test_head_answers_as_get_without_a_body(http: httpx.Client, page: str) -> None:
    got, head = http.get(page), http.head(page)
    assert head.status_code == got.status_code == 200
    assert head.content == b""
    assert head.headers["content-type"] == got.headers["content-type"]
    assert int(head.headers["content-length"]) > 0


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_pages_are_read_alone(http: httpx.Client, page: str, method: str) -> None:
    response = http.request(method, page)
    assert (response.status_code, response.headers["allow"]) == (405, "GET, HEAD")
    assert response.json()["detail"]["code"] == "METHOD_NOT_ALLOWED"


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_ops_are_posted_alone(http: httpx.Client, method: str) -> None:
    response = http.request(method, "/v1/ops.health")
    assert (response.status_code, response.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize("path", ["/", "/nope", "/docs/", "/DOCS", "/metrics/x", "/v1", "/mcp/", "/openapi.yaml"])
def test_where_nothing_is_served_the_envelope_says_so(http: httpx.Client, path: str) -> None:
    for method in ("GET", "POST"):
        response = http.request(method, path)
        detail = response.json()["detail"]
        assert (response.status_code, detail["code"]) == (404, "ROUTE_NOT_FOUND")
        assert detail["request_id"] == response.headers["x-request-id"]


@pytest.mark.parametrize("path", [*PAGES, "/v1/ops.health", "/mcp", "/nope"])
def test_every_answer_carries_the_callers_request_id_or_a_new_one(http: httpx.Client, path: str) -> None:
    assert http.get(path, headers={"x-request-id": "A.b_c-1"}).headers["x-request-id"] == "A.b_c-1"
    for wrong in (b"", b"x" * 65, b"a b", "é".encode()):
        made = http.get(path, headers={"x-request-id": wrong}).headers["x-request-id"]
        assert re.fullmatch(r"[0-9a-f]{32}", made)


@pytest.mark.parametrize("path", [*PAGES, "/v1/ops.health", "/nope"])
@pytest.mark.parametrize("headers", [{"host": "loom.example"}, {"origin": "https://loom.example"}], ids=str)
def test_a_foreign_host_or_origin_gets_nothing(http: httpx.Client, path: str, headers: dict[str, str]) -> None:
    response = http.get(path, headers=headers)
    assert response.status_code == 403
    assert response.json()["detail"]["code"] == "ORIGIN_FORBIDDEN"


def test_a_call_that_reaches_no_op_is_counted_and_logged_under_its_request_id(server: Server) -> None:
    with httpx.Client(base_url=server.base_url, trust_env=False) as client:
        refused = client.post("/v1/no.such", json={}, headers={"x-request-id": "refused-at-the-door"})
        text = client.get("/metrics").text
    assert refused.status_code == 404
    assert 'loom_refused_total{plane="gateway",reason="UNKNOWN_OP"}' in text
    [line] = [line for line in server.log.read_text().splitlines() if "refused-at-the-door" in line]
    assert '"code":"UNKNOWN_OP"' in line
