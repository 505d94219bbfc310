"""The composition root of the gateway."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass

from mcp_types.version import SUPPORTED_PROTOCOL_VERSIONS

from gateway.app import GatewayApp
from gateway.dispatch import Dispatcher
from gateway.http_door import HttpDoor
from gateway.mcp_door import McpDoor
from gateway.ops_plane import PLANE, Facts, OpsService
from gateway.ratelimit import Buckets, RateLimiter
from gateway.requests import LOOPBACK, HostPolicy
from gateway.settings import GatewaySettings
from gateway.upstreams.budget import RetryBudget
from gateway.upstreams.upstream import Upstream
from loom import __version__
from loom.ops.v1 import ops_pb2
from runtime import ids
from runtime.breaker import Breaker, State
from runtime.call import Handler
from runtime.clock import Clock
from runtime.errors import LoomError
from runtime.health import Check, Health
from runtime.identity import Authenticator
from runtime.links import server_chain
from runtime.listening import is_loopback
from runtime.metrics import Metrics
from runtime.optable import Method, OpTable, load_ops
from runtime.process import ProcessSettings
from runtime.settings import Loaded
from runtime.telemetry import Telemetry
from runtime.transport import InProcess, Transport, handlers


@dataclass(frozen=True, slots=True)
class GatewayParts:
    """What the gateway is built from."""

    loaded: Loaded
    telemetry: Telemetry
    metrics: Metrics
    health: Health
    clock: Clock
    authenticator: Authenticator


@dataclass(frozen=True, slots=True)
class Gateway:
    """The gateway, built; `ops_bound` are the rpcs that it serves itself."""

    app: GatewayApp
    dispatcher: Dispatcher
    ops_bound: Mapping[str, tuple[Method, Handler]]


@contextlib.asynccontextmanager
async def gateway(parts: GatewayParts, transports: Mapping[str, Transport]) -> AsyncIterator[Gateway]:
    """The gateway in front of these planes, by plane name; it closes the transports."""
    table = load_ops().of_planes({PLANE, *transports})
    upstreams: dict[str, Upstream] = {}
    bound = _ops_bound(parts, table, upstreams)
    for name, transport in {**transports, PLANE: InProcess(bound)}.items():
        upstreams[name] = make_upstream(name, transport, parts)
        if name != PLANE:
            # Other planes go on serving, so one that does not is no reason to send callers elsewhere.
            parts.health.add(name, breaker_closed(upstreams[name]), spare=True)
    dispatcher = Dispatcher(
        table, upstreams, telemetry=parts.telemetry, metrics=parts.metrics, limiter=limiter_of(parts)
    )
    app, mcp = _app(parts, dispatcher, table)
    async with mcp.running():
        yield Gateway(app, dispatcher, bound)
    await asyncio.gather(*(upstream.close() for upstream in upstreams.values()))


def _app(parts: GatewayParts, dispatcher: Dispatcher, table: OpTable) -> tuple[GatewayApp, McpDoor]:
    common = parts.loaded[ProcessSettings]
    max_body = common.max_body_bytes
    hosts = hosts_of(parts.loaded[GatewaySettings])
    mcp = McpDoor(dispatcher, version=__version__, max_body=max_body)
    app = GatewayApp(
        ops=HttpDoor(dispatcher, max_body=max_body),
        mcp=mcp,
        dispatcher=dispatcher,
        health=parts.health,
        metrics=None if common.metrics_listen else parts.metrics,
        hosts=HostPolicy(hosts),
        token_required=parts.authenticator.mode == "tokens",
    )
    return app, mcp


def hosts_of(settings: GatewaySettings) -> tuple[str, ...]:
    """Hosts that requests may name; empty for any."""
    if settings.allowed_hosts:
        return tuple(host.lower() for host in settings.allowed_hosts)
    return LOOPBACK if is_loopback(settings.host) else ()


def _ops_bound(
    parts: GatewayParts, table: OpTable, upstreams: Mapping[str, Upstream]
) -> Mapping[str, tuple[Method, Handler]]:
    facts = Facts(
        auth_mode=parts.authenticator.mode,
        max_body_bytes=parts.loaded[ProcessSettings].max_body_bytes,
        mcp_versions=tuple(sorted(SUPPORTED_PROTOCOL_VERSIONS, reverse=True)),
    )
    service = OpsService(table, parts.health, upstreams, facts, parts.clock)
    chain = server_chain(
        PLANE, telemetry=parts.telemetry, metrics=parts.metrics, authenticator=parts.authenticator, clock=parts.clock
    )
    return handlers(service, ops_pb2.DESCRIPTOR.services_by_name["OpsService"], chain)


def limiter_of(parts: GatewayParts) -> RateLimiter | None:
    """None where there is no limit: in single-user mode, where there are no tokens to tell callers apart, never."""
    settings = parts.loaded[GatewaySettings]
    if parts.authenticator.mode != "tokens" or not settings.rate_limit_per_s:
        return None
    return RateLimiter(Buckets(parts.clock, per_s=settings.rate_limit_per_s, burst=settings.rate_limit_burst))


def make_upstream(name: str, transport: Transport, parts: GatewayParts) -> Upstream:
    """One plane with its limit, breaker and retry budget, all seen in the metrics."""
    settings, metrics = parts.loaded[GatewaySettings], parts.metrics

    def on_event(plane: str, event: str) -> None:
        if event == "retry":
            metrics.upstream_retry(plane)
        else:
            metrics.refused(plane, event)

    upstream = Upstream(
        name,
        transport,
        clock=parts.clock,
        breaker=Breaker(
            parts.clock, open_s=settings.breaker_open_s, on_change=lambda _, state: metrics.breaker_state(name, state)
        ),
        # A replica of two may take half of all calls down with it, and each is to find the other one.
        budget=RetryBudget(parts.clock, floor=max(3, settings.upstream_max_concurrent // 2)),
        rand=ids.fraction,
        max_concurrent=settings.upstream_max_concurrent,
        retries=settings.upstream_retries,
        on_event=on_event,
    )
    metrics.breaker_state(name, State.CLOSED)
    metrics.in_flight(name, lambda: upstream.stats().in_flight)
    return upstream


def breaker_closed(upstream: Upstream) -> Check:
    """A plane works as long as its breaker lets calls through.

    A probe that is due counts as that: an edge that sends nothing here while this fails would else never send the probe.
    """

    async def check() -> None:
        if upstream.refusing:
            raise LoomError("CIRCUIT_OPEN", "the plane failed repeatedly and is not asked for now")

    return check
