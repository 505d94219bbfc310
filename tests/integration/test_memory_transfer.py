"""Export and import of a user's memories."""

import pytest

from runtime.errors import LoomError
from tests.support.memory import memory_plane
from tests.support.stores import chdb_store

EMPTY = {"observations": 0, "sessions": 0, "by_type": {}}


@pytest.fixture
async def memory(tmp_path):
    async with chdb_store(tmp_path) as store, memory_plane(store) as plane:
        yield plane


async def exported(memory, size=500, **scope):
    records, token = [], ""
    while True:
        page = await memory("export", page_size=size, page_token=token, **scope)
        records += page["records"]
        token = page["next_page_token"]
        if not token:
            return records


async def filled(memory):
    """Memories of every kind of life."""
    await memory.save("one", topic_key="a", title="t1")
    memory.clock.advance(60)
    await memory.save("two", topic_key="a", title="t2", type="pattern")
    changed = await memory.save("before", title="kept")
    await memory("update", observation_id=changed["id"], content="after")
    await memory("update", observation_id=changed["id"], title="renamed")
    memory.clock.advance(60)
    await memory("session_summary", summary="what we did")
    await memory.save("old", title="old", observed_at="2024-02-29T10:00:00+01:00")
    gone = await memory.save("gone", title="gone")
    await memory("delete", observation_id=gone["id"])


def shown(records, *, ids=True):
    return [
        (record["id"] if ids else 0, record["topic_key"], [tuple(text.items()) for text in record["revisions"]])
        for record in records
    ]


async def test_an_export_has_every_text_that_lives_oldest_first(memory):
    await filled(memory)
    records = await exported(memory)
    texts = [[text["content"] for text in record["revisions"]] for record in records]
    assert texts == [["old"], ["one", "two"], ["before", "after", "after"], ["what we did"]]
    assert records[1]["topic_key"] == "a"
    assert [(text["type"], text["title"]) for text in records[1]["revisions"]] == [
        ("decision", "t1"),
        ("pattern", "t2"),
    ]
    assert records[0]["revisions"][0]["said_at"] == "2024-02-29T09:00:00.000000Z"


async def test_every_page_is_reached_once(memory):
    items = [{"content": f"c{i}", "type": "decision", "title": f"t{i}"} for i in range(11)]
    await memory("save_batch", items=items)
    assert shown(await exported(memory, size=3)) == shown(await exported(memory))
    assert len(await exported(memory, size=3)) == 11


async def test_a_page_of_long_texts_fits_into_one_import(memory):
    for number in range(21):
        await memory.save(chr(97 + number) * 50_000)
    page = await memory("export", page_size=500)
    assert page["next_page_token"]
    assert sum(len(text["content"]) for record in page["records"] for text in record["revisions"]) <= 512 << 10
    assert len(await exported(memory)) == 21


async def test_importing_where_it_came_from_adds_nothing(memory):
    await filled(memory)
    before, stats = await exported(memory), await memory("stats")
    answer = await memory("import_batch", records=before)
    assert [(result["id"], result["added"]) for result in answer["results"]] == [(record["id"], 0) for record in before]
    assert shown(await exported(memory)) == shown(before)
    assert await memory("stats") == stats


@pytest.mark.parametrize("scope", [{"user_id": "bob"}, {"namespace": "other"}, {"org": "other"}])
async def test_importing_elsewhere_brings_every_text_and_twice_adds_nothing(memory, scope):
    await filled(memory)
    records = await exported(memory)
    first = (await memory("import_batch", records=records, **scope))["results"]
    assert [result["added"] for result in first] == [len(record["revisions"]) for record in records]
    second = (await memory("import_batch", records=records, **scope))["results"]
    assert [(result["id"], result["added"]) for result in second] == [(result["id"], 0) for result in first]
    assert shown(await exported(memory, **scope), ids=False) == shown(records, ids=False)
    found = (await memory("get_observation", observation_id=first[2]["id"], **scope))["observation"]
    assert (found["content"], found["title"], found["revision_count"], found["source"]) == (
        "after",
        "renamed",
        3,
        "imported",
    )


async def test_a_user_who_comes_home_has_the_same_ids(tmp_path):
    async with chdb_store(tmp_path / "one") as store, memory_plane(store) as memory:
        await filled(memory)
        records = await exported(memory)
    async with chdb_store(tmp_path / "two") as store, memory_plane(store) as memory:
        await memory("import_batch", records=records)
        assert shown(await exported(memory)) == shown(records)
        await memory.save("three", topic_key="a", title="t3")
        again = (await memory("import_batch", records=records))["results"]
        assert [result["added"] for result in again] == [0] * len(records)
        assert (await memory("get_observation", observation_id=records[1]["id"]))["observation"]["content"] == "three"


async def test_an_import_opens_no_session_and_keeps_the_one_that_a_text_was_said_in(memory):
    await memory("import_batch", records=[record("x", session_id="theirs")])
    assert await memory("stats") == {**EMPTY, "observations": 1, "by_type": {"decision": 1}}
    assert len((await memory("list", session_id="theirs"))["observations"]) == 1


async def test_an_import_meets_what_is_there_under_its_topic_or_text(memory):
    mine = await memory.save("now", topic_key="a")
    plain = await memory.save("plain")
    results = (
        await memory(
            "import_batch", records=[record("then", topic_key="a"), record("plain"), record("new", topic_key="b")]
        )
    )["results"]
    assert [result["id"] for result in results[:2]] == [mine["id"], plain["id"]]
    assert (await memory("get_observation", observation_id=mine["id"]))["observation"]["content"] == "now"
    assert (await memory.save("new", topic_key="b"))["outcome"] == "deduped"


async def test_what_was_deleted_comes_back_by_an_import_as_another_memory(memory):
    saved = await memory.save("one", topic_key="a")
    records = await exported(memory)
    await memory("delete", observation_id=saved["id"])
    [back] = (await memory("import_batch", records=records))["results"]
    assert (back["added"], back["id"] == saved["id"]) == (1, False)
    [again] = (await memory("import_batch", records=records))["results"]
    assert (again["added"], again["id"]) == (0, back["id"])


async def test_private_text_is_taken_out_of_what_is_brought_in(memory):
    records = [record("a <private>x</private>"), record("b", topic_key="<private>k")]
    brought, refused = (await memory("import_batch", records=records))["results"]
    found = (await memory("get_observation", observation_id=brought["id"]))["observation"]
    assert found["content"] == "a [REDACTED]"
    assert refused["detail"]["metadata"]["field"] == "records[1].topic_key"


def record(content, *, topic_key=None, **text):
    said = {"type": "decision", "title": "t", "content": content, "said_at": "2025-01-01T00:00:00Z", **text}
    return {"topic_key": topic_key, "revisions": [said]}


async def test_good_records_are_brought_in_though_others_fail(memory):
    records = [
        record("one"),
        record(" "),
        record("two", type="fact"),
        record("three", said_at="once"),
        record("four", topic_key=" "),
        {"revisions": []},
        record("five", type="summary"),
        record("six", title="t" * 501),
    ]
    results = (await memory("import_batch", records=records))["results"]
    assert [result["added"] for result in results] == [1, 0, 0, 0, 0, 0, 1, 0]
    refused = [
        (result["detail"]["code"], result["detail"]["metadata"]["field"]) for result in results if result["detail"]
    ]
    assert refused == [
        ("INVALID_FIELD", "records[1].revisions[0].content"),
        ("INVALID_FIELD", "records[2].revisions[0].type"),
        ("INVALID_FIELD", "records[3].revisions[0].said_at"),
        ("INVALID_FIELD", "records[4].topic_key"),
        ("MISSING_FIELD", "records[5].revisions"),
        ("FIELD_TOO_LONG", "records[7].revisions[0].title"),
    ]


async def test_a_page_token_of_no_page_is_refused(memory):
    with pytest.raises(LoomError) as caught:
        await memory("export", page_token="x")
    assert caught.value.metadata == {"field": "page_token"}
