"""Saves and updates over the embedded engine, with a clock that the test moves."""

import pytest

from runtime.errors import LoomError
from services.memory.ops.save import SIMILAR_S
from services.memory.ops.similar import FindSimilar
from services.memory.search_index import SearchIndex
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
