"""(b) observe.record and observe.record_batch against SQLite, and (c) the latency of a single record."""

import subprocess
from contextlib import ExitStack

from tests.bench.options import Options
from tests.bench.payloads import batch, single
from tests.bench.proc import Process, module, running
from tests.bench.report import Table, verdict
from tests.bench.rounds import Sample, Subject, cpu, interleaved, median, rate, ratio, spread
from tests.bench.servers.loom import loom

CALLERS = 64
LOOM, INLINE, THREADS = "Loom, observe.record", "Starlette + SQLite, on the loop", "Starlette + SQLite, on threads"
LOOP, ONE, FOUR = "SQLite loop, no HTTP", "Loom, 1 caller, batches of 500", "Loom, 4 callers, batches of 100"
# Files that one insert of the engine syncs; it does so once for all rows of a group.
SYNCS_PER_INSERT = 11


def run(options: Options) -> list[Table]:
    with ExitStack() as stack:
        server = stack.enter_context(loom(options.file("record"), options.file("record.log")))
        inline, threads = (
            stack.enter_context(
                running(
                    module("tests.bench.servers.sqlite_http", str(options.file(f"{how}.db")), how),
                    options.file(f"{how}.log"),
                )
            )
            for how in ("inline", "threads")
        )
        servers = {LOOM: (server, "/v1/observe.record"), INLINE: (inline, "/record"), THREADS: (threads, "/record")}
        rates = interleaved(
            {name: _single(options, process, path, CALLERS) for name, (process, path) in servers.items()},
            options.rounds,
        )
        latencies = interleaved({name: _single(options, *servers[name], 1) for name in (LOOM, INLINE)}, options.rounds)
        batches = interleaved(
            {ONE: _batch(options, server, 1, 500), FOUR: _batch(options, server, 4, 100), LOOP: _loop(options)},
            options.rounds,
        )
    return [_rates(rates, batches[LOOP]), _batches(batches), _latencies(latencies)]


def _single(options: Options, process: Process, path: str, callers: int) -> Subject:
    return Subject(process.port, path, single(), watched={"server": process}, callers=callers, seconds=options.seconds)


def _batch(options: Options, process: Process, callers: int, size: int) -> Subject:
    return Subject(
        process.port,
        "/v1/observe.record_batch",
        batch(size),
        watched={"server": process},
        callers=callers,
        seconds=options.seconds,
        per_request=size,
    )


def _loop(options: Options):
    def turn() -> Sample:
        command = module("tests.bench.servers.sqlite_loop", str(options.file("loop.db")), str(options.seconds))
        return Sample(float(subprocess.run(command, capture_output=True, check=True).stdout))

    return turn


def _rates(found: dict[str, list[Sample]], loop: list[Sample]) -> Table:
    table = Table(
        "record",
        f"(b) observe.record over HTTP, {CALLERS} callers, every answer after its row is synced to disk; medians",
        ["", "records/s", "least-greatest", "Loom / it", "CPU us/record", "p50 ms", "p95 ms"],
    )
    for name, samples in found.items():
        table.rows.append(
            (
                name,
                f"{median(samples, rate):,.0f}",
                spread(samples, rate),
                f"{ratio(found[LOOM], samples, rate):.2f}",
                f"{median(samples, cpu()):.0f}",
                f"{median(samples, lambda s: s.p50_ms):.1f}",
                f"{median(samples, lambda s: s.p95_ms):.1f}",
            )
        )
        table.numbers[name] = {"rate": median(samples, rate), "cpu_us": median(samples, cpu())}
    fastest = max((INLINE, THREADS), key=lambda name: median(found[name], rate))
    against, commit_ms = ratio(found[LOOM], found[fastest], rate), 1000 / median(loop, rate)
    level_ms = _level_ms(1 / median(found[LOOM], rate), 1 / median(found[fastest], rate), commit_ms)
    table.notes = [
        verdict(f"Loom / the faster alternative ({fastest}), records/s", against, 1.0, at_least=True),
        f"One SQLite commit took {commit_ms:.2f} ms here (the loop of the next table). The two would be level at about "
        f"{level_ms:.2f} ms: SQLite syncs once per record, Loom about {SYNCS_PER_INSERT} times per group of records.",
    ]
    table.numbers |= {"ratio": against, "commit_ms": commit_ms, "level_ms": level_ms}
    return table


def _level_ms(loom_s: float, other_s: float, commit_ms: float) -> float:
    """The commit time at which both rates would be equal, if nothing but the time of a sync changed.

    A cycle of CALLERS records grows by CALLERS syncs there and by SYNCS_PER_INSERT here.
    """
    return commit_ms + 1000 * CALLERS * (loom_s - other_s) / (CALLERS - SYNCS_PER_INSERT)


def _batches(found: dict[str, list[Sample]]) -> Table:
    table = Table(
        "record_batch",
        "(b) observe.record_batch over HTTP against a loop of one SQLite transaction per record; medians",
        ["", "records/s", "least-greatest", "/ the loop", "CPU us/record"],
    )
    for name, samples in found.items():
        size = {ONE: 500, FOUR: 100}.get(name)
        table.rows.append(
            (
                name,
                f"{median(samples, rate):,.0f}",
                spread(samples, rate),
                f"{ratio(samples, found[LOOP], rate):.2f}",
                f"{median(samples, cpu()) / size:.0f}" if size else "",
            )
        )
        table.numbers[name] = median(samples, rate)
    best = max((ONE, FOUR), key=lambda name: median(found[name], rate))
    against = ratio(found[best], found[LOOP], rate)
    table.notes = [verdict(f"record_batch ({best}) / the loop, records/s", against, 2.0, at_least=True)]
    table.numbers["ratio"] = against
    return table


def _latencies(found: dict[str, list[Sample]]) -> Table:
    table = Table("latency", "(c) One record at a time, one caller; medians of the rounds", ["", "p50 ms", "p95 ms"])
    for name, samples in found.items():
        p50, p95 = median(samples, lambda s: s.p50_ms), median(samples, lambda s: s.p95_ms)
        table.rows.append((name, f"{p50:.2f}", f"{p95:.2f}"))
        table.numbers[name] = {"p50_ms": p50, "p95_ms": p95}
    return table
