"""The codec against protobuf's own JSON, for every message of the contract and one with every type of field."""

from typing import Any

import pytest
from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gateway.codec import codec_for
from loom.options.v1 import options_pb2
from runtime import jsontext
from runtime.errors import LoomError
from tests.support.everything import Everything
from tests.support.messages import contract_messages, messages

each_kind = pytest.mark.parametrize("kind", contract_messages(), ids=lambda kind: kind.DESCRIPTOR.full_name)
quick = settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow])
thorough = settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
WIDE = (FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_UINT64)


def is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def is_json(field: FieldDescriptor) -> bool:
    return field.GetOptions().Extensions[options_pb2.field].json_text


def protobufs(message: Message) -> dict[str, Any]:
    return json_format.MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )


def documented(body: dict[str, Any], message: Descriptor) -> dict[str, Any]:
    """Protobuf's JSON with the documented differences of output."""
    return {field.name: _field(body.get(field.name), field) for field in message.fields}


def _field(value: Any, field: FieldDescriptor) -> Any:
    if value is None:
        return None
    if is_map(field):
        inner = field.message_type.fields_by_name["value"]
        return {key: _value(entry, inner, is_json(field)) for key, entry in value.items()}
    if field.is_repeated:
        return [_value(entry, field, is_json(field)) for entry in value]
    return _value(value, field, is_json(field))


def _value(value: Any, field: FieldDescriptor, any_json: bool) -> Any:
    if field.message_type is not None:
        return documented(value, field.message_type)
    if any_json:
        return jsontext.loads(value) if value else None
    return int(value) if field.cpp_type in WIDE else value


def camel(body: Any, message: Descriptor) -> Any:
    """The body under the other names of its fields, as far as the top level goes."""
    return {message.fields_by_name[name].json_name: value for name, value in body.items()}


def check_written(message: Message) -> None:
    kind = type(message)
    assert codec_for(kind).encode(message) == documented(protobufs(message), kind.DESCRIPTOR)


@each_kind
@quick
@given(data=st.data())
def test_what_is_written_is_protobufs_json_with_the_documented_differences(
    kind: type[Message], data: st.DataObject
) -> None:
    check_written(data.draw(messages(kind)))


@thorough
@given(messages(Everything))
def test_fields_of_every_type_are_written_as_protobuf_writes_them(message: Message) -> None:
    check_written(message)


def check_read(message: Message) -> None:
    kind, codec = type(message), codec_for(type(message))
    written = jsontext.loads(jsontext.dump_bytes(codec.encode(message)))
    for body in (written, camel(written, kind.DESCRIPTOR)):
        assert codec.decode(body) == (message, [], {})
    assert json_format.ParseDict(protobufs(message), kind()) == message


@each_kind
@quick
@given(data=st.data())
def test_what_is_written_reads_back_as_the_same_message(kind: type[Message], data: st.DataObject) -> None:
    check_read(data.draw(messages(kind)))


@thorough
@given(messages(Everything))
def test_fields_of_every_type_read_back_the_same(message: Message) -> None:
    check_read(message)


SOME_JSON = st.sampled_from(
    [None, True, False, 0, 1, -1, 3.0, 1.5, 2**31, 2**53, -(2**63), "", "a", "1", "QUI=", "QUI", "-_==", "COLOUR_RED"]
)
LISTS = st.lists(SOME_JSON, max_size=2)
OBJECTS = st.dictionaries(
    st.sampled_from(["name", "big_count", "kids", "tags", "only", "k"]), SOME_JSON | LISTS, max_size=3
)
ANYTHING = SOME_JSON | LISTS | OBJECTS | st.lists(OBJECTS, max_size=2) | st.dictionaries(st.just("k"), OBJECTS)


def for_protobuf(args: dict[str, Any], message: Descriptor) -> dict[str, Any]:
    """Arguments whose json_text fields hold text, as protobuf wants them."""
    return {name: _texts(value, message.fields_by_name.get(name)) for name, value in args.items()}


def _texts(value: Any, field: FieldDescriptor | None) -> Any:
    if field is None or value is None or not is_json(field):
        return value
    if is_map(field):
        return {key: jsontext.dumps(entry) for key, entry in value.items()}
    return [jsontext.dumps(entry) for entry in value] if field.is_repeated else jsontext.dumps(value)


def arguments(kind: type[Message]) -> st.SearchStrategy[dict[str, Any]]:
    """Likely and unlikely arguments of any field."""
    names = st.sampled_from([field.name for field in kind.DESCRIPTOR.fields] or ["x"])
    return st.dictionaries(names, ANYTHING, max_size=3)


def check_accepted(kind: type[Message], args: dict[str, Any]) -> None:
    try:
        message, _, refused = codec_for(kind).decode(args)
    except LoomError:
        return
    if not refused:
        theirs = json_format.ParseDict(for_protobuf(args, kind.DESCRIPTOR), kind(), ignore_unknown_fields=True)
        assert message == theirs


@each_kind
@quick
@given(data=st.data())
def test_whatever_is_accepted_reads_as_protobuf_reads_it(kind: type[Message], data: st.DataObject) -> None:
    check_accepted(kind, data.draw(arguments(kind)))


@settings(thorough, max_examples=500)
@given(arguments(Everything))
def test_fields_of_every_type_accept_what_protobuf_reads_the_same(args: dict[str, Any]) -> None:
    check_accepted(Everything, args)
