"""Transcripts of each agent, as calls."""

import json

from hypothesis import given
from hypothesis import strategies as st

from loom.capture.records import Call
from loom.capture.transcripts import Transcript
from tests.support.stub_server import HOOKS, hook_json


def read(name: str, **options: str) -> tuple[Transcript, list[Call]]:
    transcript = Transcript(name, **options)
    with (HOOKS / name).open("rb") as file:
        return transcript, [found.call for found in transcript.read(file)]


def calls_of(*lines: object) -> list[Call]:
    return [found.call for found in Transcript("t").read([json.dumps(line).encode() for line in lines])]


def test_claude_code_calls_are_paired_with_their_results():
    _, calls = read("claude_session.jsonl")
    assert [(call.tool, call.call_id, call.session) for call in calls] == [
        ("Read", "toolu_a", "s-claude"),
        ("Bash", "toolu_b", "s-claude"),
    ]
    assert calls[0].given == {"file_path": "/home/dev/shop/cart.py"}
    assert calls[0].at == "2026-03-02T09:00:01.100000Z"
    assert calls[0].cwd == "/home/dev/shop"


def test_text_blocks_become_text_and_a_picture_leaves_its_place():
    _, calls = read("claude_session.jsonl")
    assert calls[0].output == "TAX = 0.19\n[image]"


def test_a_result_marked_as_error_is_the_error_once():
    _, calls = read("claude_session.jsonl")
    assert (calls[1].error, calls[1].output) == ("1 failed", None)


def test_a_subagents_calls_carry_its_run():
    _, calls = read("claude_session.jsonl")
    assert (calls[0].run, calls[1].run) == ("", "a48dc1f")
    assert "sidechain" in calls[1].tags


def test_a_call_without_a_result_is_left_out_and_counted():
    transcript, _ = read("claude_session.jsonl")
    assert transcript.unfinished == 1


def test_a_bad_line_is_named_by_file_and_line_and_stops_nothing():
    transcript, calls = read("claude_session.jsonl")
    assert transcript.bad == ["claude_session.jsonl:5: not JSON"]
    assert len(calls) == 2


def test_codex_calls_of_every_kind_are_paired():
    _, calls = read("codex_rollout.jsonl")
    assert [(call.call_id, call.tool) for call in calls] == [
        ("c1", "exec_command"),
        ("c2", "apply_patch"),
        ("c3", "local_shell"),
        ("ws_1", "web_search"),
    ]
    assert {(call.agent, call.session, call.run, call.cwd) for call in calls} == {
        ("codex", "s-codex", "turn-1", "/home/dev/shop")
    }
    assert calls[0].given == {"cmd": "make test"}
    assert calls[2].given["command"] == ["git", "status"]
    assert calls[2].output == "clean"


def test_a_codex_exit_code_decides_about_failure():
    _, calls = read("codex_rollout.jsonl")
    assert calls[0].error is not None
    assert calls[0].error.startswith("exit code 2")
    assert calls[1].error is None


def test_a_bare_codex_item_of_an_old_version_is_read():
    (call,) = calls_of(
        {"id": "s-old", "timestamp": "2025-06-01T10:00:00Z", "instructions": None},
        {"type": "function_call", "name": "shell", "arguments": '{"command":["ls"]}', "call_id": "c1"},
        {"type": "function_call_output", "call_id": "c1", "output": "a"},
    )
    assert (call.session, call.tool, call.at) == ("s-old", "shell", "")
    assert call.run == "c1"


def test_arguments_that_are_no_json_are_kept_as_text():
    (call,) = calls_of(
        {"type": "response_item", "payload": {"type": "function_call", "name": "f", "arguments": "{x", "call_id": "c"}},
        {"type": "response_item", "payload": {"type": "function_call_output", "output": "a", "call_id": "c"}},
    )
    assert call.given == "{x"


def test_a_file_of_hook_payloads_is_read():
    call, other = calls_of(
        hook_json("gemini_after_tool.json"), hook_json("claude_stop.json"), hook_json("codex_post_tool_use.json")
    )
    assert (call.agent, other.agent) == ("gemini-cli", "codex")
    assert call.tags == ("capture:import",)


def test_equal_calls_of_one_message_are_told_apart_by_their_times():
    blocks = [{"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {}} for number in range(3)]
    results = [{"type": "tool_result", "tool_use_id": f"t{number}", "content": "a"} for number in range(3)]
    calls = calls_of(
        {"type": "assistant", "timestamp": "2026-03-02T09:00:00.999999Z", "message": {"content": blocks}},
        {"type": "user", "message": {"content": results}},
    )
    assert [call.at[17:] for call in calls] == ["00.999999Z", "01.000000Z", "01.000001Z"]


def test_agent_and_session_can_be_given():
    _, calls = read("codex_rollout.jsonl", agent="mine", session="other")
    assert {(call.agent, call.session) for call in calls} == {("mine", "other")}


LINE = st.recursive(
    st.none() | st.integers() | st.text(max_size=3) | st.sampled_from(["tool_use", "tool_result", "user", "assistant"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "message", "content", "payload", "id", "call_id", "name", "input", "output"]),
            inner,
        )
    ),
    max_leaves=12,
)


@given(st.lists(LINE, max_size=4))
def test_no_line_of_json_stops_the_reading(lines):
    calls_of(*lines)
