"""Promises of the contract that live in options, where buf does not look: op names, roles, required fields, limits."""

from collections.abc import Iterator

from google.protobuf import descriptor_pb2 as pb

from loom.options.v1 import options_pb2

# From least to most that is asked of a caller.
ROLES = [
    options_pb2.ROLE_PUBLIC,
    options_pb2.ROLE_MEMBER,
    options_pb2.ROLE_VIEWER,
    options_pb2.ROLE_WRITER,
    options_pb2.ROLE_ADMIN,
    options_pb2.ROLE_ORG_ADMIN,
]


def broken_promises(promised: pb.FileDescriptorSet, now: pb.FileDescriptorSet) -> list[str]:
    """What callers of `promised` would run into, one line each, in the order of names."""
    return sorted([*_broken_ops(_ops(promised), _ops(now)), *_broken_fields(_fields(promised), _fields(now))])


def _ops(files: pb.FileDescriptorSet) -> dict[str, options_pb2.Op]:
    methods = (method for file in files.file for service in file.service for method in service.method)
    options = [method.options.Extensions[options_pb2.op] for method in methods]
    return {option.name: option for option in options if option.name}


def _fields(files: pb.FileDescriptorSet) -> dict[str, options_pb2.Field]:
    return {
        f"{file.package}.{message.name}.{field.name}": field.options.Extensions[options_pb2.field]
        for file in files.file
        for message in file.message_type
        for field in message.field
    }


def _broken_ops(before: dict[str, options_pb2.Op], after: dict[str, options_pb2.Op]) -> Iterator[str]:
    for name, old in before.items():
        new = after.get(name)
        if new is None:
            yield f"{name}: the op is gone"
            continue
        if ROLES.index(new.role) > ROLES.index(old.role):
            yield f"{name}: needs a greater role"
        if old.idempotent and not new.idempotent:
            yield f"{name}: is no longer idempotent"


def _broken_fields(before: dict[str, options_pb2.Field], after: dict[str, options_pb2.Field]) -> Iterator[str]:
    for name in before.keys() & after.keys():
        yield from (f"{name}: {what}" for what in _broken_field(before[name], after[name]))


def _broken_field(old: options_pb2.Field, new: options_pb2.Field) -> Iterator[str]:
    if new.required and not old.required:
        yield "is required now"
    if new.required and old.identity and not new.identity:
        yield "is no longer filled from the caller's identity"
    if old.default_json != new.default_json:
        yield "has another default"
    if (old.json_text, old.json_shape) != (new.json_text, new.json_shape):
        yield "takes other JSON values"
    if _lower(old.max_chars, new.max_chars) or _lower(old.max_items, new.max_items) or _narrower(old, new):
        yield "takes less than before"
    if new.words and (not old.words or set(old.words) - set(new.words)):
        yield "no longer takes all its words"


def _lower(old: int, new: int) -> bool:
    return new != 0 and (old == 0 or new < old)


def _narrower(old: options_pb2.Field, new: options_pb2.Field) -> bool:
    return new.has_range and (not old.has_range or new.min > old.min or new.max < old.max)
