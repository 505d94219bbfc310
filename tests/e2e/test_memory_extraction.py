"""From recorded sessions to memories, with servers as users run them."""

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from gateway.codec import codec_for
from runtime.errors import LoomError
from runtime.optable import load_ops
from runtime.transport import GrpcTransport
from tests.support.clickhouse_http import clickhouse_server
from tests.support.llm import Asked, reply, stand_in
from tests.support.server import Server, clean_environ

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "extract_transcript.py"
LIMIT_S = 60.0
# These servers have nothing to find by meaning: the model would only cost their start.
NO_MODEL = {"LOOM_EMBEDDER_KIND": "none"}
SECRET = "hunter2-of-this-test"
CALLS: list[dict[str, Any]] = [
    {"tool_name": "UserPrompt", "tool_input": {"prompt": f"We use <private>{SECRET}</private> as the test password."}},
    {"tool_name": "Bash", "tool_input": {"command": "make test"}, "error": "ValueError: no such rate"},
    {"tool_name": "Edit", "tool_input": {"file_path": "/src/rates.py", "new_string": "x"}, "tool_output": "ok"},
    {"tool_name": "Bash", "tool_input": {"command": "make test"}, "tool_output": "ok"},
    {"tool_name": "mcp__loom__memory_save", "tool_input": {"content": "We always remember."}},
]
EXPECTED = {
    ("decision", "We use [REDACTED] as the test password."),
    ("discovery", "make test: ValueError: no such rate"),
    ("summary", "Session of 2026-03-02: changed rates.py; ran make test"),
}


class Client:
    """Calls ops over HTTP for one user of one namespace."""

    def __init__(self, base_url: str, namespace: str) -> None:
        self._http = httpx.Client(base_url=f"{base_url}/v1/", timeout=LIMIT_S, trust_env=False)
        self._identity = {"namespace": namespace, "user_id": "ada"}

    def __call__(self, op: str, **args: Any) -> dict[str, Any]:
        answer = self._http.post(op, json={**self._identity, **args})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def record(self, session_id: str) -> list[str]:
        records = [{**call, "observed_at": f"2026-03-02T09:00:0{place}Z"} for place, call in enumerate(CALLS)]
        stored = self("observe.record_batch", session_id=session_id, records=records)
        assert self("observe.crystallize", session_id=session_id)["enqueued"] == len(CALLS)
        return [result["memory_key"] for result in stored["results"]]

    def until_extracted(self) -> dict[str, int]:
        ends = time.monotonic() + LIMIT_S
        while time.monotonic() < ends:
            by_state = self("observe.stats")["by_state"]
            if not {"pending", "ready", "claimed"}.intersection(by_state):
                return by_state
        raise AssertionError(by_state)

    def memories(self) -> list[dict[str, Any]]:
        listed = self("memory.list", page_size=100)["observations"]
        return [self("memory.get_observation", observation_id=row["id"])["observation"] for row in listed]

    def close(self) -> None:
        self._http.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that extracts; the one that all tests share does not."""
    folder = tmp_path_factory.mktemp("extracting")
    with Server(folder / "data", folder / "log") as running:
        yield running


@contextmanager
def client(server: Server, namespace: str) -> Iterator[Client]:
    made = Client(server.base_url, namespace)
    try:
        yield made
    finally:
        made.close()


def told(memories: list[dict[str, Any]]) -> set[tuple[str, str]]:
    return {(memory["type"], memory["title"]) for memory in memories}


def test_a_recorded_session_is_found_as_memories_a_moment_later(server: Server, namespace: str) -> None:
    with client(server, namespace) as call:
        keys = call.record("s")
        assert call.until_extracted() == {"extracted": 4, "empty": 1}
        found = call.memories()
        assert told(found) == EXPECTED
        assert {memory["source"] for memory in found} == {"extracted"}
        by_type = {memory["type"]: memory for memory in found}
        assert by_type["discovery"]["evidence"] == keys[1:4]
        assert by_type["discovery"]["updated_at"] == "2026-03-02T09:00:03.000000Z"
        assert keys[4] not in {key for memory in found for key in memory["evidence"]}
        assert SECRET not in str(found)


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("no such rate", "discovery"),
        ("what is the test password", "decision"),
        ("which session changed rates.py", "summary"),
    ],
)
def test_an_extracted_memory_is_found_by_search(server: Server, namespace: str, query: str, kind: str) -> None:
    with client(server, namespace) as call:
        call.record("s")
        call.until_extracted()
        hits = call("memory.search", query=query, limit=3)["hits"]
        assert kind in {hit["type"] for hit in hits}
        assert hits[0]["topic_key"].startswith("extracted/")


def test_the_extraction_is_counted(server: Server, namespace: str) -> None:
    with client(server, namespace) as call:
        call.record("s")
        call.until_extracted()
    metrics = httpx.get(f"{server.base_url}/metrics", trust_env=False).text
    counted = {
        line.split()[0]: float(line.split()[1]) for line in metrics.splitlines() if "loom_extraction" in line[:15]
    }
    assert counted['loom_extraction_total{event="session"}'] >= 1
    assert counted['loom_extraction_total{event="created"}'] >= 3


def test_a_server_that_is_killed_after_it_queued_extracts_when_it_is_back(tmp_path: Path, namespace: str) -> None:
    running = Server(tmp_path / "data", tmp_path / "log", NO_MODEL | {"LOOM_MEMORY_EXTRACT_LEASE_S": "5"}).start()
    with client(running, namespace) as call:
        for number in range(5):
            call.record(f"s{number}")
    running.kill()
    with running, client(running, namespace) as call:
        assert call.until_extracted() == {"extracted": 20, "empty": 5}
        found = call.memories()
    assert len(found) == 2 + 5
    assert {memory["revision_count"] for memory in found} == {1}
    assert SECRET not in (tmp_path / "log").read_text()


def test_extraction_can_be_switched_off(tmp_path: Path, namespace: str) -> None:
    with (
        Server(tmp_path / "data", tmp_path / "log", NO_MODEL | {"LOOM_MEMORY_EXTRACT": "off"}) as running,
        client(running, namespace) as call,
    ):
        call.record("s")
        assert call("observe.stats")["by_state"] == {"ready": 5}
        assert call.memories() == []


async def test_a_configured_model_drafts(tmp_path: Path, namespace: str) -> None:
    def answering(asked: Asked) -> tuple[int, bytes]:
        memory = {"type": "decision", "title": "By a model", "content": "It says so.", "evidence": ["o1"]}
        return reply({"memories": [memory]})

    def run(base_url: str) -> set[tuple[str, str]]:
        env = {"LOOM_LLM_BASE_URL": base_url, "LOOM_LLM_MODEL": "m", "LOOM_LLM_API_KEY": "sk-of-this-test"}
        with Server(tmp_path / "data", tmp_path / "log", NO_MODEL | env) as running, client(running, namespace) as call:
            call.record("s")
            call.until_extracted()
            return told(call.memories())

    async with stand_in(answering) as endpoint:
        found = await asyncio.to_thread(run, endpoint.base_url)
    assert ("decision", "By a model") in found
    assert [kind for kind, _ in found].count("summary") == 1
    assert endpoint.asked[0].headers["authorization"] == "Bearer sk-of-this-test"
    assert SECRET not in str(endpoint.asked)
    assert "sk-of-this-test" not in (tmp_path / "log").read_text()


def test_the_example_prints_what_was_drafted_of_a_transcript_with_evidence(server: Server, namespace: str) -> None:
    arguments = [sys.executable, str(EXAMPLE), "--base-url", server.base_url, "--namespace", namespace]
    runs = [
        subprocess.run(arguments, capture_output=True, text=True, timeout=LIMIT_S, env=clean_environ(), check=False)
        for _ in range(2)
    ]
    assert [(run.returncode, run.stderr) for run in runs] == [(0, ""), (0, "")]
    assert runs[0].stdout == runs[1].stdout
    lines = runs[0].stdout.splitlines()
    for line in (
        "discovery: pytest -q: AssertionError: assert 30.000000000000004 == 30",
        "  It worked after: `uv add babel`.",
        "pattern: Repeated command: pytest -q",
        "pattern: Files that change together: cart.py, money.py",
        "decision: We use integer cents for every amount.",
        "preference: Never round before the last step.",
        "9 memories drafted",
    ):
        assert line in lines
    assert "steps first" not in runs[0].stdout  # a to-do list is the agent's own
    assert "we use floats" not in runs[0].stdout  # the output of a read


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def plane(name: str, dsn: str, log: Path, **env: str) -> Iterator[str]:
    """A plane as a process of its own; its address."""
    address = f"127.0.0.1:{free_port()}"
    given = {"LOOM_CLICKHOUSE_DSN": dsn, "LOOM_GRPC_LISTEN": address, "PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    with log.open("ab") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", f"services.{name}"],
            stdout=out,
            stderr=out,
            cwd=ROOT,
            env=clean_environ() | NO_MODEL | given | env,
        )
    try:
        yield address
    finally:
        process.terminate()
        assert process.wait(LIMIT_S) == 0


async def called(transport: GrpcTransport, op: str, **args: Any) -> dict[str, Any]:
    """The op's answer, as soon as the plane listens."""
    row = load_ops().by_name[op]
    request = codec_for(row.request).decode({"user_id": "ada", **args}).message
    ends = time.monotonic() + LIMIT_S
    while True:
        try:
            return codec_for(row.response).encode(await transport.call(row, request, {}, LIMIT_S))
        except LoomError as error:
            if error.code.name != "UPSTREAM_UNAVAILABLE" or time.monotonic() > ends:
                raise


@pytest.mark.parametrize("workers", [1, 2])
async def test_planes_in_processes_of_their_own_extract_over_grpc(tmp_path: Path, workers: int) -> None:
    with clickhouse_server(tmp_path / "clickhouse", user="loom", password="secret") as clickhouse:
        dsn, log = clickhouse.dsn("loom"), tmp_path / "log"
        with plane("observe", dsn, log) as observe:
            to_observe = GrpcTransport(observe)
            for number in range(4):
                records = [{**call, "observed_at": f"2026-03-02T09:00:0{at}Z"} for at, call in enumerate(CALLS)]
                await called(to_observe, "observe.record_batch", session_id=f"s{number}", records=records)
                await called(to_observe, "observe.crystallize", session_id=f"s{number}")
            env = {"LOOM_PEERS": f"observe={observe}", "LOOM_MEMORY_EXTRACT_POLL_S": "0.1"}
            with plane("memory", dsn, log, **env) as memory:
                to_memory = GrpcTransport(memory)
                second = plane("memory", dsn, log, **env)
                if workers == 2:
                    second.__enter__()
                try:
                    ends = time.monotonic() + LIMIT_S
                    while (await called(to_observe, "observe.stats"))["by_state"] != {"extracted": 16, "empty": 4}:
                        assert time.monotonic() < ends
                    stats = await called(to_memory, "memory.stats")
                    listed = (await called(to_memory, "memory.list", page_size=100))["observations"]
                    revisions = [
                        (await called(to_memory, "memory.revisions", observation_id=row["id"]))["revisions"]
                        for row in listed
                    ]
                finally:
                    await to_memory.close()
                    if workers == 2:
                        second.__exit__(None, None, None)
            await to_observe.close()
    assert stats["by_type"] == {"decision": 1, "discovery": 1, "summary": 4}
    assert {len(texts) for texts in revisions} == {1}
