"""`loom ops` and the contract behind it."""

import json

import pytest

from loom import contract
from loom.cli import main
from tests.support.capture_home import isolated


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path):
    isolated(monkeypatch, tmp_path)


def op(name: str) -> contract.OpInfo:
    return next(found for found in contract.ops() if found.name == name)


def field(op_name: str, name: str) -> contract.FieldInfo:
    return next(found for found in op(op_name).request if found.name == name)


def test_every_op_of_the_contract_is_found_once_with_its_option():
    names = [found.name for found in contract.ops()]
    assert len(names) == len(set(names))
    assert {"observe.record", "observe.record_batch", "observe.list", "ops.health"} <= set(names)
    record = op("observe.record")
    assert (record.plane, record.role, record.kind, record.idempotent) == ("observe", "writer", "write", True)
    assert (record.toolset, record.listed, record.deadline_s) == ("observe", True, 10.0)
    assert record.rpc == "/loom.observe.v1.ObserveService/Record"


def test_every_op_and_every_field_says_what_it_is():
    def walk(fields):
        for each in fields:
            yield each
            yield from walk(each.fields)

    for found in contract.ops():
        assert found.doc, found.name
        for each in walk((*found.request, *found.response)):
            assert each.doc, (found.name, each.name)


def test_a_field_has_type_requirement_default_and_limits():
    assert field("observe.record", "tool_name").required
    assert field("observe.record", "session_id").default == "-"
    assert field("observe.record", "tool_input").type == "any JSON"
    assert field("observe.record", "tags").type == "list of string"
    assert field("observe.record", "metadata").default == {}
    page_size = field("observe.list", "page_size")
    assert (page_size.type, page_size.minimum, page_size.maximum, page_size.nullable) == ("integer", 1, 500, True)
    assert "file_edit" in field("observe.list", "kind").words
    assert field("observe.record_batch", "records").fields[0].name == "org"
    assert next(each for each in op("observe.stats").response if each.name == "by_kind").type == "map to integer"


def test_a_change_of_the_list_changes_nobody_elses():
    contract.ops().clear()
    assert contract.ops()


def test_the_list_has_a_line_for_each_op(capsys):
    assert main(["ops"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(contract.ops())
    assert any(line.startswith("observe.record ") and "writer" in line for line in lines)


def test_the_list_is_json_on_request(capsys):
    for args in (["ops", "--json"], ["ops", "list", "--json"], ["ops", "--json", "list"], ["--json", "ops"]):
        assert main(args) == 0
        assert len(json.loads(capsys.readouterr().out)) == len(contract.ops())


def test_an_op_is_described_with_its_fields(capsys):
    assert main(["ops", "describe", "observe.record"]) == 0
    shown = capsys.readouterr().out
    assert "observe.record  (writer, write, idempotent, toolset observe)" in shown
    assert "tool_name: string, required, at most 256 characters" in shown
    assert "memory_key: string" in shown


def test_an_op_is_described_as_json_on_request(capsys):
    assert main(["ops", "describe", "observe.record", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == "observe.record"


def test_an_unknown_op_is_wrong_usage_and_the_nearest_are_named(capsys):
    assert main(["ops", "describe", "observe.recrod"]) == 2
    assert "observe.record" in capsys.readouterr().err
