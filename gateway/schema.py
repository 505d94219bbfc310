"""JSON Schema (2020-12) of the contract's messages, from their descriptors, field options and comments.

Nested messages stand inline: several MCP clients and model vendors refuse `$ref` and a top-level `anyOf`.
"""

import json
from functools import cache
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from gateway.codec.fields import INTEGERS, is_map, map_value, rules_of
from loom.common.v1 import error_pb2
from loom.options.v1 import options_pb2
from runtime.optable import comment_of

Schema = dict[str, Any]

IGNORED_ARGS: Schema = {
    "type": "array",
    "items": {"type": "string"},
    "description": "Dotted paths of the arguments that Loom does not know; left out when there are none.",
}

# The JSON types of the fields that have no limits beside a range.
PLAIN = {
    FieldDescriptor.CPPTYPE_BOOL: "boolean",
    FieldDescriptor.CPPTYPE_DOUBLE: "number",
}


@cache
def request_schema(message: type[Message]) -> Schema:
    """Schema of an op's arguments. Shared by all callers: do not change it.

    Required are the fields that a call is refused without and that no transport fills. Unknown arguments are served,
    so they are not excluded. Raises ValueError for a message that contains itself.
    """
    return _Builder(output=False).object(message.DESCRIPTOR)


@cache
def response_schema(message: type[Message]) -> Schema:
    """Schema of an op's success body, with `ignored_args`. Shared by all callers: do not change it."""
    schema = message_schema(message)
    return {**schema, "properties": {**schema["properties"], "ignored_args": IGNORED_ARGS}}


@cache
def message_schema(message: type[Message]) -> Schema:
    """Schema of a message that the server sends: every field is there, `optional` ones may be null."""
    return _Builder(output=True).object(message.DESCRIPTOR)


class _Builder:
    """Builds schemas of one direction; `_open` holds the messages around the one being built."""

    def __init__(self, *, output: bool) -> None:
        self._output = output
        self._open: list[str] = []

    def object(self, message: Descriptor) -> Schema:
        if message.full_name in self._open:
            raise ValueError(f"{message.full_name} contains itself, so it has no schema without references")
        self._open.append(message.full_name)
        properties = {field.name: self._field(field) for field in message.fields}
        self._open.pop()
        required = [field.name for field in message.fields if self._is_required(field)]
        schema: Schema = {"type": "object", "description": comment_of(message.full_name), "properties": properties}
        return {**schema, "required": required} if required else schema

    def _is_required(self, field: FieldDescriptor) -> bool:
        rules = rules_of(field)
        return self._output or (rules.required and not rules.identity)

    def _field(self, field: FieldDescriptor) -> Schema:
        rules = rules_of(field)
        schema = self._shape(field, rules)
        if self._may_be_null(field, rules):
            schema = _nullable(schema)
        schema = {**schema, "description": self._description(field, rules)}
        if rules.default_json and not self._output:
            schema["default"] = json.loads(rules.default_json)
        return schema

    def _may_be_null(self, field: FieldDescriptor, rules: options_pb2.Field) -> bool:
        """Unset outputs are null; an input may be where that means "not given" and nothing else stands in for it."""
        if self._output:
            return field.has_presence or rules.json_text
        return field.has_presence and not (rules.default_json or rules.required)

    def _description(self, field: FieldDescriptor, rules: options_pb2.Field) -> str:
        text = comment_of(field.full_name)
        if rules.answered_by and not self._output:
            text += f" An entry that is refused is answered in `{rules.answered_by}`; the others are served."
        return text

    def _shape(self, field: FieldDescriptor, rules: options_pb2.Field) -> Schema:
        if is_map(field):
            schema: Schema = {"type": "object", "additionalProperties": self._value(map_value(field), rules)}
            return schema | _at_most("maxProperties", rules.max_items) | self._not_empty(rules, "minProperties")
        if not field.is_repeated:
            return self._value(field, rules) | (self._not_empty(rules, "minLength") if _is_text(field, rules) else {})
        schema = {"type": "array", "items": self._value(field, rules)}
        return schema | _at_most("maxItems", rules.max_items) | self._not_empty(rules, "minItems")

    def _not_empty(self, rules: options_pb2.Field, keyword: str) -> Schema:
        """An empty required field counts as missing, unless the caller's identity fills it."""
        return {keyword: 1} if rules.required and not rules.identity and not self._output else {}

    def _value(self, field: FieldDescriptor, rules: options_pb2.Field) -> Schema:
        """Schema of one value: the field's own, or that of one entry of its list or map."""
        if rules.json_text:
            return {"type": "object"} if rules.json_shape == options_pb2.JSON_SHAPE_OBJECT else {}
        if field.message_type is not None:
            return self.object(field.message_type)
        if field.cpp_type in INTEGERS:
            return self._integer(field, rules)
        if field.cpp_type in PLAIN:
            return {"type": PLAIN[field.cpp_type], **_range(rules)}
        return _text(field, rules)

    def _integer(self, field: FieldDescriptor, rules: options_pb2.Field) -> Schema:
        least, greatest = INTEGERS[field.cpp_type]
        if rules.has_range:
            return {"type": "integer", **_range(rules)}
        wide = field.cpp_type in (FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_UINT64)
        if self._output and not wide:
            return {"type": "integer"}
        return {"type": "integer", "minimum": least, "maximum": greatest}


def _nullable(schema: Schema) -> Schema:
    if "type" not in schema:
        return schema
    words = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return {**schema, **words, "type": [schema["type"], "null"]}


def _text(field: FieldDescriptor, rules: options_pb2.Field) -> Schema:
    if field.enum_type is not None:
        return {"type": "string", "enum": [value.name for value in field.enum_type.values]}
    if field.type == FieldDescriptor.TYPE_BYTES:
        return {"type": "string", "contentEncoding": "base64"}
    if rules.words:
        # An empty string is "not given"; in a list there is no such thing.
        given_up = [] if rules.required or field.is_repeated else [""]
        return {"type": "string", "enum": [*rules.words, *given_up]}
    return {"type": "string", **_at_most("maxLength", rules.max_chars)}


def _is_text(field: FieldDescriptor, rules: options_pb2.Field) -> bool:
    return field.cpp_type == FieldDescriptor.CPPTYPE_STRING and not rules.json_text and not rules.words


def _range(rules: options_pb2.Field) -> Schema:
    return {"minimum": rules.min, "maximum": rules.max} if rules.has_range else {}


def _at_most(keyword: str, limit: int) -> Schema:
    return {keyword: limit} if limit else {}


# The envelope's `detail`.
ERROR_DETAIL = message_schema(error_pb2.ErrorDetail)
