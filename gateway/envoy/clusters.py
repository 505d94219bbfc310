"""Where Envoy sends calls, and when it stops sending them somewhere: one cluster a plane, and one for the gateways."""

from gateway.envoy.parts import EXTENSIONS, HTTP_OPTIONS, Json, endpoints, extension, seconds
from gateway.envoy.planes import Plane
from gateway.envoy.settings import Source, host_of

GATEWAY, ADMIN, OTLP = "gateway", "admin", "otlp"
# Below uvicorn's 5 s: Envoy must be the one that ends an idle connection, or a request meets one that is being closed.
IDLE_S = 4
PING_TIMEOUT_S = 1
RING = 1024


def clusters(source: Source) -> list[Json]:
    """All clusters."""
    found = [gateways(source), *(plane(source, each) for each in source.planes)]
    if source.envoy.stats_listen:
        found.append(_plain(ADMIN, [source.envoy.admin_listen]))
    if source.common.otlp_endpoint:
        found.append(_otlp(source.common.otlp_endpoint))
    return found


def plane(source: Source, served: Plane) -> Json:
    """One plane's replicas, over HTTP/2."""
    envoy, host = source.envoy, host_of(served.addresses[0])
    # A plane may serve packages and services beside its own; its own is what it is asked about.
    own = f"loom.{served.name}.v1.{served.name.capitalize()}Service"
    asked = own if own in served.public else served.public[0]
    check = {"grpc_health_check": {"service_name": asked, "authority": host}}
    ping = {"interval": seconds(envoy.ping_s), "timeout": seconds(PING_TIMEOUT_S)}
    http = {"explicit_http_config": {"http2_protocol_options": {"connection_keepalive": ping}}}
    balance: Json = {"lb_policy": "LEAST_REQUEST"}
    if served.name in envoy.by_user:
        balance = {"lb_policy": "RING_HASH", "ring_hash_lb_config": {"minimum_ring_size": RING}}
    return _replicas(source, served.name, served.addresses, check) | balance | _http(http)


def gateways(source: Source) -> Json:
    """The gateways, over HTTP/1.1."""
    allowed = source.gateway.allowed_hosts
    host = allowed[0] if allowed else host_of(source.gateways[0])
    # A request that a gateway's connection dies under is not sent again: it may have been done.
    http = {
        "common_http_protocol_options": {"idle_timeout": seconds(IDLE_S)},
        "explicit_http_config": {"http_protocol_options": {}},
    }
    check = {"http_health_check": {"path": "/readyz", "host": host}}
    return _replicas(source, GATEWAY, source.gateways, check) | {"lb_policy": "LEAST_REQUEST"} | _http(http)


def _replicas(source: Source, name: str, addresses: tuple[str, ...] | list[str], check: Json) -> Json:
    return {
        "name": name,
        "cluster_type": STRICT_DNS,
        "connect_timeout": seconds(source.envoy.connect_timeout_s),
        "load_assignment": endpoints(name, addresses),
        # At the default of a second, workers go on picking a replica for that long after it was taken out.
        "common_lb_config": {"update_merge_window": "0s"},
        "health_checks": [_health(source) | check],
        "outlier_detection": OUTLIERS,
        "circuit_breakers": {"thresholds": [_limits(source)]},
    }


# Each address of the name is a replica, as a headless service of Kubernetes has it. Asked for often, since the answers
# are the cluster's own and a new replica waits for the next one.
STRICT_DNS = extension(
    "envoy.cluster.dns",
    "clusters.dns.v3.DnsCluster",
    dns_refresh_rate="2s",
    dns_lookup_family="V4_PREFERRED",
    respect_dns_ttl=False,
)


def _health(source: Source) -> Json:
    interval = seconds(source.envoy.health_interval_s)
    return {
        "timeout": seconds(source.envoy.health_timeout_s),
        "interval": interval,
        # Before there was a call, as often as after: else a replica that starts first is looked at a minute later.
        "no_traffic_interval": interval,
        "interval_jitter_percent": 10,
        "unhealthy_threshold": 2,
        "healthy_threshold": 1,
    }


# A replica that fails every other call never fails several in a row, so the percentage rule is needed; its defaults
# want five replicas and fifty calls. One that is well again by its own word comes back at the next look.
OUTLIERS: Json = {
    "consecutive_5xx": 5,
    "consecutive_gateway_failure": 5,
    "interval": "1s",
    "base_ejection_time": "5s",
    "max_ejection_percent": 50,
    "split_external_local_origin_errors": True,
    "consecutive_local_origin_failure": 2,
    "enforcing_success_rate": 0,
    "enforcing_failure_percentage": 100,
    "failure_percentage_threshold": 30,
    "failure_percentage_minimum_hosts": 2,
    "failure_percentage_request_volume": 20,
}


def _limits(source: Source) -> Json:
    return {
        "priority": "DEFAULT",
        "max_connections": source.envoy.max_requests,
        "max_pending_requests": source.envoy.max_requests,
        "max_requests": source.envoy.max_requests,
        # When a replica dies, all calls that were about to go to it are sent again at once; beyond this they fail.
        "retry_budget": {"budget_percent": {"value": 20}, "min_retry_concurrency": source.common.max_concurrent},
        "track_remaining": True,
    }


def _http(options: Json) -> Json:
    made = {"@type": f"{EXTENSIONS}upstreams.http.v3.HttpProtocolOptions", **options}
    return {"typed_extension_protocol_options": {HTTP_OPTIONS: made}}


def _plain(name: str, addresses: list[str]) -> Json:
    return {
        "name": name,
        "cluster_type": STRICT_DNS,
        "connect_timeout": "1s",
        "load_assignment": endpoints(name, addresses),
    }


def _otlp(endpoint: str) -> Json:
    scheme, _, rest = endpoint.rpartition("://")
    place = rest.partition("/")[0]
    cluster = _plain(OTLP, [place]) | _http({"explicit_http_config": {"http2_protocol_options": {}}})
    if scheme == "https":
        tls = extension("tls", "transport_sockets.tls.v3.UpstreamTlsContext", sni=host_of(place))
        cluster["transport_socket"] = {**tls, "name": "envoy.transport_sockets.tls"}
    return cluster
