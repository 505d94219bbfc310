"""What all tests share."""

import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support import envelope, tracked
from tests.support.clickhouse_http import Server as ClickHouse
from tests.support.clickhouse_http import clickhouse_server
from tests.support.server import Server

# Tests never assert on time, nor on how busy the machine is.
CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("loom", CALM)
# A gate gives the same answer to the same commit: new examples are looked for by those who work on it.
settings.register_profile("gate", CALM, derandomize=True, database=None)
settings.load_profile(os.environ.get("LOOM_TEST_EXAMPLES", "loom"))


# They kill, stop and starve real processes on a machine that others share. One that fails is tried once more; the run
# prints that with its traceback, and it is to be mended all the same. All other tests are red at once.
WHOLE_PROCESSES = ("deploy", "e2e", "integration")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent.name in WHOLE_PROCESSES:
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One `loom serve` for all tests that leave nothing behind but rows; each takes a namespace of its own.

    It does not extract: what a test crystallizes stays as it is. Tests of extraction have a server of their own.
    """
    folder: Path = tmp_path_factory.mktemp("server")
    with Server(folder / "data", folder / "log", {"LOOM_MEMORY_EXTRACT": "off"}) as running:
        yield running


@pytest.fixture(scope="session")
def _source_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClickHouse]:
    with clickhouse_server(tmp_path_factory.mktemp("source"), user="team", password="pä:ss/word") as running:
        tracked.fill(running)
        yield running


@pytest.fixture
def source_server(_source_server: ClickHouse) -> Iterator[ClickHouse]:
    """A team's ClickHouse with a small record (tests/support/tracked.py): calm, and with nothing recorded."""
    _source_server.reset()
    yield _source_server
    _source_server.reset()


@pytest.fixture
def namespace() -> str:
    """A namespace that no other test uses."""
    return f"ns-{uuid.uuid4().hex}"


@pytest.fixture(autouse=True)
def provokes_what_it_says(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that is marked `provokes` must have seen each of its codes in a checked envelope."""
    marked = {code for marker in request.node.iter_markers("provokes") for code in marker.args}
    envelope.seen.clear()
    yield
    assert marked <= envelope.seen, f"marked, and not provoked: {sorted(marked - envelope.seen)}"
