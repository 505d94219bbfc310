"""What Envoy listens to: the edge for clients, the inner door for Loom's own processes, and a page for scrapers."""

from gateway.envoy import local_replies
from gateway.envoy.certificates import tls
from gateway.envoy.clusters import ADMIN, GATEWAY
from gateway.envoy.connections import (
    AGAIN,
    RETRY_POLICY,
    SLACK_S,
    body_limit,
    http2,
    longest_s,
    manager_of,
    refusals,
)
from gateway.envoy.parts import Json, address, extension, seconds
from gateway.envoy.planes import Plane
from gateway.envoy.settings import Source
from runtime.call import SHARD
from runtime.optable import DEFAULT_DEADLINE_S, load_ops

CONNECTION_BYTES = 1 << 20
EDGE_STREAMS = 128
INNER_STREAMS = 4096
# However many clients come to the edge, and whatever they make it hold, Loom's own doors stay open.
ALWAYS: Json = {"ignore_global_conn_limit": True, "bypass_overload_manager": True}


def listeners(source: Source) -> list[Json]:
    """All listeners."""
    found = [edge(source), inner(source)]
    return [*found, stats(source)] if source.envoy.stats_listen else found


def edge(source: Source) -> Json:
    """For clients: HTTP/1.1 and HTTP/2, with TLS where there is a certificate."""
    envoy = source.envoy
    manager = manager_of(source, "edge", _edge_routes(source), local_replies.envelopes(source.common.max_body_bytes))
    manager |= {
        "codec_type": "AUTO",
        # No client is one of ours, wherever it comes from: what it says to Envoy itself is dropped.
        "use_remote_address": True,
        "internal_address_config": {},
        "normalize_path": True,
        # A slow client holds a place here and none in a gateway.
        "request_headers_timeout": seconds(envoy.head_timeout_s),
        "request_timeout": seconds(envoy.request_timeout_s),
        "http2_protocol_options": http2(EDGE_STREAMS),
        "access_log": [refusals()],
        "http_filters": [body_limit(source.common.max_body_bytes), *manager["http_filters"]],
    }
    manager["common_http_protocol_options"]["idle_timeout"] = seconds(envoy.idle_timeout_s)
    listener = _listener("edge", envoy.edge_listen, manager)
    if envoy.tls_cert:
        listener["filter_chains"][0]["transport_socket"] = tls(envoy)
    return listener


def inner(source: Source) -> Json:
    """For the gateway and the planes, which reach every plane here, by the service that they call."""
    routes = [_to_plane(source, plane, service) for plane in source.planes for service in plane.services]
    manager = manager_of(source, "inner", routes, local_replies.statuses(source.common.max_body_bytes))
    manager |= {
        "codec_type": "HTTP2",
        "http2_protocol_options": http2(INNER_STREAMS),
        "access_log": [refusals()],
        # Whoever reaches this door is one of Loom's own, and may say how a call is sent again.
        "use_remote_address": True,
        "skip_xff_append": True,
        "internal_address_config": {"cidr_ranges": [_all_of("0.0.0.0"), _all_of("::")]},  # noqa: S104 - no listener
    }
    return _listener("inner", source.envoy.inner_listen, manager) | ALWAYS


def _all_of(prefix: str) -> Json:
    return {"address_prefix": prefix, "prefix_len": 0}


def stats(source: Source) -> Json:
    """Two of Envoy's own pages, for those who may not see the others."""
    pages = [
        {"match": {"path": path, "headers": [_is_get()]}, "route": {"cluster": ADMIN}}
        for path in ("/ready", "/stats/prometheus")
    ]
    manager = manager_of(source, "stats", pages, local_replies.envelopes(source.common.max_body_bytes))
    return _listener("stats", source.envoy.stats_listen, manager) | ALWAYS


def _is_get() -> Json:
    return {"name": ":method", "string_match": {"exact": "GET"}}


def _edge_routes(source: Source) -> list[Json]:
    routes = []
    if source.envoy.grpc:
        routes = [_to_plane(source, plane, service) for plane in source.planes for service in plane.public]
    return [*routes, *_to_gateway()]


def _to_gateway() -> list[Json]:
    """Ops by what the contract says of them: how long they may take, and whether they may be sent again."""
    routes = [
        _gateway({"path": f"/v1/{op.http_path}"}, op.deadline_s, AGAIN if op.idempotent else RETRY_POLICY)
        for op in load_ops()
    ]
    # A body of MCP may hold any op.
    mcp = _gateway({"path": "/mcp"}, longest_s(), RETRY_POLICY)
    return [*routes, mcp, _gateway({"prefix": "/"}, DEFAULT_DEADLINE_S, RETRY_POLICY)]


def _gateway(match: Json, limit_s: float, policy: Json) -> Json:
    action = {"cluster": GATEWAY, "timeout": seconds(limit_s + SLACK_S), "retry_policy": policy}
    return {"name": GATEWAY, "match": match, "route": action}


def _to_plane(source: Source, plane: Plane, service: str) -> Json:
    action: Json = {
        "cluster": plane.name,
        "timeout": seconds(plane.longest_s + SLACK_S),
        "retry_policy": RETRY_POLICY,
    }
    if plane.name in source.envoy.by_user:
        # A caller of gRPC that names no shard at least meets one replica with one token.
        action["hash_policy"] = [
            {"header": {"header_name": SHARD}, "terminal": True},
            {"header": {"header_name": "authorization"}},
        ]
    return {"name": plane.name, "match": {"prefix": f"/{service}/", "grpc": {}}, "route": action}


def _listener(name: str, place: str, manager: Json) -> Json:
    kind = "filters.network.http_connection_manager.v3.HttpConnectionManager"
    return {
        "name": name,
        "address": address(place),
        "per_connection_buffer_limit_bytes": CONNECTION_BYTES,
        "filter_chains": [{"filters": [extension("envoy.filters.network.http_connection_manager", kind, **manager)]}],
    }
