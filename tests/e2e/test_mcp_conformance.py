"""The MCP SDK's own client against the running server, in every protocol version that it speaks."""

import json
from typing import Any

import mcp_types as types
import pytest
from jsonschema import Draft202012Validator

from loom import __version__
from runtime.optable import Op, load_ops
from tests.support.mcp_client import MODES, client, refusal, spoken
from tests.support.server import Server

OPS = load_ops()
LISTED = {op.tool for op in OPS if op.listed}
CALL = {"tool_name": "Read", "tool_input": {"file_path": "a.py"}}
every_mode = pytest.mark.parametrize("mode", MODES)


async def listing(server: Server, mode: str, query: str = "") -> dict[str, types.Tool]:
    async with client(server, mode, query=query) as connected:
        return {tool.name: tool for tool in (await connected.list_tools()).tools}


async def loom_op(server: Server, mode: str, **arguments: Any) -> types.CallToolResult:
    async with client(server, mode) as connected:
        return await connected.call_tool("loom_op", arguments)


def code(result: types.CallToolResult) -> str:
    assert result.is_error
    assert json.loads(result.content[0].text) == result.structured_content
    return result.structured_content["detail"]["code"]


@every_mode
async def test_client_and_server_agree_on_the_version_that_is_asked_for(server: Server, mode: str) -> None:
    async with client(server, mode) as connected:
        assert connected.protocol_version == spoken(mode)
        assert not (await connected.call_tool("loom_ops_health")).is_error


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_the_server_says_who_it_is_and_how_to_begin(server: Server, mode: str) -> None:
    async with client(server, mode) as connected:
        assert (connected.server_info.name, connected.server_info.version) == ("loom", __version__)
        assert connected.server_capabilities.tools is not None
        assert "loom_op" in connected.instructions


@every_mode
async def test_every_listed_op_is_a_tool_that_says_what_it_does(server: Server, mode: str) -> None:
    tools = await listing(server, mode)
    assert set(tools) == LISTED | {"loom_op"}
    for tool in tools.values():
        assert tool.description
        assert tool.input_schema["type"] == "object"
        assert all(field["description"] for field in tool.input_schema["properties"].values())
        Draft202012Validator.check_schema(tool.input_schema)
    for op in OPS:
        if op.listed:
            assert_true_to_its_op(tools[op.tool], op)


def assert_true_to_its_op(tool: types.Tool, op: Op) -> None:
    assert tool.description == op.doc
    assert tool.annotations is not None
    assert tool.annotations.read_only_hint is (not op.writes)
    assert tool.annotations.idempotent_hint is op.idempotent
    assert tool.annotations.destructive_hint is (op.role == "admin" and op.writes)
    assert tool.annotations.open_world_hint is False
    assert set(tool.input_schema["properties"]) == set(op.request.DESCRIPTOR.fields_by_name)
    assert tool.output_schema is not None
    assert {*op.response.DESCRIPTOR.fields_by_name, "detail"} <= set(tool.output_schema["properties"])
    Draft202012Validator.check_schema(tool.output_schema)


@every_mode
async def test_a_toolset_narrows_the_listing_and_never_what_can_be_called(server: Server, mode: str) -> None:
    observe = {op.tool for op in OPS if op.listed and op.toolset == "observe"}
    core = {op.tool for op in OPS if op.listed and op.toolset == "core"}
    assert core and observe
    assert set(await listing(server, mode, "?toolset=observe")) == observe | {"loom_op"}
    assert set(await listing(server, mode, "?toolset=core,observe")) == core | observe | {"loom_op"}
    assert set(await listing(server, mode, "?toolset=%20core%20,")) == core | {"loom_op"}
    assert set(await listing(server, mode, "?toolset=")) == LISTED | {"loom_op"}
    async with client(server, mode, query="?toolset=core") as connected:
        assert not (await connected.call_tool("loom_observe_stats", {})).is_error


@every_mode
async def test_an_unknown_toolset_is_a_protocol_error_that_names_the_known_ones(server: Server, mode: str) -> None:
    error = await refusal(server, mode, lambda c: c.list_tools(), query="?toolset=core,hunter2")
    assert error.code == types.INVALID_PARAMS
    assert error.message == f"toolset must be of {', '.join(sorted({op.toolset for op in OPS}))}"


@every_mode
async def test_a_call_answers_with_the_same_object_as_text_and_as_structured_content(
    server: Server, namespace: str, mode: str
) -> None:
    async with client(server, mode) as connected:
        tools = {tool.name: tool for tool in (await connected.list_tools()).tools}
        result = await connected.call_tool("loom_observe_record", {**CALL, "namespace": namespace, "colour": 1})
    assert not result.is_error
    assert json.loads(result.content[0].text) == result.structured_content
    assert result.structured_content["kind"] == "file_read"
    assert result.structured_content["ignored_args"] == ["colour"]
    Draft202012Validator(tools["loom_observe_record"].output_schema).validate(result.structured_content)


@every_mode
async def test_a_failure_is_a_result_with_the_envelope_which_the_output_schema_admits(
    server: Server, mode: str
) -> None:
    async with client(server, mode) as connected:
        tools = {tool.name: tool for tool in (await connected.list_tools()).tools}
        result = await connected.call_tool("loom_observe_record", {"tool_name": ""})
    assert code(result) == "MISSING_FIELD"
    detail = result.structured_content["detail"]
    assert detail["metadata"] == {"field": "tool_name"}
    assert detail["request_id"]
    Draft202012Validator(tools["loom_observe_record"].output_schema).validate(result.structured_content)


@every_mode
async def test_an_unknown_tool_is_a_protocol_error_that_does_not_repeat_its_name(server: Server, mode: str) -> None:
    error = await refusal(server, mode, lambda c: c.call_tool("loom_hunter2", {}))
    assert (error.code, error.message) == (types.INVALID_PARAMS, "unknown tool; loom_op calls any op by name")


@every_mode
async def test_what_loom_does_not_offer_is_an_unknown_method(server: Server, mode: str) -> None:
    ask = types.ListPromptsRequest()
    error = await refusal(server, mode, lambda c: c.session.send_request(ask, types.ListPromptsResult))
    assert error.code == types.METHOD_NOT_FOUND


@every_mode
async def test_loom_op_calls_any_op_by_name(server: Server, namespace: str, mode: str) -> None:
    stored = await loom_op(server, mode, op="observe.record", arguments={**CALL, "namespace": namespace})
    listed = await loom_op(server, mode, op="observe.list", arguments={"namespace": namespace})
    [row] = listed.structured_content["observations"]
    assert row["memory_key"] == stored.structured_content["memory_key"]
    bare = await loom_op(server, mode, op="ops.health")
    assert bare.structured_content["status"] == "ok"


@every_mode
async def test_help_finds_ops_by_words_and_shows_what_they_take(server: Server, mode: str) -> None:
    found = (await loom_op(server, mode, op="help", arguments={"query": "record_batch"})).structured_content["ops"]
    assert found[0]["op"] == "observe.record_batch"
    assert found[0]["arguments"]["properties"]["records"]["description"]
    assert found[0]["description"] == OPS.by_name["observe.record_batch"].doc
    nothing = await loom_op(server, mode, op="help", arguments={"query": "zzzzzz"})
    assert nothing.structured_content == {"ops": []}


@every_mode
async def test_help_without_a_query_lists_all_ops(server: Server, mode: str) -> None:
    found = (await loom_op(server, mode, op="help")).structured_content["ops"]
    assert [entry["op"] for entry in found] == [op.name for op in OPS]
    assert all(set(entry) == {"op", "description"} and entry["description"] for entry in found)


@pytest.mark.parametrize(
    ("arguments", "expected", "field"),
    [
        ({"op": "observe.lits"}, "UNKNOWN_OP", None),
        ({"op": ""}, "MISSING_FIELD", "op"),
        ({"op": 7}, "MISSING_FIELD", "op"),
        ({}, "MISSING_FIELD", "op"),
        ({"op": "ops.health", "arguments": [1]}, "INVALID_FIELD", "arguments"),
        ({"op": "help", "arguments": {"query": 1}}, "INVALID_FIELD", "arguments.query"),
        ({"op": "observe.record", "arguments": {"tool_name": 1}}, "INVALID_FIELD", "tool_name"),
    ],
)
async def test_loom_op_says_what_is_wrong_in_the_envelope(
    server: Server, arguments: dict[str, Any], expected: str, field: str | None
) -> None:
    for mode in ("legacy", "2026-07-28"):
        result = await loom_op(server, mode, **arguments)
        assert code(result) == expected
        assert result.structured_content["detail"]["metadata"].get("field") == field
        if expected == "UNKNOWN_OP":
            assert "observe.list" in result.structured_content["detail"]["metadata"]["nearest"]


@every_mode
async def test_the_clients_name_is_the_agent_of_what_it_records(server: Server, namespace: str, mode: str) -> None:
    async with client(server, mode, name="weaver-é\n") as connected:
        await connected.call_tool("loom_observe_record", {**CALL, "namespace": namespace})
        await connected.call_tool("loom_observe_record", {**CALL, "namespace": namespace, "agent": "another"})
        rows = (await connected.call_tool("loom_observe_list", {"namespace": namespace})).structured_content
    assert {row["agent"] for row in rows["observations"]} == {"weaver-??", "another"}


@every_mode
async def test_the_session_of_a_client_that_has_one_is_the_session_of_what_it_records(
    server: Server, namespace: str, mode: str
) -> None:
    for _ in range(2):
        async with client(server, mode) as connected:
            await connected.call_tool("loom_observe_record", {**CALL, "namespace": namespace})
            await connected.call_tool("loom_observe_record", {**CALL, "namespace": namespace, "tool_input": 2})
            own = {**CALL, "namespace": namespace, "session_id": "own"}
            await connected.call_tool("loom_observe_record", own)
            stats = (await connected.call_tool("loom_observe_stats", {"namespace": namespace})).structured_content
    by_session = {entry["session_id"]: entry["observations"] for entry in stats["by_session"]}
    assert by_session.pop("own") == 1
    if spoken(mode) == "2026-07-28":
        assert by_session == {"-": 2}
    else:
        assert [*by_session.values()] == [2, 2]
