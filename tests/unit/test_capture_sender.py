"""What the server's answers mean for records, and how the spool is sent."""

from pathlib import Path

import pytest

from loom.capture.drain import drain
from loom.capture.sender import MAX_ITEMS, Verdict, batches, judge, send, send_batch
from loom.capture.spool import Spool
from loom.cli.door import Door, UnreachableError
from tests.support.capture_home import pending
from tests.support.stub_server import Sent, detail, failing, serving, unused_url


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    return Spool(tmp_path / "spool")


def record(number: int, text: str = "") -> dict:
    return {"session_id": "s", "tool_name": "Bash", "tool_output": text, "observed_at": f"t{number}"}


def enough() -> float:
    return 30.0


def names(sent: list[Sent]) -> list[str]:
    return [each.op for each in sent]


@pytest.mark.parametrize(
    ("status", "code", "category", "retryable"),
    [
        (401, "TOKEN_MISSING", "auth", False),
        (403, "ROLE_REQUIRED", "auth", False),
        (404, "UNKNOWN_OP", "not_found", False),
        (405, "METHOD_NOT_ALLOWED", "invalid", False),
        (415, "UNSUPPORTED_MEDIA_TYPE", "invalid", False),
        (400, "NOT_A_TRACKER_NAMESPACE", "precondition", False),
        (429, "OVERLOADED", "overload", True),
        (500, "INTERNAL", "internal", False),
        (501, "FEATURE_DISABLED", "unsupported", False),
        (503, "STORAGE_UNAVAILABLE", "unavailable", True),
        (504, "DEADLINE_EXCEEDED", "timeout", True),
    ],
)
def test_only_a_record_that_is_invalid_is_refused_everything_else_may_come_right(status, code, category, retryable):
    verdict = judge(detail(code, category, retryable=retryable), status)
    assert (verdict.stored, verdict.refused, verdict.retryable) == (False, False, retryable)


@pytest.mark.parametrize(("status", "code"), [(400, "INVALID_FIELD"), (400, "FIELD_TOO_LONG"), (413, "BODY_TOO_LARGE")])
def test_an_invalid_record_is_refused_with_code_and_message(status, code):
    verdict = judge(detail(code, "invalid"), status)
    assert verdict.refused
    assert verdict.reason == f"{code}: about {code}"


@pytest.mark.parametrize(
    "body", [b"<html>bad request</html>", b"", b'{"detail": "no"}', b'{"detail": {}}', b"[]", b"null"]
)
def test_a_400_that_is_not_looms_own_refuses_nothing(body):
    with serving(lambda sent: (400, body)) as server:
        assert send(Door(server.url), record(1), 5) == Verdict(False, False, "HTTP_400")


def test_a_body_over_a_smaller_limit_is_cut_to_it_and_stored():
    with serving(max_body=20_000) as server:
        verdict = send(Door(server.url), record(1, "x" * 100_000), 5)
    assert verdict.stored
    (row,) = server.rows.values()
    assert "characters kept" in row["tool_output"]


def test_each_record_of_a_batch_is_judged_by_its_own_result():
    def answering(sent):
        results = [{"memory_key": "k", "detail": None}, {"detail": detail("INVALID_FIELD", "invalid")}]
        return 200, {"results": [*results, {"detail": detail("STORAGE_UNAVAILABLE", "unavailable", retryable=True)}]}

    with serving(answering) as server:
        verdicts = send_batch(Door(server.url), [record(1), record(2), record(3)], 5)
    assert [(verdict.stored, verdict.refused) for verdict in verdicts] == [(True, False), (False, True), (False, False)]


@pytest.mark.parametrize("answer", [{}, {"results": []}, {"results": None}, {"results": [3, "x"]}, [], b"", b"no json"])
def test_an_answer_that_does_not_fit_the_batch_stores_nothing(answer):
    with serving(lambda sent: (200, answer)) as server:
        verdicts = send_batch(Door(server.url), [record(1), record(2)], 5)
    assert [verdict.code for verdict in verdicts] == ["UNEXPECTED_ANSWER"] * 2


def test_one_bad_record_costs_no_good_one_when_the_whole_batch_is_refused():
    def answering(sent):
        bodies = sent.body.get("records", [sent.body])
        return failing(400, "INVALID_FIELD", "invalid") if any("t5" in each.values() for each in bodies) else None

    with serving(answering) as server:
        verdicts = send_batch(Door(server.url), [record(number) for number in range(9)], 5)
    assert [number for number, verdict in enumerate(verdicts) if verdict.refused] == [5]
    assert len(server.rows) == 8


def test_batches_keep_order_and_both_bounds():
    assert list(batches([], len)) == []
    groups = list(batches(["x" * 40] * 5, len, max_bytes=90))
    assert [len(group) for group in groups] == [2, 2, 1]
    assert [len(group) for group in batches(range(MAX_ITEMS + 1), lambda _: 1)] == [MAX_ITEMS, 1]
    assert list(batches(["x" * 100], len, max_bytes=10)) == [["x" * 100]]


def test_the_spool_is_sent_oldest_first_and_emptied(spool):
    for number in range(5):
        spool.add(record(number))
    with serving() as server:
        assert drain(Door(server.url), spool, enough) == (5, 0, 0)
    (sent,) = server.sent
    assert sent.op == "observe.record_batch"
    assert [each["observed_at"] for each in sent.body["records"]] == ["t0", "t1", "t2", "t3", "t4"]
    assert pending(spool) == []


def test_a_pass_sends_no_more_than_its_limit(spool):
    for number in range(5):
        spool.add(record(number))
    with serving() as server:
        drain(Door(server.url), spool, enough, limit=3)
    assert [each["observed_at"] for each in pending(spool)] == ["t3", "t4"]


def test_only_what_the_server_took_leaves_the_spool(spool):
    def answering(sent):
        if sent.op != "observe.record_batch":
            return None
        keep = {"detail": detail("STORAGE_UNAVAILABLE", "unavailable", retryable=True)}
        return 200, {"results": [{"detail": None}, {"detail": detail("INVALID_FIELD", "invalid")}, keep]}

    for number in range(3):
        spool.add(record(number))
    with serving(answering) as server:
        assert drain(Door(server.url), spool, enough) == (1, 1, 1)
    assert [each["observed_at"] for each in pending(spool)] == ["t2"]
    assert spool.counts().refused == 1


def test_a_refused_record_does_not_block_the_next_pass(spool):
    def answering(sent):
        return failing(400, "INVALID_FIELD", "invalid") if sent.body.get("observed_at") == "t0" else None

    spool.add(record(0))
    with serving(answering) as server:
        drain(Door(server.url), spool, enough)
        spool.add(record(1))
        drain(Door(server.url), spool, enough)
    assert pending(spool) == []
    assert [row["observed_at"] for row in server.rows.values()] == ["t1"]


def test_a_server_that_takes_nothing_is_asked_once(spool):
    for number in range(4):
        spool.add(record(number, "x" * 500_000))
    with serving(lambda sent: failing(429, "OVERLOADED", "overload", retryable=True)) as server:
        drain(Door(server.url), spool, enough)
    assert len(server.sent) == 1
    assert len(pending(spool)) == 4


def test_a_server_that_is_gone_costs_no_record(spool):
    spool.add(record(1))
    with pytest.raises(UnreachableError):
        drain(Door(unused_url()), spool, enough)
    assert len(pending(spool)) == 1


def test_large_records_travel_in_bodies_that_the_server_takes(spool):
    for number in range(4):
        spool.add(record(number, "x" * 400_000))
    with serving() as server:
        drain(Door(server.url), spool, enough)
    assert names(server.sent) == ["observe.record_batch"] * 2
    assert len(server.rows) == 4


def test_nothing_is_sent_when_time_is_up_or_another_process_sends(spool):
    spool.add(record(1))
    with serving() as server:
        drain(Door(server.url), spool, lambda: 0.0)
        with spool.sending():
            assert drain(Door(server.url), spool, enough) == (0, 0, 0)
    assert server.sent == []
    assert len(pending(spool)) == 1
