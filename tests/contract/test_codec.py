"""What the codec promises beyond protobuf's own JSON, one promise a test."""

import math
import zlib
from types import MappingProxyType
from typing import Any

import pytest
from google.protobuf import timestamp_pb2, wrappers_pb2
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from gateway.codec import MAX_IGNORED, codec_for
from gateway.codec.decode import MAX_SHOWN_KEY
from loom.memory.v1 import memory_pb2 as memory
from loom.observe.v1 import observe_pb2 as observe
from loom.options.v1 import options_pb2
from runtime import jsontext
from runtime.errors import LoomError
from tests.support.everything import Child, Everything
from tests.support.protos import compile_proto

RECORD = codec_for(observe.RecordRequest)
BATCH = codec_for(observe.RecordBatchRequest)
ALL = codec_for(Everything)


def read(**args: Any) -> Message:
    return ALL.decode(args).message


def refusal(**args: Any) -> LoomError:
    with pytest.raises(LoomError) as caught:
        ALL.decode(args)
    assert caught.value.code.name == "INVALID_FIELD"
    return caught.value


def test_a_field_is_read_under_both_of_its_names() -> None:
    assert RECORD.decode({"tool_name": "Bash"}).message.tool_name == "Bash"
    assert RECORD.decode({"toolName": "Bash"}).message.tool_name == "Bash"
    assert RECORD.decode({"toolName": "a", "tool_name": "b"}).message.tool_name == "b"
    assert RECORD.decode({"tool_name": "b", "toolName": None}).message.tool_name == "b"


def test_fields_may_be_named_like_words_of_python() -> None:
    message = read(**{"from": "a", "self": "b"})
    assert (getattr(message, "from"), message.self) == ("a", "b")


def test_arguments_may_come_in_any_mapping() -> None:
    assert ALL.decode(MappingProxyType({"text": "a", "x": 1})) == (Everything(text="a"), ["x"], {})


def test_null_means_not_given() -> None:
    empty = Everything()
    assert ALL.decode({field.name: None for field in Everything.DESCRIPTOR.fields}) == (empty, [], {})


def test_an_empty_object_is_a_message_that_is_there() -> None:
    assert read(child={}).HasField("child")
    assert not read(child=None).HasField("child")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("abc", '"abc"'),
        ("", '""'),
        ({"b": 1, "a": 9007199254740993}, '{"b":1,"a":9007199254740993}'),
        (10**40, str(10**40)),
        ("\ud800", '"\\ud800"'),
        ([None, True, 1.0], "[null,true,1.0]"),
        (0, "0"),
        (False, "false"),
        ({}, "{}"),
    ],
)
def test_any_json_becomes_its_text_and_comes_back(value: Any, text: str) -> None:
    message = read(any_json=value, maybe_json=value, json_list=[value], json_map={"k": value})
    assert [message.any_json, message.maybe_json, message.json_list[0], message.json_map["k"]] == [text] * 4
    written = ALL.encode(message)
    assert [written["any_json"], written["maybe_json"], written["json_list"], written["json_map"]] == [
        value,
        value,
        [value],
        {"k": value},
    ]


def test_null_inside_a_list_or_map_of_json_is_a_value() -> None:
    message = read(json_list=[None], json_map={"k": None})
    assert (message.json_list[0], message.json_map["k"]) == ("null", "null")
    assert ALL.encode(message)["json_list"] == [None]


def test_json_too_deep_to_be_written_is_refused_by_name() -> None:
    value: Any = 1
    for _ in range(jsontext.MAX_DEPTH + 1):
        value = [value]
    assert str(refusal(any_json=value)) == "any_json must be JSON of at most 254 levels"


@pytest.mark.parametrize("value", [3, 3.0, 3e0])
def test_whole_numbers_may_be_written_with_an_empty_fraction(value: float) -> None:
    message = read(i32=value, i64=value, i32_list=[value], counts={"k": value})
    assert (message.i32, message.i64, list(message.i32_list), dict(message.counts)) == (3, 3, [3], {"k": 3})


@pytest.mark.parametrize("value", [True, "3", 3.5, [3], {}, math.inf, math.nan, ""])
@pytest.mark.parametrize("field", ["i32", "u32", "i64", "u64", "maybe_i64"])
def test_what_is_no_whole_number_is_refused(field: str, value: Any) -> None:
    assert str(refusal(**{field: value})) == f"{field} must be a whole number"


@pytest.mark.parametrize(
    ("field", "least", "greatest"),
    [
        ("i32", -(2**31), 2**31 - 1),
        ("u32", 0, 2**32 - 1),
        ("i64", -(2**53) + 1, 2**53 - 1),
        ("u64", 0, 2**53 - 1),
    ],
)
def test_whole_numbers_stay_within_their_type_and_below_2_to_the_53(field: str, least: int, greatest: int) -> None:
    for value in (least, greatest):
        assert getattr(read(**{field: value}), field) == value
    for value in (least - 1, greatest + 1, 10**400, 1e300):
        assert str(refusal(**{field: value})) == f"{field} must be a whole number from {least} to {greatest}"


@pytest.mark.parametrize("field", ["i64", "s64", "sf64", "u64", "f64"])
def test_a_whole_number_beyond_2_to_the_53_in_an_answer_is_a_defect(field: str) -> None:
    for message in (Everything(**{field: 2**53}), Everything(counts={"k": 2**53}), Everything(i64_list=[-(2**53)])):
        with pytest.raises(LoomError, match="internal error"):
            ALL.encode(message)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_not_finite_is_refused_in_and_a_defect_out(value: float) -> None:
    assert str(refusal(real=value)) == "real must be a number"
    with pytest.raises(LoomError, match="internal error"):
        ALL.encode(Everything(real=value))


def test_an_answer_whose_json_text_is_no_json_is_a_defect() -> None:
    with pytest.raises(LoomError, match="internal error"):
        ALL.encode(Everything(any_json="{"))


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({"text": 1}, "text must be a string"),
        ({"text": ["a"]}, "text must be a string"),
        ({"text_list": "abc"}, "text_list must be a list"),
        ({"text_list": {"a": 1}}, "text_list must be a list"),
        ({"text_list": ["a", None]}, "text_list[1] must be a string"),
        ({"i32_list": [1, 2, "c"]}, "i32_list[2] must be a whole number"),
        ({"i32_list": 1}, "i32_list must be a list"),
        ({"flag": 1}, "flag must be true or false"),
        ({"flag": "true"}, "flag must be true or false"),
        ({"real": "1.5"}, "real must be a number"),
        ({"real": True}, "real must be a number"),
        ({"real": 10**400}, "real must be a number"),
        ({"data": 5}, "data must be base64 text"),
        ({"data": "a"}, "data must be base64 text"),
        ({"data": "QUJ*"}, "data must be base64 text"),
        ({"data": "QUJé"}, "data must be base64 text"),
        ({"colour": "COLOUR_GREEN"}, "colour must be one of COLOUR_UNSPECIFIED, COLOUR_RED, COLOUR_BLUE"),
        ({"colour": 1}, "colour must be one of COLOUR_UNSPECIFIED, COLOUR_RED, COLOUR_BLUE"),
        ({"colour": ["COLOUR_RED"]}, "colour must be one of COLOUR_UNSPECIFIED, COLOUR_RED, COLOUR_BLUE"),
        ({"child": "x"}, "child must be an object"),
        ({"child": []}, "child must be an object"),
        ({"child": {"bigCount": "x"}}, "child.big_count must be a whole number"),
        ({"child": {"kids": [{}, {"kids": [{"name": 1}]}]}}, "child.kids[1].kids[0].name must be a string"),
        ({"child_list": [{}, None]}, "child_list[1] must be an object"),
        ({"child_list": [{"tags": ["a", 1]}]}, "child_list[0].tags[1] must be a string"),
        ({"child_list": {}}, "child_list must be a list"),
        ({"labels": []}, "labels must be an object"),
        ({"labels": {"secret-key": 1}}, "labels.* must be a string"),
        ({"labels": {"secret-key": None}}, "labels.* must be a string"),
        ({"children": {"secret-key": {"tags": [1]}}}, "children.*.tags[0] must be a string"),
        ({"answered": "x"}, "answered must be a list"),
    ],
)
def test_a_wrong_type_is_refused_with_its_path_and_what_is_taken(args: dict[str, Any], message: str) -> None:
    error = refusal(**args)
    assert str(error) == message
    assert error.metadata == {"field": message.split(" must")[0]}


@pytest.mark.parametrize("text", ["-_-_YWE=", "-_-_YWE", "+/+/YWE="])
def test_base64_is_read_in_both_alphabets_padded_or_not(text: str) -> None:
    assert read(data=text).data == b"\xfb\xff\xbfaa"
    assert ALL.encode(Everything(data=b"\xfb\xff\xbfaa"))["data"] == "+/+/YWE="


def test_unknown_arguments_are_dropped_and_listed_by_their_paths_in_order() -> None:
    args = {
        "zeta": 1,
        "child": {"x": {"deep": 1}, "kids": [{}, {"y": None}]},
        "children": {"k": {"x": 1}},
        "text": "t",
        "child_list": [{}, {}, {}, {"name": "n", "x": 1}],
        "answered": [{"x": 1}, {"kids": [{"x": 1}], "name": 5}],
        "alpha": [],
    }
    message, ignored, refused = ALL.decode(args)
    assert ignored == [
        "zeta",
        "child.x",
        "child.kids[1].y",
        "children.k.x",
        "child_list[3].x",
        "answered[0].x",
        "answered[1].kids[0].x",
        "alpha",
    ]
    assert (message.text, message.child_list[3].name, list(refused)) == ("t", "n", ["answered"])


def test_at_most_100_unknown_arguments_are_listed() -> None:
    args = {f"x{i}": 1 for i in range(60)} | {"child_list": [{"y": 1}] * 500}
    ignored = ALL.decode(args).ignored
    assert len(ignored) == MAX_IGNORED == 100
    assert ignored[59:61] == ["x59", "child_list[0].y"]


def test_the_name_of_an_unknown_argument_is_fit_to_be_answered() -> None:
    long, fits, half = ALL.decode({"k" * 10_000: 1, "l" * 128: 1, "\ud800": 1}).ignored
    assert (len(long), long[-2:], fits) == (MAX_SHOWN_KEY, "k…", "l" * 128)
    assert half == "�"


@pytest.mark.parametrize("field", ["org", "namespace", "agent", "user_id", "topic_key"])
def test_halves_of_a_surrogate_pair_are_refused_in_what_names_something(field: str) -> None:
    save = codec_for(memory.SaveRequest)
    with pytest.raises(LoomError, match=f"^{field} must be text without halves") as caught:
        save.decode({field: "a\ud800"})
    assert caught.value.metadata == {"field": field}
    assert getattr(save.decode({field: "a\ufffd \U0001f600"}).message, field) == "a\ufffd \U0001f600"
    batch = codec_for(memory.SaveBatchRequest).decode({"items": [{"topic_key": "\udfff"}, {"topic_key": "k"}]})
    assert batch.refused["items"][0].metadata == {"field": "items[0].topic_key"}


def test_halves_of_a_surrogate_pair_are_replaced_in_plain_text() -> None:
    args = {
        "text": "a\ud800b",
        "text_list": ["\udfff", "ok"],
        "labels": {"\ud800": "\udfff"},
        "child": {"name": "\ud800", "kids": [{"name": "\udfff"}]},
        "any_json": "\ud800",
        "data": "QUI=",
    }
    message = read(**args)
    assert (message.text, list(message.text_list)) == ("a\ufffdb", ["\ufffd", "ok"])
    assert dict(message.labels) == {"\ufffd": "\ufffd"}
    assert (message.child.name, message.child.kids[0].name) == ("\ufffd", "\ufffd")
    assert (message.any_json, message.data) == ('"\\ud800"', b"AB")


def test_nul_passes() -> None:
    assert read(text="a\0b", any_json="\0").text == "a\0b"


def test_an_entry_that_cannot_be_read_is_answered_by_itself() -> None:
    args = {"records": [{"tool_name": "a"}, {"tool_name": 1}, "x", {"tags": ["t", 2]}, {"tool_name": "\ud800"}]}
    message, ignored, refused = BATCH.decode(args)
    assert {i: str(error) for i, error in refused.pop("records").items()} == {
        1: "records[1].tool_name must be a string",
        2: "records[2] must be an object",
        3: "records[3].tags[1] must be a string",
    }
    assert [record.tool_name for record in message.records] == ["a", "", "", "", "\ufffd"]
    assert message.records[1] == message.records[3] == observe.BatchRecord()
    assert (ignored, refused) == ([], {})


def test_errors_never_hold_what_was_sent() -> None:
    for field in Everything.DESCRIPTOR.fields:
        for value in ("hunter2", ["hunter2"], {"hunter2": "hunter2"}, [{"hunter2": ["hunter2"], "name": ["hunter2"]}]):
            try:
                refused = ALL.decode({field.name: value}).refused
            except LoomError as error:
                refused = {field.name: {0: error}}
            for entries in refused.values():
                assert "hunter2" not in repr(entries) + str([error.metadata for error in entries.values()])


def test_every_field_of_an_answer_is_there_and_unset_optionals_are_null() -> None:
    written = codec_for(observe.GetResponse).encode(observe.GetResponse())
    assert written == {"found": False, "observation": None, "observations": [], "missing": []}
    assert codec_for(observe.StatsResponse).encode(observe.StatsResponse(observations=3)) == {
        "observations": 3,
        "sessions": 0,
        "by_kind": {},
        "by_state": {},
        "by_session": [],
    }
    assert codec_for(Child).encode(Child(name="a"))["big_count"] == 0


def test_an_optional_that_holds_zero_is_not_null() -> None:
    written = ALL.encode(Everything(maybe_i32=0, maybe_text="", maybe_flag=False, maybe_data=b"", child=Child()))
    assert [written[name] for name in ("maybe_i32", "maybe_text", "maybe_flag", "maybe_data")] == [0, "", False, ""]
    assert (written["child"]["name"], written["maybe_real"], written["one"]) == ("", None, None)


def test_an_enum_value_that_this_version_does_not_know_is_its_number() -> None:
    assert ALL.encode(Everything(colour=99))["colour"] == 99


def test_a_codec_is_compiled_once() -> None:
    assert codec_for(observe.RecordRequest) is RECORD


@pytest.mark.parametrize(
    "declared",
    [
        "message M { float x = 1; }",
        "message M { repeated float x = 1; }",
        "message M { map<int32, string> x = 1; }",
        "message M { map<string, float> x = 1; }",
        "message M { string x = 1 [(loom.options.v1.field) = {answered_by: 'y'}]; }",
        "message N { repeated M y = 1 [(loom.options.v1.field) = {answered_by: 'y'}]; } message M { N x = 1; }",
    ],
)
def test_what_is_not_in_the_contract_is_refused_when_compiled(declared: str) -> None:
    package = f"loom_test.refused{zlib.crc32(declared.encode())}"
    message = GetMessageClass(compile_proto(package, declared).message_types_by_name["M"])
    with pytest.raises(TypeError, match=r"has no fields of this type|only lists of messages"):
        codec_for(message)


@pytest.mark.parametrize("message", [timestamp_pb2.Timestamp, wrappers_pb2.StringValue])
def test_well_known_types_are_refused_when_compiled(message: type[Message]) -> None:
    with pytest.raises(TypeError, match="well-known"):
        codec_for(message)


def test_options_themselves_can_be_written() -> None:
    written = codec_for(options_pb2.Op).encode(options_pb2.Op(name="a.b", role=options_pb2.ROLE_WRITER))
    assert (written["name"], written["role"], written["kind"]) == ("a.b", "ROLE_WRITER", "KIND_UNSPECIFIED")
