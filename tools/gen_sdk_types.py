"""How contract messages look in the Python client: dataclasses for what comes back, typed dicts for what is sent."""

import json
import keyword
import textwrap
from collections.abc import Iterable, Iterator

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from loom.options.v1 import options_pb2
from runtime.optable import comment_of

HEADER = '"""Generated from the contract by tools/gen_sdk.py; do not edit."""\n\nfrom __future__ import annotations\n\n'
MODEL_IMPORTS = """import builtins
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as _field
from typing import Any, Required, Self, TypedDict

from loom._op import JsonValue
"""
WIDTH = 120

F = FieldDescriptor
TYPES = {
    F.TYPE_STRING: "str",
    F.TYPE_ENUM: "str",
    F.TYPE_BOOL: "bool",
    F.TYPE_INT32: "int",
    F.TYPE_INT64: "int",
    F.TYPE_DOUBLE: "float",
    F.TYPE_FLOAT: "float",
    F.TYPE_BYTES: "bytes",
}
ZEROS = {"str": '""', "bool": "False", "int": "0", "float": "0.0", "bytes": 'b""'}


def option(field: F) -> options_pb2.Field:
    return field.GetOptions().Extensions[options_pb2.field]


def module_of(message: Descriptor) -> str:
    """`observe` for package loom.observe.v1, `observe_v2` for loom.observe.v2."""
    root, *parts = message.file.package.split(".")
    if root != "loom":
        raise ValueError(f"{message.full_name}: only the contract's own messages have JSON that a client can read")
    return "_".join(part for part in parts if part != "v1")


def class_of(message: Descriptor) -> str:
    return message.full_name.removeprefix(message.file.package).replace(".", "")


def safe(name: str) -> str:
    """The name as an identifier: `from` cannot be one."""
    return f"{name}_" if keyword.iskeyword(name) or name == "self" else name


def is_map(field: F) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def value_of(field: F) -> F:
    """The field that says what a map's values are; any other field itself."""
    return field.message_type.fields_by_name["value"] if is_map(field) else field


def imports_of(modules: Iterable[str]) -> str:
    return "".join(f"from loom._generated.models import {name} as {name}_models\n" for name in sorted(modules))


class Scope:
    """The place where types are written: a class of `module`, whose own names `taken` hide the builtins' ones."""

    def __init__(self, module: str, taken: Iterable[str], suffix: str) -> None:
        self.module, self.taken, self.suffix = module, set(taken), suffix

    def builtin(self, name: str) -> str:
        return f"builtins.{name}" if name in self.taken else name

    def message(self, message: Descriptor, suffix: str) -> str:
        home = module_of(message)
        return ("" if home == self.module else f"{home}_models.") + class_of(message) + suffix

    def single(self, field: F) -> str:
        """The type of one value."""
        if field.message_type:
            return self.message(field.message_type, self.suffix)
        if not option(field).json_text:
            return self.builtin(TYPES[field.type])
        is_object = option(field).json_shape == options_pb2.JSON_SHAPE_OBJECT
        return f"Mapping[{self.builtin('str')}, JsonValue]" if is_object else "JsonValue"

    def whole(self, field: F) -> str:
        """The type of the field, apart from whether it may be None."""
        one = self.single(value_of(field))
        if is_map(field):
            return f"{self.builtin('dict')}[{self.builtin('str')}, {one}]"
        return f"{self.builtin('list')}[{one}]" if field.is_repeated else one


def may_be_none(field: F) -> bool:
    return not field.is_repeated and (field.has_presence or option(field).json_text)


def optional(type_: str) -> str:
    return type_ if type_ == "JsonValue" else f"{type_} | None"


def doc(text: str, indent: int) -> str:
    """A docstring's lines; paragraphs are kept, lines are filled."""
    text = text.replace("\\", "\\\\").replace('"""', "'''")
    text += " " if text.endswith('"') else ""
    if indent + len(text) + 6 <= WIDTH and "\n" not in text:
        return f'{" " * indent}"""{text}"""\n'
    lines = [piece for line in text.split("\n") for piece in (fill(line, indent) or [""])]
    body = "\n".join(lines).strip()
    return f'{" " * indent}"""{body}\n{" " * indent}"""\n'


def fill(line: str, indent: int) -> list[str]:
    own = len(line) - len(line.lstrip())
    start = " " * (indent + own)
    return textwrap.wrap(
        line.strip(),
        WIDTH - 3,  # room for the quotes of the first line
        initial_indent=start,
        subsequent_indent=start + ("    " if own else ""),
        break_long_words=False,
        break_on_hyphens=False,
    )


def field_doc(field: F) -> str:
    """The contract's comment, then what the options say."""
    o, parts = option(field), [comment_of(field.full_name)]
    if o.words:
        parts.append(f"One of {', '.join(f'`{word}`' for word in o.words)}.")
    if o.has_range:
        parts.append(f"From {o.min:,} to {o.max:,}.")
    limits = [f"{o.max_items:,} entries"] * bool(o.max_items) + [f"{o.max_chars:,} characters"] * bool(o.max_chars)
    if limits:
        parts.append(f"Limit: {' of '.join(limits)}.")
    if o.default_json:
        parts.append(f"Default `{json.dumps(json.loads(o.default_json))}`.")
    if o.identity:
        parts.append("The agent's own when not given.")
    return " ".join(part for part in parts if part)


def dataclass_of(message: Descriptor, module: str, extra: bool) -> str:
    """A result. `extra`: it is an op's, and may name arguments that the server ignored."""
    scope = Scope(module, [f.name for f in message.fields], "")
    text = "@dataclass(frozen=True, slots=True, kw_only=True)\n"
    text += f"class {class_of(message)}:\n{doc(comment_of(message.full_name), 4)}\n"
    for field in message.fields:
        type_ = optional(scope.whole(field)) if may_be_none(field) else scope.whole(field)
        text += f"    {safe(field.name)}: {type_} = {default(field, scope)}\n{doc(comment_of(field.full_name), 4)}"
    if extra:
        text += f"    ignored_args: {scope.builtin('list')}[{scope.builtin('str')}] = "
        text += f"_field(default_factory={scope.builtin('list')})\n"
        text += doc("Arguments that the server did not know and did not use, as dotted paths.", 4)
    values = [f"{safe(f.name)}={reader(f, module)}" for f in message.fields]
    values += ["ignored_args=data.get('ignored_args') or []"] if extra else []
    text += "\n    @classmethod\n    def from_dict(cls, data: Mapping[str, Any]) -> Self:\n"
    text += doc("Reads the JSON object. What is missing is empty; what this version does not know is left out.", 8)
    return text + f"        return cls({', '.join(values)})\n\n\n"


def default(field: F, scope: Scope) -> str:
    if field.is_repeated:
        return f"_field(default_factory={scope.builtin('dict' if is_map(field) else 'list')})"
    return "None" if may_be_none(field) else ZEROS[TYPES[field.type]]


def reader(field: F, module: str) -> str:
    """The expression that reads the field out of `data`."""
    got, value = f"data.get({field.name!r})", value_of(field)
    make = ""
    if value.message_type:
        make = Scope(module, [], "").message(value.message_type, "") + ".from_dict"
    elif value.type == F.TYPE_BYTES:
        make = "b64decode"
    if field.is_repeated:
        empty = "{}" if is_map(field) else "[]"
        if not make:
            return f"{got} or {empty}"
        if is_map(field):
            return f"{{name: {make}(item) for name, item in ({got} or {{}}).items()}}"
        return f"[{make}(item) for item in {got} or []]"
    if may_be_none(field):
        return f"None if {got} is None else {make}(data[{field.name!r}])" if make else got
    return f"{make}({got} or '')" if make else f"{got} or {ZEROS[TYPES[field.type]]}"


def typed_dict_of(message: Descriptor, module: str) -> str:
    """A message that is sent inside a request."""
    for field in message.fields:
        if keyword.iskeyword(field.name):
            raise ValueError(f"{field.full_name}: a Python keyword cannot name a field of a nested request message")
    scope = Scope(module, [f.name for f in message.fields], "Input")
    text = f"class {class_of(message)}Input(TypedDict, total=False):\n{doc(comment_of(message.full_name), 4)}\n"
    for field in message.fields:
        # Inside a request nothing converts: bytes are sent as the base64 text that JSON wants.
        type_ = scope.whole(field).replace("bytes", "str")
        type_ = optional(type_) if may_be_none(field) else type_
        type_ = f"Required[{type_}]" if option(field).required else type_
        text += f"    {field.name}: {type_}\n{doc(field_doc(field), 4)}"
    return text + "\n\n"


def reachable(messages: Iterable[Descriptor]) -> Iterator[Descriptor]:
    """The messages that these hold, at any depth, each once; not these themselves."""
    found: dict[str, Descriptor] = {}
    todo = list(messages)
    while todo:
        for field in todo.pop().fields:
            inner = value_of(field).message_type
            if inner and inner.full_name not in found:
                found[inner.full_name] = inner
                todo.append(inner)
    return iter(found.values())


def models(requests: list[Descriptor], responses: list[Descriptor]) -> dict[str, str]:
    """Module name -> source, of everything that ops take and give."""
    given = {m.full_name: m for m in [*responses, *reachable(responses)]}
    sent = {m.full_name: m for m in reachable(requests)}
    ops = {m.full_name for m in responses}
    bodies: dict[str, str] = {}
    uses: dict[str, set[str]] = {}
    for name in sorted({*given, *sent}):
        message = given.get(name) or sent[name]
        module = module_of(message)
        text = dataclass_of(message, module, name in ops) if name in given else ""
        text += typed_dict_of(message, module) if name in sent else ""
        bodies[module] = bodies.get(module, "") + text
        uses.setdefault(module, set()).update(
            module_of(inner.message_type) for inner in map(value_of, message.fields) if inner.message_type
        )
    return {m: HEADER + MODEL_IMPORTS + imports_of(uses[m] - {m}) + "\n\n" + body for m, body in bodies.items()}
