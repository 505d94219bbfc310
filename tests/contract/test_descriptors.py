"""Rules of the contract that no linter knows, over the descriptors that are served."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor, ServiceDescriptor

from loom.observe.v1 import observe_pb2
from loom.options.v1 import options_pb2
from runtime.optable import comment_of, contract_files, load_ops

PROTO = Path(__file__).resolve().parents[2] / "proto"
# Planes talk to each other through these; no door shows them.
INTERNAL = {"loom.observe.v1.ExtractionService", "loom.directory.v1.AccessService"}
# First words of op names, where they are others than the plane's own name.
FIRST_WORDS = {"directory": {"directory", "namespace", "token"}, "tracker": {"tracker", "code", "search"}}
ACROSS = {"search"}
OPTIONS = "loom.options.v1"

INT64 = {FieldDescriptor.TYPE_INT64, FieldDescriptor.TYPE_SINT64, FieldDescriptor.TYPE_SFIXED64}
UINT64 = {FieldDescriptor.TYPE_UINT64, FieldDescriptor.TYPE_FIXED64}
REAL = {FieldDescriptor.TYPE_FLOAT, FieldDescriptor.TYPE_DOUBLE}

Names = list[str]


def services() -> list[ServiceDescriptor]:
    return [service for file in contract_files() for service in file.services_by_name.values()]


def methods() -> list[MethodDescriptor]:
    return [method for service in services() for method in service.methods]


def messages() -> list[Descriptor]:
    """Every message of the contract; the options that describe it are not sent."""
    files = [file for file in contract_files() if file.package != OPTIONS]
    return [message for file in files for message in file.message_types_by_name.values()]


def fields() -> list[FieldDescriptor]:
    return [field for message in messages() for field in message.fields]


def request_fields() -> Iterator[FieldDescriptor]:
    """The fields of every request at any depth."""
    waiting, seen = [method.input_type for method in methods()], set()
    while waiting:
        message = waiting.pop()
        if message.full_name not in seen:
            seen.add(message.full_name)
            yield from message.fields
            waiting += [field.message_type for field in message.fields if field.message_type is not None]


def values(field: FieldDescriptor) -> list[FieldDescriptor]:
    """What the field holds: itself, or the value of its map."""
    is_map = field.message_type is not None and field.message_type.GetOptions().map_entry
    return [field.message_type.fields_by_name["value"]] if is_map else [field]


def rules_of(field: FieldDescriptor) -> options_pb2.Field:
    return field.GetOptions().Extensions[options_pb2.field]


def shape(message: Descriptor) -> dict[str, tuple[int, int, bool, bool]]:
    return {f.name: (f.number, f.type, f.is_repeated, f.has_presence) for f in message.fields}


def names(found: list[FieldDescriptor]) -> Names:
    return [field.full_name for field in found]


def test_there_is_a_contract_to_check() -> None:
    assert len(messages()) > 10
    assert len(load_ops()) > 5


def test_every_rpc_of_a_public_service_declares_its_op_in_full() -> None:
    for method in [m for m in methods() if m.containing_service.full_name not in INTERNAL]:
        op = method.GetOptions().Extensions[options_pb2.op]
        assert op.name and op.role and op.kind and op.toolset, method.full_name


def test_internal_services_declare_no_ops() -> None:
    assert {service.full_name for service in services()} >= INTERNAL
    for method in [m for m in methods() if m.containing_service.full_name in INTERNAL]:
        assert not method.GetOptions().HasExtension(options_pb2.op), method.full_name


def test_op_names_are_their_subject_and_one_verb_or_noun_and_are_unique() -> None:
    declared = [m.GetOptions().Extensions[options_pb2.op].name for m in methods() if m.full_name]
    declared = [name for name in declared if name]
    assert len(declared) == len(set(declared))
    for op in load_ops():
        first, _, verb = op.name.partition(".")
        assert first in FIRST_WORDS.get(op.plane, {op.plane}), op.name
        # An op across planes has no subject.
        if op.name in ACROSS:
            continue
        # One word more where a plane has several subjects, such as `tracker.source.add`.
        assert re.fullmatch(r"([a-z][a-z0-9_]*\.)?[a-z][a-z0-9_]*", verb), op.name


def test_no_plane_takes_the_first_word_of_another() -> None:
    planes = {op.plane for op in load_ops()}
    words = [word for plane in planes for word in FIRST_WORDS.get(plane, {plane})]
    assert len(words) == len(set(words))


def test_reads_need_no_more_than_a_viewer_and_are_idempotent() -> None:
    for op in load_ops():
        if not op.writes:
            assert op.idempotent, op.name
            assert op.role in {"public", "member", "viewer", "admin", "org_admin"}, op.name


def test_a_writing_op_asks_for_a_role() -> None:
    assert [op.name for op in load_ops() if op.writes and op.role in {"public", "viewer"}] == []


def test_packages_equal_directories() -> None:
    for file in contract_files():
        assert Path(file.name).parent.as_posix() == file.package.replace(".", "/")


def test_every_contract_file_has_its_generated_module() -> None:
    assert {file.name for file in contract_files()} == {p.relative_to(PROTO).as_posix() for p in PROTO.rglob("*.proto")}


def test_everything_has_a_comment() -> None:
    every: list[ServiceDescriptor | MethodDescriptor | Descriptor | FieldDescriptor] = []
    every += [*services(), *methods(), *messages(), *fields()]
    assert [thing.full_name for thing in every if not comment_of(thing.full_name)] == []


def test_a_request_or_response_belongs_to_one_rpc_and_is_no_part_of_another_message() -> None:
    used = [m.full_name for method in methods() for m in (method.input_type, method.output_type)]
    assert len(used) == len(set(used))
    nested = {field.message_type.full_name for field in fields() if field.message_type is not None}
    assert nested.isdisjoint(used)


def test_messages_of_another_package_come_from_the_common_one() -> None:
    for field in fields():
        if field.message_type is not None:
            assert field.message_type.file.package in {field.file.package, "loom.common.v1"}, field.full_name


def test_requests_have_no_oneof() -> None:
    for field in request_fields():
        oneof = field.containing_oneof
        assert oneof is None or oneof.name == f"_{field.name}", field.full_name  # `optional` makes the second kind


def test_the_types_that_json_cannot_carry_faithfully_are_not_used() -> None:
    every = [value for field in fields() for value in values(field)]
    assert names([value for value in every if value.type in UINT64]) == []
    assert names([value for value in every if value.type == FieldDescriptor.TYPE_FLOAT]) == []
    assert names([f for f in every if f.message_type and f.message_type.full_name.startswith("google.")]) == []


def test_vectors_are_bytes_and_no_lists_of_numbers() -> None:
    assert names([field for field in fields() if field.is_repeated and field.type in REAL]) == []


def test_closed_sets_are_words_and_no_enums() -> None:
    assert names([value for field in fields() for value in values(field) if value.enum_type is not None]) == []


def test_map_keys_are_strings() -> None:
    for field in fields():
        if values(field) != [field]:
            assert field.message_type.fields_by_name["key"].type == FieldDescriptor.TYPE_STRING, field.full_name


def test_the_comment_of_a_64_bit_number_says_that_it_stays_below_2_to_the_53() -> None:
    wide = [field for field in fields() if any(value.type in INT64 for value in values(field))]
    assert wide
    assert [f.full_name for f in wide if "below 2^53" not in comment_of(f.full_name)] == []


def test_no_message_contains_itself() -> None:
    def walk(message: Descriptor, around: tuple[str, ...]) -> None:
        assert message.full_name not in around
        for field in message.fields:
            if field.message_type is not None:
                walk(field.message_type, (*around, message.full_name))

    for message in messages():
        walk(message, ())


def test_defaults_are_json_and_stand_only_where_nothing_is_required() -> None:
    for field in fields():
        rules = rules_of(field)
        if rules.default_json:
            json.loads(rules.default_json)
            assert not rules.required, field.full_name


def test_a_list_that_is_answered_entry_by_entry_names_a_list_of_the_response() -> None:
    for method in methods():
        for field in method.input_type.fields:
            if answered_by := rules_of(field).answered_by:
                assert method.output_type.fields_by_name[answered_by].is_repeated, field.full_name


def test_a_record_of_a_batch_has_the_fields_of_a_single_record() -> None:
    single, batched = observe_pb2.RecordRequest.DESCRIPTOR, observe_pb2.BatchRecord.DESCRIPTOR
    assert shape(single) == shape(batched)


@pytest.mark.parametrize("rule", ["max_chars", "max_items", "json_text", "json_shape", "words"])
def test_a_record_of_a_batch_takes_what_a_single_record_takes(rule: str) -> None:
    for field in observe_pb2.RecordRequest.DESCRIPTOR.fields:
        twin = observe_pb2.BatchRecord.DESCRIPTOR.fields_by_name[field.name]
        assert getattr(rules_of(field), rule) == getattr(rules_of(twin), rule), field.full_name


def test_a_result_of_a_batch_has_the_fields_of_a_single_response_and_the_detail() -> None:
    batched = shape(observe_pb2.BatchResult.DESCRIPTOR)
    assert batched.pop("detail")
    assert batched == shape(observe_pb2.RecordResponse.DESCRIPTOR)
