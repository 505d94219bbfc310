"""Importing whole transcripts."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from loom.capture import courier as couriers
from loom.capture import hook, progress
from loom.capture.courier import ATTEMPTS, Courier, StoppedError
from loom.capture.spool import Spool
from loom.cli import main
from loom.cli.door import Door, UnreachableError
from tests.support.capture_home import files_holding, isolated
from tests.support.stub_server import HOOKS, StubServer, detail, failing, serving, unused_url

CLAUDE, CODEX = HOOKS / "claude_session.jsonl", HOOKS / "codex_rollout.jsonl"


@pytest.fixture(autouse=True)
def spool(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Spool:
    monkeypatch.setattr(couriers.time, "sleep", lambda seconds: None)
    return isolated(monkeypatch, tmp_path)


def run(server: StubServer | str, capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, dict[str, Any]]:
    url = server if isinstance(server, str) else server.url
    code = main(["capture", "import", *map(str, args), "--base-url", url, "--json"])
    said = capsys.readouterr()
    assert said.err == "" or code
    return code, json.loads(said.out) if said.out else {}


def test_the_calls_of_all_files_are_stored_and_summed_up(capsys):
    with serving() as server:
        code, summary = run(server, capsys, CLAUDE, CODEX)
    assert code == 0
    assert summary == {
        "files": 2,
        "calls": 6,
        "stored": 6,
        "captured": 0,
        "unfinished": 1,
        "refused": 0,
        "bad_lines": 1,
        "unreadable": 0,
        "stopped": "",
    }
    assert len(server.rows) == 6
    assert {row["observed_at"][:10] for row in server.rows.values()} == {"2026-03-02"}


def test_importing_again_adds_nothing(capsys):
    with serving() as server:
        run(server, capsys, CLAUDE, CODEX)
        before = dict(server.rows)
        run(server, capsys, CODEX, CLAUDE)
    assert server.rows == before


def test_a_transcript_that_grew_adds_only_what_is_new(capsys, tmp_path):
    grown = tmp_path / "grown.jsonl"
    lines = CODEX.read_text().splitlines(keepends=True)
    with serving() as server:
        grown.write_text("".join(lines[:5]))
        run(server, capsys, grown)
        assert len(server.rows) == 1
        grown.write_text("".join(lines))
        run(server, capsys, grown)
    assert len(server.rows) == 4


def test_a_folder_stands_for_the_transcripts_in_it(capsys, tmp_path):
    (tmp_path / "projects" / "shop").mkdir(parents=True)
    shutil.copy(CLAUDE, tmp_path / "projects" / "shop")
    (tmp_path / "projects" / "notes.txt").write_text("no transcript")
    with serving() as server:
        _, summary = run(server, capsys, tmp_path / "projects")
    assert (summary["files"], summary["stored"]) == (1, 2)


def test_standard_input_is_a_file_too(capsys, monkeypatch):
    with serving() as server, CODEX.open() as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        _, summary = run(server, capsys, "-")
    assert summary["stored"] == 4


def test_a_call_that_the_hook_recorded_is_not_recorded_twice(capsys, monkeypatch, spool):
    payload = {
        "hook_event_name": "PostToolUse",
        "session_id": "s-claude",
        "tool_use_id": "toolu_a",
        "tool_name": "Read",
        "tool_input": {"file_path": "/home/dev/shop/cart.py"},
        "tool_response": {"file": {"content": "TAX = 0.19"}},
    }
    with serving() as server:
        hook.main([json.dumps(payload), "--agent", "claude-code", "--base-url", server.url], 20.0)
        _, summary = run(server, capsys, CLAUDE)
        assert (summary["captured"], summary["stored"], len(server.rows)) == (1, 1, 2)
        _, summary = run(server, capsys, CLAUDE, "--all")
        assert (summary["captured"], summary["stored"]) == (0, 2)


def test_a_refused_record_fails_the_import_and_names_file_and_line(capsys):
    def answering(sent):
        results = [{"detail": detail("INVALID_FIELD", "invalid")}, {"detail": None}]
        return 200, {"results": results}

    with serving(answering) as server:
        code = main(["capture", "import", str(CLAUDE), "--base-url", server.url])
    said = capsys.readouterr()
    assert code == 1
    assert f"{CLAUDE}:3: refused: INVALID_FIELD: about INVALID_FIELD" in said.err
    assert f"{CLAUDE}:5: not JSON" in said.err
    assert "1 refused" in said.out


def test_a_missing_file_is_told_and_the_others_are_imported(capsys, tmp_path):
    with serving() as server:
        code, summary = run(server, capsys, tmp_path / "none.jsonl", CODEX)
    assert code == 1
    assert (summary["unreadable"], summary["stored"]) == (1, 4)


def test_a_server_that_was_never_there_is_exit_code_3(capsys):
    assert run(unused_url(), capsys, CODEX)[0] == 3


def test_a_server_that_refuses_the_key_stops_the_import_at_once(capsys):
    with serving(lambda sent: failing(401, "TOKEN_MISSING", "auth")) as server:
        code, summary = run(server, capsys, CODEX)
    assert code == 1
    assert summary["stopped"] == "TOKEN_MISSING: about TOKEN_MISSING"
    assert len(server.sent) == 1


def test_a_server_lost_midway_is_told_with_how_far_it_came_and_a_second_run_completes(capsys, tmp_path):
    big = tmp_path / "big.jsonl"
    lines = []
    for number in range(3):
        call = {"type": "function_call", "name": "f", "arguments": "{}", "call_id": f"c{number}"}
        output = {"type": "function_call_output", "output": "x" * 400_000, "call_id": f"c{number}"}
        lines += [
            {"type": "response_item", "timestamp": "2026-03-02T10:00:00Z", "payload": item} for item in (call, output)
        ]
    big.write_text("\n".join(map(json.dumps, lines)))
    answers = iter([None])

    def answering(sent):
        return next(answers, failing(503, "SHUTTING_DOWN", "unavailable", retryable=True))

    with serving(answering) as server:
        code, summary = run(server, capsys, big)
        assert (code, summary["stored"], summary["stopped"]) == (1, 2, "SHUTTING_DOWN: about SHUTTING_DOWN")
        server.answering = lambda sent: None
        code, summary = run(server, capsys, big)
        assert (code, summary["stored"], len(server.rows)) == (0, 3, 3)


def test_private_text_is_found_in_nothing_that_is_sent_or_kept(capsys, tmp_path):
    line = {"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "t", "content": "hunter2"}]}}
    start = {
        "type": "assistant",
        "message": {
            "content": [{"type": "tool_use", "id": "t", "name": "Bash", "input": {"c": "<private>hunter2</private>"}}]
        },
    }
    line["message"]["content"][0]["content"] = "a <private>hunter2"
    transcript = tmp_path / "in" / "t.jsonl"
    transcript.parent.mkdir()
    transcript.write_text(json.dumps(start) + "\n" + json.dumps(line) + "\nbad <private>hunter2</private>\n")
    with serving() as server:
        code = main(["capture", "import", str(transcript), "--base-url", server.url])
    said = capsys.readouterr()
    assert code == 0
    assert "hunter2" not in json.dumps([sent.body for sent in server.sent]) + said.out + said.err
    shutil.rmtree(transcript.parent)
    assert files_holding(tmp_path, "hunter2") == []


def test_without_a_terminal_progress_is_one_line_for_each_file(capsys):
    with serving() as server:
        main(["capture", "import", str(CODEX), "--base-url", server.url])
    said = capsys.readouterr()
    assert said.err == f"{CODEX}: 4 calls\n"
    assert said.out.startswith("1 files, 4 calls: 4 stored")


def test_at_a_terminal_there_is_a_bar(monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    shown = progress.display(100, json=False)
    assert isinstance(shown, progress.Bar)
    with shown:
        shown.advance(60)
        shown.tell("a [bold]line")
        shown.file_done("f", 1)
    assert shown._progress.tasks[0].completed == 60


def test_without_rich_there_are_lines(monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setitem(__import__("sys").modules, "rich.console", None)
    assert isinstance(progress.display(100, json=False), progress.Lines)


RECORDS = [{"session_id": "s", "tool_name": "Bash", "observed_at": f"t{number}"} for number in range(3)]


def test_a_server_that_asks_for_time_gets_it():
    answers = iter([failing(429, "OVERLOADED", "overload", retryable=True, retry_after_s=3.5)])
    waited: list[float] = []
    with serving(lambda sent: next(answers, None)) as server:
        verdicts = Courier(Door(server.url), waited.append).deliver(RECORDS)
    assert all(verdict.stored for verdict in verdicts)
    assert waited == [3.5]


def test_no_server_can_ask_for_more_than_the_longest_wait():
    answer = failing(503, "CIRCUIT_OPEN", "unavailable", retryable=True, retry_after_s=86400)
    waited: list[float] = []
    with serving(lambda sent: answer) as server, pytest.raises(StoppedError, match="CIRCUIT_OPEN"):
        Courier(Door(server.url), waited.append).deliver(RECORDS)
    assert waited == [couriers.LONGEST_WAIT_S] * (ATTEMPTS - 1)


def test_only_the_records_that_are_not_stored_are_sent_again():
    later = {"detail": detail("STORAGE_UNAVAILABLE", "unavailable", retryable=True)}
    answers = iter([(200, {"results": [{"detail": None}, later, {"detail": None}]})])
    with serving(lambda sent: next(answers, None)) as server:
        verdicts = Courier(Door(server.url), lambda seconds: None).deliver(RECORDS)
    assert [verdict.stored for verdict in verdicts] == [True, True, True]
    assert server.sent[1].body == RECORDS[1]


def test_a_server_that_restarts_is_waited_for():
    with serving() as server:
        door = Door(server.url)
        courier = Courier(door, lambda seconds: None)
        courier.deliver(RECORDS[:1])
    with pytest.raises(StoppedError, match="no answer"):
        courier.deliver(RECORDS[1:])


def test_a_server_that_never_answered_is_unreachable():
    with pytest.raises(UnreachableError):
        Courier(Door(unused_url()), lambda seconds: None).deliver(RECORDS)
