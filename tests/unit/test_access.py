"""Token mode as a call meets it: who calls, whether the caller may, and what is left for the plane to see."""

import json
from pathlib import Path
from typing import Any

import pytest

from loom.directory.v1 import access_pb2
from loom.observe.v1 import extraction_pb2
from loom.options.v1 import options_pb2
from runtime.call import AGENT_HINT, AUTHORIZATION, Call
from runtime.clock import ManualClock
from runtime.errors import LoomError
from runtime.identity import Caller
from runtime.optable import method_of
from tests.support.access import ORG, AccessBench
from tests.support.ops import op_of_proto

SILENCE = LoomError("UPSTREAM_UNAVAILABLE", "the plane does not answer")
READ, WRITE, ADMINS = "observe.get", "observe.record", "namespace.members"


@pytest.fixture
def bench(tmp_path: Path) -> AccessBench:
    return AccessBench(tmp_path / "keys")


def get(bench: AccessBench, token: str | None, namespace: str = "notes", **fields: Any) -> Call:
    return bench.call(READ, token, namespace=namespace, memory_key="k", **fields)


def record(bench: AccessBench, token: str | None, namespace: str = "notes", **fields: Any) -> Call:
    return bench.call(WRITE, token, namespace=namespace, tool_name="Bash", **fields)


async def refusal(bench: AccessBench, call: Call) -> bytes:
    with pytest.raises(LoomError) as caught:
        await bench.enter(call)
    return json.dumps(caught.value.detail("r"), sort_keys=True).encode()


# --- the token


@pytest.mark.parametrize("op", ["ops.health", "ops.capabilities"])
@pytest.mark.parametrize("token", [None, "nonsense"])
async def test_a_public_op_needs_no_token_and_no_directory(bench: AccessBench, op: str, token: str | None) -> None:
    bench.directory.down = SILENCE
    assert await bench.code(bench.call(op, token)) == "OK"


@pytest.mark.parametrize(
    ("header", "code"),
    [
        (None, "TOKEN_MISSING"),
        ("", "TOKEN_MISSING"),
        (" ", "TOKEN_MISSING"),
        ("Bearer", "TOKEN_INVALID"),
        ("Bearer ", "TOKEN_INVALID"),
        ("Basic YTpi", "TOKEN_INVALID"),
        ("Token x", "TOKEN_INVALID"),
    ],
)
async def test_a_call_without_a_bearer_token_is_refused(bench: AccessBench, header: str | None, code: str) -> None:
    call = get(bench, None)
    call.metadata = {} if header is None else {AUTHORIZATION: header}
    assert await bench.code(call) == code


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
async def test_the_scheme_is_read_in_any_case(bench: AccessBench, scheme: str) -> None:
    call = get(bench, None)
    call.metadata = {AUTHORIZATION: f"{scheme} {bench.token('notes:viewer')}"}
    assert await bench.code(call) == "OK"


async def test_the_internal_key_opens_no_op(bench: AccessBench) -> None:
    call = get(bench, None)
    for header in (bench.key.header, "Bearer " + bench.key.header.split()[1]):
        call.metadata = {AUTHORIZATION: header}
        assert await bench.code(call) in {"TOKEN_MISSING", "TOKEN_INVALID"}


async def test_a_revoked_token_is_invalid_from_the_next_look_at_the_list(bench: AccessBench) -> None:
    token = bench.token("notes:viewer")
    assert await bench.code(get(bench, token)) == "OK"
    jti = bench.verifier.verify(token).jti
    bench.directory.revoked = [f"other/{jti}"]
    assert await bench.code(get(bench, token)) == "OK"
    bench.directory.revoked = [f"{ORG}/{jti}"]
    assert await bench.code(get(bench, token)) == "TOKEN_INVALID"


INTERNAL_RPCS = [
    method_of(method)
    for file in (extraction_pb2, access_pb2)
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
]


@pytest.mark.parametrize("method", INTERNAL_RPCS, ids=lambda method: method.rpc)
async def test_an_internal_rpc_takes_the_internal_key_alone(bench: AccessBench, method: Any) -> None:
    async def code(header: str | None) -> str:
        metadata = {} if header is None else {AUTHORIZATION: header}
        try:
            await bench.authenticator.identify(Call(method, method.request(), metadata, "grpc"))
        except LoomError as error:
            return error.code.name
        return "OK"

    bench.directory.down = SILENCE
    assert await code(bench.key.header) == "OK"
    assert await code(None) == "TOKEN_MISSING"
    assert await code(f"Bearer {bench.token('*:admin')}") == "TOKEN_MISSING"
    assert await code(bench.key.header[:-1]) == "TOKEN_INVALID"


# --- identity


async def test_a_service_tokens_subject_is_the_agent(bench: AccessBench) -> None:
    call = await bench.enter(record(bench, bench.token("notes:writer"), namespace=""))
    request = call.request
    assert (request.org, request.namespace, request.agent, request.user_id) == (ORG, "notes", "bot", "-")
    assert call.caller == Caller(ORG, "bot", "service", {"notes": "writer"}, "token", False, call.caller.jti)


async def test_a_user_tokens_subject_is_the_user(bench: AccessBench) -> None:
    call = record(bench, bench.token("notes:writer", sub="ann", kind="user"))
    request = (await bench.enter(call)).request
    assert (request.agent, request.user_id) == ("-", "ann")


async def test_the_doors_hint_names_the_agent_of_a_user_and_not_of_a_service(bench: AccessBench) -> None:
    for kind, agent in (("user", "desk"), ("service", "bot")):
        call = record(bench, bench.token("notes:writer", kind=kind))
        call.metadata = {**call.metadata, AGENT_HINT: "desk"}
        assert (await bench.enter(call)).request.agent == agent


@pytest.mark.parametrize("names", [(), ("*:writer",), ("notes:writer", "plans:writer")])
async def test_no_namespace_is_filled_where_the_token_does_not_name_exactly_one(
    bench: AccessBench, names: tuple[str, ...]
) -> None:
    assert await bench.code(record(bench, bench.token(*names), namespace="")) == "MISSING_FIELD"


async def test_what_the_caller_sent_stands(bench: AccessBench) -> None:
    call = record(bench, bench.token("notes:writer"), org=ORG, agent="other", user_id="ann", session_id="s")
    request = (await bench.enter(call)).request
    assert (request.agent, request.user_id, request.session_id) == ("other", "ann", "s")


# --- contradictions


async def test_another_org_than_the_tokens_is_refused_unasked(bench: AccessBench) -> None:
    for op in (READ, WRITE, "namespace.create", "namespace.list", "directory.audit", "token.mint"):
        call = bench.call(op, bench.token("*:admin", "notes:admin"), org="other")
        assert await bench.code(call) == "NAMESPACE_FORBIDDEN"
    assert not bench.directory.asked


@pytest.mark.parametrize(("user", "code"), [("ann", "OK"), ("-", "OK"), ("*", None), ("bob", None)])
async def test_a_users_token_speaks_for_that_user_alone(bench: AccessBench, user: str, code: str | None) -> None:
    call = record(bench, bench.token("notes:admin", sub="ann", kind="user"), user_id=user)
    assert await bench.code(call) == (code or "NAMESPACE_FORBIDDEN")


async def test_a_service_may_name_any_user(bench: AccessBench) -> None:
    assert await bench.code(record(bench, bench.token("notes:writer"), user_id="bob")) == "OK"


# --- roles


@pytest.mark.parametrize(("role", "code"), [("viewer", "ROLE_REQUIRED"), ("writer", "OK"), ("admin", "OK")])
async def test_a_write_needs_a_writer(bench: AccessBench, role: str, code: str) -> None:
    assert await bench.code(record(bench, bench.token(f"notes:{role}"))) == code


async def test_a_role_that_is_too_small_is_told_which_one_is_needed(bench: AccessBench) -> None:
    with pytest.raises(LoomError) as caught:
        await bench.enter(record(bench, bench.token("notes:viewer")))
    assert caught.value.metadata == {"required": "writer"}


async def test_a_live_grant_is_as_good_as_a_claim(bench: AccessBench) -> None:
    bench.directory.row("notes")
    token = bench.token()
    assert await bench.code(record(bench, token)) == "NAMESPACE_FORBIDDEN"
    bench.clock.advance(5)
    bench.directory.grant("notes", "bot", "writer")
    assert await bench.code(record(bench, token)) == "OK"


async def test_a_revoked_grant_ends_within_five_seconds(bench: AccessBench) -> None:
    bench.directory.row("notes")
    bench.directory.grant("notes", "bot", "writer")
    assert await bench.code(record(bench, bench.token())) == "OK"
    bench.directory.grant("notes", "bot", "")
    bench.clock.advance(5)
    assert await bench.code(record(bench, bench.token())) == "NAMESPACE_FORBIDDEN"


async def test_a_revoked_grant_in_a_restricted_namespace_ends_at_once(bench: AccessBench) -> None:
    bench.directory.row("notes", restricted=True)
    bench.directory.grant("notes", "bot", "writer")
    token = bench.token("notes:writer")
    assert await bench.code(record(bench, token)) == "OK"
    bench.directory.grant("notes", "bot", "")
    assert await bench.code(record(bench, token)) == "NAMESPACE_FORBIDDEN"


async def test_missing_restricted_and_foreign_are_refused_with_equal_bytes(bench: AccessBench) -> None:
    bench.directory.row("secret", restricted=True)
    bench.directory.grant("secret", "ann", "admin")
    bench.directory.row("open")
    wide, narrow = bench.token("*:admin"), bench.token("notes:admin", "secret:viewer")
    answers = [
        await refusal(bench, get(bench, wide, "missing")),
        await refusal(bench, get(bench, wide, "secret")),
        await refusal(bench, get(bench, wide, "missing", org="other")),
        await refusal(bench, get(bench, narrow, "missing")),
        await refusal(bench, get(bench, narrow, "open")),
        await refusal(bench, get(bench, narrow, "secret")),
        await refusal(bench, record(bench, narrow, "secret")),
        await refusal(bench, get(bench, bench.token("secret:admin", sub="bob"), "secret")),
        await refusal(bench, get(bench, wide, "*")),
    ]
    bench.directory.grant("secret", "bot", "viewer")
    answers.append(await refusal(bench, record(bench, narrow, "secret")))
    assert len(set(answers)) == 1


async def test_an_admin_of_the_org_administers_open_namespaces_and_no_restricted_one(bench: AccessBench) -> None:
    bench.directory.admins.add((ORG, "ann"))
    bench.directory.row("notes")
    bench.directory.row("secret", restricted=True)
    token = bench.token(sub="ann", kind="user")
    call = bench.call(ADMINS, token, namespace="notes")
    assert await bench.code(call) == "OK"
    assert call.caller.org_admin
    assert await bench.code(bench.call(ADMINS, token, namespace="secret")) == "NAMESPACE_FORBIDDEN"


async def test_a_claim_alone_administers_no_namespace_that_is_missing(bench: AccessBench) -> None:
    assert await bench.code(bench.call(ADMINS, bench.token("notes:admin"), namespace="notes")) == "NAMESPACE_FORBIDDEN"


@pytest.mark.parametrize("op", ["namespace.create", "namespace.list", "namespace.join"])
async def test_a_members_op_takes_any_token_of_the_org(bench: AccessBench, op: str) -> None:
    fields = {} if op == "namespace.list" else {"namespace": "anything"}
    call = bench.call(op, bench.token(), **fields)
    assert await bench.code(call) == "OK"
    assert (call.caller.subject, call.caller.org_admin) == ("bot", False)


@pytest.mark.parametrize(
    ("op", "fields"),
    [
        ("directory.audit", {}),
        ("directory.audit", {"namespace": "notes"}),
        ("directory.token_revoke", {"jti": "j"}),
        ("token.mint", {"subject": "bot", "namespaces": [{"namespace": "x", "role": "admin"}]}),
    ],
)
async def test_an_op_on_the_org_takes_its_admins_alone(bench: AccessBench, op: str, fields: dict[str, Any]) -> None:
    bench.directory.admins.add((ORG, "ann"))
    assert await bench.code(bench.call(op, bench.token("notes:admin", "*:writer"), **fields)) == "ROLE_REQUIRED"
    assert await bench.code(bench.call(op, bench.token("*:admin"), **fields)) == "OK"
    by_grant = bench.call(op, bench.token(sub="ann", kind="user"), **fields)
    assert await bench.code(by_grant) == "OK"
    assert by_grant.caller.org_admin


@pytest.mark.parametrize(
    ("role", "plain", "org_admin"),
    [
        (options_pb2.ROLE_VIEWER, "OK", "OK"),
        (options_pb2.ROLE_WRITER, "ROLE_REQUIRED", "OK"),
        (options_pb2.ROLE_ADMIN, "ROLE_REQUIRED", "OK"),
    ],
)
async def test_a_role_on_nothing_is_a_role_on_the_org(
    bench: AccessBench, role: int, plain: str, org_admin: str
) -> None:
    op = op_of_proto("string org = 1 [(loom.options.v1.field) = {identity: IDENTITY_ORG}];", role=role)

    async def code(token: str) -> str:
        return await bench.code(Call(op, op.request(), {AUTHORIZATION: f"Bearer {token}"}, "grpc"))

    assert (await code(bench.token("notes:admin")), await code(bench.token("*:admin"))) == (plain, org_admin)


async def test_an_optional_namespace_that_is_empty_gives_no_role(bench: AccessBench) -> None:
    op = op_of_proto("string org = 1; string namespace = 2;", role=options_pb2.ROLE_VIEWER)
    call = Call(op, op.request(), {AUTHORIZATION: f"Bearer {bench.token('*:admin')}"}, "grpc")
    assert await bench.code(call) == "MISSING_FIELD"


# --- secrecy


async def test_a_call_shows_neither_its_token_nor_what_was_sent(bench: AccessBench) -> None:
    token = bench.token("notes:writer")
    call = await bench.enter(record(bench, token, error="private words"))
    shown = repr(call)
    assert token[-20:] not in shown and "private words" not in shown
    assert isinstance(bench.clock, ManualClock)
