"""What both directions of the codec know of fields."""

from typing import NoReturn

from google.protobuf.descriptor import FieldDescriptor

from loom.options.v1 import options_pb2

# Readers of JSON that keep numbers as doubles lose whole numbers beyond this.
SAFE_INTEGER = 2**53 - 1

# Least and greatest value of a whole number, by the C++ type that all its encodings share.
INTEGERS: dict[int, tuple[int, int]] = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-SAFE_INTEGER, SAFE_INTEGER),
    FieldDescriptor.CPPTYPE_UINT64: (0, SAFE_INTEGER),
}


def rules_of(field: FieldDescriptor) -> options_pb2.Field:
    """The field option; an empty one where the field carries none."""
    return field.GetOptions().Extensions[options_pb2.field]


def is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def map_value(field: FieldDescriptor) -> FieldDescriptor:
    """The value of a map field. Its key is a string."""
    entry = field.message_type.fields_by_name
    if entry["key"].type != FieldDescriptor.TYPE_STRING:
        not_in_contract(field)
    return entry["value"]


def not_in_contract(field: FieldDescriptor) -> NoReturn:
    raise TypeError(f"{field.full_name}: the contract has no fields of this type")
