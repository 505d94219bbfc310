"""From a tool call to what is stored of it."""

import json
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.observe.keys import content_sha256
from services.observe.recipe import Composed, ToolCall, compose, strip_call, tagged_identity
from services.observe.skips import Blacklist

SECRET = "h0rse-battery"
TOKEN = "ghp_" + "a1" * 18
BLACKLIST = Blacklist()


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def call(**changes) -> ToolCall:
    base = ToolCall("acme", "main", "coder", "u", "s-1", "r", "Bash", {"command": "pytest src/a.py"}, "3 passed")
    return replace(base, **changes)


def composed(**changes) -> Composed:
    return compose(strip_call(call(**changes), canonical), BLACKLIST)


def test_a_call_is_stored_with_all_that_the_rules_make_of_it():
    row = composed(file_paths=["b.py"], tags=["mine"], action_type="test")

    assert row == Composed(
        memory_key=row.memory_key,
        kind="command_run",
        tool_name="Bash",
        narrative="Bash: pytest src/a.py\nOutput: 3 passed",
        error="",
        has_error=False,
        tags=["observation", "command_run", "b.py", "a.py", "action:test", "mine"],
        file_paths=["b.py", "src/a.py"],
        content_sha256=content_sha256("command_run", "Bash", row.narrative, ["b.py", "src/a.py"], ""),
        skipped_reason="",
    )
    assert row.memory_key.startswith("obs:s-1:")


def test_a_failed_call_is_an_error_with_its_text_cut_to_800_characters():
    row = composed(error="boom " * 1000)

    assert (row.kind, row.has_error, row.skipped_reason) == ("error", True, "")
    assert len(row.error) <= 800
    assert row.error.endswith("…")
    assert "Error: boom" in row.narrative


def test_the_same_call_has_the_same_row_whatever_the_order_of_its_keys():
    assert (
        composed(tool_input={"a": 1, "command": "x"}).memory_key
        == composed(tool_input={"command": "x", "a": 1}).memory_key
    )


def test_calls_at_different_instants_are_two():
    assert (
        composed(observed_at="2026-01-01T00:00:00Z").memory_key
        != composed(observed_at="2026-01-01T00:00:01Z").memory_key
    )


@pytest.mark.parametrize("name", ["loom_memory_search", "mcp__loom__mem_save", "TodoWrite", "Task", "exit_plan_mode"])
def test_a_self_referential_call_leaves_a_row_without_content(name):
    row = composed(tool_name=name, error="boom", file_paths=["b.py"], tags=["mine"], action_type="x")

    assert row.skipped_reason == "self_referential"
    assert (row.narrative, row.error, row.has_error, row.file_paths) == ("", "", False, [])
    assert row.tags == ["observation", row.kind]
    assert row.kind != "error"
    assert row.tool_name == name
    assert row.content_sha256 == content_sha256(row.kind, name, "", [], "")


@pytest.mark.parametrize(
    "changes",
    [
        {"tool_input": {"command": f"export X={TOKEN}"}},
        {"tool_input": {TOKEN: 1}},
        {"tool_output": [{"type": "text", "text": "x" * 5000 + "\n" + TOKEN}]},
        {"error": "y" * 5000 + f" {TOKEN}"},
        {"file_paths": [f"/tmp/{TOKEN}"]},
        {"tags": ["a", TOKEN]},
        {"action_type": TOKEN},
    ],
)
def test_a_credential_anywhere_in_a_call_leaves_a_row_without_content(changes):
    row = composed(**{"tags": ["mine"], "file_paths": ["b.py"], **changes})

    assert row.skipped_reason == "blacklisted"
    assert (row.narrative, row.error, row.file_paths) == ("", "", [])
    assert row.has_error == ("error" in changes)
    assert row.kind == ("error" if "error" in changes else "command_run")
    assert row.tags == ["observation", row.kind]
    assert TOKEN not in repr(row)


def test_a_credential_in_the_tools_name_is_not_stored_either():
    row = composed(tool_name=f"run {TOKEN}")

    assert (row.skipped_reason, row.kind, row.tool_name) == ("blacklisted", "command_run", "[REDACTED]")
    assert TOKEN not in repr(row)


def test_a_self_referential_call_that_carries_a_credential_is_self_referential():
    assert composed(tool_name="TodoWrite", tool_output=TOKEN).skipped_reason == "self_referential"


def test_skipped_calls_keep_a_key_that_tells_them_apart():
    keys = {composed(tool_name="TodoWrite", tool_input=number).memory_key for number in range(5)}
    keys |= {composed(tool_output=f"{TOKEN} {number}").memory_key for number in range(5)}

    assert len(keys) == 10


def test_an_orgs_own_patterns_count():
    assert compose(call(tool_output="about Nightfall"), Blacklist(["Nightfall"])).skipped_reason == "blacklisted"


def test_private_text_is_taken_out_of_everything_that_a_call_brings():
    hidden = f"a <private>{SECRET}</private> b"
    stripped = strip_call(
        call(
            tool_name=f"Bash{hidden}",
            tool_input={hidden: [hidden]},
            tool_output={"stdout": hidden},
            error=hidden,
            file_paths=[f"/x/{hidden}"],
            tags=[hidden],
            action_type=hidden,
        ),
        canonical,
    )

    assert SECRET not in repr(stripped)
    assert SECRET.encode() not in stripped.canonical_input + stripped.canonical_output
    assert stripped.canonical_input == canonical({"a [REDACTED] b": ["a [REDACTED] b"]})
    assert SECRET not in repr(compose(stripped, BLACKLIST))


def test_private_text_does_not_change_the_key():
    one = composed(tool_output="<private>one</private>")
    other = composed(tool_output="<private>other</private>")

    assert one == other


def test_a_credential_inside_private_text_does_not_blacklist_the_call():
    assert composed(tool_output=f"<private>{TOKEN}</private> ok").skipped_reason == ""


@pytest.mark.parametrize("name", ["org", "namespace", "agent", "user_id", "session_id", "run_id"])
def test_an_identity_that_holds_a_private_tag_is_named(name):
    assert tagged_identity(call(**{name: f"<private>{SECRET}"})) == name
    assert tagged_identity(call()) == ""


def test_the_longest_texts_leave_a_row_within_its_limits():
    row = composed(
        tool_name="x" * 256,
        tool_input={"content": "c" * 1_000_000, "file_path": "/r/" + "d" * 5000},
        tool_output=["o" * 1_000_000],
        error="e" * 100_000,
        tags=[f"t{number}" for number in range(256)],
        file_paths=[f"f{number}" for number in range(1024)],
    )

    assert len(row.narrative) <= 2000
    assert len(row.error) <= 800
    assert len(row.tags) == 32
    assert len(row.file_paths) == 64


VALUES = st.recursive(
    st.one_of(
        st.text(), st.none(), st.booleans(), st.integers(), st.just(f"<private>{SECRET}</private>"), st.just(TOKEN)
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)),
    max_leaves=8,
)


@given(VALUES, VALUES, st.text(), st.lists(st.text(), max_size=3), st.lists(st.text(), max_size=3))
def test_no_secret_survives_and_every_row_is_valid_text(tool_input, tool_output, error, paths, tags):
    row = composed(tool_input=tool_input, tool_output=tool_output, error=error, file_paths=paths, tags=tags)

    assert SECRET not in repr(row)
    assert TOKEN not in repr(row)
    for field in fields(row):
        value = getattr(row, field.name)
        for text in value if isinstance(value, list) else [value]:
            str(text).encode()
