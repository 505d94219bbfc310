"""Names and storage names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.roles import STORAGE_MARK
from services.directory.names import MOST, is_name, is_subject, may_open, storage_name

NAMES = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._:@/-]{0,127}", fullmatch=True)


@pytest.mark.parametrize("name", ["a", "team/app", "a.b_c:d@e/f-g", "0", "x" * MOST])
def test_names_of_letters_digits_and_some_marks_are_taken(name: str) -> None:
    assert is_name(name)


@pytest.mark.parametrize("name", ["", "*", "-a", ".a", "a*", "a b", "a\n", "é", "x" * (MOST + 1), "a\u241f2", "a\x1f2"])
def test_other_names_are_refused(name: str) -> None:
    assert not is_name(name)


@pytest.mark.parametrize("name", ["", " ", "*", "a\u241f2", "a\x1f2", "x" * (MOST + 1)])
def test_no_token_opens_a_reserved_name_or_a_storage_name(name: str) -> None:
    assert not may_open(name)


@pytest.mark.parametrize("subject", ["", " ", "*", "-", "a\nb"])
def test_a_subject_is_a_printable_name_of_one(subject: str) -> None:
    assert not is_subject(subject)


@given(NAMES)
def test_the_first_namespace_of_a_name_is_stored_under_the_name(name: str) -> None:
    assert may_open(name)
    assert storage_name(name, 1) == name


@given(NAMES, NAMES, st.integers(1, 10**9), st.integers(1, 10**9))
def test_no_two_namespaces_share_a_storage_name(name: str, other: str, first: int, second: int) -> None:
    same = (name, first) == (other, second)
    assert (storage_name(name, first) == storage_name(other, second)) is same


def test_long_names_that_begin_alike_are_stored_apart() -> None:
    names = ["x" * 127 + end for end in "ab"]
    assert len({storage_name(name, 2) for name in names}) == 2


@given(NAMES, st.integers(2, 2**32 - 1))
def test_a_later_storage_name_can_be_neither_asked_for_nor_refused_by_a_plane(name: str, generation: int) -> None:
    stored = storage_name(name, generation)
    assert len(stored) <= MOST
    assert stored.isprintable()
    assert STORAGE_MARK in stored
    assert not is_name(stored)
    assert not may_open(stored)
