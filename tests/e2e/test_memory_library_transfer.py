"""`loom memory export` and `import` against a real server and a real folder."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from loom import SyncAgent
from loom.memory._transfer import MOST_RECORDS
from tests.support.server import BIN, Server, clean_environ

LIMIT_S = 120.0
MAX_BODY = 4_096


def loom(*args: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [BIN / "loom", "memory", *args],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        env=clean_environ(),
        check=False,
    )


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that takes only small bodies, so that memories must go in parts."""
    folder = tmp_path_factory.mktemp("narrow")
    with Server(folder / "data", folder / "log", env={"LOOM_MAX_BODY_BYTES": str(MAX_BODY)}) as running:
        yield running


def texts(records: list[dict[str, Any]]) -> list[Any]:
    """What an export says, apart from the ids, which are the installation's own."""
    return [{name: value for name, value in record.items() if name != "id"} for record in records]


def export(base_url: str, *scope: str) -> list[dict[str, Any]]:
    done = loom("export", *scope, "--base-url", base_url)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def filled(server: Server, namespace: str) -> None:
    """A user with a topic of many texts, a memory that was changed by its id, and two plain ones."""
    with SyncAgent(base_url=server.base_url, namespace=namespace, user_id="ada") as agent:
        for n in range(30):
            agent.memory.save(type="decision", title="T", content=f"Text {n} " + "x" * 300, topic_key="a/b")
        saved = agent.memory.save(type="pattern", title="P", content="First " + "y" * 900)
        for n in range(9):
            agent.memory.update(observation_id=saved.id, content=f"Changed {n} " + "z" * 900)
        agent.memory.save(
            type="discovery", title="Ünï", content="中文 🙂\nline", observed_at="2020-01-01T00:00:00+05:30"
        )
        agent.memory.save(type="profile", title="Tab\t", content='Quotes " and \\ back')


def test_an_export_brought_in_elsewhere_is_the_same_and_twice_adds_nothing(
    server: Server, narrow: Server, namespace: str
) -> None:
    filled(server, namespace)
    here = export(server.base_url, "--namespace", namespace, "--user", "ada")
    assert sorted(len(record["revisions"]) for record in here) == [1, 1, 10, 30]
    lines = "".join(json.dumps(record) + "\n" for record in here)
    there = ("--namespace", namespace, "--user", "bob", "--base-url", narrow.base_url)
    first = loom("import", "-", *there, stdin=lines)
    assert (first.returncode, first.stdout) == (0, "4 memories are in, 42 texts of them were new\n"), first.stderr
    again = loom("import", "-", *there, stdin=lines)
    assert (again.returncode, again.stdout) == (0, "4 memories are in, 0 texts of them were new\n")
    back = export(narrow.base_url, "--namespace", namespace, "--user", "bob")
    assert texts(back) == texts(here)


def line(n: int) -> str:
    text = {"type": "decision", "title": "T", "content": f"Fact {n}", "said_at": "2026-01-01T00:00:00Z"}
    return json.dumps({"topic_key": f"a/{n}", "revisions": [text]}) + "\n"


def count(server: Server, namespace: str) -> int:
    with SyncAgent(base_url=server.base_url, namespace=namespace, user_id="ada") as agent:
        return agent.memory.stats().observations


def test_an_import_that_loses_its_server_says_how_far_it_came_and_the_next_one_finishes_it(
    tmp_path: Path, namespace: str
) -> None:
    lines = [line(n) for n in range(1_200)]
    server = Server(tmp_path / "data", tmp_path / "log").start()
    scope = ("--namespace", namespace, "--user", "ada")
    arguments = [BIN / "loom", "memory", "import", "-", *scope, "--base-url", server.base_url]
    process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=clean_environ())
    assert process.stdin
    # A call takes 500. Once the second one is stored, the first one was answered.
    process.stdin.writelines(lines[:1_100])
    process.stdin.flush()
    while count(server, namespace) <= MOST_RECORDS:
        assert process.poll() is None
    server.kill()
    out, _ = process.communicate(input="".join(lines[1_100:]), timeout=LIMIT_S)
    assert process.returncode == 1
    came = int(out.split()[0])
    assert out.startswith(
        f"{came} memories are in, {came} texts of them were new\nstopped before the end: CONNECTION_FAILED"
    )
    assert "NOT everything is in; run it again" in out
    with server:
        kept = count(server, namespace)
        again = loom("import", "-", *scope, "--base-url", server.base_url, stdin="".join(lines))
    assert MOST_RECORDS <= came <= kept < len(lines)
    assert (again.returncode, again.stdout) == (0, f"1200 memories are in, {1_200 - kept} texts of them were new\n")


def test_a_folder_is_exported_imported_and_searched_without_a_server(tmp_path: Path) -> None:
    data = ("--data", str(tmp_path / "mem"), "--user", "ada")
    saved = loom("save", "We deploy on Fridays.", "--type", "decision", "--title", "Deploys", *data)
    assert (saved.returncode, saved.stdout.split()[0]) == (0, "created"), saved.stderr
    exported = loom("export", *data)
    assert exported.returncode == 0
    other = ("--data", str(tmp_path / "other"), "--user", "ada")
    assert loom("import", "-", *other, stdin=exported.stdout).stdout == "1 memories are in, 1 texts of them were new\n"
    found = loom("search", "when do we deploy", *other)
    assert "[decision] Deploys" in found.stdout, found.stderr


def test_a_folder_that_another_process_holds_is_told_as_such(server: Server) -> None:
    done = loom("search", "q", "--data", str(server.data))
    assert done.returncode == 1
    assert "in use by process" in done.stderr
    assert "Traceback" not in done.stderr
