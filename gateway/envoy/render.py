"""Envoy's whole configuration as one object that JSON and YAML can hold.

    config = render(Source.load(os.environ))

Nothing in it depends on the machine it was rendered on, so it can be rendered in a pipeline and mounted elsewhere.
"""

from gateway.envoy.clusters import clusters
from gateway.envoy.listeners import listeners
from gateway.envoy.overload import overload_manager
from gateway.envoy.parts import Json, address
from gateway.envoy.settings import Source

# HTTP/2: of the streams of one connection, half may be reset within their first second, once there were so many.
RESET_STREAMS, RESET_WITHIN_S = 500, 1
# Requests that one connection may have handled before others get their turn.
REQUESTS_A_TURN = 10


def render(source: Source) -> Json:
    """The configuration, as Envoy's `-c` takes it. Raises SettingsError for planes that are none."""
    return {
        "node": {"id": "loom-envoy", "cluster": "loom"},
        "admin": {"address": address(source.envoy.admin_listen)},
        "layered_runtime": {"layers": [{"name": "static", "static_layer": _runtime()}]},
        "overload_manager": overload_manager(source.envoy),
        "static_resources": {"listeners": listeners(source), "clusters": clusters(source)},
    }


def _runtime() -> Json:
    return {
        "overload.premature_reset_total_stream_count": RESET_STREAMS,
        "overload.premature_reset_min_stream_lifetime_seconds": RESET_WITHIN_S,
        "http.max_requests_per_io_cycle": REQUESTS_A_TURN,
    }
