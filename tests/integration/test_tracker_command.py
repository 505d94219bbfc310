"""`loom tracker load`: into a folder without a server, through a server, and everything that can go wrong on the way."""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from loom.cli.terminal import FAILED, OK, UNREACHABLE, USAGE
from runtime.keys import new_key
from runtime.store.folder import DataFolder
from standalone.commands.tracker import command
from standalone.loading import progress as shown
from standalone.loading.opening import opened
from tests.support.capture_home import isolated
from tests.support.commands import run
from tests.support.stub_server import Reply, Sent, StubServer, failing, serving

LOADED = {"refused": [], "refused_count": 0, "shown": True}


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    isolated(monkeypatch, tmp_path)


def export(folder: Path, numbers: range, cut: int = 0) -> str:
    """What `gh issue list --json …` writes; `cut` characters are missing at its end."""
    rows = [
        {
            "number": number,
            "title": f"Crash {number}",
            "body": "It crashes.",
            "state": "OPEN",
            "createdAt": "2026-01-01T00:00:00Z",
            "updatedAt": "2026-01-02T00:00:00Z",
            "url": f"https://github.com/Org/repo/issues/{number}",
            "labels": [{"name": "bug"}],
            "author": {"login": "dev"},
        }
        for number in numbers
    ]
    path = folder / "issues.json"
    text = json.dumps(rows)
    path.write_text(text[: len(text) - cut])
    return str(path)


def changes(folder: Path) -> str:
    row = {"number": 9, "title": "Fix", "body": "Fixes #1", "state": "MERGED", "createdAt": "2026-01-03T00:00:00Z"}
    more = {"baseRefName": "main", "mergedAt": "2026-01-04T00:00:00Z", "url": "https://github.com/Org/repo/pull/9"}
    path = folder / "prs.json"
    path.write_text(json.dumps([{**row, **more}]))
    return str(path)


def taking(sent: Sent) -> Reply | None:
    """A server that takes everything."""
    if sent.op == "tracker.load":
        return 200, {**LOADED, "stored": len(sent.body.get("rows", []))}
    return 200, {"repos": []}


@pytest.fixture
def server() -> Iterator[StubServer]:
    with serving(taking) as stub:
        yield stub


def test_an_export_goes_into_a_folder_that_no_server_holds_and_twice_adds_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, files = str(tmp_path / "data"), [export(tmp_path, range(1, 4)), changes(tmp_path)]
    for _ in range(2):
        assert run(command, "load", *files, "--data", data, "--code-namespace", "code", "--json") == OK
        told = json.loads(capsys.readouterr().out)
        assert told["stored"] == {"github_issues": 3, "github_prs": 1}
        assert (told["repos"], told["code_namespace"]) == (["Org/repo"], "code")
    answer = asked(data, "tracker.item", {"namespace": "code", "numbers": [1, 2, 3, 4, 9]})
    assert ([each["number"] for each in answer["items"]], answer["missing"]) == ([1, 2, 3, 9], [4])


def asked(data: str, op: str, fields: dict[str, Any]) -> dict[str, Any]:
    """The op's answer by the folder itself."""
    with opened(argparse.Namespace(data=data, base_url=""), {}) as (line, served):
        assert not served
        return line.ask(op, fields)


def test_of_a_file_that_was_cut_off_all_whole_records_are_loaded_and_the_break_is_told(
    tmp_path: Path, server: StubServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(command, "load", export(tmp_path, range(1, 4), cut=9), "--base-url", server.url) == FAILED
    out = capsys.readouterr().out
    assert "read 2 github_issues" in out and "stopped:" in out
    assert [sent.body.get("finish") for sent in server.sent if sent.op == "tracker.load"] == [None, True]


def test_what_was_loaded_is_told_with_lines_to_try_on_it(
    tmp_path: Path, server: StubServer, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [export(tmp_path, range(1, 4)), changes(tmp_path)]
    assert run(command, "load", *files, "--base-url", server.url, "--namespace", "mine") == OK
    printed = capsys.readouterr()
    assert "mine of Org/repo took 3 github_issues, 1 github_prs" in printed.out
    assert printed.out.count(f"LOOM_BASE_URL={server.url} loom call tracker.") == 3
    assert "100 % read" in printed.err
    assert server.sent[-1].body | {"load_id": ""} == {
        "namespace": "mine", "load_id": "", "finish": True, "repos": ["Org/repo"], "replace": False
    }  # fmt: skip


def test_a_file_that_is_not_there_ends_it_before_anything_is_sent(
    tmp_path: Path, server: StubServer, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [export(tmp_path, range(1, 4)), str(tmp_path / "no.json")]
    assert run(command, "load", *files, "--base-url", server.url) == USAGE
    assert "there is no file" in capsys.readouterr().err
    assert server.sent == []


@pytest.mark.parametrize(
    "wrong", [["--repo", "nothing"], ["--data", "x", "--base-url", "http://127.0.0.1:1"], ["--table", "issues"]]
)
def test_wrong_arguments_are_named(tmp_path: Path, wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(command, "load", export(tmp_path, range(1, 2)), *wrong) == USAGE
    assert wrong[0].removeprefix("--") in capsys.readouterr().err


def test_without_a_row_nothing_is_shown(tmp_path: Path, server: StubServer, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(command, "load", export(tmp_path, range(0)), "--base-url", server.url) == FAILED
    assert "no row was loaded" in capsys.readouterr().out
    assert [sent.op for sent in server.sent] == ["ops.health"]


def test_where_no_tracker_is_served_the_setting_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOOM_TRACKER_ORG", "")
    assert run(command, "load", export(tmp_path, [1]), "--data", str(tmp_path / "data")) == FAILED
    told = capsys.readouterr().err
    assert "LOOM_TRACKER_ORG is empty: set it" in told
    assert "org is required" not in told


def test_a_server_that_goes_away_in_the_middle_changes_nothing(
    tmp_path: Path, server: StubServer, capsys: pytest.CaptureFixture[str]
) -> None:
    def gone(sent: Sent) -> Reply | None:
        if sent.op == "tracker.load":
            raise ConnectionResetError
        return taking(sent)

    server.answering = gone
    assert run(command, "load", export(tmp_path, range(1, 4)), "--base-url", server.url) == UNREACHABLE
    assert "nothing changed" in capsys.readouterr().err
    assert not any(sent.body.get("finish") for sent in server.sent)


def test_without_a_token_it_says_which_setting_takes_one(
    tmp_path: Path, server: StubServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.answering = lambda sent: failing(401, "TOKEN_MISSING", "auth")
    assert run(command, "load", export(tmp_path, range(1, 4)), "--base-url", server.url) == FAILED
    assert "LOOM_API_KEY" in capsys.readouterr().err


def test_rows_that_are_in_are_told_of_though_the_code_namespace_is_somebody_elses(
    tmp_path: Path, server: StubServer, capsys: pytest.CaptureFixture[str]
) -> None:
    def taken(sent: Sent) -> Reply | None:
        return failing(409, "ALREADY_EXISTS", "conflict") if sent.op == "code.repo.add" else taking(sent)

    server.answering = taken
    args = ("--base-url", server.url, "--code-namespace", "theirs")
    assert run(command, "load", export(tmp_path, range(1, 4)), *args) == FAILED
    assert "the rows are in, but theirs is not linked" in capsys.readouterr().err


def test_a_folder_that_a_process_holds_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    held = DataFolder(tmp_path / "data")
    try:
        before = sorted(path.name for path in (tmp_path / "data").rglob("*"))
        assert run(command, "load", export(tmp_path, range(1, 4)), "--data", str(tmp_path / "data")) == FAILED
        assert sorted(path.name for path in (tmp_path / "data").rglob("*")) == before
    finally:
        held.release()
    said = capsys.readouterr().err
    assert "in use by process" in said and "--base-url" in said


def test_a_folder_with_keys_is_loaded_through_its_server_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    new_key(tmp_path / "data" / "keys")
    files = export(tmp_path, range(1, 4))
    assert run(command, "load", files, "--data", str(tmp_path / "data")) == FAILED
    monkeypatch.setenv("LOOM_KEYS_DIR", str(tmp_path / "data" / "keys"))
    assert run(command, "load", files, "--data", str(tmp_path / "data")) == FAILED
    said = capsys.readouterr().err
    assert "LOOM_KEYS_DIR" in said and "LOOM_API_KEY" in said


def test_a_terminal_gets_a_bar(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with shown.progress(10, quiet=False) as bar:
        bar.told("checks", 1234)
        bar.advance(5)
        assert bar.shown.tasks[0].percentage == 50 and bar.shown.tasks[0].description == "1,234 rows, checks"


def test_a_record_that_was_left_out_is_told_by_the_exit_code(
    tmp_path: Path, server: StubServer, capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path(export(tmp_path, range(3)))
    assert run(command, "load", str(path), "--base-url", server.url) == FAILED
    assert "left out 1: number must be 1 or more (record 1)" in capsys.readouterr().out
