"""Records of an export to rows of the contract."""

import re
from collections.abc import Mapping
from typing import Any

from services.tracker.contract.families import Family
from services.tracker.contract.matching import plain
from services.tracker.contract.model import Column
from services.tracker.record.load.cells import CONVERT, empty, integers
from services.tracker.record.load.kinds import Kinds
from services.tracker.record.load.report import FileReport, Refused
from services.tracker.record.load.shapes import ISSUES, ITEMS, PR_MARK, PULL_REQUESTS, Shape, shape_of
from services.tracker.record.load.wording import duplicate_of, from_labels, state

REPO = re.compile(r"[\w.-]+(?:/[\w.-]+)+")
_REFERENCE = re.compile(r"([\w.-]+(?:/[\w.-]+)+)#([0-9]{1,20})")
_ADDRESS = re.compile(
    r"https?://[^/\s]+/(?:api/v\d+/)?(?:repos/)?([\w.-]+(?:/[\w.-]+)+?)(?:/-)?/(?:issues|pulls?|merge_requests|work_items)/[0-9]+"
)
# Read once already, by the program that sends the rows.
_CLIPPED = re.compile(r"\n\[clipped: [0-9]{1,15} more characters\]")
_UNSOUND = re.compile("[\0\ud800-\udfff\ufffd]")
_INSIDE = {"base_ref": ("ref",), "head_ref": ("ref",), "head_sha": ("sha", "oid"), "merge_sha": ("oid", "sha")}
_LONG = frozenset({"body", "diff", "text", "notes", "bisect_verdict"})
LONGEST_TEXT, LONGEST_NAME = 200_000, 4_000

Row = dict[str, Any]


class Rows:
    """Makes rows of one file's records, and reports what could not be taken."""

    def __init__(self, table: str, repo: str, report: FileReport, kinds: Kinds | None = None) -> None:
        """`kinds` tells records apart where nobody has said that all are rows of `table`."""
        self._table, self._repo, self._report, self._kinds = table, repo, report, kinds
        self._shapes: dict[tuple[str, ...], Shape] = {}

    def row(self, record: Mapping[str, Any]) -> tuple[str, Row]:
        """The table and the row. Refused where a required cell is missing or cannot be taken."""
        table = self._kinds.table(record) if self._kinds else self._table
        if table == ISSUES and record.get(PR_MARK):
            table = PULL_REQUESTS  # one list holds both on some forges
        shape = self._shape(table, record)
        row = self._cells(shape, record)
        if table in ITEMS:
            self._complete(table, row, shape, record)
        elif self._repo and "repo" in shape.table.columns and not row.get("repo"):
            row["repo"] = self._repo
        for column in shape.table.required_columns:
            if column.name not in row:
                raise Refused(f"{column.name} is missing")
        return table, row

    def _shape(self, table: str, record: Mapping[str, Any]) -> Shape:
        names = (table, *record)
        if names not in self._shapes:
            shape = shape_of(table, record)
            for name in shape.unknown:
                self._report.ignore(name)
            if len(self._shapes) > 1000:
                self._shapes.clear()
            self._shapes[names] = shape
        return self._shapes[names]

    def _cells(self, shape: Shape, record: Mapping[str, Any]) -> Row:
        row: Row = {}
        for name, column in shape.columns.items():
            try:
                value = CONVERT[column.family](_unwrapped(column, record[name]))
            except Refused as reason:
                if column.required:
                    raise Refused(f"{column.name} {reason}") from None
                self._report.empty(column.name, str(reason))
                value = None
            if value is None and column.required and (column.guard or column.family is not Family.STRING):
                continue
            row[column.name] = self._cleaned(column, empty(column.family) if value is None else value)
        return row

    def _cleaned(self, column: Column, value: Any) -> Any:
        if isinstance(value, str):
            return self._text(value, LONGEST_TEXT if column.name in _LONG else LONGEST_NAME)
        if isinstance(value, list) and column.family is not Family.INTEGERS:
            return [self._text(each, LONGEST_NAME) for each in value]
        return value

    def _text(self, value: str, longest: int) -> str:
        if _UNSOUND.search(value):
            self._report.repaired += 1
            value = _UNSOUND.sub("\ufffd", value)
        if len(value) <= longest or _CLIPPED.fullmatch(value, longest):
            return value
        self._report.clipped += 1
        return f"{value[:longest]}\n[clipped: {len(value) - longest} more characters]"

    def _complete(self, table: str, row: Row, shape: Shape, record: Mapping[str, Any]) -> None:
        """What an item needs and an export has in other places, or not at all."""
        if row.get("number", 1) < 1:
            raise Refused("number must be 1 or more")
        repo = self._identify(row, shape, record)
        row.setdefault("body", "")
        row.setdefault("is_private", 0)
        head, mark = record.get("head"), record.get(PR_MARK)
        if table == PULL_REQUESTS:
            if isinstance(head, Mapping) and "sha" in head:
                row.setdefault("head_sha", str(head["sha"]))
            if isinstance(mark, Mapping) and not row.get("merged_at"):
                row["merged_at"] = CONVERT[Family.DATETIME](mark.get("merged_at"))
        if "created_at" in row:
            days = [row[each] for each in ("created_at", "closed_at", "merged_at") if row.get(each)]
            row.setdefault("updated_at", max(days))
        row["state"] = state(row.get("state"), closed=bool(row.get("closed_at")), merged=bool(row.get("merged_at")))
        if table == ISSUES:
            self._complete_issue(row, shape, record, repo)
        else:
            self._complete_change(row, shape, record, repo)

    def _complete_issue(self, row: Row, shape: Shape, record: Mapping[str, Any], repo: str) -> None:
        if row["state"] == "merged":
            row["state"] = "closed"
        for column, value in from_labels(row.get("labels", ())).items():
            if not row.get(column):
                row[column] = value
        if row["state"] == "closed" and row.get("duplicate_of") is None:
            found = duplicate_of(row["body"], _source(shape, record, "comments"), repo)
            if found and found != row.get("number"):
                row["duplicate_of"] = found

    def _complete_change(self, row: Row, shape: Shape, record: Mapping[str, Any], repo: str) -> None:
        if row["state"] != "merged" and row.get("merge_sha"):
            row["merge_sha"] = ""  # of a trial merge
        closes = _source(shape, record, "closes")
        if isinstance(closes, list) and any(isinstance(each, Mapping) for each in closes):
            row["closes"] = integers([each for each in closes if _home(each) in ("", repo)])

    def _identify(self, row: Row, shape: Shape, record: Mapping[str, Any]) -> str:
        """Sets source_id and gives its repository: the record's own, else the one that the caller named."""
        if own := row.get("source_id"):
            parts = _REFERENCE.fullmatch(own)
            if parts is None:
                raise Refused("source_id must be like Org/repo#7")
            row.setdefault("number", int(parts[2]))
            if int(parts[2]) != row["number"]:
                raise Refused("source_id and number name different items")
            return parts[1]
        repo = _repo_of(row, shape, record) or self._repo
        if not repo:
            raise Refused("the record names no repository, and none was given")
        if "number" in row:
            row["source_id"] = f"{repo}#{row['number']}"
        return repo


def _repo_of(row: Row, shape: Shape, record: Mapping[str, Any]) -> str:
    if found := _ADDRESS.match(row.get("url") or ""):
        return found[1]
    for name in shape.homes:
        if found := _named(record[name], address=plain(name) == "repository_url"):
            return found
    return ""


def _named(cell: Any, *, address: bool) -> str:
    if isinstance(cell, Mapping):
        cell = next(
            (cell[each] for each in ("nameWithOwner", "full_name", "path_with_namespace") if cell.get(each)), None
        )
    if not isinstance(cell, str):
        return ""
    if address:
        cell = "/".join(cell.rstrip("/").split("/")[-2:])
    return cell if REPO.fullmatch(cell) else ""


def _home(reference: Any) -> str:
    """The repository that a reference to an item names; empty where it names none."""
    if not isinstance(reference, Mapping):
        return ""
    if isinstance(reference.get("url"), str) and (found := _ADDRESS.match(reference["url"])):
        return found[1]
    return _named(reference.get("repository"), address=False)


def _source(shape: Shape, record: Mapping[str, Any], column: str) -> Any:
    """The cell that the column was made from."""
    return next((record[name] for name, each in shape.columns.items() if each.name == column), None)


def _unwrapped(column: Column, cell: Any) -> Any:
    if isinstance(cell, Mapping) and column.name in _INSIDE:
        return next((cell[name] for name in _INSIDE[column.name] if cell.get(name)), None)
    if isinstance(cell, list) and column.name == "comments":
        return len(cell)
    return cell
