"""What tracing costs: hooks taken out, tracing off, tracing on with every trace kept and sent to another process."""

from contextlib import ExitStack

from tests.bench.options import Options
from tests.bench.payloads import small
from tests.bench.proc import Process, module, running
from tests.bench.report import Table, verdict
from tests.bench.rounds import Sample, Subject, cpu, interleaved, median, ratio

CALLERS = 16
PATH = "/v1/observe.get"
NONE, OFF, ON = "one process, no hooks", "one process, off", "one process, on (2 spans)"
WIRE_OFF, WIRE_ON = "gateway's process, off", "gateway's process, on (1 span)"


def run(options: Options) -> list[Table]:
    with ExitStack() as stack:
        found = interleaved(_subjects(options, stack), options.rounds)
    return [_table(found)]


def _subjects(options: Options, stack: ExitStack) -> dict[str, Subject]:
    def server(log: str, *args: str) -> Process:
        return stack.enter_context(running(module("tests.bench.servers.small", *args), options.file(log)))

    sink = stack.enter_context(running(module("tests.bench.servers.otlp_sink"), options.file("sink.log")))
    endpoint = f"http://127.0.0.1:{sink.port}"
    plane = server("traced-plane.log", "--door", "grpc")

    def front(log: str, otlp: str) -> Process:
        env = {"LOOM_PORT": "0", "LOOM_UPSTREAMS": f"observe=127.0.0.1:{plane.port}", "LOOM_OTLP_ENDPOINT": otlp}
        return stack.enter_context(
            running(
                module("gateway"), options.file(log), says="gateway serves on ", env={k: v for k, v in env.items() if v}
            )
        )

    processes = {
        NONE: server("no-hooks.log", "--no-hooks"),
        OFF: server("off.log"),
        ON: server("on.log", "--otlp", endpoint),
        WIRE_OFF: front("gateway-off.log", ""),
        WIRE_ON: front("gateway-on.log", endpoint),
    }
    return {
        name: Subject(p.port, PATH, small(), watched={"server": p}, callers=CALLERS, seconds=options.seconds)
        for name, p in processes.items()
    }


def _table(found: dict[str, list[Sample]]) -> Table:
    table = Table(
        "tracing",
        f"Tracing, a small read, {CALLERS} callers: CPU microseconds per request of the process named, medians",
        ["", "CPU", "/ its `off`"],
    )
    for name, samples in found.items():
        off = found[WIRE_OFF if name in {WIRE_OFF, WIRE_ON} else OFF]
        table.rows.append((name, f"{median(samples, cpu()):.0f}", f"{ratio(samples, off, cpu()):.2f}"))
        table.numbers[name] = median(samples, cpu())
    on, whole = ratio(found[WIRE_ON], found[WIRE_OFF], cpu()), ratio(found[ON], found[OFF], cpu())
    hooks = ratio(found[OFF], found[NONE], cpu())
    table.notes = [
        verdict("gateway's CPU per call, on / off", on, 1.3, at_least=False),
        verdict("one process, on / off", whole, 1.3, at_least=False),
        f"Hooks that are off, against none at all: {hooks:.2f}. Differences of a few hundredths are noise.",
    ]
    table.numbers["ratios"] = {"wire_on_off": on, "one_on_off": whole, "off_none": hooks}
    return table
