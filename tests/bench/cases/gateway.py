"""(a) Gateway JSON -> gRPC -> JSON against Envoy's transcoder in front of the same plane: CPU per request."""

from contextlib import ExitStack

from tests.bench import envoy
from tests.bench.options import Options
from tests.bench.payloads import small
from tests.bench.proc import Process, free_port, module, running
from tests.bench.report import Table, verdict
from tests.bench.rounds import Sample, Subject, cpu, interleaved, median, rate, ratio

CALLERS = 16
PATH, ENVOY_PATH = "/v1/observe.get", f"/{envoy.SERVICE}/Get"
WHOLE, WIRE, ENVOY = "one process: gateway and plane", "gateway + plane over gRPC", "Envoy + plane over gRPC"


def run(options: Options) -> list[Table]:
    with ExitStack() as stack:
        found = interleaved(_subjects(options, stack), options.rounds)
    return [_table(found)]


def _subjects(options: Options, stack: ExitStack) -> dict[str, Subject]:
    small_server = "tests.bench.servers.small"
    one = stack.enter_context(running(module(small_server), options.file("one.log")))
    plane = stack.enter_context(running(module(small_server, "--door", "grpc"), options.file("plane.log")))
    front = stack.enter_context(
        running(
            module("gateway"),
            options.file("gateway.log"),
            says="gateway serves on ",
            env={"LOOM_PORT": "0", "LOOM_UPSTREAMS": f"observe=127.0.0.1:{plane.port}"},
        )
    )
    listen = free_port()
    command = envoy.command(options.folder, listen, plane.port)
    edge = stack.enter_context(running(command, options.file("envoy.log"), port=listen))
    return {
        WHOLE: _subject(options, one, PATH, {"gateway": one}),
        WIRE: _subject(options, front, PATH, {"gateway": front, "plane": plane}),
        ENVOY: _subject(options, edge, ENVOY_PATH, {"gateway": edge, "plane": plane}),
    }


def _subject(options: Options, process: Process, path: str, watched: dict[str, Process]) -> Subject:
    return Subject(process.port, path, small(), watched=watched, callers=CALLERS, seconds=options.seconds)


def _table(found: dict[str, list[Sample]]) -> Table:
    table = Table(
        "gateway",
        f"(a) A small read (observe.get from memory), {CALLERS} callers: CPU microseconds per request, medians",
        ["", "front", "plane", "sum", "sum / Envoy's", "front / Envoy's", "requests/s"],
    )
    edge = found[ENVOY]
    for name, samples in found.items():
        front, total = median(samples, cpu("gateway")), median(samples, cpu())
        has_plane = "plane" in samples[0].cpu_us
        table.rows.append(
            (
                name,
                f"{front:.0f}",
                f"{median(samples, cpu('plane')):.0f}" if has_plane else "in it",
                f"{total:.0f}",
                f"{ratio(samples, edge, cpu()):.2f}",
                f"{ratio(samples, edge, cpu('gateway')):.2f}",
                f"{median(samples, rate):,.0f}",
            )
        )
        table.numbers[name] = {"front_us": front, "sum_us": total, "rate": median(samples, rate)}
    whole, wire = ratio(found[WHOLE], edge, cpu()), ratio(found[WIRE], edge, cpu("gateway"))
    table.notes = [
        verdict("one process / (Envoy + plane), CPU", whole, 1.0, at_least=False),
        verdict("gateway alone / Envoy alone over the wire, CPU", wire, 2.0, at_least=False),
        "`front` is Envoy or the gateway's process. In one process nothing is serialised and no second hop is paid.",
    ]
    table.numbers["ratios"] = {"one_process": whole, "wire_alone": wire, "wire_sum": ratio(found[WIRE], edge, cpu())}
    return table
