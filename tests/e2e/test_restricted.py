"""A restricted namespace wants a claim that names it and a live grant: whoever lacks one learns nothing, in equal bytes."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from gateway.examples import example_request
from runtime.optable import load_ops
from tests.support.guarded import DOORS, OK, ORG, Answer, Http, Keys, guarded_server, token_door
from tests.support.server import Server

NAME = "secret"
ON_NAMESPACE = [op for op in load_ops() if op.role in {"viewer", "writer", "admin"}]


@dataclass
class Scene:
    """A server with the restricted namespace `secret`, whose first admin is `owner`."""

    server: Server
    keys: Keys

    @property
    def owner(self) -> str:
        return self.keys.token({NAME: "admin"}, sub="owner")

    async def grant(self, door: Http, subject: str, role: str) -> None:
        args = {"org": ORG, "namespace": NAME, "subject": subject, "role": role}
        assert (await door.call("namespace.grant", args, self.owner)).code == OK

    async def revoke(self, door: Http, subject: str) -> None:
        args = {"org": ORG, "namespace": NAME, "subject": subject}
        assert (await door.call("namespace.revoke", args, self.owner)).code == OK


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with guarded_server(tmp_path_factory.mktemp("restricted")) as (server, keys):
        scene = Scene(server, keys)
        made = httpx.post(
            f"{server.base_url}/v1/namespace.create",
            json={"namespace": NAME, "restricted": True},
            headers={"Authorization": f"Bearer {scene.owner}"},
        )
        assert made.status_code == 200, made.text
        yield scene


@pytest.fixture
async def http(scene: Scene) -> AsyncIterator[Http]:
    door = Http(scene.server.base_url)
    yield door
    await door.aclose()


# The subject's grant, None for none, `revoked` for one that is no more; and the claims of its token.
SHORT_OF_IT: dict[str, tuple[str | None, dict[str, str]]] = {
    "claim without grant": (None, {NAME: "admin"}),
    "grant without claim": ("admin", {"elsewhere": "admin"}),
    "grant and no claims": ("admin", {}),
    "wildcard without grant": (None, {"*": "admin"}),
    "wildcard with grant": ("admin", {"*": "admin"}),
    "claim with a revoked grant": ("revoked", {NAME: "admin"}),
}


async def token_of(scene: Scene, http: Http, case: str) -> str:
    granted, roles = SHORT_OF_IT[case]
    subject = case.replace(" ", "-")
    if granted is not None:
        await scene.grant(http, subject, "admin")
    if granted == "revoked":
        await scene.revoke(http, subject)
    return scene.keys.token(roles, sub=subject)


def told(answer: Answer) -> tuple[Any, ...]:
    """All that a caller sees, but the request id."""
    request_id = answer.value.get("request_id", "")
    return answer.status, answer.code, answer.body.replace(request_id.encode(), b""), {**answer.value, "request_id": ""}


def arguments(op: Any, namespace: str) -> dict[str, Any]:
    fields = op.request.DESCRIPTOR.fields_by_name
    known = {"org": ORG, "namespace": namespace, "subject": "owner", "user_id": "-"}
    return example_request(op) | {name: value for name, value in known.items() if name in fields}


@pytest.mark.parametrize("name", DOORS)
@pytest.mark.parametrize("case", SHORT_OF_IT)
async def test_whoever_falls_short_is_answered_as_if_there_were_none(
    scene: Scene, http: Http, name: str, case: str
) -> None:
    token, door, wrong = await token_of(scene, http, case), token_door(name, scene.server), {}
    stranger = scene.keys.token({"elsewhere": "viewer"}, sub="stranger")
    for op in ON_NAMESPACE:
        refused = told(await door.call(op.name, arguments(op, NAME), token))
        missing = told(await door.call(op.name, arguments(op, "no-such"), stranger))
        if refused != missing or refused[1] != "NAMESPACE_FORBIDDEN":
            wrong[op.name] = refused
    await door.aclose()
    assert wrong == {}


async def test_the_same_token_sees_no_difference_between_it_and_none(scene: Scene, http: Http) -> None:
    for roles in ({}, {"elsewhere": "admin"}, {"*": "admin"}):
        token = scene.keys.token(roles, sub="eve")
        for op in ON_NAMESPACE:
            pair = [await http.call(op.name, arguments(op, namespace), token) for namespace in (NAME, "no-such")]
            assert told(pair[0]) == told(pair[1]), op.name


async def test_headers_tell_no_more_than_bodies(scene: Scene) -> None:
    token = scene.keys.token({"*": "viewer"}, sub="eve")
    headers = {"Authorization": f"Bearer {token}", "X-Request-Id": "same"}
    async with httpx.AsyncClient(base_url=scene.server.base_url, headers=headers, trust_env=False) as client:
        answers = [await client.post("/v1/observe.list", json={"namespace": name}) for name in (NAME, "no-such-ns")]
    shown = [(answer.status_code, answer.content, {**answer.headers, "date": ""}) for answer in answers]
    assert shown[0] == shown[1]


async def test_joining_it_answers_as_joining_none_does(scene: Scene, http: Http) -> None:
    for roles in ({NAME: "admin"}, {"*": "admin"}, {}):
        token = scene.keys.token(roles, sub="hopeful")
        pair = [await http.call("namespace.join", {"namespace": name}, token) for name in (NAME, "no-such")]
        assert told(pair[0]) == told(pair[1])
        assert pair[0].code == "NAMESPACE_FORBIDDEN"


async def test_it_is_listed_to_those_alone_who_may_read_it(scene: Scene, http: Http) -> None:
    await scene.grant(http, "reader", "viewer")

    async def sees(roles: dict[str, str], subject: str) -> bool:
        token = scene.keys.token(roles, sub=subject)
        answer = await http.call("namespace.list", {}, token)
        return NAME in [row["namespace"] for row in answer.value["namespaces"]]

    assert await sees({NAME: "viewer"}, "reader")
    assert not await sees({"elsewhere": "viewer"}, "reader")
    assert not await sees({"*": "admin"}, "reader")
    assert not await sees({NAME: "admin"}, "nobody")
    assert not await sees({"*": "admin"}, "root")


@pytest.mark.parametrize(
    ("claim", "granted", "holds"),
    [("admin", "viewer", "viewer"), ("viewer", "admin", "viewer"), ("writer", "writer", "writer")],
)
async def test_with_both_the_lesser_role_holds_and_more_is_not_told(
    scene: Scene, http: Http, claim: str, granted: str, holds: str
) -> None:
    subject = f"{claim}-{granted}"
    await scene.grant(http, subject, granted)
    token = scene.keys.token({NAME: claim}, sub=subject)
    read = await http.call("observe.stats", {"namespace": NAME}, token)
    written = await http.call("observe.record", {"namespace": NAME, "tool_name": "Bash"}, token)
    administered = await http.call("namespace.members", {"namespace": NAME}, token)
    codes = [read.code, written.code, administered.code]
    assert codes == [OK, OK if holds == "writer" else "NAMESPACE_FORBIDDEN", "NAMESPACE_FORBIDDEN"]


async def test_a_revoked_grant_ends_with_the_very_next_call(scene: Scene, http: Http) -> None:
    await scene.grant(http, "leaver", "writer")
    token = scene.keys.token({NAME: "writer"}, sub="leaver")
    record = {"namespace": NAME, "tool_name": "Bash"}
    assert (await http.call("observe.record", record, token)).code == OK
    await scene.revoke(http, "leaver")
    assert (await http.call("observe.record", record, token)).code == "NAMESPACE_FORBIDDEN"
    assert (await http.call("observe.list", {"namespace": NAME}, token)).code == "NAMESPACE_FORBIDDEN"


async def test_a_removed_one_leaves_its_name_and_nothing_else(scene: Scene, http: Http) -> None:
    owner = scene.keys.token({"gone": "admin"}, sub="owner")
    create = {"namespace": "gone", "restricted": True}
    assert (await http.call("namespace.create", create, owner)).code == OK
    assert (await http.call("observe.record", {"namespace": "gone", "tool_name": "Bash"}, owner)).code == OK
    assert (await http.call("namespace.remove", {"namespace": "gone"}, owner)).code == OK
    heir = scene.keys.token({"gone": "admin"}, sub="heir")
    assert (await http.call("namespace.create", create, heir)).code == OK
    assert (await http.call("observe.list", {"namespace": "gone"}, heir)).value["observations"] == []
    assert (await http.call("observe.list", {"namespace": "gone"}, owner)).code == "NAMESPACE_FORBIDDEN"
