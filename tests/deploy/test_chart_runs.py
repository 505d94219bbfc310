"""The chart, run: its pods' own commands and settings as processes of this machine, behind its own Envoy.

Only what a cluster gives is replaced: names and ports by free ones of loopback, mounted secrets by files.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from runtime.alive import serves
from tests.support.chart import LEAST, container, env, of_kind
from tests.support.clickhouse_http import clickhouse_server
from tests.support.cluster import free_port, until
from tests.support.envoy import Envoy
from tests.support.guarded import Keys
from tests.support.processes import Program
from tests.support.server import clean_environ

LIMIT_S = 120.0
PLANES = ("directory", "observe", "memory")
INNER = "rel-loom-inner:7780"


@dataclass
class Pods:
    """The installation: what runs by its component, and where each listens."""

    envoy: Envoy
    programs: dict[str, Program]
    metrics: dict[str, int]
    keys: Keys


def settings(component: str, given: Mapping[str, str]) -> dict[str, str]:
    """The settings of a pod, with what is replaced."""
    found = env(LEAST, component)
    for name, value in found.items():
        for old, new in given.items():
            value = value.replace(old, new)
        found[name] = value
    return found


@pytest.fixture(scope="module")
def pods(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pods]:
    folder = tmp_path_factory.mktemp("chart")
    with ExitStack() as stack:
        database = stack.enter_context(clickhouse_server(folder / "data", user="loom", password="p@ss"))
        keys = Keys(folder / "keys")
        (folder / "dsn").write_text(database.dsn("loom"))
        ports = {name: free_port() for name in (*PLANES, "gateway")}
        envoy = stack.enter_context(Envoy(made(folder / "envoy"), edge(ports)))
        same = {"/dsn/dsn": str(folder / "dsn"), "/keys": str(folder / "keys"), INNER: envoy.addresses["inner"]}
        running = Pods(envoy, {}, {}, keys)
        for name in (*PLANES, "gateway"):
            running.metrics[name] = free_port()
            given = same | {
                "0.0.0.0:7700": f"127.0.0.1:{ports[name]}",
                "0.0.0.0:9464": f"127.0.0.1:{running.metrics[name]}",
                "7777": str(ports[name]),
                "0.0.0.0": "127.0.0.1",
            }
            module = container(LEAST, name)["args"][-1]
            # On loopback a gateway takes loopback's names alone, and Envoy asks it by the name that it has in the cluster.
            hosts = {"LOOM_ALLOWED_HOSTS": "rel-loom-gateway,127.0.0.1"} if name == "gateway" else {}
            program = Program(module, name, folder / f"{name}.log", settings(name, given) | hosts).launch()
            stack.callback(program.stop)
            running.programs[name] = program
        # Planes are there already, and wait.
        assert not any(serves({"LOOM_GRPC_LISTEN": f"127.0.0.1:{ports[name]}"}) for name in PLANES)
        job(settings("migrate", same))
        for program in running.programs.values():
            program.await_ready()
        for name in (*PLANES, "gateway"):
            until(lambda name=name: len(envoy.well(name)) == 1)
        yield running
        # All at once: each drains for as long as the chart says.
        for program in running.programs.values():
            program.terminate()


def made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def edge(ports: Mapping[str, int]) -> dict[str, Any]:
    """The chart's Envoy with its listeners on free ports and its clusters here."""
    config = yaml.load(of_kind(LEAST, "ConfigMap")["envoy"]["data"]["envoy.yaml"], yaml.CSafeLoader)
    admin = free_port()
    config["admin"]["address"]["socket_address"]["port_value"] = admin
    for listener in config["static_resources"]["listeners"]:
        listener["address"]["socket_address"] = {"address": "127.0.0.1", "port_value": 0}
    for cluster in config["static_resources"]["clusters"]:
        [endpoint] = cluster["load_assignment"]["endpoints"][0]["lb_endpoints"]
        place = endpoint["endpoint"]["address"]["socket_address"]
        place.update(address="127.0.0.1", port_value={**ports, "admin": admin}[cluster["name"]])
    return config


def job(environ: Mapping[str, str]) -> None:
    """The migration job's own command."""
    assert container(LEAST, "migrate")["args"] == ["loom", "migrate"]
    program = "import sys; from loom.cli import main; sys.exit(main(['migrate']))"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, env=clean_environ() | dict(environ))
    assert (done.returncode, "applied 0001" in done.stdout) == (0, True), done.stderr


def patient(client: httpx.Client, op: str, body: Mapping[str, Any]) -> httpx.Response:
    """The answer, asked for again as clients do: a plane that started with the directory hears of it seconds later."""
    answers: list[httpx.Response] = []

    def is_answered() -> bool:
        answers.append(client.post(f"/v1/{op}", json=body))
        return answers[-1].status_code != 503

    until(is_answered)
    return answers[-1]


def test_a_call_goes_from_the_edge_through_the_gateway_to_every_plane(pods: Pods) -> None:
    token = pods.keys.admin()
    with httpx.Client(base_url=f"http://{pods.envoy.address}", trust_env=False, timeout=30) as client:
        refused = client.post("/v1/observe.list", json={})
        assert (refused.status_code, refused.json()["detail"]["code"]) == (401, "TOKEN_MISSING")
        client.headers["authorization"] = f"Bearer {token}"
        for op, body in (
            ("namespace.create", {"namespace": "web"}),
            ("observe.record", {"namespace": "web", "tool_name": "Bash", "session_id": "s"}),
            ("memory.save", {"namespace": "web", "user_id": "u", "type": "decision", "title": "t", "content": "c"}),
        ):
            answer = patient(client, op, body)
            assert answer.status_code == 200, (op, answer.text)
        health = client.post("/v1/ops.health", json={}).json()
        assert {each["name"] for each in health["components"]} >= set(PLANES)
        assert health["status"] == "ok"


def test_every_process_shows_its_metrics_at_the_port_of_the_chart(pods: Pods) -> None:
    for name, port in pods.metrics.items():
        page = httpx.get(f"http://127.0.0.1:{port}/metrics", trust_env=False).text
        assert "loom_requests_total" in page, name
    # And clients see none of it.
    assert httpx.get(f"http://{pods.envoy.address}/metrics", trust_env=False).status_code == 404
    stats = pods.envoy.addresses["stats"]
    assert httpx.get(f"http://{stats}/ready", trust_env=False).text == "LIVE\n"
    assert "envoy_cluster_membership_healthy" in httpx.get(f"http://{stats}/stats/prometheus", trust_env=False).text


def test_the_probes_of_the_chart_find_every_process_well(pods: Pods) -> None:
    for name in PLANES:
        assert container(LEAST, name)["readinessProbe"]["grpc"] == {"port": 7700}
        assert serves({"LOOM_GRPC_LISTEN": pods.programs[name].address})
    path = container(LEAST, "gateway")["readinessProbe"]["httpGet"]["path"]
    assert httpx.get(pods.programs["gateway"].base_url + path, trust_env=False).status_code == 200


def test_no_process_found_a_setting_that_it_does_not_know(pods: Pods) -> None:
    for name, program in pods.programs.items():
        lines = [json.loads(line) for line in program.log.read_text().splitlines() if line.startswith("{")]
        assert lines, name
        assert not [line for line in lines if "is not a setting" in json.dumps(line)]
