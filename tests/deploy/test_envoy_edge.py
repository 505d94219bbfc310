"""What the edge does beside passing calls on: TLS, traces, deadlines, probes, and one replica for one user."""

import asyncio
import json
import shutil
import ssl
from pathlib import Path
from typing import Any

import httpx
import pytest

from gateway.envoy.certificates import secret
from gateway.envoy.settings import Source
from tests.support.cluster import free_address, until
from tests.support.edge import TIMEOUT_S, edge
from tests.support.envelope import SHAPE as ENVELOPE
from tests.support.otlp import OtlpReceiver
from tests.support.server import Server
from tests.support.tls import Certificate, certificate

TRACE, PARENT = "2" * 32, "b7ad6b7169203331"


class Mounted:
    """A secret as Kubernetes mounts it: files are links into a folder that is exchanged as a whole."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._number = folder, 0
        folder.mkdir()
        self.cert, self.key = folder / "tls.crt", folder / "tls.key"
        for path in (self.cert, self.key):
            path.symlink_to(Path("..data") / path.name)

    def put(self, cert: Certificate, key: Certificate) -> None:
        self._number += 1
        fresh, link = self.folder / f"..{self._number}", self.folder / "..data_tmp"
        fresh.mkdir()
        shutil.copy(cert.path, fresh / self.cert.name)
        shutil.copy(key.path, fresh / self.key.name)
        link.symlink_to(fresh.name)
        link.rename(self.folder / "..data")

    def settings(self, sds: Path) -> dict[str, str]:
        """Of an edge with this certificate; `sds` is written."""
        found = {
            "LOOM_ENVOY_TLS_CERT": str(self.cert),
            "LOOM_ENVOY_TLS_KEY": str(self.key),
            "LOOM_ENVOY_TLS_SDS": str(sds),
        }
        sds.write_text(json.dumps(secret(Source.load(found).envoy)))
        return found


def is_shown(place: str, expected: Certificate) -> bool:
    """Whether a new connection gets this certificate."""
    host, _, port = place.rpartition(":")
    shown = ssl.get_server_certificate((host, int(port)), timeout=TIMEOUT_S)
    return shown in expected.path.read_text()


def made(folder: Path, name: str) -> Certificate:
    (folder / name).mkdir()
    return certificate(folder / name, "localhost")


def test_with_a_certificate_the_edge_speaks_tls_alone(server: Server, tmp_path: Path) -> None:
    cert = certificate(tmp_path, "localhost")
    both = {"LOOM_ENVOY_TLS_CERT": str(cert.path), "LOOM_ENVOY_TLS_KEY": str(cert.path)}
    with edge(tmp_path / "envoy", server, **both) as envoy:
        place = f"localhost:{envoy.address.rpartition(':')[2]}"
        with httpx.Client(verify=cert.trusted(), trust_env=False, timeout=TIMEOUT_S) as http:
            assert http.post(f"https://{place}/v1/observe.list", json={}).status_code == 200
        with pytest.raises(httpx.TransportError), httpx.Client(trust_env=False) as plain:
            plain.get(f"http://{place}/healthz")


def test_a_renewed_certificate_is_shown_without_a_restart_and_a_bad_one_is_not(server: Server, tmp_path: Path) -> None:
    first, second = made(tmp_path, "first"), made(tmp_path, "second")
    mounted = Mounted(tmp_path / "tls")
    mounted.put(first, first)
    with edge(tmp_path / "envoy", server, **mounted.settings(tmp_path / "certificate.yaml")) as envoy:
        assert is_shown(envoy.address, first)
        place = f"https://localhost:{envoy.address.rpartition(':')[2]}"
        with httpx.Client(base_url=place, verify=first.trusted(), trust_env=False, timeout=TIMEOUT_S) as http:
            assert http.post("/v1/observe.list", json={}).status_code == 200
            mounted.put(second, first)
            until(lambda: envoy.counter("sds.edge.key_rotation_failed") == 1)
            assert is_shown(envoy.address, first)
            mounted.put(second, second)
            until(lambda: is_shown(envoy.address, second))
            # A connection goes on with what it began with: nobody is cut off.
            assert http.post("/v1/observe.list", json={}).status_code == 200


def hasty(config: dict[str, Any]) -> None:
    """Each span is sent at once, where Envoy would gather them for seconds."""
    config["layered_runtime"]["layers"][0]["static_layer"]["tracing.opentelemetry.min_flush_spans"] = 1


async def test_envoys_spans_stand_in_the_callers_trace_and_the_request_id_is_left_alone(
    server: Server, tmp_path: Path
) -> None:
    given = {"traceparent": f"00-{TRACE}-{PARENT}-01", "x-request-id": "00000000-0000-4000-8000-000000000007"}
    async with OtlpReceiver() as receiver:
        with edge(tmp_path, server, hasty, LOOM_OTLP_ENDPOINT=receiver.endpoint) as envoy:
            async with httpx.AsyncClient(trust_env=False, timeout=TIMEOUT_S) as http:
                response = await http.post(f"http://{envoy.address}/v1/observe.list", json={}, headers=given)
            assert response.headers["x-request-id"] == given["x-request-id"]
            spans = await receiver.wait_for(lambda spans: any(s.parent_id == PARENT for s in spans), TIMEOUT_S)
    assert {span.trace_id for span in spans if span.parent_id == PARENT} == {TRACE}


def hurried(config: dict[str, Any]) -> None:
    for listener in config["static_resources"]["listeners"]:
        manager = listener["filter_chains"][0]["filters"][0]["typed_config"]
        for route in manager["route_config"]["virtual_hosts"][0]["routes"]:
            route["route"]["timeout"] = "0.2s"


async def test_a_gateway_that_never_answers_is_given_up_in_the_one_shape(tmp_path: Path) -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    address = free_address()
    host, _, port = address.rpartition(":")
    async with await asyncio.start_server(silent, host, int(port)):
        with edge(tmp_path, address, hurried) as envoy:
            async with httpx.AsyncClient(trust_env=False, timeout=TIMEOUT_S) as http:
                response = await http.post(f"http://{envoy.address}/v1/observe.list", json={})
    detail = response.json()["detail"]
    assert (response.status_code, detail["code"], set(detail)) == (504, "DEADLINE_EXCEEDED", set(ENVELOPE))


def test_scrapers_and_probes_see_two_pages_and_no_more(server: Server, tmp_path: Path) -> None:
    place = free_address()
    with (
        edge(tmp_path, server, LOOM_ENVOY_STATS_LISTEN=place),
        httpx.Client(base_url=f"http://{place}", trust_env=False, timeout=TIMEOUT_S) as http,
    ):
        assert http.get("/ready").status_code == 200
        assert "envoy_cluster_upstream_rq_total" in http.get("/stats/prometheus").text
        for method, path in (("POST", "/quitquitquit"), ("GET", "/config_dump"), ("POST", "/ready"), ("GET", "/")):
            assert http.request(method, path).json()["detail"]["code"] == "ROUTE_NOT_FOUND"
