"""Bad calls of every op: those that follow from the contract's field options, and those that no option tells."""

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from gateway.examples import example_request
from loom.options.v1 import options_pb2
from runtime.optable import Op, load_ops
from runtime.validation import IDENTITY_FIELDS
from tests.support.envelope import CANARY

NUMBERS = {FieldDescriptor.CPPTYPE_INT32, FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_DOUBLE}


@dataclass(frozen=True)
class Bad:
    """A call, and how it must fail. `typed`: protobuf has room for the value, so gRPC callers can send it too."""

    op: str
    args: dict[str, Any]
    code: str
    field: str = ""
    typed: bool = True

    def __str__(self) -> str:
        return f"{self.op} {self.field} {self.code} {json.dumps(self.args)[:80]}"


@dataclass(frozen=True)
class Value:
    """A bad value of one field; `at` is where inside the field it is, as in `tags[1]`."""

    value: Any
    code: str
    at: str = ""
    typed: bool = True


def rules_of(field: FieldDescriptor) -> options_pb2.Field:
    return field.GetOptions().Extensions[options_pb2.field]


def bad_values(field: FieldDescriptor) -> Iterator[Value]:
    """What the contract says that the field does not take."""
    rules = rules_of(field)
    yield from _of_another_type(field, rules)
    if rules.required and not rules.identity:
        yield Value(None, "MISSING_FIELD")
        if field.is_repeated or field.cpp_type not in NUMBERS:
            yield Value([] if field.is_repeated else "", "MISSING_FIELD")
    if rules.max_items and not field.message_type:
        entry = 1 if field.cpp_type in NUMBERS else "x"
        yield Value([entry] * (rules.max_items + 1), "FIELD_TOO_LONG")
    if rules.max_chars:
        yield _listed(field, Value(too_long(rules.max_chars), "FIELD_TOO_LONG"))
    if rules.words:
        first = rules.words[0]
        for wrong in (CANARY, first.upper()):
            # In a list, behind a word that is taken.
            listed = Value([first, wrong], "INVALID_FIELD", "[1]")
            yield listed if field.is_repeated else Value(wrong, "INVALID_FIELD")
    if rules.has_range:
        # A whole number beyond 2^53 is no value of the field at all on the JSON doors.
        over = Value(rules.max + 1, "INVALID_FIELD", typed=rules.max < 2**53 - 1)
        yield from (_listed(field, bad) for bad in (Value(rules.min - 1, "INVALID_FIELD"), over))
    if rules.json_shape:
        yield from (Value(value, "INVALID_FIELD") for value in (CANARY, [CANARY], 3, True))
    if field.name in IDENTITY_FIELDS:
        hostile = (
            " \u2003",
            f"{CANARY}\n",
            f"{CANARY}\x00",
            f"{CANARY}\x7f",
            f"<private>{CANARY}",
            f"</ PRIVATE >{CANARY}",
        )
        yield from (Value(value, "INVALID_FIELD") for value in hostile)


def _of_another_type(field: FieldDescriptor, rules: options_pb2.Field) -> Iterator[Value]:
    if field.is_repeated:
        yield from (Value(value, "INVALID_FIELD", typed=False) for value in (CANARY, {CANARY: [CANARY]}, 5, True))
        if not field.message_type:
            first, other = (1, CANARY) if field.cpp_type in NUMBERS else ("x", 7)
            wrong = (other, None, [CANARY], {})
            yield from (Value([first, value], "INVALID_FIELD", "[1]", typed=False) for value in wrong)
    elif field.cpp_type in NUMBERS:
        too_large = 2**53 if field.cpp_type == FieldDescriptor.CPPTYPE_INT64 else 2**40
        fraction = () if field.cpp_type == FieldDescriptor.CPPTYPE_DOUBLE else (1.5, too_large)
        wrong = (CANARY, "5", *fraction, [CANARY], {"a": CANARY}, True, -(2**70))
        yield from (Value(value, "INVALID_FIELD", typed=False) for value in wrong)
    elif not rules.json_text:
        wrong = (0, [CANARY]) if field.message_type else (0, [CANARY], {"a": CANARY})
        yield from (Value(value, "INVALID_FIELD", typed=False) for value in wrong)


def _listed(field: FieldDescriptor, bad: Value) -> Value:
    first = 1 if field.cpp_type in NUMBERS else "x"
    return Value([first, bad.value], bad.code, "[1]", typed=bad.typed) if field.is_repeated else bad


def too_long(limit: int) -> str:
    return (CANARY + "é" * limit)[: limit + 1]


def from_the_contract(op: Op) -> Iterator[Bad]:
    """Every bad value of every field, in a call that is good otherwise."""
    for field in op.request.DESCRIPTOR.fields:
        for bad in bad_values(field):
            args = {**example_request(op), field.name: bad.value}
            yield Bad(op.name, args, bad.code, field.name + bad.at, bad.typed)
        if rules_of(field).max_items and field.message_type:
            entry = example_request(op).get(field.name, [{}])[0]
            args = {**example_request(op), field.name: [entry] * (rules_of(field).max_items + 1)}
            yield Bad(op.name, args, "FIELD_TOO_LONG", field.name)


def at_the_limit(op: Op) -> Iterator[Bad]:
    """Values that are just short enough: whatever becomes of the call, it is not FIELD_TOO_LONG."""
    for field in op.request.DESCRIPTOR.fields:
        rules = rules_of(field)
        text = too_long(rules.max_chars - 1) if rules.max_chars else "x"
        if rules.max_chars or (rules.max_items and not field.message_type):
            entry = 1 if field.cpp_type in NUMBERS else text
            value = [entry] * (rules.max_items or 1) if field.is_repeated else text
            # 1,024 paths of 4,096 characters would be over the body's limit, which is another test's.
            if len(json.dumps(value)) < 1 << 20:
                yield Bad(op.name, {**example_request(op), field.name: value}, "FIELD_TOO_LONG", field.name)


def in_entries(message: Descriptor, list_name: str, good: dict[str, Any]) -> Iterator[tuple[Any, Value, str]]:
    """Bad entries of a list that is answered entry by entry: the entry, what is bad about it, and the field.

    `good` is an entry that is taken.
    """
    for value in (CANARY, [CANARY], 5, True, None):
        yield value, Value(value, "INVALID_FIELD", typed=False), list_name
    for field in message.fields:
        for bad in bad_values(field):
            yield {**good, field.name: bad.value}, bad, field.name + bad.at


def token(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


INSTANTS = (
    *(CANARY, "2026-01-01", "2026-01-01T00:00:00", "2026-02-30T00:00:00Z", "2026-01-01T24:00:00Z"),
    *("2026-01-01T00:00:00+24:00", "1969-12-31T23:59:59Z", "2300-01-01T00:00:00Z", "20260101T000000Z", "1767225600"),
    *(" 2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z\n", "٢٠٢٦-01-01T00:00:00Z"),
)
DAYS = ("canary", "2026-13-01", "2026-02-30", "20260101", "2026-1-1", "1969-12-31", "2149-06-07", "2026-01-0\n")
TOKENS = (
    *(CANARY, "é" + CANARY, "=", "%%", "AAAA"),
    *(
        token(value)
        for value in (CANARY, [], [1], {}, [1, 2], ["1", CANARY], [1.5, CANARY], [True, CANARY], [0, CANARY, 0])
    ),
    # Such instants and keys no row has; further on they would look like defects, and defects open the breaker.
    *(token([micros, CANARY]) for micros in (10**30, -(10**30), -1, -62_135_596_800_000_000, 253_402_300_799_000_000)),
    token([0, CANARY + "\ud800"]),
)
BEYOND_OPTIONS = (
    *(
        Bad("observe.record", {"tool_name": "Bash", "observed_at": text}, "INVALID_FIELD", "observed_at")
        for text in INSTANTS
    ),
    *(Bad("observe.list", {bound: text}, "INVALID_FIELD", bound) for bound in ("since", "until") for text in INSTANTS),
    *(
        Bad("observe.record", {"tool_name": "Bash", "observation_date": text}, "INVALID_FIELD", "observation_date")
        for text in DAYS
    ),
    *(Bad("observe.list", {"page_token": text}, "INVALID_FIELD", "page_token") for text in TOKENS),
    Bad("observe.record", {}, "MISSING_FIELD", "tool_name"),
    Bad("observe.record_batch", {}, "MISSING_FIELD", "records"),
    Bad("observe.get", {}, "MISSING_FIELD", "memory_key"),
    Bad("observe.get", {"memory_key": "", "memory_keys": []}, "MISSING_FIELD", "memory_key"),
)
UNKNOWN_OPS = {
    "observe.recrod": "observe.record",
    "observe_list": "observe.list",
    "ops.heath": "ops.health",
    CANARY: "",
}


def all_bad() -> list[Bad]:
    return [*(bad for op in load_ops() for bad in from_the_contract(op)), *BEYOND_OPTIONS]
