"""Private text in JSON values."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.private import MARK, strip_value

SECRET = "h0rse-battery"


def test_regions_within_strings_are_replaced_at_any_depth():
    value = {"a": [1, {"b": f"x <private>{SECRET}</private> y"}], "c": None}

    assert strip_value(value) == {"a": [1, {"b": f"x {MARK} y"}], "c": None}


def test_an_open_region_carries_over_to_what_follows_in_the_document():
    value = [{"a": "x <private>one", "b": 2, "c": [None, True, 1.5, SECRET]}, f"{SECRET}</private> rest", SECRET]

    assert strip_value(value) == [
        {"a": f"x {MARK}", MARK: MARK, f"{MARK} 2": [MARK, MARK, MARK, MARK]},
        f"{MARK} rest",
        SECRET,
    ]


def test_a_region_may_open_in_a_key_and_close_in_its_value():
    assert strip_value({f"k <private>{SECRET}": f"{SECRET}</private> v", "n": 1}) == {f"k {MARK}": f"{MARK} v", "n": 1}


def test_keys_that_become_equal_keep_their_values():
    value = {
        "<private>a</private>": 1,
        "<private>b</private>": 2,
        f"{MARK} 2": 3,
        "<private>c</private>": 4,
    }

    assert strip_value(value) == {MARK: 1, f"{MARK} 2": 2, f"{MARK} 2 2": 3, f"{MARK} 3": 4}


def test_a_value_without_tags_comes_back_as_the_same_object():
    value = {"private": ["a < b", {"<privateer>": [1, 2**80, 1.5, None, True]}]}

    assert strip_value(value) is value


def test_the_value_that_was_passed_in_is_not_changed():
    value = {"a": ["<private>x</private>", {"b": "<private>"}], "c": 1}
    before = copy.deepcopy(value)

    strip_value(value)

    assert value == before


@pytest.mark.parametrize("value", [None, True, 3, 2**80, 1.5, "text", [], {}])
def test_scalars_and_empty_values_stay(value):
    assert strip_value(value) == value


def test_a_bare_string_is_stripped_like_text():
    assert strip_value(f"a <private>{SECRET}") == f"a {MARK}"


def test_depth_beyond_the_interpreters_recursion_limit_is_no_obstacle():
    value = f"<private>{SECRET}</private>"
    for _ in range(5_000):
        value = [value]

    stripped = strip_value(value)

    for _ in range(5_000):
        stripped = stripped[0]
    assert stripped == MARK


def test_many_colliding_keys_are_all_kept():
    value = {f"<private>{number}</private>": number for number in range(20_000)}

    assert sorted(strip_value(value).values()) == list(range(20_000))


def test_a_tag_that_appears_when_a_closer_is_dropped_opens_a_region_of_the_value():
    stripped = strip_value({"a": "<pri</private>vate>", "b": SECRET})

    assert SECRET not in json.dumps(stripped)


PIECES = st.lists(
    st.sampled_from(
        ["a", " ", "<private>", "</private>", "<private x='", "'>", "<pri", "vate>", "\\u003cprivate>", SECRET]
    ),
    max_size=6,
).map("".join)
VALUES = st.recursive(
    st.one_of(PIECES, st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(PIECES, inner, max_size=4)),
    max_leaves=12,
)


@given(VALUES)
def test_stripping_twice_is_stripping_once(value):
    stripped = strip_value(value)

    assert strip_value(stripped) == stripped


@given(VALUES)
def test_nothing_after_a_last_opener_survives_anywhere(value):
    stripped = strip_value([value, "<private>", {SECRET: [SECRET, {"k": SECRET}]}])

    assert SECRET not in json.dumps(stripped[-1] if isinstance(stripped, list) else stripped)


def plain(value):
    """The value with every tag character taken out of its texts."""
    if isinstance(value, str):
        return value.replace("<", "").replace("\\", "")
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {plain(key): plain(item) for key, item in value.items()}
    return value


@given(VALUES.map(plain), VALUES.map(plain))
def test_what_stands_outside_of_regions_is_kept_as_it_was(before, after):
    stripped = strip_value([before, f"x <private>{SECRET}", [SECRET, 5], "</private>", after])

    assert stripped == [before, f"x {MARK}", [MARK, MARK], MARK, after]
