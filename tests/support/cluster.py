"""Loom as a cluster runs it: Envoy in front and between, replicas of each plane and of the gateway, one ClickHouse server."""

import contextlib
import os
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gateway.envoy.planes import contract_planes
from gateway.envoy.render import render
from gateway.envoy.settings import Source
from tests.support.clickhouse_http import Server as ClickHouse
from tests.support.clickhouse_http import clickhouse_server
from tests.support.disk import on_small_disk
from tests.support.envoy import Envoy
from tests.support.guarded import Keys
from tests.support.processes import Program, gateway, plane

LIMIT_S = 60.0
LOGIN = {"user": "loom", "password": "p@ss/word"}
# As a cluster has it, only faster.
EDGE = {"LOOM_ENVOY_HEALTH_INTERVAL_S": "0.25", "LOOM_ENVOY_HEALTH_TIMEOUT_S": "1", "LOOM_ENVOY_PING_S": "1"}
DIRECTORY = "directory"


def free_port() -> int:
    """A port of loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def free_address() -> str:
    return f"127.0.0.1:{free_port()}"


@dataclass
class Shape:
    """What is started. `planes` are those with a program; `env` goes to every program.

    `drilled` is the module that all replicas of planes but the first run, with a switch for its faults. `disk_mb` puts
    ClickHouse on a small disk of its own.
    """

    planes: Sequence[str] = ("directory", "observe", "memory")
    replicas: int = 2
    gateways: int = 2
    tokens: bool = True
    env: Mapping[str, str] = field(default_factory=dict)
    edge: Mapping[str, str] = field(default_factory=dict)
    drilled: str = ""
    disk_mb: int = 0


@dataclass
class Cluster:
    """It runs. `base_url` and `grpc` are the edge's, as clients see it; `inner` is where Loom's own processes call."""

    folder: Path
    envoy: Envoy
    source: Source
    clickhouse: ClickHouse
    planes: dict[str, list[Program]]
    gateways: list[Program]
    keys: Keys | None
    stack: contextlib.ExitStack

    @property
    def base_url(self) -> str:
        scheme = "https" if self.source.envoy.tls_cert else "http"
        return f"{scheme}://{self.envoy.address}"

    @property
    def grpc(self) -> str:
        return self.envoy.address

    @property
    def inner(self) -> str:
        return self.envoy.addresses["inner"]

    def replicas(self) -> Iterator[tuple[str, Program]]:
        """Every program with the name of its Envoy cluster."""
        for name, programs in self.planes.items():
            yield from ((name, program) for program in programs)
        yield from (("gateway", program) for program in self.gateways)

    def until_well(self) -> None:
        """Returns when Envoy sends calls to every replica."""
        for name, programs in {**self.planes, "gateway": self.gateways}.items():
            until(lambda name=name, programs=programs: len(self.envoy.well(name)) == len(programs))

    def until_in_use(self, name: str, program: Program) -> None:
        until(lambda: program.address in self.envoy.well(name))

    def until_out_of_use(self, name: str, program: Program) -> None:
        until(lambda: program.address not in self.envoy.well(name))

    def kill_clickhouse(self) -> None:
        self.clickhouse.kill()

    def restart_clickhouse(self) -> None:
        """On the same folder and port."""
        server = clickhouse_server(self.folder / "data", port=self.clickhouse.port, **LOGIN)
        self.clickhouse = self.stack.enter_context(server)


def until(condition: Callable[[], bool], limit_s: float = LIMIT_S) -> None:
    """Returns when the condition is true; asked every 20 ms, for at most so many seconds."""
    ends = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < ends, "the condition did not become true in time"
        time.sleep(0.02)


@contextlib.contextmanager
def cluster(folder: Path, shape: Shape | None = None) -> Iterator[Cluster]:
    """Started from the main thread (Envoy ends with the thread that started it), ready, and stopped at the end."""
    shape = shape or Shape()
    with contextlib.ExitStack() as stack:
        before = on_small_disk(folder / "data", megabytes=shape.disk_mb) if shape.disk_mb else ()
        database = stack.enter_context(clickhouse_server(folder / "data", before=before, **LOGIN))
        keys = Keys(folder / "keys") if shape.tokens else None
        places = {name: [free_address() for _ in range(shape.replicas)] for name in shape.planes}
        fronts = [free_address() for _ in range(shape.gateways)]
        source = Source.load(_edge_environ(shape, places, fronts))
        envoy = stack.enter_context(Envoy(_made(folder / "envoy"), render(source)))
        env = _environ(shape, envoy.addresses["inner"], keys, database.dsn("loom"))
        planes = _planes(folder, shape, places, env, stack)
        inner = envoy.addresses["inner"]
        upstreams = ",".join(f"{name}={inner}" for name in shape.planes)
        running = Cluster(folder, envoy, source, database, planes, [], keys, stack)
        _start_in_order(running)
        for number, place in enumerate(fronts):
            given = {**env, "LOOM_PORT": place.rpartition(":")[2]}
            program = gateway(folder / f"gateway{number}.log", upstreams, **given).launch()
            stack.callback(_end, program)
            running.gateways.append(program)
        for program in running.gateways:
            program.await_ready()
        running.until_well()
        try:
            yield running
        finally:
            for _, program in running.replicas():
                program.terminate()


def _start_in_order(running: Cluster) -> None:
    # The directory first, so that the others hear of revoked tokens when they start and not seconds later.
    for name in sorted(running.planes, key=lambda name: name != DIRECTORY):
        for program in running.planes[name]:
            program.launch()
        if name == DIRECTORY:
            _await(running, name)
    for name in running.planes:
        if name != DIRECTORY:
            _await(running, name)


def _await(running: Cluster, name: str) -> None:
    for program in running.planes[name]:
        program.await_ready()
        running.until_in_use(name, program)


def _planes(
    folder: Path, shape: Shape, places: Mapping[str, list[str]], env: Mapping[str, str], stack: contextlib.ExitStack
) -> dict[str, list[Program]]:
    made: dict[str, list[Program]] = {}
    for name, addresses in places.items():
        given = dict(env)
        dsn = given.pop("LOOM_CLICKHOUSE_DSN")
        made[name] = [
            plane(name, folder / f"{name}{number}.log", dsn, address, **given)
            for number, address in enumerate(addresses)
        ]
        for program in made[name][1:] if shape.drilled else []:
            program.module = shape.drilled
            program.env = {**program.env, "DRILL_PLANE": name, "DRILL_SWITCH": str(folder / f"{name}.switch")}
        for program in made[name]:
            stack.callback(_end, program)
    return made


def _end(program: Program) -> None:
    if program.process is not None and not program.process.stdout.closed:
        program.stop()


def _edge_environ(shape: Shape, places: Mapping[str, list[str]], fronts: list[str]) -> dict[str, str]:
    planes = [f"{name}={address}" for name, addresses in places.items() for address in addresses]
    listen = {f"LOOM_ENVOY_{name}_LISTEN": free_address() for name in ("EDGE", "INNER", "ADMIN")}
    where = {"LOOM_ENVOY_PLANES": ",".join(planes), "LOOM_ENVOY_GATEWAYS": ",".join(fronts)}
    absent = {} if "memory" in places else {"LOOM_ENVOY_BY_USER": ""}
    return {**EDGE, **listen, **where, **absent, **shape.env, **shape.edge}


def _environ(shape: Shape, inner: str, keys: Keys | None, dsn: str) -> dict[str, str]:
    tokens = {"LOOM_KEYS_DIR": str(keys.folder), "LOOM_DIRECTORY": inner} if keys else {}
    peers = ",".join(f"{name}={inner}" for name in contract_planes() if name in shape.planes)
    fixed = {"LOOM_CLICKHOUSE_DSN": dsn, "LOOM_PEERS": peers, "LOOM_RATE_LIMIT_PER_S": "0"}
    # As long as Envoy may take to see it, and a little more.
    drain = {"LOOM_DRAIN_S": "1.5", "LOOM_BREAKER_OPEN_S": "1"}
    return {**fixed, **tokens, **drain, **shape.env, "PYTHONUNBUFFERED": os.environ.get("PYTHONUNBUFFERED", "")}


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder
