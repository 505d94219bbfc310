"""From a call to the record that is sent."""

import pytest

from loom.capture.records import Call, build, paths_of
from tests.support.stub_server import hook_json

BASE = Call(
    "claude-code", "s", "r", "t1", "Bash", {"command": "ls"}, "a.py", None, "/home/dev/shop", "", ("capture:hook",)
)


def test_a_record_holds_the_call_and_leaves_out_what_is_empty():
    assert build(BASE, {"namespace": "team"}) == {
        "namespace": "team",
        "agent": "claude-code",
        "session_id": "s",
        "run_id": "r",
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
        "tool_output": "a.py",
        "tags": ["capture:hook", "project:shop"],
    }


def test_an_unknown_session_is_a_dash_and_an_unknown_tool_has_a_name():
    record = build(BASE._replace(session="", run="", tool=""), {})
    assert (record["session_id"], record["tool_name"]) == ("-", "unknown")
    assert "run_id" not in record


@pytest.mark.parametrize("value", [0, False, 0.0])
def test_a_value_that_is_zero_or_false_is_kept(value):
    assert build(BASE._replace(output=value), {})["tool_output"] is value


@pytest.mark.parametrize("tool", ["loom_observe_record", "mcp__loom__mem_save", "Loom", "MCP__LOOM__x"])
def test_a_call_of_looms_own_tools_leaves_the_agent_without_content(tool):
    record = build(BASE._replace(tool=tool, error="no", given={"file_path": "/a"}), {})
    assert record["tool_name"] == tool
    assert not {"tool_input", "tool_output", "error", "file_paths"} & set(record)


def test_names_are_cut_to_the_limits_that_would_cost_the_record():
    long = "x" * 1000
    record = build(BASE._replace(agent=long, session=long, run=long, tool=long, cwd=f"/{long}"), {})
    assert [len(record[name]) for name in ("agent", "session_id", "run_id", "tool_name")] == [128, 256, 256, 256]
    assert max(map(len, record["tags"])) == 256


@pytest.mark.parametrize(
    "call",
    [
        BASE._replace(given={"command": "echo <private>hunter2</private>"}),
        BASE._replace(output="<PRIVATE why='x'>hunter2"),
        BASE._replace(output=["a", {"<private>hunter2</private>": 1}]),
        BASE._replace(error="<private>hunter2</private>"),
        BASE._replace(tool="t<private>hunter2</private>"),
        BASE._replace(cwd="/a/<private>hunter2"),
        BASE._replace(session="<private>hunter2</private>"),
        BASE._replace(given={"path": "/x/<private>hunter2</private>"}),
    ],
)
def test_private_text_is_in_no_field_of_a_record(call):
    assert "hunter2" not in str(build(call, {}))


def test_an_opener_without_a_closer_ends_with_its_field():
    record = build(BASE._replace(given="<private>hunter2", output="kept"), {})
    assert (record["tool_input"], record["tool_output"]) == ("[REDACTED]", "kept")


def test_paths_come_from_path_keys_and_from_patches():
    patch = "*** Begin Patch\n*** Update File: src/a.py\n*** Move to: src/b.py\n*** Add File: c.md\n*** End Patch"
    assert paths_of({"file_path": "/x/y", "patch": patch}) == ["/x/y", "src/a.py", "src/b.py", "c.md"]
    assert paths_of(patch) == ["src/a.py", "src/b.py", "c.md"]
    assert paths_of({"path": 3, "file_path": ""}) == []
    assert paths_of(None) == []


def test_a_windows_project_is_named_by_its_folder():
    assert "project:shop" in build(BASE._replace(cwd="C:\\work\\shop\\"), {})["tags"]


def test_the_payload_of_a_fixture_names_its_file():
    from loom.capture.payloads import call_of

    call = call_of(hook_json("claude_post_tool_use.json"))
    assert call is not None
    assert build(call, {})["file_paths"] == ["/home/dev/shop/cart.py"]
