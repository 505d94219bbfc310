"""How Envoy treats a client's connection: limits, request ids, retries, traces, and what it writes down."""

from gateway.envoy import local_replies
from gateway.envoy.clusters import OTLP
from gateway.envoy.parts import EXTENSIONS, TYPE, Json, extension, header, seconds
from gateway.envoy.settings import Source
from gateway.http_protocol import HEAD_BYTES
from runtime import ids
from runtime.call import REQUEST_ID
from runtime.optable import load_ops

# The gateway's own limit, less room for what Envoy adds on the way.
HEAD_KB = (HEAD_BYTES >> 10) - 4
HEADERS = 200
# What a call gets beyond its deadline, so that whoever counts the deadline answers, and not Envoy.
SLACK_S = 5.0

# Only what no replica can have begun; a gateway sends calls to planes again that may be.
# With two replicas, another try often picks the same one again, hence so many attempts to find the other.
RETRY_POLICY: Json = {
    "retry_on": "connect-failure,refused-stream,reset-before-request",
    "num_retries": 3,
    "retry_back_off": {"base_interval": "0.005s", "max_interval": "0.05s"},
    "retry_host_predicate": [
        extension("envoy.retry_host_predicates.previous_hosts", "retry.host.previous_hosts.v3.PreviousHostsPredicate")
    ],
    "host_selection_retry_max_attempts": 10,
}

# For ops that may be done twice, when the gateway that had them is gone: nobody else is there to send them again.
AGAIN: Json = {**RETRY_POLICY, "retry_on": f"{RETRY_POLICY['retry_on']},reset"}


def manager_of(source: Source, name: str, routes: list[Json], replies: Json) -> Json:
    """The HTTP connection manager of a listener, as far as all listeners have it alike."""
    router = extension("envoy.filters.http.router", "filters.http.router.v3.Router", suppress_envoy_headers=True)
    manager: Json = {
        "stat_prefix": name,
        "generate_request_id": True,
        "preserve_external_request_id": True,
        # Envoy would else write its sampling decision into an id that is a UUID.
        "request_id_extension": extension("", "request_id.uuid.v3.UuidRequestIdConfig", pack_trace_reason=False),
        "max_request_headers_kb": HEAD_KB,
        "common_http_protocol_options": {"max_headers_count": HEADERS},
        "stream_idle_timeout": seconds(longest_s() + 2 * SLACK_S),
        "server_header_transformation": "PASS_THROUGH",
        "local_reply_config": replies,
        "route_config": {"virtual_hosts": [{"name": "all", "domains": ["*"], "routes": routes}]},
        "http_filters": [sound_request_id(), router],
    }
    del manager["request_id_extension"]["name"]
    if source.common.otlp_endpoint:
        manager["tracing"] = tracing(source.common.trace_sample_ratio)
    return manager


def longest_s() -> float:
    """The longest deadline of any op, in seconds."""
    return max(op.deadline_s for op in load_ops())


def http2(streams: int) -> Json:
    """Calls at once on one connection; windows that bound what a client that does not read makes Envoy hold."""
    return {
        "max_concurrent_streams": streams,
        "initial_stream_window_size": 1 << 16,
        "initial_connection_window_size": 1 << 20,
    }


def body_limit(limit: int) -> Json:
    """Bodies reach a gateway when they are whole and not over the limit, so that a slow one holds nothing there."""
    return extension("envoy.filters.http.buffer", "filters.http.buffer.v3.Buffer", max_request_bytes=limit)


def sound_request_id() -> Json:
    """A request id that is none is replaced here, as the gateway would: it stands in answers and logs."""
    fresh = {"append": header(REQUEST_ID, local_replies.FRESH_ID)}
    mutation = extension(
        "envoy.filters.http.header_mutation",
        "filters.http.header_mutation.v3.HeaderMutation",
        mutations={"request_mutations": [fresh]},
    )
    given = {
        "name": "request-headers",
        "typed_config": {
            "@type": f"{TYPE}envoy.type.matcher.v3.HttpRequestHeaderMatchInput",
            "header_name": REQUEST_ID,
        },
    }
    sound = {
        "single_predicate": {
            "input": given,
            "value_match": {"safe_regex": {"google_re2": {}, "regex": ids.REQUEST_ID.pattern}},
        }
    }
    skip = extension("skip", "filters.common.matcher.action.v3.SkipFilter")
    matcher = {"matcher_list": {"matchers": [{"predicate": sound, "on_match": {"action": skip}}]}}
    return extension(
        "request_id", "common.matching.v3.ExtensionWithMatcher", extension_config=mutation, xds_matcher=matcher
    )


def tracing(ratio: float) -> Json:
    """Spans of Envoy's own, in the caller's trace or in one that is begun here."""
    provider = {
        "name": "envoy.tracers.opentelemetry",
        "typed_config": {
            "@type": f"{TYPE}envoy.config.trace.v3.OpenTelemetryConfig",
            "grpc_service": {"envoy_grpc": {"cluster_name": OTLP}, "timeout": "1s"},
            "service_name": "loom-envoy",
        },
    }
    return {"random_sampling": {"value": ratio * 100}, "spawn_upstream_span": True, "provider": provider}


def refusals() -> Json:
    """A line for each request that Envoy answered by itself; of what the caller sent, it has the request id alone."""
    line = {
        "event": "envoy_refused",
        "time": "%START_TIME%",
        "route": "%ROUTE_NAME%",
        "status": "%RESPONSE_CODE%",
        "flags": "%RESPONSE_FLAGS%",
        "why": "%RESPONSE_CODE_DETAILS%",
        "duration_ms": "%DURATION%",
        "request_id": "%REQ(x-request-id)%",
    }
    return {
        "name": "envoy.access_loggers.stdout",
        # A body over the limit is the one refusal that Envoy has no flag for.
        "filter": {"or_filter": {"filters": [{"response_flag_filter": {}}, local_replies.status_is(413)]}},
        "typed_config": {
            "@type": f"{EXTENSIONS}access_loggers.stream.v3.StdoutAccessLog",
            "log_format": {"json_format": line},
        },
    }
