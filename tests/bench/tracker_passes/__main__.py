"""`python -m tests.bench.tracker_passes [ISSUES …]`: what tracker_links and tracker_embed cost on made records.

With --latency: how long a check takes while a record is fitted: in a process of its own, as it is done, and on a thread.
"""

import argparse
import asyncio
import os
import resource
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import numpy as np

from services.tracker.record.demo.build import demo
from services.tracker.record.demo.size import bench
from services.tracker.rows import SourceNamespace
from services.tracker.similar.check import check
from services.tracker.similar.model import Candidate, Draft
from services.tracker.similar.statistics import Statistics, of_rows
from services.tracker.workers.heavy.process import Heavy, heavy
from services.tracker.workers.links import LinkLimits, Links
from services.tracker.workers.refit import Refit, RefitLimits
from tests.bench.facts import facts
from tests.bench.report import Table, show
from tests.support.tracker_passes import Inline, Passing, Words, inline, passing
from tests.support.tracker_record import NOW, ORG

DAY_S = 86_400.0
SAMPLES = 120


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.tracker_passes", description=__doc__)
    parser.add_argument("issues", nargs="*", type=int, default=[10_000])
    parser.add_argument(
        "--latency", action="store_true", help="in place of the passes: checks while a record is fitted"
    )
    given = parser.parse_args()
    tables = [] if given.latency else [asyncio.run(_passes(count)) for count in given.issues]
    if given.latency:
        tables.append(asyncio.run(_latency(given.issues[0])))
    show(tables, facts())
    return 0


def _batches(issues: int) -> tuple[list[Any], SourceNamespace]:
    made = demo(NOW, bench(issues, issues // 2, 5_000))
    batches = [each for each in made if each.table in ("github_issues", "github_prs")]
    repos = sorted({name.rpartition("#")[0] for each in batches for name in each.columns["source_id"]})
    return batches, SourceNamespace("open", "open", tuple(repos), False)


async def _passes(issues: int) -> Table:
    batches, space = _batches(issues)
    table = Table("passes", f"Passes over {issues:,} issues", ("run", "seconds", "processor s", "child s", "done"))
    async with passing(batches, space) as given:
        batches.clear()
        links, words = _links(given, heavy), Words()
        runs: list[tuple[str, Callable[[], Awaitable[Any]]]] = [
            ("tracker_embed, all (no model)", lambda: given.embed(words).run(given.work())),
            ("tracker_links with the first fit", lambda: links.run(given.work())),
            ("tracker_links a day later", lambda: links.run(given.work())),
            ("tracker_embed, nothing new", lambda: given.embed(words).run(given.work())),
        ]
        for name, run in runs:
            begun, own, others = time.perf_counter(), time.process_time(), _children()
            done = await run()
            spent = (time.perf_counter() - begun, time.process_time() - own, _children() - others)
            table.rows.append((name, *(f"{each:.1f}" for each in spent), _shown(done)))
            print(table.rows[-1], file=sys.stderr, flush=True)
            given.record.clock.advance(DAY_S)
        stored = await given.fits.of(ORG, "open")
        table.notes.append(f"fit: {stored and stored.fit and (stored.fit.reason or 'serves')}; {_peaks()}")
    return table


def _links(given: Passing, start: Callable[..., AbstractAsyncContextManager[Heavy]]) -> Links:
    refit = Refit(given.reads, given.fits, given.vectors, given.marks, given.record.clock, RefitLimits())
    return Links(given.reads, given.links, given.marks, refit, given.record.clock, LinkLimits(), start=start)


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _peaks() -> str:
    own, child = (resource.getrusage(who).ru_maxrss >> 10 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return f"largest memory: {own:,} MiB of this process with the record in it, {child:,} MiB of the child"


def _shown(done: Any) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in done.items() if count)


class Threaded(Inline):
    """The heavy jobs on a thread of this process."""

    async def do(self, job: str, extra: bytes = b"", **given: Any) -> dict[str, Any]:
        return await asyncio.to_thread(lambda: asyncio.run(Inline.do(self, job, extra, **given)))


async def _latency(issues: int) -> Table:
    batches, _ = _batches(issues)
    rows = [
        dict(zip(each.names, row, strict=True))
        for each in batches
        if each.table == "github_issues"
        for row in each.rows()
    ]
    reports = [Candidate.of(row) for row in rows]
    statistics = of_rows((each.title, each.body) for each in reports[:2_000])
    table = Table(
        "latency", "A check over 300 candidates while a record is fitted", ("meanwhile", "p10 ms", "p50 ms", "p95 ms")
    )
    others = (("nothing", None), ("a fit in its own process", heavy), ("a fit on a thread", _threaded))
    for name, context in others:
        spent = await _while(context, rows, lambda: _asked(reports, statistics))
        table.rows.append((name, *(f"{each:.0f}" for each in np.percentile(spent, (10, 50, 95)))))
        print(table.rows[-1], file=sys.stderr, flush=True)
    return table


def _threaded(beat: Any) -> Any:
    made = inline(beat)
    return made if made is None else _Threads()


class _Threads:
    async def __aenter__(self) -> Threaded:
        return Threaded()

    async def __aexit__(self, *_: object) -> None:
        """Nothing to end."""


async def _beat() -> None:
    """No lease to renew."""


async def _while(context: Any, rows: list[dict[str, Any]], ask: Callable[[], Awaitable[float]]) -> list[float]:
    if context is None:
        return [await ask() for _ in range(SAMPLES)]
    sent = [{**row, "shown": row["body"]} for row in rows]
    async with context(_beat) as process:
        await process.do("begin_fit")
        for start in range(0, len(sent), 1_000):
            await process.do("reports", rows=sent[start : start + 1_000])
        fit = asyncio.ensure_future(process.do("fit", stored=None, low=0.5, high=0.95, fits=True))
        found = []
        while not fit.done() and len(found) < SAMPLES:
            found.append(await ask())
        fit.cancel()
        return found


async def _asked(reports: list[Candidate], statistics: Statistics) -> float:
    asked = reports[-1]
    draft = Draft(asked.title, asked.body, asked.created_at, asked.repo, asked.number)
    begun = time.perf_counter()
    await asyncio.to_thread(check, draft, reports[:300], statistics, None, {"text": "ok"})
    await asyncio.sleep(0)
    return 1_000 * (time.perf_counter() - begun)


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    # A fit on a thread cannot be ended otherwise.
    os._exit(code)
