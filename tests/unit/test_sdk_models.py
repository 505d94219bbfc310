import dataclasses
import typing
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict, ParseDict
from hypothesis import given, settings
from hypothesis import strategies as st

import loom.models
from loom._generated.table import OPS
from loom.options.v1 import options_pb2
from runtime.optable import load_ops

RESULTS = [op.parse.__self__ for op in OPS.values()]
LEAVES = {
    bool: st.booleans(),
    bytes: st.binary(max_size=9),
    float: st.floats(allow_nan=False, allow_infinity=False).map(lambda x: x + 0.0),  # -0.0 is read as 0.0
    int: st.integers(-(2**31), 2**31 - 1),
    str: st.text(max_size=9),
}
results = pytest.mark.parametrize("model", RESULTS, ids=lambda model: model.__name__)


def values(type_: Any) -> st.SearchStrategy[Any]:
    """Values of an annotation that the generator writes."""
    if dataclasses.is_dataclass(type_):
        return instances(type_)
    if isinstance(type_, typing.ForwardRef):  # any JSON, inside of any JSON
        return st.text(max_size=3)
    origin, args = typing.get_origin(type_), typing.get_args(type_)
    if origin is list:
        return st.lists(values(args[0]), max_size=3)
    if origin is dict:
        return st.dictionaries(st.text(max_size=3), values(args[1]), max_size=3)
    if args:
        return st.one_of([st.none() if arg is type(None) else values(arg) for arg in args])
    return LEAVES[type_]


def instances(model: type) -> st.SearchStrategy[Any]:
    hints = typing.get_type_hints(model)
    return st.deferred(lambda: st.builds(model, **{name: values(hint) for name, hint in hints.items()}))


@results
@settings(max_examples=30)
@given(data=st.data())
def test_a_result_is_read_back_from_its_own_fields(model: type, data: st.DataObject) -> None:
    instance = data.draw(instances(model))
    assert model.from_dict(dataclasses.asdict(instance)) == instance


@results
@settings(max_examples=30)
@given(data=st.data())
def test_what_a_newer_server_adds_changes_nothing(model: type, data: st.DataObject) -> None:
    plain = dataclasses.asdict(data.draw(instances(model)))
    assert model.from_dict(widened(plain)) == model.from_dict(plain)


def widened(value: Any, inside_map: bool = False) -> Any:
    if isinstance(value, dict):
        # A map's names are data: only messages grow fields.
        is_map = all(isinstance(v, int | float | str) for v in value.values())
        return {**{k: widened(v) for k, v in value.items()}, **({} if is_map else {"field_of_tomorrow": [1]})}
    return [widened(item) for item in value] if isinstance(value, list) else value


@results
def test_what_an_older_server_leaves_out_is_empty(model: type) -> None:
    assert model.from_dict({}) == model()
    assert model.from_dict(dict.fromkeys(model.__dataclass_fields__)) == model()


@results
def test_a_result_cannot_be_changed(model: type) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        model().ignored_args = ["x"]
    assert not hasattr(model(), "__dict__")


@pytest.mark.parametrize("op", list(load_ops()), ids=lambda op: op.name)
@settings(max_examples=30)
@given(data=st.data())
def test_a_result_holds_what_protobufs_own_json_holds(op, data: st.DataObject) -> None:
    model = OPS[op.name].parse.__self__
    plain = dataclasses.asdict(data.draw(instances(model)))
    plain.pop("ignored_args")
    for name in [name for name, field in op.response.DESCRIPTOR.fields_by_name.items() if is_json(field)]:
        plain.pop(name)  # any JSON to a client, its text to protobuf
    message = ParseDict(plain, op.response())
    body = MessageToDict(message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
    read = dataclasses.asdict(model.from_dict(body))
    assert read.pop("ignored_args") == []
    assert ParseDict(read, op.response()) == message


def is_json(field: Any) -> bool:
    return field.GetOptions().Extensions[options_pb2.field].json_text


def test_nested_results_are_of_the_contracts_types() -> None:
    body = {"results": [{"memory_key": "k"}, {"detail": {"code": "MISSING_FIELD", "metadata": {"field": "tool_name"}}}]}
    first, second = loom.models.observe.RecordBatchResponse.from_dict(body).results
    assert (first.memory_key, first.detail) == ("k", None)
    assert isinstance(second.detail, loom.models.common.ErrorDetail)
    assert second.detail.metadata == {"field": "tool_name"}
