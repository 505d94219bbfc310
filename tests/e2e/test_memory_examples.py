"""The examples run, against a server and on a folder."""

import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from examples import chat_backend
from loom import Agent, RetryPolicy, SyncAgent
from loom.memory import Memory
from tests.support.server import Server, clean_environ, read_line

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
LIMIT_S = 60.0
STEPS = 60
TOTAL = sum(step * step for step in range(1, STEPS + 1))


def command(name: str, *args: str) -> list[str]:
    return [sys.executable, str(EXAMPLES / name), *args]


async def test_a_chat_answers_with_what_it_was_told_before_and_with_nothing_of_another_user(
    server: Server, namespace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = chat_backend.app(server.base_url)
    user, other = f"ada-{namespace}", f"bob-{namespace}"
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://chat") as client:

            async def say(user: str, text: str) -> dict[str, str]:
                answer = await client.post("/chat", json={"user": user, "text": text})
                assert answer.status_code == 200
                return answer.json()

            first = await say(user, "Hello. I prefer tabs over spaces in Go.")
            assert first["remembered"] == "created"
            assert (await say(user, "I prefer tabs over spaces in Go."))["remembered"] == "deduped"
            assert "prefer tabs over spaces" in (await say(user, "How should I indent this file?"))["reply"]
            assert "tabs" not in (await say(other, "How should I indent this file?"))["reply"]


async def test_a_chat_goes_on_without_its_memory(capsys: pytest.CaptureFixture[str]) -> None:
    refusing = httpx.MockTransport(lambda _: httpx.Response(503, json={}))
    async with Agent(base_url="http://loom.test", transport=refusing, retry=RetryPolicy(attempts=1)) as agent:
        turn = await chat_backend.Chat(agent).turn("ada", "Hello")
    assert (turn.reply, turn.remembered) == ("You said: Hello", "")
    assert "answering without memory: HTTP_503" in capsys.readouterr().err


def test_a_chat_in_the_terminal_answers_line_by_line(server: Server, namespace: str) -> None:
    asked = "We use uv for Python.\n\nWhich tool do we use?\n"
    arguments = command("chat_backend.py", "--base-url", server.base_url, "--user", f"eve-{namespace}")
    done = subprocess.run(
        arguments, input=asked, capture_output=True, text=True, timeout=LIMIT_S, env=clean_environ(), check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "You said: Which tool do we use?" in done.stdout
    assert "use uv for Python" in done.stdout.partition("Which tool do we use?")[2]


@pytest.fixture(params=["server", "folder"])
def job(request: pytest.FixtureRequest, tmp_path: Path, namespace: str) -> Iterator[list[str]]:
    where = ["--data", str(tmp_path / "mem")]
    if request.param == "server":
        where = ["--base-url", request.getfixturevalue("server").base_url]
    yield command("long_running_agent.py", *where, "--namespace", namespace, "--steps", str(STEPS))


def test_a_job_that_is_killed_goes_on_after_its_last_checkpoint(job: list[str]) -> None:
    process = subprocess.Popen(job, stdout=subprocess.PIPE, env=clean_environ())
    try:
        read_line(process, b"step 3 done", LIMIT_S)
    finally:
        process.kill()
        process.wait()
        assert process.stdout
        process.stdout.close()
    again = subprocess.run(job, capture_output=True, text=True, timeout=LIMIT_S, env=clean_environ(), check=False)
    assert (again.returncode, again.stderr) == (0, "")
    lines = again.stdout.splitlines()
    resumed = int(lines[0].removeprefix("going on after step "))
    assert 3 <= resumed < STEPS
    assert lines[1:] == [*(f"step {step} done" for step in range(resumed + 1, STEPS + 1)), f"total {TOTAL}"]


def test_a_finished_job_leaves_its_history_behind(server: Server, namespace: str) -> None:
    arguments = command(
        "long_running_agent.py", "--base-url", server.base_url, "--namespace", namespace, "--steps", "12"
    )
    subprocess.run(arguments, capture_output=True, timeout=LIMIT_S, env=clean_environ(), check=True)
    with SyncAgent(base_url=server.base_url, namespace=namespace, user_id="job:squares") as agent:
        started = agent.memory.session_start()
        assert [past.summary for past in started.sessions_context] == ["All 12 steps done; the total is 650."]
        by_type = {memory.type: memory for memory in started.memories}
        assert agent.memory.get_observation(observation_id=by_type["decision"].id).observation.revision_count == 12
        assert by_type["summary"].title == "10 of 12 steps are done."


def test_the_manuals_library_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    manual = (EXAMPLES.parent / "docs" / "memory.md").read_text()
    [example] = re.findall(r"```python\n(from loom\.memory import Memory\n.*?)```", manual, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "memory.md", "exec"), {"__name__": "example"})
    assert "Greeting: Alice likes to be greeted in French." in capsys.readouterr().out


def test_the_manual_names_every_method_with_its_arguments() -> None:
    manual = (EXAMPLES.parent / "docs" / "memory.md").read_text()
    told = {name: args.split(", ") for name, args in re.findall(r"^\| `(mem_\w+)\((.*?)\)` \|", manual, re.MULTILINE)}
    methods = {name: method for name, method in vars(Memory).items() if name.startswith("mem_")}
    assert told == {
        name: [arg for arg in inspect.signature(method).parameters if arg not in ("self", "org", "namespace")]
        for name, method in methods.items()
    }


def test_the_manuals_links_lead_somewhere() -> None:
    docs = EXAMPLES.parent / "docs"
    links = re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", (docs / "memory.md").read_text())
    assert [link for link in links if not (docs / link).exists()] == []


def test_a_job_runs_on_the_server_that_the_environment_names(server: Server, namespace: str) -> None:
    started = command("long_running_agent.py", "--namespace", namespace, "--name", "small", "--steps", "3")
    environ = {**clean_environ(), "LOOM_BASE_URL": server.base_url}
    done = subprocess.run(started, env=environ, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "total 14")
