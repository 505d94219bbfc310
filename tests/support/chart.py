"""The chart, rendered by Helm's own library without a cluster."""

import functools
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import helm_python
import yaml

CHART = Path(__file__).resolve().parents[2] / "deploy" / "helm" / "loom"
SHAPES = {path.stem: yaml.safe_load(path.read_text()) for path in sorted((CHART / "ci").glob("*.yaml"))}
NAME, NAMESPACE = "rel", "ns"
LEAST = {"clickhouse": {"existingSecret": "ch"}, "auth": {"keysSecret": "keys"}}
Json = dict[str, Any]


def merged(*values: Mapping[str, Any]) -> Json:
    """Values over values, as Helm merges files of them."""
    found: Json = {}
    for one in values:
        for key, value in one.items():
            both = isinstance(value, dict) and isinstance(found.get(key), dict)
            found[key] = merged(found[key], value) if both else value
    return found


def files(values: Mapping[str, Any]) -> dict[str, str]:
    """Template -> text. Raises helm_python.HelmError for values that are refused."""
    with helm_python.Chart.load(str(CHART)) as chart:
        rendered = chart.render(dict(values), name=NAME, namespace=NAMESPACE)
    return {path.removeprefix("loom/templates/"): text for path, text in rendered.items()}


@functools.cache
def _documents(values: str) -> list[Json]:
    texts = [text for path, text in sorted(files(json.loads(values)).items()) if path.endswith(".yaml")]
    return [found for text in texts for found in yaml.safe_load_all(text) if found]


def documents(values: Mapping[str, Any]) -> list[Json]:
    """Every object of the installation."""
    return _documents(json.dumps(values, sort_keys=True))


def of_kind(values: Mapping[str, Any], kind: str) -> dict[str, Json]:
    """Objects of a kind by name, without the release's."""
    found = (each for each in documents(values) if each["kind"] == kind)
    return {each["metadata"]["name"].removeprefix(f"{NAME}-loom").lstrip("-"): each for each in found}


def pods(values: Mapping[str, Any]) -> Iterator[tuple[str, Json]]:
    """Component and pod spec of everything that runs."""
    for each in documents(values):
        if each["kind"] in ("Deployment", "Job"):
            template = each["spec"]["template"]
            yield template["metadata"]["labels"]["app.kubernetes.io/component"], template["spec"]


def container(values: Mapping[str, Any], component: str) -> Json:
    return dict(pods(values))[component]["containers"][0]


def env(values: Mapping[str, Any], component: str) -> dict[str, str]:
    """The settings that stand in the pod itself; those out of secrets as `secret/key`."""
    found = {}
    for entry in container(values, component).get("env", []):
        reference = entry.get("valueFrom", {}).get("secretKeyRef")
        found[entry["name"]] = f"{reference['name']}/{reference['key']}" if reference else entry["value"]
    return found
