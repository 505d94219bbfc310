"""Runs one plane as a process of its own: `python -m services.<plane>`."""

import contextlib
import logging
import os
from collections.abc import Mapping, Sequence

from runtime import logs, program
from runtime.grpc_server import GrpcServer
from runtime.lifecycle import Lifecycle
from runtime.listening import is_loopback, open_listener
from runtime.peers import connect, targets_of
from runtime.plane import Builder
from runtime.process import DIRECTORY, SETTINGS, ProcessSettings, process
from runtime.settings import Loaded, SettingsError, load_all, redacted, setting, settings

log = logging.getLogger("loom.serve")


@settings(prefix="LOOM_")
class ListenSettings:
    """Where a plane's process listens."""

    grpc_listen: str = setting("127.0.0.1:7700", help="`host:port` of a plane's gRPC server; port 0: a free one.")
    peers: tuple[str, ...] = setting(
        (),
        help="Other planes that this one calls, `<plane>=<host:port>` each: memory calls `observe`; tracker calls "
        "`directory`, and `memory` for `search`.",
    )

    @property
    def targets(self) -> dict[str, str]:
        """Plane -> gRPC address. Raises SettingsError for an entry that is none."""
        return targets_of(self.peers, "LOOM_PEERS")


def main(name: str, build: Builder, settings_classes: Sequence[type]) -> int:
    """Loads settings, serves until a signal, returns the exit code."""
    try:
        loaded = load_all([*SETTINGS, ListenSettings, *settings_classes], os.environ)
        refuse_unguarded(name, loaded)
        targets = loaded[ListenSettings].targets
    except SettingsError as error:
        return program.refuse(name, str(error))
    start_log(loaded)
    return program.run(name, _serve(name, build, loaded, targets))


def refuse_unguarded(name: str, loaded: Loaded) -> None:
    """Raises SettingsError for an address beyond loopback without keys, and for keys without a directory."""
    common, address = loaded[ProcessSettings], loaded[ListenSettings].grpc_listen
    if not is_loopback(address.rpartition(":")[0]) and not common.may_listen_anywhere:
        raise SettingsError([open_listener("LOOM_GRPC_LISTEN", address)])
    if common.keys_dir and not common.directory and name != DIRECTORY:
        raise SettingsError(["LOOM_DIRECTORY must be the directory plane's host:port where LOOM_KEYS_DIR is set"])


def start_log(loaded: Loaded) -> None:
    """Sets up the log; its first line is the settings, without secrets."""
    logs.setup(loaded[ProcessSettings].log_level)
    log.info(
        "settings", extra={"settings": {k: v for one in loaded.instances.values() for k, v in redacted(one).items()}}
    )
    for warning in loaded.warnings:
        log.warning("settings: %s", warning)


async def _serve(name: str, build: Builder, loaded: Loaded, targets: Mapping[str, str]) -> None:
    async with process(loaded, f"loom-{name}") as parts, contextlib.AsyncExitStack() as stack:
        common = parts.common
        lifecycle = Lifecycle(parts.health, drain_s=common.drain_s, grace_s=common.grace_s)
        lifecycle.listen()
        connect(parts.peers, targets)
        plane = await parts.plane(name, build)
        stack.push_async_callback(plane.close)
        server = GrpcServer(plane.bound, max_body=common.max_body_bytes, max_concurrent=common.max_concurrent)
        address = loaded[ListenSettings].grpc_listen
        port = await server.start(address)
        stack.push_async_callback(server.stop, common.grace_s)
        print(f"{name} serves on {address.rpartition(':')[0]}:{port}", flush=True)  # noqa: T201 - for whoever started it
        await lifecycle.run_until_stopped(server.drain)
