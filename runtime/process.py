"""What every process starts from: its settings, and the parts that all of its planes share."""

import contextlib
import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass

from runtime.clock import Clock, SystemClock
from runtime.guard import Guard, guard_of, internal_metadata
from runtime.health import Health
from runtime.identity import Authenticator
from runtime.links import server_chain
from runtime.metrics import Metrics
from runtime.metrics_door import metrics_door
from runtime.peers import Peers
from runtime.plane import Builder, Parts, Plane
from runtime.settings import Loaded, SettingsError, setting, settings
from runtime.store import Store, StoreConfig
from runtime.store.config import chdb_folder
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
    tracker_org: str = setting(
        "",
        help="Organisation whose namespaces read trackers, and that of a call of `code.*` or `tracker.*` that names none; "
        "empty: no tracker serves. Where it is not set, `loom serve` in single-user mode takes LOOM_ORG.",
    )
    keys_dir: str = setting(
        "",
        help="Folder of the keys that tokens are signed and checked with (`loom keys new`); empty: single-user mode.",
    )
    directory: str = setting(
        "", help="`host:port` of the directory plane, for processes that do not hold it, where there are keys."
    )
    access_cache_s: float = setting(
        4.0, help="Seconds that the directory's word on an unrestricted namespace is kept.", min=0, max=5
    )
    max_body_bytes: int = setting(1 << 20, help="Largest request body in bytes, on every door.", min=1024, max=32 << 20)
    max_concurrent: int = setting(256, help="Calls that a plane runs at once; more are refused.", min=1, max=65536)
    metrics_listen: str = setting(
        "",
        help="`host:port` that shows `/metrics` and nothing else; empty: only the gateway does, among its pages, where "
        "whoever reaches it sees them.",
    )
    drain_s: float = setting(0.0, help="Seconds to go on serving after the first signal, not ready.", min=0, max=600)
    grace_s: float = setting(10.0, help="Seconds that running calls get to finish.", min=0, max=600)
    allow_insecure: bool = setting(
        False, help="Listen beyond loopback in single-user mode: anyone there may do anything."
    )

    @property
    def may_listen_anywhere(self) -> bool:
        """False in single-user mode, where everyone who can reach a port may do everything."""
        return bool(self.keys_dir) or self.allow_insecure


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

    await_schema_s: float = setting(
        0.0,
        help="Seconds to wait at start until `loom migrate` has brought the tables up to date; 0: migrate them here.",
        min=0,
        max=86_400,
    )

    def config(self) -> StoreConfig:
        return StoreConfig(
            dsn=self.clickhouse_dsn,
            data_dir=self.data_dir,
            fsync=self.store_fsync,
            cluster=self.store_cluster,
            group_window_ms=self.store_group_window_ms,
            queue_max_rows=self.store_queue_max_rows,
            await_schema_s=self.await_schema_s,
        )


SETTINGS = (ProcessSettings, StoreSettings)
DIRECTORY = "directory"


@dataclass(frozen=True, slots=True)
class Process:
    """The shared parts. Telemetry, store and metrics are one each, however many planes the process serves."""

    loaded: Loaded
    store: Store
    telemetry: Telemetry
    metrics: Metrics
    health: Health
    clock: Clock
    guard: Guard
    peers: Peers

    @property
    def authenticator(self) -> Authenticator:
        return self.guard.authenticator

    @property
    def common(self) -> ProcessSettings:
        return self.loaded[ProcessSettings]

    async def plane(self, name: str, build: Builder) -> Plane:
        """Builds a plane, registers its checks and lets the other planes of this process call it.

        The directory plane answers for the rights in this process.
        """
        chain = server_chain(
            name, telemetry=self.telemetry, metrics=self.metrics, authenticator=self.authenticator, clock=self.clock
        )
        plane = await build(Parts(self.loaded, self.store, chain, self.clock, self.peers, self.metrics))
        for check_name, check in plane.checks.items():
            self.health.add(check_name, check)
        self.peers.bind(name, InProcess(plane.bound))
        if name == DIRECTORY:
            await self.guard.bind(InProcess(plane.bound))
        return plane


@contextlib.asynccontextmanager
async def process(loaded: Loaded, service: str) -> AsyncIterator[Process]:
    """Opens the shared parts in order; closes them in reverse, telemetry last, so that the closing is seen too.

    Raises SettingsError for a key folder that cannot be used.
    """
    common, clock = loaded[ProcessSettings], SystemClock()
    guard, peers = guard_of(common, clock), Peers(internal_metadata(common))
    telemetry = Telemetry.start(service, endpoint=common.otlp_endpoint, sample_ratio=common.trace_sample_ratio)
    try:
        metrics = Metrics()
        store = await open_store(loaded[StoreSettings], telemetry, metrics)
        try:
            health = Health()
            health.add("store", store.ping)
            _watch_room(store.config, metrics)
            await guard.start()
            with metrics_door(common.metrics_listen, metrics):
                yield Process(loaded, store, telemetry, metrics, health, clock, guard, peers)
        finally:
            await peers.close()
            await guard.close()
            await store.close()
    finally:
        telemetry.shutdown()


def _watch_room(config: StoreConfig, metrics: Metrics) -> None:
    folder = chdb_folder(config) if config.dsn.startswith("chdb:") else None
    if folder:
        metrics.data_folder(lambda: shutil.disk_usage(folder).free)


async def open_store(settings: StoreSettings, telemetry: Telemetry, metrics: Metrics) -> Store:
    """The store that the settings name. Raises SettingsError where they name none."""
    try:
        return await Store.open(settings.config(), tracer=telemetry.tracer, observer=metrics)
    except ValueError as error:
        raise SettingsError([f"LOOM_CLICKHOUSE_DSN, LOOM_STORE_CLUSTER: {error}"]) from None
