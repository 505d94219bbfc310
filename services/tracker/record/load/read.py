"""Files of exports, in any of the forms, to batches of rows."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from services.tracker.contract.matching import plain
from services.tracker.contract.tables import TABLES
from services.tracker.record.batch import Batch
from services.tracker.record.incoming import batch
from services.tracker.record.load.csv_records import csv_records
from services.tracker.record.load.json_records import Found, json_records
from services.tracker.record.load.kinds import Kinds
from services.tracker.record.load.opened import PARQUET, Progress, chunks, first_bytes
from services.tracker.record.load.parquet_records import parquet_records
from services.tracker.record.load.report import Broken, FileReport, Refused
from services.tracker.record.load.rows import REPO, Row, Rows
from services.tracker.record.load.shapes import shape_of, table_of

_ROWS, _CHARACTERS = 1000, 8 << 20
_FORMS: Mapping[str, Callable[[Iterator[bytes]], Iterator[Found]]] = {"JSON": json_records, "CSV": csv_records}
_NAMES = {".json": "JSON", ".jsonl": "JSON", ".ndjson": "JSON", ".parquet": "Parquet"}
_PACKED = frozenset((".gz", ".xz", ".bz2"))
_DEEPEST_PAGE = 4
# What answers of forges' interfaces have around their lists.
_PAGE = frozenset(
    (
        *("items", "issues", "pull_requests", "merge_requests", "nodes", "values", "results", "data", "repository"),
        *("search", "total_count", "incomplete_results", "page_info", "total", "start_at", "max_results", "expand"),
    )
)


class Reader:
    """Reads files one after the other, in bounded memory.

        reader = Reader(paths, repo="Org/repo")
        for batch in reader: ...
        reader.reports   # one FileReport per file begun

    `table` says which table the files are where their columns do not; `repo` is for items that name no repository.
    `progress` hears of bytes read of the files on disk. A bad file stops itself, not the others. ValueError for a
    `table` that the contract does not have and a `repo` that is none.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        *,
        table: str | None = None,
        repo: str | None = None,
        progress: Progress | None = None,
    ) -> None:
        if table is not None and table not in TABLES:
            raise ValueError(f"table must be one of {', '.join(TABLES)}")
        if repo is not None and not REPO.fullmatch(repo):
            raise ValueError("repo must be like Org/repo")
        self.reports: list[FileReport] = []
        self._paths, self._table, self._repo = [Path(path) for path in paths], table, repo or ""
        self._progress: Progress = progress or (lambda _: None)

    @property
    def total_bytes(self) -> int:
        """The size of the files on disk, of those that are there."""
        return sum(path.stat().st_size for path in self._paths if path.is_file())

    def __iter__(self) -> Iterator[Batch]:
        for path in self._paths:
            report = FileReport(str(path))
            self.reports.append(report)
            collected = _Collected()
            try:
                for table, row in self._rows(path, report):
                    report.tables[table] += 1
                    yield from collected.add(table, row)
            except Broken as error:
                report.stopped = str(error)
            yield from collected.rest()

    def _rows(self, path: Path, report: FileReport) -> Iterator[tuple[str, Row]]:
        rows: Rows | None = None
        for place, record in _unpacked(self._records(path, report)):
            if isinstance(record, Refused):
                report.skip(str(record), place)
                continue
            rows = rows or self._reading(path, record, report)
            try:
                yield rows.row(record)
            except Refused as reason:
                report.skip(str(reason), place)

    def _records(self, path: Path, report: FileReport) -> Iterator[Found]:
        head = first_bytes(path)
        if not head:
            raise Broken("the file is empty")
        if head.startswith(PARQUET):
            report.form = "Parquet"
            if not _is_plain_parquet(path):
                raise Broken("Parquet is compressed in itself: unpack the file around it first")
            return parquet_records(path, self._progress)
        report.form = "JSON" if head[:1] in (b"[", b"{") else "CSV"
        # CSV is a guess: almost any bytes have a first line.
        if report.form == "CSV" and (named := _named(path)):
            report.form = ""
            raise Broken(f"it is named as {named}, and does not begin as {named} does")
        return _FORMS[report.form](chunks(path, self._progress))

    def _reading(self, path: Path, first: Mapping[str, Any], report: FileReport) -> Rows:
        stem = path.name.partition(".")[0]
        table = self._recognised(stem, first)
        is_told = self._table or plain(stem) == table
        return Rows(table, self._repo, report, None if is_told else Kinds(table, first))

    def _recognised(self, stem: str, record: Mapping[str, Any]) -> str:
        table = self._table or table_of(record, stem, record)
        if table is None:
            raise Broken(f"the columns do not tell which table this is: name it, one of {', '.join(TABLES)}")
        if missing := shape_of(table, record).missing:
            raise Broken(f"{table} needs {' and '.join(missing)}: export that too")
        return table


def _named(path: Path) -> str:
    """The form that the name promises; empty where it promises none, or CSV."""
    last = next((each for each in reversed(path.suffixes) if each.lower() not in _PACKED), "").lower()
    return _NAMES.get(last, "")


class _Collected:
    """Rows on their way into batches, by table."""

    def __init__(self) -> None:
        self._rows: dict[str, list[Row]] = {}
        self._size: dict[str, int] = {}

    def add(self, table: str, row: Row) -> Iterator[Batch]:
        rows = self._rows.setdefault(table, [])
        rows.append(row)
        self._size[table] = self._size.get(table, 0) + len(row.get("body") or "") + len(row.get("diff") or "")
        if len(rows) >= _ROWS or self._size[table] >= _CHARACTERS:
            yield batch(table, rows)
            self._rows[table], self._size[table] = [], 0

    def rest(self) -> Iterator[Batch]:
        for table, rows in self._rows.items():
            if rows:
                yield batch(table, rows)


def _unpacked(records: Iterator[Found]) -> Iterator[Found]:
    """Of an object that only holds a list of objects (a page of an interface's answer), the objects of the list."""
    for place, record in records:
        inner = _page(record) if isinstance(record, dict) else None
        if inner is None:
            yield place, record
            continue
        for number, each in enumerate(inner, 1):
            yield f"{place}, entry {number}", each if isinstance(each, dict) else Refused("not an object")


def _page(record: Mapping[str, Any], depth: int = 0) -> list[Any] | None:
    """The list of objects inside, where the record has nothing but what answers of interfaces have around one."""
    if depth > _DEEPEST_PAGE or not all(plain(name) in _PAGE for name in record):
        return None
    for value in record.values():
        if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
            return value
        if isinstance(value, dict) and (found := _page(value, depth + 1)) is not None:
            return found
    return None


def _is_plain_parquet(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(PARQUET)) == PARQUET
