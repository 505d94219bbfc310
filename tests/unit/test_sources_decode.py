"""Answers of sources, from bytes to rows."""

import gzip
import zlib
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.tracker.sources.body import Full, LineReader
from services.tracker.sources.decode import RowReader, reader_of, zone
from services.tracker.sources.faults import Kind, SourceFault

HEAD = [b'["n","t"]', b'["Int64","String"]']


def rows_of(lines: list[bytes]) -> list[dict[str, object]]:
    reader = RowReader()
    for line in lines:
        reader.line(line)
    return reader.rows()


@pytest.mark.parametrize(
    ("kind", "value", "read"),
    [
        ("UInt64", "18446744073709551615", 18446744073709551615),
        ("Int64", -3, -3),
        ("LowCardinality(Nullable(String))", "x", "x"),
        ("Nullable(Float64)", 1, 1.0),
        ("Decimal(18, 2)", "1.25", 1.25),
        ("Bool", True, True),
        ("UInt8", 1, 1),
        ("Array(LowCardinality(Nullable(String)))", ["a", None], ["a", None]),
        ("Array(Int64)", ["1", 2], [1, 2]),
        ("Enum8('a' = 1, 'b,c' = 2)", "b,c", "b,c"),
        ("DateTime64(3, 'UTC')", "2026-01-02 03:04:05.678", datetime(2026, 1, 2, 3, 4, 5, 678000, UTC)),
        ("DateTime64(9, 'UTC')", "2026-01-02 03:04:05.123456789", datetime(2026, 1, 2, 3, 4, 5, 123456, UTC)),
        ("DateTime('Europe/Berlin')", "2026-01-02 03:04:05", datetime(2026, 1, 2, 2, 4, 5, tzinfo=UTC)),
        ("DateTime", "2026-01-02T03:04:05Z", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("DateTime", "1767323045", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("DateTime", 1767323045, datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("DateTime64(3)", "0000-00-00 00:00:00.000", None),
        ("Map(String, UInt8)", {"a": 1}, {"a": 1}),
    ],
)
def test_a_value_is_read_by_its_type(kind: str, value: object, read: object) -> None:
    found = reader_of(kind)(value)
    assert (found, type(found)) == (read, type(read))


def test_an_instant_without_a_zone_is_in_the_servers() -> None:
    read = reader_of("DateTime", ZoneInfo("America/New_York"))
    assert read("2026-01-02 03:04:05") == datetime(2026, 1, 2, 8, 4, 5, tzinfo=UTC)
    assert zone("../../etc/passwd") is UTC
    assert zone("No/Such") is UTC


def test_nul_bytes_and_bytes_that_are_no_text_are_read_with_a_mark() -> None:
    assert rows_of([*HEAD, b'[1,"a\\u0000b"]', b'["2","\xff\xfe"]']) == [
        {"n": 1, "t": "a\0b"},
        {"n": 2, "t": "\ufffd\ufffd"},
    ]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b"Code: 241. DB::Exception: Memory limit exceeded", Kind.OVERLOADED),
        (b"__exception__", Kind.NOT_CLICKHOUSE),
        (b'{"exception": "Code: 159. DB::Exception: Timeout"}', Kind.TIMEOUT),
        (b"[1]", Kind.NOT_CLICKHOUSE),
        (b'[1,"a",2]', Kind.NOT_CLICKHOUSE),
        (b'["x","a"]', Kind.NOT_CLICKHOUSE),
        (b"[1,2]", Kind.NOT_CLICKHOUSE),
    ],
)
def test_a_line_that_is_no_row_is_a_fault(line: bytes, kind: Kind) -> None:
    with pytest.raises(SourceFault) as caught:
        rows_of([*HEAD, line])
    assert caught.value.kind is kind


def test_an_answer_without_a_head_is_a_fault() -> None:
    deep = orjson.dumps(["Array(" * 10_000 + "Int8" + ")" * 10_000])
    for lines in (
        [],
        [b""],
        [b'["n"]', deep],
        [b'["n"]', b"[1]"],
        [b'["n"]', b'["Array("]'],
        [b'["n"]'],
        [b"<html>"],
        [b'{"a":1}'],
    ):
        with pytest.raises(SourceFault):
            rows_of(lines)


VALUES = {
    "Nullable(Int64)": st.none() | st.integers(-(2**63), 2**63 - 1) | st.integers(-(2**63), 2**63 - 1).map(str),
    "Nullable(String)": st.none() | st.text(),
    "Nullable(Bool)": st.none() | st.booleans() | st.sampled_from(("0", "1")),
    "Nullable(Float64)": st.none() | st.floats(allow_nan=False, allow_infinity=False) | st.integers(-9, 9),
    "Array(Int64)": st.lists(st.integers(-9, 9) | st.just("7")),
}


@given(st.lists(st.tuples(*VALUES.values()), max_size=5))
def test_a_value_is_read_alike_whatever_else_is_in_its_column(rows: list[tuple[object, ...]]) -> None:
    head = [orjson.dumps(list(VALUES))] * 2
    found = [list(row.values()) for row in rows_of([*head, *(orjson.dumps(row) for row in rows)])]
    pairs = [list(zip(VALUES, row, strict=True)) for row in rows]
    read = [[None if value is None else reader_of(kind)(value) for kind, value in row] for row in pairs]
    assert found == read
    assert [[type(value) for value in row] for row in found] == [[type(value) for value in row] for row in read]


@given(st.lists(st.lists(st.one_of(st.integers(-(2**63), 2**64 - 1), st.text()), min_size=2, max_size=2)), st.data())
def test_lines_come_out_as_they_went_in_however_they_are_cut_and_packed(
    rows: list[list[object]], data: st.DataObject
) -> None:
    lines = [orjson.dumps(row) for row in rows]
    body = b"".join(line + b"\n" for line in lines)
    packed = data.draw(st.booleans())
    sent = gzip.compress(body) if packed else body
    reader, found, at = LineReader("gzip" if packed else "", 1 << 20), [], 0
    while at < len(sent):
        size = data.draw(st.integers(1, 4096))
        found += reader.feed(sent[at : at + size])
        at += size
    assert found == lines
    assert reader.rest() == b""


def test_a_small_answer_that_unpacks_into_a_huge_one_ends_at_the_limit() -> None:
    packer = zlib.compressobj(9, wbits=31)
    bomb = packer.compress(b"[1]\n") + b"".join(packer.compress(b"a" * (1 << 20)) for _ in range(64)) + packer.flush()
    reader, lines = LineReader("gzip", 1 << 20), []
    with pytest.raises(Full):
        lines.extend(reader.feed(bomb))
    assert len(reader.rest()) <= 1 << 20


def test_an_answer_that_does_not_unpack_is_a_fault() -> None:
    with pytest.raises(SourceFault):
        list(LineReader("gzip", 100).feed(b"not gzip at all"))
    with pytest.raises(SourceFault):
        LineReader("br", 100)
