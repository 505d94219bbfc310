"""The hook records every call and never fails the agent."""

import json
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from loom.capture import hook
from loom.capture.ending import Ending
from loom.capture.spool import Spool
from tests.support.capture_home import files_holding, isolated, pending
from tests.support.stub_server import StubServer, failing, hook_json, serving, unused_url


@pytest.fixture
def spool(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Spool:
    return isolated(monkeypatch, tmp_path)


class Fire:
    """Runs the hook on some input and checks what holds for every run."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
        self._monkeypatch, self._capsys, self._file = monkeypatch, capsys, folder / "stdin"

    def __call__(self, payload: Any, url: str, *args: str, budget_s: float = 20.0) -> str:
        self._file.write_bytes(payload if isinstance(payload, bytes) else json.dumps(payload).encode())
        with self._file.open() as stdin:
            self._monkeypatch.setattr(sys, "stdin", stdin)
            assert hook.main(["--base-url", url, *args], budget_s) == 0
        said = self._capsys.readouterr()
        assert said.out == ""
        return said.err


@pytest.fixture
def fire(monkeypatch, capsys, tmp_path, spool) -> Fire:
    return Fire(monkeypatch, capsys, tmp_path)


CALL = hook_json("claude_post_tool_use.json")


def test_a_call_is_recorded_at_once_and_nothing_is_said(fire, spool):
    with serving() as server:
        assert fire(CALL, server.url) == ""
    (row,) = server.rows.values()
    assert (row["tool_name"], row["agent"], row["file_paths"]) == ("Write", "claude-code", ["/home/dev/shop/cart.py"])
    assert pending(spool) == []


def test_one_tool_call_is_one_row_however_often_the_hook_fires(fire):
    with serving() as server:
        for _ in range(3):
            fire(CALL, server.url)
    assert len(server.sent) == 3
    assert len(server.rows) == 1


def test_two_real_calls_with_the_same_content_are_two_rows(fire):
    with serving() as server:
        fire(CALL, server.url)
        fire({**CALL, "tool_use_id": "toolu_other"}, server.url)
    assert len(server.rows) == 2


def test_a_call_without_an_id_is_one_row_too(fire):
    with serving() as server:
        for _ in range(3):
            fire({"tool_name": "Bash", "tool_input": "ls"}, server.url)
    assert len(server.rows) == 1


def test_a_spooled_call_is_the_same_row_as_the_one_sent_at_once_and_keeps_the_time_of_capture(fire, spool):
    fire(CALL, unused_url())
    (spooled,) = pending(spool)
    with serving() as server:
        fire(CALL, server.url)
        fire(hook_json("claude_stop.json"), server.url)
    assert [sent.op for sent in server.sent] == ["observe.record", "observe.record"]
    assert [row["observed_at"] for row in server.rows.values()] == [spooled["observed_at"]]
    assert pending(spool) == []


def test_an_agents_own_time_is_the_time_of_the_record(fire):
    with serving() as server:
        fire(hook_json("gemini_after_tool.json"), server.url)
    assert [row["observed_at"] for row in server.rows.values()] == ["2026-03-02T09:00:00.250000Z"]


def test_an_observation_before_its_session_is_known_is_kept(fire):
    with serving() as server:
        fire({key: value for key, value in CALL.items() if key != "session_id"}, server.url)
    assert [row["session_id"] for row in server.rows.values()] == ["-"]


@pytest.mark.parametrize("payload", ["text", 7, None, 1.5, True])
def test_a_payload_that_is_a_bare_json_value_is_stored(fire, payload):
    with serving() as server:
        fire(payload, server.url)
        fire({**CALL, "tool_input": payload, "tool_response": payload}, server.url)
    assert len(server.rows) == 2
    assert all(row.get("tool_output") == payload for row in server.rows.values())


def test_a_call_of_looms_own_tools_is_sent_without_content(fire):
    with serving() as server:
        fire({**CALL, "tool_name": "mcp__loom__mem_save"}, server.url)
    (row,) = server.rows.values()
    assert not {"tool_input", "tool_output", "file_paths"} & set(row)


@pytest.mark.parametrize("name", ["claude_stop.json", "codex_notify.json"])
def test_an_event_that_is_no_tool_call_sends_nothing(fire, name):
    with serving() as server:
        assert fire(hook_json(name), server.url) == ""
    assert server.sent == []


@pytest.mark.parametrize(
    "answer",
    [
        failing(503, "STORAGE_UNAVAILABLE", "unavailable", retryable=True),
        failing(500, "INTERNAL", "internal"),
        failing(429, "OVERLOADED", "overload", retryable=True),
        failing(401, "TOKEN_MISSING", "auth"),
        failing(404, "UNKNOWN_OP", "not_found"),
        (502, b"<html>"),
        (404, b"not found"),
    ],
)
def test_a_call_that_the_server_does_not_take_waits_in_the_spool(fire, spool, answer):
    with serving(lambda sent: answer) as server:
        said = fire(CALL, server.url)
    assert "the call waits in the spool" in said
    assert len(pending(spool)) == 1
    assert "TAX" not in said


def test_a_call_without_a_server_waits_in_the_spool_and_the_next_call_sends_it(fire, spool):
    fire(CALL, unused_url())
    fire({**CALL, "tool_use_id": "two"}, unused_url())
    with serving() as server:
        fire({**CALL, "tool_use_id": "three"}, server.url)
    assert [sent.op for sent in server.sent] == ["observe.record", "observe.record_batch"]
    assert len(server.rows) == 3
    assert pending(spool) == []


def test_a_server_that_does_not_answer_costs_the_budget_and_no_record(fire, spool):
    def silent(sent):
        server.let_go.wait(20)

    with serving(silent) as server:
        said = fire(CALL, server.url, budget_s=0.3)
    assert "in the spool" in said
    assert len(pending(spool)) == 1


def test_a_name_look_up_that_hangs_costs_the_budget_and_no_record(fire, spool, monkeypatch):
    release = threading.Event()
    monkeypatch.setattr("socket.getaddrinfo", lambda *args, **kwargs: release.wait(20) and [])
    said = fire(CALL, "http://somewhere.invalid:7777", budget_s=0.3)
    release.set()
    assert "no answer in time; the call waits in the spool" in said
    assert len(pending(spool)) == 1


def test_an_agent_that_keeps_standard_input_open_loses_nothing(spool, monkeypatch, capsys):
    reader, writer = os.pipe()
    os.write(writer, json.dumps(CALL).encode())
    with os.fdopen(reader) as stdin, os.fdopen(writer, "w"):
        monkeypatch.setattr(sys, "stdin", stdin)
        assert hook.main(["--base-url", unused_url()], 0.3) == 0
    assert len(pending(spool)) == 1


def test_an_invalid_record_is_kept_with_the_reason_and_blocks_nothing(fire, spool):
    def answering(sent):
        bad = sent.op == "observe.record" and sent.body["tool_name"] == "Write"
        return failing(400, "INVALID_FIELD", "invalid") if bad else None

    with serving(answering) as server:
        said = fire(CALL, server.url)
        fire({**CALL, "tool_name": "Read", "tool_use_id": "two"}, server.url)
    assert "INVALID_FIELD" in said
    assert (pending(spool), spool.counts().refused, len(server.rows)) == ([], 1, 1)
    (file,) = (spool.folder / "refused").iterdir()
    assert json.loads(file.read_text())["record"]["tool_name"] == "Write"


def test_an_output_over_the_body_limit_is_recorded_cut(fire):
    with serving() as server:
        fire({**CALL, "tool_response": "x" * 3_000_000}, server.url)
    (row,) = server.rows.values()
    assert "characters kept" in row["tool_output"]
    assert "capture:cut" in row["tags"]


@pytest.mark.parametrize(
    "data", [b"{", b"not json <private>hunter2</private>", b"\xff\xfe", b"[" * 100_000, b'{"a": 1} x']
)
def test_input_that_is_not_json_is_kept_and_exits_zero(fire, spool, data):
    with serving() as server:
        said = fire(data, server.url)
    assert "not JSON" in said
    assert server.sent == []
    assert spool.counts().refused == 1


@pytest.mark.parametrize("data", [b"", b"  \n"])
def test_no_input_is_nothing_to_do(fire, spool, data):
    assert fire(data, unused_url()) == ""
    assert spool.counts() == (0, 0, 0, 0)


PRIVATE = [
    {**CALL, "tool_input": {"command": "echo <private>hunter2</private>"}},
    {**CALL, "tool_response": {"stdout": "<Private reason='x'>hunter2"}},
    {**CALL, "session_id": "<private>hunter2</private>"},
    {**CALL, "tool_name": "<private>hunter2</private>", "tool_use_id": "<private>hunter2</private>"},
    "<private>hunter2</private>",
    b'{"tool_name": "Bash", "tool_response": "\\u003cprivate\\u003ehunter2\\u003c/private\\u003e", "cut',
    b'{"tool_response": "<\\u0070rivate>hunter2</private>", "cut',
]


@pytest.mark.parametrize("payload", PRIVATE)
@pytest.mark.parametrize("mood", ["down", "refusing", "up"])
def test_private_text_is_found_nowhere(fire, spool, tmp_path, payload, mood):
    def answering(sent):
        return failing(400, "INVALID_FIELD", "invalid") if mood == "refusing" else None

    with serving(answering) as server:
        said = fire(payload, unused_url() if mood == "down" else server.url)
    (tmp_path / "stdin").unlink()
    assert "hunter2" not in json.dumps([sent.body for sent in server.sent]) + said
    assert files_holding(tmp_path, "hunter2") == []


@pytest.mark.parametrize("args", [["--bogus"], ["--agent"], ["a", "b", "c"], ["--base-url"]])
def test_wrong_arguments_do_not_fail_the_agent(fire, capsys, spool, monkeypatch, args, tmp_path):
    monkeypatch.setenv("LOOM_BASE_URL", unused_url())
    monkeypatch.setattr(sys, "stdin", None)
    assert hook.main(args) == 0


@pytest.mark.parametrize(
    ("name", "value"), [("LOOM_BASE_URL", "nonsense"), ("LOOM_API_KEY", "a\nb"), ("LOOM_API_KEY_FILE", "/none")]
)
def test_a_wrong_setting_costs_no_record(fire, spool, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    with serving() as server:
        fire(CALL, "" if name == "LOOM_BASE_URL" else server.url)
    assert len(pending(spool)) == 1


def test_the_key_goes_into_the_header_and_nowhere_else(fire, spool, monkeypatch, tmp_path):
    monkeypatch.setenv("LOOM_API_KEY", "key-1")
    with serving(lambda sent: failing(401, "TOKEN_INVALID", "auth")) as server:
        said = fire(CALL, server.url)
    assert server.sent[0].headers["Authorization"] == "Bearer key-1"
    assert "key-1" not in said
    assert files_holding(tmp_path, "key-1") == []


def test_identity_comes_from_arguments_and_environment(fire, monkeypatch):
    monkeypatch.setenv("LOOM_NAMESPACE", "team")
    monkeypatch.setenv("LOOM_ORG", "acme")
    with serving() as server:
        fire(CALL, server.url, "--org", "other", "--user-id", "dev", "--agent", "mine")
    (row,) = server.rows.values()
    assert [row[name] for name in ("org", "namespace", "user_id", "agent")] == ["other", "team", "dev", "mine"]


def test_a_full_spool_says_so_and_the_call_can_be_captured_again(fire, spool, monkeypatch):
    monkeypatch.setattr(hook, "Spool", lambda folder: Spool(folder, max_bytes=10))
    assert "counted as lost" in fire(CALL, unused_url())
    assert spool.counts().lost == 1
    assert [path for path in (spool.folder / "calls").rglob("*") if path.is_file()] == []


def test_a_disk_that_takes_nothing_does_not_fail_the_agent(fire, spool, tmp_path):
    (tmp_path / "spool").write_text("a file where the folder should be")
    assert "not recorded" in fire(CALL, unused_url())


def test_a_disk_that_takes_nothing_costs_nothing_while_the_server_answers(fire, tmp_path):
    (tmp_path / "spool").write_text("a file where the folder should be")
    with serving() as server:
        fire(CALL, server.url)
        fire(CALL, server.url)
    assert len(server.rows) == 1


def run(payload: dict, url: str, **options: Any) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [sys.executable, "-m", "loom.cli", "capture", "hook", "--base-url", url],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps(payload).encode())
    process.stdin.close()
    return process


def ended(process: subprocess.Popen[bytes]) -> int:
    with process:
        assert process.stdout is not None
        assert process.stdout.read() == b""
        return process.wait(30)


def test_the_command_records_a_call_and_exits_zero(spool):
    with serving() as server:
        assert ended(run(CALL, server.url)) == 0
    assert len(server.rows) == 1


def test_hooks_that_fire_at_the_same_moment_make_one_row(spool):
    with serving() as server, ThreadPoolExecutor(4) as pool:
        assert set(pool.map(lambda _: ended(run(CALL, server.url)), range(4))) == {0}
    assert len(server.rows) == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_hook_that_is_told_to_end_keeps_its_record(spool, number):
    arrived = threading.Event()

    def silent(sent):
        arrived.set()
        server.let_go.wait(30)

    with serving(silent) as server:
        process = run(CALL, server.url)
        assert arrived.wait(30)
        process.send_signal(number)
        assert ended(process) == 0
    assert len(pending(spool)) == 1


def test_a_signal_before_the_sending_leaves_it_out():
    ending = Ending()
    with ending.watched():
        os.kill(os.getpid(), signal.SIGTERM)
        ending.may_leave(lambda: pytest.fail("the wait was entered"))


def test_a_signal_during_the_wait_ends_the_wait_alone():
    ending = Ending()
    with ending.watched():
        ending.may_leave(lambda: (os.kill(os.getpid(), signal.SIGINT), pytest.fail("the wait went on"))[1])


def test_signals_are_the_agents_again_after_the_hook():
    before = signal.getsignal(signal.SIGTERM)
    with Ending().watched():
        assert signal.getsignal(signal.SIGTERM) != before
    assert signal.getsignal(signal.SIGTERM) == before


def test_the_hook_loads_no_http_grpc_or_protobuf_library(spool):
    heavy = ["httpx", "grpc", "google.protobuf", "rich", "anyio", "asyncio", "importlib.metadata", "loom.contract"]
    code = f"import sys, loom.cli; loom.cli.main(['capture', 'hook']); print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], stdin=subprocess.DEVNULL, capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"


def test_the_stub_keys_records_as_the_server_does():
    stub = StubServer()
    for observed_at in ("a", "a", "b"):
        stub._row({"session_id": "s", "observed_at": observed_at})
    stub._http.server_close()
    assert len(stub.rows) == 2
