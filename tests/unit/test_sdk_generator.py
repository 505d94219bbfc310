"""The generator over a contract made up here: shapes that the real one does not have, or not yet."""

import importlib
import inspect
import subprocess
import sys
import typing
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from google.protobuf import descriptor_pb2 as pb
from google.protobuf import descriptor_pool

from loom.options.v1 import options_pb2
from runtime.optable import Op, op_of
from tools import gen_sdk

F = pb.FieldDescriptorProto
PACKAGE = "loom.made.v1"


def made_field(number: int, name: str, type_: int, message: str = "", repeated: bool = False, **options: Any) -> F:
    field = F(name=name, number=number, type=type_, label=F.LABEL_REPEATED if repeated else F.LABEL_OPTIONAL)
    if message:
        field.type_name = f".{PACKAGE}.{message}"
    field.options.Extensions[options_pb2.field].CopyFrom(options_pb2.Field(**options))
    return field


def made_ops(ops: dict[str, tuple[list[F], list[F]]], **messages: list[F]) -> list[Op]:
    """Ops of the given names, with the given request and response fields, and messages that they may hold."""
    file = pb.FileDescriptorProto(name="made.proto", package=PACKAGE, syntax="proto3")
    service = file.service.add(name="Made")
    for i, (name, (request, response)) in enumerate(ops.items()):
        messages |= {f"Rpc{i}Request": request, f"Rpc{i}Response": response}
        method = service.method.add(name=f"Rpc{i}", input_type=f"Rpc{i}Request", output_type=f"Rpc{i}Response")
        option = options_pb2.Op(name=name, role=options_pb2.ROLE_WRITER, kind=options_pb2.KIND_WRITE, toolset="made")
        method.options.Extensions[options_pb2.op].CopyFrom(option)
    for name, fields in messages.items():
        file.message_type.add(name=name, field=fields)
        if name.endswith("Entry"):
            file.message_type[-1].options.map_entry = True
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return [op_of(method) for method in pool.FindServiceByName(f"{PACKAGE}.Made").methods]


@pytest.fixture
def generated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[list[Op]], SimpleNamespace]:
    """Writes the code for ops as a package of its own and imports it: `root` and `models`."""

    def make(ops: list[Op]) -> SimpleNamespace:
        for name, text in gen_sdk.formatted(gen_sdk.sources(ops)).items():
            path = tmp_path / "made_sdk" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.replace("loom._generated", "made_sdk"))
        monkeypatch.syspath_prepend(tmp_path)
        return SimpleNamespace(
            root=importlib.import_module("made_sdk.calls.root"), models=importlib.import_module("made_sdk.models.made")
        )

    yield make
    for name in [name for name in sys.modules if name.split(".")[0] == "made_sdk"]:
        del sys.modules[name]


def echo(op: Any, args: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    return op.name, args


def test_op_names_become_attributes_at_any_depth(generated) -> None:
    made = generated(made_ops({name: ([], []) for name in ("search", "tracker.ask", "tracker.source.add", "a.b.c.d")}))
    root = made.root.Root(echo)
    calls = [root.search, root.tracker.ask, root.tracker.source.add, root.a.b.c.d]
    assert [call()[0] for call in calls] == ["search", "tracker.ask", "tracker.source.add", "a.b.c.d"]


async def test_the_async_twin_has_the_same_attributes(generated) -> None:
    async def echo_async(op: Any, args: dict[str, Any]) -> str:
        return op.name

    root = generated(made_ops({"search": ([], []), "tracker.source.add": ([], [])})).root.AsyncRoot(echo_async)
    assert [await root.search(), await root.tracker.source.add()] == ["search", "tracker.source.add"]


def test_python_keywords_get_an_underscore_in_python_alone(generated) -> None:
    fields = [made_field(1, "from", F.TYPE_STRING)]
    made = generated(made_ops({"memory.import": (fields, fields)}))
    assert made.root.Root(echo).memory.import_(from_="x") == ("memory.import", {"from": "x"})
    assert made.models.Rpc0Response.from_dict({"from": "y"}).from_ == "y"


def test_names_of_builtin_types_may_name_ops_and_fields(generated) -> None:
    words = [made_field(i, n, F.TYPE_STRING, repeated=True) for i, n in enumerate(("list", "str", "dict", "field"), 1)]
    made = generated(made_ops({"plane.list": (words, words), "plane.str": (words, words)}))
    hints = typing.get_type_hints(made.root.Root(echo).plane.str)
    assert hints["dict"] == list[str] | None
    model = made.models.Rpc0Response
    assert typing.get_type_hints(model)["field"] == list[str]
    assert (model().list, model().str, model.from_dict({"dict": ["x"]}).dict) == ([], [], ["x"])


def test_required_fields_come_first_and_have_no_default(generated) -> None:
    fields = [
        made_field(1, "org", F.TYPE_STRING, required=True, identity=options_pb2.IDENTITY_ORG),
        made_field(2, "limit", F.TYPE_INT32),
        made_field(3, "query", F.TYPE_STRING, required=True),
    ]
    made = generated(made_ops({"plane.find": (fields, [])}))
    signature = inspect.signature(made.root.Root(echo).plane.find)
    assert [(p.name, p.default) for p in signature.parameters.values()] == [
        ("query", inspect.Parameter.empty),
        ("org", None),
        ("limit", None),
    ]


def test_bytes_travel_as_base64(generated) -> None:
    fields = [made_field(1, "vector", F.TYPE_BYTES), made_field(2, "vectors", F.TYPE_BYTES, repeated=True)]
    made = generated(made_ops({"plane.embed": (fields, fields)}))
    _, sent = made.root.Root(echo).plane.embed(vector=b"\x00\xff", vectors=[b"a", b""])
    assert sent == {"vector": "AP8=", "vectors": ["YQ==", ""]}
    assert made.root.Root(echo).plane.embed()[1] == {"vector": None, "vectors": None}
    read = made.models.Rpc0Response.from_dict(sent)
    assert (read.vector, read.vectors) == (b"\x00\xff", [b"a", b""])


def test_json_fields_take_and_give_any_json(generated) -> None:
    shapes = {"any": options_pb2.JSON_SHAPE_UNSPECIFIED, "object": options_pb2.JSON_SHAPE_OBJECT}
    fields = [
        made_field(i, name, F.TYPE_STRING, json_text=True, json_shape=shape)
        for i, (name, shape) in enumerate(shapes.items(), 1)
    ]
    made = generated(made_ops({"plane.put": (fields, fields)}))
    value = {"any": [1, None], "object": {"a": {}}}
    assert made.root.Root(echo).plane.put(**value)[1] == value
    read = made.models.Rpc0Response.from_dict(value)
    assert (read.any, read.object) == ([1, None], {"a": {}})


def test_messages_are_read_single_repeated_and_recursively(generated) -> None:
    tree = [made_field(1, "name", F.TYPE_STRING), made_field(2, "below", F.TYPE_MESSAGE, "Tree", repeated=True)]
    response = [
        made_field(1, "top", F.TYPE_MESSAGE, "Tree"),
        made_field(2, "all", F.TYPE_MESSAGE, "Tree", repeated=True),
    ]
    made = generated(made_ops({"plane.tree": ([], response)}, Tree=tree))
    read = made.models.Rpc0Response.from_dict({"top": {"below": [{"name": "x"}]}, "all": [{}]})
    tree_of = made.models.Tree
    assert read.top == tree_of(below=[tree_of(name="x")])
    assert read.all == [tree_of()]
    assert made.models.Rpc0Response.from_dict({}).top is None


def test_a_message_that_goes_both_ways_has_a_type_for_each(generated) -> None:
    item = [made_field(1, "key", F.TYPE_STRING, required=True), made_field(2, "blob", F.TYPE_BYTES)]
    both = [made_field(1, "items", F.TYPE_MESSAGE, "Item", repeated=True)]
    made = generated(made_ops({"plane.save": (both, both)}, Item=item))
    hints = typing.get_type_hints(made.models.ItemInput, include_extras=True)
    assert hints == {"key": typing.Required[str], "blob": str}
    assert made.models.Rpc0Response.from_dict({"items": [{"key": "a"}]}).items == [made.models.Item(key="a")]


@pytest.mark.parametrize("names", [("tracker.source", "tracker.source.add"), ("call",), ("close.x",), ("root.x",)])
def test_a_name_that_the_client_has_already_is_refused(names: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="the client has something else of that name"):
        gen_sdk.sources(made_ops({name: ([], []) for name in names}))


def test_a_keyword_in_a_nested_request_message_is_refused() -> None:
    request = [made_field(1, "items", F.TYPE_MESSAGE, "Item", repeated=True)]
    with pytest.raises(ValueError, match=r"Item\.from: a Python keyword"):
        gen_sdk.sources(made_ops({"plane.save": (request, [])}, Item=[made_field(1, "from", F.TYPE_STRING)]))


def test_the_output_is_clean_for_the_linter(generated, tmp_path: Path) -> None:
    fields = [made_field(1, "vector", F.TYPE_BYTES), made_field(2, "list", F.TYPE_STRING, repeated=True)]
    generated(made_ops({"plane.list": (fields, fields), "search": ([], [])}))
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--select=F,UP,B", str(tmp_path)]
    done = subprocess.run([*ruff, "--target-version=py311"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
