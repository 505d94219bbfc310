"""search: its legs, their budgets and failures, and in whose name memories are asked for."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from google.protobuf.message import Message

from loom.memory.v1 import memory_pb2
from loom.search.v1 import search_pb2
from runtime.call import AUTHORIZATION, Call
from runtime.clock import ManualClock
from runtime.errors import LoomError
from runtime.identity import EVERYTHING, Caller
from runtime.optable import Method, Op, load_ops
from runtime.peers import Peers
from services.tracker.memories import Memories
from services.tracker.ops import search as searching
from services.tracker.ops.duplicate_check import Outcome, Report
from services.tracker.ops.search import SearchOp
from services.tracker.ops.similar import Change, Similar
from services.tracker.outcome import Common
from services.tracker.rows import Resolution
from services.tracker.searching import Hit

CALLER = Caller("dev", "local", "user", EVERYTHING, "single_user", org_admin=True)
INTERNAL, TOKEN = "Loom-Internal secret", "Bearer the-callers-own"


def change(number: int, score: float, kind: str = "issue") -> Change:
    return Change("trk", f"Org/repo#{number}", number, kind, "t", "open", score=score)


class Similars:
    def __init__(self, *items: Change, common: Common | None = None, hangs: bool = False) -> None:
        self.items, self.common, self.hangs, self.asked = items, common or Common("trk"), hangs, 0

    async def execute(self, *_: Any) -> Similar:
        self.asked += 1
        if self.hangs:
            await asyncio.Event().wait()
        return Similar(list(self.items), "uncalibrated", ["trk"], None, self.common)


class Duplicates:
    def __init__(self, verdict: str = "none", *items: Report) -> None:
        self.verdict, self.items, self.drafts = verdict, items, []

    async def execute(self, org: str, namespace: str, draft: Any, *_: Any) -> Outcome:
        self.drafts.append(draft)
        return Outcome(
            self.verdict, "calibrated", "Said.", 0.9, list(self.items), [], [], 0.8, None, ["trk"], [], Common("trk")
        )


class Resolves:
    def __init__(self, *bounds: Any, error: LoomError | None = None) -> None:
        self._bounds, self._error = bounds, error

    async def resolve(self, org: str, namespace: str, caller: Caller) -> Resolution:
        if self._error:
            raise self._error
        return Resolution("tracker" if self._bounds else "none", self._bounds)


def memories(*hits: Hit, error: LoomError | None = None) -> Any:
    async def find(namespace: str, query: str, limit: int, timeout_s: float) -> tuple[list[Hit], Mapping[str, str]]:
        if error:
            raise error
        return list(hits), {"lexical": "ok", "semantic": "off"}

    return find


def remembered(number: int) -> Hit:
    return Hit("memory", "local", "decision", "m", memory_id=number)


async def ask(query: str, found: Any, similar: Similars, checks: Duplicates, resolves: Resolves) -> searching.Found:
    op = SearchOp(resolves, similar, checks, ManualClock())  # type: ignore[arg-type]
    return await op.execute("dev", "trk", "local", query, 10, CALLER, found)


async def test_memories_and_trackers_are_fused_and_say_where_they_came_from() -> None:
    similar = Similars(change(1, 0.9), change(2, 0.2), change(3, 0.1, "pr"))
    found = await ask("who owns the wal", memories(remembered(7)), similar, Duplicates(), Resolves("bound"))
    assert [(hit.origin, hit.memory_id or hit.number) for hit in found.hits] == [
        ("memory", 7),
        ("tracker", 1),
        ("tracker", 3),
    ]  # an issue below an even chance is no answer
    assert (found.leg_status["memory"], found.leg_status["memory/semantic"]) == ("ok", "off")
    assert (found.leg_status["trackers"], found.leg_status["duplicates"]) == ("ok", "not_asked")
    assert (found.abstained, found.duplicate, found.namespaces_read) == (False, None, ["trk"])


async def test_a_query_that_looks_like_a_defect_is_checked_against_reports() -> None:
    report = Report("trk", "Org/repo#1", 1, "issue", "t", "open", score=0.9)
    checks = Duplicates("related", report)
    found = await ask("it crashes\n  at f (a.js:1)", memories(), Similars(change(1, 0.9)), checks, Resolves("bound"))
    assert found.duplicate == searching.Duplicate("related", "calibrated", "Said.")
    assert found.hits[0].legs == ["duplicates", "trackers"]
    assert (checks.drafts[0].title, checks.drafts[0].frames) == ("it crashes", ("at f (a.js:1)",))


async def test_a_namespace_of_memories_alone_asks_no_tracker() -> None:
    similar = Similars(change(1, 0.9))
    found = await ask("it crashes", memories(remembered(7)), similar, Duplicates(), Resolves())
    assert similar.asked == 0
    assert (found.leg_status["trackers"], found.leg_status["duplicates"]) == ("not_asked", "not_asked")


async def test_nothing_good_enough_is_an_abstention() -> None:
    found = await ask("who owns it", memories(), Similars(change(1, 0.3)), Duplicates(), Resolves("bound"))
    assert (found.abstained, found.hits) == (True, [])


@pytest.mark.parametrize(
    ("code", "state"),
    [
        ("FEATURE_DISABLED", "off"),
        ("NAMESPACE_FORBIDDEN", "refused"),
        ("DEADLINE_EXCEEDED", "timeout"),
        ("UPSTREAM_UNAVAILABLE", "unavailable"),
    ],
)
async def test_memories_that_cannot_be_had_leave_the_trackers_hits(code: str, state: str) -> None:
    found = await ask("q", memories(error=LoomError(code, "x")), Similars(change(1, 0.9)), Duplicates(), Resolves("b"))
    assert (found.leg_status["memory"], [hit.number for hit in found.hits]) == (state, [1])


async def test_a_leg_that_hangs_falls_out_and_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "BUDGETS_S", {"memory": 5.0, "trackers": 0.05, "duplicates": 5.0})
    found = await ask("q", memories(remembered(7)), Similars(hangs=True), Duplicates(), Resolves("bound"))
    assert (found.leg_status["trackers"], [hit.memory_id for hit in found.hits]) == ("timeout", [7])


async def test_a_silent_tracker_and_a_silent_directory_are_states() -> None:
    silent = Similars(common=Common("trk", tracker_unavailable=True, unavailable_reason="circuit_open"))
    found = await ask("q", memories(), silent, Duplicates(), Resolves("bound"))
    assert (found.leg_status["trackers"], found.abstained) == ("circuit_open", True)
    gone = Resolves(error=LoomError("UPSTREAM_UNAVAILABLE", "gone"))
    assert (await ask("q", memories(), silent, Duplicates(), gone)).leg_status["trackers"] == "unavailable"


class Recording:
    """A transport that keeps what it was called with."""

    def __init__(self) -> None:
        self.calls: list[tuple[Method, Message, Mapping[str, str]]] = []

    async def call(self, op: Method, request: Message, metadata: Mapping[str, str], timeout_s: float) -> Message:
        self.calls.append((op, request, dict(metadata)))
        hit = memory_pb2.CompactMemory(id=7, type="decision", title="m", score=0.8, updated_at="2026-01-01T00:00:00Z")
        return memory_pb2.SearchResponse(hits=[hit], leg_status={"lexical": "ok"})

    async def close(self) -> None: ...


def call_with(metadata: Mapping[str, str]) -> Call:
    return Call(load_ops().by_name["search"], search_pb2.SearchRequest(), metadata, "http")


async def test_memories_are_asked_for_with_what_the_caller_showed_and_never_with_our_own_key() -> None:
    peers, transport = Peers({AUTHORIZATION: INTERNAL}), Recording()
    peers.bind("memory", transport)
    found, inner = await Memories(peers).search(
        call_with({AUTHORIZATION: TOKEN, "x-forged": "1"}), "dev", "local", "ann", "bot", "q", 5, 1.0
    )
    ((op, request, metadata),) = transport.calls
    assert metadata == {AUTHORIZATION: TOKEN}
    assert isinstance(op, Op)  # the plane's chain judges it as a public op
    assert (request.namespace, request.user_id, request.agent) == ("local", "ann", "bot")
    assert (found[0].memory_id, found[0].namespace, inner) == (7, "local", {"lexical": "ok"})


async def test_a_caller_without_a_token_is_asked_for_without_one() -> None:
    peers, transport = Peers({AUTHORIZATION: INTERNAL}), Recording()
    peers.bind("memory", transport)
    await Memories(peers).search(call_with({}), "dev", "local", "-", "-", "q", 5, 1.0)
    assert transport.calls[0][2] == {}


async def test_the_key_that_planes_show_each_other_never_stands_for_a_caller() -> None:
    peers, transport = Peers({AUTHORIZATION: INTERNAL}), Recording()
    peers.bind("memory", transport)
    with pytest.raises(ValueError, match="never"):
        await Memories(peers).search(call_with({AUTHORIZATION: INTERNAL}), "dev", "local", "-", "-", "q", 5, 1.0)
    assert transport.calls == []


@pytest.mark.parametrize(
    ("query", "namespace", "field"),
    [
        ("   ", "local", "query"),
        ("\u200b", "local", "query"),
        ("q", "  ", "memory_namespace"),
        ("q", "a\0b", "memory_namespace"),
    ],
)
async def test_what_no_leg_could_take_is_the_callers_to_put_right(query: str, namespace: str, field: str) -> None:
    op = SearchOp(Resolves("bound"), Similars(), Duplicates(), ManualClock())  # type: ignore[arg-type]
    with pytest.raises(LoomError) as refused:
        await op.execute("dev", "trk", namespace, query, 10, CALLER, memories())
    assert (refused.value.code.name, refused.value.metadata["field"]) == ("INVALID_FIELD", field)
