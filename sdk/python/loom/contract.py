"""What the contract says about every op, read from the generated modules: nothing here names an op."""

import functools
import importlib
import json
import pkgutil
from dataclasses import asdict, dataclass
from importlib import resources
from types import ModuleType
from typing import Any

from google.protobuf import descriptor as pb

import loom
from loom.options.v1 import options_pb2

VERSION = "v1"
SUFFIX = "_pb2"

_SCALARS = {
    pb.FieldDescriptor.CPPTYPE_STRING: "string",
    pb.FieldDescriptor.CPPTYPE_BOOL: "boolean",
    pb.FieldDescriptor.CPPTYPE_INT32: "integer",
    pb.FieldDescriptor.CPPTYPE_INT64: "integer",
    pb.FieldDescriptor.CPPTYPE_UINT32: "integer",
    pb.FieldDescriptor.CPPTYPE_UINT64: "integer",
    pb.FieldDescriptor.CPPTYPE_FLOAT: "number",
    pb.FieldDescriptor.CPPTYPE_DOUBLE: "number",
    pb.FieldDescriptor.CPPTYPE_ENUM: "string",
    pb.FieldDescriptor.CPPTYPE_MESSAGE: "object",
}


@dataclass(frozen=True, slots=True)
class FieldInfo:
    """One field of a request or response.

    `type` is the JSON type: `string`, `integer`, `number`, `boolean`, `object`, `any JSON`, `list of …` or
    `map to …`. `default` is the value used when the field is empty; None when there is none. `fields` are those of an
    object; a message inside itself is not opened again.
    """

    name: str
    type: str
    required: bool
    nullable: bool
    default: Any
    doc: str
    words: tuple[str, ...]
    minimum: int | None
    maximum: int | None
    max_chars: int | None
    max_items: int | None
    fields: tuple["FieldInfo", ...]

    def summary(self) -> str:
        """The field's type and what it takes, in one line."""
        parts = [self.type]
        if self.required:
            parts.append("required")
        if self.default is not None:
            parts.append(f"default {json.dumps(self.default)}")
        if self.words:
            parts.append("one of " + ", ".join(self.words))
        if self.minimum is not None:
            parts.append(f"{self.minimum} to {self.maximum}")
        parts += [f"at most {self.max_chars} characters"] if self.max_chars else []
        parts += [f"at most {self.max_items} entries"] if self.max_items else []
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class OpInfo:
    """One op. `rpc` is its full gRPC method name; the other fields are those of the op option."""

    name: str
    plane: str
    role: str
    kind: str
    idempotent: bool
    toolset: str
    listed: bool
    deadline_s: float
    doc: str
    rpc: str
    request: tuple[FieldInfo, ...]
    response: tuple[FieldInfo, ...]

    def as_json(self) -> dict[str, Any]:
        """The op as JSON values."""
        return asdict(self)


@functools.cache
def _ops() -> tuple[OpInfo, ...]:
    comments = _comments()
    found = [
        _op(method, comments)
        for module in modules()
        for service in module.DESCRIPTOR.services_by_name.values()
        for method in service.methods
        if method.GetOptions().HasExtension(options_pb2.op)
    ]
    return tuple(sorted(found, key=lambda op: op.plane))  # a stable sort: within a plane the order of the proto


def ops() -> list[OpInfo]:
    """Every op of the contract, plane by plane, each plane in the order of its proto files."""
    return list(_ops())


def modules() -> list[ModuleType]:
    """The generated message modules, `loom/<plane>/v1/*_pb2.py`, in the order of their names."""
    planes = sorted(package.name for package in pkgutil.iter_modules(loom.__path__) if package.ispkg)
    found = []
    for plane in planes:
        if any(part.name == VERSION for part in _parts(f"loom.{plane}")):
            package = f"loom.{plane}.{VERSION}"
            names = sorted(part.name for part in _parts(package) if part.name.endswith(SUFFIX))
            found += [importlib.import_module(f"{package}.{name}") for name in names]
    return found


def _parts(package: str) -> list[pkgutil.ModuleInfo]:
    return list(pkgutil.iter_modules(importlib.import_module(package).__path__))


def _comments() -> dict[str, str]:
    return json.loads((resources.files(loom) / "contract.json").read_text("utf-8"))


def _op(method: pb.MethodDescriptor, comments: dict[str, str]) -> OpInfo:
    option = method.GetOptions().Extensions[options_pb2.op]
    return OpInfo(
        name=option.name,
        plane=method.containing_service.file.package.split(".")[1],
        role=options_pb2.Role.Name(option.role).removeprefix("ROLE_").lower(),
        kind=options_pb2.Kind.Name(option.kind).removeprefix("KIND_").lower(),
        idempotent=option.idempotent,
        toolset=option.toolset,
        listed=option.listed,
        deadline_s=(option.deadline_ms or 10_000) / 1000,
        doc=comments.get(method.full_name, ""),
        rpc=f"/{method.containing_service.full_name}/{method.name}",
        request=_fields(method.input_type, comments, ()),
        response=_fields(method.output_type, comments, ()),
    )


def _fields(message: pb.Descriptor, comments: dict[str, str], above: tuple[str, ...]) -> tuple[FieldInfo, ...]:
    return tuple(_field(field, comments, (*above, message.full_name)) for field in message.fields)


def _field(field: pb.FieldDescriptor, comments: dict[str, str], above: tuple[str, ...]) -> FieldInfo:
    option = field.GetOptions().Extensions[options_pb2.field]
    inner = _message(field)
    opened = inner is not None and inner.full_name not in above
    return FieldInfo(
        name=field.name,
        type=_type(field, option.json_text),
        required=option.required,
        nullable=field.has_presence,
        default=json.loads(option.default_json) if option.default_json else None,
        doc=comments.get(field.full_name, ""),
        words=tuple(option.words),
        minimum=option.min if option.has_range else None,
        maximum=option.max if option.has_range else None,
        max_chars=option.max_chars or None,
        max_items=option.max_items or None,
        fields=_fields(inner, comments, above) if opened else (),
    )


def _is_map(field: pb.FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def _message(field: pb.FieldDescriptor) -> pb.Descriptor | None:
    return field.message_type.fields_by_name["value"].message_type if _is_map(field) else field.message_type


def _type(field: pb.FieldDescriptor, json_text: bool) -> str:
    if _is_map(field):
        return f"map to {_type(field.message_type.fields_by_name['value'], False)}"
    bare = "any JSON" if json_text else _SCALARS[field.cpp_type]
    return f"list of {bare}" if field.is_repeated else bare
