"""Each question op over a source behind HTTP, at two sizes of its record: what a caller waits, and how that grows.

The record is the demo's generator at its bench size (100,000 issues, 50,000 pull requests, 2,000,000 check rows) and at a
tenth of it. Tables are sorted as teams sort them: items by reference, CI runs by time. Budgets are wide open here, so that
a slow statement is seen and not cut off; the table holds the waits against the budget that is the default.
"""

import asyncio
import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import clickhouse_connect

from services.tracker.record.demo.build import demo
from services.tracker.record.demo.size import Size, bench
from tests.bench.options import Options
from tests.bench.report import Table, verdict
from tests.support.clickhouse_http import Server, clickhouse_server
from tests.support.team_record import PLAIN
from tests.support.tracker_plane import TrackerPlane, tracker_plane

BUDGET_MS = 300.0
SORTED = {"github_issues": "source_id", "github_prs": "source_id", "checks": "check_start_time"}
BATCH = 20_000
# In front of an op's name: the longest of its reads, which is what a budget is for.
READ = "longest read of "
Question = tuple[str, str, dict[str, Any]]


def sizes() -> dict[str, Size]:
    """`BENCH_TRACKER_ISSUES` makes the larger one smaller, for a look at a change: 2,000 is the least."""
    issues = int(os.environ.get("BENCH_TRACKER_ISSUES", "100000"))
    return {
        # No record of the generator is smaller than this.
        f"{count:,} issues": bench(count, max(200, count // 2), max(5_000, count * 20))
        for count in dict.fromkeys((issues // 10, issues))
    }


def run(options: Options) -> list[Table]:
    waits: dict[str, dict[str, list[float]]] = {}
    for name, size in sizes().items():
        folder = options.file(f"source-{size.issues}")
        with clickhouse_server(folder, user="team", password="word") as server:
            fill(server, size)
            waits[name] = asyncio.run(_measured(server, options.file(f"plane-{size.issues}"), options))
    return [_table(waits)]


def fill(server: Server, size: Size) -> None:
    """The record, by the contract's names."""
    server.execute("CREATE DATABASE team")
    for name, columns in PLAIN.items():
        listed = ", ".join(f"`{at}` {kind}" for at, kind in columns.values())
        server.execute(f"CREATE TABLE team.{name} ({listed}) ENGINE = MergeTree ORDER BY {SORTED.get(name, 'tuple()')}")
    client = clickhouse_connect.get_client(
        host="127.0.0.1", port=server.port, username=server.user, password=server.password, database="team"
    )
    for batch in demo(datetime.now(UTC), size):
        columns = [list(column) for column in batch.columns.values()]
        for start in range(0, len(batch), BATCH):
            part = [column[start : start + BATCH] for column in columns]
            client.insert(batch.table, part, column_names=batch.names, column_oriented=True)
    for name in SORTED:
        server.execute(f"OPTIMIZE TABLE team.{name} FINAL")
    client.close()


async def _measured(server: Server, folder: Path, options: Options) -> dict[str, list[float]]:
    waits: dict[str, list[float]] = {}
    async with tracker_plane(folder) as plane:
        repos = sorted(
            {row.partition("/")[0] for row in _column(server, "SELECT DISTINCT source_id FROM team.github_prs")}
        )
        await plane.add(server, "team", "trk", repos=repos)
        questions = list(_questions(server))
        for turn in range(options.rounds + 1):
            for name, op, args in questions:
                spent, longest = await _wait(plane, op, args)
                if turn:  # the first one warms up
                    waits.setdefault(name, []).append(spent)
                    waits.setdefault(READ + name, []).append(longest)
    return waits


async def _wait(plane: TrackerPlane, op: str, args: dict[str, Any]) -> tuple[float, float]:
    """Milliseconds of the whole op, and of its longest read."""
    started = time.perf_counter()
    answer = await plane.call(op, namespace="trk", **args)
    spent = (time.perf_counter() - started) * 1000
    if answer["tracker_unavailable"] or {"timeout"} & set(answer["leg_status"].values()):
        raise RuntimeError(f"{op}: {answer['leg_status']}")
    reads = [value for leg, value in answer["timings_ms"].items() if leg != "total"]
    return spent, max(reads, default=0.0)


def _questions(server: Server) -> Iterator[Question]:
    def of(sql: str) -> list[str]:
        return _column(server, sql)

    fixed = [
        int(n)
        for n in of(
            "SELECT number FROM team.github_issues WHERE notEmpty(fixed_by) ORDER BY cityHash64(number) LIMIT 10"
        )
    ]
    change = int(of("SELECT number FROM team.github_prs WHERE notEmpty(closes) ORDER BY cityHash64(number) LIMIT 1")[0])
    [test] = of(
        "SELECT test_name FROM team.checks WHERE test_name != '' GROUP BY test_name ORDER BY cityHash64(test_name) LIMIT 1"
    )
    [component] = of("SELECT component FROM team.github_issues GROUP BY component ORDER BY count() DESC LIMIT 1")
    [version] = of("SELECT version FROM team.releases WHERE released_at IS NULL ORDER BY version LIMIT 1") or of(
        "SELECT version FROM team.releases ORDER BY released_at DESC LIMIT 1"
    )
    [path] = of("SELECT arrayJoin(affected_file_paths) AS p FROM team.github_prs ORDER BY cityHash64(p) LIMIT 1")
    yield "item, one", "tracker.item", {"numbers": fixed[:1]}
    yield "item, ten", "tracker.item", {"numbers": fixed}
    yield "links of an issue", "tracker.links", {"issue_number": fixed[0]}
    yield "links of a PR", "tracker.links", {"pr_number": change}
    yield "flaky, known", "tracker.flaky", {"test_name": test}
    yield "flaky, unknown", "tracker.flaky", {"test_name": f"{test}_x"}
    yield "release", "tracker.release", {"version": version}
    yield "component", "tracker.component", {"component": component}
    yield "component, unknown", "tracker.component", {"component": f"{component}x"}
    for template, question, anchors in (
        ("who_fixed", "who fixed it?", {"numbers": fixed[:1]}),
        ("duplicates_of", "duplicates?", {"numbers": fixed[:1]}),
        ("backport_status", "was it backported?", {"numbers": fixed[:1]}),
        ("open_prs_of_path", "open PRs?", {"paths": [path]}),
        ("test_history", "history?", {"tests": [test]}),
        ("regressions_of_version", "what regressed?", {"versions": [version]}),
        ("release_blockers", "what blocks it?", {"versions": [version]}),
    ):
        yield f"answer {template}", "tracker.answer", {"question": question, "anchors": anchors}
    yield "answer, a component's name", "tracker.answer", {"question": f"what is open in {component}?"}


def _column(server: Server, sql: str) -> list[str]:
    return [line for line in server.execute(sql).splitlines() if line]


def _table(waits: dict[str, dict[str, list[float]]]) -> Table:
    names = list(waits)
    head = [f"{name}: {quantile}" for name in names for quantile in ("p50", "p95")]
    title = "Question ops over a source behind HTTP: milliseconds until the answer"
    table = Table("tracker_ops", title, ["", *head, "growth", "longest read: p95"])
    larger = waits[names[-1]]
    for question in (each for each in larger if not each.startswith(READ)):
        found = [_quantile(waits[name][question], share) for name in names for share in (0.5, 0.95)]
        growth, longest = found[-2] / max(found[0], 0.001), _quantile(larger[READ + question], 0.95)
        table.rows.append((question, *(f"{number:.0f}" for number in found), f"{growth:.1f}x", f"{longest:.0f}"))
        table.numbers[question] = [*found, longest]
    worst = max(numbers[-1] for numbers in table.numbers.values())
    table.notes.append(verdict("p95 of the longest read at the larger size, ms", worst, BUDGET_MS, at_least=False))
    return table


def _quantile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else 0.0
