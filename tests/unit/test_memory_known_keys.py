"""Keys in memory: never a miss for what is stored, whatever was let go meanwhile."""

from hypothesis import given
from hypothesis import strategies as st

from services.memory.identity import Scope
from services.memory.known_keys import KnownKeys

ADA, BOB = Scope("o", "n", "ada"), Scope("o", "n", "bob")
KEYS = st.lists(st.integers(0, 2**64 - 1), max_size=8)


@given(stored=KEYS, fresh=KEYS, asked=KEYS)
def test_what_was_read_or_added_is_had_and_nothing_else(stored, fresh, asked):
    keys = KnownKeys()
    keys.keep(ADA, stored)
    for key in fresh:
        keys.add(ADA, key)
    assert keys.may_have(ADA, asked) == bool({*asked} & {*stored, *fresh})


def test_the_users_that_were_asked_for_longest_ago_go_first():
    keys = KnownKeys(most=4)
    keys.keep(ADA, [1, 2])
    keys.keep(BOB, [3, 4])
    assert keys.may_have(ADA, [1])
    keys.keep(Scope("o", "n", "eve"), [5])
    assert ADA in keys
    assert BOB not in keys


def test_more_keys_than_may_be_kept_are_not_kept():
    keys = KnownKeys(most=2)
    keys.keep(ADA, [1, 2, 3])
    assert ADA not in keys


def test_a_user_with_a_write_of_unknown_end_is_not_kept_any_more():
    keys = KnownKeys()
    keys.keep(ADA, [1])
    keys.doubt(ADA)
    assert ADA not in keys
    assert not keys.may_keep(ADA)
    assert keys.may_keep(BOB)


def test_keys_of_a_user_who_is_not_kept_are_not_half_kept():
    keys = KnownKeys()
    keys.add(ADA, 1)
    assert ADA not in keys
