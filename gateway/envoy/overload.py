"""What Envoy does when clients make it hold too much, so that it is not killed with everybody's calls.

A body reaches a gateway when it is whole, so until then Envoy holds it: a limit of connections alone would let slow
clients without a token fill any memory.
"""

from gateway.envoy.parts import TYPE, Json, extension, seconds
from gateway.envoy.settings import EnvoySettings

MONITORS, ACTIONS, POINTS = "envoy.resource_monitors.", "envoy.overload_actions.", "envoy.load_shed_points."
HEAP = f"{MONITORS}fixed_heap"
# How often the heap is looked at.
LOOK_S = 0.1
# From where to where more and more is shed, as shares of the heap; from where on freed memory is given back.
SHED, GIVE_BACK = (0.7, 0.9), 0.8
# The least that idle connections, and requests of which nothing comes or goes, are given when the heap is nearly full.
IDLE_S, SILENT_S = 5, 15


def overload_manager(envoy: EnvoySettings) -> Json:
    """Limits of connections and of memory, and what is done as the latter comes near."""
    connections = extension(
        f"{MONITORS}global_downstream_max_connections",
        "resource_monitors.downstream_connections.v3.DownstreamConnectionsConfig",
        max_active_downstream_connections=envoy.max_connections,
    )
    kind = "resource_monitors.fixed_heap.v3.FixedHeapConfig"
    heap = extension(HEAP, kind, max_heap_size_bytes=envoy.max_heap_mib << 20)
    return {
        "refresh_interval": seconds(LOOK_S),
        "resource_monitors": [connections, heap],
        "actions": [
            _shed(f"{ACTIONS}reduce_timeouts") | {"typed_config": _sooner()},
            {"name": f"{ACTIONS}shrink_heap", "triggers": [{"name": HEAP, "threshold": {"value": GIVE_BACK}}]},
        ],
        # Requests whose head was taken can fill the heap too, so what still comes of them is shed as well.
        "loadshed_points": [
            _shed(f"{POINTS}http1_server_abort_dispatch"),
            _shed(f"{POINTS}http2_server_go_away_and_close_on_dispatch"),
        ],
    }


def _shed(name: str) -> Json:
    scaled = {"scaling_threshold": SHED[0], "saturation_threshold": SHED[1]}
    return {"name": name, "triggers": [{"name": HEAP, "scaled": scaled}]}


def _sooner() -> Json:
    least = {"HTTP_DOWNSTREAM_CONNECTION_IDLE": IDLE_S, "HTTP_DOWNSTREAM_STREAM_IDLE": SILENT_S}
    timers = [{"timer": timer, "min_timeout": seconds(number)} for timer, number in least.items()]
    return {"@type": f"{TYPE}envoy.config.overload.v3.ScaleTimersOverloadActionConfig", "timer_scale_factors": timers}
