"""The Python client's generated part is the contract's, no more and no less."""

import inspect
import operator
import typing

import pytest

import loom.models
from loom import Agent, SyncAgent
from loom._generated.calls.root import AsyncRoot, Root
from loom._generated.table import OPS
from runtime.optable import load_ops
from tools import gen_sdk

ops = pytest.mark.parametrize("op", list(load_ops()), ids=lambda op: op.name)


def typed(client: object, name: str):
    return operator.attrgetter(name)(client)


@pytest.fixture
def pair():
    with SyncAgent() as blocking:
        yield Agent(), blocking


def test_the_committed_code_is_what_the_generator_writes() -> None:
    paths = (path for path in gen_sdk.OUT.rglob("*.py"))
    committed = {str(path.relative_to(gen_sdk.OUT)): path.read_text() for path in paths}
    assert committed == gen_sdk.render(), "run `make gen`"


def test_generating_twice_gives_the_same() -> None:
    assert gen_sdk.render() == gen_sdk.render()


@ops
def test_every_op_has_a_typed_call_of_one_signature_in_both_twins(op, pair) -> None:
    waiting, blocking = (typed(client, op.name) for client in pair)
    assert inspect.signature(waiting) == inspect.signature(blocking)
    assert inspect.getdoc(waiting) == inspect.getdoc(blocking)
    assert inspect.iscoroutinefunction(waiting)
    assert not inspect.iscoroutinefunction(blocking)


@ops
def test_a_typed_call_takes_every_field_by_keyword_and_requires_what_identity_cannot_fill(op, pair) -> None:
    parameters = inspect.signature(typed(pair[1], op.name)).parameters
    fields = op.method.input_type.fields
    assert set(parameters) == {field.name for field in fields}
    assert {p.kind for p in parameters.values()} <= {inspect.Parameter.KEYWORD_ONLY}
    needed = {field.name for field in fields if gen_sdk.must_be_given(field)}
    assert {name for name, p in parameters.items() if p.default is inspect.Parameter.empty} == needed


@ops
def test_a_typed_call_says_what_the_contract_says(op, pair) -> None:
    doc = inspect.getdoc(typed(pair[1], op.name))
    flat = " ".join(doc.split())
    assert op.doc in flat
    assert f"Role: {op.role}." in flat
    assert ("not idempotent" not in flat) is op.idempotent
    assert all(f"{field.name}: " in flat for field in op.method.input_type.fields)


@ops
def test_the_client_repeats_reads_and_idempotent_writes_alone(op) -> None:
    assert OPS[op.name].repeatable is (op.idempotent or not op.writes)
    assert OPS[op.name].deadline_s == op.deadline_s


@ops
def test_a_result_has_every_field_of_the_contract(op) -> None:
    model = OPS[op.name].parse.__self__
    fields = {field.name for field in op.method.output_type.fields}
    assert model.__dataclass_fields__.keys() == fields | {"ignored_args"}


def test_the_table_holds_every_op() -> None:
    assert OPS.keys() == load_ops().by_name.keys()


@pytest.mark.parametrize(("client", "root"), [(Agent, AsyncRoot), (SyncAgent, Root)])
def test_no_op_hides_a_method_of_the_client(client: type, root: type) -> None:
    own = {name for name in vars(client) if not name.startswith("_")}
    assert own <= gen_sdk.RESERVED
    assert not own & {name for name in (*vars(root), *root.__slots__) if not name.startswith("_")}


def test_messages_that_no_op_uses_are_not_in_the_client() -> None:
    assert not hasattr(loom.models.observe, "ClaimedObservation")


@ops
def test_annotations_resolve_at_run_time(op, pair) -> None:
    hints = typing.get_type_hints(typed(pair[1], op.name))
    assert hints["return"] is OPS[op.name].parse.__self__
