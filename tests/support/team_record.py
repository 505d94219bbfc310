"""A team's whole record: every table of the contract, two repositories, rows that are private, and what connects them.

    put(server, "team_plain", PLAIN)      # by the contract's own names and types
    put(server, "team_other", OTHER)      # by names and types of its own; `other_mapping("team_other")` maps them
    views(server, "team_views", "team_other")

Instants are days before now, since statements look back from now. `Org/repo` is what a namespace covers, `Org/repo2` a
neighbour whose name starts alike.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from services.tracker.contract.families import CANONICAL, Family
from services.tracker.contract.model import Column
from services.tracker.contract.tables import TABLES
from tests.support.clickhouse_http import Server

Rows = Mapping[str, list[dict[str, Any]]]
Layout = Mapping[str, Mapping[str, tuple[str, str]]]
"""Table -> contract column -> (name, type) at the source."""

# One instant for a whole run, so that records that are made one after another are equal.
NOW = datetime.now(UTC)
FLAKY_TEST, OTHER_TEST = "tests.storage::test_compaction_keeps_order", "tests.storage::test_compaction_is_fast"
CLEAN_SHA, HEAD_SHA = "1f3870be274f6c49b3e31a0c6728957f", "c4ca4238a0b923820dcc509a6f75849b"


def ago(days: float) -> str:
    """So many days before now, as ClickHouse reads it."""
    return (NOW - timedelta(days=days)).strftime("%Y-%m-%d %H:%M:%S")


def issue(number: int, title: str, repo: str = "Org/repo", **more: Any) -> dict[str, Any]:
    days = 60 - number % 50
    row = {
        "source_id": f"{repo}#{number}",
        "number": number,
        "title": title,
        "body": "",
        "state": "open",
        "created_at": ago(days),
        "updated_at": ago(days / 2),
        "is_private": 0,
        "url": f"https://example.invalid/{repo}/issues/{number}",
    }
    return row | more


def change(number: int, title: str, repo: str = "Org/repo", **more: Any) -> dict[str, Any]:
    row = issue(number, title, repo, state="merged", base_ref="main", author="ann")
    return row | {"url": f"https://example.invalid/{repo}/pull/{number}", "merged_at": row["updated_at"]} | more


def _runs(test: str, failed: Iterable[int], count: int = 10) -> list[dict[str, Any]]:
    bad = set(failed)
    return [
        {
            "check_start_time": ago(1 + index),
            "pull_request_number": 100 + index % 3,
            "commit_sha": HEAD_SHA if index % 3 == 0 else f"{index:032x}",
            "check_name": "unit",
            "check_status": "failure" if index in bad else "success",
            "test_name": test,
            "test_status": "fail" if index in bad else "ok",
            "test_duration_ms": 12.5 + index,
            "base_ref": "main",
            "report_url": f"https://ci.invalid/{index}",
            "repo": "Org/repo",
        }
        for index in range(count)
    ]


def record() -> dict[str, list[dict[str, Any]]]:
    """The rows by contract table."""
    issues = [
        issue(
            *(1, "Compaction loses the order of rows"),
            body=f"It fails: {FLAKY_TEST} is flaky since 2.4.0.\nE1042 at merge.rs:10",
            component="storage",
            severity="high",
            labels=["bug", "blocker"],
            tests=[FLAKY_TEST],
            author="eve",
            fixed_by=[100],
            caused_by=[102],
            milestone="2.4.0",
            version="2.4.0",
            affected_branches=["release/2.4"],
            triage_reproduces_on=["2.4.0"],
            triage_clean_on=["2.3.0"],
            error_codes=["E1042"],
            frames=["merge.rs:10"],
            bisect_verdict="found",
            comments=3,
        ),
        issue(2, "Order of rows is lost", component="storage", severity="low", duplicate_of=1, state="closed"),
        issue(3, "Regression: slow start", component="server", severity="critical", version="v2.4.0", caused_by=[102]),
        issue(4, "Secret hole", component="storage", severity="critical", is_private=1, duplicate_of=1),
        issue(5, "Planned work", milestone="v2.5.0", component="server", affected_branches=["release/2.4"]),
        issue(9, "Cycle of duplicates", duplicate_of=10),
        issue(10, "The other half of the cycle", duplicate_of=9),
        issue(1, "A neighbour's first", "Org/repo2", component="neighbour", fixed_by=[100], labels=["blocker"]),
        issue(77, "A neighbour's own", "Org/repo2", component="neighbour", milestone="2.4.0", duplicate_of=1),
    ]
    changes = [
        change(
            *(100, "Keep the order when compacting"),
            body="Closes #1",
            closes=[1],
            component="storage",
            head_ref="fix/order",
            head_sha=HEAD_SHA,
            merge_sha=CLEAN_SHA,
            labels=["bug"],
            release="2.5.0",
            backport_state="pending",
            affected_file_paths=["src/storage/merge.rs"],
            diff="--- a\n+++ b",
        ),
        change(101, "[2.4] Keep the order", state="open", merged_at=None, base_ref="release/2.4", backport_of=100),
        change(102, "Rewrite the merge", affected_file_paths=["src/storage/merge.rs"], author="bob"),
        change(103, "Secret change", is_private=1, closes=[1], author="mallory"),
        change(
            *(104, "Touch the merge again"),
            state="open",
            merged_at=None,
            closes=[5],
            affected_file_paths=["src/storage/merge.rs", "README.md"],
        ),
        change(100, "A neighbour's change", "Org/repo2", closes=[1], author="mallory", backport_of=102),
    ]
    checks = [*_runs(FLAKY_TEST, [1, 4, 7]), *_runs(OTHER_TEST, [])]
    checks += [{**run, "test_name": "tests.neighbour::test_of_theirs", "repo": "Org/repo2"} for run in checks[:2]]
    return {"github_issues": issues, "github_prs": changes, "checks": checks, **_around()}


def _around() -> dict[str, list[dict[str, Any]]]:
    named = {"component": "storage", "issue_numbers": [1], "is_private": 0}
    risk = {"component": "storage", "open_issues": 2, "open_severe": 1, "trend": "up", "owners": ["ann", "bob"]}
    built = {"branch": "release/2.4", "pr_number": 100, "repo": "Org/repo"}
    return {
        "core_incidents": [
            {"id": "INC-1", "title": "Storage was down", "severity": "sev1", "state": "resolved", **named}
            | {"started_at": ago(3), "resolved_at": ago(2), "body": "secret body", "repo": "Org/repo"},
        ],
        "support_cases": [
            {"id": "CASE-1", "title": "Rows out of order", "state": "open", "opened_at": ago(4), **named},
        ],
        "slack_threads": [
            {"id": "T-1", "channel": "storage", "text": "is it down?", "started_at": ago(3), "issue_numbers": [1]}
            | {"is_private": 0},
        ],
        "component_risk": [
            {**risk, "snapshot_at": ago(9), "score": 0.2, "notes": "old"},
            {**risk, "snapshot_at": ago(1), "score": 0.8, "notes": "worse since 2.4.0", "repo": "Org/repo"},
        ],
        "releases": [
            {"version": "2.4.0", "branch": "release/2.4", "state": "planned", "is_private": 0, "repo": "Org/repo"},
            {"version": "2.3.0", "branch": "release/2.3", "state": "released", "released_at": ago(40), "is_private": 0}
            | {"repo": "Org/repo"},
            {"version": "9.9.9", "branch": "secret", "state": "planned", "is_private": 1, "repo": "Org/repo"},
        ],
        "release_health": [
            {"version": "2.4.0", "snapshot_at": ago(1), "status": "red", "blockers_open": 1, "ci_pass_rate": 0.91}
            | {"notes": "the order of rows", "repo": "Org/repo"},
        ],
        "version_history": [
            {"version": "2.4.0-rc1", "sha": CLEAN_SHA, "built_at": ago(5), **built},
            {"version": "2.4.0", "sha": CLEAN_SHA, "built_at": ago(2), **built},
        ],
        "cloud_instances": [
            {"instance_id": "i-1", "name": "one", "version": "2.3.0", "region": "eu", "state": "running"}
        ],
        "instance_relations": [{"from_id": "i-1", "to_id": "i-2", "relation": "replica"}],
    }


def _plain(column: Column) -> str:
    kind = CANONICAL[column.family]
    return f"Nullable({kind})" if not column.required and not kind.startswith("Array") else kind


PLAIN: Layout = {
    name: {column.name: (column.name, _plain(column)) for column in table.columns.values()}
    for name, table in TABLES.items()
}

_OTHER_TYPES = {
    Family.INTEGER: ("UInt32", "Nullable(UInt32)"),
    Family.NUMBER: ("Float32", "Nullable(Float64)"),
    Family.FLAG: ("Bool", "Bool"),
    Family.STRING: ("String", "Nullable(String)"),
    Family.LABEL: ("String", "LowCardinality(Nullable(String))"),
    Family.DATETIME: ("DateTime('UTC')", "Nullable(DateTime64(6, 'UTC'))"),
    Family.STRINGS: ("Array(String)", "String"),
    Family.INTEGERS: ("Array(UInt32)", "Array(UInt32)"),
    Family.REFERENCES: ("Array(String)", "Array(LowCardinality(String))"),
    Family.VERSIONS: ("Array(String)", "Array(String)"),
}
OTHER: Layout = {
    name: {
        column.name: (f"our {column.name}", _OTHER_TYPES[column.family][not column.required])
        for column in table.columns.values()
    }
    for name, table in TABLES.items()
}


def _of_lines(column: Column) -> bool:
    """Whether the other record keeps the column as lines of text."""
    return column.family is Family.STRINGS and not column.required


def other_mapping(database: str = "") -> dict[str, Any]:
    """What maps the other record onto the contract."""
    tables = {}
    for name, table in TABLES.items():
        columns: dict[str, Any] = {}
        for column in table.columns.values():
            source = OTHER[name][column.name][0]
            columns[column.name] = {"expr": _lines(source)} if _of_lines(column) else source
        tables[name] = {"from": f"{database}.{table_at(name)}" if database else table_at(name), "columns": columns}
    return {"tables": tables}


def table_at(name: str) -> str:
    """How the other record names a table."""
    return f"x_{name}"


def _lines(source: str) -> str:
    return f"arrayFilter(l -> l != '', splitByChar('|', `{source}`))"


def put(
    server: Server, database: str, layout: Layout, rows: Rows | None = None, *, only: Iterable[str] | None = None
) -> None:
    """Makes the database anew, with these tables (`only` of them) and rows (an empty mapping: none)."""
    found = record() if rows is None else rows
    server.execute(f"DROP DATABASE IF EXISTS {database}")
    server.execute(f"CREATE DATABASE {database}")
    for name in layout if only is None else only:
        listed = ", ".join(f"`{at}` {kind}" for at, kind in layout[name].values())
        at = name if layout is not OTHER else table_at(name)
        server.execute(f"CREATE TABLE {database}.{at} ({listed}) ENGINE = MergeTree ORDER BY tuple()")
        insert(server, f"{database}.{at}", layout[name], found.get(name, []))


def insert(server: Server, table: str, columns: Mapping[str, tuple[str, str]], rows: list[dict[str, Any]]) -> None:
    """Adds rows with the contract's names. Names that the layout lacks are left out."""
    if not rows:
        return
    lines = [
        {columns[name][0]: _value(value, columns[name][1]) for name, value in row.items() if name in columns}
        for row in rows
    ]
    body = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    server.execute(f"INSERT INTO {table} FORMAT JSONEachRow\n{body}")


def _value(value: Any, kind: str) -> Any:
    return "|".join(value) if isinstance(value, list) and not kind.startswith("Array") else value


def views(server: Server, database: str, over: str) -> None:
    """Views with the contract's names over the other record."""
    server.execute(f"DROP DATABASE IF EXISTS {database}")
    server.execute(f"CREATE DATABASE {database}")
    for name, table in TABLES.items():
        shown = []
        for column in table.columns.values():
            source = OTHER[name][column.name][0]
            shown.append(f"{_lines(source) if _of_lines(column) else f'`{source}`'} AS {column.name}")
        server.execute(f"CREATE VIEW {database}.{name} AS SELECT {', '.join(shown)} FROM {over}.{table_at(name)}")
