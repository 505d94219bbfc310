"""(g) Mixed ops, by one process and by a process each behind Envoy: rate, latency, CPU a call, memory; and a soak."""

import time
from collections.abc import Mapping

from tests.bench.load import Load, Loaded, run_load
from tests.bench.mixed import mixed
from tests.bench.options import Options
from tests.bench.report import Table
from tests.bench.servers.installed import MODES, Installed

CALLERS = (1, 8, 64)
SOAK_CALLERS = 8
SAMPLES = 10


def run(options: Options) -> list[Table]:
    if options.soak_s:
        return [_soak(options, name) for name in MODES]
    table = Table(
        "load",
        "(g) Mixed ops over HTTP: 40 % observe.record, 15 % each of memory.save, memory.search and observe.list",
        ["", "callers", "calls/s", "p50 ms", "p95 ms", "p99 ms", "CPU us/call", "memory MB"],
    )
    shares = Table("load_cpu", "CPU microseconds a call at 64 callers, and resident memory after it, by process", [""])
    shares.columns = ["", "CPU us/call", "memory MB"]
    for name, start in MODES.items():
        with start(options.file(name.replace(" ", "-"))) as installed:
            _measure(options, name, installed, table, shares)
    table.notes = ["One replica each, no tokens, every write synced. The load's own process shares the cores."]
    return [table, shares]


def _measure(options: Options, name: str, installed: Installed, table: Table, shares: Table) -> None:
    number = _turn(installed, SOAK_CALLERS, options.seconds, 0)[0].next_number
    for callers in CALLERS:
        done, cpu = _turn(installed, callers, options.seconds * options.rounds, number)
        number = done.next_number
        memory = {process: each.rss_mb() for process, each in installed.processes.items()}
        row = [f"{done.rate:,.0f}", f"{done.p50_ms:.1f}", f"{done.p95_ms:.1f}", f"{done.p99_ms:.1f}"]
        table.rows.append([name, str(callers), *row, f"{sum(cpu.values()):,.0f}", f"{sum(memory.values()):,.0f}"])
        table.numbers[f"{name}, {callers}"] = {
            "rate": done.rate,
            "p99_ms": done.p99_ms,
            "cpu_us": cpu,
            "rss_mb": memory,
        }
    for process, spent in cpu.items():
        shares.rows.append([f"{name}: {process}", f"{spent:,.0f}", f"{memory[process]:,.0f}"])


def _turn(installed: Installed, callers: int, seconds: float, first: int) -> tuple[Loaded, Mapping[str, float]]:
    """What came of it, and CPU microseconds a call by process."""
    before = {name: process.cpu_s() for name, process in installed.processes.items()}
    paths, bodies = mixed()
    done = run_load(Load(installed.port, "", bodies, callers=callers, seconds=seconds, first=first, paths=paths))
    spent = {
        name: (process.cpu_s() - before[name]) / done.requests * 1e6 for name, process in installed.processes.items()
    }
    return done, spent


def _soak(options: Options, mode: str) -> Table:
    """Resident memory of every process, tenth by tenth of the time."""
    table = Table(
        f"soak_{mode}", f"Soak: {mode}, {SOAK_CALLERS} callers, {options.soak_s:.0f} s; resident MB", ["after s"]
    )
    with MODES[mode](options.file(f"soak-{mode.replace(' ', '-')}")) as installed:
        table.columns = ["after s", "calls", *installed.processes]
        began, calls, number = time.monotonic(), 0, 0
        for _ in range(SAMPLES):
            done, _ = _turn(installed, SOAK_CALLERS, options.soak_s / SAMPLES, number)
            calls, number = calls + done.requests, done.next_number
            memory = {name: process.rss_mb() for name, process in installed.processes.items()}
            passed = time.monotonic() - began
            table.rows.append([f"{passed:.0f}", f"{calls:,}", *(f"{each:.0f}" for each in memory.values())])
            table.numbers[f"{passed:.0f}"] = {"calls": calls, **memory}
    return table
