"""Generates the Python client's typed calls from the contract: `make gen`, or `python -m tools.gen_sdk` for them alone.

Writes sdk/python/loom/_generated: `models/` (one module for each contract package), `calls/` (one module for each group
of ops, every op as a method of two twins) and `table.py` (what the client knows of each op). The output depends on
nothing but the contract; it is committed, and a test fails when it differs from a fresh one.
"""

import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from google.protobuf.descriptor import Descriptor

from loom.options.v1 import options_pb2
from runtime.optable import Op, comment_of, load_ops
from tools.gen_sdk_types import (
    HEADER,
    F,
    Scope,
    class_of,
    doc,
    field_doc,
    imports_of,
    models,
    module_of,
    option,
    optional,
    safe,
    value_of,
)

OUT = Path(__file__).resolve().parent.parent / "sdk" / "python" / "loom" / "_generated"

PARTS = {
    options_pb2.IDENTITY_ORG: "org",
    options_pb2.IDENTITY_NAMESPACE: "namespace",
    options_pb2.IDENTITY_AGENT: "agent",
    options_pb2.IDENTITY_USER: "user_id",
    options_pb2.IDENTITY_SESSION: "session_id",
}
# Names that the clients themselves have beside the ops, and the module of the ops without a group.
RESERVED = {"call", "close", "aclose", "root"}
CALL_IMPORTS = """import builtins
from base64 import b64encode
from collections.abc import Mapping

from loom._generated import table
from loom._op import AsyncSend, JsonValue, Send
"""


@dataclass(slots=True)
class Group:
    """The ops `<path>.*` and the groups below; the root's path is empty."""

    path: tuple[str, ...] = ()
    ops: dict[str, Op] = field(default_factory=dict)
    groups: dict[str, "Group"] = field(default_factory=dict)

    @property
    def cls(self) -> str:
        return "".join(word.capitalize() for part in self.path for word in part.split("_")) or "Root"

    def walk(self) -> list["Group"]:
        """This group after those below it, as Python needs their classes."""
        return [inner for group in self.groups.values() for inner in group.walk()] + [self]


def grouped(ops: list[Op]) -> Group:
    root = Group()
    for op in ops:
        *path, name = op.name.split(".")
        group = root
        for part in path:
            group = group.groups.setdefault(part, Group((*group.path, part)))
        group.ops[name] = op
    for group in root.walk():
        clashes = group.ops.keys() & group.groups.keys()
        clashes |= RESERVED & (group.ops.keys() | group.groups.keys()) if group is root else set()
        if clashes:
            raise ValueError(f"ops named {sorted(clashes)}: the client has something else of that name")
    return root


def arguments(op: Op) -> list[F]:
    """Those that a caller must give come first."""
    fields = op.method.input_type.fields
    return sorted(fields, key=lambda f: not must_be_given(f))


def must_be_given(field: F) -> bool:
    return option(field).required and not option(field).identity


def parameter(field: F, scope: Scope) -> str:
    type_ = scope.whole(field)
    return f"{safe(field.name)}: {type_}" if must_be_given(field) else f"{safe(field.name)}: {optional(type_)} = None"


def sent(field: F) -> str:
    """The expression that is sent for the argument."""
    name = safe(field.name)
    if field.type != F.TYPE_BYTES:
        return name
    if field.is_repeated:
        return f"None if {name} is None else [b64encode(item).decode() for item in {name}]"
    return f"None if {name} is None else b64encode({name}).decode()"


def method_doc(op: Op) -> str:
    kind = ("Writes" if op.writes else "Reads") + "; " + ("idempotent" if op.idempotent else "not idempotent")
    text = f"{op.doc}\n\nRole: {op.role}. {kind}."
    if op.method.input_type.fields:
        text += "\n\nArgs:\n"
        text += "\n".join(f"    {safe(f.name)}: {field_doc(f)}" for f in arguments(op))
    return text + f"\n\nReturns:\n    {comment_of(op.method.output_type.full_name)}"


def method(name: str, op: Op, scope: Scope, twin: str) -> str:
    parameters = ["self", *(["*"] if op.method.input_type.fields else [])]
    parameters += [parameter(f, scope) for f in arguments(op)]
    result = scope.message(op.method.output_type, "")
    args = ", ".join(f"{f.name!r}: {sent(f)}" for f in op.method.input_type.fields)
    define, call = ("async def", "await self._send") if twin else ("def", "self._send")
    return (
        f"    {define} {safe(name)}({', '.join(parameters)}) -> {result}:\n{doc(method_doc(op), 8)}"
        f"        return {call}(table.{constant(op)}, {{{args}}})\n\n"
    )


def group_class(group: Group, twin: str) -> str:
    """One class; `twin` is the prefix of its name."""
    scope = Scope("", [safe(name) for name in [*group.ops, *group.groups]], "Input")
    children = {safe(name): twin + inner.cls for name, inner in group.groups.items()}
    what = f"The ops `{'.'.join(group.path)}.*`." if group.path else "Every op."
    text = f"class {twin}{group.cls}:\n{doc(what, 4)}\n"
    text += f"    __slots__ = ({', '.join(repr(name) for name in ['_send', *children])},)\n\n"
    text += f"    def __init__(self, send: {twin}Send) -> None:\n        self._send = send\n"
    text += "".join(f"        self.{name} = {cls}(send)\n" for name, cls in children.items()) + "\n"
    return text + "".join(method(name, op, scope, twin) for name, op in group.ops.items()) + "\n"


def calls_module(groups: list[Group], imports: str = "") -> str:
    messages = [m for group in groups for op in group.ops.values() for m in referred(op)]
    text = HEADER + CALL_IMPORTS + imports_of({module_of(m) for m in messages}) + imports + "\n\n"
    return text + "".join(group_class(group, twin) for twin in ("", "Async") for group in groups)


def referred(op: Op) -> list[Descriptor]:
    inner = [value_of(f).message_type for f in op.method.input_type.fields]
    return [op.method.output_type, *(message for message in inner if message)]


def constant(op: Op) -> str:
    return op.name.upper().replace(".", "_")


def table(ops: list[Op]) -> str:
    imports = "from typing import Any\n\nfrom loom._op import Op\n"
    text = HEADER + imports + imports_of({module_of(op.method.output_type) for op in ops}) + "\n"
    for op in ops:
        fields = op.method.input_type.fields
        identity = {f.name: PARTS[option(f).identity] for f in fields if option(f).identity}
        model = f"{module_of(op.method.output_type)}_models.{class_of(op.method.output_type)}"
        text += f"{constant(op)}: Op[{model}] = Op({op.name!r}, {model}.from_dict, "
        path = f", path={op.http_path!r}" if op.http_path != op.name else ""
        text += (
            f"repeatable={op.idempotent or not op.writes}, identity={identity!r}, deadline_s={op.deadline_s}{path})\n"
        )
    return text + f"\nOPS: dict[str, Op[Any]] = {{op.name: op for op in ({', '.join(map(constant, ops))},)}}\n"


def sources(ops: list[Op]) -> dict[str, str]:
    """Path below _generated -> source, before formatting."""
    root = grouped(ops)
    modules = models([op.method.input_type for op in ops], [op.method.output_type for op in ops])
    files = {f"models/{name}.py": text for name, text in modules.items()}
    names = ", ".join(sorted(modules))
    exported = [repr(name) for name in sorted(modules)]
    files["models/__init__.py"] = (
        HEADER + f"from loom._generated.models import {names}\n\n__all__ = [{', '.join(exported)}]\n"
    )
    files |= {f"calls/{safe(name)}.py": calls_module(group.walk()) for name, group in root.groups.items()}
    tops = "".join(
        f"from loom._generated.calls.{safe(name)} import {group.cls}, Async{group.cls}\n"
        for name, group in root.groups.items()
    )
    files |= {"calls/root.py": calls_module([root], tops), "table.py": table(ops)}
    return files | {"calls/__init__.py": HEADER, "__init__.py": HEADER}


def formatted(files: dict[str, str]) -> dict[str, str]:
    """The same, without unused imports, in the project's format; no configuration file is read."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        ruff = [sys.executable, "-m", "ruff"]
        style = ["--isolated", "--quiet", "--no-cache", "--line-length=120", "--target-version=py311", folder]
        imports = ["--select=I,F401", "--fix", "--config=lint.isort.known-first-party=['loom']"]
        subprocess.run([*ruff, "check", *imports, *style], check=True)
        subprocess.run([*ruff, "format", *style], check=True)
        return {name: Path(folder, name).read_text() for name in sorted(files)}


def render() -> dict[str, str]:
    """Path below _generated -> source, as it is committed."""
    return formatted(sources(list(load_ops())))


def main() -> None:
    files = render()
    shutil.rmtree(OUT, ignore_errors=True)
    for name, text in files.items():
        path = OUT / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


if __name__ == "__main__":
    main()
