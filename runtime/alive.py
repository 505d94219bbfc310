"""`python -m runtime.alive`: whether the process of this container serves, for a container's health check.

It asks by the settings that the process itself reads: a plane its gRPC health, else the HTTP door its `/healthz`.
"""

import os
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

TIMEOUT_S = 2.0
ANY = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "[::]": "[::1]"}  # noqa: S104 - where a process listens, not this one


def serves(environ: Mapping[str, str]) -> bool:
    """True when it says so within two seconds."""
    if listen := environ.get("LOOM_GRPC_LISTEN"):
        host, _, port = listen.rpartition(":")
        return grpc_serves(f"{ANY.get(host, host)}:{port}")
    host, port = environ.get("LOOM_HOST", ""), environ.get("LOOM_PORT", "") or "7777"
    return _http(f"http://{ANY.get(host, host) or '127.0.0.1'}:{port}/healthz", environ.get("LOOM_ALLOWED_HOSTS", ""))


def grpc_serves(address: str) -> bool:
    """Whether a gRPC server at `host:port` says so within two seconds."""
    with grpc.insecure_channel(address) as channel:
        try:
            stub = health_pb2_grpc.HealthStub(channel)
            answer = stub.Check(health_pb2.HealthCheckRequest(), timeout=TIMEOUT_S)
        except grpc.RpcError:
            return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def _http(url: str, hosts: str) -> bool:
    request = urllib.request.Request(url)  # noqa: S310 - of our own settings
    if hosts:
        request.add_header("Host", hosts.partition(",")[0].strip())
    try:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=TIMEOUT_S) as answer:
            return bool(answer.status == 200)
    except (OSError, urllib.error.URLError):
        return False


if __name__ == "__main__":
    sys.exit(0 if serves(os.environ) else 1)
