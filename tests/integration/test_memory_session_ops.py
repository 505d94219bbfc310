"""Sessions over the embedded engine, with a clock that the test moves."""

import asyncio

import pytest

from runtime.clock import ManualClock
from runtime.errors import LoomError
from tests.support.memory import memory_plane
from tests.support.stores import chdb_store

HOUR = 3600.0
DAY = 24 * HOUR


@pytest.fixture
async def memory(tmp_path):
    async with chdb_store(tmp_path) as store, memory_plane(store) as plane:
        yield plane


async def code_of(awaitable):
    with pytest.raises(LoomError) as caught:
        await awaitable
    return caught.value.code.name, caught.value.metadata.get("field")


async def test_a_session_is_gone_on_with_until_nothing_has_happened_for_a_day(memory):
    first = await memory("session_start")
    assert (first["is_new"], first["sessions_context"], first["memories"]) == (True, [], [])
    memory.clock.advance(DAY - 0.001)
    again = await memory("session_start")
    assert (again["is_new"], again["session_id"]) == (False, first["session_id"])
    memory.clock.advance(DAY - 0.001)
    assert not (await memory("session_start"))["is_new"]
    memory.clock.advance(DAY)
    late = await memory("session_start")
    assert (late["is_new"], late["session_id"] != first["session_id"]) == (True, True)
    [past] = late["sessions_context"]
    assert (past["session_id"], past["is_auto_generated"]) == (first["session_id"], True)
    assert past["summary"].startswith("Session of 2026-01-01 00:00 to 2026-01-0")
    assert past["date"].startswith("2026-01-02T23:59:59")


async def test_the_timeout_is_a_setting(tmp_path):
    environ = {"LOOM_MEMORY_SESSION_TIMEOUT_HOURS": "0.5"}
    async with chdb_store(tmp_path) as store, memory_plane(store, environ=environ) as memory:
        first = await memory("session_start")
        memory.clock.advance(HOUR / 2)
        assert (await memory("session_start"))["session_id"] != first["session_id"]


LATE = {
    "save": {"type": "decision", "title": "t", "content": "later"},
    "save_batch": {"items": [{"type": "decision", "title": "t", "content": "later"}]},
    "session_summary": {"summary": "later"},
}


@pytest.mark.parametrize("op", LATE)
@pytest.mark.parametrize("again", [False, True], ids=["new", "deduped"])
async def test_a_save_after_the_end_of_time_closes_the_session_and_opens_another(memory, op, again):
    saved = await memory.save("one", title="What was saved")
    if again:
        await memory(op, **LATE[op])
        memory.clock.advance(HOUR)
        saved = await memory.save("one", title="What was saved")
    memory.clock.advance(DAY)
    late = await memory(op, **LATE[op])
    late = late["results"][0] if op == "save_batch" else late
    assert late["outcome"] == ("deduped" if again else "created")
    assert late["session_id"] != saved["session_id"]
    [past] = (await memory("session_start"))["sessions_context"]
    assert (past["session_id"], past["is_auto_generated"]) == (saved["session_id"], True)
    assert "What was saved" in past["summary"] and ("1 memory" in past["summary"]) != again


async def test_the_user_ends_a_session_in_their_own_words(memory):
    started = await memory("session_start")
    memory.clock.advance(HOUR)
    ended = await memory("session_end", summary="done <private>x</private>")
    assert ended == {
        "session_id": started["session_id"],
        "started_at": "2026-01-01T00:00:00.000000Z",
        "ended_at": "2026-01-01T01:00:00.000000Z",
        "summary": "done [REDACTED]",
        "is_auto_generated": False,
    }
    assert await code_of(memory("session_end", summary="again")) == ("SESSION_NOT_FOUND", None)
    following = await memory("session_start")
    assert following["is_new"]
    assert [(past["summary"], past["is_auto_generated"]) for past in following["sessions_context"]] == [
        ("done [REDACTED]", False)
    ]


async def test_the_users_words_for_a_session_are_kept_however_late_they_come(memory):
    started = await memory("session_start")
    memory.clock.advance(3 * DAY)
    ended = await memory("session_end", summary="mine")
    assert (ended["session_id"], ended["summary"], ended["is_auto_generated"]) == (started["session_id"], "mine", False)


async def test_a_summary_of_a_session_is_a_memory_and_touches(memory):
    started = await memory("session_start")
    memory.clock.advance(23 * HOUR)
    saved = await memory("session_summary", summary="s" * 81)
    assert (saved["outcome"], saved["session_id"]) == ("created", started["session_id"])
    assert (await memory("session_summary", summary="s" * 81))["outcome"] == "deduped"
    found = (await memory("get_observation", observation_id=saved["id"]))["observation"]
    assert (found["type"], found["title"]) == ("summary", "s" * 77 + "...")
    memory.clock.advance(23 * HOUR)
    assert (await memory("session_start"))["session_id"] == started["session_id"]


async def test_reads_do_not_touch(memory):
    saved = await memory.save("one")
    memory.clock.advance(23 * HOUR)
    for op, args in (
        ("list", {}),
        ("get_observation", {"observation_id": saved["id"]}),
        ("timeline", {"observation_id": saved["id"]}),
        ("revisions", {"observation_id": saved["id"]}),
        ("context", {}),
        ("stats", {}),
        ("export", {}),
        ("suggest_topic_key", {"type": "decision", "title": "t"}),
    ):
        await memory(op, **args)
    memory.clock.advance(HOUR)
    assert (await memory("session_start"))["is_new"]


async def test_many_starts_at_once_open_one_session(memory):
    answers = await asyncio.gather(*(memory("session_start") for _ in range(12)))
    assert len({answer["session_id"] for answer in answers}) == 1
    assert sum(answer["is_new"] for answer in answers) == 1
    assert (await memory("stats"))["sessions"] == 1


async def test_a_touch_outlives_the_process(tmp_path):
    clock = ManualClock()
    async with chdb_store(tmp_path) as store:
        async with memory_plane(store, clock=clock) as memory:
            first = await memory.save("one")
            clock.advance(23 * HOUR)
            await memory.save("one")
        clock.advance(23 * HOUR)
        async with memory_plane(store, clock=clock) as memory:
            assert (await memory("session_start"))["session_id"] == first["session_id"]


async def test_five_past_sessions_are_handed_back_latest_first(memory):
    for number in range(7):
        await memory("session_start")
        memory.clock.advance(60)
        await memory("session_end", summary=f"s{number}")
    past = (await memory("session_start"))["sessions_context"]
    assert [session["summary"] for session in past] == ["s6", "s5", "s4", "s3", "s2"]
    assert (await memory("stats"))["sessions"] == 8
