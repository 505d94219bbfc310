"""The extraction worker over the real planes and the embedded engine."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.message import Message

from runtime.errors import LoomError
from runtime.optable import Method
from runtime.peers import Peers
from runtime.transport import InProcess, Transport
from tests.support.extraction import LEASE_S, Planes, planes
from tests.support.stores import chdb_store

FAIL = {"tool_name": "Bash", "tool_input": {"command": "pytest -q"}, "error": "AssertionError: 100 != 119"}
EDIT = {"tool_name": "Edit", "tool_input": {"file_path": "/src/cart.py", "new_string": "x = 1"}, "tool_output": "ok"}
PASS = {"tool_name": "Bash", "tool_input": {"command": "pytest -q"}, "tool_output": "1 passed"}
ASK = {"tool_name": "UserPrompt", "tool_input": {"prompt": "Fix the cart. We use integer cents for money."}}
LOOK = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_output": "a b"}
SESSION = [ASK, FAIL, EDIT, PASS, LOOK]
DISCOVERY, DECISION = "pytest -q: AssertionError: 100 != 119", "We use integer cents for money."
SUMMARY = "Session of 2026-03-02: changed cart.py; ran pytest -q"
LIMIT_S = 30.0


@pytest.fixture
async def both(tmp_path: Path) -> AsyncIterator[Planes]:
    async with chdb_store(tmp_path) as store, planes(store) as running:
        yield running


async def test_a_crystallized_session_becomes_memories_with_their_evidence(both: Planes) -> None:
    keys = await both.record("s", SESSION)
    assert await both.worker().round() == len(SESSION)
    found = {memory["title"]: memory for memory in await both.memories()}
    assert set(found) == {DISCOVERY, DECISION, SUMMARY}
    assert {memory["source"] for memory in found.values()} == {"extracted"}
    assert found[DISCOVERY]["evidence"] == [keys[1], keys[2], keys[3]]
    assert found[DECISION]["evidence"] == [keys[0]]
    assert found[DISCOVERY]["updated_at"] == "2026-03-02T09:00:03.000000Z"
    assert await both.states() == {"extracted": 4, "empty": 1}


async def test_memories_belong_to_the_user_and_namespace_of_their_observations(both: Planes) -> None:
    await both.record("s", SESSION, user_id="bob", namespace="other")
    await both.record("s", SESSION, user_id="-")
    await both.worker().round()
    assert await both.memories() == []
    assert await both.memories(user_id="bob") == []
    assert len(await both.memories(user_id="bob", namespace="other")) == 3
    assert len(await both.memories(user_id="-")) == 3


async def test_extracting_again_changes_nothing(both: Planes) -> None:
    await both.record("s", SESSION)
    worker = both.worker()
    await worker.round()
    before = await both.memories()
    assert await worker.round() == 0
    # The same calls in a second session: what was stated and discovered is known already.
    await both.record("t", SESSION)
    await worker.round()
    after = await both.memories()
    assert [memory for memory in after if memory["type"] != "summary"] == [
        memory for memory in before if memory["type"] != "summary"
    ]
    assert sum(memory["type"] == "summary" for memory in after) == 2
    assert {memory["revision_count"] for memory in after} == {1}


async def test_nothing_is_drafted_of_empty_and_self_referential_rows(both: Planes) -> None:
    own = {"tool_name": "mcp__loom__memory_save", "tool_input": {"content": "We always use tabs."}}
    secret = {"tool_name": "UserPrompt", "tool_input": "We use AKIAIOSFODNN7EXAMPLE for that."}
    await both.record("s", [own, {"tool_name": "TodoWrite", "tool_input": "We use it."}, secret])
    await both.worker().round()
    assert await both.memories() == []
    assert await both.states() == {"empty": 3}


async def test_private_text_does_not_come_back(both: Planes) -> None:
    ask = {"tool_name": "UserPrompt", "tool_input": "We use <private>hunter2</private> for the login of ada."}
    await both.record("s", [ask, {**FAIL, "error": "<private>hunter2</private> failed"}, PASS])
    await both.worker().round()
    found = await both.memories()
    assert len(found) == 3
    assert "hunter2" not in str(found)


async def test_an_error_in_one_claim_and_its_solution_in_the_next_are_one_discovery(both: Planes) -> None:
    worker = both.worker()
    await both.record("s", [FAIL])
    await worker.round()
    assert [memory["type"] for memory in await both.memories()] == ["summary"]
    later = [{**call, "observed_at": f"2026-03-02T09:01:0{place}Z"} for place, call in enumerate([EDIT, PASS])]
    await both.record("s", later)
    await worker.round()
    found = {memory["type"]: memory for memory in await both.memories()}
    assert set(found) == {"discovery", "summary"}
    assert len(found["discovery"]["evidence"]) == 3
    assert found["summary"]["revision_count"] == 2
    assert "3 tool calls" in found["summary"]["content"]


async def test_a_session_larger_than_a_claim_is_extracted_claim_by_claim(both: Planes) -> None:
    await both.record("s", SESSION)
    worker = both.worker(batch=2)
    assert [await worker.round() for _ in range(4)] == [2, 2, 1, 0]
    assert {memory["title"] for memory in await both.memories()} == {DISCOVERY, DECISION, SUMMARY}
    assert "pending" not in await both.states()


async def test_two_workers_at_once_do_nothing_twice(both: Planes) -> None:
    for number in range(6):
        await both.record(f"s{number}", SESSION)
    workers = [both.worker(batch=7) for _ in range(2)]

    async def until_done(worker: Any) -> int:
        total = 0
        while handled := await worker.round():
            total += handled
        return total

    handled = await asyncio.gather(*(until_done(worker) for worker in workers))
    assert sum(handled) == 6 * len(SESSION)
    found = await both.memories()
    assert len(found) == 2 + 6
    assert {memory["revision_count"] for memory in found if memory["type"] != "summary"} == {1}
    assert len({memory["topic_key"] for memory in found}) == len(found)


class Dying(Transport):
    """Passes calls on until one of `rpc` comes: then the process of the caller is dead."""

    def __init__(self, inner: Transport, rpc: str) -> None:
        self._inner, self._rpc = inner, rpc

    async def call(self, op: Method, request: Message, metadata: Mapping[str, str], timeout_s: float) -> Message:
        if op.rpc == self._rpc:
            raise asyncio.CancelledError
        return await self._inner.call(op, request, metadata, timeout_s)

    async def close(self) -> None: ...


def dying(both: Planes, rpc: str) -> Peers:
    peers = Peers()
    peers.bind("observe", Dying(InProcess(both._built["observe"].bound), rpc))
    return peers


@pytest.mark.parametrize("rpc", ["Earlier", "Complete"])
async def test_a_killed_worker_loses_nothing_and_nothing_is_done_twice(both: Planes, rpc: str) -> None:
    await both.record("s", SESSION)
    with pytest.raises(asyncio.CancelledError):
        await both.worker(peers=dying(both, rpc)).round()
    saved_before = await both.memories()
    assert bool(saved_before) == (rpc == "Complete")
    other = both.worker()
    assert await other.round() == 0
    both.clock.advance(LEASE_S + 1)
    assert await other.round() == len(SESSION)
    found = await both.memories()
    assert {memory["title"] for memory in found} == {DISCOVERY, DECISION, SUMMARY}
    assert {memory["revision_count"] for memory in found} == {1}
    assert await both.states() == {"extracted": 4, "empty": 1}


async def test_a_worker_whose_lease_has_run_out_leaves_the_rest_to_others(both: Planes) -> None:
    for number in range(3):
        await both.record(f"s{number}", [ASK])
    worker = both.worker()
    keep, kept = worker._keeping.keep, []

    async def slow(scope: Any, found: Any, timeout_s: float | None) -> Any:
        both.clock.advance(LEASE_S + 1)
        kept.append(scope)
        return await keep(scope, found, timeout_s)

    worker._keeping.keep = slow  # type: ignore[method-assign]
    await worker.round()
    assert len(kept) == 1
    await both.worker().round()
    assert await both.states() == {"extracted": 3}


async def test_a_save_that_races_the_worker_survives(both: Planes) -> None:
    await both.record("s", SESSION)
    worker = both.worker()
    answers = await asyncio.gather(
        worker.round(),
        *(
            both("memory.save", content=f"text {number}", type="decision", title="mine", topic_key=f"t/{number % 3}")
            for number in range(12)
        ),
    )
    assert answers[0] == len(SESSION)
    stats = await both("memory.stats")
    assert stats["observations"] == 3 + 3
    texts = set()
    for memory in await both.memories():
        texts |= {
            revision["content"]
            for revision in (await both("memory.revisions", observation_id=memory["id"]))["revisions"]
        }
    assert {f"text {number}" for number in range(12)} <= texts


async def test_what_its_user_has_changed_or_deleted_is_left_alone(both: Planes) -> None:
    worker = both.worker()
    await both.record("s", SESSION)
    await worker.round()
    ids = {memory["title"]: memory["id"] for memory in await both.memories()}
    await both("memory.update", observation_id=ids[DISCOVERY], content="The fixture was wrong.")
    await both("memory.delete", observation_id=ids[DECISION])
    await both.record("t", SESSION)
    await worker.round()
    found = {memory["title"]: memory for memory in await both.memories()}
    assert DECISION not in found
    assert found[DISCOVERY]["content"] == "The fixture was wrong."
    assert both.counts["left_alone"] == 2


async def test_a_failure_is_counted_and_waited_for_longer_each_time(both: Planes) -> None:
    await both.record("s", SESSION)
    pauses: list[float] = []
    broken = Peers()

    async def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 4:
            broken.bind("observe", InProcess(both._built["observe"].bound))

    class Down(Transport):
        async def call(self, op: Method, request: Message, metadata: Mapping[str, str], timeout_s: float) -> Message:
            raise LoomError("UPSTREAM_UNAVAILABLE", "the plane does not answer")

        async def close(self) -> None: ...

    broken.bind("observe", Down())
    worker = both.worker(peers=broken, pause=pause)
    done = asyncio.Event()
    both.count = lambda event, number: done.set() if event == "session" else Planes.count(both, event, number)  # type: ignore[method-assign]
    worker._count = both.count
    worker.start()
    await asyncio.wait_for(done.wait(), LIMIT_S)
    await worker.close()
    assert both.counts["failure"] == 4
    bounds = [(0.5, 1.0), (1.0, 2.0), (2.0, 4.0), (4.0, 8.0)]
    assert all(low <= seconds <= high for seconds, (low, high) in zip(pauses, bounds, strict=True))
    assert len(await both.memories()) == 3


async def test_a_session_that_cannot_be_extracted_does_not_stop_the_others(
    both: Planes, monkeypatch: pytest.MonkeyPatch
) -> None:
    await both.record("a", [ASK])
    await both.record("b", [ASK])
    worker = both.worker()
    draft = worker._drafting.draft

    async def failing(session_id: str, *rest: Any) -> Any:
        if session_id == "a":
            raise RuntimeError("a defect")
        return await draft(session_id, *rest)

    monkeypatch.setattr(worker._drafting, "draft", failing)
    await worker.round()
    assert (await both.states(), both.counts["session_failed"]) == ({"claimed": 1, "extracted": 1}, 1)


async def test_a_started_worker_is_woken_by_the_bell_and_stops_at_once(both: Planes) -> None:
    done = asyncio.Event()
    worker = both.worker()
    worker._count = lambda event, number: done.set() if event == "session" else None
    worker.start()
    await both.record("s", SESSION)
    await asyncio.wait_for(done.wait(), LIMIT_S)
    assert len(await both.memories()) == 3
    await asyncio.wait_for(worker.close(), LIMIT_S)
    await both.record("t", SESSION)
    assert (await both.states())["ready"] == len(SESSION)


async def test_a_worker_without_an_observe_plane_waits_for_one(both: Planes) -> None:
    await both.record("s", SESSION)
    peers, done = Peers(), asyncio.Event()
    worker = both.worker(peers=peers)
    worker._bell = peers.bell("observe")
    worker._count = lambda event, number: done.set() if event == "session" else None
    worker.start()
    await asyncio.sleep(0)
    peers.bind("observe", InProcess(both._built["observe"].bound))
    await asyncio.wait_for(done.wait(), LIMIT_S)
    await worker.close()
