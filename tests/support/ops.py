"""Ops that tests make up."""

from typing import Any

from loom.options.v1 import options_pb2
from runtime.ids import new_id
from runtime.optable import Op, op_of
from tests.support.protos import compile_proto


def op_of_proto(fields: str = "", **option: Any) -> Op:
    """An op whose request has the given fields; keyword arguments set its option. Unset: a viewer's read."""
    package = f"loom.p{new_id()}"
    name = f"{package.removeprefix('loom.')}.r"
    declared = {"name": name, "role": options_pb2.ROLE_VIEWER, "kind": options_pb2.KIND_READ, "toolset": "made_up"}
    body = f"""
        service S {{ rpc R(RRequest) returns (RResponse) {{ option (loom.options.v1.op) = {{{_text(declared | option)}}}; }} }}
        message RRequest {{ {fields} }}
        message RResponse {{}}
    """
    return op_of(compile_proto(package, body).services_by_name["S"].methods[0])


def _text(declared: dict[str, Any]) -> str:
    """The option as a proto file spells it."""
    return str(options_pb2.Op(**declared)).replace("\n", " ")
