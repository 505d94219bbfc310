"""The chart's Envoy is the one that `gateway/envoy/render.py` makes of the same settings, and the real one takes it."""

import asyncio
import contextlib
import json
import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from gateway.envoy.certificates import secret
from gateway.envoy.planes import contract_planes
from gateway.envoy.render import render
from gateway.envoy.settings import Source
from tests.support.chart import LEAST, SHAPES, container, merged, of_kind
from tests.support.envoy import Envoy
from tests.support.server import clean_environ
from tools import chart

FIXED = {
    "LOOM_KEYS_DIR": "/keys",
    "LOOM_ENVOY_EDGE_LISTEN": "0.0.0.0:8080",
    "LOOM_ENVOY_INNER_LISTEN": "0.0.0.0:7780",
    "LOOM_ENVOY_STATS_LISTEN": "0.0.0.0:9902",
    "LOOM_ENVOY_GATEWAYS": "rel-loom-gateway:7777",
    "LOOM_TRACE_SAMPLE_RATIO": "0.1",
}
TLS = {
    "LOOM_ENVOY_TLS_CERT": "/tls/tls.crt",
    "LOOM_ENVOY_TLS_KEY": "/tls/tls.key",
    "LOOM_ENVOY_TLS_SDS": "/config/certificate.yaml",
}
# Values of the chart, and the settings that say the same.
SAME: dict[str, tuple[dict[str, Any], dict[str, str]]] = {
    "least": (LEAST, {}),
    "strict-security": (SHAPES["strict-security"], TLS),
    "ha": (
        SHAPES["ha"],
        TLS
        | {
            "LOOM_ENVOY_GRPC": "on",
            "LOOM_OTLP_ENDPOINT": "http://otel-collector.monitoring:4317",
            "LOOM_TRACE_SAMPLE_RATIO": "0.05",
            "LOOM_ALLOWED_HOSTS": "loom.example.com",
        },
    ),
    "limits": (
        merged(
            LEAST,
            {
                "limits": {"maxConcurrent": 99},
                "envoy": {
                    "maxConnections": 1_000_000,
                    "maxHeapMebibytes": 300,
                    "maxRequests": 77,
                    "requestTimeoutSeconds": 7,
                    "idleTimeoutSeconds": 8,
                },
            },
        ),
        {
            "LOOM_MAX_CONCURRENT": "99",
            "LOOM_ENVOY_MAX_CONNECTIONS": "1000000",
            "LOOM_ENVOY_MAX_HEAP_MIB": "300",
            "LOOM_ENVOY_MAX_REQUESTS": "77",
            "LOOM_ENVOY_REQUEST_TIMEOUT_S": "7",
            "LOOM_ENVOY_IDLE_TIMEOUT_S": "8",
        },
    ),
}


def of_chart(values: dict[str, Any]) -> dict[str, Any]:
    return yaml.load(of_kind(values, "ConfigMap")["envoy"]["data"]["envoy.yaml"], yaml.CSafeLoader)


def of_settings(values: dict[str, Any], more: dict[str, str]) -> dict[str, Any]:
    tracker = values.get("planes", {}).get("tracker", {}).get("enabled", False)
    served = [plane for plane in contract_planes() if plane != "tracker" or tracker]
    planes = ",".join(f"{plane}=rel-loom-{plane}:7700" for plane in served)
    return render(Source.load({**FIXED, "LOOM_ENVOY_PLANES": planes, **more}))


@pytest.mark.parametrize("shape", SAME)
def test_the_charts_configuration_is_the_rendered_one(shape: str) -> None:
    values, settings = SAME[shape]
    assert of_chart(values) == of_settings(values, settings)


@pytest.mark.parametrize("shape", SAME)
def test_the_charts_certificate_is_watched_where_there_is_one(shape: str) -> None:
    values, settings = SAME[shape]
    data = of_kind(values, "ConfigMap")["envoy"]["data"]
    if "LOOM_ENVOY_TLS_SDS" not in settings:
        assert set(data) == {"envoy.yaml"}
        return
    assert yaml.safe_load(data["certificate.yaml"]) == secret(Source.load(TLS).envoy)
    mounts = {mount["mountPath"] for mount in container(values, "envoy")["volumeMounts"]}
    assert {"/config", "/tls"} <= mounts


def test_the_template_is_what_make_gen_makes() -> None:
    assert chart.TEMPLATE.read_text() == chart.template(), "run `make gen` and commit what it changes"


@pytest.mark.parametrize("shape", SAME)
def test_the_real_envoy_takes_the_charts_configuration(shape: str, tmp_path: Path) -> None:
    config = of_chart(SAME[shape][0])
    for listener in config["static_resources"]["listeners"]:
        # Envoy reads the files of a certificate even to validate.
        listener["filter_chains"][0].pop("transport_socket", None)
    found = Envoy(tmp_path, config).validate()
    assert found.returncode == 0, found.stderr[-2000:]


def test_a_change_of_the_configuration_makes_new_pods() -> None:
    def checksum(values: dict[str, Any]) -> str:
        return of_kind(values, "Deployment")["envoy"]["spec"]["template"]["metadata"]["annotations"]["checksum/config"]

    assert checksum(LEAST) == checksum(merged(LEAST, {"gateway": {"replicas": 5}}))
    assert checksum(LEAST) != checksum(merged(LEAST, {"envoy": {"maxRequests": 7}}))


def test_a_condition_of_several_switches_is_found_and_another_one_is_refused() -> None:
    everything = {(a, b) for a in (False, True) for b in (False, True)}
    assert chart.condition(["a", "b"], everything) == []
    assert chart.condition(["a", "b"], {(True, False), (True, True)}) == ["a"]
    assert chart.condition(["a", "b"], {(True, True)}) == ["a", "b"]
    with pytest.raises(ValueError, match="another rule"):
        chart.condition(["a", "b"], {(False, False)})


async def test_before_it_ends_envoy_asks_its_clients_to_come_again_elsewhere(tmp_path: Path) -> None:
    values = merged(LEAST, {"shutdown": {"preStopSeconds": 1, "drainSeconds": 3, "graceSeconds": 1}})
    config = of_chart(values)
    # On free ports of loopback; nothing is behind it, so it answers by itself.
    config["admin"]["address"]["socket_address"]["port_value"] = 0
    for listener in config["static_resources"]["listeners"]:
        listener["address"]["socket_address"] = {"address": "127.0.0.1", "port_value": 0}
    for cluster in config["static_resources"]["clusters"]:
        for endpoints in cluster["load_assignment"]["endpoints"]:
            for endpoint in endpoints["lb_endpoints"]:
                endpoint["endpoint"]["address"]["socket_address"] = {"address": "127.0.0.1", "port_value": 1}
    script = container(values, "envoy")["lifecycle"]["preStop"]["exec"]["command"][-1]
    with Envoy(tmp_path, config) as envoy:
        admin = str(envoy.admin.base_url).rstrip("/").rpartition(":")[2]
        here = "\n".join(line for line in script.splitlines() if not line.startswith("sleep"))
        async with httpx.AsyncClient(base_url=f"http://{envoy.address}", trust_env=False) as client:
            before = await client.post("/v1/ops.health", json={})
            assert before.headers.get("connection") != "close"
            done = await asyncio.to_thread(
                subprocess.run,
                ["bash", "-c", here.replace("/9901", f"/{admin}") + '\necho "$answer"'],
                capture_output=True,
                text=True,
                timeout=30,
                env=clean_environ(),
            )
            assert (done.returncode, " 200 " in done.stdout) == (0, True), done.stderr
            asked = False
            async with asyncio.timeout(30):
                while not asked:
                    with contextlib.suppress(httpx.HTTPError):
                        asked = (await client.post("/v1/ops.health", json={})).headers.get("connection") == "close"
        assert json.loads(before.content)["detail"]["code"] == "UPSTREAM_UNAVAILABLE"
