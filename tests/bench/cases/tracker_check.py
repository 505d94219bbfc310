"""tracker.duplicate_check and tracker.similar over a source behind HTTP: what a caller waits, and how that grows.

The record is the demo's generator at its bench size (100,000 issues, 50,000 pull requests) and at a tenth of it. Asked are
issues of the record and drafts in their words: as a namespace that no pass has seen is asked, and with statistics of the
whole record, a stored fit and a vector of every issue. The vectors are noise, since the time to compare one is that of any
other. Source, plane and caller share the machine, and budgets are wide open, so that what is slow is seen and not cut off.
"""

import asyncio
import json
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from runtime.embedding.interface import Embedder
from services.tracker.checking.vectors import TABLE
from services.tracker.record.demo.size import bench
from services.tracker.similar.statistics import of_rows
from tests.bench.cases.tracker_ops import fill
from tests.bench.options import Options
from tests.bench.report import Table, verdict
from tests.support.clickhouse_http import Server, clickhouse_server
from tests.support.similar import fit
from tests.support.tracker_plane import ORG, TrackerPlane, tracker_plane

BUDGET_MS = 300.0
NAMESPACE, DATABASE, DRAFTS = "trk", "team", 20
# The vector leg asks no source: its time is in the total alone.
WAVES = ("issue", "text", "frames", "numbers", "records", "prs", "total")
Waits = dict[str, dict[str, list[float]]]


def run(options: Options) -> list[Table]:
    issues = int(os.environ.get("BENCH_TRACKER_ISSUES", "100000"))
    waits: dict[str, Waits] = {}
    for count in dict.fromkeys((issues // 10, issues)):
        with clickhouse_server(options.file(f"check-{count}"), user="team", password="word") as server:
            fill(server, replace(bench(count, count // 2, 5_000), tests=60))
            waits[f"{count:,} issues"] = asyncio.run(measured(server, options.file(f"plane-{count}"), options.rounds))
    return [_waits(waits), _waves(waits)]


async def measured(server: Server, folder: Path, rounds: int) -> Waits:
    """Milliseconds by question and by wave; a question is asked of several drafts, each of them new to it."""
    found: Waits = {}
    reports = _reports(server)
    async with tracker_plane(folder) as plane:
        repos = sorted({report["source_id"].rpartition("#")[0] for report in reports})
        await plane.add(server, DATABASE, NAMESPACE, repos=repos)
        await _ask(plane, "no pass yet: draft", found, reports, rounds, _draft)
        await fitted(plane, server)
        await _ask(plane, "fitted: draft", found, reports, rounds, _draft)
        await _ask(plane, "fitted: issue", found, reports, rounds, _issue)
        await _ask(plane, "similar: issue", found, reports, rounds, _issue, "tracker.similar")
        await embedded(plane, server)
    # A plane remembers for a minute that a source has no vectors.
    async with tracker_plane(folder) as plane:
        await warm(plane)
        await _ask(plane, "fitted, vectors: draft", found, reports, rounds, _draft)
    return found


def _reports(server: Server) -> Sequence[Mapping[str, Any]]:
    names = ("source_id", "number", "title", "body", "frames")
    rows = server.execute(
        f"SELECT {', '.join(f'toString({name})' for name in names)} FROM {DATABASE}.github_issues "
        f"WHERE is_private = 0 ORDER BY cityHash64(source_id) LIMIT {DRAFTS} FORMAT JSONCompactStrings"
    )
    return [dict(zip(names, row, strict=True)) for row in json.loads(rows)["data"]]


def _draft(report: Mapping[str, Any], turn: int) -> dict[str, Any]:
    return {"title": report["title"], "body": f"{report['body']}\nSeen {turn} times."}


def _issue(report: Mapping[str, Any], turn: int) -> dict[str, Any]:
    return {"issue_number": int(report["number"]), "repo": report["source_id"].rpartition("#")[0]}


async def _ask(
    plane: TrackerPlane,
    name: str,
    found: Waits,
    reports: Sequence[Mapping[str, Any]],
    rounds: int,
    make: Any,
    op: str = "tracker.duplicate_check",
) -> None:
    for turn in range(rounds + 1):
        for report in reports:
            started = time.perf_counter()
            answer = await plane.call(op, namespace=NAMESPACE, **make(report, turn))
            spent = (time.perf_counter() - started) * 1000
            states = answer["leg_status"]
            if answer["tracker_unavailable"] or {"timeout"} & {states[leg] for leg in states if leg != "vectors"}:
                raise RuntimeError(f"{name}: {states}")
            for wave, took in {**answer["timings_ms"], "total": spent}.items():
                if turn:  # the first one warms up
                    found.setdefault(name, {}).setdefault(wave, []).append(took)


async def fitted(plane: TrackerPlane, server: Server) -> None:
    [source] = await plane.core.registry.sources(ORG)
    rows = server.execute(f"SELECT title, body FROM {DATABASE}.github_issues ORDER BY created_at FORMAT TSVRaw")
    statistics = of_rows(tuple(line.partition("\t")[::2]) for line in rows.splitlines()).pruned()
    await plane.core.derived.fits.put(ORG, source.namespaces[0].storage, source.id, fit(), statistics)


async def warm(plane: TrackerPlane) -> Embedder:
    embedding = plane.core.derived.embedding
    assert embedding is not None
    await embedding.query("load the model")
    return await embedding.ready()


async def embedded(plane: TrackerPlane, server: Server) -> None:
    """A vector of every issue: noise, of the embedder's width."""
    [source] = await plane.core.registry.sources(ORG)
    model = await warm(plane)
    ids = server.execute(f"SELECT source_id FROM {DATABASE}.github_issues").splitlines()
    made = f"arrayMap(x -> toFloat32(rand(x + number) / 4294967296 / sqrt({model.dim})), range({model.dim}))"
    for start in range(0, len(ids), 20_000):
        await plane.store.command(
            f"INSERT INTO {TABLE} SELECT {{org:String}}, {{source:String}}, {{model:String}}, "
            "{ids:Array(String)}[number + 1], 'issue', 1, now64(3), " + made + ", 1 FROM numbers({count:UInt32})",
            {
                "org": ORG,
                "source": source.id,
                "model": model.name,
                "ids": (part := ids[start : start + 20_000]),
                "count": len(part),
            },
            name="bench.vectors",
        )


def _waits(waits: Mapping[str, Waits]) -> Table:
    sizes = list(waits)
    head = [f"{size}: {quantile}" for size in sizes for quantile in ("p50", "p95")]
    table = Table("tracker_check", "The duplicate check: milliseconds until the answer", ["", *head, "growth"])
    for question in waits[sizes[-1]]:
        found = [quantile(waits[size][question]["total"], share) for size in sizes for share in (0.5, 0.95)]
        growth = f"{found[-2] / max(found[0], 0.001):.1f}x"
        table.rows.append((question, *(f"{number:.0f}" for number in found), growth))
        table.numbers[question] = found
    worst = quantile(waits[sizes[-1]]["fitted: draft"]["total"], 0.95)
    table.notes.append(verdict("p95 of one check at the larger size, ms", worst, BUDGET_MS, at_least=False))
    return table


def _waves(waits: Mapping[str, Waits]) -> Table:
    size = list(waits)[-1]
    table = Table("tracker_check_waves", f"Its waves over {size}: p50 and p95, milliseconds", ["", *WAVES])
    for question, waves in waits[size].items():
        cells = [_pair(waves.get(wave, [])) for wave in WAVES]
        table.rows.append((question, *cells))
        table.numbers[question] = {
            wave: [quantile(took, share) for share in (0.5, 0.95)] for wave, took in waves.items()
        }
    return table


def _pair(values: Sequence[float]) -> str:
    return f"{quantile(values, 0.5):.0f} / {quantile(values, 0.95):.0f}" if values else ""


def quantile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else 0.0
