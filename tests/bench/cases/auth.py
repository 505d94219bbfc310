"""(e) What token mode costs: the same small read with a token checked at every call, and in single-user mode."""

from contextlib import ExitStack

from tests.bench.options import Options
from tests.bench.payloads import small
from tests.bench.proc import Process, module, running
from tests.bench.report import Table, verdict
from tests.bench.rounds import Sample, Subject, cpu, interleaved, median, ratio

CALLERS = 16
PATH = "/v1/observe.get"
SINGLE, TOKENS, LIMITED = "single-user mode", "token mode, no rate limit", "token mode, as it is by default"
MOST = 1.1


def run(options: Options) -> list[Table]:
    with ExitStack() as stack:
        found = interleaved(_subjects(options, stack), options.rounds)
    return [_table(found)]


def _subjects(options: Options, stack: ExitStack) -> dict[str, Subject]:
    def server(log: str, *args: str) -> Process:
        return stack.enter_context(running(module("tests.bench.servers.guarded", *args), options.file(log)))

    processes = {
        SINGLE: server("single.log"),
        TOKENS: server("tokens.log", "--tokens"),
        LIMITED: server("limited.log", "--tokens", "--limit"),
    }
    return {
        name: Subject(p.port, PATH, small(), watched={"server": p}, callers=CALLERS, seconds=options.seconds)
        for name, p in processes.items()
    }


def _table(found: dict[str, list[Sample]]) -> Table:
    table = Table(
        "auth",
        f"(e) A small read in one process, {CALLERS} callers: CPU microseconds per request, medians",
        ["", "CPU", "/ single-user"],
    )
    for name, samples in found.items():
        against = ratio(samples, found[SINGLE], cpu())
        table.rows.append((name, f"{median(samples, cpu()):.0f}", f"{against:.2f}"))
        table.numbers[name] = median(samples, cpu())
    cost = ratio(found[TOKENS], found[SINGLE], cpu())
    table.notes = [
        verdict("the auth link: token mode / single-user mode, CPU per call", cost, MOST, at_least=False),
        "Token, deny list and rights are checked at every call; signatures once for each token.",
    ]
    table.numbers["ratio"] = cost
    return table
