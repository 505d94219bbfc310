"""(d) Start-up time and resident memory of the server, idle and after records."""

import statistics
import time

from tests.bench.load import Load, run_load
from tests.bench.options import Options
from tests.bench.payloads import single
from tests.bench.report import Table
from tests.bench.servers.loom import loom

STARTS = 3
SETTLE_S = 3.0


def run(options: Options) -> list[Table]:
    started, idle, after, settled = [], [], [], []
    for number in range(STARTS):
        with loom(options.file(f"memory-{number}"), options.file("memory.log")) as server:
            started.append(server.started_s)
            idle.append(server.rss_mb())
            run_load(Load(server.port, "/v1/observe.record", single(), callers=64, count=options.records))
            after.append(server.rss_mb())
            # Background merges end, and the engine gives memory back.
            time.sleep(SETTLE_S)
            settled.append(server.rss_mb())
    table = Table("memory", f"(d) loom serve by itself, medians of {STARTS} starts on an empty folder", ["", ""])
    numbers = {
        "start to first answer, s": statistics.median(started),
        "resident memory after start, MB": statistics.median(idle),
        f"right after {options.records:,} records, MB": statistics.median(after),
        f"{SETTLE_S:.0f} s later, MB": statistics.median(settled),
    }
    table.rows = [(name, f"{value:.1f}" if name[-1] == "s" else f"{value:.0f}") for name, value in numbers.items()]
    table.numbers = numbers
    return [table]
