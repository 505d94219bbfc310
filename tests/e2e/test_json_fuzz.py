"""The JSON door of a running server takes any bytes: it serves them or refuses them in the one shape, and goes on serving."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from runtime.optable import load_ops
from tests.support.envelope import CANARY, check_http
from tests.support.server import Server

EXAMPLES = 120
# What a body may be refused for; never a defect, and never for being unlucky.
REFUSED = {400, 403, 404, 409, 413}
OPS = sorted(op.http_path for op in load_ops())
BODY: dict[str, Any] = {
    "namespace": "fuzz",
    "user_id": "ü",
    "tool_name": "Bash",
    "tool_input": {"command": "ls", "n": 2**70, "deep": [[[{"a": None}]]]},
    "title": "a title",
    "content": 'quotes " and \\ and \u2028',
    "type": "decision",
    "numbers": [1, 2],
    "page_size": 5,
    "records": [{"tool_name": "Read"}],
    "unknown": CANARY,
}
WHOLE = json.dumps(BODY, ensure_ascii=False).encode()

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.just(CANARY),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from([*BODY, "a", ""]), inner, max_size=4),
    max_leaves=12,
)
# JSON as Python writes it, with NaN, with escapes of half characters, or with the keys of a real body.
documents = (values | st.fixed_dictionaries({}, optional=dict.fromkeys(BODY, values))).map(
    lambda v: json.dumps(v).encode()
)


@st.composite
def spoilt(draw: st.DrawFn) -> bytes:
    """A good body with a few bytes put in, taken out or replaced."""
    body = bytearray(WHOLE)
    for _ in range(draw(st.integers(1, 4))):
        at, length = draw(st.integers(0, len(body))), draw(st.integers(0, 6))
        body[at : at + length] = draw(
            st.binary(max_size=6) | st.sampled_from([b"{", b"]", b'"', b"\\u", b"\xff", b"1e999"])
        )
    return bytes(body)


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    headers = {"content-type": "application/json"}
    with httpx.Client(base_url=server.base_url, timeout=60, trust_env=False, headers=headers) as client:
        yield client
    assert CANARY not in server.log.read_text()


@given(path=st.sampled_from(OPS), body=st.binary(max_size=200) | documents | spoilt())
@example(path="observe.record", body=b"[" * 100_000)
@example(path="observe.record", body=b'{"tool_name":"A","tool_input":' + b'{"a":' * 5_000 + b"1" + b"}" * 5_000 + b"}")
@example(path="observe.record", body=b'{"tool_name":"A","tool_name":"B"}')
@example(path="observe.record", body=b'\xef\xbb\xbf{"tool_name":"A"}')
@example(path="observe.record", body=b'{"tool_name":"\\ud800"}')
@example(path="observe.list", body=b'{"page_size":' + b"9" * 5_000 + b"}")
@settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_any_bytes_are_served_or_refused_in_the_one_shape(http: httpx.Client, path: str, body: bytes) -> None:
    response = http.post(f"/v1/{path}", content=body)
    if response.status_code == 200:
        assert isinstance(response.json(), dict)
    else:
        detail = check_http(response)
        assert response.status_code in REFUSED or detail["code"] == "FEATURE_DISABLED"


def test_afterwards_others_are_served_as_before(http: httpx.Client, namespace: str) -> None:
    assert http.post("/v1/observe.record", json={"namespace": namespace, "tool_name": "Bash"}).status_code == 200
