"""The readable text of a tool call."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.observe.cutting import ELLIPSIS
from services.observe.narrative import LIMIT, OUTPUT_LIMIT, narrative, text_of


def test_the_first_line_names_the_tool_and_what_its_input_is_about():
    text = narrative("Bash", {"description": "Run tests", "command": "pytest -q", "timeout": 60000}, "3 passed", "")

    assert text == "Bash: pytest -q\ndescription: Run tests\ntimeout: 60000\nOutput: 3 passed"


@pytest.mark.parametrize(
    ("tool", "tool_input", "head"),
    [
        ("Read", {"file_path": "/r/a.py", "limit": 5, "offset": 0}, "Read: /r/a.py\nlimit: 5\noffset: 0"),
        ("Grep", {"pattern": "def x", "path": "/r", "-n": True}, "Grep: def x\npath: /r\n-n: true"),
        ("WebFetch", {"prompt": "sum up", "url": "https://x.y"}, "WebFetch: https://x.y\nprompt: sum up"),
        ("shell", {"command": ["bash", "-lc", "ls -la"], "workdir": "/w"}, "shell: bash -lc ls -la\nworkdir: /w"),
        (
            "Edit",
            {"file_path": "/a", "old_string": "x", "new_string": "", "replace_all": False},
            "Edit: /a\nold_string: x",
        ),
        (
            "MultiEdit",
            {"edits": [{"old": "a", "new": "b"}], "file_path": "/a"},
            "MultiEdit: /a\nedits: [{old: a, new: b}]",
        ),
        ("apply_patch", "*** Begin Patch\n*** End Patch", "apply_patch: *** Begin Patch\n*** End Patch"),
        (
            "x",
            {"issue": {"number": 3, "labels": ["a b", "c"], "open": None}},
            "x\nissue: {number: 3, labels: [a b, c], open: null}",
        ),
        ("x", [1, "two", None], "x: 1\ntwo\nnull"),
        ("x", 5, "x: 5"),
        ("x", False, "x: false"),
        ("x", None, "x"),
        ("x", {}, "x"),
        ("x", [], "x"),
        ("x", "", "x"),
    ],
)
def test_inputs_of_every_shape_read_well(tool, tool_input, head):
    assert narrative(tool, tool_input, None, "") == head


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ({"stdout": "a\nb", "stderr": "", "interrupted": False, "isImage": False}, "a\nb"),
        ({"stdout": "a", "stderr": "warning", "interrupted": True}, "a\nstderr: warning\ninterrupted: true"),
        ([{"type": "text", "text": "one"}, {"type": "text", "text": "two"}], "one\ntwo"),
        ([{"type": "image", "source": {"data": "AAAA"}}, {"type": "text", "text": "x"}], "[image]\nx"),
        ({"content": [{"type": "text", "text": "hello"}], "isError": True}, "hello\nisError: true"),
        (
            {"type": "text", "file": {"filePath": "/a", "content": "import x", "numLines": 1}},
            "import x\nfilePath: /a\nnumLines: 1",
        ),
        ({"filenames": ["/a", "/b"], "numFiles": 2, "truncated": False}, "/a\n/b\nnumFiles: 2"),
        ({"output": "3 passed", "metadata": {"exit_code": 0}}, "3 passed\nmetadata: {exit_code: 0}"),
        ({"filePath": "/a", "originalFile": "long", "structuredPatch": [{"x": 1}]}, "filePath: /a"),
        ("  plain \x1b[32mgreen\x1b[0m text\r\n", "plain green text"),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (2**70, str(2**70)),
        (None, ""),
        ({}, ""),
        ([], ""),
        ("", ""),
    ],
)
def test_outputs_of_every_shape_read_well(output, text):
    assert text_of(output, OUTPUT_LIMIT) == text


def test_the_output_is_cut_to_800_characters_and_shows_it():
    text = narrative("Bash", {"command": "yes"}, "y" * 5000, "")

    assert text == "Bash: yes\nOutput: " + "y" * 799 + ELLIPSIS


def test_the_error_follows_the_output():
    assert narrative("Bash", {"command": "x"}, "partial", "exit 1") == "Bash: x\nOutput: partial\nError: exit 1"


def test_an_error_that_is_the_output_is_told_once():
    assert narrative("Bash", {"command": "x"}, "exit 1\n", "exit 1") == "Bash: x\nError: exit 1"


def test_a_long_input_does_not_push_out_output_and_error():
    text = narrative("Write", {"file_path": "/a.py", "content": "c" * 9000}, "o" * 9000, "e" * 9000)

    assert len(text) <= LIMIT
    assert text.startswith("Write: /a.py\ncontent: ccc")
    assert "\nOutput: " + "o" * 799 + ELLIPSIS in text
    assert text.endswith("\nError: " + "e" * 799 + ELLIPSIS)


def test_one_long_field_leaves_room_for_the_ones_after_it():
    text = narrative("Edit", {"file_path": "/a", "old_string": "o" * 5000, "new_string": "n" * 5000}, None, "")

    assert "old_string: ooo" in text
    assert "\nnew_string: nnn" in text


def test_an_input_that_fills_the_room_is_cut_and_shows_it():
    text = narrative("Bash", {"command": "x" * 100_000}, None, "")

    assert len(text) == LIMIT
    assert text.endswith("x" + ELLIPSIS)


def test_half_surrogates_and_control_characters_do_not_reach_the_text():
    text = narrative("Ba\x00sh", {"command": "a\ud800b", "k\x07": "v\x00"}, {"stdout": "\udc00\x1b[1mo"}, "\x00\ud800")

    assert text == "Bash: a\ufffdb\nk: v\nOutput: \ufffdo\nError: \ufffd"


def test_nesting_is_shown_to_a_depth_and_no_further():
    value = "deep"
    for _ in range(3000):
        value = {"k": [value]}

    text = narrative("x", {"a": value}, value, "")

    assert "…" in text
    assert "deep" not in text


def test_a_value_of_very_many_parts_is_walked_only_as_far_as_there_is_room():
    class Counted(list):
        taken = 0

        def __iter__(self):
            for item in super().__iter__():
                Counted.taken += 1
                yield item

    text_of(Counted([f"line {number}" for number in range(100_000)]), OUTPUT_LIMIT)

    assert Counted.taken < 1000


VALUES = st.recursive(
    st.one_of(st.text(), st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.just("long " * 900)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.one_of(st.text(max_size=5), st.sampled_from(["command", "stdout", "content", "type"])), inner, max_size=4
        ),
    ),
    max_leaves=10,
)


@given(st.text(min_size=1, max_size=256), VALUES, VALUES, st.text())
def test_any_call_has_a_narrative_of_valid_text_within_the_limit(tool, tool_input, tool_output, error):
    text = narrative(tool, tool_input, tool_output, error)

    assert len(text) <= LIMIT
    text.encode()
    assert not any(ord(char) < 32 and char not in "\n\t" for char in text)
