"""Failure drills: a cluster under load, a fault, and what it cost.

LOOM_DRILLS=long repeats every fault and brings more callers; the short form is for every run of the tests.
"""

import asyncio
import json
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from rich.console import Console
from rich.table import Table

from tests.support.cluster import Cluster, Shape, cluster
from tests.support.drill_check import lost
from tests.support.drill_load import COLUMNS, TIMEOUT_S, Load, Report
from tests.support.guarded import ORG
from tests.support.processes import Program

LONG = os.environ.get("LOOM_DRILLS") == "long"
ROUNDS = 3 if LONG else 1
CALLERS = 16 if LONG else 8
OWNER = "owner"
# Clocks are set on by an hour in a drill, and a drill takes its time: no token may end in it.
TOKEN_S = 86_400
DRILLED = "tests.support.drill_plane"
OVERLOADED = 10
TRACKER = {
    "LOOM_TRACKER_ORG": ORG,
    "LOOM_TRACKER_WORKERS": "off",
    "LOOM_SECRET_KEY": "5a" * 32,
    "LOOM_TRACKER_SOURCE_HOSTS": "loopback",
    # Long enough for a machine that is busy, and a breaker that is quick to try again.
    "LOOM_TRACKER_LIVE_BUDGET_MS": "3000",
    "LOOM_TRACKER_LIVE_TIMEOUT_S": "3",
    "LOOM_TRACKER_CIRCUIT_COOLDOWN_S": "1",
}
SHAPE = Shape(planes=("directory", "observe", "memory", "tracker"), drilled=DRILLED, env=TRACKER)
NO_PLANE = {"UPSTREAM_UNAVAILABLE", "CIRCUIT_OPEN", "DEADLINE_EXCEEDED"}
NO_STORAGE = {"STORAGE_UNAVAILABLE", *NO_PLANE}
Replica = tuple[str, Program]


@dataclass
class Drills:
    """The cluster and the reports so far. The second replica of each plane has a switch for faults of its own.

    `tracker` is a tracker namespace that the load asks too.
    """

    cluster: Cluster
    tracker: str = ""
    reports: list[Report] = field(default_factory=list)
    number: int = 0

    async def run(self, name: str, fault: Callable[[], None], *, lasting: Callable[[], None] | None = None) -> Report:
        """Load, the fault, and load until all is well; `lasting` ends a fault that lasts while calls are made.

        What was lost is in the report's words when it is not nothing.
        """
        namespace = await asyncio.to_thread(self._namespace)
        asks = {self.tracker: "viewer"} if self.tracker else {}
        token = self.cluster.keys.token({namespace: "admin", **asks}, sub=OWNER, ttl_s=TOKEN_S)
        async with Load(self.cluster.base_url, token, namespace, CALLERS, self.tracker) as load:
            await load.settled()
            since = time.monotonic()
            for _ in range(ROUNDS):
                await asyncio.to_thread(fault)
                if lasting:
                    await load.running(10 * CALLERS)
                    await asyncio.to_thread(lasting)
                    since = time.monotonic()
                await load.settled()
        gone = await lost(load)
        self.reports.append(Report.of(name, load, since, len(gone)))
        assert gone == []
        return self.reports[-1]

    def _namespace(self) -> str:
        self.number += 1
        name = f"drill-{self.number}"
        self.once("namespace.create", name, {"namespace": name})
        return name

    def note(self, **more: Any) -> None:
        """Adds to the last report what the load could not see."""
        self.reports[-1] = replace(self.reports[-1], **more)

    def once(self, op: str, namespace: str, args: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to one call of the owner, which must succeed."""
        headers = {"authorization": f"Bearer {self.cluster.keys.token({namespace: 'admin'}, sub=OWNER)}"}
        url = f"{self.cluster.base_url}/v1/{op}"
        with httpx.Client(timeout=TIMEOUT_S, trust_env=False, headers=headers) as http:
            response = http.post(url, json={"org": ORG, **args})
        assert response.status_code == 200, response.text
        return response.json()

    def each(self, place: int) -> list[Replica]:
        """One replica of every plane, and a gateway."""
        found = [(name, programs[place]) for name, programs in self.cluster.planes.items()]
        return [*found, ("gateway", self.cluster.gateways[place])]

    def freeze(self, replicas: Sequence[Replica]) -> None:
        """Returns when no call goes to them any more."""
        for _, program in replicas:
            program.freeze()
        for name, program in replicas:
            self.cluster.until_out_of_use(name, program)

    def thaw(self, replicas: Sequence[Replica]) -> None:
        """Returns when calls go to them again."""
        for name, program in replicas:
            program.thaw()
            self.cluster.until_in_use(name, program)

    def switch(self, name: str, **state: float) -> None:
        """Sets the faults of a plane's second replica."""
        _switch(self.cluster.folder, name).write_text(json.dumps(state))
        self.cluster.planes[name][1].process.send_signal(signal.SIGUSR1)

    def restart(self, replicas: Sequence[Replica], stop: Callable[[Program], object]) -> None:
        """Stops and starts replicas, all at once; returns when calls go to each of them again."""
        with ThreadPoolExecutor(len(replicas)) as pool:
            list(pool.map(lambda replica: self._restart(*replica, stop), replicas))

    def _restart(self, name: str, program: Program, stop: Callable[[Program], object]) -> None:
        stop(program)
        self.cluster.until_out_of_use(name, program)
        program.start()
        self.cluster.until_in_use(name, program)


def costs_no_call(report: Report, *but: str) -> None:
    """Asserts it, where the machine is one that a failure can be seen on; `but` are codes that the drill may cost.

    With many times more to do than it has cores, calls run out of time that no drill has touched.
    """
    costs = {code: count for code, count in report.errors.items() if code not in but}
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    if costs and load > OVERLOADED * cores:
        pytest.skip(
            f"load average {load:.0f} on {cores} cores: {report.failures} calls failed, of the drill or of the load"
        )
    assert costs == {}


@contextmanager
def drills(folder: Path, request: pytest.FixtureRequest, shape: Shape = SHAPE) -> Iterator[Drills]:
    """A cluster with switches; prints the table at the end. For the main thread, since Envoy ends with its starter."""
    with cluster(folder, shape) as running:
        made = Drills(running)
        yield made
    capture = request.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        show(made.reports)


def show(reports: Sequence[Report]) -> None:
    """The table, for people."""
    table = Table(title=f"failure drills, {CALLERS} callers, {ROUNDS} rounds, load average {os.getloadavg()[0]:.1f}")
    for column in COLUMNS:
        table.add_column(column, justify="left" if column == COLUMNS[0] else "right")
    for report in reports:
        table.add_row(*report.row())
    console = Console(width=None if Console().is_terminal else 140)
    console.print()
    console.print(table)


def _switch(folder: Path, name: str) -> Path:
    return folder / f"{name}.switch"
