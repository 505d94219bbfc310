"""The two ways to run Loom, under measurement: everything in one process, and a process each behind Envoy."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.bench.proc import Process
from tests.bench.servers.loom import loom
from tests.support.cluster import Shape, cluster


@dataclass(frozen=True, slots=True)
class Installed:
    """An installation: where clients come to, and its processes by name."""

    port: int
    processes: Mapping[str, Process]


Start = Callable[[Path], "contextlib.AbstractContextManager[Installed]"]


@contextlib.contextmanager
def one_process(folder: Path) -> Iterator[Installed]:
    """`loom serve` with its defaults."""
    folder.mkdir()
    with loom(folder / "data", folder / "log") as server:
        yield Installed(server.port, {"loom serve": server})


@contextlib.contextmanager
def split(folder: Path) -> Iterator[Installed]:
    """One replica of each, the edge and the inner door in one Envoy, and the tests' ClickHouse server (chDB over HTTP)."""
    folder.mkdir()
    with cluster(folder, Shape(replicas=1, gateways=1, tokens=False)) as running:
        popens = {name: program.process for name, program in running.replicas()}
        popens |= {"envoy": running.envoy.process, "ClickHouse": running.clickhouse.process}
        port = int(running.envoy.address.rpartition(":")[2])
        yield Installed(port, {name: Process(popen, 0, 0.0) for name, popen in popens.items() if popen})


MODES: dict[str, Start] = {"one process": one_process, "split, behind Envoy": split}
