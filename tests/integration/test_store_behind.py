"""Inserts behind: seen by every read, kept by a process that ends without a word, refused by nobody's neighbours."""

import asyncio
import os
from contextlib import asynccontextmanager

import pytest

from runtime.errors import LoomError
from runtime.store import Behind
from runtime.store.behind import SPARE_BYTES
from runtime.store.journal import Journal
from tests.support.stores import chdb_store

COLUMNS = ("id", "text")
TABLES = ("kept", "derived")


@asynccontextmanager
async def behind_store(folder):
    async with chdb_store(folder) as store:
        for table in TABLES:
            await store.command(
                f"CREATE TABLE IF NOT EXISTS {table} (id UInt64, text String) ENGINE = MergeTree ORDER BY id"
            )
        behind = Behind(store, "test", {"derived": False, "kept": True})
        await behind.recover()
        yield behind


async def ids(store, table="kept"):
    return [row["id"] for row in await store.query(f"SELECT id FROM {table} ORDER BY id")]


def files(folder):
    return sorted(path.name for path in (folder / "test.journal").iterdir())


async def test_every_read_sees_what_was_written_before(tmp_path):
    async with behind_store(tmp_path) as store:
        for number in range(3):
            await store.insert("kept", COLUMNS, [(number, "a")])
            await store.insert("derived", COLUMNS, [(number, "b")])
            assert await ids(store) == await ids(store, "derived") == [*range(number + 1)]
        assert files(tmp_path) == []
        await store.close()


async def test_what_waits_is_in_the_journal_and_not_in_the_table(tmp_path):
    async with behind_store(tmp_path) as store:
        await store.insert("kept", COLUMNS, [(1, "one"), (2, "two")])
        assert await ids(store.plain) == []
        [file] = files(tmp_path)
        assert b"one" in (tmp_path / "test.journal" / file).read_bytes()
        assert (store.added, store.done) == (1, 0)
        await store.settled()
        assert await ids(store.plain) == [1, 2]
        assert (store.added, store.done) == (1, 1)
        await store.close()


async def test_what_a_killed_process_left_is_brought_in_at_the_next_start(tmp_path):
    async with behind_store(tmp_path) as store:
        store._insert_soon = asyncio.Event().wait  # nothing goes in by itself, as if the process ended before
        await store.insert("kept", COLUMNS, [(1, "one")])
        await store.insert("kept", COLUMNS, [(2, "two")])
        store._soon.cancel()
        await asyncio.to_thread(store._thread.shutdown)
    async with behind_store(tmp_path) as store:
        assert await ids(store.plain) == [1, 2]
        assert files(tmp_path) == []
        await store.close()


async def test_closing_brings_in_what_waits(tmp_path):
    async with behind_store(tmp_path) as store:
        await store.insert("kept", COLUMNS, [(1, "one")])
        await store.close()
        assert await ids(store.plain) == [1]
        assert files(tmp_path) == []


async def test_what_cannot_go_in_now_stays_in_the_journal_and_is_tried_again(tmp_path, monkeypatch):
    async with behind_store(tmp_path) as store:
        await store.insert("kept", COLUMNS, [(1, "one")])

        async def fail(*args):
            raise OSError(5, "input or output")

        with monkeypatch.context() as patched:
            patched.setattr(store._engine, "insert", fail)
            with pytest.raises(LoomError) as caught:
                await ids(store)
            assert caught.value.code.name == "STORAGE_UNAVAILABLE"
            await store.insert("kept", COLUMNS, [(2, "two")])
            assert len(files(tmp_path)) == 2
        assert await ids(store) == [1, 2]
        assert files(tmp_path) == []
        await store.close()


async def code_of(work):
    with pytest.raises(LoomError) as caught:
        await work
    return caught.value.code.name


async def test_rows_without_room_wait_while_reads_go_on_and_writes_are_refused_until_they_are_in(tmp_path, monkeypatch):
    async with behind_store(tmp_path) as store:
        await store.insert("kept", COLUMNS, [(1, "one")])
        assert await ids(store) == [1]
        await store.insert("kept", COLUMNS, [(2, "two")])

        async def fail(*args):
            raise OSError(28, "no space")

        with monkeypatch.context() as patched:
            patched.setattr(store._engine, "insert", fail)
            assert await ids(store) == [1]
            assert await code_of(store.insert("kept", COLUMNS, [(3, "three")])) == "STORAGE_FULL"
            assert await code_of(store.command("OPTIMIZE TABLE kept")) == "STORAGE_FULL"
        assert await ids(store) == [1, 2]
        await store.insert("kept", COLUMNS, [(4, "four")])
        assert await ids(store) == [1, 2, 4]
        await store.close()


async def test_a_row_is_acknowledged_only_where_there_is_room_for_its_insert(tmp_path, monkeypatch):
    async with behind_store(tmp_path) as store:
        found = os.statvfs(tmp_path)
        little = os.statvfs_result((*found[:4], SPARE_BYTES // found.f_frsize, *found[5:]))
        with monkeypatch.context() as patched:
            patched.setattr(os, "statvfs", lambda path: little)
            assert await code_of(store.insert("kept", COLUMNS, [(1, "one")])) == "STORAGE_FULL"
        assert (files(tmp_path), await ids(store)) == ([], [])
        await store.insert("kept", COLUMNS, [(2, "two")])
        assert await ids(store) == [2]
        await store.close()


async def test_a_write_that_the_journal_refuses_fails_and_is_not_stored(tmp_path, monkeypatch):
    async with behind_store(tmp_path) as store:

        def fail(self, record):
            raise OSError(28, "no space")

        with monkeypatch.context() as patched:
            patched.setattr(Journal, "append", fail)
            assert await code_of(store.insert("kept", COLUMNS, [(1, "one")])) == "STORAGE_FULL"
        await store.insert("kept", COLUMNS, [(2, "two")])
        assert await ids(store) == [2]
        await store.close()


async def test_a_journal_that_cannot_be_turned_or_dropped_loses_nothing(tmp_path, monkeypatch):
    async with behind_store(tmp_path) as store:
        await store.insert("kept", COLUMNS, [(1, "one")])

        def fail(self, *args):
            raise OSError(5, "input or output")

        for method in ("turn", "drop"):
            with monkeypatch.context() as patched:
                patched.setattr(Journal, method, fail)
                with pytest.raises(LoomError) as caught:
                    await ids(store)
                assert caught.value.code.name == "STORAGE_UNAVAILABLE"
        assert set(await ids(store)) == {1}
        assert files(tmp_path) == []
        await store.close()


async def test_rows_that_do_not_fit_are_refused_at_once_and_alone(tmp_path):
    async with behind_store(tmp_path) as store:
        await store.insert("kept", COLUMNS, [(1, "one")])
        with pytest.raises(LoomError):
            await store.insert("kept", COLUMNS, [(-1, "negative")])
        assert await ids(store) == [1]
        await store.close()


async def test_rows_that_only_the_engine_refuses_are_set_aside_and_keep_no_others_out(tmp_path):
    async with behind_store(tmp_path) as store:
        await store.plain.command("ALTER TABLE kept ADD CONSTRAINT small CHECK id < 10")
        await asyncio.gather(*(store.insert("kept", COLUMNS, [(number, "x")]) for number in (1, 99, 2)))
        assert await ids(store) == [1, 2]
        [aside] = files(tmp_path)
        assert aside.startswith("refused-")
        await store.close()


async def test_rows_that_were_set_aside_can_be_removed_from_disk_and_others_stay(tmp_path):
    async with behind_store(tmp_path) as store:
        await store.plain.command("ALTER TABLE kept ADD CONSTRAINT small CHECK id < 10")
        await store.insert("kept", COLUMNS, [(98, "zebra"), (99, "quagga")])
        assert await ids(store) == []
        [aside] = files(tmp_path)
        path = tmp_path / "test.journal" / aside
        await store.weed(lambda row: row["id"] == 1)
        assert b"zebra" in path.read_bytes() and b"quagga" in path.read_bytes()
        await store.weed(lambda row: row["id"] == 98)
        assert b"zebra" not in path.read_bytes() and b"quagga" in path.read_bytes()
        await store.weed(lambda row: row["text"] == "quagga")
        assert files(tmp_path) == []
        await store.close()


async def test_many_writers_and_readers_at_once_lose_nothing(tmp_path):
    async with behind_store(tmp_path) as store:

        async def write_and_read(number):
            await store.insert("kept", COLUMNS, [(number, "x")])
            assert number in await ids(store)

        await asyncio.gather(*map(write_and_read, range(40)))
        assert await ids(store) == [*range(40)]
        await store.close()


async def test_other_tables_are_written_at_once(tmp_path):
    async with behind_store(tmp_path) as store:
        await store.plain.command("CREATE TABLE other (id UInt64, text String) ENGINE = MergeTree ORDER BY id")
        await store.insert("other", COLUMNS, [(1, "one")])
        assert await ids(store.plain, "other") == [1]
        await store.close()


async def test_a_store_without_a_folder_of_its_own_has_no_journal(tmp_path):
    async with chdb_store(tmp_path, dsn="chdb://:memory:") as store:
        with pytest.raises(ValueError, match="folder"):
            Behind(store, "test", {})
