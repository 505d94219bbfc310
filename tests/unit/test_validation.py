import zlib
from typing import Any

import pytest
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.observe.v1 import extraction_pb2 as extraction
from loom.observe.v1 import observe_pb2 as observe
from loom.options.v1 import options_pb2 as options
from runtime.errors import LoomError
from runtime.validation import IDENTITY_FIELDS, fill_identity, validator_for
from tests.support.messages import contract_messages, messages
from tests.support.protos import compile_proto

SOURCE = """
message Rules {
  string must = 1 [(loom.options.v1.field) = {required: true, max_chars: 5}];
  string word = 2 [(loom.options.v1.field) = {words: ["red", "blue"]}];
  optional string maybe_word = 3 [(loom.options.v1.field) = {words: ["red", "blue"]}];
  int32 count = 4 [(loom.options.v1.field) = {default_json: "7", min: 1, max: 9, has_range: true}];
  optional int32 maybe_count = 5 [(loom.options.v1.field) = {min: 1, max: 9, has_range: true}];
  double share = 6 [(loom.options.v1.field) = {min: 0, max: 1, has_range: true}];
  repeated string tags = 7 [(loom.options.v1.field) = {max_chars: 3, max_items: 2}];
  repeated string colours = 8 [(loom.options.v1.field) = {words: ["red"], default_json: "[\\"red\\"]"}];
  map<string, string> labels = 9 [(loom.options.v1.field) = {max_chars: 3, max_items: 2}];
  string object = 10 [(loom.options.v1.field) = {json_text: true, json_shape: JSON_SHAPE_OBJECT}];
  repeated string objects = 11 [(loom.options.v1.field) = {json_text: true, json_shape: JSON_SHAPE_OBJECT}];
  string any_json = 12 [(loom.options.v1.field) = {json_text: true}];
  optional string maybe_text = 13 [(loom.options.v1.field) = {default_json: "\\"d\\""}];
  Part part = 14;
  repeated Part parts = 15;
  map<string, Part> named_parts = 16;
  repeated Part answered = 17 [(loom.options.v1.field) = {answered_by: "results", max_items: 2}];
  string json_default = 18 [(loom.options.v1.field) = {json_text: true, default_json: "{\\"a\\": [1]}"}];
  string owner = 19 [(loom.options.v1.field) = {identity: IDENTITY_USER}];
  string free = 20;
  string small_object = 21 [(loom.options.v1.field) = {
    max_chars: 4, words: ["{}", "[]"], json_text: true, json_shape: JSON_SHAPE_OBJECT
  }];
}
message Part {
  string name = 1 [(loom.options.v1.field) = {required: true}];
  repeated Part parts = 2;
  string org = 3;
}
message Needs {
  repeated string list = 1 [(loom.options.v1.field) = {required: true}];
}
message NeedsOptional {
  optional string text = 1 [(loom.options.v1.field) = {required: true}];
  optional int32 number = 2 [(loom.options.v1.field) = {required: true}];
  int32 plain = 3 [(loom.options.v1.field) = {required: true}];
  NoRules part = 4 [(loom.options.v1.field) = {required: true}];
  optional bool flag = 5 [(loom.options.v1.field) = {required: true}];
  map<string, string> labels = 6 [(loom.options.v1.field) = {required: true}];
}
message NoRules { string text = 1; NoRules inner = 2; }
"""
FILE = compile_proto("loom_test.rules", SOURCE)
Rules, Part, Needs, NeedsOptional, NoRules = (
    GetMessageClass(FILE.message_types_by_name[name]) for name in ("Rules", "Part", "Needs", "NeedsOptional", "NoRules")
)


def validated(**fields: Any) -> Message:
    message = Rules(**{"must": "x", **fields})
    validator_for(Rules)(message)
    return message


def refusal(message: Message, prefix: str = "") -> LoomError:
    with pytest.raises(LoomError) as caught:
        validator_for(type(message))(message, prefix)
    return caught.value


def test_a_required_field_that_is_empty_is_missing() -> None:
    error = refusal(Rules())
    assert (error.code.name, error.metadata) == ("MISSING_FIELD", {"field": "must"})
    assert refusal(Needs()).metadata == {"field": "list"}


@pytest.mark.parametrize("missing", ["text", "number", "plain", "part", "flag", "labels"])
def test_required_holds_for_every_type_of_field(missing: str) -> None:
    given = {"text": "a", "number": 0, "plain": 1, "part": {}, "flag": False, "labels": {"a": ""}}
    validator_for(NeedsOptional)(NeedsOptional(**given))
    del given[missing]
    error = refusal(NeedsOptional(**given))
    assert (error.code.name, error.metadata) == ("MISSING_FIELD", {"field": missing})


def test_an_optional_text_that_is_sent_empty_is_missing_where_it_is_required() -> None:
    assert refusal(NeedsOptional(text="")).metadata == {"field": "text"}


def test_defaults_fill_what_is_empty_and_nothing_else() -> None:
    message = validated()
    assert (message.count, list(message.colours), message.maybe_text) == (7, ["red"], "d")
    assert message.json_default == '{"a":[1]}'
    assert not message.HasField("maybe_count")
    kept = validated(count=3, colours=["red", "red"], maybe_text="", json_default="[]")
    assert (kept.count, len(kept.colours), kept.maybe_text, kept.json_default) == (3, 2, "", "[]")


def test_a_zero_is_not_given_unless_the_field_is_optional() -> None:
    assert validated(count=0).count == 7
    error = refusal(Rules(must="x", maybe_count=0))
    assert (error.code.name, str(error)) == ("INVALID_FIELD", "maybe_count must be between 1 and 9")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"count": 10}, "count must be between 1 and 9"),
        ({"count": -1}, "count must be between 1 and 9"),
        ({"maybe_count": 10}, "maybe_count must be between 1 and 9"),
        ({"share": 1.5}, "share must be between 0 and 1"),
        ({"share": float("nan")}, "share must be between 0 and 1"),
        ({"word": "green"}, "word must be one of red, blue"),
        ({"word": "RED"}, "word must be one of red, blue"),
        ({"maybe_word": "green"}, "maybe_word must be one of red, blue"),
        ({"colours": ["red", "green"]}, "colours[1] must be one of red"),
        ({"colours": [""]}, "colours[0] must be one of red"),
        ({"object": "{"}, "object must be JSON text"),
        ({"object": "[1]"}, "object must be a JSON object"),
        ({"object": "null"}, "object must be a JSON object"),
        ({"objects": ["{}", '{"a":1}', "1"]}, "objects[2] must be a JSON object"),
        ({"owner": "a\nb"}, "owner must be text without control characters"),
    ],
)
def test_values_outside_what_a_field_takes_are_refused(fields: dict[str, Any], message: str) -> None:
    error = refusal(Rules(must="x", **fields))
    assert (error.code.name, str(error)) == ("INVALID_FIELD", message)


def test_values_at_the_edges_are_taken() -> None:
    validated(
        must="12345", count=1, maybe_count=9, share=1.0, word="", maybe_word="", colours=["red"], labels={"a": "123"}
    )
    validated(tags=["123", ""], object=' {"a": 1}', any_json="not checked here")


@pytest.mark.parametrize(
    ("fields", "metadata"),
    [
        ({"must": "123456"}, {"field": "must", "limit": "5", "size": "6"}),
        ({"must": "ééé😀😀😀"}, {"field": "must", "limit": "5", "size": "6"}),
        ({"tags": ["123", "1234"]}, {"field": "tags[1]", "limit": "3", "size": "4"}),
        ({"tags": ["", "", ""]}, {"field": "tags", "limit": "2", "size": "3"}),
        ({"labels": {"a": "", "b": "", "c": ""}}, {"field": "labels", "limit": "2", "size": "3"}),
        ({"labels": {"secret-key": "1234"}}, {"field": "labels.*", "limit": "3", "size": "4"}),
        ({"answered": [{}, {}, {}]}, {"field": "answered", "limit": "2", "size": "3"}),
    ],
)
def test_sizes_over_the_limit_are_refused_in_characters_and_entries(
    fields: dict[str, Any], metadata: dict[str, str]
) -> None:
    error = refusal(Rules(**{"must": "x", **fields}))
    assert (error.code.name, error.metadata) == ("FIELD_TOO_LONG", metadata)
    assert ("entries" if metadata["field"] in fields and metadata["field"] != "must" else "characters") in str(error)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("[1,2]", "small_object has 5 characters; at most 4 are taken"),
        ("{ }", "small_object must be one of {}, []"),
        ("[]", "small_object must be a JSON object"),
    ],
)
def test_all_the_rules_of_a_field_hold(value: str, message: str) -> None:
    assert str(refusal(Rules(must="x", small_object=value))) == message
    validated(small_object="{}")


def test_characters_are_code_points_and_not_bytes() -> None:
    validated(must="😀😀😀😀😀")


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"part": {}}, "part.name"),
        ({"parts": [{"name": "a"}, {}]}, "parts[1].name"),
        (
            {"parts": [{"name": "a", "parts": [{"name": "b"}, {"name": "c", "parts": [{}]}]}]},
            "parts[0].parts[1].parts[0].name",
        ),
        ({"named_parts": {"secret-key": {}}}, "named_parts.*.name"),
        ({"part": {"name": "a", "org": "\t"}}, "part.org"),
    ],
)
def test_rules_hold_for_nested_messages_with_their_path(fields: dict[str, Any], path: str) -> None:
    assert refusal(Rules(must="x", **fields)).metadata["field"] == path


def test_a_nested_message_that_is_not_there_is_not_checked_nor_made() -> None:
    assert not validated().HasField("part")


def test_entries_that_are_answered_one_by_one_are_left_to_the_op() -> None:
    validated(answered=[{}])
    assert refusal(Part(), "answered[0].").metadata["field"] == "answered[0].name"


def test_an_op_validates_the_records_of_a_batch_with_their_place() -> None:
    batch = observe.RecordBatchRequest(org="o", namespace="n", agent="a", records=[{}, {"org": "o\n"}])
    validator_for(observe.RecordBatchRequest)(batch)
    assert refusal(batch.records[0], "records[0].").metadata["field"] == "records[0].tool_name"
    assert refusal(batch.records[1], "records[1].").metadata["field"] == "records[1].org"
    batch.records[0].tool_name = "Bash"
    validator_for(observe.BatchRecord)(batch.records[0], "records[0].")
    assert (batch.records[0].metadata, batch.records[0].user_id) == ("{}", "")


@pytest.mark.parametrize("field", sorted(IDENTITY_FIELDS))
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a\x00b", "text without control characters"),
        ("a\x1f", "text without control characters"),
        ("\x7f", "text without control characters"),
        ("\n", "text without control characters"),
        ("   ", "more than blanks"),
        ("\u3000\u2003", "more than blanks"),
        ("a <private>b", "text without a private tag"),
        ("< PRIVATE x='1'>b</private>", "text without a private tag"),
    ],
)
def test_identity_holds_no_control_characters_blanks_alone_or_private_text(
    field: str, value: str, expected: str
) -> None:
    for kind in (observe.RecordRequest, observe.BatchRecord):
        known = {"org": "o", "namespace": "n", "agent": "a", "tool_name": "t"}
        error = refusal(kind(**{**known, field: value}))
        assert (error.code.name, str(error)) == ("INVALID_FIELD", f"{field} must be {expected}")


@pytest.mark.parametrize("value", ["-", "*", " a b ", "élan", "名前", "a\u00a0b", "a\u200db", "privateer", "a<b", "😀"])
def test_identity_is_any_other_text(value: str) -> None:
    validator_for(observe.RecordRequest)(
        observe.RecordRequest(org=value, namespace=value, agent=value, user_id=value, tool_name="t")
    )


def test_text_that_is_no_identity_may_hold_anything() -> None:
    validated(free="\x00 <private>x", must=" \n")


def test_identity_fields_keep_their_length_limit() -> None:
    known = {"namespace": "n", "agent": "a", "tool_name": "t"}
    validator_for(observe.RecordRequest)(observe.RecordRequest(org="o" * 128, **known))
    error = refusal(observe.RecordRequest(org="o" * 129, **known))
    assert error.metadata == {"field": "org", "limit": "128", "size": "129"}


def test_the_first_field_at_fault_is_named() -> None:
    assert refusal(observe.RecordRequest(tool_name="t" * 300)).metadata == {"field": "org"}


def test_a_message_without_rules_is_taken_as_it_is() -> None:
    message = NoRules(text="\x00", inner={"inner": {"text": "a"}})
    validator_for(NoRules)(message)
    assert message == NoRules(text="\x00", inner={"inner": {"text": "a"}})


def test_a_number_without_optional_takes_its_default_and_its_range() -> None:
    claim = extraction.ClaimReadyRequest(limit=5)
    validator_for(extraction.ClaimReadyRequest)(claim)
    assert (claim.limit, claim.lease_s) == (5, 60)
    assert str(refusal(extraction.ClaimReadyRequest(limit=1001))) == "limit must be between 1 and 1000"


def test_defaults_of_observe_record_are_those_of_its_page() -> None:
    record = observe.RecordRequest(org="o", namespace="n", agent="a", tool_name="t")
    validator_for(observe.RecordRequest)(record)
    assert (record.user_id, record.session_id, record.run_id, record.metadata) == ("-", "-", "-", "{}")
    assert not record.HasField("error")


def test_empty_identity_fields_are_filled_and_others_kept() -> None:
    record = observe.RecordRequest(agent="mine")
    fill_identity(
        record,
        {
            options.IDENTITY_ORG: "o",
            options.IDENTITY_NAMESPACE: "n",
            options.IDENTITY_AGENT: "theirs",
            options.IDENTITY_SESSION: "s",
        },
    )
    assert (record.org, record.namespace, record.agent, record.session_id) == ("o", "n", "mine", "s")
    assert (record.user_id, record.run_id) == ("", "")


def test_messages_without_identity_fields_are_left_alone() -> None:
    record = observe.BatchRecord()
    fill_identity(record, {options.IDENTITY_ORG: "o"})
    assert record == observe.BatchRecord()


@pytest.mark.parametrize(
    ("field", "option"),
    [
        ("bool x = 1", "required: true"),
        ("bytes x = 1", "default_json: '1'"),
        ("N x = 1", "default_json: '{}'"),
        ("map<string, string> x = 1", "default_json: '{}'"),
        ("int32 x = 1", "max_chars: 3"),
        ("bytes x = 1", "max_chars: 3"),
        ("string x = 1", "max_items: 3"),
        ("bytes x = 1", "json_text: true"),
        ("string x = 1", "json_shape: JSON_SHAPE_OBJECT"),
        ("int32 x = 1", "words: 'a'"),
        ("string x = 1", "has_range: true"),
        ("repeated string x = 1", "answered_by: 'y'"),
        ("N x = 1", "answered_by: 'y'"),
        ("int32 x = 1", "identity: IDENTITY_ORG"),
        ("repeated string x = 1", "identity: IDENTITY_ORG"),
    ],
)
def test_an_option_that_does_not_fit_its_field_is_refused_when_compiled(field: str, option: str) -> None:
    source = f"message N {{}} message M {{ {field} [(loom.options.v1.field) = {{{option}}}]; }}"
    file = compile_proto(f"loom_test.misfit{zlib.crc32(source.encode())}", source)
    with pytest.raises(TypeError, match=f"the option {option.split(':')[0]} does not fit"):
        validator_for(GetMessageClass(file.message_types_by_name["M"]))


few = settings(max_examples=15)
KINDS = pytest.mark.parametrize("kind", contract_messages(), ids=lambda kind: kind.DESCRIPTOR.full_name)


@KINDS
@few
@given(data=st.data())
def test_what_obeys_the_contract_is_taken_and_defaults_obey_it_too(kind: type[Message], data: st.DataObject) -> None:
    message = data.draw(messages(kind, accepted=True))
    validator_for(kind)(message)
    once = message.SerializeToString(deterministic=True)
    validator_for(kind)(message)
    assert message.SerializeToString(deterministic=True) == once


@KINDS
@few
@given(data=st.data())
def test_any_message_is_taken_or_refused_with_the_field_at_fault(kind: type[Message], data: st.DataObject) -> None:
    message = data.draw(messages(kind))
    try:
        validator_for(kind)(message)
    except LoomError as error:
        assert error.metadata["field"].split(".")[0].split("[")[0] in kind.DESCRIPTOR.fields_by_name
