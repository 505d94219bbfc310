import importlib
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import loom

HEAVY = ("httpx", "google.protobuf", "grpc", "asyncio", "loom._generated.table")


def test_the_package_imports_nothing_heavy() -> None:
    code = f"import sys, loom; sys.exit(', '.join(set({HEAVY}) & sys.modules.keys()) or None)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_errors_come_without_an_http_stack() -> None:
    code = f"import sys, loom; loom.NotFound; sys.exit(', '.join(set({HEAVY}) & sys.modules.keys()) or None)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", loom.__all__)
def test_every_public_name_is_there_when_it_is_asked_for(name: str) -> None:
    assert getattr(loom, name)
    assert name in dir(loom)


def test_every_error_class_is_public() -> None:
    classes = [value for value in vars(loom.errors).values() if isinstance(value, type)]
    public = {value.__name__ for value in classes if value.__module__ == "loom.errors"}
    assert public <= set(loom.__all__)


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = loom.Nothing


def test_the_types_of_each_plane_are_public() -> None:
    assert loom.models.observe is importlib.import_module("loom._generated.models.observe")


def test_the_version_is_the_packages() -> None:
    project = Path(__file__).parents[2] / "sdk" / "python" / "pyproject.toml"
    assert tomllib.loads(project.read_text())["project"]["version"] == loom.__version__
