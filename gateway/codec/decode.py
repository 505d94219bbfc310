"""JSON values -> messages: a plan made once per message prepares what the message constructor, in C, takes."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from gateway.codec.fields import is_map, map_value, not_in_contract, rules_of
from gateway.codec.scalars import READERS, ReadError, json_text, text
from runtime.errors import LoomError
from runtime.validation import IDENTITY_FIELDS

# Most unknown arguments that an answer lists, and most characters of the name of each.
MAX_IGNORED = 100
MAX_SHOWN_KEY = 128

_SURROGATE = re.compile("[\ud800-\udfff]")
# Texts that name something: with U+FFFD in the place of what is no character, two names would be one.
NAMES = IDENTITY_FIELDS | {"topic_key"}


class Notes:
    """What is noticed while one request is read."""

    __slots__ = ("ignored", "refused")

    def __init__(self) -> None:
        self.ignored: list[str] = []
        self.refused: dict[str, dict[int, LoomError]] = {}

    def ignore(self, key: str) -> None:
        if len(self.ignored) < MAX_IGNORED:
            self.ignored.append(shown(key))

    def refuse(self, field: str, index: int, refused: ReadError) -> None:
        refused.below(field)
        self.refused.setdefault(field, {})[index] = refused.error()

    def place(self, start: int, prefix: str) -> None:
        """Puts what was noted since `start` below the value that it was found in."""
        for i in range(start, len(self.ignored)):
            self.ignored[i] = prefix + self.ignored[i]


Read = Callable[[Any, Notes], Any]


class Plan:
    """How the fields of one message are read, by both of their JSON names."""

    __slots__ = ("fields",)

    def __init__(self) -> None:
        self.fields: dict[str, tuple[str, Read]] = {}

    @classmethod
    def of(cls, message: Descriptor, known: dict[str, "Plan"] | None = None) -> "Plan":
        """`known` holds the plans around this one: a message may contain itself."""
        top, known = known is None, known or {}
        if message.full_name in known:
            return known[message.full_name]
        if message.file.package.startswith("google.protobuf"):
            raise TypeError(f"{message.full_name}: the contract has no well-known types")
        plan = known[message.full_name] = cls()
        for field in message.fields:
            plan.fields[field.json_name] = plan.fields[field.name] = (field.name, _reader(field, known, top))
        return plan

    def prepare(self, args: Any, notes: Notes) -> dict[str, Any]:
        """Keyword arguments of the message constructor."""
        if type(args) is not dict:
            raise ReadError("an object")
        fields, prepared = self.fields, {}
        for key, value in args.items():
            field = fields.get(key)
            if field is None:
                notes.ignore(key)
            elif value is not None:
                name, read = field
                try:
                    prepared[name] = read(value, notes)
                except ReadError as refused:
                    refused.below(name)
                    raise
        return prepared


class Reader:
    """Reads one kind of request."""

    def __init__(self, message: type[Message]) -> None:
        self._message = message
        self._plan = Plan.of(message.DESCRIPTOR)

    def read(self, args: Mapping[str, Any]) -> tuple[Message, Notes]:
        notes = Notes()
        try:
            prepared = self._plan.prepare(args if type(args) is dict else dict(args), notes)
        except ReadError as refused:
            raise refused.error() from None
        try:
            return self._message(**prepared), notes
        except UnicodeEncodeError:
            return self._message(**scrub(prepared)), notes


def shown(key: str) -> str:
    """A caller's key as an answer may hold it."""
    return scrub(key if len(key) <= MAX_SHOWN_KEY else key[: MAX_SHOWN_KEY - 1] + "…")


def scrub(value: Any) -> Any:
    """The value with U+FFFD for each half of a surrogate pair."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [scrub(entry) for entry in value]
    if isinstance(value, dict):
        return {scrub(key): scrub(entry) for key, entry in value.items()}
    return value


def whole_text(value: Any, notes: Notes) -> str:
    """A string of characters alone."""
    read = text(value, notes)
    if _SURROGATE.search(read):
        raise ReadError("text without halves of surrogate pairs")
    return read


def _reader(field: FieldDescriptor, known: dict[str, Plan], top: bool) -> Read:
    is_json, answered = rules_of(field).json_text, bool(rules_of(field).answered_by)
    if answered and not (top and field.is_repeated and field.message_type is not None):
        raise TypeError(f"{field.full_name}: only lists of messages in the request itself are answered entry by entry")
    if is_map(field):
        return _map(field.name, _value(map_value(field), is_json, known))
    value = _value(field, is_json, known)
    if field.is_repeated:
        return _texts if value is text else _list(field.name, value, answered)
    return _placed(field.name, value) if field.message_type is not None else value


def _value(field: FieldDescriptor, is_json: bool, known: dict[str, Plan]) -> Read:
    """Reads one value: the field's own, or that of one entry of its list or map."""
    if field.message_type is not None:
        return Plan.of(field.message_type, known).prepare
    if is_json:
        return json_text
    if field.name in NAMES and field.type == FieldDescriptor.TYPE_STRING:
        return whole_text
    make = READERS.get(field.type)
    return make(field) if make else not_in_contract(field)


def _placed(name: str, read: Read) -> Read:
    def placed(value: Any, notes: Notes) -> Any:
        start = len(notes.ignored)
        prepared = read(value, notes)
        notes.place(start, f"{name}.")
        return prepared

    return placed


def _texts(values: Any, _: Notes) -> list[str]:
    """The list that most fields are, without a call per entry."""
    if type(values) is not list:
        raise ReadError("a list")
    for i, value in enumerate(values):
        if type(value) is not str:
            raise ReadError("a string", f"[{i}]")
    return values


def _list(name: str, read: Read, answered: bool) -> Read:
    def entries(values: Any, notes: Notes) -> list[Any]:
        if type(values) is not list:
            raise ReadError("a list")
        prepared: list[Any] = []
        for i, value in enumerate(values):
            start = len(notes.ignored)
            try:
                prepared.append(read(value, notes))
            except ReadError as refused:
                refused.below(f"[{i}]")
                if not answered:
                    raise
                notes.refuse(name, i, refused)
                prepared.append({})
            if len(notes.ignored) > start:
                notes.place(start, f"{name}[{i}].")
        return prepared

    return entries


def _map(name: str, read: Read) -> Read:
    """An error names the map and not the key at fault, since the key is the caller's."""

    def members(values: Any, notes: Notes) -> dict[str, Any]:
        if type(values) is not dict:
            raise ReadError("an object")
        prepared: dict[str, Any] = {}
        for key, value in values.items():
            start = len(notes.ignored)
            try:
                prepared[key] = read(value, notes)
            except ReadError as refused:
                refused.below("*")
                raise
            if len(notes.ignored) > start:
                notes.place(start, f"{name}.{shown(key)}.")
        return prepared

    return members
