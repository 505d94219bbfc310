"""The OpenAPI document: valid, complete, and true to the contract and to the registry of errors."""

from typing import Any

import pytest
import schemathesis
from jsonschema import Draft202012Validator

from gateway.examples import example, example_request
from gateway.openapi import codes_of, openapi
from gateway.schema import request_schema, response_schema
from loom import __version__
from loom.options.v1 import options_pb2
from runtime.errors import REGISTRY, Code, LoomError
from runtime.optable import Op, load_ops
from tests.support.ops import op_of_proto

OPS = list(load_ops())
DOCUMENT = openapi(OPS)

RULES = "[(loom.options.v1.field) = {%s}]"
STRICT = "string f = 1 " + RULES % "required: true max_chars: 5" + ";"


def post(op: Op) -> dict[str, Any]:
    return DOCUMENT["paths"][f"/v1/{op.http_path}"]["post"]


def resolved(node: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in node:
        return node
    found: Any = DOCUMENT
    for key in node["$ref"].removeprefix("#/").split("/"):
        found = found[key]
    return found


def names(op: Op) -> set[str]:
    return {code.name for code in codes_of(op)}


def statuses(document: dict[str, Any], op: Op) -> set[str]:
    return set(document["paths"][f"/v1/{op.http_path}"]["post"]["responses"])


def test_schemathesis_finds_the_document_valid_and_every_op_in_it() -> None:
    loaded = schemathesis.openapi.from_dict(DOCUMENT)
    loaded.validate()
    found = {result.ok().label for result in loaded.get_all_operations()}
    assert found == {f"POST /v1/{op.http_path}" for op in OPS}


def test_the_document_names_the_version_that_serves_it() -> None:
    assert DOCUMENT["info"]["version"] == __version__


def test_every_reference_leads_somewhere() -> None:
    def walk(node: Any) -> None:
        if isinstance(node, dict):
            assert resolved(node) is not None
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(DOCUMENT)


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_an_operation_has_the_schemas_of_its_op(op: Op) -> None:
    operation = post(op)
    request = operation["requestBody"]["content"]["application/json"]["schema"]
    response = operation["responses"]["200"]["content"]["application/json"]["schema"]
    assert resolved(request) == request_schema(op.request)
    assert resolved(response) == response_schema(op.response)


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_an_operation_says_what_its_op_is(op: Op) -> None:
    operation = post(op)
    assert operation["description"] == op.doc
    assert operation["tags"] == [op.plane]
    assert operation["x-loom"] == {"op": op.name, "role": op.role, "writes": op.writes, "idempotent": op.idempotent}
    assert operation["summary"] and not operation["summary"].endswith(".")


def test_operation_ids_are_names_that_programs_can_use() -> None:
    ids = [post(op)["operationId"] for op in OPS]
    assert len(set(ids)) == len(ids)
    assert all(name.isidentifier() for name in ids)


def test_tags_are_the_planes_with_what_they_do() -> None:
    assert [tag["name"] for tag in DOCUMENT["tags"]] == sorted({op.plane for op in OPS})
    assert all(tag["description"] for tag in DOCUMENT["tags"])


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_an_operation_documents_each_status_that_it_may_fail_with(op: Op) -> None:
    assert statuses(DOCUMENT, op) == {"200", *(str(code.http) for code in codes_of(op))}
    for code in codes_of(op):
        assert f"`{code.name}`" in resolved(post(op)["responses"][str(code.http)])["description"]


# The ops that may fail with a code that not every op has, as their code says it.
FIT = {"tracker.source.add", "tracker.source.remap", "tracker.source.rotate"}
OF_OPS = {
    "SESSION_NOT_FOUND": {"memory.session_end"},
    "OBSERVATION_NOT_FOUND": {"memory.update"},
    "LAST_ADMIN": {"namespace.grant", "namespace.revoke"},
    "SOURCE_CONTRACT_FAILED": FIT,
    "SOURCE_WRITABLE": FIT,
    "SOURCE_UNREACHABLE": FIT | {"tracker.source.check"},
    "SOURCE_NOT_FOUND": FIT - {"tracker.source.add"} | {"tracker.source.check"},
    "QUOTA_EXCEEDED": {"tracker.source.add"},
    "ALREADY_EXISTS": {
        *("tracker.source.add", "tracker.load", "code.repo.add", "code.repo.add_branch", "namespace.create"),
    },
    "NOT_A_TRACKER_NAMESPACE": {
        *(op.name for op in OPS if op.name.startswith(("tracker.", "code.")) and op.role == "viewer"),
        *("code.repo.set_access", "code.repo.set_source"),
    },
}


@pytest.mark.parametrize("code", OF_OPS)
def test_a_code_is_said_of_the_ops_that_may_fail_with_it_alone(code: str) -> None:
    assert {op.name for op in OPS if code in names(op)} == OF_OPS[code]


def test_every_code_that_names_ops_names_such_as_there_are() -> None:
    assert {name for name, code in REGISTRY.items() if code.ops} == OF_OPS.keys()
    served = {op.name for op in OPS}
    for code in REGISTRY.values():
        assert {each for each in code.ops if not each.endswith(".")} <= served


def test_the_statuses_that_every_op_may_answer_are_there() -> None:
    for op in OPS:
        assert statuses(DOCUMENT, op) >= {"400", "403", "404", "413", "415", "429", "500", "501", "503", "504"}


def test_every_failure_has_the_envelope() -> None:
    for response in DOCUMENT["components"]["responses"].values():
        schema = resolved(response["content"]["application/json"]["schema"])
        for code in REGISTRY:
            Draft202012Validator(schema).validate({"detail": LoomError(code, "m", field="f").detail("r")})
        assert not Draft202012Validator(schema).is_valid({"detail": {"code": "INTERNAL"}})


def test_retry_after_stands_where_a_call_may_be_tried_again() -> None:
    responses = DOCUMENT["components"]["responses"]
    assert "Retry-After" in responses["Failure429"]["headers"]
    assert "Retry-After" in responses["Failure503"]["headers"]
    assert "Retry-After" not in responses["Failure400"]["headers"]
    assert all("X-Request-Id" in response["headers"] for response in responses.values())


def test_a_401_documents_its_challenge() -> None:
    responses = DOCUMENT["components"]["responses"]
    assert [name for name, found in responses.items() if "WWW-Authenticate" in found["headers"]] == ["Failure401"]


def test_an_op_with_a_path_of_its_own_stands_at_that_path() -> None:
    assert DOCUMENT["paths"]["/v1/admin/token.mint"]["post"]["x-loom"]["op"] == "token.mint"
    assert "/v1/token.mint" not in DOCUMENT["paths"]


def test_codes_for_calls_that_reach_no_op_are_not_documented_at_ops() -> None:
    assert "405" not in post(OPS[0])["responses"]
    assert names(OPS[0]).isdisjoint({"METHOD_NOT_ALLOWED", "ROUTE_NOT_FOUND"})


def test_field_codes_stand_where_the_contract_makes_them_possible() -> None:
    field_codes = {"INVALID_FIELD", "MISSING_FIELD", "FIELD_TOO_LONG"}
    assert names(op_of_proto()) & field_codes == set()
    assert names(op_of_proto("string f = 1;")) & field_codes == {"INVALID_FIELD"}
    assert names(op_of_proto(STRICT)) & field_codes == field_codes
    assert names(op_of_proto(f"repeated N n = 1; }} message N {{ {STRICT}")) & field_codes == field_codes


def test_a_conflict_stands_at_writing_ops_and_token_codes_at_ops_that_ask_for_a_role(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(REGISTRY, "ROW_TAKEN", Code("ROW_TAKEN", "ABORTED", 409, "conflict", True, "Read it again."))
    monkeypatch.setitem(REGISTRY, "NO_TOKEN", Code("NO_TOKEN", "UNAUTHENTICATED", 401, "auth", False, "Send one."))
    public = op_of_proto(role=options_pb2.ROLE_PUBLIC, kind=options_pb2.KIND_READ)
    writing = op_of_proto(role=options_pb2.ROLE_WRITER, kind=options_pb2.KIND_WRITE)
    assert names(public).isdisjoint({"ROW_TAKEN", "NO_TOKEN"})
    assert names(writing) >= {"ROW_TAKEN", "NO_TOKEN"}
    document = openapi([public, writing])
    assert statuses(document, writing) - statuses(document, public) == {"401", "409"}


def test_a_token_may_be_left_out_unless_the_installation_asks_for_one() -> None:
    assert DOCUMENT["security"] == [{"bearer": []}, {}]
    assert openapi(OPS, token_required=True)["security"] == [{"bearer": []}]


def test_public_ops_ask_for_no_token() -> None:
    for op in OPS:
        assert ("security" in post(op)) is (op.role == "public")
        assert post(op).get("security", []) == []


def test_a_body_may_be_left_out_where_nothing_is_required() -> None:
    bodies = {op.name: post(op)["requestBody"]["required"] for op in OPS}
    assert bodies["observe.record"] is True
    assert bodies["ops.health"] is False


def test_a_request_id_of_any_text_is_let_through() -> None:
    parameter = resolved(post(OPS[0])["parameters"][0])
    assert (parameter["name"], parameter["schema"]) == ("X-Request-Id", {"type": "string"})


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_examples_fit_their_schemas(op: Op) -> None:
    example_body = post(op)["requestBody"]["content"]["application/json"]["example"]
    assert example_body == example_request(op)
    Draft202012Validator(request_schema(op.request)).validate(example_body)


def test_an_example_holds_what_is_required_and_else_one_argument_of_the_ops_own() -> None:
    by_name = {op.name: example_request(op) for op in OPS}
    assert [*by_name["observe.record"]] == ["tool_name"]
    assert [*by_name["observe.get"]] == ["memory_key"]
    assert by_name["ops.health"] == {}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string", "description": "A tool, such as `Bash`."}, "Bash"),
        ({"type": "string", "description": "A day, `YYYY-MM-DD`."}, "2026-01-31"),
        ({"type": "string", "description": "An instant, RFC 3339."}, "2026-01-31T09:30:00Z"),
        ({"type": "string", "description": ""}, "some-name"),
        ({"type": "string", "maxLength": 4}, "some"),
        ({"type": ["string", "null"]}, "some-name"),
        ({"type": "string", "contentEncoding": "base64"}, "AAAA"),
        ({"type": "string", "enum": ["a", ""]}, "a"),
        ({"type": "integer", "minimum": 5, "maximum": 9, "default": 7}, 7),
        ({"type": "integer", "minimum": 5, "maximum": 9}, 5),
        ({"type": "integer", "minimum": -5, "maximum": 0}, 0),
        ({"type": "integer", "minimum": -5, "maximum": 10}, 1),
        ({"type": "number"}, 1),
        ({"type": "boolean"}, True),
        ({"type": "array", "items": {"type": "string"}, "description": "Tools, such as `Bash`."}, ["Bash"]),
        ({"type": "object"}, {"key": "value"}),
        ({}, {"key": "value"}),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, {"key": 1}),
        ({"type": "object", "properties": {"a": {"type": "boolean"}, "b": {}}, "required": ["a"]}, {"a": True}),
    ],
)
def test_examples_come_from_the_schema_and_the_comment(schema: dict[str, Any], value: Any) -> None:
    made = example("some_name", schema)
    assert made == value
    Draft202012Validator(schema).validate(made)
