"""The op table, read from the contract's descriptors: one row per rpc that carries the op option.

Routes, tools, schemas, documents and the server chain all read this table; nobody else knows an op by name.
"""

import difflib
import importlib
import json
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

from google.protobuf.descriptor import FileDescriptor, MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

import loom
from loom.options.v1 import options_pb2

DEFAULT_DEADLINE_S = 10.0
ROLES = {
    options_pb2.ROLE_PUBLIC: "public",
    options_pb2.ROLE_MEMBER: "member",
    options_pb2.ROLE_ORG_ADMIN: "org_admin",
    options_pb2.ROLE_VIEWER: "viewer",
    options_pb2.ROLE_WRITER: "writer",
    options_pb2.ROLE_ADMIN: "admin",
}


@dataclass(frozen=True, slots=True)
class Method:
    """One rpc: what a transport needs to call it. Internal rpcs are methods without being ops."""

    path: str
    request: type[Message]
    response: type[Message]
    method: MethodDescriptor

    @property
    def rpc(self) -> str:
        """The servicer's method name."""
        return self.method.name


@dataclass(frozen=True, slots=True)
class Op(Method):
    """One op. `deadline_s` is what a call gets whose caller names no deadline, in seconds."""

    name: str
    plane: str
    role: str
    writes: bool
    idempotent: bool
    toolset: str
    listed: bool
    deadline_s: float
    doc: str
    http_path: str

    @property
    def tool(self) -> str:
        """Name of its MCP tool."""
        return "loom_" + self.name.replace(".", "_")


class OpTable:
    """The ops by name and by rpc path."""

    def __init__(self, ops: list[Op]) -> None:
        self.by_name = {op.name: op for op in sorted(ops, key=lambda op: op.name)}
        self.by_path = {op.path: op for op in ops}
        self.by_http_path = {op.http_path: op for op in ops}
        self.by_tool = {op.tool: op for op in self.by_name.values()}
        if not len(self.by_name) == len(self.by_path) == len(self.by_tool) == len(ops):
            raise ValueError("two rpcs of the contract declare the same op")

    def __iter__(self) -> Iterator[Op]:
        return iter(self.by_name.values())

    def __len__(self) -> int:
        return len(self.by_name)

    def get(self, name: str) -> Op | None:
        return self.by_name.get(name)

    def nearest(self, name: str) -> list[str]:
        """Up to three op names that look like the given one."""
        return difflib.get_close_matches(name, self.by_name, n=3, cutoff=0.5)

    def of_planes(self, planes: set[str]) -> "OpTable":
        """The part of the table that these planes serve."""
        return OpTable([op for op in self if op.plane in planes])


def contract_files() -> list[FileDescriptor]:
    """Descriptors of every contract file, found by walking the library's packages."""
    names = [m.name for m in pkgutil.walk_packages(loom.__path__, "loom.") if m.name.endswith("_pb2")]
    return [importlib.import_module(name).DESCRIPTOR for name in sorted(names)]


@cache
def load_ops() -> OpTable:
    """The whole contract's ops. Raises ValueError for an op whose declaration is incomplete."""
    services = [s for file in contract_files() for s in file.services_by_name.values()]
    return OpTable([op_of(m) for s in services for m in s.methods if m.GetOptions().HasExtension(options_pb2.op)])


def op_of(method: MethodDescriptor) -> Op:
    option = method.GetOptions().Extensions[options_pb2.op]
    if not (option.name and option.toolset and option.role in ROLES and option.kind):
        raise ValueError(f"{method.full_name}: the op option needs name, role, kind and toolset")
    rpc = method_of(method)
    return Op(
        path=rpc.path,
        request=rpc.request,
        response=rpc.response,
        method=method,
        name=option.name,
        plane=plane_of(method.containing_service),
        role=ROLES[option.role],
        writes=option.kind == options_pb2.KIND_WRITE,
        idempotent=option.idempotent,
        toolset=option.toolset,
        listed=option.listed,
        deadline_s=option.deadline_ms / 1000 or DEFAULT_DEADLINE_S,
        doc=comment_of(method.full_name),
        http_path=option.http_path or option.name,
    )


def method_of(method: MethodDescriptor) -> Method:
    """The transport's view of any rpc, op or not."""
    service = method.containing_service
    return Method(
        f"/{service.full_name}/{method.name}",
        GetMessageClass(method.input_type),
        GetMessageClass(method.output_type),
        method,
    )


def methods_of(service: ServiceDescriptor) -> list[Method]:
    """Every rpc of a service: ops as `Op`, the others as `Method`."""
    table = load_ops().by_path
    return [table.get(m.path, m) for m in map(method_of, service.methods)]


def plane_of(service: ServiceDescriptor) -> str:
    """`observe` for package loom.observe.v1, unless the service's option names the plane that serves it."""
    return service.GetOptions().Extensions[options_pb2.plane] or service.file.package.split(".")[1]


@cache
def _comments() -> dict[str, str]:
    return json.loads(resources.files("loom").joinpath("contract.json").read_text(encoding="utf-8"))


def comment_of(full_name: str) -> str:
    """The contract's comment on a service, rpc, message or field, in one line; empty when there is none."""
    return _comments().get(full_name, "")
