"""The gateway's process: the doors here, the planes behind gRPC addresses."""

import contextlib
import os
from collections.abc import Mapping

from gateway.build import GatewayParts, gateway
from gateway.http_server import HttpServer
from gateway.settings import GatewaySettings
from runtime import program
from runtime.clock import SystemClock
from runtime.guard import guard_of
from runtime.health import Health
from runtime.lifecycle import Lifecycle
from runtime.metrics import Metrics
from runtime.metrics_door import metrics_door
from runtime.process import ProcessSettings
from runtime.serve_plane import start_log
from runtime.settings import Loaded, SettingsError, load_all
from runtime.telemetry import Telemetry
from runtime.transport import GrpcTransport


def main() -> int:
    """Serves until a signal; returns the exit code."""
    try:
        loaded = load_all([ProcessSettings, GatewaySettings], os.environ)
        targets = targets_of(loaded[GatewaySettings])
        loaded[GatewaySettings].refuse_open_listener(allowed=loaded[ProcessSettings].may_listen_anywhere)
    except SettingsError as error:
        return program.refuse("gateway", str(error))
    start_log(loaded)
    return program.run("gateway", _serve(loaded, targets))


def targets_of(settings: GatewaySettings) -> Mapping[str, str]:
    """Plane -> gRPC address. Raises SettingsError for an entry that is none."""
    targets: dict[str, str] = {}
    for entry in settings.upstreams:
        plane, _, address = entry.partition("=")
        if not plane or not address:
            raise SettingsError(["LOOM_UPSTREAMS must be <plane>=<host:port>, separated by commas"])
        targets[plane.strip()] = address.strip()
    return targets


async def _serve(loaded: Loaded, targets: Mapping[str, str]) -> None:
    common, settings = loaded[ProcessSettings], loaded[GatewaySettings]
    telemetry = Telemetry.start("loom-gateway", endpoint=common.otlp_endpoint, sample_ratio=common.trace_sample_ratio)
    try:
        async with contextlib.AsyncExitStack() as stack:
            clock = SystemClock()
            guard = guard_of(common, clock)
            stack.push_async_callback(guard.close)
            await guard.start()
            parts = GatewayParts(loaded, telemetry, Metrics(), Health(), clock, guard.authenticator)
            stack.enter_context(metrics_door(common.metrics_listen, parts.metrics))
            lifecycle = Lifecycle(parts.health, drain_s=common.drain_s, grace_s=common.grace_s)
            lifecycle.listen()
            transports = {plane: GrpcTransport(address) for plane, address in targets.items()}
            front = await stack.enter_async_context(gateway(parts, transports))
            server = HttpServer(front.app, grace_s=common.grace_s)
            port = await server.start(settings.host, settings.port)
            stack.push_async_callback(server.stop)
            print(f"gateway serves on {settings.host}:{port}", flush=True)  # noqa: T201 - for whoever started it
            await lifecycle.run_until_stopped()
    finally:
        telemetry.shutdown()
