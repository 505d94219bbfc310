"""Reads over the embedded engine, with a clock that the test moves."""

import pytest

from runtime.errors import LoomError
from tests.support.memory import memory_plane
from tests.support.stores import chdb_store

HOUR = 3600.0


@pytest.fixture
async def memory(tmp_path):
    async with chdb_store(tmp_path) as store, memory_plane(store) as plane:
        yield plane


async def code_of(awaitable):
    with pytest.raises(LoomError) as caught:
        await awaitable
    return caught.value.code.name, caught.value.metadata.get("field")


def titles(answer):
    return [row["title"] for row in answer["observations"]]


async def test_a_list_is_newest_first_and_every_page_is_reached_once(memory):
    for number in range(7):
        await memory.save(f"c{number}", title=f"t{number}", topic_key=f"k{number}")
        memory.clock.advance(60)
    await memory.save("changed", title="t2", topic_key="k2")
    seen, token = [], ""
    while True:
        page = await memory("list", page_size=3, page_token=token)
        seen += titles(page)
        memory.clock.advance(60)
        await memory.save(f"more {len(seen)}", title="newer")
        token = page["next_page_token"]
        if not token:
            break
    assert seen == ["t2", "t6", "t5", "t4", "t3", "t1", "t0"]


async def test_memories_of_one_instant_are_paged_without_loss(memory):
    items = [{"content": f"c{i}", "type": "decision", "title": f"t{i}"} for i in range(10)]
    await memory("save_batch", items=items)
    seen, token = [], ""
    for _ in range(5):
        page = await memory("list", page_size=2, page_token=token)
        seen += titles(page)
        token = page["next_page_token"]
    assert (sorted(seen), token) == (sorted(item["title"] for item in items), "")


async def test_filters_hold_together_and_instants_in_any_offset_filter_alike(memory):
    for number, kind in enumerate(("decision", "pattern", "decision")):
        saved = await memory.save(f"c{number}", title=f"t{number}", type=kind)
        memory.clock.advance(HOUR)
    await memory("session_end", summary="x")
    other = await memory.save("c3", title="t3")
    assert titles(await memory("list", types=["decision"])) == ["t3", "t2", "t0"]
    assert titles(await memory("list", types=["decision", "pattern"], session_id=saved["session_id"])) == [
        "t2",
        "t1",
        "t0",
    ]
    assert titles(await memory("list", session_id=other["session_id"])) == ["t3"]
    for since in ("2026-01-01T01:00:00Z", "2026-01-01T06:30:00+05:30", "2025-12-31T17:00:00-08:00"):
        assert titles(await memory("list", since=since, until="2026-01-01T03:00:00Z")) == ["t2", "t1"]
    assert titles(await memory("list", types=["summary"])) == []
    assert await code_of(memory("list", types=["decision", "fact"])) == ("INVALID_FIELD", "types[1]")
    assert await code_of(memory("list", since="today")) == ("INVALID_FIELD", "since")
    assert await code_of(memory("list", page_token="x")) == ("INVALID_FIELD", "page_token")


async def test_a_list_is_compact(memory):
    saved = await memory.save("a\n\n" + "word " * 100, topic_key="k")
    [row] = (await memory("list"))["observations"]
    assert (row["id"], row["topic_key"], row["score"]) == (saved["id"], "k", 0.0)
    assert row["snippet"].startswith("a word word")
    assert len(row["snippet"]) <= 240
    assert "content" not in row


async def test_a_timeline_goes_by_when_memories_were_first_said(memory):
    ids = []
    for number in range(9):
        ids.append((await memory.save(f"c{number}", title=f"t{number}", topic_key=f"k{number}"))["id"])
        memory.clock.advance(60)
    await memory.save("changed", title="t4", topic_key="k4")
    assert titles(await memory("timeline", observation_id=ids[4], before=2, after=1)) == ["t2", "t3", "t4", "t5"]
    assert titles(await memory("timeline", observation_id=ids[0], before=2, after=0)) == ["t0"]
    assert titles(await memory("timeline", observation_id=ids[8])) == ["t3", "t4", "t5", "t6", "t7", "t8"]
    assert titles(await memory("timeline", observation_id=1)) == []


async def test_a_context_fits_its_budget_and_says_what_was_left_out(memory):
    await memory("session_start")
    await memory("session_end", summary="We moved to Postgres")
    for number in range(30):
        await memory.save(f"content {number} " + "x" * 80, title=f"t{number}", type="preference")
    small = await memory("context", budget_chars=600)
    assert len(small["text"]) <= 600
    assert small["truncated"]
    assert "We moved to Postgres" in small["text"]
    assert 0 < len(small["memories"]) < 30
    assert all(row["title"] in small["text"] for row in small["memories"])
    whole = await memory("context", budget_chars=50_000)
    assert (whole["truncated"], len(whole["memories"])) == (False, 30)
    scores = [row["score"] for row in whole["memories"]]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)


async def test_nothing_remembered_is_an_empty_context(memory):
    assert await memory("context") == {"text": "", "truncated": False, "memories": []}


async def test_what_matters_most_comes_first(memory):
    await memory.save("a discovery of long ago", title="old", observed_at="2024-01-01T00:00:00Z", type="discovery")
    await memory.save("who", title="profile", type="profile", observed_at="2025-12-31T00:00:00Z")
    await memory.save("found", title="found", type="discovery", observed_at="2025-12-31T00:00:00Z")
    for number in range(9):
        await memory.save(
            f"v{number}", title="often", topic_key="k", observed_at=f"2025-12-3{number % 2}T0{number}:00:00Z"
        )
    memories = (await memory("session_start"))["memories"]
    assert [row["title"] for row in memories] == ["often", "profile", "found", "old"]
    # 0.5 · 2^(-2 days / 60) is nearly 0.5: recency of a day, one of ten revisions, priority of a profile.
    assert memories[1]["score"] == pytest.approx(0.5 * 0.5 ** (1 / 30) + 0.3 * 0.1 + 0.2 * 1.0, abs=1e-6)


async def test_at_most_ten_memories_come_with_a_session(memory):
    items = [{"content": f"c{i}", "type": "decision", "title": f"t{i}"} for i in range(15)]
    await memory("save_batch", items=items)
    assert len((await memory("session_start"))["memories"]) == 10


async def test_stats_count_what_lives(memory):
    ids = [(await memory.save(f"c{i}", type=kind))["id"] for i, kind in enumerate(("decision", "decision", "pattern"))]
    await memory("update", observation_id=ids[0], type="pattern")
    assert await memory("stats") == {"observations": 3, "sessions": 1, "by_type": {"decision": 1, "pattern": 2}}
    await memory("delete", observation_id=ids[2])
    assert await memory("stats") == {"observations": 2, "sessions": 1, "by_type": {"decision": 1, "pattern": 1}}


async def test_a_key_is_suggested(memory):
    answer = await memory("suggest_topic_key", type="preference", title="I prefer <private>x</private> dark mode")
    assert answer == {"topic_key": "preferences/prefer-redacted-dark-mode"}
    assert await code_of(memory("suggest_topic_key", type="x", title="t")) == ("INVALID_FIELD", "type")
    assert await code_of(memory("suggest_topic_key", type="decision", title=" ")) == ("INVALID_FIELD", "title")


@pytest.mark.parametrize("op", ["get_observation", "timeline", "revisions", "update", "delete"])
async def test_an_id_below_one_is_refused_and_none_is_missing(memory, op):
    for id_ in (0, -1):
        assert await code_of(memory(op, observation_id=id_)) == ("INVALID_FIELD", "observation_id")
    assert await code_of(memory(op)) == ("MISSING_FIELD", "observation_id")


async def test_a_page_token_holds_for_its_user_and_its_filters_alone(memory):
    for number in range(3):
        await memory.save(f"text {number}", title=f"t{number}")
        await memory.save(f"text {number}", title=f"t{number}", user_id="bob")
    filters = {"types": ["decision", "pattern"], "since": "2020-01-01T00:00:00Z"}
    token = (await memory("list", page_size=2, **filters))["next_page_token"]
    same = {"types": ["pattern", "decision"], "since": "2020-01-01T01:00:00+01:00", "page_size": 1}
    assert len((await memory("list", page_token=token, **same))["observations"]) == 1
    for other in ({**filters, "user_id": "bob"}, {**filters, "types": ["decision"]}, {"types": filters["types"]}, {}):
        assert await code_of(memory("list", page_token=token, **other)) == ("INVALID_FIELD", "page_token")
    exported = (await memory("export", page_size=2))["next_page_token"]
    assert len((await memory("export", page_token=exported))["records"]) == 1
    assert await code_of(memory("export", page_token=exported, user_id="bob")) == ("INVALID_FIELD", "page_token")
    assert await code_of(memory("list", page_token=exported)) == ("INVALID_FIELD", "page_token")
