"""What triage and code ask of a tracker, and `search`, over a source behind HTTP: waits, their growth, and memory.

The record is the demo's generator at its bench size (100,000 issues, 50,000 pull requests, 2,000,000 check rows) and at a
tenth of it; the namespace has statistics, a stored fit and a vector of every issue (noise, as in tracker_check). Each op
is asked about ten subjects. CI signals are asked live, which is the most that they cost, and once the runs are rolled up.
Source, plane and caller share the machine; budgets are wide open, so that what is slow is seen and not cut off.
"""

import asyncio
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from runtime.clock import SystemClock
from services.tracker.ops import search
from services.tracker.rollups.store import RollupStore
from services.tracker.workers.frame import BackgroundReads, Work
from services.tracker.workers.test_daily import TestDaily
from tests.bench.cases.tracker_check import embedded, fitted, quantile, warm
from tests.bench.cases.tracker_ops import fill, sizes
from tests.bench.options import Options
from tests.bench.report import Table, verdict
from tests.support.clickhouse_http import Server, clickhouse_server
from tests.support.tracker_plane import ORG, TrackerPlane, tracker_plane

NAMESPACE, DATABASE, SUBJECTS = "trk", "team", 10
BUDGET_MS = 300.0
DAYS = 30
# Of `test_signal` once the pass came by.
ROLLED = ", rolled up"
Question = tuple[str, str, dict[str, Any]]


@dataclass(slots=True)
class Found:
    """Milliseconds by question, and the plane's process: resident MB by the moment, seconds of the pass."""

    waits: dict[str, list[float]] = field(default_factory=dict)
    resident: dict[str, float] = field(default_factory=dict)
    pass_s: float = 0.0


def run(options: Options) -> list[Table]:
    found: dict[str, Found] = {}
    for name, size in sizes().items():
        with clickhouse_server(options.file(f"code-{size.issues}"), user="team", password="word") as server:
            fill(server, size)
            found[name] = asyncio.run(_measured(server, options.file(f"plane-{size.issues}"), options.rounds))
    return [_waits(found), _memory(found)]


async def _measured(server: Server, folder: Path, rounds: int) -> Found:
    found = Found()
    # A leg that is slow is to be seen and not cut off.
    budgets, search.BUDGETS_S = search.BUDGETS_S, dict.fromkeys(search.BUDGETS_S, 60.0)
    try:
        await _prepared(server, folder)
        async with tracker_plane(folder, LOOM_TRACKER_BISECT_DEADLINE_MS="60000") as plane:
            await warm(plane)
            found.resident["at the start"] = _resident_mb()
            questions = list(_questions(server))
            await _ask(plane, found, questions, rounds)
            found.resident["after every question"] = _resident_mb()
            found.pass_s = await _rolled_up(plane)
            found.resident["after tracker_test_daily"] = _resident_mb()
            signals = [(f"{name}{ROLLED}", op, args) for name, op, args in questions if op == "tracker.test_signal"]
            await _ask(plane, found, signals, rounds)
    finally:
        search.BUDGETS_S = budgets
    return found


async def _prepared(server: Server, folder: Path) -> None:
    """In a plane of its own: a plane remembers for a minute that a source has no vectors."""
    ids = _column(server, f"SELECT DISTINCT splitByChar('#', source_id)[1] FROM {DATABASE}.github_issues")
    async with tracker_plane(folder) as plane:
        await plane.add(server, DATABASE, NAMESPACE, repos=sorted(ids))
        await fitted(plane, server)
        await embedded(plane, server)


async def _ask(plane: TrackerPlane, found: Found, questions: list[Question], rounds: int) -> None:
    for turn in range(rounds + 1):
        for name, op, args in questions:
            started = time.perf_counter()
            answer = await plane.call(op, namespace=NAMESPACE, **args)
            spent = (time.perf_counter() - started) * 1000
            states = {state for leg, state in answer["leg_status"].items() if leg != "vectors"}
            if answer.get("tracker_unavailable") or "timeout" in states:
                raise RuntimeError(f"{op}: {answer['leg_status']}")
            if turn:  # the first one warms up
                found.waits.setdefault(name, []).append(spent)


async def _rolled_up(plane: TrackerPlane) -> float:
    """Seconds of the first pass over all check rows."""
    [source] = await plane.core.registry.sources(ORG)
    reads = BackgroundReads(plane.core.serving, plane.core.live)

    async def save(checkpoint: str) -> None:
        """Nothing cuts this pass off."""

    started = time.perf_counter()
    await TestDaily(reads, RollupStore(plane.store), SystemClock(), DAYS).run(Work(source, "", save))
    return time.perf_counter() - started


def _questions(server: Server) -> Iterator[Question]:
    for subject in _subjects(server):
        number, repo = int(subject["number"]), subject["repo"]
        draft = {"title": subject["title"], "body": subject["body"]}
        issue = {"issue_number": number, "repo": repo}
        yield "similar, text", "tracker.similar", {"text": f"{subject['title']}\n{subject['body']}"}
        yield "similar, issue", "tracker.similar", issue
        yield "duplicate_check, draft", "tracker.duplicate_check", draft
        yield "duplicate_check, issue", "tracker.duplicate_check", issue
        yield "links of an issue", "tracker.links", issue
        yield "links of a PR", "tracker.links", {"pr_number": int(subject["change"]), "repo": repo}
        yield "test_signal", "tracker.test_signal", {"test_name": subject["test"]}
        yield "flaky with signal", "tracker.flaky", {"test_name": subject["test"], "include_signal": True}
        yield "bisect_candidates", "code.bisect_candidates", issue
        yield "backport_gap", "code.backport_gap", issue
        yield "backport_gaps", "code.backport_gaps", {"repo": repo}
        yield "first_build", "code.first_build", {"pr_number": int(subject["change"]), "repo": repo}
        yield "history", "code.history", {"paths": [subject["path"]]}
        yield "pr_check", "code.pr_check", {**draft, "paths": [subject["path"]]}
        yield "context_pack", "code.context_pack", issue
        yield "search, a defect", "search", {"query": f"{subject['title']} fails"[:4_000]}


def _subjects(server: Server) -> Iterator[Mapping[str, str]]:
    """Issues that were fixed, each with its fix, one of that fix's paths, and a test."""
    shown = "number, splitByChar('#', source_id)[1], title, body, fixed_by[1]"
    issues = _rows(
        server,
        f"SELECT {shown} FROM {DATABASE}.github_issues WHERE is_private = 0 AND notEmpty(fixed_by) "
        f"ORDER BY cityHash64(source_id) LIMIT {SUBJECTS}",
    )
    paths = f"SELECT arrayJoin(affected_file_paths) AS p FROM {DATABASE}.github_prs GROUP BY p ORDER BY cityHash64(p)"
    tests = f"SELECT test_name FROM {DATABASE}.checks WHERE test_name != '' GROUP BY test_name ORDER BY cityHash64(test_name)"
    others = zip(
        _column(server, f"{paths} LIMIT {SUBJECTS}"), _column(server, f"{tests} LIMIT {SUBJECTS}"), strict=True
    )
    for issue, (path, test) in zip(issues, others, strict=True):
        names = ("number", "repo", "title", "body", "change", "path", "test")
        yield dict(zip(names, (*issue, path, test), strict=True))


def _rows(server: Server, sql: str) -> list[list[str]]:
    return list(json.loads(server.execute(f"{sql} FORMAT JSONCompactStrings"))["data"])


def _column(server: Server, sql: str) -> list[str]:
    return [row[0] for row in _rows(server, sql)]


def _resident_mb() -> float:
    """Of this process, in which plane, store and caller are."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def _waits(found: Mapping[str, Found]) -> Table:
    names = list(found)
    head = [f"{name}: {share}" for name in names for share in ("p50", "p95")]
    title = "Triage, code and search over a source behind HTTP: milliseconds until the answer"
    table = Table("tracker_code", title, ["", *head, "growth"])
    for question in found[names[-1]].waits:
        numbers = [quantile(found[name].waits[question], share) for name in names for share in (0.5, 0.95)]
        growth = f"{numbers[-2] / max(numbers[0], 0.001):.1f}x"
        table.rows.append((question, *(f"{number:.0f}" for number in numbers), growth))
        table.numbers[question] = numbers
    worst = table.numbers["duplicate_check, draft"][-1]
    table.notes.append(verdict("p95 of a duplicate check at the larger size, ms", worst, BUDGET_MS, at_least=False))
    return table


def _memory(found: Mapping[str, Found]) -> Table:
    names = list(found)
    title = "The process of the plane (its store and the caller in it): resident MB, and its pass over CI runs"
    table = Table("tracker_code_memory", title, ["", *names])
    for moment in found[names[-1]].resident:
        table.rows.append((moment, *(f"{found[name].resident[moment]:,.0f}" for name in names)))
    table.rows.append(("first tracker_test_daily, seconds", *(f"{found[name].pass_s:.1f}" for name in names)))
    table.numbers = {name: {**found[name].resident, "pass_s": found[name].pass_s} for name in names}
    return table
