"""How rows travel to a record: in calls of a size that servers take, and what is told of them."""

import argparse
import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.cli.door import Answer, UnreachableError
from services.tracker.record.batch import Batch, batch_of
from standalone.loading import first_start
from standalone.loading.first_start import Demo, demo_record
from standalone.loading.line import Line, RefusedError
from standalone.loading.link import link
from standalone.loading.opening import opened
from standalone.loading.send import Sender, chunks
from standalone.loading.trying import commands, demo_questions, questions
from standalone.loading.worth import Worth
from standalone.serve import settings_from
from tests.support.stub_server import failing, serving, unused_url

NOW = datetime(2026, 5, 1, tzinfo=UTC)


class Server:
    """Answers tracker.load as a server with this body limit does."""

    def __init__(self, limit: int = 1 << 20, *, says_limit: bool = True) -> None:
        self.limit, self.says_limit = limit, says_limit
        self.bodies: list[dict[str, Any]] = []

    def __call__(self, op: str, body: bytes) -> Answer:
        if len(body) > self.limit:
            more = {"metadata": {"limit_bytes": str(self.limit)}} if self.says_limit else {}
            return reply(*failing(413, "BODY_TOO_LARGE", "invalid", **more))
        sent = json.loads(body)
        self.bodies.append(sent)
        return reply(200, {"stored": len(sent.get("rows", [])), "refused": [], "refused_count": 0, "shown": False})

    def numbers(self) -> list[int]:
        return [row["number"] for body in self.bodies for row in body.get("rows", [])]


def reply(status: int, value: Any) -> Answer:
    return Answer(status, json.dumps(value).encode())


def line(post: Callable[[str, bytes], Answer]) -> Line:
    return Line(post, "a server", sleep=lambda _: None)


def issues(*sizes: int) -> Batch:
    rows = [(number, "x" * size, NOW) for number, size in enumerate(sizes, 1)]
    return batch_of("github_issues", ("number", "body", "created_at"), rows)


@given(st.lists(st.binary(max_size=40), max_size=40), st.integers(1, 100), st.integers(1, 9))
def test_chunks_keep_all_rows_in_order_and_the_bounds(rows: list[bytes], most_bytes: int, most_rows: int) -> None:
    found = list(chunks(rows, most_bytes, most_rows))
    assert [row for chunk in found for row in chunk] == rows
    for chunk in found:
        assert 1 <= len(chunk) <= most_rows
        assert len(chunk) == 1 or sum(len(row) + 1 for row in chunk) <= most_bytes


@pytest.mark.parametrize("says_limit", [True, False])
def test_a_server_that_takes_less_gets_less_and_a_row_beyond_it_is_left_out(says_limit: bool) -> None:
    server = Server(limit=20_000, says_limit=says_limit)
    sender = Sender(line(server), "trk", "load")
    sender.send(issues(*[900] * 60, 30_000, 5))
    assert server.numbers() == [*range(1, 61), 62]
    assert sender.refused.total() == 1 and sender.stored["github_issues"] == 61
    assert {(body["namespace"], body["table"], body["load_id"]) for body in server.bodies} == {
        ("trk", "github_issues", "load")
    }
    assert server.bodies[0]["rows"][0]["created_at"] == "2026-05-01T00:00:00+00:00"


def test_reasons_of_the_server_are_counted_beyond_those_that_it_shows() -> None:
    told = {"stored": 1, "refused": [{"index": 0, "reason": "r"}] * 2, "refused_count": 5, "shown": False}
    sender = Sender(line(lambda op, body: reply(200, told)), "trk", "load")
    sender.send(issues(1, 1, 1, 1, 1, 1))
    assert dict(sender.refused) == {"r": 2, "for these and other reasons": 3}


def test_a_busy_server_is_asked_again_and_not_for_ever() -> None:
    answers = [reply(*failing(429, "RATE_LIMITED", "overload", retryable=True, retry_after_s=0.1))] * 20
    server = Server()
    posts = iter([*answers[:3]])
    assert line(lambda op, body: next(posts, None) or server(op, body)).ask("tracker.load", {})["stored"] == 0
    with pytest.raises(RefusedError) as refused:
        line(lambda op, body: answers[0]).ask("tracker.load", {})
    assert refused.value.code == "RATE_LIMITED"


def test_what_is_not_loom_is_told_so() -> None:
    with pytest.raises(RefusedError, match="not an answer of Loom"):
        line(lambda op, body: Answer(502, b"<html>")).ask("tracker.load", {})


def test_a_code_namespace_keeps_the_trackers_that_it_has() -> None:
    asked: list[tuple[str, dict[str, Any]]] = []

    def post(op: str, body: bytes) -> Answer:
        asked.append((op, json.loads(body)))
        if op == "code.repo.add":
            return reply(*failing(409, "ALREADY_EXISTS", "conflict"))
        return reply(200, {"repos": [{"namespace": "code", "trackers": ["first"]}]})

    link(line(post), "code", "Org/repo", "second")
    assert asked[-1] == ("code.repo.set_source", {"namespace": "code", "trackers": ["first", "second"]})
    asked.clear()
    link(line(post), "code", "Org/repo", "first")
    assert "code.repo.set_source" not in [op for op, _ in asked]
    with pytest.raises(RefusedError):
        link(line(post), "somebody-elses", "Org/repo", "first")


def test_what_is_worth_asking_is_what_the_record_says_most_of() -> None:
    worth = Worth()
    names = ("source_id", "number", "component", "fixed_by", "duplicate_of", "is_private")
    rows = [
        ("Org/a#1", 1, "wal", [], None, 0),
        ("Org/b#2", 2, "wal", [7], None, 0),
        ("Org/b#3", 3, "", [7, 8], 1, 1),
    ]
    worth.see(batch_of("github_issues", names, rows))
    runs = [("t1", "FAIL"), ("t2", "OK"), ("t2", "error"), ("t2", "failed")]
    worth.see(batch_of("checks", ("test_name", "test_status"), runs))
    worth.see(batch_of("checks", ("test_name",), [("t1",)]))
    worth.see(batch_of("releases", ("version", "repo"), [("1.0", "Org/c"), ("", "")]))
    assert (worth.repos, worth.issue, worth.component) == (["Org/b", "Org/a", "Org/c"], 2, "wal")
    assert (worth.test, worth.version) == ("t2", "1.0")
    assert [op for op, _ in questions(worth)] == ["tracker.answer", "tracker.item", "tracker.component"]
    assert [op for op, _ in questions(Worth())] == ["tracker.binding"]


def test_lines_to_try_are_what_a_shell_takes() -> None:
    lines = commands(demo_questions(), "code-demo", "http://127.0.0.1:1")
    assert all(each.startswith("LOOM_BASE_URL=http://127.0.0.1:1 loom call tracker.") for each in lines)
    assert "'test_name=web/src/metrics.test.ts > counts correctly'" in lines[-1]


async def test_the_demo_says_why_it_is_not_there() -> None:
    assert await demo_record(settings_from({"LOOM_KEYS_DIR": "keys"}), {}, lambda: False) is Demo.TOKENS
    assert await demo_record(settings_from({"LOOM_TRACKER_ORG": ""}), {}, lambda: False) is Demo.NO_TRACKERS
    assert await demo_record(settings_from({}), {}, lambda: False) is Demo.FAILED
    assert await demo_record(settings_from({}), {}, lambda: True) is Demo.FAILED


async def test_the_demo_is_loaded_once_whatever_became_of_it_since(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def post(op: str, body: bytes) -> Answer:
        asked.append(op)
        return reply(200, {"repos": [{"namespace": "code-demo", "trackers": ["tracker-demo"]}]})

    monkeypatch.setattr(first_start, "to_loop", lambda *_: line(post))
    assert await demo_record(settings_from({}), {}, lambda: False) is Demo.THERE
    assert asked == ["code.repo.list"]


def test_a_server_that_was_named_is_the_only_way() -> None:
    args = argparse.Namespace(data=None, base_url=unused_url())
    with pytest.raises(UnreachableError), opened(args, {}):
        pass
    with (
        pytest.raises(UnreachableError),
        opened(argparse.Namespace(data=None, base_url=""), {"LOOM_BASE_URL": args.base_url}),
    ):
        pass


def test_what_answers_and_is_not_loom_gets_no_rows() -> None:
    with serving(lambda sent: (200, {"detail": "x"})) as stub, pytest.raises(RefusedError, match="check the base URL"):
        answering = argparse.Namespace(data=None, base_url=stub.url)
        stub.answering = lambda sent: (404, "nothing here")
        with opened(answering, {}):
            pass
