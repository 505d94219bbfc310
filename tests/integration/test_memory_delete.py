"""Deletion: gone from every answer at once, only in its scope, and on request from disk."""

import asyncio
import secrets
from pathlib import Path

import pytest

from runtime.clock import SystemClock
from runtime.errors import LoomError
from runtime.store import Store
from services.memory.erase import Eraser
from services.memory.identity import Scope
from services.memory.store import RevisionStore
from tests.support.memory import memory_plane
from tests.support.stores import chdb_store

LIMIT_S = 60.0


@pytest.fixture
async def memory(tmp_path):
    async with chdb_store(tmp_path) as store, memory_plane(store) as plane:
        yield plane


async def traces(memory, id_, **scope):
    """Every answer in which the memory could show."""
    return [
        (await memory("get_observation", observation_id=id_, **scope))["observation"],
        (await memory("revisions", observation_id=id_, **scope))["revisions"],
        (await memory("timeline", observation_id=id_, **scope))["observations"],
        (await memory("list", **scope))["observations"],
        (await memory("context", **scope))["memories"],
        (await memory("session_start", **scope))["memories"],
        (await memory("export", **scope))["records"],
        (await memory("stats", **scope))["by_type"],
    ]


@pytest.mark.parametrize("hard", [False, True])
async def test_a_deleted_memory_is_gone_from_every_answer_at_once(memory, hard):
    id_ = (await memory.save("one", topic_key="a"))["id"]
    await memory.save("two", topic_key="a")
    assert all(await traces(memory, id_))
    assert await memory("delete", observation_id=id_, hard=hard) == {"deleted": True, "evidence": []}
    assert not any(await traces(memory, id_))
    assert await memory("delete", observation_id=id_) == {"deleted": False, "evidence": []}


@pytest.mark.parametrize("hard", [False, True])
async def test_a_deletion_concerns_its_scope_alone(memory, hard):
    scopes = [{}, {"user_id": "bob"}, {"namespace": "other"}, {"org": "other"}, {"user_id": "-"}]
    ids = [(await memory.save("one", topic_key="a", **scope))["id"] for scope in scopes]
    assert len(set(ids)) == len(ids)
    for scope in scopes[1:]:
        assert await memory("delete", observation_id=ids[0], hard=hard, **scope) == {"deleted": False, "evidence": []}
    assert await memory("delete", observation_id=ids[0], hard=hard) == {"deleted": True, "evidence": []}
    for id_, scope in list(zip(ids, scopes, strict=True))[1:]:
        assert all(await traces(memory, id_, **scope))


async def test_a_topic_that_was_deleted_can_be_saved_again_and_starts_anew(memory):
    first = await memory.save("one", topic_key="a")
    await memory.save("two", topic_key="a")
    await memory("delete", observation_id=first["id"])
    again = await memory.save("two", topic_key="a")
    assert (again["outcome"], again["id"] == first["id"]) == ("created", False)
    found = (await memory("get_observation", observation_id=again["id"]))["observation"]
    assert (found["revision_count"], found["content"]) == (1, "two")
    assert (await memory("get_observation", observation_id=first["id"]))["found"] is False
    assert (await memory.save("two", topic_key="a"))["outcome"] == "deduped"


async def test_a_text_without_a_topic_can_be_saved_again_too(memory):
    first = await memory.save("one")
    await memory("delete", observation_id=first["id"], hard=True)
    assert (await memory.save("one"))["outcome"] == "created"
    assert (await memory("stats"))["observations"] == 1


async def test_a_deletion_among_saves_of_its_topic_takes_what_came_before_and_nothing_else(memory):
    id_ = (await memory.save("zero", topic_key="a"))["id"]
    saves = [memory.save(f"text {number}", topic_key="a") for number in range(6)]
    *saved, deleted = await asyncio.gather(*saves, memory("delete", observation_id=id_))
    assert deleted == {"deleted": True, "evidence": []}
    assert (await memory("get_observation", observation_id=id_))["found"] is False
    after = {row["id"] for row in saved} - {id_}
    assert [row["id"] for row in (await memory("list"))["observations"]] == list(after)
    for other in after:
        revisions = (await memory("revisions", observation_id=other))["revisions"]
        assert len(revisions) == sum(row["id"] == other for row in saved)


async def scanned(store):
    """Every value of every column of every table, read as they are stored."""
    found = []
    for table in await store.query("SELECT name FROM system.tables WHERE database = currentDatabase()"):
        found += await store.query(f"SELECT * FROM `{table['name']}`")
    return repr(found)


def is_on_disk(folder, text):
    return any(text.encode() in path.read_bytes() for path in Path(folder).rglob("*") if path.is_file())


async def test_a_text_that_was_erased_is_on_no_disk(tmp_path):
    # Too short and too random to be compressed: it stands in the part's files as it is, which the first check proves.
    canary, kept, data = secrets.token_hex(8), secrets.token_hex(8), tmp_path / "data"
    async with chdb_store(data) as store, memory_plane(store) as memory:
        id_ = (await memory.save(canary, title=canary, topic_key=canary))["id"]
        await memory.save(kept)
        assert is_on_disk(data, canary)
        await memory("stats")  # a read brings what waits in the journal into its table
        assert is_on_disk(data, canary)
        assert canary in await scanned(store)
        await memory.save("harmless", title="t", topic_key=canary)
        assert await memory("delete", observation_id=id_, hard=True) == {"deleted": True, "evidence": []}
        assert not is_on_disk(data, canary)
        assert canary not in await scanned(store)
        parts = await store.query(
            "SELECT name FROM system.parts WHERE database = currentDatabase() AND table LIKE 'memory_%' "
            "AND table != 'memory_sessions' AND NOT active AND rows > 0"
        )
        assert parts == []
    assert not is_on_disk(tmp_path, canary)
    assert is_on_disk(tmp_path, kept)
    async with chdb_store(data) as store:
        assert canary not in await scanned(store)
        assert kept in await scanned(store)


async def test_a_hidden_memory_can_still_be_erased(tmp_path):
    async with chdb_store(tmp_path) as store, memory_plane(store) as memory:
        id_ = (await memory.save("canary text", title="canary title"))["id"]
        await memory("delete", observation_id=id_)
        assert "canary text" in await scanned(store)
        assert await memory("delete", observation_id=id_, hard=True) == {"deleted": True, "evidence": []}
        assert "canary" not in await scanned(store)


async def test_an_erasure_that_was_cut_off_goes_on_at_the_next_start(tmp_path, monkeypatch):
    async with chdb_store(tmp_path) as store:
        async with memory_plane(store) as memory:
            id_ = (await memory.save("canary text", title="t"))["id"]
            monkeypatch.setattr(Eraser, "erase", lambda self, scope, id_: asyncio.sleep(0))
            await memory("delete", observation_id=id_, hard=True)
            assert "canary" in await scanned(store)
        monkeypatch.undo()
        passed, tell = asyncio.Event(), Eraser._tell
        monkeypatch.setattr(Eraser, "_tell", lambda *args: (tell(*args), passed.set()))
        async with memory_plane(store):
            await asyncio.wait_for(passed.wait(), LIMIT_S)
            assert "canary" not in await scanned(store)


async def test_a_failed_pass_is_told_and_another_call_tries_again(tmp_path, monkeypatch):
    async with chdb_store(tmp_path) as store, memory_plane(store) as memory:
        id_ = (await memory.save("canary text"))["id"]

        async def fail(self, sql, *args, **kwargs):
            raise LoomError("STORAGE_UNAVAILABLE", "gone")

        with monkeypatch.context() as patched:
            patched.setattr(Store, "command", fail)
            with pytest.raises(LoomError, match="gone"):
                await memory("delete", observation_id=id_, hard=True)
        assert (await memory("get_observation", observation_id=id_))["found"] is False
        assert await memory("delete", observation_id=id_, hard=True) == {"deleted": True, "evidence": []}
        assert "canary" not in await scanned(store)


async def test_many_erasures_share_their_passes(tmp_path):
    async with chdb_store(tmp_path) as store, memory_plane(store) as memory:
        ids = [(await memory.save(f"canary {number}"))["id"] for number in range(12)]
        keep = (await memory.save("kept"))["id"]
        await asyncio.gather(*(memory("delete", observation_id=id_, hard=True) for id_ in ids))
        assert "canary" not in await scanned(store)
        assert (await memory("get_observation", observation_id=keep))["found"]
        mutations = await store.query("SELECT count() AS n FROM system.mutations WHERE table = 'memory_revisions'")
        assert mutations[0]["n"] <= 6


async def test_every_table_that_holds_text_lets_go_of_outdated_parts_at_once(tmp_path):
    async with chdb_store(tmp_path) as store, memory_plane(store):
        rows = await store.query(
            "SELECT name, engine_full FROM system.tables WHERE database = currentDatabase() AND name LIKE 'memory_%' "
            "AND engine LIKE '%MergeTree' AND name != 'memory_sessions'"
        )
        assert rows
        for row in rows:
            for setting in (
                "old_parts_lifetime = 1",
                "cleanup_delay_period = 1",
                "cleanup_delay_period_random_add = 0",
                "max_cleanup_delay_period = 1",
            ):
                assert setting in row["engine_full"], row["name"]


async def test_a_name_with_quotes_is_no_sql(tmp_path):
    async with chdb_store(tmp_path) as store, memory_plane(store) as memory:
        user = "a'b\\'); --\\"
        id_ = (await memory.save("canary", user_id=user))["id"]
        await memory("delete", observation_id=id_, user_id=user, hard=True)
        assert "canary" not in await scanned(store)
        revisions = RevisionStore(store, SystemClock())
        assert not await revisions.states(Scope("dev", "local", user), [id_], None)
        await revisions.close()


async def test_an_erasure_names_the_tool_calls_that_still_say_it(memory):
    record = {
        "evidence": ["call-2", "call-1"],
        "revisions": [
            {"type": "decision", "title": "t", "content": "We use uv.", "said_at": "2026-01-01T00:00:00Z"},
        ],
    }
    [brought] = (await memory("import_batch", records=[record]))["results"]
    erased = await memory("delete", observation_id=brought["id"], hard=True)
    assert erased == {"deleted": True, "evidence": ["call-1", "call-2"]}
    assert await memory("delete", observation_id=brought["id"], hard=True) == {"deleted": False, "evidence": []}
