from hypothesis import given
from hypothesis import strategies as st

from services.memory.identity import (
    LAST_ID,
    Key,
    Scope,
    content_hash,
    key_of,
    lookup,
    memory_id,
    revision_id,
    session_id,
)

TEXT = st.text(max_size=8)
SCOPE = st.builds(Scope, TEXT, TEXT, TEXT)
KEY = st.builds(Key, TEXT, TEXT, TEXT)
ADA = Scope("dev", "local", "ada")


@given(SCOPE, KEY, st.integers(0, 9))
def test_an_id_is_positive_and_fits_a_double(scope, key, nth):
    found = memory_id(scope, key, nth)
    assert 1 <= found <= LAST_ID == 2**53 - 1
    assert int(float(found)) == found == memory_id(scope, key, nth)


@given(st.tuples(SCOPE, KEY), st.tuples(SCOPE, KEY))
def test_different_users_and_keys_have_different_ids_wherever_their_parts_are_cut(one, other):
    assert (memory_id(*one, 0) == memory_id(*other, 0)) == (one == other)
    assert (lookup(one[1]) == lookup(other[1])) == (one[1] == other[1])


def test_a_topic_stands_for_itself_and_a_text_for_its_kind_and_content():
    assert key_of("a/b", "decision", "hash") == key_of("a/b", "pattern", "other")
    assert key_of("", "decision", "hash") != key_of("", "pattern", "hash")
    assert memory_id(ADA, key_of("a", "", ""), 0) != memory_id(ADA, key_of("", "a", ""), 0)
    assert memory_id(ADA, Key("a"), 0) != memory_id(ADA, Key("a"), 1)


def test_names_stay_as_they_were_since_stored_rows_have_them():
    assert memory_id(ADA, Key("user/ada/greeting"), 0) == 299532090930903
    assert lookup(Key("user/ada/greeting")) == 724576533373044628
    assert session_id(ADA, "") == "fe6a82d1b12e739a481f23e25b6bfa38"
    assert content_hash("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_a_text_that_returns_is_another_revision_and_the_same_save_is_the_same():
    first = revision_id(1, 0, "a", "decision", "t", "")
    assert first == revision_id(1, 0, "a", "decision", "t", "")
    others = [
        revision_id(2, 0, "a", "decision", "t", ""),
        revision_id(1, first, "a", "decision", "t", ""),
        revision_id(1, 0, "b", "decision", "t", ""),
        revision_id(1, 0, "a", "pattern", "t", ""),
        revision_id(1, 0, "a", "decision", "u", ""),
        revision_id(1, 0, "a", "decision", "t", "2026-01-01T00:00:00+00:00"),
    ]
    assert len({first, *others}) == 7


def test_sessions_follow_one_another_by_name():
    first = session_id(ADA, "")
    assert len(first) == 32
    assert session_id(ADA, first) != first
    assert session_id(Scope("dev", "local", "bob"), "") != first
