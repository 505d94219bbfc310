"""The ops of the memory plane over the embedded engine, with a clock that the test moves."""

import asyncio

import pytest

from runtime.clock import ManualClock
from runtime.errors import LoomError
from services.memory.ops.save import SIMILAR_S
from services.memory.ops.similar import FindSimilar
from services.memory.search_index import SearchIndex
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


def titles(answer):
    return [row["title"] for row in answer["observations"]]


# --- saving


async def test_an_update_keeps_the_id_and_the_first_instant_and_takes_the_current_session(memory):
    first = await memory.save("one", topic_key="a/b", title="old", type="pattern")
    memory.clock.advance(25 * HOUR)
    second = await memory.save("two", topic_key="a/b", title="new")
    assert (second["id"], second["outcome"]) == (first["id"], "updated")
    assert second["session_id"] != first["session_id"]
    found = (await memory("get_observation", observation_id=first["id"]))["observation"]
    assert found == {
        "id": first["id"],
        "session_id": second["session_id"],
        "user_id": "ada",
        "type": "decision",
        "title": "new",
        "content": "two",
        "topic_key": "a/b",
        "revision_count": 2,
        "created_at": "2026-01-01T00:00:00.000000Z",
        "updated_at": "2026-01-02T01:00:00.000000Z",
        "source": "saved",
        "evidence": [],
    }
    revisions = (await memory("revisions", observation_id=first["id"]))["revisions"]
    assert [(row["revision"], row["content"], row["title"], row["type"]) for row in revisions] == [
        (2, "two", "new", "decision"),
        (1, "one", "old", "pattern"),
    ]
    assert [row["session_id"] for row in revisions] == [second["session_id"], first["session_id"]]


async def test_a_repetition_changes_nothing_but_touches_the_session(memory):
    first = await memory.save("one", topic_key="a")
    memory.clock.advance(23 * HOUR)
    again = await memory.save("one", topic_key="a")
    assert {**again, "outcome": "created"} == first
    assert again["outcome"] == "deduped"
    memory.clock.advance(23 * HOUR)
    assert (await memory("session_start"))["session_id"] == first["session_id"]
    found = (await memory("get_observation", observation_id=first["id"]))["observation"]
    assert (found["revision_count"], found["updated_at"]) == (1, found["created_at"])


async def test_saves_that_differ_only_in_what_is_private_are_one(memory):
    first = await memory.save("key <private>one</private>")
    again = await memory.save("key <PRIVATE a='b'>two</private >")
    assert (again["id"], again["outcome"]) == (first["id"], "deduped")
    found = (await memory("get_observation", observation_id=first["id"]))["observation"]
    assert found["content"] == "key [REDACTED]"


async def test_a_keyless_text_that_was_changed_by_its_id_is_found_by_its_new_text(memory):
    first = await memory.save("one")
    await memory("update", observation_id=first["id"], content="two")
    assert (await memory.save("two"))["outcome"] == "deduped"
    again = await memory.save("one")
    assert (again["outcome"], again["id"] == first["id"]) == ("created", False)
    assert (await memory.save("one"))["id"] == again["id"]


async def test_a_text_of_an_earlier_day_becomes_an_earlier_revision(memory):
    first = await memory.save("new", topic_key="a")
    older = await memory.save("old", topic_key="a", observed_at="2025-06-01T00:00:00+02:00")
    assert (older["outcome"], older["id"]) == ("updated", first["id"])
    assert "earlier revision" in older["notice"]
    found = (await memory("get_observation", observation_id=first["id"]))["observation"]
    assert (found["content"], found["revision_count"], found["created_at"]) == ("new", 2, found["updated_at"])
    revisions = (await memory("revisions", observation_id=first["id"]))["revisions"]
    assert [row["content"] for row in revisions] == ["new", "old"]
    assert revisions[1]["said_at"] == "2025-05-31T22:00:00.000000Z"
    assert (await memory.save("old", topic_key="a", observed_at="2025-05-31T22:00:00Z"))["outcome"] == "deduped"


async def test_a_batch_is_applied_in_order_and_good_items_are_stored_though_others_fail(memory):
    items = [
        {"content": "one", "topic_key": "a"},
        {"content": " ", "topic_key": "a"},
        {"content": "two", "topic_key": "a"},
        {"content": "two", "topic_key": "a", "title": "u"},
        {"content": "x", "type": "summary"},
        {"content": "one"},
        {"content": "x", "title": "t" * 501},
        {"content": "x", "observed_at": "now"},
        {"content": "one"},
    ]
    answer = await memory("save_batch", items=[{"type": "decision", "title": "t", **item} for item in items])
    results = answer["results"]
    assert [row["outcome"] for row in results] == [
        "created",
        "",
        "updated",
        "deduped",
        "",
        "created",
        "",
        "",
        "deduped",
    ]
    assert results[0]["id"] == results[2]["id"] == results[3]["id"] != results[5]["id"] == results[8]["id"]
    assert "title was kept" in results[3]["notice"]
    refused = [(row["detail"]["code"], row["detail"]["metadata"]["field"]) for row in results if row["detail"]]
    assert refused == [
        ("INVALID_FIELD", "items[1].content"),
        ("INVALID_FIELD", "items[4].type"),
        ("FIELD_TOO_LONG", "items[6].title"),
        ("INVALID_FIELD", "items[7].observed_at"),
    ]
    assert (await memory("stats"))["observations"] == 2


async def test_a_batch_of_refused_items_alone_opens_no_session(memory):
    await memory("save_batch", items=[{"content": " ", "type": "decision", "title": "t"}])
    assert (await memory("stats")) == {"observations": 0, "sessions": 0, "by_type": {}}


async def test_a_length_over_its_limit_is_refused_with_limit_and_size_and_nothing_is_cut(memory):
    with pytest.raises(LoomError) as caught:
        await memory.save("x" * 50_001)
    assert caught.value.metadata == {"field": "content", "limit": "50000", "size": "50001"}
    kept = await memory.save("é" * 50_000, title="t" * 500, topic_key="k" * 512)
    found = (await memory("get_observation", observation_id=kept["id"]))["observation"]
    assert (len(found["content"]), len(found["title"]), len(found["topic_key"])) == (50_000, 500, 512)


async def test_an_installation_may_name_its_own_kinds(tmp_path):
    async with chdb_store(tmp_path) as store, memory_plane(store, environ={"LOOM_MEMORY_TYPES": "fact"}) as memory:
        assert (await memory.save("x", type="fact"))["outcome"] == "created"
        assert await code_of(memory.save("x", type="decision")) == ("INVALID_FIELD", "type")


# --- update


async def test_an_update_by_id_changes_what_is_given_and_keeps_the_rest(memory):
    first = await memory.save("one", topic_key="a")
    changed = await memory("update", observation_id=first["id"], title="<private>x</private> new")
    assert (changed["outcome"], changed["id"], changed["topic_key"]) == ("updated", first["id"], "a")
    await memory("update", observation_id=first["id"], type="pattern", content="two")
    same = await memory("update", observation_id=first["id"], type="pattern", content="two")
    assert same["outcome"] == "deduped"
    found = (await memory("get_observation", observation_id=first["id"]))["observation"]
    assert [found[name] for name in ("title", "type", "content", "revision_count")] == [
        "[REDACTED] new",
        "pattern",
        "two",
        3,
    ]


async def test_an_update_is_refused_where_it_makes_no_sense(memory):
    id_ = (await memory.save("one"))["id"]
    for change, field in (
        ({}, "content"),
        ({"content": ""}, "content"),
        ({"title": " "}, "title"),
        ({"type": "summary"}, "type"),
        ({"type": "x"}, "type"),
    ):
        assert await code_of(memory("update", observation_id=id_, **change)) == ("INVALID_FIELD", field)
    assert await code_of(memory("update", observation_id=id_ + 1, title="t")) == ("OBSERVATION_NOT_FOUND", None)
    assert await code_of(memory("update", observation_id=id_, user_id="bob", title="t")) == (
        "OBSERVATION_NOT_FOUND",
        None,
    )


# --- sessions


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


async def test_a_save_after_the_end_of_time_closes_the_session_and_opens_another(memory):
    saved = await memory.save("one", title="What was saved")
    memory.clock.advance(DAY)
    late = await memory("session_summary", summary="later")
    assert late["session_id"] != saved["session_id"]
    [past] = (await memory("session_start"))["sessions_context"]
    assert (past["session_id"], past["is_auto_generated"]) == (saved["session_id"], True)
    assert "1 memory saved (1 decision): What was saved" in past["summary"]


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


# --- reads


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


# --- what stands beside a save


async def test_a_failing_advice_loses_no_text(memory, monkeypatch):
    async def fail(*args):
        raise LoomError("STORAGE_UNAVAILABLE", "gone")

    monkeypatch.setattr(FindSimilar, "find", fail)
    saved = await memory.save("one")
    assert (saved["outcome"], saved["similar"]) == ("created", [])


async def test_an_advice_that_takes_long_is_given_up(memory, monkeypatch):
    limits = []

    async def note(self, scope, drafts, most, timeout_s):
        limits.append(timeout_s)
        return [[] for _ in drafts]

    monkeypatch.setattr(FindSimilar, "find", note)
    await memory.save("one")
    assert limits == [pytest.approx(SIMILAR_S)]


async def test_a_text_that_cannot_be_made_findable_is_not_stored_and_can_be_sent_again(memory, monkeypatch):
    async def fail(*args):
        raise LoomError("STORAGE_UNAVAILABLE", "gone")

    with monkeypatch.context() as patched:
        patched.setattr(SearchIndex, "add", fail)
        with pytest.raises(LoomError, match="gone"):
            await memory.save("one")
        assert (await memory("stats"))["observations"] == 0
    assert (await memory.save("one"))["outcome"] == "created"


async def test_similar_memories_are_offered_without_the_one_that_was_saved(memory):
    first = await memory.save("We deploy the billing service on Fridays", title="Deploys")
    second = await memory.save("We deploy the billing service on Friday", title="Deploys")
    assert [like["id"] for like in second["similar"]] == [first["id"]]
    assert 0 < second["similar"][0]["similarity"] <= 1
    again = await memory.save("We deploy the billing service on Friday", title="Deploys")
    assert (again["outcome"], [like["id"] for like in again["similar"]]) == ("deduped", [first["id"]])
