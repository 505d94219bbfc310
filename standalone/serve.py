"""`loom serve`: gateway and planes in one process, on the embedded engine or a ClickHouse server."""

import argparse
import contextlib
import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gateway.build import Gateway, GatewayParts, gateway
from gateway.http_server import HttpServer
from gateway.settings import GatewaySettings
from runtime import program
from runtime.embedding.settings import EmbedderSettings
from runtime.grpc_server import GrpcServer
from runtime.jwks import JWKS
from runtime.lifecycle import Lifecycle
from runtime.plane import Builder, Plane
from runtime.process import SETTINGS, Process, ProcessSettings, StoreSettings, process
from runtime.serve_plane import start_log
from runtime.settings import Loaded, SettingsError, load_all
from runtime.store.config import chdb_folder
from runtime.transport import InProcess
from services.directory.build import build_with_keys as build_directory
from services.memory.build import build as build_memory
from services.memory.settings import MemorySettings
from services.memory.workers.settings import ExtractionSettings
from services.observe.build import build as build_observe
from services.observe.settings import ObserveSettings
from services.tracker.build import SETTINGS as TRACKER_SETTINGS
from services.tracker.build import build as build_tracker
from standalone.backup.serve import Backups
from standalone.banner import banner
from standalone.commanded import Commands
from standalone.control import control_door
from standalone.loading.first_start import Demo, demo_record
from standalone.own_trackers import own_trackers

log = logging.getLogger("loom.serve")

# The directory first: from then on it answers for the rights of whoever calls the others.
PLANES: dict[str, Builder] = {
    "directory": build_directory,
    "observe": build_observe,
    "memory": build_memory,
    "tracker": build_tracker,
}
ALL_SETTINGS = (
    *SETTINGS,
    GatewaySettings,
    ObserveSettings,
    MemorySettings,
    EmbedderSettings,
    ExtractionSettings,
    *TRACKER_SETTINGS,
)


@dataclass(frozen=True, slots=True)
class GrpcDoor:
    """Where the gRPC door listens; `required` when somebody asked for that very port."""

    port: int
    required: bool


def settings_from(environ: Mapping[str, str]) -> Loaded:
    """Every setting of the process. Raises SettingsError with all that is wrong."""
    loaded = own_trackers(load_all(tuple(dict.fromkeys(ALL_SETTINGS)), environ), environ)
    _refuse_forgotten_keys(loaded)
    loaded[GatewaySettings].refuse_open_listener(allowed=loaded[ProcessSettings].may_listen_anywhere)
    return loaded


def _refuse_forgotten_keys(loaded: Loaded) -> None:
    """Keys where `loom keys new` puts them were made for these data: without them, nobody would need a token."""
    keys = Path(loaded[StoreSettings].data_dir) / "keys"
    if not loaded[ProcessSettings].keys_dir and (keys / JWKS).exists():
        raise SettingsError(
            [
                f"LOOM_KEYS_DIR: there are keys in {keys}. Set it to that folder, or move the keys away for single-user mode"
            ]
        )


async def serve(loaded: Loaded, grpc_door: GrpcDoor | None, *, demo: bool = False) -> None:
    """Serves until a signal. With `demo`, the demo record is in before anything is served."""
    async with contextlib.AsyncExitStack() as stack:
        parts = await stack.enter_async_context(process(loaded, "loom"))
        lifecycle = Lifecycle(parts.health, drain_s=parts.common.drain_s, grace_s=parts.common.grace_s)
        lifecycle.listen()
        planes = await _build_planes(parts, stack)
        await stack.enter_async_context(_control(parts, planes))
        record = await demo_record(loaded, _transports(planes), lambda: lifecycle.stopping) if demo else Demo.NOT_ASKED
        front = await stack.enter_async_context(gateway(_gateway_parts(parts), _transports(planes)))
        grpc_server = await _start_grpc(parts, planes, front, grpc_door, stack)
        server = HttpServer(front.app, grace_s=parts.common.grace_s)
        settings = loaded[GatewaySettings]
        port = await server.start(settings.host, settings.port)
        stack.push_async_callback(server.stop)
        grpc_port, tokens = grpc_server.port if grpc_server else None, parts.authenticator.mode == "tokens"
        print(banner(settings.host, port, grpc_port, tokens=tokens, demo=record), flush=True)  # noqa: T201
        await lifecycle.run_until_stopped(*([grpc_server.drain] if grpc_server else []))


async def _build_planes(parts: Process, stack: contextlib.AsyncExitStack) -> list[Plane]:
    planes = []
    for name, build in PLANES.items():
        plane = await parts.plane(name, build)
        stack.push_async_callback(plane.close)
        planes.append(plane)
    return planes


def _control(parts: Process, planes: Sequence[Plane]) -> contextlib.AbstractAsyncContextManager[None]:
    config = parts.loaded[StoreSettings].config()
    folder = chdb_folder(config) if config.dsn.startswith("chdb:") else None
    backups = Backups(parts.store, parts.clock, [plane.settled for plane in planes])
    return control_door(folder, Commands(backups, [plane.commands for plane in planes]))


def _gateway_parts(parts: Process) -> GatewayParts:
    return GatewayParts(parts.loaded, parts.telemetry, parts.metrics, parts.health, parts.clock, parts.authenticator)


def _transports(planes: list[Plane]) -> dict[str, InProcess]:
    return {plane.name: InProcess(plane.bound) for plane in planes}


async def _start_grpc(
    parts: Process, planes: list[Plane], front: Gateway, door: GrpcDoor | None, stack: contextlib.AsyncExitStack
) -> GrpcServer | None:
    if door is None:
        return None
    bound = dict(front.ops_bound)
    for plane in planes:
        bound.update(plane.bound)
    server = GrpcServer(bound, max_body=parts.common.max_body_bytes, max_concurrent=parts.common.max_concurrent)
    try:
        await server.start(f"{parts.loaded[GatewaySettings].host}:{door.port}")
    except OSError as error:
        if door.required:
            raise
        log.warning("no gRPC door: %s", error)
        return None
    stack.push_async_callback(server.stop, parts.common.grace_s)
    return server


class ServeCommand:
    """The `serve` command of the loom program."""

    name = "serve"
    help = "serve Loom on this machine: every plane in one process"

    def configure(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--host", help="address to listen on (LOOM_HOST, default 127.0.0.1)")
        parser.add_argument("--port", type=int, help="port of HTTP and MCP (LOOM_PORT, default 7777; 0: a free one)")
        parser.add_argument("--grpc-port", type=int, help="port of gRPC (default: the HTTP port + 1; -1: none)")
        parser.add_argument("--data", help="data folder (LOOM_DATA_DIR, default .loom)")
        parser.add_argument(
            "--demo", action="store_true", help="load the demo record of a tracker, on the first start only"
        )

    def run(self, args: argparse.Namespace) -> int:
        environ = dict(os.environ)
        for variable, value in (("LOOM_HOST", args.host), ("LOOM_PORT", args.port), ("LOOM_DATA_DIR", args.data)):
            if value is not None:
                environ[variable] = str(value)
        try:
            loaded = settings_from(environ)
        except SettingsError as error:
            return program.refuse("loom serve", str(error))
        start_log(loaded)
        door = grpc_door(args.grpc_port, loaded[GatewaySettings].port)
        return program.run("loom serve", serve(loaded, door, demo=args.demo))


def grpc_door(given: int | None, http_port: int) -> GrpcDoor | None:
    """The gRPC door that the arguments ask for: -1 none, a number that port, nothing the HTTP port's neighbour."""
    if given is not None:
        return None if given < 0 else GrpcDoor(given, required=True)
    return GrpcDoor(http_port + 1 if http_port else 0, required=False)


command = ServeCommand()
