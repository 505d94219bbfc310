"""Saves that wait in the journal: every op sees them, a kill loses none, the store is asked where memory may be wrong."""

import asyncio

import pytest

from runtime.errors import LoomError
from runtime.store import Behind
from tests.support.memory import memory_plane
from tests.support.stores import chdb_store


@pytest.fixture
async def memory(tmp_path):
    async with chdb_store(tmp_path) as store, memory_plane(store) as plane:
        yield plane


async def test_every_read_sees_a_save_that_waits(memory):
    id_ = (await memory.save("The ferry leaves at nine.", title="Ferry", topic_key="ferry"))["id"]
    assert [hit["id"] for hit in (await memory("search", query="ferry"))["hits"]] == [id_]
    second = (await memory.save("The harbour closes at ten.", title="Harbour"))["id"]
    assert [row["id"] for row in (await memory("list"))["observations"]] == [second, id_]
    third = (await memory.save("The bus comes at eight.", title="Bus"))["id"]
    assert (await memory("get_observation", observation_id=third))["found"]
    await memory.save("The ferry leaves at noon.", title="Ferry", topic_key="ferry")
    assert len((await memory("revisions", observation_id=id_))["revisions"]) == 2
    await memory.save("The kiosk sells maps.", title="Kiosk")
    assert (await memory("stats"))["observations"] == 4
    await memory.save("The lighthouse is white.", title="Lighthouse")
    assert "Lighthouse" in (await memory("context"))["text"]


async def test_a_save_is_compared_with_saves_that_wait(memory):
    first = await memory.save("The ferry to the island leaves at nine.", title="Ferry times")
    again = await memory.save("The ferry to the island leaves at nine.", title="Ferry times")
    other = await memory.save("The ferry to the island leaves at nine o'clock.", title="Ferry times")
    assert again["outcome"] == "deduped"
    assert again["id"] == first["id"]
    assert [like["id"] for like in other["similar"]] == [first["id"]]


async def test_what_was_deleted_while_it_waits_is_not_offered_as_similar(memory):
    first = await memory.save("The ferry to the island leaves at nine.", title="Ferry times")
    await memory("delete", observation_id=first["id"])
    other = await memory.save("The ferry to the island leaves at nine o'clock.", title="Ferry times")
    assert other["similar"] == []


async def test_what_has_another_text_while_it_waits_is_compared_by_that_text(memory):
    await memory.save("The ferry to the island leaves at nine.", title="Ferry times", topic_key="a")
    await memory.save("Museums are free on Sundays.", title="Museums", topic_key="a")
    other = await memory.save("The ferry to the island leaves at nine o'clock.", title="Ferry times")
    assert other["similar"] == []


async def test_without_the_journal_a_save_is_in_its_table_when_it_is_answered(tmp_path):
    environ = {"LOOM_MEMORY_JOURNAL": "off"}
    async with chdb_store(tmp_path) as store, memory_plane(store, environ=environ) as memory:
        await memory.save("one")
        [row] = await store.query("SELECT count() AS n FROM memory_revisions")
        assert row["n"] == 1
    assert not (tmp_path / "memory.journal").exists()


async def test_what_the_journal_holds_is_brought_in_though_it_is_switched_off_now(tmp_path, monkeypatch):
    async with chdb_store(tmp_path) as store:
        async with memory_plane(store) as memory:
            monkeypatch.setattr(Behind, "settled", lambda self: asyncio.sleep(0))  # as if the process ended before
            await memory.save("one")
        monkeypatch.undo()
        assert any((tmp_path / "memory.journal").iterdir())
        async with memory_plane(store, environ={"LOOM_MEMORY_JOURNAL": "off"}) as memory:
            assert (await memory("stats"))["observations"] == 1
        assert not any((tmp_path / "memory.journal").iterdir())


async def test_an_erase_reaches_a_text_that_the_engine_refused_after_it_was_acknowledged(tmp_path):
    async with chdb_store(tmp_path) as store, memory_plane(store) as memory:
        id_ = (await memory.save("The ferry leaves at nine.", topic_key="ferry"))["id"]
        assert (await memory("stats"))["observations"] == 1
        await store.command("ALTER TABLE memory_revisions ADD CONSTRAINT tame CHECK title != 'wild'")
        await memory.save("zebra quagga okapi", title="wild", topic_key="ferry")
        await memory.save("a tapir of another memory", title="wild")
        assert (await memory("stats"))["observations"] == 1
        assert [kind for _, kind in _set_aside(tmp_path, b"quagga", b"tapir")] == [b"quagga", b"tapir"]
        await memory("delete", observation_id=id_, hard=True)
        assert [kind for _, kind in _set_aside(tmp_path, b"quagga", b"tapir")] == [b"tapir"]


def _set_aside(folder, *texts):
    paths = [*(folder / "memory.journal").glob("refused-*")]
    return [(path.name, text) for text in texts for path in paths if text in path.read_bytes()]


async def test_after_a_failed_write_the_store_is_asked_what_is_there(memory, monkeypatch):
    await memory.save("one", topic_key="a")
    insert, gone = Behind.insert, asyncio.Event()

    async def late(self, table, *args, **kwargs):
        # It takes effect, and its caller hears that it failed.
        await insert(self, table, *args, **kwargs)
        if table == "memory_revisions":
            gone.set()
            raise LoomError("STORAGE_UNAVAILABLE", "gone")

    with monkeypatch.context() as patched:
        patched.setattr(Behind, "insert", late)
        with pytest.raises(LoomError, match="gone"):
            await memory.save("two", topic_key="b")
    assert gone.is_set()
    assert (await memory.save("two", topic_key="b"))["outcome"] == "deduped"
    assert (await memory.save("three", topic_key="b"))["outcome"] == "updated"


async def test_a_session_that_ended_stays_ended_after_saves_and_a_restart(tmp_path):
    async with chdb_store(tmp_path) as store:
        async with memory_plane(store) as memory:
            await memory.save("one")
            first = (await memory("session_end", summary="done"))["session_id"]
            second = (await memory.save("two"))["session_id"]
            assert second != first
        async with memory_plane(store) as memory:
            assert (await memory.save("three"))["session_id"] == second
            assert (await memory("stats"))["observations"] == 3
