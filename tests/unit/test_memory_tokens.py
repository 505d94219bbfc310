from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.errors import LoomError
from services.memory.identity import LAST_ID
from services.memory.tokens import decode, encode, list_of

MOMENTS = st.datetimes(datetime(1970, 1, 1), datetime(2299, 12, 31), timezones=st.just(UTC))


@given(MOMENTS, st.integers(1, LAST_ID))
def test_a_token_names_its_row(moment, id_):
    assert decode(encode((moment, id_), "list"), "list") == (moment, id_)


def test_no_token_is_the_first_page():
    assert decode("", "list") is None


@pytest.mark.parametrize(
    "token", ["x", "é", "bnVsbA", "WzEsMl0x", "WzEsMF0", "WzEsIjIiXQ", "Wy0xLDJd", "WzFlOTksMl0", "[1,2]"]
)
def test_any_other_text_is_refused_by_name(token):
    with pytest.raises(LoomError) as caught:
        decode(token, "list")
    assert (caught.value.code.name, caught.value.metadata) == ("INVALID_FIELD", {"field": "page_token"})


def test_a_token_of_another_list_is_refused_and_says_so():
    token = encode((datetime(2026, 1, 1, tzinfo=UTC), 7), list_of("list", "ada"))
    with pytest.raises(LoomError, match="user and the filters") as caught:
        decode(token, list_of("list", "bob"))
    assert (caught.value.code.name, caught.value.metadata) == ("INVALID_FIELD", {"field": "page_token"})


@given(st.lists(st.text(), max_size=4), st.lists(st.text(), max_size=4))
def test_lists_of_different_parts_have_different_names(one, other):
    assert (list_of(*one) == list_of(*other)) == (one == other)
