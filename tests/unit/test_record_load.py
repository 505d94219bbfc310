"""Exports in every form come back as the rows that they were made of."""

import json
import tempfile
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.tracker.contract.families import Family
from services.tracker.contract.model import Column
from services.tracker.contract.tables import TABLES
from services.tracker.record.demo.build import demo
from services.tracker.record.demo.size import Size
from services.tracker.record.load.read import Reader
from services.tracker.record.load.report import FileReport
from tests.support.record_files import FORMS, Row, as_json, as_lines, written

NOW = datetime(2026, 5, 1, tzinfo=UTC)
SMALL = Size(issues=220, changes=200, check_rows=5_000, tests=60)


def load(*paths: Path, **options: Any) -> tuple[dict[str, list[dict[str, Any]]], list[FileReport]]:
    """Rows by table, and the reports."""
    reader = Reader(paths, **options)
    found: dict[str, list[dict[str, Any]]] = {}
    for batch in reader:
        rows = (dict(zip(batch.names, row, strict=True)) for row in batch.rows())
        found.setdefault(batch.table, []).extend(rows)
    return found, reader.reports


@pytest.fixture(scope="module")
def record() -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for batch in demo(NOW, SMALL):
        rows = [dict(zip(batch.names, row, strict=True)) for row in batch.rows()]
        found.setdefault(batch.table, []).extend(rows[:400])
    return found


@pytest.mark.parametrize(
    ("form", "packed"), [*((form, "") for form in FORMS), ("json", ".gz"), ("csv", ".xz"), ("jsonl", ".gz")]
)
def test_every_table_of_the_demo_comes_back_from_an_export(
    form: str, packed: str, record: dict[str, list[dict[str, Any]]], tmp_path: Path
) -> None:
    for number, (table, rows) in enumerate(record.items()):
        # A name that gives nothing away: the columns tell the table.
        loaded, [report] = load(written(tmp_path, f"export_{number}.{form}{packed}", FORMS[form](rows)))
        assert report.stopped == ""
        assert loaded == {table: _in_order(table, rows)}
        assert (report.rows, report.skipped, report.unknown_columns) == (len(rows), {}, set())


def _in_order(table: str, rows: Iterable[Row]) -> list[dict[str, Any]]:
    names = TABLES[table].columns
    return [{name: row[name] for name in names if name in row} for row in rows]


_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
_WORD = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=8)
_INSTANT = st.datetimes(datetime(1971, 1, 1), datetime(2290, 1, 1), timezones=st.just(UTC)).map(
    lambda each: each.replace(microsecond=0)
)


def _cell(column: Column) -> st.SearchStrategy[Any]:
    by_family = {
        Family.INTEGER: st.integers(1, 2**53),
        Family.NUMBER: st.floats(-1e9, 1e9),
        Family.FLAG: st.sampled_from([0, 1]),
        Family.DATETIME: _INSTANT,
        Family.STRINGS: st.lists(_WORD, max_size=3),
        Family.VERSIONS: st.lists(_WORD, max_size=3),
        Family.REFERENCES: st.lists(_WORD, max_size=3),
        Family.INTEGERS: st.lists(st.integers(1, 10**9), max_size=3),
    }
    return by_family.get(column.family, _TEXT)


def _row(table: str) -> st.SearchStrategy[dict[str, Any]]:
    special: dict[str, st.SearchStrategy[Any]] = {
        "state": st.sampled_from(["open", "closed"]),
        "number": st.integers(1, 10**9),
        "duplicate_of": st.integers(1, 10**9),
    }
    cells = {name: special.get(name, _cell(column)) for name, column in TABLES[table].columns.items()}
    return st.fixed_dictionaries(cells).map(_consistent)


def _consistent(row: dict[str, Any]) -> dict[str, Any]:
    row |= {"source_id": f"Org/repo#{row['number']}"}
    if "merged_at" in row:
        row |= {"state": "merged"}
    return row


@settings(max_examples=12, deadline=None)
@given(st.data())
@pytest.mark.parametrize("table", ["github_issues", "github_prs"])
def test_any_rows_come_back_from_an_export_in_each_form(table: str, data: st.DataObject) -> None:
    rows = data.draw(st.lists(_row(table), min_size=1, max_size=4))
    with tempfile.TemporaryDirectory() as folder:
        for form, write in FORMS.items():
            loaded, [report] = load(written(Path(folder), f"rows.{form}", write(rows)), table=table)
            assert report.stopped == ""
            assert loaded == {table: _in_order(table, rows)}


@settings(max_examples=60, deadline=None)
@given(
    st.one_of(st.binary(max_size=300), st.text(max_size=200).map(str.encode)),
    st.sampled_from([None, "github_issues", "checks"]),
)
def test_no_bytes_whatever_break_the_reader(data: bytes, table: str | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for packed in ("", ".gz", ".xz"):
            load(written(Path(folder), f"file{packed}", data), table=table, repo="Org/repo")


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10) | st.dates().map(str),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "number", "login", "oid", "nodes"]), inner)
    ),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.dictionaries(
            st.sampled_from([*TABLES["github_prs"].columns, "head", "files", "pull_request", "repository"]), _JSON
        )
    )
)
def test_no_values_whatever_in_the_right_columns_break_the_reader(rows: list[dict[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for table in ("github_prs", "github_issues"):
            loaded, _ = load(written(Path(folder), "rows.json", json.dumps(rows)), table=table, repo="Org/repo")
            for row in loaded.get(table, []):
                assert row["state"] in ("open", "closed", "merged")


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_of_a_file_cut_off_anywhere_the_complete_records_are_kept(data: st.DataObject) -> None:
    rows = [_issue(number, body='br{ack]et "quoted" \\ back') for number in range(1, 5)]
    form = data.draw(st.sampled_from([as_json, as_lines]))
    whole = form(rows)
    cut = data.draw(st.integers(1, len(whole) - 1))
    with tempfile.TemporaryDirectory() as folder:
        loaded, [report] = load(written(Path(folder), "cut.json", whole[:cut]))
        complete = loaded.get("github_issues", [])
        assert [row["number"] for row in complete] == list(range(1, len(complete) + 1))
        assert len(complete) >= whole[:cut].count(b"}") - 1
        if report.rows < 4 or form is as_json:
            assert report.stopped or whole[:cut].endswith(b"}\n") or whole[:cut].endswith(b"}")


def _issue(number: int, **more: Any) -> dict[str, Any]:
    instant = datetime(2026, 1, number, tzinfo=UTC)
    return {
        "source_id": f"Org/repo#{number}",
        "number": number,
        "title": f"title {number}",
        "body": "",
        "state": "open",
        "created_at": instant,
        "updated_at": instant,
        "is_private": 0,
        **more,
    }
