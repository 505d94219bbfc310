"""What hurts in a recorder: calls stored twice, a server that records itself, one record that stalls all others."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.bombs import bombs
from tests.support.capture_run import Home, tool_use
from tests.support.doors import DOORS, door
from tests.support.server import Server
from tests.support.stub_server import hook_json

TIMES = 20
HOOKS = (
    *("claude_post_tool_use.json", "claude_post_tool_use_failure.json", "codex_post_tool_use.json"),
    *("gemini_after_tool.json", "cursor_after_shell_execution.json", "cursor_after_mcp_execution.json"),
)
CALL: dict[str, Any] = {
    # Named, since MCP fills in the client's name where none is sent.
    "agent": "claude-code",
    "session_id": "s",
    "tool_name": "Bash",
    "tool_input": {"command": "make", "timeout": 5, "env": {"b": [1, 2.5], "a": None}},
    "tool_output": {"stdout": "é\n"},
    "observed_at": "2026-03-04T10:00:00+02:00",
}


async def rows_of(server: Server, **query: Any) -> list[dict[str, Any]]:
    return (await door("http", server).call("observe.list", {"page_size": 500, **query}))["observations"]


async def test_one_call_is_one_row_however_often_and_wherever_it_is_sent(server: Server, namespace: str) -> None:
    call = {**CALL, "namespace": namespace}
    shuffled = {**call, "tool_input": {"env": {"a": None, "b": [1, 2.5]}, "timeout": 5, "command": "make"}}
    batch = {"namespace": namespace, "records": [CALL] * 10}
    sent = [door(name, server).call("observe.record", each) for name in DOORS for each in (call, shuffled) * 2]
    sent += [door("http", server).call("observe.record", call) for _ in range(TIMES)]
    sent += [door("http", server).call("observe.record_batch", batch) for _ in range(2)]
    answers = await asyncio.gather(*sent)
    keys = {result["memory_key"] for answer in answers for result in answer.get("results", [answer])}
    assert len(keys) == 1
    [row] = await rows_of(server, namespace=namespace)
    assert row["memory_key"] in keys
    later = await door("http", server).call("observe.record", {**call, "observed_at": "2026-03-04T10:00:01+02:00"})
    assert later["memory_key"] not in keys
    stats = await door("http", server).call("observe.stats", {"namespace": namespace})
    assert (stats["observations"], stats["by_state"]) == (2, {"pending": 2})


@pytest.mark.parametrize("fixture", HOOKS)
async def test_a_hook_that_fires_often_at_once_makes_one_row(
    server: Server, namespace: str, tmp_path: Path, fixture: str
) -> None:
    home = Home(tmp_path, server.base_url)
    payload = hook_json(fixture)
    await asyncio.gather(*(asyncio.to_thread(home.hook, payload, "--namespace", namespace) for _ in range(6)))
    assert home.run("capture", "spool", "--send").returncode == 0
    [row] = await rows_of(server, namespace=namespace)
    assert "capture:hook" in row["tags"]


async def test_a_hook_that_fires_while_the_server_is_down_and_again_when_it_is_up_makes_one_row(
    server: Server, namespace: str, tmp_path: Path
) -> None:
    home, payload = Home(tmp_path), tool_use("Bash", {"command": "ls"}, "a\nb", call_id="toolu_1")
    for _ in range(3):
        home.hook(payload, "--namespace", namespace)
    assert len(home.waiting()) == 3
    home.base_url = server.base_url
    home.hook(payload, "--namespace", namespace)
    assert home.run("capture", "spool", "--send").returncode == 0
    assert home.waiting() == []
    [row] = await rows_of(server, namespace=namespace)
    assert row["narrative"] == "Bash: ls\nOutput: a\nb"


@pytest.mark.parametrize(
    "tool", ["loom_observe_record", "mcp__loom__loom_observe_record", "mcp__loom__loom_op", "Loom"]
)
async def test_the_server_does_not_record_itself(server: Server, namespace: str, tmp_path: Path, tool: str) -> None:
    """The hook reports each MCP call; if that were recorded with its content, a record would hold a record."""
    inner = {"namespace": namespace, "tool_name": "Bash", "tool_output": "worth keeping"}
    await door("mcp", server).call("observe.record", inner)
    home = Home(tmp_path, server.base_url)
    home.hook(tool_use(tool, inner, "worth keeping", error="worth keeping"), "--namespace", namespace)
    for name in DOORS:
        own = {
            "namespace": namespace,
            "session_id": name,
            "tool_name": tool,
            "tool_input": inner,
            "file_paths": ["/a.py"],
        }
        answer = await door(name, server).call("observe.record", {**own, "error": "worth keeping"})
        assert (answer["skipped_reason"], answer["has_error"], answer["narrative_chars"]) == (
            "self_referential",
            False,
            0,
        )
        assert answer["file_paths"] == []
    rows = await rows_of(server, namespace=namespace)
    skipped = [row for row in rows if row["skipped_reason"]]
    assert (len(rows), len(skipped)) == (len(DOORS) + 2, len(DOORS) + 1)
    assert {(row["narrative"], row["error"], row["has_error"], *row["file_paths"]) for row in skipped} == {
        ("", "", False)
    }
    assert "worth keeping" not in json.dumps(skipped)


async def test_no_text_is_slow_to_record(server: Server, namespace: str) -> None:
    """Handling any text takes time in proportion to its length; a pattern that backtracks would miss the deadline."""
    room = asyncio.Semaphore(3)

    async with httpx.AsyncClient(base_url=server.base_url, trust_env=False, timeout=60) as client:

        async def record(name: str, call: dict[str, Any]) -> tuple[str, int, str]:
            async with room:
                response = await client.post(
                    "/v1/observe.record", json={"namespace": namespace, "session_id": name, **call}
                )
            return name, response.status_code, response.text[:200] if response.status_code != 200 else ""

        answers = await asyncio.gather(*(record(name, call) for name, call in bombs()))
    assert [answer for answer in answers if answer[1] != 200] == []
    rows = await rows_of(server, namespace=namespace)
    assert len(rows) == len(answers)
    assert max(len(row["narrative"]) for row in rows) <= 2000
    assert max(len(row["error"]) for row in rows) <= 800


async def test_others_are_answered_while_large_records_are_worked_on(server: Server, namespace: str) -> None:
    # The slowest ones, and few enough to stay far from their deadline on a busy machine.
    heavy = [call for name, call in bombs() if name in {"entities", "deep"}] * 2
    started: list[asyncio.Event] = []

    def body(call: dict[str, Any], sent: asyncio.Event) -> Callable[[], AsyncIterator[bytes]]:
        async def parts() -> AsyncIterator[bytes]:
            yield json.dumps({"namespace": namespace, **call}).encode()
            sent.set()

        return parts

    async with (
        httpx.AsyncClient(base_url=server.base_url, trust_env=False, timeout=60) as client,
        httpx.AsyncClient(base_url=server.base_url, trust_env=False, timeout=60) as other,
    ):
        tasks = []
        for call in heavy:
            started.append(asyncio.Event())
            content = body(call, started[-1])()
            headers = {"content-type": "application/json"}
            tasks.append(asyncio.create_task(client.post("/v1/observe.record", content=content, headers=headers)))
        await asyncio.gather(*(event.wait() for event in started))
        # Begun after all of the large ones had been sent, and over while at least one is still worked on.
        health = await other.post("/v1/ops.health", json={})
        small = await other.post("/v1/observe.record", json={"namespace": namespace, "tool_name": "Bash"})
        working = [task for task in tasks if not task.done()]
        assert (health.status_code, small.status_code, bool(working)) == (200, 200, True)
        assert [(await task).status_code for task in tasks] == [200] * len(tasks)


async def test_a_row_is_there_after_sigkill_right_after_its_answer(tmp_path: Path) -> None:
    server = Server(tmp_path / "data", tmp_path / "log").start()
    keys = []
    try:
        for name in DOORS:
            keys.append((await door(name, server).call("observe.record", {"tool_name": name}))["memory_key"])
    finally:
        server.kill()
    with server:
        assert {row["memory_key"] for row in await rows_of(server)} == set(keys)


async def test_a_call_whose_session_is_not_known_is_kept_by_the_hook_too(
    server: Server, namespace: str, tmp_path: Path
) -> None:
    payload = tool_use("Bash", {"command": "ls"})
    for session in ("", None):
        Home(tmp_path, server.base_url).hook(
            {**payload, "session_id": session, "tool_use_id": ""}, "--namespace", namespace
        )
    [row] = await rows_of(server, namespace=namespace)
    assert (row["session_id"], row["run_id"], row["user_id"]) == ("-", "-", "-")
