"""`/metrics` at an address of its own, so that a scraper needs no way to the doors and a plane without HTTP can be seen."""

import contextlib
from collections.abc import Iterator

from prometheus_client import start_http_server

from runtime.metrics import Metrics
from runtime.settings import SettingsError


def place_of(text: str) -> tuple[str, int] | None:
    """Host and port of `host:port`; None for an empty text. Raises SettingsError for any other."""
    if not text:
        return None
    host, _, port = text.rpartition(":")
    if not host or not (port.isascii() and port.isdigit()) or int(port) > 65535:
        raise SettingsError(["LOOM_METRICS_LISTEN must be <host>:<port>"])
    return host.strip("[]"), int(port)


@contextlib.contextmanager
def metrics_door(listen: str, metrics: Metrics) -> Iterator[int]:
    """Serves the metrics on a thread for the length of the block; yields the port, or 0 where there is no address.

    Raises SettingsError for an address that is none, OSError for one that is taken.
    """
    place = place_of(listen)
    if place is None:
        yield 0
        return
    host, port = place
    server, thread = start_http_server(port, host, registry=metrics.registry)
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
