"""Which organisations, namespaces and users a request names, nested messages included. Compiled once per message."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from operator import attrgetter
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from loom.options.v1 import options_pb2

NAMES = ("org", "namespace", "user_id")


@dataclass(slots=True)
class Scopes:
    """What was found: organisations and users that were named, and the namespaces in force, in order."""

    orgs: set[str] = field(default_factory=set)
    namespaces: dict[str, None] = field(default_factory=dict)
    users: set[str] = field(default_factory=set)


class Finder:
    """Finds the scopes of messages of one kind."""

    __slots__ = ("_nested", "_read", "names_namespace", "takes_namespace")

    def __init__(self) -> None:
        self._read: Callable[[Message], tuple[str, str, str]] = _nothing
        self._nested: list[tuple[str, Callable[[Any], Iterable[Message]], Finder]] = []
        self.names_namespace = False
        self.takes_namespace = False

    @classmethod
    def of(cls, message: Descriptor, known: dict[str, "Finder"]) -> "Finder":
        """`known` holds the finders around this one: a message may contain itself."""
        if message.full_name in known:
            return known[message.full_name]
        finder = known[message.full_name] = cls()
        finder._read = _reader({f.name for f in message.fields if f.name in NAMES and _is_one_text(f)})
        namespace = message.fields_by_name.get("namespace")
        finder.names_namespace = namespace is not None and _is_one_text(namespace)
        finder.takes_namespace = finder.names_namespace and _source(namespace) == options_pb2.IDENTITY_NAMESPACE
        for child in message.fields:
            entry = _entry_of(child)
            if entry is not None and _reaches(entry, set()):
                finder._nested.append((child.name, _values(child), cls.of(entry, known)))
        return finder

    @property
    def is_flat(self) -> bool:
        """True when no nested message names a scope."""
        return not self._nested

    def read(self, message: Message) -> tuple[str, str, str]:
        """The message's own org, namespace and user_id; empty for what it does not say."""
        return self._read(message)

    def find(self, message: Message, namespace: str, found: Scopes) -> None:
        """Adds what the message and those in it name. `namespace` holds where they name none."""
        org, own, user = self._read(message)
        if org:
            found.orgs.add(org)
        if user:
            found.users.add(user)
        namespace = own or namespace
        if namespace:
            found.namespaces[namespace] = None
        for name, values, finder in self._nested:
            for nested in values(message, name):
                finder.find(nested, namespace, found)

    def rename(self, message: Message, names: Mapping[str, str]) -> None:
        """Puts `names[namespace]` in the place of each namespace that the message and those in it name."""
        if self.names_namespace and message.namespace in names:
            message.namespace = names[message.namespace]
        for name, values, finder in self._nested:
            for nested in values(message, name):
                finder.rename(nested, names)


@cache
def finder_for(message: type[Message]) -> Finder:
    """The finder of a message class, compiled at the first call."""
    return Finder.of(message.DESCRIPTOR, {})


def _nothing(message: Message) -> tuple[str, str, str]:
    return "", "", ""


def _reader(present: set[str]) -> Callable[[Message], tuple[str, str, str]]:
    if present == set(NAMES):
        return attrgetter(*NAMES)
    if not present:
        return _nothing
    org, namespace, user = (name if name in present else None for name in NAMES)

    def read(message: Message) -> tuple[str, str, str]:
        return (
            message.org if org else "",
            message.namespace if namespace else "",
            message.user_id if user else "",
        )

    return read


def _is_one_text(field: FieldDescriptor) -> bool:
    return field.type == FieldDescriptor.TYPE_STRING and not field.is_repeated


def _source(field: FieldDescriptor) -> int:
    return field.GetOptions().Extensions[options_pb2.field].identity


def _is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def _entry_of(field: FieldDescriptor) -> Descriptor | None:
    """The message that the field holds, or that each entry of its list or map is; None for others."""
    return field.message_type.fields_by_name["value"].message_type if _is_map(field) else field.message_type


def _reaches(message: Descriptor, seen: set[str]) -> bool:
    """Whether the message or one inside it names a scope."""
    if message.full_name in seen:
        return False
    seen.add(message.full_name)
    if any(field.name in NAMES and _is_one_text(field) for field in message.fields):
        return True
    return any((entry := _entry_of(field)) is not None and _reaches(entry, seen) for field in message.fields)


def _values(field: FieldDescriptor) -> Callable[[Message, str], Iterable[Message]]:
    if _is_map(field):
        return lambda message, name: getattr(message, name).values()
    if field.is_repeated:
        return getattr
    return lambda message, name: (getattr(message, name),) if message.HasField(name) else ()
