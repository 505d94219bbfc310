"""What every process starts from: its settings, and the parts that all of its planes share."""

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass

from runtime.clock import Clock, SystemClock
from runtime.health import Health
from runtime.identity import Authenticator, SingleUser
from runtime.links import server_chain
from runtime.metrics import Metrics
from runtime.peers import Peers
from runtime.plane import Builder, Parts, Plane
from runtime.settings import Loaded, setting, settings
from runtime.store import Store, StoreConfig
from runtime.telemetry import Telemetry
from runtime.transport import InProcess


@settings(prefix="LOOM_")
class ProcessSettings:
    """Settings that every process reads."""

    log_level: str = setting("info", help="Least level of the log.", choices=("debug", "info", "warning", "error"))
    otlp_endpoint: str = setting(
        "", help="Where traces go, `http://host:port` of an OTLP/gRPC receiver; empty: nowhere."
    )
    trace_sample_ratio: float = setting(1.0, help="Share of traces begun here that are kept.", min=0, max=1)
    org: str = setting("dev", help="Organisation of a call that names none, in single-user mode.")
    namespace: str = setting("local", help="Namespace of a call that names none, in single-user mode.")
    max_body_bytes: int = setting(1 << 20, help="Largest request body in bytes, on every door.", min=1024, max=32 << 20)
    max_concurrent: int = setting(256, help="Calls that a plane runs at once; more are refused.", min=1, max=65536)
    drain_s: float = setting(0.0, help="Seconds to go on serving after the first signal, not ready.", min=0, max=600)
    grace_s: float = setting(10.0, help="Seconds that running calls get to finish.", min=0, max=600)
    allow_insecure: bool = setting(
        False, help="Listen beyond loopback in single-user mode: anyone there may do anything."
    )


@settings(prefix="LOOM_")
class StoreSettings:
    """Settings of the storage engine."""

    clickhouse_dsn: str = setting(
        "chdb://",
        help="`chdb://` for the embedded engine on the data folder, else `http(s)://user:password@host:port/database`.",
        secret=True,
    )
    data_dir: str = setting(".loom", help="Folder of the embedded engine.")
    store_fsync: bool = setting(True, help="Sync every insert to disk, so that a power cut loses nothing acknowledged.")
    store_cluster: str = setting(
        "", help="ClickHouse cluster for ON CLUSTER and replicated engines; empty: one server."
    )
    store_group_window_ms: float = setting(
        2.0, help="Milliseconds that an idle writer waits for company.", min=0, max=1000
    )
    store_queue_max_rows: int = setting(50_000, help="Rows that may wait for an insert; more are refused.", min=1)

    def config(self) -> StoreConfig:
        return StoreConfig(
            dsn=self.clickhouse_dsn,
            data_dir=self.data_dir,
            fsync=self.store_fsync,
            cluster=self.store_cluster,
            group_window_ms=self.store_group_window_ms,
            queue_max_rows=self.store_queue_max_rows,
        )


SETTINGS = (ProcessSettings, StoreSettings)


@dataclass(frozen=True, slots=True)
class Process:
    """The shared parts. Telemetry, store and metrics are one each, however many planes the process serves."""

    loaded: Loaded
    store: Store
    telemetry: Telemetry
    metrics: Metrics
    health: Health
    clock: Clock
    authenticator: Authenticator
    peers: Peers

    @property
    def common(self) -> ProcessSettings:
        return self.loaded[ProcessSettings]

    async def plane(self, name: str, build: Builder) -> Plane:
        """Builds a plane, registers its checks and lets the other planes of this process call it."""
        chain = server_chain(
            name, telemetry=self.telemetry, metrics=self.metrics, authenticator=self.authenticator, clock=self.clock
        )
        plane = await build(Parts(self.loaded, self.store, chain, self.clock, self.peers, self.metrics))
        for check_name, check in plane.checks.items():
            self.health.add(check_name, check)
        self.peers.bind(name, InProcess(plane.bound))
        return plane


@contextlib.asynccontextmanager
async def process(loaded: Loaded, service: str) -> AsyncIterator[Process]:
    """Opens the shared parts in order; closes them in reverse, telemetry last, so that the closing is seen too."""
    common = loaded[ProcessSettings]
    peers = Peers(internal_metadata(common))
    telemetry = Telemetry.start(service, endpoint=common.otlp_endpoint, sample_ratio=common.trace_sample_ratio)
    try:
        store = await Store.open(loaded[StoreSettings].config(), tracer=telemetry.tracer)
        try:
            health = Health()
            health.add("store", store.ping)
            authenticator = SingleUser(common.org, common.namespace)
            yield Process(loaded, store, telemetry, Metrics(), health, SystemClock(), authenticator, peers)
        finally:
            await peers.close()
            await store.close()
    finally:
        telemetry.shutdown()


def internal_metadata(common: ProcessSettings) -> dict[str, str]:
    """Metadata of calls to internal rpcs of other planes: none in single-user mode."""
    return {}
