"""Tags of an observation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.observe.tags import MOST, base_name, server_tags


def test_the_servers_tags_come_first_and_in_order():
    tags = server_tags("file_edit", ["/r/src/a.py", "b.py"], "refactor", ["mine", "yours"])

    assert tags == ["observation", "file_edit", "a.py", "b.py", "action:refactor", "mine", "yours"]


def test_repeats_are_dropped_where_they_first_stood():
    assert server_tags("tool_use", ["x/a.py", "y/a.py"], "", ["a.py", "tool_use", "m", "observation", "m"]) == [
        "observation",
        "tool_use",
        "a.py",
        "m",
    ]


def test_blank_tags_are_dropped_and_blanks_around_tags_are_cut_off():
    assert server_tags("tool_use", ["/", ""], "  ", ["", "  ", " m ", "\t"]) == ["observation", "tool_use", "m"]


def test_the_first_32_are_kept():
    tags = server_tags(
        "tool_use", [f"d/{number}.py" for number in range(20)], "x", [f"t{number}" for number in range(20)]
    )

    assert len(tags) == MOST == 32
    assert tags[22] == "action:x"
    assert tags[-1] == "t8"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a.py", "a.py"),
        ("/r/src/a.py", "a.py"),
        ("src/dir/", "dir"),
        ("C:\\r\\a.py", "a.py"),
        ("C:\\r/mixed\\a.py", "a.py"),
        ("\\\\server\\share\\", "share"),
        ("~/x", "x"),
        ("/", ""),
        ("\\", ""),
    ],
)
def test_base_names_know_both_separators(path, name):
    assert base_name(path) == name


@given(st.lists(st.text(), max_size=50), st.text(), st.lists(st.text(), max_size=50))
def test_tags_are_few_different_and_not_blank(paths, action, tags):
    made = server_tags("error", paths, action, tags)

    assert made[:2] == ["observation", "error"]
    assert len(made) <= MOST
    assert len(set(made)) == len(made)
    assert all(tag == tag.strip() != "" for tag in made)
