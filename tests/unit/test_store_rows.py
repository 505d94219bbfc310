import json
from collections import namedtuple
from datetime import UTC, datetime, timedelta, timezone
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.store import RowsRefused
from runtime.store.rows import column_check, column_checks, encode

INTS = {f"{sign}Int{bits}": (sign, bits) for sign in ("", "U") for bits in (8, 16, 32, 64)}


def one(type_name, value):
    return encode([[value]], [column_check("a", type_name)])


@given(st.sampled_from(sorted(INTS)), st.integers(-(2**65), 2**65))
def test_a_whole_number_is_taken_exactly_where_it_fits_its_column(type_name, value):
    sign, bits = INTS[type_name]
    low, high = (0, 2**bits - 1) if sign else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    for wrapped, given_value in ((type_name, value), (f"Array(Nullable({type_name}))", [None, value])):
        if low <= value <= high:
            assert json.loads(one(wrapped, given_value)) == [given_value]
        else:
            with pytest.raises(RowsRefused):
                one(wrapped, given_value)


@given(
    st.lists(
        st.tuples(st.text(st.characters(codec="utf-8")), st.lists(st.text(st.characters(codec="utf-8")))), min_size=1
    )
)
def test_rows_are_one_line_each_and_any_text_survives(rows):
    body = encode(rows, column_checks({"a": "String", "b": "Array(String)"}, ["a", "b"]))
    assert [json.loads(line) for line in body.splitlines() if line] == [list(row) for row in rows]


@pytest.mark.parametrize("wrong", ["\ud800", b"bytes", object(), {1: "a"}])
def test_a_value_that_the_format_cannot_carry_is_refused(wrong):
    with pytest.raises(RowsRefused):
        one("String", wrong)


@pytest.mark.parametrize("type_name", ["String", "LowCardinality(String)", "UInt8", "Float32", "DateTime64(6, 'UTC')"])
def test_null_is_taken_by_nullable_columns_alone(type_name):
    assert one(f"Nullable({type_name})", None) == b"[null]"
    for column, value in ((type_name, None), (f"Array({type_name})", [None])):
        with pytest.raises(RowsRefused):
            one(column, value)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_is_not_finite_is_refused(number):
    for column, value in (
        ("Float64", number),
        ("Nullable(Float64)", number),
        ("Array(Float32)", [0.5, number]),
        ("Array(Float32)", np.array([0.5, number], dtype=np.float32)),
        ("Array(Array(Float32))", [[0.5], [number]]),
    ):
        with pytest.raises(RowsRefused):
            one(column, value)


def test_vectors_are_taken_as_lists_and_as_arrays():
    vector = np.array([0.5, -1.25], dtype=np.float32)
    assert one("Array(Float32)", vector) == one("Array(Float32)", [0.5, -1.25]) == b"[[0.5,-1.25]]"
    assert one("Array(Float32)", []) == b"[[]]"


def test_instants_are_written_in_utc_to_the_microsecond():
    instant = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
    assert one("DateTime64(6, 'UTC')", instant) == b'["2026-03-01T12:00:00.123456Z"]'
    elsewhere = instant.astimezone(timezone(timedelta(hours=5, minutes=30)))
    assert one("DateTime64(6, 'UTC')", elsewhere) == b'["2026-03-01T17:30:00.123456+05:30"]'


def test_uuids_and_maps_are_taken():
    identity = UUID(int=7)
    assert json.loads(one("UUID", identity)) == [str(identity)]
    assert one("Map(String, String)", {"k": "v"}) == b'[{"k":"v"}]'


def test_a_row_of_the_wrong_length_is_refused():
    checks = column_checks({"a": "String", "b": "String"}, ["a", "b"])
    for rows in ([["x"]], [["x", "y", "z"]], [["x", "y"], ["x"]]):
        with pytest.raises(RowsRefused):
            encode(rows, checks)


@pytest.mark.parametrize(
    "type_name, value",
    [
        ("UInt8", 4711),
        ("UInt8", "4711"),
        ("Float64", "4711"),
        ("Array(Float32)", ["4711"]),
        ("Array(UInt8)", 4711),
        ("String", "4711\ud800"),
        ("String", b"4711"),
    ],
)
def test_a_refusal_names_the_place_and_quotes_nothing(caplog, type_name, value):
    with pytest.raises(RowsRefused) as caught:
        one(type_name, value)
    assert "rows refused at a" in caplog.text
    assert "4711" not in caplog.text + str(caught.value)
    assert caught.value.__suppress_context__


def test_a_named_tuple_is_a_row():
    row = namedtuple("row", "a b")("x", "y")
    assert encode([row], column_checks({"a": "String", "b": "String"}, ["a", "b"])) == b'["x","y"]'
