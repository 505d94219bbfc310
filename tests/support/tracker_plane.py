"""The tracker plane in a test's own process, with the directory beside it and the gateway in front, in single-user mode.

async with tracker_plane(tmp_path) as plane:
    await plane.add(source_server, "team_plain", "trk")
    answer = await plane.call("tracker.item", namespace="trk", numbers=[1])
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from gateway.build import GatewayParts, gateway
from gateway.settings import GatewaySettings
from runtime.chain import Chain
from runtime.clock import Clock, SystemClock
from runtime.health import Health
from runtime.identity import SingleUser
from runtime.links import server_chain
from runtime.metrics import Metrics
from runtime.peers import Peers
from runtime.plane import Bound, Parts
from runtime.process import SETTINGS
from runtime.settings import load_all
from runtime.store import Store
from runtime.telemetry import Telemetry
from runtime.transport import InProcess
from services.directory.build import build as build_directory
from services.tracker.build import SETTINGS as TRACKER
from services.tracker.build import Core, core_of, plane_of
from tests.support.clickhouse_http import Server
from tests.support.envelope import Caller, Failure, failure_of
from tests.support.front import doors
from tests.support.stores import chdb_store

T = TypeVar("T")
ORG = "dev"
RESENT = 3
# Long enough for a machine that is busy; tests of the budget itself set their own.
PATIENT = {"LOOM_TRACKER_LIVE_BUDGET_MS": "20000", "LOOM_TRACKER_LIVE_TIMEOUT_S": "20"}


@dataclass
class TrackerPlane:
    """The doors by name, the planes' rpcs, their store, and what the tracker plane is made of."""

    doors: Mapping[str, Caller]
    bound: Bound
    store: Store
    core: Core

    async def call(self, op: str, *, door: str = "http", **args: Any) -> dict[str, Any]:
        """The answer; raises Failure."""
        return await self.doors[door].call(op, {"org": ORG, **args})

    async def fails(self, op: str, *, door: str = "http", **args: Any) -> Failure:
        """The failure of a call that must fail, its envelope checked."""
        return await failure_of(self.doors[door], op, {"org": ORG, **args})

    def hurry(self, host_port: int, budget_s: float) -> None:
        """From now on reads of the sources at that port have so little time."""
        for client in self.core.clients._clients.values():
            if client.target.port == host_port:
                client.limits = replace(client.limits, budget_s=budget_s)

    async def add(self, server: Server, database: str, namespace: str, **more: Any) -> dict[str, Any]:
        """Registers a database of a server as a source of one namespace, of the same name.

        It is some thirty statements, which a machine that is busy may not manage within the op's deadline: then it is
        sent again, unless it got through.
        """
        given = source(server, database, namespace, **more)
        for _ in range(RESENT):
            try:
                return await self.call("tracker.source.add", **given)
            except Failure as failure:
                if failure.detail["code"] != "DEADLINE_EXCEEDED":
                    raise
            if namespace in {each["name"] for each in (await self.call("tracker.source.list"))["sources"]}:
                return {"added": True}
        return await self.call("tracker.source.add", **given)


@asynccontextmanager
async def held(manager: AbstractAsyncContextManager[T]) -> AsyncIterator[T]:
    """Enters and leaves a manager in one task of its own, for fixtures, whose two halves run in tasks of their own."""
    entered, leave = asyncio.get_running_loop().create_future(), asyncio.Event()

    async def hold() -> None:
        async with manager as value:
            entered.set_result(value)
            await leave.wait()

    task = asyncio.create_task(hold())
    await asyncio.wait((task, entered), return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        task.result()
    try:
        yield entered.result()
    finally:
        leave.set()
        await task


def source(server: Server, database: str, namespace: str, **more: Any) -> dict[str, Any]:
    """Arguments of tracker.source.add. `repos` and `restricted` are the namespace's."""
    space = {
        "namespace": namespace,
        "repos": more.pop("repos", ["Org/repo"]),
        "restricted": more.pop("restricted", False),
    }
    return {"name": namespace, "database": database, "namespaces": [space], **login(server), **more}


def login(server: Server) -> dict[str, Any]:
    return {
        "host": "127.0.0.1",
        "port": server.port,
        "secure": False,
        "user": server.user,
        "password": server.password,
    }


@asynccontextmanager
async def tracker_plane(folder: Path, *, clock: Clock | None = None, **environ: str) -> AsyncIterator[TrackerPlane]:
    """Built on a store of its own in the folder, without background passes; `environ` are settings."""
    given = {"LOOM_TRACKER_ORG": ORG, "LOOM_TRACKER_WORKERS": "off", "LOOM_DATA_DIR": str(folder), **PATIENT, **environ}
    loaded = load_all([*SETTINGS, GatewaySettings, *TRACKER], given)
    now, peers = clock or SystemClock(), Peers()

    def chain(plane: str) -> Chain:
        return server_chain(
            plane, telemetry=Telemetry(), metrics=Metrics(), authenticator=SingleUser(ORG, "local", ORG), clock=now
        )

    async with chdb_store(folder) as store:
        directory = await build_directory(Parts(loaded, store, chain("directory"), now, peers))
        peers.bind("directory", InProcess(directory.bound))
        made = Parts(loaded, store, chain("tracker"), now, peers)
        core = core_of(made)
        tracker = await plane_of(made, core)
        health = Health()
        health.ready = True
        parts = GatewayParts(loaded, Telemetry(), Metrics(), health, now, SingleUser(ORG, "local", ORG))
        transports = {"directory": InProcess(directory.bound), "tracker": InProcess(tracker.bound)}
        try:
            async with gateway(parts, transports) as built, doors(built) as by_name:
                yield TrackerPlane(by_name, {**directory.bound, **tracker.bound}, store, core)
        finally:
            await tracker.close()
            await peers.close()
