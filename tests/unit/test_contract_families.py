"""Which ClickHouse types are read as which family."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.tracker.contract.families import Family, Shape, accepts, expected, shape

GOOD = [
    (Family.INTEGER, "Int8 UInt8 Int64 UInt64 Int256 LowCardinality(UInt16)"),
    (Family.NUMBER, "UInt8 Float32 Float64 Decimal(18,2) BFloat16"),
    (Family.FLAG, "Bool UInt8 Int32"),
    (Family.STRING, "String LowCardinality(String) FixedString(40) Enum8('open'=1,'closed'=2)"),
    (Family.LABEL, "String UInt64 UUID Enum16('a'=1) Float64"),
    (Family.DATETIME, "DateTime DateTime('Europe/Berlin') DateTime64(3) DateTime64(9,'UTC') DateTime64(0)"),
    (Family.STRINGS, "Array(String) Array(LowCardinality(String)) Array(Nullable(String)) Array(Enum8('a'=1))"),
    (Family.INTEGERS, "Array(UInt32) Array(Int64) Array(Nullable(Int64))"),
    (Family.REFERENCES, "Array(String) Array(UInt64)"),
    (Family.VERSIONS, "String Array(String) LowCardinality(String)"),
]
BAD = [
    (Family.INTEGER, "String Float64 Bool Decimal(9,0) Date DateTime UUID Array(Int64) Nothing"),
    (Family.NUMBER, "String Bool DateTime"),
    (Family.FLAG, "String Float32 Enum8('yes'=1)"),
    (Family.STRING, "UUID UInt8 Array(String) JSON Map(String,String) Tuple(String) IPv4 Bool"),
    (Family.LABEL, "Bool DateTime Array(String)"),
    (Family.DATETIME, "Date Date32 String UInt32 Time"),
    (Family.STRINGS, "String Array(UInt8) Array(Array(String)) Array(UUID) Array(Tuple(String)) Nullable(String)"),
    (Family.INTEGERS, "Array(String) Int64 Array(Float64) Array(Bool)"),
    (Family.REFERENCES, "String UInt64"),
    (Family.VERSIONS, "UInt8 Array(UInt8)"),
]


@pytest.mark.parametrize(("family", "types"), GOOD, ids=lambda value: str(value)[:10])
def test_types_of_a_family_are_taken_and_with_null_only_where_optional(family: Family, types: str) -> None:
    for found in types.split():
        assert accepts(family, found, optional=False), found
        if not found.startswith(("Array", "LowCardinality")):
            assert accepts(family, f"Nullable({found})", optional=True), found
            assert not accepts(family, f"Nullable({found})", optional=False), found
    low = "LowCardinality(Nullable(String))"
    assert accepts(family, low, optional=True) == accepts(family, "String", optional=False)
    assert not accepts(family, low, optional=False)


@pytest.mark.parametrize(("family", "types"), BAD, ids=lambda value: str(value)[:10])
def test_types_of_other_families_are_refused(family: Family, types: str) -> None:
    assert [found for found in types.split() if accepts(family, found, optional=True)] == []


def test_an_enum_may_hold_brackets_commas_and_quotes() -> None:
    assert accepts(Family.STRING, r"Nullable(Enum8('a), x' = 1, '(,' = 2, 'it\'s, (' = 3, '''),' = 4))", optional=True)
    assert accepts(Family.STRINGS, r"Array(Enum8('a),(' = 1, '\'),' = 2))", optional=False)


def test_a_simple_aggregate_is_read_as_what_it_holds() -> None:
    assert shape("SimpleAggregateFunction(max, Nullable(DateTime64(3, 'UTC')))") == Shape("DateTime64", nullable=True)
    assert shape("SimpleAggregateFunction(groupArrayArray, Array(String))") == Shape("String", array=True)


def test_what_is_expected_says_that_null_is_not_taken_where_it_is_not() -> None:
    assert expected(Family.INTEGER, optional=False) == "integer: any Int or UInt, not Nullable"
    assert expected(Family.STRINGS, optional=True) == "strings: Array(String)"


@given(st.text(alphabet="ArayNulb(Int64,String)' \\\n'", max_size=40) | st.text(max_size=30))
def test_no_text_breaks_the_reading_of_types(text: str) -> None:
    for family in Family:
        assert accepts(family, text, optional=True) in (True, False)
