"""`Memory` apart from what is behind it: what is sent, what comes back, which exception stands for which failure."""

import dataclasses
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from importlib import metadata
from typing import Any

import httpx
import pytest

import loom.memory
from loom import LoomError, RetryPolicy
from loom.memory import CompactObservation, Memory, SearchResult, Timeline, _embedded
from tests.support.sdk import Gateway, answer, failure

COMPACT = {
    "id": 7,
    "type": "decision",
    "title": "T",
    "topic_key": None,
    "score": 0.5,
    "snippet": "s",
    "updated_at": "2026-01-01T00:00:00.000000Z",
}
WHOLE = {
    "id": 7,
    "session_id": "s",
    "user_id": "ada",
    "type": "decision",
    "title": "T",
    "content": "C",
    "topic_key": "a/b",
    "revision_count": 2,
    "created_at": "2026-01-01T00:00:00.000000Z",
    "updated_at": "2026-01-02T00:00:00.000000Z",
    "source": "saved",
    "evidence": ["k"],
}
SAVE = {"user_id": "ada", "type": "decision", "title": "T", "content": "secret-content"}


def memory(gateway: Gateway, **options: Any) -> Memory:
    once = RetryPolicy(attempts=1, throttle_budget_s=0)
    transport = httpx.MockTransport(gateway.serve)
    return Memory.connect("http://loom.test", retry=once, transport=transport, **options)


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = (
        "import sys, loom.memory; sys.exit(', '.join({'httpx', 'loom.sync', 'asyncio'} & sys.modules.keys()) or None)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", loom.memory.__all__)
def test_every_public_name_is_there_when_it_is_asked_for(name: str) -> None:
    assert getattr(loom.memory, name)
    assert name in dir(loom.memory)


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = loom.memory.Nothing


def test_org_and_namespace_of_the_constructor_fill_a_call_and_its_own_stand_before_them() -> None:
    gateway = Gateway([answer(body={"observations": 1, "sessions": 2, "by_type": {}})])
    with memory(gateway, org="acme", namespace="web") as mem:
        mem.mem_stats(user_id="ada")
        mem.mem_stats(user_id="ada", org="other", namespace="lab")
    first, second = gateway.bodies()
    assert (first["org"], first["namespace"], first["user_id"]) == ("acme", "web", "ada")
    assert (second["org"], second["namespace"]) == ("other", "lab")


def test_the_token_goes_along_as_a_bearer_and_into_no_repr() -> None:
    gateway = Gateway([answer(body={})])
    with memory(gateway, token="tok-123") as mem:
        mem.mem_stats(user_id="ada")
        assert "tok-123" not in repr(mem)
    assert gateway.requests[0].headers["Authorization"] == "Bearer tok-123"


def test_instants_may_be_datetimes_with_any_offset() -> None:
    gateway = Gateway([answer(body={})])
    with memory(gateway) as mem:
        mem.mem_save(**SAVE, observed_at=datetime(2026, 1, 2, 3, tzinfo=timezone(timedelta(hours=2))))
        mem.mem_search(user_id="ada", query="q", since=datetime(2026, 1, 2, tzinfo=UTC), until="2026-02-01T00:00:00Z")
    saved, searched = gateway.bodies()
    assert saved["observed_at"] == "2026-01-02T03:00:00+02:00"
    assert (searched["since"], searched["until"]) == ("2026-01-02T00:00:00+00:00", "2026-02-01T00:00:00Z")


def test_a_search_is_a_sequence_of_its_hits_and_says_how_each_leg_fared() -> None:
    gateway = Gateway([answer(body={"hits": [COMPACT, {**COMPACT, "id": 8}], "leg_status": {"semantic": "down"}})])
    with memory(gateway) as mem:
        found = mem.mem_search(user_id="ada", query="q", types=("decision",), limit=3)
    assert [hit.id for hit in found] == [7, 8]
    assert (found[0], len(found), found[1:][0].id) == (CompactObservation(**COMPACT), 2, 8)
    assert found.leg_status == {"semantic": "down"}
    assert gateway.bodies()[0]["types"] == ["decision"]


def test_a_search_without_hits_is_false() -> None:
    assert not SearchResult(hits=(), leg_status={})
    assert not Timeline(observations=())


def test_results_are_frozen_hashable_and_cross_processes() -> None:
    steps = [
        answer(body={"found": True, "observation": WHOLE}),
        answer(body={"hits": [COMPACT], "leg_status": {"lexical": "ok"}}),
        answer(body={"session_id": "s", "is_new": True, "memories": [COMPACT], "sessions_context": []}),
    ]
    gateway = Gateway(steps)
    with memory(gateway) as mem:
        results = [
            mem.mem_get_observation(user_id="ada", observation_id=7),
            mem.mem_search(user_id="ada", query="q"),
            mem.mem_session_start(user_id="ada"),
        ]
    for result in results:
        assert dataclasses.is_dataclass(result)
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(result, dataclasses.fields(result)[0].name, None)
        assert hash(result) == hash(pickle.loads(pickle.dumps(result)))
        assert pickle.loads(pickle.dumps(result)) == result


def test_what_a_newer_server_adds_is_left_out_and_the_hash_is_in_no_view() -> None:
    gateway = Gateway([answer(body={"found": True, "observation": {**WHOLE, "normalized_hash": "h", "mood": "good"}})])
    with memory(gateway) as mem:
        found = mem.mem_get_observation(user_id="ada", observation_id=7)
    assert found is not None
    assert dataclasses.asdict(found) == {**WHOLE, "evidence": ("k",)}


def test_what_is_not_found_is_none() -> None:
    with memory(Gateway([answer(body={"found": False, "observation": None})])) as mem:
        assert mem.mem_get_observation(user_id="ada", observation_id=7) is None


FAILURES = [
    (failure(400, "INVALID_FIELD", "invalid"), ValueError),
    (failure(400, "FIELD_TOO_LONG", "invalid"), ValueError),
    (failure(413, "BODY_TOO_LARGE", "invalid"), ValueError),
    (failure(404, "SESSION_NOT_FOUND", "not_found"), LookupError),
    (failure(404, "UNKNOWN_OP", "not_found"), RuntimeError),
    (failure(404, "ROUTE_NOT_FOUND", "not_found"), RuntimeError),
    (failure(403, "FORBIDDEN", "auth"), RuntimeError),
    (failure(429, "OVERLOADED", "overload"), RuntimeError),
    (failure(501, "FEATURE_DISABLED", "unsupported"), RuntimeError),
    (failure(503, "STORAGE_UNAVAILABLE", "unavailable"), RuntimeError),
    (failure(504, "DEADLINE_EXCEEDED", "timeout"), RuntimeError),
    (failure(500, "INTERNAL", "internal"), RuntimeError),
    (httpx.Response(400, content=b"<html>"), RuntimeError),
    (httpx.Response(404, content=b"<html>"), RuntimeError),
    (httpx.Response(200, content=b"<html>"), RuntimeError),
    (httpx.ConnectError("refused"), RuntimeError),
    (httpx.ReadTimeout("slow"), RuntimeError),
]


@pytest.mark.parametrize(("step", "kind"), FAILURES)
def test_a_failure_is_an_exception_that_every_program_knows(step: Any, kind: type[Exception]) -> None:
    with memory(Gateway([step])) as mem, pytest.raises((ValueError, LookupError, RuntimeError)) as raised:
        mem.mem_save(**SAVE)
    assert type(raised.value) is kind
    assert isinstance(raised.value.__cause__, LoomError)
    assert "secret-content" not in str(raised.value)


CALLS: list[tuple[str, Callable[[Memory], Any]]] = [
    ("content", lambda mem: mem.mem_save(**{**SAVE, "content": b"secret-content"})),
    ("min_score", lambda mem: mem.mem_search(user_id="ada", query="q", min_score=float("nan"))),
    ("types", lambda mem: mem.mem_search(user_id="ada", query="q", types=7)),
    ("user_id", lambda mem: mem.mem_stats(user_id=None)),
    ("user_id", lambda mem: mem.mem_stats(user_id=7)),
]


@pytest.mark.parametrize(("named", "call"), CALLS)
def test_what_cannot_be_sent_is_a_value_error_that_names_it_and_is_not_sent(
    named: str, call: Callable[[Memory], Any]
) -> None:
    gateway = Gateway([answer(body={})])
    with memory(gateway) as mem, pytest.raises(ValueError) as raised:
        call(mem)
    assert str(raised.value).startswith(f"{named} ")
    assert "secret-content" not in str(raised.value)
    assert gateway.requests == []


def test_a_text_in_the_place_of_a_list_is_sent_as_it_is_for_the_server_to_refuse() -> None:
    gateway = Gateway([failure(400, "INVALID_FIELD", "invalid")])
    with memory(gateway) as mem, pytest.raises(ValueError):
        mem.mem_search(user_id="ada", query="q", types="decision")
    assert gateway.bodies()[0]["types"] == "decision"


def test_a_closed_memory_says_so_and_closing_twice_is_harmless() -> None:
    mem = memory(Gateway([answer(body={})]))
    mem.close()
    mem.close()
    with pytest.raises(RuntimeError, match="the memory is closed"):
        mem.mem_stats(user_id="ada")
    assert "closed" in repr(mem)


@pytest.mark.parametrize("url", ["loom.test", "ftp://loom.test", ""])
def test_an_address_that_is_none_is_a_value_error(url: str) -> None:
    with pytest.raises(ValueError, match="base_url"):
        Memory.connect(url)


def test_with_the_library_alone_a_folder_cannot_be_opened_and_the_error_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(metadata, "entry_points", lambda **_: ())
    with pytest.raises(RuntimeError, match=r"install loom-server too, or use Memory\.connect"):
        Memory.from_path("mem")


def test_an_application_that_is_there_in_part_is_told_as_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    point = metadata.EntryPoint(_embedded.NAME, "no_such_module_here:open", _embedded.GROUP)
    monkeypatch.setattr(metadata, "entry_points", lambda **_: (point,))
    with pytest.raises(RuntimeError, match="there in part: ModuleNotFoundError"):
        Memory.from_path("mem")


def test_an_empty_path_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="path must name a folder"):
        Memory.from_path("")


class Installation:
    """Answers as it is told, and keeps what it was asked."""

    def __init__(self, answer: Callable[[], tuple[int, bytes]]) -> None:
        self._answer = answer
        self.asked: list[tuple[str, bytes, str]] = []
        self.closed = 0

    def post(self, op: str, body: bytes, headers: Any, timeout_s: float | None) -> tuple[int, bytes]:
        self.asked.append((op, body, headers["x-request-id"]))
        return self._answer()

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], tuple[int, bytes]]], Installation]:
    def install(answer: Callable[[], tuple[int, bytes]]) -> Installation:
        installation = Installation(answer)
        monkeypatch.setattr(_embedded, "opener", lambda: lambda path, clock: installation)
        return installation

    return install


def test_a_folder_is_called_by_the_ops_name_and_closed_once(opened: Any) -> None:
    installation = opened(lambda: (200, b'{"observations":3,"sessions":1,"by_type":{"decision":3}}'))
    with Memory.from_path("mem") as mem:
        assert mem.mem_stats(user_id="ada").by_type == {"decision": 3}
    [(op, body, request_id)] = installation.asked
    assert (op, body) == ("memory.stats", b'{"user_id":"ada"}')
    assert request_id
    assert installation.closed == 1


def test_a_folder_that_does_not_answer_in_time_is_a_runtime_error(opened: Any) -> None:
    def late() -> tuple[int, bytes]:
        raise TimeoutError

    opened(late)
    with Memory.from_path("mem", timeout=0.001) as mem, pytest.raises(RuntimeError, match="CLIENT_TIMEOUT"):
        mem.mem_save(**SAVE)


def test_a_child_process_is_told_to_open_the_folder_itself(opened: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    installation = opened(lambda: (200, b"{}"))
    mem = Memory.from_path("mem")
    monkeypatch.setattr(os, "getpid", lambda: -1)
    with pytest.raises(RuntimeError, match="does not survive a fork"):
        mem.mem_stats(user_id="ada")
    mem.close()
    assert (installation.asked, installation.closed) == ([], 0)
