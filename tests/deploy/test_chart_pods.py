"""What the pods of every shape are allowed, how they start and end, and what they are told."""

from collections.abc import Iterator
from typing import Any

import pytest

from gateway.envoy.planes import contract_planes
from gateway.envoy.settings import EnvoySettings, Source
from gateway.settings import GatewaySettings
from runtime.lifecycle import CLOSING_S
from runtime.process import ProcessSettings, StoreSettings
from runtime.serve_plane import ListenSettings
from runtime.settings import describe, load_all
from tests.support.chart import LEAST, SHAPES, container, env, merged, of_kind, pods

ALL = {"least": LEAST, **SHAPES, "single on a server": {**LEAST, "mode": "single"}}
SPLIT = [name for name, values in ALL.items() if values.get("mode", "split") == "split"]
EVERY = [(shape, component) for shape, values in ALL.items() for component, _ in pods(values)]


@pytest.mark.parametrize(("shape", "component"), EVERY)
def test_a_pod_is_restricted(shape: str, component: str) -> None:
    pod = dict(pods(ALL[shape]))[component]
    assert pod["automountServiceAccountToken"] is False
    assert pod["enableServiceLinks"] is False
    assert not {"hostNetwork", "hostPID", "hostIPC"} & set(pod)
    context = pod["securityContext"]
    assert (context["runAsNonRoot"], context["seccompProfile"]) == (True, {"type": "RuntimeDefault"})
    assert context["runAsUser"] > 0
    for one in pod["containers"] + pod.get("initContainers", []):
        security = one["securityContext"]
        assert security["allowPrivilegeEscalation"] is False
        assert security["privileged"] is False
        assert security["readOnlyRootFilesystem"] is True
        assert security["capabilities"] == {"drop": ["ALL"]}
        assert {"requests", "limits"} <= set(one["resources"])
        assert not one["image"].endswith(":latest")
        assert ":" in one["image"]
    assert not [volume for volume in pod["volumes"] if "hostPath" in volume]
    assert all("sizeLimit" in volume["emptyDir"] for volume in pod["volumes"] if "emptyDir" in volume)


@pytest.mark.parametrize(("shape", "component"), EVERY)
def test_what_a_pod_mounts_is_there_and_secrets_are_files_that_nobody_may_write(shape: str, component: str) -> None:
    pod = dict(pods(ALL[shape]))[component]
    volumes = {volume["name"]: volume for volume in pod["volumes"]}
    for mount in pod["containers"][0]["volumeMounts"]:
        volume = volumes[mount["name"]]
        if {"secret", "projected", "configMap"} & set(volume):
            assert mount["readOnly"] is True
        if "secret" in volume:
            assert volume["secret"]["defaultMode"] == 0o440
    assert {mount["name"] for mount in pod["containers"][0]["volumeMounts"]} == set(volumes)


@pytest.mark.parametrize(("shape", "component"), [each for each in EVERY if each[1] != "migrate"])
def test_a_pod_has_the_time_to_end_in_good_order(shape: str, component: str) -> None:
    values = ALL[shape]
    pod = dict(pods(values))[component]
    grace = pod["terminationGracePeriodSeconds"]
    stop = pod["containers"][0]["lifecycle"]["preStop"]
    if component == "envoy":
        script = stop["exec"]["command"][-1]
        slept = sum(int(line.split()[1]) for line in script.splitlines() if line.startswith("sleep"))
        assert grace > slept
        return
    settings = env(values, component)
    assert (
        grace > stop["sleep"]["seconds"] + float(settings["LOOM_DRAIN_S"]) + float(settings["LOOM_GRACE_S"]) + CLOSING_S
    )
    assert {"startupProbe", "readinessProbe", "livenessProbe"} <= set(pod["containers"][0])


def test_a_pod_drains_until_envoy_sends_it_nothing_any_more() -> None:
    source = Source.of(load_all([ProcessSettings, GatewaySettings, EnvoySettings], {}))
    assert float(env(LEAST, "observe")["LOOM_DRAIN_S"]) >= source.unserving_s


@pytest.mark.parametrize("shape", SPLIT)
def test_rollouts_take_no_pod_away_before_another_serves_but_the_directorys(shape: str) -> None:
    for name, each in of_kind(ALL[shape], "Deployment").items():
        spec = each["spec"]
        assert spec["minReadySeconds"] >= 2
        if name == "directory":
            assert (spec["replicas"], spec["strategy"]) == (1, {"type": "Recreate"})
        else:
            assert spec["strategy"]["rollingUpdate"] == {"maxUnavailable": 0, "maxSurge": 1}


@pytest.mark.parametrize("shape", ["single-node", "single on a server"])
def test_a_single_process_is_never_two(shape: str) -> None:
    [spec] = [each["spec"] for each in of_kind(ALL[shape], "Deployment").values()]
    assert (spec["replicas"], spec["strategy"]) == (1, {"type": "Recreate"})
    claims = of_kind(ALL[shape], "PersistentVolumeClaim")
    assert bool(claims) == (shape == "single-node")
    for claim in claims.values():
        assert claim["spec"]["accessModes"] == ["ReadWriteOncePod"]
        assert claim["metadata"]["annotations"]["helm.sh/resource-policy"] == "keep"


def test_a_claim_that_is_there_is_taken() -> None:
    values = merged(SHAPES["single-node"], {"single": {"persistence": {"existingClaim": "mine"}}})
    assert of_kind(values, "PersistentVolumeClaim") == {}
    [data] = [volume for volume in dict(pods(values))["single"]["volumes"] if volume["name"] == "data"]
    assert data["persistentVolumeClaim"] == {"claimName": "mine"}


def scaled(values: dict[str, Any]) -> Iterator[tuple[str, int]]:
    for name, each in of_kind(values, "Deployment").items():
        yield name, each["spec"].get("replicas", 0)


@pytest.mark.parametrize("shape", SPLIT)
def test_what_has_replicas_has_a_budget_and_is_spread(shape: str) -> None:
    values = ALL[shape]
    scalers, budgets = of_kind(values, "HorizontalPodAutoscaler"), of_kind(values, "PodDisruptionBudget")
    for name, replicas in scaled(values):
        assert (name in budgets) == (replicas != 1), name
        assert (replicas == 0) == (name in scalers), name
        assert ("topologySpreadConstraints" in dict(pods(values))[name]) == (replicas != 1)
    assert all(each["spec"]["maxUnavailable"] == 1 for each in budgets.values())


def test_one_replica_alone_has_no_budget_that_would_keep_a_node_from_being_emptied() -> None:
    values = merged(LEAST, {"gateway": {"replicas": 1}, "planes": {"memory": {"replicas": 1}}})
    assert set(of_kind(values, "PodDisruptionBudget")) == {"envoy", "observe"}


@pytest.mark.parametrize("shape", SPLIT)
def test_every_plane_of_the_contract_runs_and_the_gateway_reaches_it_through_envoy(shape: str) -> None:
    values = ALL[shape]
    tracker = values.get("planes", {}).get("tracker", {}).get("enabled", False)
    served = {plane for plane in contract_planes() if plane != "tracker"} | ({"tracker"} if tracker else set())
    running = set(dict(pods(values))) - {"gateway", "envoy", "migrate"}
    assert running == served
    upstreams = dict(entry.split("=") for entry in env(values, "gateway")["LOOM_UPSTREAMS"].split(","))
    assert upstreams == dict.fromkeys(served, "rel-loom-inner:7780")
    for plane in served:
        assert container(values, plane)["args"] == ["python", "-m", f"services.{plane}"]
        assert env(values, plane)["LOOM_GRPC_LISTEN"] == "0.0.0.0:7700"


@pytest.mark.parametrize(("shape", "component"), [each for each in EVERY if each[1] != "envoy"])
def test_every_setting_that_a_pod_is_given_is_one(shape: str, component: str) -> None:
    from runtime.embedding.settings import EmbedderSettings
    from services.memory.workers.settings import ExtractionSettings

    classes = (ProcessSettings, StoreSettings, ListenSettings, GatewaySettings, EmbedderSettings, ExtractionSettings)
    known = {info.env for cls in classes for info in describe(cls)}
    known |= {f"{name}_FILE" for name in known} | {"LOOM_SECRET_KEY"}
    assert set(env(ALL[shape], component)) <= known
    plain = {name: value for name, value in env(ALL[shape], component).items() if not name.endswith(("_FILE", "_KEY"))}
    load_all(classes, plain)


@pytest.mark.parametrize("shape", SPLIT)
def test_planes_wait_for_the_job_that_migrates(shape: str) -> None:
    values = ALL[shape]
    assert container(values, "migrate")["args"] == ["loom", "migrate"]
    assert "LOOM_AWAIT_SCHEMA_S" not in env(values, "migrate")
    for component, pod in pods(values):
        if component in contract_planes():
            waits = float(env(values, component)["LOOM_AWAIT_SCHEMA_S"])
            probe = pod["containers"][0]["startupProbe"]
            assert waits > 0
            assert probe["periodSeconds"] * probe["failureThreshold"] > waits


def test_the_job_takes_the_dsn_that_may_change_tables() -> None:
    def secret(component: str) -> str:
        [dsn] = [volume for volume in dict(pods(SHAPES["ha"]))[component]["volumes"] if volume["name"] == "dsn"]
        return dsn["secret"]["secretName"]

    assert (secret("migrate"), secret("memory")) == ("loom-clickhouse-admin", "loom-clickhouse")


def test_another_image_makes_another_job() -> None:
    def job(**image: str) -> str:
        [name] = of_kind(merged(LEAST, {"image": image}), "Job")
        return name

    assert job() == job() != job(tag="9.9.9")


@pytest.mark.parametrize(
    "change",
    [
        {"nodeSelector": {"disk": "fast"}},
        {"podLabels": {"team": "a"}},
        {"priorityClassName": "high"},
        {"securityContext": {"runAsUser": 1000}},
        {"image": {"pullPolicy": "Always"}},
        {"clickhouse": {"cluster": "main"}},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_job_that_would_be_another_one_has_another_name_since_none_can_be_changed(change: dict[str, Any]) -> None:
    [(before, old)] = of_kind(LEAST, "Job").items()
    [(after, new)] = of_kind(merged(LEAST, change), "Job").items()
    assert old["spec"] != new["spec"]
    assert before != after


def test_a_change_of_the_replicas_alone_keeps_the_job() -> None:
    assert set(of_kind(LEAST, "Job")) == set(of_kind(merged(LEAST, {"gateway": {"replicas": 5}}), "Job"))


def test_numbers_among_the_settings_are_written_as_settings_take_them() -> None:
    given = {"LOOM_STORE_QUEUE_MAX_ROWS": 1_000_000, "LOOM_STORE_GROUP_WINDOW_MS": 0.5, "LOOM_STORE_FSYNC": True}
    found = env(merged(LEAST, {"planes": {"observe": {"env": given}}}), "observe")
    assert [found[name] for name in given] == ["1000000", "0.5", "true"]
    load_all([StoreSettings], {name: found[name] for name in given})


@pytest.mark.parametrize("shape", ["single-node", "ha"])
def test_the_private_key_is_where_tokens_are_minted_and_nowhere_else(shape: str) -> None:
    holders = {component for component, pod in pods(ALL[shape]) if "loom-signing" in str(pod)}
    assert holders == {"single" if shape == "single-node" else "directory"}
    for component, pod in pods(ALL[shape]):
        if component not in ("envoy", "migrate"):
            assert "loom-keys" in str(pod)
            assert env(ALL[shape], component)["LOOM_KEYS_DIR"] == "/keys"


def test_without_keys_pods_say_that_they_are_open() -> None:
    values = {"auth": {"allowInsecure": True}, "clickhouse": {"existingSecret": "ch"}}
    for component in ("gateway", "observe", "directory"):
        assert env(values, component)["LOOM_ALLOW_INSECURE"] == "on"
        assert "LOOM_KEYS_DIR" not in env(values, component)
        assert "LOOM_DIRECTORY" not in env(values, component)


def test_the_image_fits_the_engine() -> None:
    assert container(LEAST, "observe")["image"].endswith("/loom:0.1.0")
    assert container(SHAPES["single-node"], "single")["image"].endswith("/loom:0.1.0-chdb")
    assert container(ALL["single on a server"], "single")["image"].endswith("/loom:0.1.0")
    assert "@sha256:" in container(SHAPES["strict-security"], "gateway")["image"]


def test_only_envoy_comes_to_the_planes_and_only_who_is_named_to_the_metrics() -> None:
    policies = of_kind(SHAPES["strict-security"], "NetworkPolicy")
    envoy = {
        "app.kubernetes.io/name": "loom",
        "app.kubernetes.io/instance": "rel",
        "app.kubernetes.io/component": "envoy",
    }
    for plane in ("observe", "memory", "directory"):
        calls, metrics = policies[plane]["spec"]["ingress"]
        assert calls["ports"] == [{"port": 7700, "protocol": "TCP"}]
        assert calls["from"] == [{"podSelector": {"matchLabels": envoy}}]
        assert "namespaceSelector" in metrics["from"][0]
    assert policies["migrate"]["spec"]["ingress"] == []
    assert all(policy["spec"]["policyTypes"] == ["Ingress", "Egress"] for policy in policies.values())
    assert set(policies) == {component for component, _ in pods(SHAPES["strict-security"])}
    assert of_kind(merged(LEAST, {"networkPolicy": {"enabled": False}}), "NetworkPolicy") == {}
    metrics_ports = [rule for policy in of_kind(LEAST, "NetworkPolicy").values() for rule in policy["spec"]["ingress"]]
    assert not [rule for rule in metrics_ports if rule["ports"][0]["port"] in (9464, 9902)]


def test_clients_reach_both_doors_of_one_process() -> None:
    values = merged(SHAPES["single-node"], {"networkPolicy": {"enabled": True}})
    doors = of_kind(values, "NetworkPolicy")["single"]["spec"]["ingress"][0]
    assert [each["port"] for each in doors["ports"]] == [7777, 7778]


def test_envoy_has_as_many_workers_as_its_pod_may_use_whatever_the_node_has() -> None:
    def workers(values: dict[str, Any]) -> str:
        args = container(values, "envoy")["args"]
        return str(args[args.index("--concurrency") + 1])

    assert workers(LEAST) == "2"
    assert workers(merged(LEAST, {"envoy": {"concurrency": 6}})) == "6"


def test_the_probes_of_a_gateway_name_a_host_that_it_takes() -> None:
    probe = container(SHAPES["ha"], "gateway")["readinessProbe"]["httpGet"]
    assert probe["httpHeaders"] == [{"name": "Host", "value": "loom.example.com"}]
    assert probe["path"] == "/healthz"
