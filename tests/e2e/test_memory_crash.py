"""SIGKILL after a save was acknowledged: its text and its words are there after the next start."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.server import LIMIT_S, Server

TEXTS = 20


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Not started yet; gone at the end."""
    server = Server(tmp_path / "data", tmp_path / "log", {"LOOM_EMBEDDER_KIND": "none"})
    yield server
    if server.process and server.process.poll() is None:
        server.kill()


def call(server: Server, op: str, **fields: object) -> dict:
    with httpx.Client(base_url=server.base_url, timeout=LIMIT_S, trust_env=False) as http:
        answer = http.post(f"/v1/memory.{op}", json={"user_id": "ada", **fields})
        assert answer.status_code == 200, answer.text
        return answer.json()


def test_what_was_acknowledged_before_a_kill_is_found_after_the_next_start(server: Server) -> None:
    server.start()
    for number in range(TEXTS):
        call(server, "save", type="decision", title=f"Ferry {number}", content=f"The ferry leaves at berth{number}.")
    server.kill()
    server.start()
    for number in range(TEXTS):
        assert call(server, "search", query=f"berth{number}")["hits"][0]["title"] == f"Ferry {number}"
    assert call(server, "stats")["observations"] == TEXTS
