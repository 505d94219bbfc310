"""The JSON Schemas of the ops: what they say, and that the server agrees with them."""

from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from jsonschema import Draft202012Validator

from gateway.codec import codec_for
from gateway.schema import ERROR_DETAIL, Schema, message_schema, request_schema, response_schema
from loom.observe.v1 import observe_pb2
from loom.ops.v1 import ops_pb2
from runtime.errors import LoomError
from runtime.ids import new_id
from runtime.optable import Op, comment_of, load_ops
from runtime.validation import fill_identity, validator_for
from tests.support.protos import compile_proto

OPS = list(load_ops())
RECORD = request_schema(observe_pb2.RecordRequest)
IDENTITY = {1: "dev", 2: "local", 3: "-"}


def each_schema(schema: Schema) -> Iterator[Schema]:
    """The schema and everything below it."""
    yield schema
    for nested in [*schema.get("properties", {}).values(), schema.get("items"), schema.get("additionalProperties")]:
        if isinstance(nested, dict):
            yield from each_schema(nested)


def accepts(schema: Schema, value: Any) -> bool:
    return Draft202012Validator(schema).is_valid(value)


def message(body: str) -> type[Message]:
    """The message M that `body` declares."""
    return GetMessageClass(compile_proto(f"schema{new_id()}", body).message_types_by_name["M"])


def field(kind: str, options: str = "") -> type[Message]:
    """A message with one field `f`."""
    rules = f" [(loom.options.v1.field) = {{{options}}}]" if options else ""
    return message(f"message M {{ {kind} f = 1{rules}; }}")


def requested(kind: str, options: str = "") -> Schema:
    return request_schema(field(kind, options))["properties"]["f"]


def answered(kind: str, options: str = "") -> Schema:
    return response_schema(field(kind, options))["properties"]["f"]


def without_text(schema: Schema) -> Schema:
    return {key: value for key, value in schema.items() if key != "description"}


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_schemas_are_valid_and_plain(op: Op) -> None:
    for schema in (request_schema(op.request), response_schema(op.response)):
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
        for nested in each_schema(schema):
            assert not nested.keys() & {"$ref", "$defs", "anyOf", "oneOf", "allOf"}
            assert nested.get("additionalProperties") is not False


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_every_field_says_what_it_means(op: Op) -> None:
    for schema in (request_schema(op.request), response_schema(op.response)):
        for nested in each_schema(schema):
            assert all(field["description"] for field in nested.get("properties", {}).values())


def test_descriptions_are_the_comments_of_the_contract() -> None:
    assert RECORD["description"] == comment_of("loom.observe.v1.RecordRequest")
    assert RECORD["properties"]["tags"]["description"] == comment_of("loom.observe.v1.RecordRequest.tags")


def test_a_schema_is_made_once() -> None:
    assert request_schema(observe_pb2.RecordRequest) is RECORD


def test_what_the_callers_identity_fills_is_not_required() -> None:
    assert RECORD["required"] == ["tool_name"]


def test_nothing_is_listed_as_required_where_nothing_is() -> None:
    assert "required" not in request_schema(observe_pb2.ListRequest)


def test_an_empty_required_field_does_not_do() -> None:
    assert not accepts(RECORD, {"tool_name": ""})
    assert not accepts(request_schema(observe_pb2.RecordBatchRequest), {"records": []})
    assert requested("map<string, string>", "required: true")["minProperties"] == 1


def test_an_identity_field_may_be_empty() -> None:
    assert accepts(RECORD, {"tool_name": "Bash", "org": ""})


def test_unknown_arguments_are_accepted_at_any_depth() -> None:
    assert accepts(RECORD, {"tool_name": "Bash", "novel": 1})
    assert accepts(request_schema(observe_pb2.RecordBatchRequest), {"records": [{"tool_name": "Bash", "novel": 1}]})


def test_defaults_come_from_the_contract() -> None:
    listed = request_schema(observe_pb2.ListRequest)["properties"]
    assert (listed["page_size"]["default"], listed["user_id"]["default"]) == (50, "*")
    assert RECORD["properties"]["metadata"]["default"] == {}
    assert "default" not in RECORD["properties"]["tool_name"]


def test_a_list_answered_entry_by_entry_says_so() -> None:
    records = request_schema(observe_pb2.RecordBatchRequest)["properties"]["records"]
    assert "refused is answered in `results`" in records["description"]


@pytest.mark.parametrize("value", [None, True, 10**30, 0.5, "text", [1, "a"], {"a": {"b": []}}])
def test_json_text_takes_any_json(value: Any) -> None:
    assert accepts(RECORD, {"tool_name": "Bash", "tool_input": value})


def test_json_text_of_object_shape_takes_objects_alone() -> None:
    assert accepts(RECORD, {"tool_name": "Bash", "metadata": {"a": 1}})
    assert not accepts(RECORD, {"tool_name": "Bash", "metadata": [1]})


def test_an_answer_may_be_null_where_its_json_text_is_empty() -> None:
    assert without_text(answered("string", "json_text: true json_shape: JSON_SHAPE_OBJECT")) == {
        "type": ["object", "null"]
    }
    assert without_text(answered("string", "json_text: true")) == {}


def test_words_are_an_enum_and_an_empty_text_means_not_given() -> None:
    assert requested("string", 'words: "a" words: "b"')["enum"] == ["a", "b", ""]
    assert requested("string", 'words: "a" required: true')["enum"] == ["a"]
    assert requested("repeated string", 'words: "a"')["items"]["enum"] == ["a"]
    assert answered("optional string", 'words: "a"')["enum"] == ["a", "", None]


def test_limits_stand_where_json_schema_has_them() -> None:
    assert without_text(requested("string", "max_chars: 5")) == {"type": "string", "maxLength": 5}
    assert without_text(requested("repeated string", "max_chars: 5 max_items: 6")) == {
        "type": "array",
        "items": {"type": "string", "maxLength": 5},
        "maxItems": 6,
    }
    assert without_text(requested("map<string, string>", "max_chars: 5 max_items: 6")) == {
        "type": "object",
        "additionalProperties": {"type": "string", "maxLength": 5},
        "maxProperties": 6,
    }
    assert without_text(requested("double", "min: -1 max: 2 has_range: true")) == {
        "type": "number",
        "minimum": -1,
        "maximum": 2,
    }


@pytest.mark.parametrize(
    ("kind", "least", "greatest"),
    [("int32", -(2**31), 2**31 - 1), ("sint64", 1 - 2**53, 2**53 - 1), ("uint32", 0, 2**32 - 1)],
)
def test_whole_numbers_are_bounded_as_the_codec_bounds_them(kind: str, least: int, greatest: int) -> None:
    assert without_text(requested(kind)) == {"type": "integer", "minimum": least, "maximum": greatest}
    assert without_text(requested(kind, "min: 1 max: 5 has_range: true")) == {
        "type": "integer",
        "minimum": 1,
        "maximum": 5,
    }


def test_64_bit_answers_stay_below_2_to_the_53() -> None:
    assert answered("int64")["maximum"] == 2**53 - 1
    assert answered("map<string, int64>")["additionalProperties"]["maximum"] == 2**53 - 1
    assert without_text(answered("int32")) == {"type": "integer"}


def test_bytes_are_base64_text() -> None:
    assert without_text(requested("bytes")) == {"type": "string", "contentEncoding": "base64"}


def test_an_enum_is_the_set_of_its_names() -> None:
    kind = message("enum E { E_A = 0; E_B = 1; } message M { E f = 1; }")
    assert request_schema(kind)["properties"]["f"]["enum"] == ["E_A", "E_B"]


def test_a_message_that_contains_itself_has_no_schema() -> None:
    with pytest.raises(ValueError, match="contains itself"):
        request_schema(message("message M { repeated M children = 1; }"))


def test_a_message_may_stand_twice_beside_itself() -> None:
    kind = message("message N { string f = 1; } message M { N a = 1; repeated N b = 2; }")
    properties = message_schema(kind)["properties"]
    assert properties["b"]["items"]["properties"] == properties["a"]["properties"]


def test_an_optional_input_may_be_null_unless_something_stands_in_for_it() -> None:
    assert requested("optional string")["type"] == ["string", "null"]
    assert requested("optional int32", 'default_json: "5"')["type"] == "integer"
    assert requested("optional int32", "required: true")["type"] == "integer"
    assert requested("string")["type"] == "string"


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_every_output_is_required_and_ignored_args_is_not(op: Op) -> None:
    schema = response_schema(op.response)
    names = [field.name for field in op.response.DESCRIPTOR.fields]
    assert schema.get("required", []) == names
    assert [*schema["properties"]] == [*names, "ignored_args"]
    for nested in each_schema(message_schema(op.response)):
        assert nested.get("required", []) == [*nested.get("properties", {})]


def test_optional_outputs_may_be_null_and_no_others() -> None:
    properties = response_schema(observe_pb2.GetResponse)["properties"]
    assert properties["observation"]["type"] == ["object", "null"]
    assert properties["observation"]["properties"]["valid_at"]["type"] == ["string", "null"]
    assert properties["found"]["type"] == "boolean"
    assert ERROR_DETAIL["properties"]["retry_after_s"]["type"] == ["number", "null"]


FULL = observe_pb2.Observation(memory_key="obs:-:1", valid_at="2026-01-31", tags=["a"])
DETAIL = {"code": "INTERNAL", "metadata": {"a": "b"}, "retry_after_s": 0.5}


@pytest.mark.parametrize(
    "response",
    [
        observe_pb2.RecordResponse(),
        observe_pb2.GetResponse(),
        observe_pb2.GetResponse(found=True, observation=FULL, observations=[FULL], missing=["a"]),
        observe_pb2.RecordBatchResponse(results=[{}, {"detail": DETAIL}]),
        observe_pb2.StatsResponse(observations=2**53 - 1, by_kind={"error": 3}, by_session=[{"errors": 1}]),
        ops_pb2.HealthResponse(uptime_s=0.25, components=[{"name": "observe"}]),
        ops_pb2.CapabilitiesResponse(max_body_bytes=1),
    ],
    ids=lambda response: response.DESCRIPTOR.name,
)
def test_what_the_server_answers_fits_the_schema(response: Message) -> None:
    body = codec_for(type(response)).encode(response)
    Draft202012Validator(response_schema(type(response))).validate(body)
    Draft202012Validator(response_schema(type(response))).validate({**body, "ignored_args": ["a.b"]})


def serve(kind: type[Message], args: dict[str, Any]) -> None:
    """What the doors and the chain do with arguments before the op sees them. Raises LoomError."""
    decoded = codec_for(kind).decode(args)
    fill_identity(decoded.message, IDENTITY)
    validator_for(kind)(decoded.message)


REQUESTS: list[tuple[type[Message], dict[str, Any], bool]] = [
    (observe_pb2.RecordRequest, {"tool_name": "Bash"}, True),
    (observe_pb2.RecordRequest, {"tool_name": "Bash", "error": None, "tags": [], "metadata": {}}, True),
    (observe_pb2.RecordRequest, {"tool_name": "x" * 256}, True),
    (observe_pb2.RecordRequest, {"tool_name": "x" * 257}, False),
    (observe_pb2.RecordRequest, {"tool_name": ""}, False),
    (observe_pb2.RecordRequest, {}, False),
    (observe_pb2.RecordRequest, {"tool_name": 5}, False),
    (observe_pb2.RecordRequest, {"tool_name": "Bash", "tags": "a"}, False),
    (observe_pb2.RecordRequest, {"tool_name": "Bash", "tags": ["x" * 257]}, False),
    (observe_pb2.RecordRequest, {"tool_name": "Bash", "tags": ["a"] * 257}, False),
    (observe_pb2.RecordRequest, {"tool_name": "Bash", "metadata": []}, False),
    (observe_pb2.RecordBatchRequest, {"records": [{"tool_name": "Bash"}] * 500}, True),
    (observe_pb2.RecordBatchRequest, {"records": [{"tool_name": "Bash"}] * 501}, False),
    (observe_pb2.RecordBatchRequest, {"records": []}, False),
    (observe_pb2.ListRequest, {"kind": "error", "page_size": 1}, True),
    (observe_pb2.ListRequest, {"kind": "", "page_size": 500}, True),
    (observe_pb2.ListRequest, {"kind": "novel"}, False),
    (observe_pb2.ListRequest, {"page_size": 0}, False),
    (observe_pb2.ListRequest, {"page_size": 501}, False),
    (observe_pb2.ListRequest, {"page_size": "50"}, False),
    (observe_pb2.ListRequest, {"page_size": 1.5}, False),
    (observe_pb2.ListRequest, {"page_size": 2.0}, True),
]


@pytest.mark.parametrize(("kind", "args", "good"), REQUESTS)
def test_the_server_takes_what_the_schema_takes(kind: type[Message], args: dict[str, Any], good: bool) -> None:
    assert accepts(request_schema(kind), args) is good
    if good:
        serve(kind, args)
    else:
        with pytest.raises(LoomError):
            serve(kind, args)
