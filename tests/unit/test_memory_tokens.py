from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.errors import LoomError
from services.memory.identity import LAST_ID
from services.memory.tokens import decode, encode

MOMENTS = st.datetimes(datetime(1970, 1, 1), datetime(2299, 12, 31), timezones=st.just(UTC))


@given(MOMENTS, st.integers(1, LAST_ID))
def test_a_token_names_its_row(moment, id_):
    assert decode(encode((moment, id_))) == (moment, id_)


def test_no_token_is_the_first_page():
    assert decode("") is None


@pytest.mark.parametrize(
    "token", ["x", "é", "bnVsbA", "WzEsMl0x", "WzEsMF0", "WzEsIjIiXQ", "Wy0xLDJd", "WzFlOTksMl0", "[1,2]"]
)
def test_any_other_text_is_refused_by_name(token):
    with pytest.raises(LoomError) as caught:
        decode(token)
    assert (caught.value.code.name, caught.value.metadata) == ("INVALID_FIELD", {"field": "page_token"})
