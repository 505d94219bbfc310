"""The chart: linted, rendered in every shape that it is meant for, and valid for three versions of Kubernetes."""

import json
import re

import helm_python
import kubernetes_validate
import pytest
import yaml

from tests.support.chart import CHART, LEAST, SHAPES, documents, files, merged, of_kind

VERSIONS = ("1.31", "1.34", "1.37")
# Kinds of others: the Prometheus operator's.
FOREIGN = {"ServiceMonitor", "PrometheusRule"}
ALL = {"least": LEAST, **SHAPES}


def test_helm_finds_nothing_wrong() -> None:
    found = helm_python.lint(str(CHART))
    assert [each for each in found["messages"] if each["severity"] > 1] == []


@pytest.mark.parametrize("shape", ALL)
def test_every_object_is_valid_for_three_versions_of_kubernetes(shape: str) -> None:
    found = documents(ALL[shape])
    assert found
    for version in VERSIONS:
        for each in found:
            if each["kind"] not in FOREIGN:
                kubernetes_validate.validate(each, version, strict=True)


def test_a_wrong_object_would_be_found() -> None:
    broken = json.loads(json.dumps(of_kind(LEAST, "Deployment")["gateway"]))
    broken["spec"]["template"]["spec"]["containers"][0]["lifecycle"]["preStop"]["sleep"]["secondz"] = 1
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(broken, VERSIONS[0], strict=True)


@pytest.mark.parametrize("shape", ALL)
def test_no_two_objects_have_one_name_and_all_are_labelled(shape: str) -> None:
    found = documents(ALL[shape])
    names = [(each["kind"], each["metadata"]["name"]) for each in found]
    assert len(names) == len(set(names))
    for each in found:
        labels = each["metadata"]["labels"]
        assert labels["app.kubernetes.io/name"] == "loom"
        assert labels["app.kubernetes.io/instance"] == "rel"


@pytest.mark.parametrize("shape", ALL)
def test_services_and_budgets_select_pods_that_are_there(shape: str) -> None:
    found = documents(ALL[shape])
    labels = [each["spec"]["template"]["metadata"]["labels"] for each in found if each["kind"] in ("Deployment", "Job")]
    selectors = [each["spec"]["selector"] for each in found if each["kind"] == "Service"]
    selectors += [each["spec"]["selector"]["matchLabels"] for each in found if each["kind"] == "PodDisruptionBudget"]
    selectors += [each["spec"]["podSelector"]["matchLabels"] for each in found if each["kind"] == "NetworkPolicy"]
    for selector in selectors:
        assert [one for one in labels if selector.items() <= one.items()], selector


def test_every_value_says_what_it_is() -> None:
    """A comment stands over every name of values.yaml, or over the group that it closes."""
    lines = (CHART / "values.yaml").read_text().splitlines()
    bare = []
    for at, line in enumerate(lines):
        if re.match(r"\s*[A-Za-z]+:", line) and not line.lstrip().startswith("#"):
            above = lines[at - 1].strip() if at else ""
            siblings = above and not above.startswith("#") and indent(lines[at - 1]) == indent(line)
            opened = above.endswith(":") and lines[at - 2].strip().startswith("#")
            if not (above.startswith("#") or siblings or opened or above.endswith(":")):
                bare.append(line)
    assert bare == []


def indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def test_every_value_is_in_the_schema_and_the_schema_is_closed() -> None:
    schema = json.loads((CHART / "values.schema.json").read_text())

    def look(values: object, rule: dict, path: str) -> None:
        rule = schema["$defs"][rule["$ref"].rpartition("/")[2]] if "$ref" in rule else rule
        if rule.get("type") == "object" and "properties" in rule:
            assert rule["additionalProperties"] is False, path
            if isinstance(values, dict):
                for name, value in values.items():
                    look(value, rule["properties"][name], f"{path}.{name}")

    look(yaml.safe_load((CHART / "values.yaml").read_text()), schema, "")


def test_the_notes_say_what_is_open() -> None:
    notes = files(LEAST)["NOTES.txt"]
    assert "split mode: gateway, directory, observe, memory, and Envoy in front" in notes
    assert "No certificate is set" in notes
    assert "loom token mint" in notes
    insecure = files({"mode": "single", "auth": {"allowInsecure": True}})["NOTES.txt"]
    assert "everyone who reaches the service may read and write everything" in insecure
    assert "loom backup" in insecure
    assert "https" in files(SHAPES["ha"])["NOTES.txt"]
    assert (
        "every pod of the cluster reaches the planes"
        in files(merged(LEAST, {"networkPolicy": {"enabled": False}}))["NOTES.txt"]
    )


def test_the_charts_versions_are_the_programs() -> None:
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    project = (CHART.parents[2] / "pyproject.toml").read_text()
    assert f'version = "{chart["appVersion"]}"' in project
