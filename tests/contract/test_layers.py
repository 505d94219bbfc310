"""Layer rules that import-linter cannot say, since they concern a part of an external package."""

import ast
from collections.abc import Iterator
from configparser import ConfigParser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("runtime", "gateway", "services", "standalone", "sdk/python/loom")


def imports() -> Iterator[tuple[str, str]]:
    """(file, imported module) of the whole product."""
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*.py"):
            name = str(path.relative_to(ROOT))
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.ImportFrom) and node.module:
                    yield name, node.module
                elif isinstance(node, ast.Import):
                    yield from ((name, alias.name) for alias in node.names)


def test_the_opentelemetry_sdk_is_used_in_one_file() -> None:
    users = {name for name, module in imports() if module.startswith(("opentelemetry.sdk", "opentelemetry.exporter"))}
    assert users == {"runtime/telemetry.py"}


def test_grpc_is_used_in_the_runtime_the_services_and_the_generated_stubs_alone() -> None:
    users = {name for name, module in imports() if module == "grpc" or module.startswith("grpc.")}
    strangers = {name for name in users if not name.startswith("runtime/") and not name.endswith("_pb2_grpc.py")}
    assert {name for name in strangers if not name.startswith("gateway/") and Path(name).name != "service.py"} == set()


def test_time_and_randomness_come_from_one_place() -> None:
    server = {(name, module) for name, module in imports() if not name.startswith("sdk/")}
    users = {name for name, module in server if module in {"random", "secrets", "uuid"}}
    assert users <= {"runtime/ids.py"}
    timers = {name for name, module in server if module == "time"}
    assert timers <= {"runtime/clock.py", "runtime/links.py", "gateway/dispatch.py"}


def test_every_plane_is_named_where_planes_are_kept_apart() -> None:
    rules = ConfigParser()
    rules.read(ROOT / ".importlinter")
    apart = rules["importlinter:contract:planes-do-not-know-each-other"]["modules"].split()
    assert apart == sorted(f"services.{path.parent.name}" for path in (ROOT / "services").glob("*/__init__.py"))
