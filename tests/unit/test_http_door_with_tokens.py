"""What tokens change at the HTTP door: the rate limit, the challenge of a 401, and an op's own path."""

import math
from collections.abc import Mapping
from typing import Any

import httpx
import pytest
from google.protobuf.message import Message

from gateway.dispatch import Dispatcher
from gateway.http_door import HttpDoor
from gateway.ratelimit import Buckets, RateLimiter
from runtime.clock import ManualClock
from runtime.errors import REGISTRY, LoomError
from runtime.metrics import Metrics
from runtime.optable import Op, load_ops
from runtime.telemetry import Telemetry

TOKEN = {"Authorization": "Bearer head.body.sign"}


class Plane:
    """Stands for every upstream: remembers which ops came through, and answers or fails."""

    def __init__(self) -> None:
        self.called: list[str] = []
        self.fails_with: LoomError | None = None

    async def call(self, op: Op, request: Message, metadata: Mapping[str, str], timeout_s: float) -> Message:
        self.called.append(op.name)
        if self.fails_with:
            raise self.fails_with
        return op.response()


@pytest.fixture
def plane() -> Plane:
    return Plane()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def client(plane: Plane, clock: ManualClock) -> httpx.AsyncClient:
    ops = load_ops()
    limiter = RateLimiter(Buckets(clock, per_s=0.4, burst=2))
    upstreams: Any = {op.plane: plane for op in ops}
    door = HttpDoor(
        Dispatcher(ops, upstreams, telemetry=Telemetry(), metrics=Metrics(), limiter=limiter), max_body=1 << 20
    )
    return httpx.AsyncClient(transport=httpx.ASGITransport(door), base_url="http://loom")


async def test_calls_over_the_rate_are_refused_unseen_with_the_time_to_wait(
    client: httpx.AsyncClient, plane: Plane, clock: ManualClock
) -> None:
    answers = [await client.post("/v1/observe.stats", headers=TOKEN) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    detail = answers[2].json()["detail"]
    assert (detail["code"], detail["retryable"], detail["retry_after_s"]) == ("RATE_LIMITED", True, 2.5)
    assert answers[2].headers["retry-after"] == str(math.ceil(2.5))
    assert plane.called == ["observe.stats"] * 2
    clock.advance(2.5)
    assert (await client.post("/v1/observe.stats", headers=TOKEN)).status_code == 200


async def test_a_batch_is_one_call(client: httpx.AsyncClient) -> None:
    records = {"records": [{"tool_name": "Bash"}] * 50}
    answers = [await client.post("/v1/observe.record_batch", headers=TOKEN, json=records) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]


async def test_public_ops_are_never_limited(client: httpx.AsyncClient, plane: Plane) -> None:
    public = [op.name for op in load_ops() if op.role == "public"]
    assert public
    for name in public:
        answers = [await client.post(f"/v1/{name}", headers=TOKEN) for _ in range(5)]
        assert [answer.status_code for answer in answers] == [200] * 5
    assert (await client.post("/v1/observe.stats", headers=TOKEN)).status_code == 200


async def test_one_token_at_its_limit_leaves_others_alone(client: httpx.AsyncClient) -> None:
    for _ in range(3):
        await client.post("/v1/observe.stats", headers=TOKEN)
    other = await client.post("/v1/observe.stats", headers={"Authorization": "Bearer head.other.sign"})
    assert other.status_code == 200


@pytest.mark.parametrize("code", [name for name, code in REGISTRY.items() if code.http == 401])
async def test_a_401_names_the_scheme_of_tokens(client: httpx.AsyncClient, plane: Plane, code: str) -> None:
    plane.fails_with = LoomError(code, "no")
    answer = await client.post("/v1/observe.stats")
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")


async def test_other_failures_carry_no_challenge(client: httpx.AsyncClient, plane: Plane) -> None:
    plane.fails_with = LoomError("NAMESPACE_FORBIDDEN", "no")
    answer = await client.post("/v1/observe.stats")
    assert answer.status_code == 403
    assert "www-authenticate" not in answer.headers


@pytest.mark.parametrize("path", ["admin/token.mint", "token.mint"])
async def test_an_op_is_served_at_its_own_path_and_by_its_name(
    client: httpx.AsyncClient, plane: Plane, path: str
) -> None:
    args = {"subject": "ada"}
    assert (await client.post(f"/v1/{path}", json=args)).status_code == 200
    assert (await client.get(f"/v1/{path}")).status_code == 405
    assert plane.called == ["token.mint"]


@pytest.mark.parametrize("path", ["admin/observe.list", "admin/", "admin", "admin/admin/token.mint", ""])
async def test_other_paths_are_no_ops(client: httpx.AsyncClient, plane: Plane, path: str) -> None:
    answer = await client.post(f"/v1/{path}", json={})
    assert (answer.status_code, answer.json()["detail"]["code"], plane.called) == (404, "UNKNOWN_OP", [])
