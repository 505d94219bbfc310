"""Capture and the command line against a real server: hooks, the spool, imports, and what each command's exit code says."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.capture_run import NOBODY, Home, tool_use
from tests.support.server import Server
from tests.support.stub_server import HOOKS, hook_json

OK, FAILED, USAGE, UNREACHABLE = range(4)


@pytest.fixture
def home(server: Server, namespace: str, tmp_path: Path) -> Home:
    """A user's home, whose commands speak to the server about a namespace of their own."""
    return NamedHome(tmp_path / "home", server.base_url, namespace)


class NamedHome(Home):
    def __init__(self, folder: Path, base_url: str, namespace: str) -> None:
        super().__init__(folder, base_url)
        self.namespace, self.server_url = namespace, base_url

    def env(self) -> dict[str, str]:
        return super().env() | {"LOOM_NAMESPACE": self.namespace}

    def rows(self) -> list[dict[str, Any]]:
        """What the server has of this home."""
        body = {"namespace": self.namespace, "page_size": 500}
        response = httpx.post(f"{self.server_url}/v1/observe.list", json=body, trust_env=False)
        return response.json()["observations"]

    def sent_all(self) -> "NamedHome":
        """On a busy machine a hook may run out of its two seconds and leave its record in the spool."""
        assert self.run("capture", "spool", "--send").returncode == OK
        return self


def test_hooks_of_two_agents_become_rows(home: NamedHome) -> None:
    for name in ("claude_post_tool_use.json", "claude_post_tool_use_failure.json", "codex_post_tool_use.json"):
        home.hook(hook_json(name))
    for name in ("claude_stop.json", "codex_notify.json"):
        home.hook(hook_json(name))
    rows = {(row["agent"], row["tool_name"]): row for row in home.sent_all().rows()}
    assert sorted(rows) == [("claude-code", "Bash"), ("claude-code", "Write"), ("codex", "Bash")]
    written = rows["claude-code", "Write"]
    assert (written["kind"], written["file_paths"], written["has_error"]) == (
        "file_edit",
        ["/home/dev/shop/cart.py"],
        False,
    )
    assert written["session_id"] == "5f0d3b52-6c0e-4a8e-9d0e-2f1f6f0f9a11"
    assert {"observation", "file_edit", "cart.py", "capture:hook", "project:shop"} <= set(written["tags"])
    failed = rows["claude-code", "Bash"]
    assert (failed["kind"], failed["error"], failed["run_id"]) == (
        "error",
        "Exit code 1\n1 failed, 7 passed",
        "a48dc1f",
    )
    codex = rows["codex", "Bash"]
    assert (codex["kind"], codex["run_id"], "Error 2" in codex["narrative"]) == ("error", "turn-7", True)


def test_calls_of_a_time_without_a_server_arrive_when_it_is_back_oldest_first(home: NamedHome) -> None:
    home.base_url = NOBODY
    for number in range(5):
        told = home.hook(tool_use("Bash", {"command": f"step {number}"}, call_id=f"toolu_{number}"))
        assert "no answer" in told
        assert "waits in the spool" in told
    assert [record["tool_input"]["command"] for record in home.waiting()] == [f"step {n}" for n in range(5)]
    assert json.loads(home.run("capture", "spool", "--json").stdout)["pending"] == 5
    assert home.run("capture", "spool", "--send").returncode == UNREACHABLE
    assert len(home.waiting()) == 5
    home.base_url = home.server_url
    # The next call of the hook brings the others along; so does one that has nothing to record.
    home.hook(tool_use("Bash", {"command": "step 5"}, call_id="toolu_5"))
    home.hook(hook_json("claude_stop.json"))
    rows = home.sent_all().rows()
    assert [row["narrative"] for row in rows] == [f"Bash: step {n}" for n in range(6)]
    assert (home.waiting(), home.refused()) == ([], [])


def test_what_the_server_refuses_is_set_aside_and_holds_up_nothing(home: NamedHome) -> None:
    home.base_url = NOBODY
    home.hook(tool_use("Bash", {"command": "one"}))
    home.hook(tool_use("Bash", {"command": "two"}, session_id="a\x00b"))
    home.hook(tool_use("Bash", {"command": "three"}))
    home.base_url = home.server_url
    assert home.run("capture", "spool", "--send").returncode == OK
    assert [row["narrative"] for row in home.rows()] == ["Bash: one", "Bash: three"]
    [refused] = home.refused()
    assert refused["reason"].startswith("INVALID_FIELD: ")
    assert "session_id" in refused["reason"]


@pytest.mark.parametrize(
    "payload", [b"", b"null", b"{", b"\xff\xfe", b"[1]", b'"text"', b"[" * 100_000, b'{"tool_name": 5}', b"{}"]
)
def test_whatever_a_hook_reads_the_agent_goes_on(home: NamedHome, payload: bytes) -> None:
    home.hook(payload)


def test_a_call_that_is_too_large_is_cut_to_the_servers_limit(tmp_path: Path, namespace: str) -> None:
    with Server(tmp_path / "data", tmp_path / "log", env={"LOOM_MAX_BODY_BYTES": "4096"}) as server:
        home = NamedHome(tmp_path / "home", server.base_url, namespace)
        home.hook(tool_use("Bash", {"command": "cat big"}, "first line\n" + "x" * 100_000))
        [row] = home.sent_all().rows()
        assert "capture:cut" in row["tags"]
        assert row["narrative"].startswith("Bash: cat big\nOutput: first line\nxxx")
    assert home.refused() == []


@pytest.fixture(params=[("claude_session.jsonl", 2, 1), ("codex_rollout.jsonl", 4, 0)], ids=lambda param: param[0])
def transcript(request: pytest.FixtureRequest) -> Iterator[tuple[Path, int, int]]:
    """A transcript, and how many finished and unfinished calls are in it."""
    name, calls, unfinished = request.param
    yield HOOKS / name, calls, unfinished


def test_an_import_reports_and_a_second_one_adds_nothing(home: NamedHome, transcript: tuple[Path, int, int]) -> None:
    path, calls, unfinished = transcript
    reports = []
    for _ in range(2):
        done = home.run("capture", "import", "--json", str(path))
        assert done.returncode == OK
        reports.append(json.loads(done.stdout))
    assert reports[0] == reports[1]
    for name, count in {"files": 1, "calls": calls, "stored": calls, "unfinished": unfinished, "refused": 0}.items():
        assert reports[0][name] == count, name
    rows = home.rows()
    assert len(rows) == calls
    assert all("capture:import" in row["tags"] and row["observed_at"].startswith("2026-03-02T") for row in rows)
    in_words = home.run("capture", "import", str(path))
    assert f"{calls} calls: {calls} stored, 0 refused".encode() in in_words.stdout
    assert len(home.rows()) == calls


def test_an_import_leaves_out_what_the_hook_has_recorded(home: NamedHome) -> None:
    payload = tool_use(
        "Read", {"file_path": "/home/dev/shop/cart.py"}, "TAX = 0.19", call_id="toolu_a", session_id="s-claude"
    )
    home.hook(payload)
    home.sent_all()
    done = home.run("capture", "import", "--json", str(HOOKS / "claude_session.jsonl"))
    report = json.loads(done.stdout)
    assert (report["calls"], report["captured"], report["stored"]) == (2, 1, 1)
    assert sorted(row["tool_name"] for row in home.rows()) == ["Bash", "Read"]


def test_an_import_without_a_server_or_a_file_says_so(home: NamedHome, tmp_path: Path) -> None:
    missing = home.run("capture", "import", str(tmp_path / "none.jsonl"))
    assert (missing.returncode, b"cannot be read" in missing.stderr + missing.stdout) == (FAILED, True)
    home.base_url = NOBODY
    done = home.run("capture", "import", str(HOOKS / "claude_session.jsonl"))
    assert (done.returncode, b"no answer from" in done.stderr) == (UNREACHABLE, True)


def test_loom_call_prints_the_answer_and_its_exit_code_tells_how_it_went(home: NamedHome, tmp_path: Path) -> None:
    (tmp_path / "input.json").write_text('{"command": "ls"}')
    own = f"namespace={home.namespace}"
    record = home.run(
        "call", "observe.record", own, "tool_name=Bash", f"tool_input=@{tmp_path / 'input.json'}", "tags=[1]"
    )
    detail = json.loads(record.stderr)["detail"]
    assert (record.returncode, record.stdout) == (FAILED, b"")
    assert (detail["code"], detail["metadata"]) == ("INVALID_FIELD", {"field": "tags[0]"})
    record = home.run(
        "call", "observe.record", own, "tool_name=Bash", f"tool_input=@{tmp_path / 'input.json'}", 'tags=["a"]'
    )
    assert (record.returncode, record.stderr) == (OK, b"")
    key = json.loads(record.stdout)["memory_key"]
    got = home.run("call", "observe.get", "-", own, stdin=json.dumps({"memory_key": key}).encode())
    assert json.loads(got.stdout)["observation"]["tags"] == ["observation", "command_run", "a"]
    unknown = home.run("call", "observe.recrod")
    assert json.loads(unknown.stderr)["detail"]["metadata"]["nearest"].startswith("observe.record")
    assert unknown.returncode == FAILED
    assert home.run("call", "observe.record", "tool_name").returncode == USAGE
    assert home.run("call").returncode == USAGE
    assert home.run("call", "ops.health", "--base-url", "nonsense").returncode == USAGE
    assert home.run("call", "ops.health", "--base-url", NOBODY).returncode == UNREACHABLE


def test_loom_ops_needs_no_server(home: NamedHome) -> None:
    home.base_url = NOBODY
    listed = home.run("ops", "--json")
    assert listed.returncode == OK
    served = httpx.post(f"{home.server_url}/v1/ops.capabilities", json={}, trust_env=False).json()["ops"]
    assert sorted(op["name"] for op in json.loads(listed.stdout)) == sorted(served)
    described = home.run("ops", "describe", "observe.record")
    assert (described.returncode, b"tool_input" in described.stdout) == (OK, True)
    nearest = home.run("ops", "describe", "observe.recrod")
    assert (nearest.returncode, b"observe.record" in nearest.stderr) == (USAGE, True)


def test_an_unknown_command_and_help_have_their_exit_codes(home: NamedHome) -> None:
    for args, code in [
        (("--help",), OK),
        (("--version",), OK),
        ((), USAGE),
        (("cal",), USAGE),
        (("serve", "--help"), OK),
    ]:
        done = home.run(*args)
        assert done.returncode == code, args
        assert b"Traceback" not in done.stderr
    assert b"call" in home.run("cal").stderr


def test_loom_doctor_is_well_next_to_a_server_and_says_what_to_do_without_one(home: NamedHome, server: Server) -> None:
    well = home.run("doctor", "--data", str(server.data))
    assert well.returncode == OK, well.stdout
    assert b"held by a running process" in well.stdout
    assert b"FIX" not in well.stdout
    home.base_url = NOBODY
    ill = home.run("doctor", "--json", "--data", str(home.folder / "none"))
    findings = {finding["check"]: finding for finding in json.loads(ill.stdout)}
    assert ill.returncode == FAILED
    assert "loom serve" in findings["server"]["advice"]
    assert [name for name, finding in findings.items() if not finding["ok"]] == ["server"]
    # It looks and leaves nothing behind.
    assert not (home.folder / "none").exists()
