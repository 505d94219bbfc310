"""Every op, every kind of caller, every door: allowed or refused as the op's options say, from the op table alone."""

import re
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from gateway.examples import example_request
from loom.options.v1 import options_pb2
from runtime.optable import Op, load_ops
from tests.support.guarded import DOORS, OK, ORG, Keys, Mcp, TokenDoor, guarded_server, token_door
from tests.support.server import Server

NAMESPACE_ROLES = ("viewer", "writer", "admin")
BAD_TOKENS: dict[str, tuple[str, Callable[[Keys, str], str | None]]] = {
    "no token": ("TOKEN_MISSING", lambda keys, ns: None),
    "garbage": ("TOKEN_INVALID", lambda keys, ns: "garbage"),
    "three empty parts": ("TOKEN_INVALID", lambda keys, ns: ".."),
    "expired": ("TOKEN_EXPIRED", lambda keys, ns: keys.expired({ns: "admin", "*": "admin"})),
    "another key": ("TOKEN_INVALID", lambda keys, ns: keys.by_another_key({ns: "admin", "*": "admin"})),
    "an unknown key": ("TOKEN_INVALID", lambda keys, ns: keys.by_another_key({"*": "admin"}, kid="0" * 24)),
    "HS256 with the public key": ("TOKEN_INVALID", lambda keys, ns: keys.by_public_key({ns: "admin", "*": "admin"})),
    "algorithm none": ("TOKEN_INVALID", lambda keys, ns: keys.unsigned({ns: "admin", "*": "admin"})),
    "altered claims": ("TOKEN_INVALID", lambda keys, ns: keys.altered({ns: "viewer"}, {ns: "admin", "*": "admin"})),
}
GOOD_TOKENS: dict[str, Callable[[Keys, str], str]] = {
    "another org": lambda keys, ns: keys.token({ns: "admin", "*": "admin"}, org="other"),
    "another namespace": lambda keys, ns: keys.token({"elsewhere": "admin"}),
    "viewer": lambda keys, ns: keys.token({ns: "viewer"}),
    "writer": lambda keys, ns: keys.token({ns: "writer"}),
    "admin": lambda keys, ns: keys.token({ns: "admin"}),
    "viewer of all": lambda keys, ns: keys.token({"*": "viewer"}),
    "writer of all": lambda keys, ns: keys.token({"*": "writer"}),
    "org admin": lambda keys, ns: keys.admin(),
    "another user": lambda keys, ns: keys.token({ns: "admin"}, kind="user", sub="eve"),
}
FIELD_ROLES = {"viewer of all": "viewer", "writer of all": "writer", "another user": "admin"}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Keys]]:
    with guarded_server(tmp_path_factory.mktemp("guarded")) as running:
        yield running


@pytest.fixture(params=DOORS)
async def a_door(request: pytest.FixtureRequest, guarded: tuple[Server, Keys]) -> AsyncIterator[TokenDoor]:
    door = token_door(request.param, guarded[0])
    yield door
    await door.aclose()


def arguments(op: Op, namespace: str) -> dict[str, Any]:
    """The least arguments that the op takes, about this organisation, namespace and user where it has such fields."""
    fields = op.request.DESCRIPTOR.fields_by_name
    args = example_request(op)
    return args | {
        name: value for name, value in (("org", ORG), ("namespace", namespace), ("user_id", "ada")) if name in fields
    }


def expected(op: Op, caller: str) -> str:
    """OK where the caller may, else the code of the refusal, by the op's options."""
    fields = op.request.DESCRIPTOR.fields_by_name
    if op.role == "public":
        return OK
    if (caller == "another org" and "org" in fields) or (caller == "another user" and "user_id" in fields):
        return "NAMESPACE_FORBIDDEN"
    if op.role == "member":
        return OK
    if op.role == "org_admin":
        return OK if caller == "org admin" else "ROLE_REQUIRED"
    if caller == "another namespace":
        return "NAMESPACE_FORBIDDEN"
    held = "admin" if caller == "org admin" else FIELD_ROLES.get(caller, caller)
    enough = NAMESPACE_ROLES.index(held) >= NAMESPACE_ROLES.index(op.role)
    return OK if enough else "ROLE_REQUIRED"


class Namespaces:
    """A namespace with a row for the next call; a new one where the last call may have changed the one before."""

    def __init__(self, door: TokenDoor, root: str, prefix: str) -> None:
        self._door, self._root, self._prefix = door, root, re.sub(r"\W", "-", prefix)
        self._made, self.current = 0, ""

    async def fresh(self) -> None:
        self._made += 1
        self.current = f"{self._prefix}-{self._made}"
        made = await self._door.call("namespace.create", {"org": ORG, "namespace": self.current}, self._root)
        assert made.code == OK, made.value


@pytest.mark.parametrize("caller", BAD_TOKENS)
async def test_a_bad_token_opens_public_ops_alone(guarded: tuple[Server, Keys], a_door: TokenDoor, caller: str) -> None:
    code, token_of = BAD_TOKENS[caller]
    token, wrong = token_of(guarded[1], "team"), {}
    for op in load_ops():
        answer = await a_door.call(op.name, arguments(op, "team"), token)
        if answer.code != (OK if op.role == "public" else code):
            wrong[op.name] = answer.code
    assert wrong == {}


@pytest.mark.parametrize("caller", GOOD_TOKENS)
async def test_a_caller_may_what_the_ops_options_say(
    guarded: tuple[Server, Keys], a_door: TokenDoor, caller: str, request: pytest.FixtureRequest
) -> None:
    keys, wrong = guarded[1], {}
    namespaces = Namespaces(a_door, keys.admin(), f"m-{request.node.callspec.id}")
    await namespaces.fresh()
    for op in load_ops():
        answer = await a_door.call(
            op.name, arguments(op, namespaces.current), GOOD_TOKENS[caller](keys, namespaces.current)
        )
        may = expected(op, caller)
        # Whether what an allowed caller asks for works out is another matter.
        if (answer.code if answer.is_auth else OK) != may or answer.code == "INTERNAL":
            wrong[op.name] = f"{answer.code}, not {may}"
        if may == OK and op.writes and op.role == "admin":
            await namespaces.fresh()
    assert wrong == {}


async def test_a_role_that_is_too_small_names_the_one_that_is_needed(
    guarded: tuple[Server, Keys], a_door: TokenDoor
) -> None:
    keys, wrong = guarded[1], {}
    namespaces = Namespaces(a_door, keys.admin(), f"small-{type(a_door).__name__}")
    await namespaces.fresh()
    token = keys.token({namespaces.current: "viewer"})
    for op in load_ops():
        if op.role in {"writer", "admin", "org_admin"}:
            answer = await a_door.call(op.name, arguments(op, namespaces.current), token)
            if answer.value.get("metadata") != {"required": op.role}:
                wrong[op.name] = answer.value
    assert wrong == {}


def test_every_op_declares_who_may_call_it() -> None:
    declared = set(options_pb2.Role.values()) - {options_pb2.ROLE_UNSPECIFIED}
    for op in load_ops():
        assert op.method.GetOptions().Extensions[options_pb2.op].role in declared


async def test_mcp_shows_the_contract_without_a_token_and_serves_no_op(guarded: tuple[Server, Keys]) -> None:
    mcp = Mcp(guarded[0].base_url)
    handshake = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "nobody", "version": "1"},
    }
    assert (await mcp.post("initialize", handshake))["serverInfo"]["name"] == "loom"
    tools = {tool["name"] for tool in (await mcp.post("tools/list", {}))["tools"]}
    assert tools >= {op.tool for op in load_ops() if op.listed}
    refused = await mcp.post("tools/call", {"name": "loom_observe_stats", "arguments": {}})
    assert (refused["isError"], refused["structuredContent"]["detail"]["code"]) == (True, "TOKEN_MISSING")
    await mcp.aclose()
