"""What all tests share."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import envelope
from tests.support.server import Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One `loom serve` for all tests that leave nothing behind but rows; each takes a namespace of its own."""
    folder: Path = tmp_path_factory.mktemp("server")
    with Server(folder / "data", folder / "log") as running:
        yield running


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
