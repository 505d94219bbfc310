"""What a frozen tracker costs: its own callers' waits, and what the callers of another tracker notice, in one run.

Turns alternate between both trackers well and one of them frozen, so that the machine's mood falls on both. The frozen
one's breaker is opened again and again (its cooldown is short here), so that waits are measured and not refusals alone.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack

from runtime.clock import SystemClock
from services.tracker.sources.client import SourceClient
from services.tracker.sources.model import Limits
from services.tracker.sources.silence import Silent
from tests.bench.options import Options
from tests.bench.report import Table, verdict
from tests.support.clickhouse_http import Server, clickhouse_server
from tests.support.tracked import RULES, fill, target

CALLERS = 2
COOLDOWN_S = 0.5
PAUSE_S = 0.01
BUDGET_S = 0.3
SQL = "SELECT number, title FROM team.issues WHERE startsWith(source_id, {repo:String}) ORDER BY number LIMIT 20"
Waits = dict[str, list[float]]


def run(options: Options) -> list[Table]:
    with ExitStack() as stack:
        servers = [
            stack.enter_context(clickhouse_server(options.file(name), user="team", password="word"))
            for name in ("well", "frozen")
        ]
        for server in servers:
            fill(server)
        return [asyncio.run(_measured(servers[0], servers[1], options))]


async def _measured(well: Server, bad: Server, options: Options) -> Table:
    limits = Limits(budget_s=BUDGET_S)
    asked, frozen = (
        SourceClient(target(server), RULES, SystemClock(), limits, open_s=COOLDOWN_S) for server in (well, bad)
    )
    calm, shaken, waits = defaultdict(list), defaultdict(list), defaultdict(list)
    for _ in range(options.rounds):
        await _turn(asked, frozen, calm, defaultdict(list), options.seconds)
        bad.freeze()
        await _turn(asked, frozen, shaken, waits, options.seconds)
        bad.thaw()
        await frozen.canceller.idle()
    hanging = len(frozen.canceller.hanging)
    await asyncio.gather(asked.close(), frozen.close())
    arrived = len(bad.idle())
    return _table(
        calm, shaken, waits, f"left unconfirmed at the frozen source: {hanging}; it got {arrived} statements in all"
    )


async def _turn(asked: SourceClient, frozen: SourceClient, of_asked: Waits, of_frozen: Waits, seconds: float) -> None:
    until = time.perf_counter() + seconds
    await asyncio.gather(
        *(_caller(asked, of_asked, until) for _ in range(CALLERS)),
        *(_caller(frozen, of_frozen, until) for _ in range(CALLERS)),
    )


async def _caller(client: SourceClient, waits: Waits, until: float) -> None:
    while (started := time.perf_counter()) < until:
        try:
            await client.rows("bench", SQL, {"repo": "Org/repo#"})
            said = "ok"
        except Silent as silent:
            said = silent.reason.value
        waits[said].append((time.perf_counter() - started) * 1000)
        await asyncio.sleep(PAUSE_S)


def _table(calm: Waits, shaken: Waits, waits: Waits, note: str) -> Table:
    table = Table(
        "tracker_live",
        f"Two trackers, {CALLERS} callers each, budget {BUDGET_S * 1000:.0f} ms: milliseconds until the answer",
        ["", "answers", "p50", "p99", "max"],
    )
    for name, found in (
        ("well, other well", calm["ok"]),
        ("well, other frozen", shaken["ok"]),
        ("frozen: timeout", waits["timeout"]),
        ("frozen: circuit_open", waits["circuit_open"]),
    ):
        numbers = [_quantile(found, 0.5), _quantile(found, 0.99), _quantile(found, 1.0)]
        table.rows.append((name, str(len(found)), *(f"{number:.2f}" for number in numbers)))
        table.numbers[name] = numbers
    table.notes.append(note)
    worst = _quantile([*waits["timeout"], *waits["circuit_open"]], 0.99)
    table.notes.append(verdict("p99 of a frozen source's answers, ms", worst, 350, at_least=False))
    change = _quantile(shaken["ok"], 0.5) / max(_quantile(calm["ok"], 0.5), 0.001)
    table.notes.append(verdict("the other's median, frozen / well", change, 1.1, at_least=False))
    return table


def _quantile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else 0.0
