"""SIGKILL while a record is loaded: what was shown before stays whole, and loading again gives the whole of the new."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.server import LIMIT_S, Server

SPACE, BEFORE, AFTER, CHUNK = "trk", 50, 4_000, 1_000


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Running; gone at the end."""
    server = Server(tmp_path / "data", tmp_path / "log", {"LOOM_EMBEDDER_KIND": "none"}).start()
    yield server
    if server.process and server.process.poll() is None:
        server.kill()


def call(server: Server, op: str, **fields: Any) -> dict[str, Any]:
    with httpx.Client(base_url=server.base_url, timeout=LIMIT_S, trust_env=False) as http:
        answer = http.post(f"/v1/{op}", json={"namespace": SPACE, **fields})
        assert answer.status_code == 200, answer.text
        return answer.json()


def gather(server: Server, load: str, count: int) -> None:
    at = "2026-01-01T00:00:00Z"
    row = {"title": load, "body": "b", "state": "open", "created_at": at, "is_private": 0, "component": "core"}
    rows = [{**row, "number": n, "source_id": f"Org/repo#{n}", "updated_at": at} for n in range(1, count + 1)]
    for start in range(0, count, CHUNK):
        call(server, "tracker.load", table="github_issues", rows=rows[start : start + CHUNK], load_id=load)
    change = {**rows[0], "state": "merged"}
    call(server, "tracker.load", table="github_prs", rows=[change], load_id=load)


def show(server: Server, load: str) -> None:
    call(server, "tracker.load", load_id=load, finish=True, repos=["Org/repo"])


def issues(server: Server) -> int:
    answer = call(server, "tracker.component", component="core", limit=1)
    assert answer["tracker_unavailable"] is False
    return int(answer["open_issues"])


def test_a_kill_between_the_calls_of_a_load_leaves_the_old_record(server: Server) -> None:
    gather(server, "old", BEFORE)
    show(server, "old")
    gather(server, "new", AFTER)
    assert issues(server) == BEFORE
    server.kill()
    server.start()
    assert issues(server) == BEFORE
    for _ in range(2):
        gather(server, "again", AFTER)
        show(server, "again")
        assert issues(server) == AFTER


def test_a_kill_while_a_load_is_shown_leaves_the_old_record_or_the_new_one(server: Server) -> None:
    gather(server, "old", BEFORE)
    show(server, "old")
    gather(server, "new", AFTER)
    ended = threading.Thread(target=_attempt, args=(server,))
    ended.start()
    began = threading.Event()
    threading.Timer(0.05, began.set).start()
    assert began.wait(LIMIT_S)
    server.kill()
    ended.join(LIMIT_S)
    server.start()
    assert issues(server) in (BEFORE, AFTER)
    gather(server, "again", AFTER)
    show(server, "again")
    assert issues(server) == AFTER


def _attempt(server: Server) -> None:
    try:
        show(server, "new")
    except (httpx.HTTPError, AssertionError):
        return
