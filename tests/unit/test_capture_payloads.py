"""The hook payloads of each agent, as calls."""

from typing import Any

import pytest

from loom.capture.payloads import agent_of, call_of
from loom.capture.records import Call
from tests.support.stub_server import hook_json


def call(payload: Any, agent: str = "") -> Call:
    found = call_of(payload, agent)
    assert found is not None
    return found


def test_a_claude_code_call_keeps_session_tool_input_and_response():
    found = call(hook_json("claude_post_tool_use.json"))
    assert (found.agent, found.tool, found.call_id) == ("claude-code", "Write", "toolu_01Cart")
    assert found.session == "5f0d3b52-6c0e-4a8e-9d0e-2f1f6f0f9a11"
    assert found.given["file_path"] == "/home/dev/shop/cart.py"
    assert found.output["success"] is True
    assert found.error is None
    assert found.cwd == "/home/dev/shop"


def test_a_claude_code_failure_is_a_call_with_an_error():
    found = call(hook_json("claude_post_tool_use_failure.json"))
    assert found.error == "Exit code 1\n1 failed, 7 passed"
    assert found.run == "a48dc1f"
    assert "subagent:Explore" in found.tags


@pytest.mark.parametrize("error", ["", None, [], {}, " "])
def test_a_failure_event_that_says_nothing_is_still_a_failure(error):
    assert call(hook_json("claude_post_tool_use_failure.json", error=error)).error == "the tool call failed"


def test_an_interrupted_call_says_so():
    found = call(hook_json("claude_post_tool_use_failure.json", error="", is_interrupt=True))
    assert found.error == "the tool call was interrupted"


def test_a_failure_whose_error_is_an_object_gives_its_text():
    found = call(hook_json("claude_post_tool_use_failure.json", error={"message": "no space left"}))
    assert found.error == "no space left"


def test_a_codex_call_keeps_its_turn_and_a_non_zero_exit_is_an_error():
    found = call(hook_json("codex_post_tool_use.json"))
    assert (found.agent, found.run, found.call_id) == ("codex", "turn-7", "call_9")
    assert found.error is not None
    assert found.error.startswith("exit code 2\nmake:")


def test_a_gemini_call_brings_its_own_time_and_its_error():
    found = call(hook_json("gemini_after_tool.json"))
    assert (found.agent, found.at) == ("gemini-cli", "2026-03-02T09:00:00.250000Z")
    assert found.error == "File not found: /home/dev/shop/none.py"


def test_a_cursor_shell_execution_is_a_call_of_its_conversation():
    found = call(hook_json("cursor_after_shell_execution.json"))
    assert (found.agent, found.session, found.run) == ("cursor", "conv-1", "gen-4")
    assert (found.tool, found.given, found.output) == ("shell", {"command": "npm test"}, "ok")
    assert found.cwd == "/home/dev/shop"


def test_a_cursor_file_edit_names_the_file():
    found = call(hook_json("cursor_after_file_edit.json"))
    assert found.tool == "edit_file"
    assert found.given["file_path"] == "/home/dev/shop/cart.ts"


def test_a_cursor_mcp_call_is_read_out_of_its_json_text():
    found = call(hook_json("cursor_after_mcp_execution.json"))
    assert (found.tool, found.given, found.error) == ("database_query", {"query": "SELECT 1"}, "no such table")


@pytest.mark.parametrize(
    "payload",
    [
        hook_json("claude_stop.json"),
        hook_json("codex_notify.json"),
        *({"hook_event_name": event, "tool_name": "Bash"} for event in ("PreToolUse", "SessionStart", "BeforeTool")),
        {"hook_event_name": "UserPromptSubmit", "prompt": "hello"},
        {},
    ],
)
def test_an_event_that_is_no_finished_tool_call_is_ignored(payload):
    assert call_of(payload) is None


@pytest.mark.parametrize("value", ["text", "", 7, 1.5, None, True, ["a", 1]])
@pytest.mark.parametrize("field", ["tool_input", "tool_response"])
def test_a_bare_json_value_as_input_or_response_passes_through(field, value):
    found = call(hook_json("claude_post_tool_use.json", **{field: value}))
    assert (found.given if field == "tool_input" else found.output) == value


@pytest.mark.parametrize("payload", ["text", 7, None, [1, 2]])
def test_a_payload_that_is_a_bare_json_value_is_kept_as_the_output_of_an_unknown_tool(payload):
    found = call(payload)
    assert (found.tool, found.session, found.output) == ("", "", payload)


@pytest.mark.parametrize("session", [None, "", {}, [], True])
def test_a_call_whose_session_is_not_known_is_a_call(session):
    assert call(hook_json("claude_post_tool_use.json", session_id=session)).session == ""


@pytest.mark.parametrize(
    ("name", "agent"),
    [
        ("claude_post_tool_use.json", "claude-code"),
        ("codex_post_tool_use.json", "codex"),
        ("gemini_after_tool.json", "gemini-cli"),
        ("cursor_after_file_edit.json", "cursor"),
    ],
)
def test_the_shape_tells_the_agent(name, agent):
    assert agent_of(hook_json(name)) == agent


def test_an_agent_that_is_named_is_believed():
    assert call(hook_json("claude_post_tool_use.json"), agent="my-agent").agent == "my-agent"


def test_a_payload_without_an_event_is_a_call_when_it_names_a_tool():
    found = call({"tool_name": "search", "tool_input": {"q": "x"}, "session_id": 12})
    assert (found.agent, found.tool, found.session) == ("-", "search", "12")


@pytest.mark.parametrize("value", [None, [], {}, {"a": 1}, ["PostToolUse"], True, 3])
@pytest.mark.parametrize(
    "field",
    ["hook_event_name", "tool_name", "transcript_path", "cwd", "tool_use_id", "timestamp", "error", "agent_type"],
)
def test_a_field_of_an_unexpected_type_never_raises(field, value):
    call_of(hook_json("claude_post_tool_use.json", **{field: value}))
    call_of(hook_json("cursor_after_mcp_execution.json", **{field: value}))
