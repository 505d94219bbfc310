"""Applies the contract's field options to requests: defaults, required fields, limits. Compiled once per message.

What a field may hold is said once, in the contract; every door and every caller of gRPC meets the same rules here.
Errors name the field by its path (`tags[3]`, `records[3].tool_name`) and never say what the caller sent.

An empty field is an empty text or list, an unset `optional`, and a zero where the field is not `optional`: zero and
"not given" look the same there, so such a zero is not held to the range. Left to the op, which reads them anyway: the
text of a json_text field without json_shape, and the entries of a list that is answered entry by entry (`answered_by`).
"""

import re
import sys
from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from loom.options.v1 import options_pb2
from loom.private import contains_private
from runtime import jsontext
from runtime.errors import field_too_long, invalid_field, missing_field

# Fields that say whose data it is, also where no transport fills them (the records of a batch).
IDENTITY_FIELDS = frozenset({"org", "namespace", "agent", "user_id", "session_id", "run_id"})

_NUMBERS = {
    FieldDescriptor.CPPTYPE_INT32,
    FieldDescriptor.CPPTYPE_UINT32,
    FieldDescriptor.CPPTYPE_INT64,
    FieldDescriptor.CPPTYPE_UINT64,
    FieldDescriptor.CPPTYPE_DOUBLE,
}

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_LAST_INT64 = 2**63 - 1

Rule = Callable[[Any, str, int | None], None]
"""Refuses one value that is not empty; it gets the value, its path, and its index where it is an entry of a list."""

Check = Callable[[Message, Any, str], None]
"""Checks one field; it gets the message, what the field holds, and the prefix of its path."""


class Validator:
    """Validates messages of one kind."""

    __slots__ = ("_checks", "_values")

    def __init__(self) -> None:
        self._checks: list[Check] | None = None
        self._values: Callable[[Message], tuple[Any, ...]] = lambda message: ()

    @classmethod
    def of(cls, message: Descriptor, known: dict[str, "Validator"]) -> "Validator":
        """`known` holds the validators around this one: a message may contain itself."""
        if message.full_name in known:
            return known[message.full_name]
        validator = known[message.full_name] = cls()
        checks = {field.name: check for field in message.fields if (check := _check(field, known))}
        names, validator._checks = list(checks), list(checks.values())
        if len(names) == 1:
            validator._values = lambda message: (getattr(message, names[0]),)
        elif names:
            validator._values = attrgetter(*names)
        return validator

    def __call__(self, message: Message, prefix: str = "") -> None:
        """Fills defaults in, then raises LoomError for the first field at fault.

        `prefix` goes in front of every path, with its dot: `records[3].`.
        """
        for check, value in zip(self._checks, self._values(message), strict=True):
            check(message, value, prefix)

    @property
    def is_empty(self) -> bool:
        """True when messages of the kind carry no rules. One that is still being compiled may."""
        return self._checks == []


@cache
def validator_for(message: type[Message]) -> Validator:
    """The validator of a message class, compiled at the first call. Raises TypeError for a rule that fits no field."""
    return Validator.of(message.DESCRIPTOR, {})


def fill_identity(message: Message, identity: Mapping[int, str]) -> None:
    """Fills the empty identity fields of a request from the caller's identity, by identity source."""
    for name, source in _identity_sources(type(message)):
        if not getattr(message, name) and (value := identity.get(source)):
            setattr(message, name, value)


@cache
def _identity_sources(message: type[Message]) -> list[tuple[str, int]]:
    return [(field.name, source) for field in message.DESCRIPTOR.fields if (source := _rules(field).identity)]


def _rules(field: FieldDescriptor) -> options_pb2.Field:
    return field.GetOptions().Extensions[options_pb2.field]


def _check(field: FieldDescriptor, known: dict[str, Validator]) -> Check | None:
    """None for a field without rules."""
    rules = _rules(field)
    _fits(field, rules)
    if field.is_repeated:
        rule = None if rules.answered_by else _entry_rule(field, rules, known)
        is_ruled = rule or rules.required or rules.max_items or rules.default_json
        return _entries(field, rules, rule) if is_ruled else None
    rule = _rule(field, rules, known)
    if not (rule or rules.required or rules.default_json):
        return None
    return _value_check(field, rules, rule)


def _fits(field: FieldDescriptor, rules: options_pb2.Field) -> None:
    """A rule that means nothing for the field would be a promise that nobody keeps."""
    value = field.message_type.fields_by_name["value"] if _is_map(field) else field
    is_text = value.cpp_type == FieldDescriptor.CPPTYPE_STRING and value.type != FieldDescriptor.TYPE_BYTES
    is_flag = field.cpp_type == FieldDescriptor.CPPTYPE_BOOL and not field.has_presence and not field.is_repeated
    misfits = {
        "required": rules.required and is_flag,
        "default_json": rules.default_json and (field.message_type or field.type == FieldDescriptor.TYPE_BYTES),
        "max_chars": rules.max_chars and not is_text,
        "max_items": rules.max_items and not field.is_repeated,
        "json_text": rules.json_text and not is_text,
        "json_shape": rules.json_shape and not rules.json_text,
        "words": rules.words and not is_text,
        "has_range": rules.has_range and value.cpp_type not in _NUMBERS,
        "answered_by": rules.answered_by and not (field.is_repeated and field.message_type),
        "identity": rules.identity and not (is_text and not field.is_repeated),
    }
    for name, misfit in misfits.items():
        if misfit:
            raise TypeError(f"{field.full_name}: the option {name} does not fit the field")


def _is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def _default(rules: options_pb2.Field) -> Any:
    """None where the field has no default."""
    if not rules.default_json:
        return None
    value = jsontext.loads(rules.default_json)
    return jsontext.dumps(value) if rules.json_text else value


def _value_check(field: FieldDescriptor, rules: options_pb2.Field, rule: Rule | None) -> Check:
    name, required, default = field.name, rules.required, _default(rules)
    has_presence = field.has_presence
    # A text that was sent empty is as good as none; a number that was sent as zero is a number.
    empty_counts = field.cpp_type == FieldDescriptor.CPPTYPE_STRING

    def plain(message: Message, value: Any, prefix: str) -> None:
        if value:
            if rule:
                rule(value, prefix + name, None)
        elif default is not None:
            setattr(message, name, default)
        elif required:
            raise missing_field(prefix + name)

    def optional(message: Message, value: Any, prefix: str) -> None:
        if not message.HasField(name):
            if default is not None:
                setattr(message, name, default)
            elif required:
                raise missing_field(prefix + name)
        elif empty_counts and not value:
            if required:
                raise missing_field(prefix + name)
        elif rule:
            rule(value, prefix + name, None)

    return optional if has_presence else plain


def _entries(field: FieldDescriptor, rules: options_pb2.Field, rule: Rule | None) -> Check:
    name, required, default, limit = field.name, rules.required, _default(rules), rules.max_items
    is_map = _is_map(field)

    def check(message: Message, values: Any, prefix: str) -> None:
        count = len(values)
        if limit and count > limit:
            raise field_too_long(prefix + name, limit, count, "entries")
        if not count:
            if default is not None:
                values.extend(default)
            elif required:
                raise missing_field(prefix + name)
        elif rule and is_map:
            for key in values:
                # The key is the caller's, so the path leaves it out.
                rule(values[key], f"{prefix}{name}.*", None)
        elif rule:
            path = prefix + name
            for i, value in enumerate(values):
                rule(value, path, i)

    return check


def _entry_rule(field: FieldDescriptor, rules: options_pb2.Field, known: dict[str, Validator]) -> Rule | None:
    return _rule(field.message_type.fields_by_name["value"] if _is_map(field) else field, rules, known)


def _rule(field: FieldDescriptor, rules: options_pb2.Field, known: dict[str, Validator]) -> Rule | None:
    """What one value must obey: the field's own, or that of one entry of its list or map."""
    if field.message_type is not None:
        nested = Validator.of(field.message_type, known)
        return None if nested.is_empty else lambda value, path, index: nested(value, _at(path, index) + ".")
    parts: list[Rule] = []
    if rules.identity or (field.name in IDENTITY_FIELDS and field.cpp_type == FieldDescriptor.CPPTYPE_STRING):
        parts.append(_identity(rules.max_chars or sys.maxsize))
    elif rules.max_chars:
        parts.append(_at_most(rules.max_chars))
    if rules.words:
        parts.append(_one_of(list(rules.words)))
    if rules.has_range:
        parts.append(_between(rules.min, rules.max))
    if rules.json_shape == options_pb2.JSON_SHAPE_OBJECT:
        parts.append(_json_object)
    return _all(parts) if len(parts) > 1 else next(iter(parts), None)


def _at(path: str, index: int | None) -> str:
    return path if index is None else f"{path}[{index}]"


def _all(parts: list[Rule]) -> Rule:
    def every(value: Any, path: str, index: int | None) -> None:
        for part in parts:
            part(value, path, index)

    return every


def _at_most(limit: int) -> Rule:
    def at_most(value: str, path: str, index: int | None) -> None:
        if len(value) > limit:
            raise field_too_long(_at(path, index), limit, len(value), "characters")

    return at_most


def _one_of(words: list[str]) -> Rule:
    allowed, expected = frozenset(words), f"one of {', '.join(words)}"

    def one_of(value: str, path: str, index: int | None) -> None:
        if value not in allowed:
            raise invalid_field(_at(path, index), expected)

    return one_of


def _between(least: int, greatest: int) -> Rule:
    # A bound that no number of the field can pass says nothing to a reader.
    expected = f"{least} or more" if greatest >= _LAST_INT64 else f"between {least} and {greatest}"

    def between(value: float, path: str, index: int | None) -> None:
        if not least <= value <= greatest:
            raise invalid_field(_at(path, index), expected)

    return between


def _json_object(value: str, path: str, index: int | None) -> None:
    if value == "{}":
        return
    try:
        shaped = jsontext.loads(value)
    except jsontext.JsonTextError:
        raise invalid_field(_at(path, index), "JSON text") from None
    if type(shaped) is not dict:
        raise invalid_field(_at(path, index), "a JSON object")


def _identity(limit: int) -> Rule:
    """Identity ends up in keys, paths and logs: it is one line of something, and nobody hides private text there."""

    def identity(value: str, path: str, index: int | None) -> None:
        if len(value) > limit:
            raise field_too_long(_at(path, index), limit, len(value), "characters")
        if not value.isprintable() and _CONTROL.search(value):
            raise invalid_field(_at(path, index), "text without control characters")
        if value.isspace():
            raise invalid_field(_at(path, index), "more than blanks")
        if contains_private(value):
            raise invalid_field(_at(path, index), "text without a private tag")

    return identity
