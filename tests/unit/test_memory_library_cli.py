"""`loom memory`: export, import, search and save over a stand-in for the server."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from loom.cli import main
from loom.memory import _transfer
from loom.sync import SyncAgent
from tests.support.capture_home import isolated
from tests.support.stub_server import Reply, Sent, failing, serving, unused_url


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    isolated(monkeypatch, tmp_path)
    # The client waits between sendings; no test is about that here.
    monkeypatch.setitem(SyncAgent.__init__.__kwdefaults__, "sleep", lambda _: None)
    return tmp_path


def text(n: int, content: str = "") -> dict[str, Any]:
    content = content or f"Fact {n}"
    return {
        "type": "decision",
        "title": "T",
        "content": content,
        "session_id": "s",
        "said_at": f"2026-01-01T00:00:{n:02}Z",
    }


def record(n: int, texts: int = 1) -> dict[str, Any]:
    return {"id": n, "topic_key": f"a/{n}", "revisions": [text(i) for i in range(texts)], "evidence": []}


def written(path: Path, *lines: Any) -> str:
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return str(path)


class Plane:
    """Keeps texts by memory and instant, as the plane does; a memory is found by its last text."""

    def __init__(self, limit: int = 1 << 30) -> None:
        self.limit = limit
        self.texts: dict[str, set[tuple[str, str]]] = {}
        self.calls: list[int] = []

    def __call__(self, sent: Sent) -> Reply | None:
        if sent.op != "memory.import_batch":
            return None
        if len(json.dumps(sent.body)) > self.limit:
            return failing(413, "BODY_TOO_LARGE", "invalid")
        self.calls.append(len(sent.body["records"]))
        return 200, {"results": [self._bring_in(record) for record in sent.body["records"]]}

    def _bring_in(self, record: dict[str, Any]) -> dict[str, Any]:
        if record["revisions"][-1]["type"] == "mood":
            detail = failing(400, "INVALID_FIELD", "invalid", message="type must be one of these")[1]["detail"]
            return {"id": 0, "added": 0, "detail": detail}
        texts = {(one["said_at"], one["content"]) for one in record["revisions"]}
        known = self.texts.setdefault(record["topic_key"], set())
        added = len(texts - known)
        known |= texts
        return {"id": 1, "added": added, "detail": None}


def test_an_export_is_a_line_for_each_memory_page_by_page(capsys: Any) -> None:
    pages = {"": ([record(1), record(2, 2)], "next"), "next": ([record(3)], "")}

    def answer(sent: Sent) -> Reply:
        records, token = pages[sent.body["page_token"]]
        return 200, {"records": records, "next_page_token": token}

    with serving(answer) as server:
        assert main(["memory", "export", "--user", "ada", "--org", "acme", "--base-url", server.url]) == 0
    said = capsys.readouterr()
    assert [json.loads(line) for line in said.out.splitlines()] == [record(1), record(2, 2), record(3)]
    assert said.err == "3 memories exported\n"
    assert {(sent.body["user_id"], sent.body["org"]) for sent in server.sent} == {("ada", "acme")}


def test_an_export_that_breaks_off_says_so_and_the_code_is_1(capsys: Any) -> None:
    def answer(sent: Sent) -> Reply:
        if sent.body["page_token"]:
            return failing(400, "INVALID_FIELD", "invalid")
        return 200, {"records": [record(1)], "next_page_token": "next"}

    with serving(answer) as server:
        assert main(["memory", "export", "--base-url", server.url]) == 1
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 1
    assert "the export is incomplete, it broke off after 1 memories: INVALID_FIELD" in said.err


def test_importing_twice_adds_nothing_the_second_time(capsys: Any, tmp_path: Path) -> None:
    file = written(tmp_path / "m.jsonl", record(1), "", record(2, 3))
    with serving(Plane()) as server:
        assert main(["memory", "import", file, "--user", "ada", "--base-url", server.url]) == 0
        assert capsys.readouterr().out == "2 memories are in, 4 texts of them were new\n"
        assert main(["memory", "import", file, "--user", "ada", "--base-url", server.url, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["memories"], shown["texts"], shown["stopped"]) == (2, 0, "")
    assert server.sent[0].body["user_id"] == "ada"
    assert server.sent[0].body["records"] == [record(1), record(2, 3)]


def test_lines_that_are_no_memory_are_told_with_their_place_and_the_rest_comes_in(capsys: Any, tmp_path: Path) -> None:
    bad = ["{", "[]", '{"revisions": []}', '{"revisions": [1e999]}', '{"revisions": [NaN]}', '{"content": "secret"}']
    file = written(tmp_path / "m.jsonl", record(1), *bad, record(2))
    with serving(Plane()) as server:
        assert main(["memory", "import", file, "--base-url", server.url]) == 1
    said = capsys.readouterr()
    assert [line.split(" ")[0] for line in said.err.splitlines()] == [f"{file}:{n}:" for n in range(2, 8)]
    assert "secret" not in said.err
    assert "2 memories are in" in said.out
    assert "6 bad lines" in said.out
    assert "NOT everything is in" in said.out


def test_a_memory_that_is_refused_costs_no_other_one(capsys: Any, tmp_path: Path) -> None:
    refused = {**record(2), "revisions": [{**text(0), "type": "mood"}]}
    file = written(tmp_path / "m.jsonl", record(1), refused, record(3))
    with serving(Plane()) as server:
        assert main(["memory", "import", file, "--base-url", server.url]) == 1
    said = capsys.readouterr()
    assert said.err == f"{file}:2: type must be one of these\n"
    assert said.out.startswith("2 memories are in, 2 texts of them were new\n1 memories refused\n")


def test_a_large_import_that_fails_midway_says_how_far_it_came_and_goes_on_when_run_again(
    capsys: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_transfer, "MOST_RECORDS", 10)
    file = written(tmp_path / "m.jsonl", *(record(n) for n in range(35)))
    plane = Plane()

    def broken(sent: Sent) -> Reply | None:
        return plane(sent) if len(plane.calls) < 2 else failing(500, "INTERNAL", "internal")

    with serving(broken) as server:
        assert main(["memory", "import", file, "--base-url", server.url]) == 1
    out = capsys.readouterr().out
    assert out.startswith("20 memories are in, 20 texts of them were new\nstopped before the end: INTERNAL: ")
    assert "run it again" in out
    with serving(plane) as server:
        assert main(["memory", "import", file, "--base-url", server.url]) == 0
    assert capsys.readouterr().out == "35 memories are in, 15 texts of them were new\n"
    assert plane.calls == [10, 10, 10, 10, 10, 5]


def test_no_server_at_all_is_code_3(capsys: Any, tmp_path: Path) -> None:
    file = written(tmp_path / "m.jsonl", record(1))
    assert main(["memory", "import", file, "--base-url", unused_url()]) == 3
    assert "no connection" in capsys.readouterr().err


def test_a_file_that_cannot_be_read_is_told_and_the_others_come_in(capsys: Any, tmp_path: Path) -> None:
    file = written(tmp_path / "m.jsonl", record(1))
    with serving(Plane()) as server:
        assert main(["memory", "import", str(tmp_path / "none"), file, "--base-url", server.url]) == 1
    said = capsys.readouterr()
    assert "cannot be read: No such file" in said.err
    assert "1 memories are in" in said.out
    assert "1 unreadable files" in said.out


def test_standard_input_is_a_file_too(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(json.dumps(record(1)).encode() + b"\n"))
    monkeypatch.setattr(sys, "stdin", stdin)
    with serving(Plane()) as server:
        assert main(["memory", "import", "-", "--base-url", server.url]) == 0
    assert "1 memories are in" in capsys.readouterr().out


def test_calls_are_as_large_as_a_server_takes(monkeypatch: pytest.MonkeyPatch, capsys: Any, tmp_path: Path) -> None:
    monkeypatch.setattr(_transfer, "MOST_BYTES", 2_000)
    monkeypatch.setattr(_transfer, "MOST_TEXTS", 12)
    file = written(tmp_path / "m.jsonl", *(record(n, 3) for n in range(20)))
    plane = Plane()
    with serving(plane) as server:
        assert main(["memory", "import", file, "--base-url", server.url]) == 0
    assert "20 memories are in, 60 texts" in capsys.readouterr().out
    assert all(len(json.dumps(sent.body)) < 2_200 for sent in server.sent)
    assert max(plane.calls) <= 4
    assert sum(plane.calls) == 20


@pytest.mark.parametrize("texts", [3, 8, 13])
def test_a_memory_that_is_larger_than_a_call_goes_in_parts_and_counts_once(
    capsys: Any, tmp_path: Path, texts: int
) -> None:
    file = written(tmp_path / "m.jsonl", record(1, texts), record(2))
    plane = Plane(limit=450)
    with serving(plane) as server:
        assert main(["memory", "import", file, "--base-url", server.url]) == 0
    assert capsys.readouterr().out == f"2 memories are in, {texts + 1} texts of them were new\n"
    assert len(plane.texts["a/1"]) == texts
    last = {one["revisions"][-1]["said_at"] for sent in server.sent for one in sent.body["records"][:1]}
    assert text(texts - 1)["said_at"] in last


def test_a_text_that_no_call_can_hold_is_refused_with_its_place(capsys: Any, tmp_path: Path) -> None:
    large = {**record(1), "revisions": [text(0, "x" * 1_000)]}
    file = written(tmp_path / "m.jsonl", large, record(2))
    with serving(Plane(limit=500)) as server:
        assert main(["memory", "import", file, "--base-url", server.url]) == 1
    said = capsys.readouterr()
    assert said.err == f"{file}:1: about BODY_TOO_LARGE\n"
    assert "1 memories are in" in said.out


HIT = {"id": 7, "type": "decision", "title": "A\x1b[2Jtitle", "topic_key": None, "score": 0.51, "snippet": "a\nb"}


def test_hits_are_printed_best_first_and_cannot_move_the_cursor(capsys: Any) -> None:
    with serving(lambda sent: (200, {"hits": [HIT], "leg_status": {"semantic": "no model"}})) as server:
        asked = ["memory", "search", "what is", "--type", "decision", "--type", "pattern", "--limit", "3"]
        assert main([*asked, "--base-url", server.url]) == 0
    said = capsys.readouterr()
    assert said.out == "0.510  7  [decision] A [2Jtitle\n       a b\n"
    assert said.err == "loom: the semantic search fell out: no model\n"
    assert server.sent[0].body == {"query": "what is", "types": ["decision", "pattern"], "limit": 3}


def test_a_query_too_short_for_a_model_is_no_failure(capsys: Any) -> None:
    status = {"lexical": "ok", "semantic": "not asked: a query under 3 characters is looked for as it stands"}
    with serving(lambda sent: (200, {"hits": [], "leg_status": status})) as server:
        assert main(["memory", "search", "ab", "--base-url", server.url]) == 0
    assert capsys.readouterr().err == ""


def test_a_program_gets_the_answer_as_json(capsys: Any) -> None:
    body = {"hits": [HIT], "leg_status": {}}
    with serving(lambda sent: (200, body)) as server:
        assert main(["memory", "search", "q", "--json", "--base-url", server.url]) == 0
    assert json.loads(capsys.readouterr().out) == body


def test_a_save_says_what_became_of_it(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    similar = [{"id": 8, "title": "Another", "topic_key": None, "similarity": 0.912}]
    body = {"id": 7, "outcome": "deduped", "session_id": "s", "topic_key": "a/b", "notice": "kept", "similar": similar}
    monkeypatch.setattr(sys, "stdin", io.StringIO("We use uv."))
    with serving(lambda sent: (200, body)) as server:
        given = ["--type", "decision", "--title", "Tools", "--topic-key", "a/b", "--user", "ada"]
        assert main(["memory", "save", "-", *given, "--base-url", server.url]) == 0
    assert capsys.readouterr().out == "deduped 7\nkept\nsimilar (0.91): 8 Another\n"
    assert server.sent[0].body == {
        "content": "We use uv.",
        "type": "decision",
        "title": "Tools",
        "topic_key": "a/b",
        "user_id": "ada",
    }


def test_a_failed_call_is_one_line_and_code_1(capsys: Any) -> None:
    with serving(lambda sent: failing(400, "INVALID_FIELD", "invalid", metadata={"field": "type"})) as server:
        given = ["memory", "save", "hunter2", "--type", "x", "--title", "T"]
        assert main([*given, "--base-url", server.url]) == 1
    said = capsys.readouterr()
    assert said.err == "loom: INVALID_FIELD: about INVALID_FIELD (request id r-1)\n"
    assert said.out == ""


@pytest.mark.parametrize("args", [[], ["forget"], ["save", "x"], ["import"], ["search"]])
def test_wrong_usage_is_code_2(args: list[str]) -> None:
    assert main(["memory", *args]) == 2
