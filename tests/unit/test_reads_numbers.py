"""Numbers that no answer could carry are taken out of what a source says, and nothing else is."""

import copy
import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from services.tracker.reads.reader import _tame
from services.tracker.reads.statement import MAX_NUMBER

VALUES = st.sampled_from((None, "x", True, 1, 2**60, 1.5, math.inf)) | st.integers(-(2**64), 2**64) | st.floats()
ROWS = st.lists(st.fixed_dictionaries({"a": VALUES, "b": VALUES | st.lists(VALUES, max_size=3)}), max_size=6)


def fits(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return not number or (math.isfinite(value) and (isinstance(value, float) or abs(value) <= MAX_NUMBER))


@given(ROWS)
def test_a_number_goes_whatever_else_is_in_its_column(rows: list[dict[str, Any]]) -> None:
    found = copy.deepcopy(rows)
    _tame(found)
    for row, kept in zip(rows, found, strict=True):
        for name, value in row.items():
            if isinstance(value, list):
                assert kept[name] == [each for each in value if fits(each)]
            else:
                assert kept[name] == (value if fits(value) else None)
