"""Hypothesis strategies of JSON values and of contract messages, built from descriptors."""

import string
from functools import cache
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import strategies as st

from loom.options.v1 import options_pb2
from runtime import jsontext
from runtime.optable import contract_files
from runtime.validation import IDENTITY_FIELDS

SAFE = 2**53 - 1
DEEPEST = 3
INTEGERS = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-SAFE, SAFE),
    FieldDescriptor.CPPTYPE_UINT64: (0, SAFE),
}


def json_values(text: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[Any]:
    """Any JSON value, with whole numbers of any size; its strings and keys are of `text`."""
    text = st.text(max_size=8) if text is None else text
    numbers = st.integers() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
    leaves = st.none() | st.booleans() | numbers | text
    return st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(text, inner, max_size=4), max_leaves=8
    )


@cache
def contract_messages() -> list[type[Message]]:
    """Every message of the contract."""
    found = [nested for file in contract_files() for top in file.message_types_by_name.values() for nested in _all(top)]
    return [GetMessageClass(descriptor) for descriptor in found]


def _all(message: Descriptor) -> list[Descriptor]:
    nested = [deeper for inner in message.nested_types for deeper in _all(inner)]
    return [message, *nested] if not message.GetOptions().map_entry else []


@cache
def messages(message: type[Message], *, accepted: bool = False) -> st.SearchStrategy[Message]:
    """Messages that the codec writes and reads.

    With `accepted` they also obey the field options, so that the validator takes them and the ops are reached.
    """
    return _Builder(accepted).message(message.DESCRIPTOR, 0)


class _Builder:
    def __init__(self, accepted: bool) -> None:
        self._accepted = accepted

    def message(self, message: Descriptor, depth: int) -> st.SearchStrategy[Message]:
        shallow = [f for f in message.fields if depth < DEEPEST or f.message_type is None]
        required = {f.name: self._field(f, depth) for f in shallow if self._rules(f).required}
        optional = {f.name: self._field(f, depth) for f in shallow if f.name not in required}
        # The class is looked up late: the strategy of a message is built while others still are.
        fields = st.fixed_dictionaries(required, optional=optional)
        return fields.map(lambda values: GetMessageClass(message)(**values))

    def _rules(self, field: FieldDescriptor) -> options_pb2.Field:
        rules = field.GetOptions().Extensions[options_pb2.field]
        if self._accepted:
            return rules
        return options_pb2.Field(json_text=rules.json_text)

    def _field(self, field: FieldDescriptor, depth: int) -> st.SearchStrategy[Any]:
        rules = self._rules(field)
        most = min(rules.max_items or 3, 3)
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            value = self._value(field.message_type.fields_by_name["value"], rules, depth)
            return st.dictionaries(st.text(max_size=4), value, min_size=int(rules.required), max_size=most)
        value = self._value(field, rules, depth)
        return st.lists(value, min_size=int(rules.required), max_size=most) if field.is_repeated else value

    def _value(self, field: FieldDescriptor, rules: options_pb2.Field, depth: int) -> st.SearchStrategy[Any]:
        if field.message_type is not None:
            return self.message(field.message_type, depth + 1)
        if rules.json_text:
            return _json_texts(rules)
        if field.cpp_type in INTEGERS:
            return st.integers(*((rules.min, rules.max) if rules.has_range else INTEGERS[field.cpp_type]))
        if field.type == FieldDescriptor.TYPE_DOUBLE:
            limits = {"min_value": rules.min, "max_value": rules.max} if rules.has_range else {}
            return st.floats(allow_nan=False, allow_infinity=False, **limits)
        if field.type == FieldDescriptor.TYPE_BOOL:
            return st.booleans()
        if field.type == FieldDescriptor.TYPE_BYTES:
            return st.binary(max_size=16)
        if field.type == FieldDescriptor.TYPE_ENUM:
            return st.sampled_from([value.number for value in field.enum_type.values])
        return self._text(field, rules)

    def _text(self, field: FieldDescriptor, rules: options_pb2.Field) -> st.SearchStrategy[str]:
        if rules.words:
            return st.sampled_from(list(rules.words))
        most = min(rules.max_chars or 20, 20)
        if self._accepted and (rules.identity or field.name in IDENTITY_FIELDS):
            return st.text(string.ascii_letters + string.digits + "-_.éλ", min_size=1, max_size=most)
        return st.text(min_size=int(rules.required), max_size=most)


def _json_texts(rules: options_pb2.Field) -> st.SearchStrategy[str]:
    """`null` is left out: it means "not given", which a text cannot say of itself."""
    if rules.json_shape == options_pb2.JSON_SHAPE_OBJECT:
        return st.dictionaries(st.text(max_size=8), json_values(), max_size=4).map(jsontext.dumps)
    return json_values().filter(lambda value: value is not None).map(jsontext.dumps)
