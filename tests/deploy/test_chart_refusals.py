"""Values that cannot work are refused, by a sentence that says why and what to do."""

import re
from typing import Any

import helm_python
import pytest

from tests.support.chart import LEAST, files, merged

SINGLE = {"mode": "single", "auth": {"keysSecret": "keys"}}
SCALED = {"autoscaling": {"enabled": True, "minReplicas": 5, "maxReplicas": 2}}


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"auth": {"keysSecret": "k"}}, "split mode needs a ClickHouse server, since chDB locks its folder"),
        (merged(SINGLE, {"single": {"replicas": 2}}), "on chDB one process holds the data folder"),
        (
            merged(SINGLE, LEAST, {"mode": "single", "single": {"replicas": 2}}),
            "two of those on one database are not safe",
        ),
        (
            merged(LEAST, {"planes": {"directory": {"replicas": 2}}}),
            "two directory processes on one database are not safe",
        ),
        ({"clickhouse": {"existingSecret": "ch"}}, "without keys everyone who reaches the port may read and write"),
        (
            {"mode": "single", "auth": {"signingSecret": "s", "allowInsecure": True}},
            "auth.signingSecret needs auth.keysSecret",
        ),
        (
            merged(LEAST, {"auth": {"keysSecret": "k", "signingSecret": "k"}}),
            "auth.signingSecret must be another secret than auth.keysSecret",
        ),
        *(
            (
                merged(values, {"networkPolicy": {"egress": {"restricted": True}}}),
                "networkPolicy.egress.to: with restricted egress and nothing here no pod reaches ClickHouse",
            )
            for values in (LEAST, merged(SINGLE, LEAST, {"mode": "single"}))
        ),
        (
            merged(LEAST, {"planes": {"tracker": {"enabled": True, "org": "acme"}}}),
            "needs the secret with LOOM_SECRET_KEY",
        ),
        (
            merged(LEAST, {"planes": {"tracker": {"enabled": True, "secretKeySecret": "s"}}}),
            "planes.tracker.org: without an organisation no tracker serves",
        ),
        (
            merged(SINGLE, {"envoy": {"tls": {"existingSecret": "tls"}}}),
            "single mode has no Envoy and would serve without",
        ),
        (
            merged(LEAST, {"envoy": {"resources": {"limits": {"memory": "512Mi"}}}}),
            "envoy.maxHeapMebibytes must be below envoy.resources.limits.memory",
        ),
        (merged(LEAST, {"gateway": SCALED}), "gateway.autoscaling: minReplicas must not be over maxReplicas"),
        (merged(LEAST, {"planes": {"memory": SCALED}}), "memory.autoscaling: minReplicas must not be over"),
    ],
)
def test_values_that_do_not_go_together_are_refused_by_a_sentence(values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(helm_python.HelmError, match=re.escape(sentence)):
        files(values)


@pytest.mark.parametrize(
    ("values", "names"),
    [
        ({"mode": "cluster"}, "mode"),
        ({"replicas": 3}, "replicas"),
        ({"gateway": {"replicas": "three"}}, "gateway/replicas"),
        ({"gateway": {"replica": 3}}, "replica"),
        ({"gateway": {"replicas": 0}}, "gateway/replicas"),
        ({"planes": {"weather": {}}}, "weather"),
        ({"planes": {"memory": {"env": {"lower": "x"}}}}, "lower"),
        ({"planes": {"memory": {"env": {"LOOM_ALLOW_INSECURE": "on"}}}}, "LOOM_ALLOW_INSECURE"),
        ({"gateway": {"env": {"LOOM_KEYS_DIR": ""}}}, "LOOM_KEYS_DIR"),
        ({"podLabels": {"app.kubernetes.io/component": "mine"}}, "app.kubernetes.io/component"),
        ({"image": {"tag": "latest"}}, "image/tag"),
        ({"image": {"digest": "sha256:short"}}, "image/digest"),
        ({"image": {"pullPolicy": "Sometimes"}}, "image/pullPolicy"),
        ({"minReadySeconds": 1}, "minReadySeconds"),
        ({"shutdown": {"drainSeconds": 1}}, "shutdown/drainSeconds"),
        ({"service": {"port": 70000}}, "service/port"),
        ({"tracing": {"endpoint": "collector:4317"}}, "tracing/endpoint"),
        ({"tracing": {"sampleRatio": 2}}, "tracing/sampleRatio"),
        ({"clickhouse": {"cluster": "a b"}}, "clickhouse/cluster"),
        ({"securityContext": {"runAsUser": 0}}, "securityContext/runAsUser"),
        ({"networkPolicy": {"clients": [{}]}}, "networkPolicy/clients"),
        ({"single": {"persistence": {"size": "large"}}}, "single/persistence/size"),
        ({"planes": {"memory": {"resources": {"limits": {"memory": "2 GB"}}}}}, "memory/resources/limits/memory"),
        ({"gateway": {"resources": {"requests": {"cpu": -1}}}}, "gateway/resources/requests/cpu"),
    ],
)
def test_a_value_of_the_wrong_form_is_refused_by_its_name(values: dict[str, Any], names: str) -> None:
    with pytest.raises(helm_python.HelmError) as raised:
        files(merged(LEAST, values))
    assert names in str(raised.value)


@pytest.mark.parametrize(
    "quantity", ["500m", "0.5", 2, 0.5, "1Gi", "1.5Gi", "1e3", "1e-3", "128974848", ".5", "2E", "1Ei"]
)
def test_a_quantity_is_what_kubernetes_takes_for_one(quantity: Any) -> None:
    files(merged(LEAST, {"gateway": {"resources": {"requests": {"cpu": quantity}}}}))
    files(merged(SINGLE, {"single": {"persistence": {"size": quantity}}}))


def test_egress_may_lead_nowhere_where_no_policy_is_made_or_nothing_is_outside() -> None:
    restricted = {"networkPolicy": {"egress": {"restricted": True}}}
    files(merged(SINGLE, restricted))
    files(merged(LEAST, restricted, {"networkPolicy": {"enabled": False}}))
