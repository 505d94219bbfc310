"""Files that are damaged, enormous or malicious: what can be read is read, the rest is reported, and nothing is quoted."""

import codecs
import gzip
import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from services.tracker.record.load import csv_records, json_records
from services.tracker.record.load.read import Reader
from services.tracker.record.load.report import FileReport
from services.tracker.record.load.rows import LONGEST_TEXT
from tests.support.record_files import FORMS, written

Loaded = tuple[list[dict[str, Any]], FileReport]


def load(path: Path, **options: Any) -> Loaded:
    reader = Reader([path], **{"table": "github_issues", "repo": "Org/repo", **options})
    rows = [dict(zip(batch.names, row, strict=True)) for batch in reader for row in batch.rows()]
    return rows, reader.reports[0]


def item(number: Any = 1, **more: Any) -> dict[str, Any]:
    return {"number": number, "title": "t", "body": "b", "state": "open", "created_at": "2026-01-01T00:00:00Z", **more}


def lines(*items: dict[str, Any]) -> str:
    return "".join(json.dumps(each) + "\n" for each in items)


def test_a_huge_body_is_clipped_with_a_mark(tmp_path: Path) -> None:
    [row], report = load(written(tmp_path, "x.json", json.dumps([item(body="x" * 10_000_000)])))
    assert row["body"].startswith("x" * LONGEST_TEXT)
    assert row["body"].endswith(f"\n[clipped: {10_000_000 - LONGEST_TEXT} more characters]")
    assert report.clipped == 1


def test_nul_and_invalid_utf8_and_lone_surrogates_become_a_mark(tmp_path: Path) -> None:
    data = (
        lines(item(1, body="a\0b"), item(2)).encode()
        + b'{"number":3,"title":"\xff","state":"open","created_at":"2026-01-01"}\n'
    )
    data += rb'{"number":4,"title":"\ud800","state":"open","created_at":"2026-01-01"}'
    rows, report = load(written(tmp_path, "x.jsonl", data))
    assert [row["title"] for row in rows] == ["t", "t", "\ufffd", "\ufffd"]
    assert rows[0]["body"] == "a\ufffdb"
    assert report.repaired == 3
    text = b"number,title,state,created_at\n1,\xff\x00,open,2026-01-01\n"
    rows, report = load(written(tmp_path, "x.csv", text))
    assert rows[0]["title"] == "\ufffd\ufffd"


def test_numbers_beyond_what_is_exact_are_refused_row_by_row(tmp_path: Path) -> None:
    numbers = [2**53, 2**53 + 1, 10**30, -1, 0, 1.5, "9007199254740993", "12.0", True, [1], float("nan")]
    rows, report = load(written(tmp_path, "x.jsonl", lines(*(item(number) for number in numbers))))
    assert [row["number"] for row in rows] == [2**53, 12]
    assert report.skipped["number must not be beyond 2^53"].places == ["line 2", "line 3", "line 7"]
    assert report.skipped["number must be 1 or more"].places == ["line 4", "line 5"]
    assert report.skipped["number must be a whole number"].places == ["line 6", "line 9", "line 10", "line 11"]


def test_a_bad_optional_cell_is_left_empty_and_counted(tmp_path: Path) -> None:
    [row], report = load(
        written(tmp_path, "x.json", json.dumps([item(closed_at="whenever", duplicate_of="it", labels=3)]))
    )
    assert (row["closed_at"], row["duplicate_of"], row["labels"]) == (None, None, ["3"])
    assert report.emptied == {
        "closed_at: must be an instant, such as 2026-01-31T12:00:00Z": 1,
        "duplicate_of: must be a whole number": 1,
    }


def test_deep_nesting_is_refused_and_what_follows_is_read(tmp_path: Path) -> None:
    deep = "[" * 100_000 + "]" * 100_000
    array = f'[{json.dumps(item(1))}, {{"number": 2, "title": {deep}}}, {json.dumps(item(3))}]'
    rows, report = load(written(tmp_path, "x.json", array))
    assert [row["number"] for row in rows] == [1, 3]
    assert report.skipped["nested more than 200 deep"].places == ["record 2"]
    rows, report = load(
        written(tmp_path, "x.jsonl", f'{json.dumps(item(1))}\n{{"a": {deep}}}\n{json.dumps(item(3))}\n')
    )
    assert [row["number"] for row in rows] == [1, 3]
    assert report.skipped["nested more than 200 deep"].places == ["line 2"]


def test_a_record_longer_than_the_limit_is_left_out_without_being_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_records, "LONGEST_RECORD", 1000)
    array = json.dumps([item(1), item(2, body="x" * 900_000), item(3)])
    rows, report = load(written(tmp_path, "x.json", array))
    assert [row["number"] for row in rows] == [1, 3]
    assert report.skipped["longer than 64 MB"].places == ["record 2"]


def test_a_line_of_csv_without_end_is_not_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_records, "LONGEST_RECORD", 1000)
    rows, report = load(
        written(tmp_path, "x.csv", "number,title,state,created_at\n1,t,open,2026-01-01\n2," + "x" * 500_000)
    )
    assert (len(rows), report.stopped) == (1, "a line is longer than 64 MB")


def test_rows_before_a_break_are_kept_and_the_place_is_said(tmp_path: Path) -> None:
    array = json.dumps([item(1), item(2), item(3)])
    rows, report = load(written(tmp_path, "x.json", array[:-30]))
    assert [row["number"] for row in rows] == [1, 2]
    assert report.stopped == "the file ends in the middle of record 3"
    rows, report = load(written(tmp_path, "y.json", array[:-1]))
    assert report.stopped == "the file ends after record 3, before its array is closed"
    rows, report = load(written(tmp_path, "x.jsonl", lines(item(1), item(2))[:-20]))
    assert (len(rows), report.stopped) == (1, "the file ends in the middle of line 2")
    rows, report = load(written(tmp_path, "x.csv", 'number,title,state,created_at\n1,t,open,2026-01-01\n2,"t,open'))
    assert (len(rows), report.stopped) == (1, "the file ends inside the quoted cell of line 3")


def test_a_compressed_file_that_was_cut_off_gives_what_can_be_unpacked(tmp_path: Path) -> None:
    data = gzip.compress(
        lines(*(item(number, body=f"{number} {hash(str(number))}" * 50) for number in range(1, 3000))).encode()
    )
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(data[: len(data) // 2])
    rows, report = load(path)
    assert 0 < len(rows) < 2999
    assert report.stopped == "the compressed data is damaged or cut off"


def test_a_parquet_file_that_was_cut_off_is_reported(tmp_path: Path) -> None:
    data = FORMS["parquet"]([item(1)])
    rows, report = load(written(tmp_path, "x.parquet", data[:-9]))
    assert (rows, report.form) == ([], "Parquet")
    assert report.stopped.startswith("not a readable Parquet file")
    _, report = load(written(tmp_path, "x.parquet.gz", data))
    assert report.stopped == "Parquet is compressed in itself: unpack the file around it first"


def test_bad_lines_do_not_keep_good_ones_from_being_read(tmp_path: Path) -> None:
    text = f'{json.dumps(item(1))}\n{{"number": 2,\n[1, 2]\n"text"\n\n{json.dumps(item(3))}\n'
    rows, report = load(written(tmp_path, "x.jsonl", text))
    assert [row["number"] for row in rows] == [1, 3]
    assert report.skipped["not valid JSON"].places == ["line 2"]
    assert report.skipped["not an object"].places == ["line 3", "line 4"]
    text = 'number,title,state,created_at\n1,t,open,2026-01-01\n2,t\n3,"t"x,open,2026-01-01\n4,t,open,2026-01-01\n'
    rows, report = load(written(tmp_path, "x.csv", text))
    assert [row["number"] for row in rows] == [1, 4]
    assert report.skipped["another number of cells than the first line"].places == ["line 3"]
    assert report.skipped["not valid CSV"].places == ["line 4"]


@pytest.mark.parametrize("mark", [codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE])
def test_byte_order_marks_and_windows_line_ends_are_no_obstacle(mark: bytes, tmp_path: Path) -> None:
    encoding = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}[mark]
    for name, text in (
        ("x.jsonl", lines(item(1, title="é"), item(2)).replace("\n", "\r\n")),
        ("x.json", json.dumps([item(1, title="é"), item(2)], indent=2).replace("\n", "\r\n")),
        ("x.csv", "number,title,state,created_at\r\n1,é,open,2026-01-01\r\n2,t,open,2026-01-01\r\n"),
    ):
        rows, report = load(written(tmp_path, name, mark + text.encode(encoding)))
        assert [(row["number"], row["title"]) for row in rows] == [(1, "é"), (2, "t")]
        assert (report.stopped, report.unknown_columns) == ("", set())


def test_future_instants_are_kept_and_impossible_ones_refused(tmp_path: Path) -> None:
    days = [
        "2099-12-31T23:59:59+14:00",
        4_070_908_800,
        "4070908800000",
        "2301-01-01T00:00:00Z",
        "1969-12-31T23:00:00Z",
        "soon",
        1e300,
    ]
    rows, report = load(written(tmp_path, "x.jsonl", lines(*(item(1, created_at=day) for day in days))))
    assert [row["created_at"].year for row in rows] == [2099, 2099, 2099]
    assert sum(each.count for each in report.skipped.values()) == 4


@pytest.mark.parametrize("data", [b"", b" \n\t ", b"\xef\xbb\xbf", b"\n\n,,,\n"])
def test_an_empty_file_says_so(data: bytes, tmp_path: Path) -> None:
    rows, report = load(written(tmp_path, "x", data))
    assert rows == []
    assert report.stopped in ("the file is empty", "the first line names no column")


def test_a_file_that_is_not_there_stops_itself_and_not_the_others(tmp_path: Path) -> None:
    good = written(tmp_path, "x.json", json.dumps([item(1)]))
    reader = Reader([tmp_path / "absent.json", tmp_path, good], table="github_issues", repo="Org/repo")
    assert sum(len(batch) for batch in reader) == 1
    assert [bool(report.stopped) for report in reader.reports] == [True, True, False]


def test_progress_tells_the_bytes_of_the_file_on_disk(tmp_path: Path) -> None:
    told: list[int] = []
    paths = [
        written(tmp_path, "x.jsonl.gz", lines(*(item(number) for number in range(1, 20_000)))),
        written(tmp_path, "y.parquet", FORMS["parquet"]([item(number) for number in range(1, 1_200)])),
    ]
    reader = Reader(paths, table="github_issues", repo="Org/repo", progress=told.append)
    assert sum(len(batch) for batch in reader) == 21_198
    assert sum(told) == pytest.approx(reader.total_bytes, rel=0.01)


def test_no_report_contains_a_value_of_the_file(tmp_path: Path) -> None:
    secret = "hunter2"
    bad = [
        item(secret), item(1, created_at=secret), item(1, state=secret), item(1, is_private=secret), item(1, closed_at=secret),
        item(1, source_id=secret), item(2, source_id=f"{secret}/r#3"), item(1, duplicate_of=secret), {"title": secret},
    ]  # fmt: skip
    for name, text in (
        ("x.jsonl", lines(*bad) + secret),
        ("y.json", json.dumps(bad)[:-1]),
        ("z.csv", f'number,title\n"{secret}'),
    ):
        _, report = load(written(tmp_path, name, text))
        assert secret not in " ".join(str(getattr(report, each.name)) for each in fields(report))


def test_a_report_says_in_words_what_became_of_the_file(tmp_path: Path) -> None:
    bad = [item(0) for _ in range(25)]
    rows = [item(1), *bad, item(2, closed_at="soon", body="x" * (LONGEST_TEXT + 1), title="\0", mood="good")]
    path = written(tmp_path, "x.jsonl", lines(*rows) + "{")
    _, report = load(path)
    places = ", ".join(f"line {number}" for number in range(2, 22))
    assert report.lines() == [
        f"{path}: read 2 github_issues from JSON",
        "  stopped: the file ends in the middle of line 28",
        f"  left out 25: number must be 1 or more ({places}, …)",
        "  left empty 1: closed_at: must be an instant, such as 2026-01-31T12:00:00Z",
        "  clipped 1: longer texts than are kept",
        "  repaired 1: NUL, or bytes that are not UTF-8, became U+FFFD",
        "  ignored columns: mood",
    ]


def test_what_is_no_object_among_the_records_is_left_out_and_told(tmp_path: Path) -> None:
    first, second = json.dumps(item(1)), json.dumps(item(2))
    path = written(tmp_path, "x.json", f'[{first}, null, 5, "a {{ in a text", {second}, [7]]\n')
    rows, report = load(path)
    assert [row["number"] for row in rows] == [1, 2]
    assert report.skipped["not an object"].places == ["record 2", "after record 3"]
    for text in (f"[{first},\n {second}]", f"{first}\n{second}\n", f"[{first}]\n[{second}]", "[]"):
        assert not load(written(tmp_path, "y.json", text))[1].skipped, text


@pytest.mark.parametrize("size", [1, 3, 7])
def test_what_is_no_object_is_seen_however_the_file_is_cut_into_chunks(size: int) -> None:
    text = b'[ {"a":1} , true, {"a":2} ]'
    found = list(json_records.json_records(iter(text[at : at + size] for at in range(0, len(text), size))))
    assert [isinstance(record, dict) for _, record in found] == [True, False, True]


@pytest.mark.parametrize(
    ("name", "form"), [("x.json", "JSON"), ("x.JSONL", "JSON"), ("x.parquet", "Parquet"), ("x.json.gz", "JSON")]
)
def test_a_file_that_is_not_what_its_name_says_is_not_read_as_csv(tmp_path: Path, name: str, form: str) -> None:
    text = b"number,title,state,created_at\n1,t,open,2026-01-01\n"
    _, report = load(written(tmp_path, name, gzip.compress(text) if name.endswith(".gz") else text))
    assert report.stopped == f"it is named as {form}, and does not begin as {form} does"
    assert load(written(tmp_path, "x.csv", text))[1].rows == 1


def test_a_file_without_a_record_says_so(tmp_path: Path) -> None:
    for name, text in (("x.csv", "number,title\n"), ("x.json", "[]")):
        _, report = load(written(tmp_path, name, text))
        assert report.lines()[1:] == ["  there is no record in it"]
