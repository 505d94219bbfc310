"""Alerts and the dashboard ask for metrics that there are: of a running Loom and a running Envoy, by a real Prometheus."""

import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from runtime.errors import REGISTRY
from runtime.metrics import Metrics
from tests.support.chart import CHART
from tests.support.cluster import Cluster, Shape, cluster, free_port
from tests.support.server import clean_environ

RULES = CHART / "files" / "alerts.yaml"
DASHBOARD = CHART / "files" / "dashboard.json"
RUNBOOK = CHART.parents[2] / "docs" / "runbook.md"
LIMIT_S = 60.0
METRIC = re.compile(r"\b(?:loom|envoy|process)_[a-z0-9_]+\b")
LABELS = re.compile(r"\{([^{}]*)\}|\bby \(([^()]*)\)")
# What a scraper adds to every series, and what PromQL itself knows.
OF_THE_SCRAPER = {"job", "instance", "le", "component"}
REASONS = {"retry", "budget_spent", "overloaded", "circuit_open"}

pytestmark = pytest.mark.skipif(
    not shutil.which("promtool"), reason="Prometheus is not installed (apt-get install prometheus)"
)


def rules() -> list[dict[str, Any]]:
    return [rule for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]]


def panels() -> list[dict[str, Any]]:
    return [panel for panel in json.loads(DASHBOARD.read_text())["panels"] if panel["type"] != "row"]


def queries() -> dict[str, str]:
    """Where a query stands -> the query."""
    found = {rule["alert"]: rule["expr"] for rule in rules()}
    for panel in panels():
        for target in panel["targets"]:
            found[f"{panel['title']} {target['refId']}"] = target["expr"].replace("$__rate_interval", "1m")
    return found


def metrics_of(query: str) -> set[str]:
    """Names of metrics; names of labels, which look alike, stand in braces or after `by`."""
    return set(METRIC.findall(LABELS.sub(" ", query)))


def labels_of(query: str) -> set[str]:
    names: set[str] = set()
    for braces, grouped in LABELS.findall(query):
        names |= set(re.findall(r"([a-z_]+)\s*(?:=~|!~|!=|=)", braces)) | set(re.findall(r"[a-z_]+", grouped))
    return names


def promtool(*args: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["promtool", *args], cwd=cwd, capture_output=True, text=True, timeout=LIMIT_S)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    shape = Shape(replicas=1, gateways=1, tokens=False, edge={"LOOM_ENVOY_STATS_LISTEN": "127.0.0.1:0"})
    with cluster(tmp_path_factory.mktemp("cluster"), shape) as found:
        with httpx.Client(base_url=found.base_url, trust_env=False, timeout=30) as client:
            client.post("/v1/observe.record", json={"tool_name": "Bash", "session_id": "s"}).raise_for_status()
            assert client.post("/v1/observe.get", json={}).status_code == 400
        yield found


@pytest.fixture(scope="module")
def prometheus(running: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A Prometheus that scrapes the installation and has our rules; it has scraped both at least once."""
    folder, port = tmp_path_factory.mktemp("prometheus"), free_port()
    jobs = {
        "loom-gateway": ("/metrics", running.gateways[0].address),
        "loom-envoy": ("/stats/prometheus", running.envoy.addresses["stats"]),
    }
    config = {
        "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
        "rule_files": [str(RULES)],
        "scrape_configs": [
            {"job_name": job, "metrics_path": path, "static_configs": [{"targets": [address]}]}
            for job, (path, address) in jobs.items()
        ],
    }
    (folder / "prometheus.yml").write_text(json.dumps(config))
    command = [
        "prometheus", f"--config.file={folder / 'prometheus.yml'}", f"--storage.tsdb.path={folder / 'data'}",
        f"--web.listen-address=127.0.0.1:{port}",
    ]  # fmt: skip
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=clean_environ())
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=10) as client:
            wait(lambda: len(asked(client, 'up{job=~".*loom.*"} == 1')) == len(jobs), folder / "log")
            yield client
    finally:
        process.terminate()
        process.wait(LIMIT_S)


def wait(condition: Any, log: Path) -> None:
    ends = time.monotonic() + LIMIT_S
    while True:
        try:
            if condition():
                return
        except (httpx.HTTPError, ValueError):
            pass  # not there yet, or there and not ready
        assert time.monotonic() < ends, log.read_text()
        time.sleep(0.1)


def asked(client: httpx.Client, query: str) -> list[Any]:
    answer = client.get("/api/v1/query", params={"query": query}).json()
    assert answer["status"] == "success", (query, answer)
    return answer["data"]["result"]


def test_promtool_finds_the_rules_right_and_the_alerts_fire_as_written(tmp_path: Path) -> None:
    assert promtool("check", "rules", RULES).returncode == 0
    for path in (RULES, Path(__file__).with_name("alerts_test.yaml")):
        (tmp_path / path.name).write_text(path.read_text())
    done = promtool("test", "rules", "alerts_test.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_query_asks_for_a_metric_that_is_shown(running: Cluster, prometheus: httpx.Client) -> None:
    shown = set(prometheus.get("/api/v1/label/__name__/values").json()["data"])
    # A counter of Loom's that nothing was counted in yet stands on the page by its type alone.
    page = httpx.get(f"{running.gateways[0].base_url}/metrics", trust_env=False).text + Metrics().render()[0].decode()
    for name, kind in re.findall(r"^# TYPE (\S+) (\S+)", page, re.MULTILINE):
        shown |= {f"{name}_{suffix}" for suffix in ("bucket", "sum", "count")} if kind == "histogram" else {name}
    missing = {place: metrics_of(query) - shown for place, query in queries().items()}
    assert {place: names for place, names in missing.items() if names} == {}
    assert all(metrics_of(query) or "up{" in query for query in queries().values())


def test_every_label_of_a_query_is_one_of_its_metrics(prometheus: httpx.Client) -> None:
    ours = {
        name: set(collector._labelnames) | OF_THE_SCRAPER
        for name, collector in Metrics().registry._names_to_collectors.items()
        if name.startswith("loom_")
    }
    of_envoy = {name for name in prometheus.get("/api/v1/labels").json()["data"] if name.startswith("envoy_")}
    for place, query in queries().items():
        known = set().union(*(ours.get(name, set()) for name in metrics_of(query))) | of_envoy | OF_THE_SCRAPER
        assert labels_of(query) <= known, place


def test_prometheus_answers_every_query(prometheus: httpx.Client) -> None:
    for query in queries().values():
        asked(prometheus, query)
    assert asked(prometheus, 'loom_requests_total{code="OK",op="observe.record"}')
    assert asked(prometheus, 'envoy_cluster_membership_healthy{envoy_cluster_name="memory"}')
    assert asked(prometheus, 'envoy_http_downstream_rq_xx{envoy_http_conn_manager_prefix="edge"}')
    loaded = prometheus.get("/api/v1/rules").json()["data"]["groups"]
    assert {rule["name"] for group in loaded for rule in group["rules"]} == {rule["alert"] for rule in rules()}


def test_codes_and_reasons_in_queries_are_real() -> None:
    for query in queries().values():
        for codes in re.findall(r'code=~?"([^"]*)"', query):
            assert set(codes.split("|")) <= {*REGISTRY, "OK"}
        for reasons in re.findall(r'reason=~?"([^"]*)"', query):
            assert set(reasons.split("|")) <= {*REGISTRY, *REASONS}


def test_every_alert_has_its_section_in_the_runbook() -> None:
    sections = set(re.findall(r"^### (Loom\w+)$", RUNBOOK.read_text(), re.MULTILINE))
    assert sections == {rule["alert"] for rule in rules()}
    for rule in rules():
        assert rule["annotations"]["runbook_url"] == f"docs/runbook.md#{rule['alert'].lower()}"
        assert rule["labels"]["severity"] in ("warning", "critical")


def test_every_panel_says_what_it_shows_and_no_two_are_in_one_place() -> None:
    places = [tuple(panel["gridPos"].values()) for panel in panels()]
    assert len(places) == len(set(places))
    assert all(
        panel["title"] and panel["targets"] and panel["datasource"]["uid"] == "${datasource}" for panel in panels()
    )
    numbers = [panel["id"] for panel in json.loads(DASHBOARD.read_text())["panels"]]
    assert len(numbers) == len(set(numbers))
