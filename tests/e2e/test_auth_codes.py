"""Each code of the auth family and of the directory's ops, in the envelope of the HTTP door."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.support.envelope import check_http
from tests.support.guarded import ORG, Keys, guarded_server
from tests.support.server import Server

OWN = {"org": ORG, "namespace": "home"}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Keys]]:
    env = {"LOOM_RATE_LIMIT_PER_S": "0.5", "LOOM_RATE_LIMIT_BURST": "20"}
    with guarded_server(tmp_path_factory.mktemp("codes"), **env) as running:
        yield running


def refusal(server: Server, op: str, args: dict[str, Any], token: str | None) -> dict[str, Any]:
    """The detail of the answer, which must be a failure."""
    headers = {"authorization": f"Bearer {token}"} if token else {}
    with httpx.Client(base_url=server.base_url, trust_env=False) as client:
        return check_http(client.post(f"/v1/{op}", json=args, headers=headers))


def allowed(server: Server, op: str, args: dict[str, Any], token: str) -> dict[str, Any]:
    with httpx.Client(base_url=server.base_url, trust_env=False) as client:
        answer = client.post(f"/v1/{op}", json=args, headers={"authorization": f"Bearer {token}"})
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.provokes("TOKEN_MISSING", "TOKEN_INVALID", "TOKEN_EXPIRED")
def test_a_token_that_is_none_is_told_from_one_that_ended(guarded: tuple[Server, Keys]) -> None:
    server, keys = guarded
    assert refusal(server, "observe.list", OWN, None)["code"] == "TOKEN_MISSING"
    assert refusal(server, "observe.list", OWN, keys.by_another_key({"home": "viewer"}))["code"] == "TOKEN_INVALID"
    assert refusal(server, "observe.list", OWN, keys.expired({"home": "viewer"}))["code"] == "TOKEN_EXPIRED"


@pytest.mark.provokes("NAMESPACE_FORBIDDEN", "ROLE_REQUIRED")
def test_a_namespace_that_is_not_named_is_told_from_a_role_that_is_too_small(guarded: tuple[Server, Keys]) -> None:
    server, keys = guarded
    token = keys.token({"home": "viewer"}, sub="reader")
    assert refusal(server, "observe.list", {"namespace": "away"}, token)["code"] == "NAMESPACE_FORBIDDEN"
    detail = refusal(server, "observe.record", {"namespace": "home", "tool_name": "Bash"}, token)
    assert (detail["code"], detail["metadata"]["required"]) == ("ROLE_REQUIRED", "writer")


@pytest.mark.provokes("ALREADY_EXISTS", "LAST_ADMIN")
def test_a_name_is_taken_once_and_its_last_admin_stays(guarded: tuple[Server, Keys]) -> None:
    server, keys = guarded
    token = keys.token({}, sub="founder")
    allowed(server, "namespace.create", {"namespace": "taken"}, token)
    assert refusal(server, "namespace.create", {"namespace": "taken"}, token)["code"] == "ALREADY_EXISTS"
    args = {"namespace": "taken", "subject": "founder"}
    assert refusal(server, "namespace.revoke", args, token)["code"] == "LAST_ADMIN"


@pytest.mark.provokes("RATE_LIMITED")
def test_a_token_that_calls_too_often_is_told_when_to_come_back(guarded: tuple[Server, Keys]) -> None:
    server, keys = guarded
    token = keys.token({"home": "viewer"}, sub="eager")
    for _ in range(20):
        allowed(server, "observe.stats", {"namespace": "home"}, token)
    with httpx.Client(
        base_url=server.base_url, trust_env=False, headers={"authorization": f"Bearer {token}"}
    ) as client:
        # Calls come back with time: on a slow machine a few more than twenty are served.
        answers = (client.post("/v1/observe.stats", json={"namespace": "home"}) for _ in range(500))
        detail = check_http(next(answer for answer in answers if answer.status_code != 200))
    assert detail["code"] == "RATE_LIMITED"
    assert 0 < detail["retry_after_s"] <= 2


def test_a_users_token_reads_no_other_users_row_by_its_key(guarded: tuple[Server, Keys]) -> None:
    server, keys = guarded
    roles = {"home": "writer"}
    ada, eve = (keys.token(roles, sub=name, kind="user") for name in ("ada", "eve"))
    stored = allowed(server, "observe.record", {"namespace": "home", "agent": "a", "tool_name": "Bash"}, ada)
    args = {"namespace": "home", "memory_key": stored["memory_key"]}
    assert allowed(server, "observe.get", args, ada)["found"]
    foreign = allowed(server, "observe.get", args, eve)
    missing = allowed(server, "observe.get", {**args, "memory_key": "obs:-:00"}, eve)
    assert (foreign["found"], foreign["observation"]) == (False, None)
    assert {**foreign, "missing": []} == {**missing, "missing": []}
