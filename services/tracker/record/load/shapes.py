"""Which table of the contract a file is, and which of its columns are which, by their names alone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from services.tracker.contract.matching import plain
from services.tracker.contract.model import Column, Table
from services.tracker.contract.tables import TABLES

ISSUES, PULL_REQUESTS = "github_issues", "github_prs"
ITEMS = (ISSUES, PULL_REQUESTS)
# Names that exports use and no database does, so that the contract does not list them.
_MORE: Mapping[str, Mapping[str, str]] = {
    ISSUES: {"closed_by_pull_requests_references": "fixed_by"},
    PULL_REQUESTS: {"closing_issues": "closes", "head_repository_ref": "head_ref"},
}
# What the reader itself makes of other columns where a file lacks them.
_MADE = frozenset({"source_id", "is_private", "updated_at", "body", "state"})
# Columns that only say which repository an item is in, or that it is a pull request.
HOMES = ("repo", "repository", "repository_url", "repository_full_name", "name_with_owner")
PR_MARK = "pull_request"
_PR_ONLY = (
    "base_ref",
    "head_ref",
    "merged_at",
    "merge_sha",
    "head_sha",
    "closes",
    "affected_file_paths",
    "diff",
    "backport_of",
)
_PR_WORDS = frozenset(
    {"is_draft", "draft", "mergeable", "changed_files", "review_decision", "merge_state_status", "merged_by"}
)
ISSUE_MARKS = frozenset({"duplicate_of", "fixed_by", "severity", "frames", "closed_by_pull_requests_references"})
_LEAST_EXPLAINED = 0.5


@dataclass(frozen=True, slots=True)
class Shape:
    """Columns of the contract by the names that the file has for them, and the names that mean nothing."""

    table: Table
    columns: Mapping[str, Column]
    homes: tuple[str, ...]
    unknown: tuple[str, ...]

    @property
    def found(self) -> set[str]:
        return {column.name for column in self.columns.values()}

    @property
    def missing(self) -> list[str]:
        """Required columns that are neither there nor made from others."""
        made = _MADE if self.table.name in ITEMS else frozenset()
        return [each.name for each in self.table.required_columns if each.name not in self.found | made]


def shape_of(table: str, names: Iterable[str]) -> Shape:
    """How the names fit the table. A name that is spelled as a column goes before one that is an alias of it."""
    known, spelled = TABLES[table], {}
    for name in names:
        spelled.setdefault(plain(name), name)
    more = {column: alias for alias, column in _MORE.get(table, {}).items() if alias in spelled}
    columns: dict[str, Column] = {}
    for column in known.columns.values():
        aliases = [alias for alias in column.aliases if alias not in known.columns]
        options = [column.name, *([more[column.name]] if column.name in more else []), *aliases]
        chosen = next((spelled[each] for each in options if each in spelled and spelled[each] not in columns), None)
        if chosen is not None:
            columns[chosen] = column
    if table in ITEMS and "html_url" in spelled:  # beside it, `url` is the address of the interface for programs
        columns = {name: column for name, column in columns.items() if column.name != "url"}
        columns[spelled["html_url"]] = known.columns["url"]
    rest = [name for name in spelled.values() if name not in columns]
    homes = tuple(name for name in rest if table in ITEMS and plain(name) in HOMES)
    ignored = {*homes, *(name for name in rest if plain(name) in (PR_MARK, "url"))}
    return Shape(known, columns, homes, tuple(name for name in rest if name not in ignored))


def table_of(names: Iterable[str], stem: str, sample: Mapping[str, object]) -> str | None:
    """The table that a file with these columns is; None where that is not clear.

    `stem` is the file's name without its endings, which decides where it is a table's name; `sample` is the first record.
    """
    names = list(names)
    shapes = {table: shape for table in TABLES if not (shape := shape_of(table, names)).missing}
    if (named := plain(stem)) in shapes:
        return named
    if {PULL_REQUESTS, ISSUES} & set(shapes) and _explained(ISSUES, names) >= _LEAST_EXPLAINED:
        return PULL_REQUESTS if _is_pull_request(names, sample) else ISSUES
    scores = sorted(((_exact(table, names), _explained(table, names), table) for table in shapes), reverse=True)
    if not scores or scores[0][1] < _LEAST_EXPLAINED or scores[0][:2] == (scores[1][:2] if scores[1:] else None):
        return None
    return scores[0][2]


def names_of_changes(names: Iterable[str]) -> set[str]:
    """Those of the names that pull requests alone have."""
    names = list(names)
    own = {column.name for column in shape_of(PULL_REQUESTS, names).columns.values()} & set(_PR_ONLY)
    return own | {plain(name) for name in names} & _PR_WORDS


def _is_pull_request(names: Iterable[str], sample: Mapping[str, object]) -> bool:
    spelled = {plain(name) for name in names}
    addresses = [value for value in sample.values() if isinstance(value, str) and value.startswith("http")]
    if any("/pull/" in each or "/merge_requests/" in each for each in addresses) and PR_MARK not in spelled:
        return True
    return bool(names_of_changes(names) and not ISSUE_MARKS & spelled and PR_MARK not in spelled)


def _exact(table: str, names: Iterable[str]) -> int:
    """How many names are those of columns."""
    return len({plain(name) for name in names} & set(TABLES[table].columns))


def _explained(table: str, names: list[str]) -> float:
    """Which share of the names means something, counted over those that the table could have."""
    return len(shape_of(table, names).columns) / max(min(len(names), len(TABLES[table].columns)), 1)
