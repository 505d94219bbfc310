"""What the store promises in this process, where the engine itself would not."""

import asyncio
import os
import resource
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from runtime.errors import LoomError
from runtime.store import DataFolderBusy, Store, StoreConfig
from runtime.store.folder import DataFolderUnusable
from tests.support.stores import chdb_store

ROOT = Path(__file__).resolve().parents[2]
LIMIT_S = 60.0
SLOW = "SELECT count() FROM numbers(100000000000) WHERE sipHash64(number) = 1"
WRITER = """
import asyncio, sys
from runtime.clock import SystemClock
from runtime.store.folder import DataFolderUnusable
from runtime.store import GroupCommit, Store, StoreConfig

async def main():
    store = await Store.open(StoreConfig(data_dir=sys.argv[1]))
    await store.command("CREATE TABLE t (n UInt64) ENGINE = MergeTree ORDER BY n"
                        " SETTINGS fsync_after_insert = 1, fsync_part_directory = 1")
    group = GroupCommit(store, "t", ["n"], clock=SystemClock())

    async def write(first):
        for n in range(first, 10**9, 8):
            await group.write([[n]])
            print(n, flush=True)

    await asyncio.gather(*(write(first) for first in range(8)))

asyncio.run(main())
"""
OPENER = """
import asyncio, sys
from runtime.store import Store, StoreConfig
asyncio.run(Store.open(StoreConfig(data_dir=sys.argv[1])))
"""


def python(code, folder):
    return subprocess.Popen(
        [sys.executable, "-c", code, str(folder)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


async def create(store):
    await store.command("CREATE TABLE t (a String) ENGINE = MergeTree ORDER BY a")


async def code_of(awaitable):
    with pytest.raises(LoomError) as caught:
        await awaitable
    return caught.value.code.name


async def test_rows_acknowledged_before_a_sigkill_are_there_afterwards(tmp_path):
    with python(WRITER, tmp_path) as process:
        acknowledged = {int(process.stdout.readline()) for _ in range(300)}
        process.kill()
        acknowledged |= {int(line) for line in process.stdout.read().split("\n")[:-1]}
        process.wait(LIMIT_S)
    async with chdb_store(tmp_path) as store:
        kept = [row["n"] for row in await store.query("SELECT n FROM t")]
    assert acknowledged <= set(kept)
    assert len(kept) == len(set(kept))


async def test_a_second_process_is_told_who_holds_the_folder(tmp_path):
    async with chdb_store(tmp_path):
        with python(OPENER, tmp_path) as process:
            _, complaint = process.communicate(timeout=LIMIT_S)
    assert process.returncode != 0
    assert f"DataFolderBusy: the data folder {tmp_path} is in use by process {os.getpid()};" in complaint


async def test_the_folder_is_closed_to_others(tmp_path):
    async with chdb_store(tmp_path / "data"):
        assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700
        assert stat.S_IMODE((tmp_path / "data" / "clickhouse").stat().st_mode) == 0o700


async def test_stores_of_one_process_share_a_folder_and_its_tables(tmp_path):
    async with chdb_store(tmp_path) as one:
        await create(one)
        async with chdb_store(tmp_path) as two:
            await two.insert("t", ["a"], [["x"]])
        assert await one.query("SELECT a FROM t") == [{"a": "x"}]


async def test_another_folder_must_wait_until_the_first_is_closed(tmp_path):
    async with chdb_store(tmp_path / "a"):
        with pytest.raises(DataFolderBusy, match=r"this process holds the data folder .*/a already"):
            await Store.open(StoreConfig(data_dir=str(tmp_path / "b")))
    async with chdb_store(tmp_path / "b") as store:
        await store.ping()


async def test_a_large_insert_works_in_memory_too(tmp_path):
    async with chdb_store(tmp_path, dsn="chdb://:memory:") as store:
        await create(store)
        await store.insert("t", ["a"], [["x" * 1000]] * 1000)
        assert await store.query("SELECT count() AS n FROM t") == [{"n": 1000}]


async def test_a_cluster_needs_a_server(tmp_path):
    with pytest.raises(ValueError, match="cluster"):
        await Store.open(StoreConfig(data_dir=str(tmp_path), cluster="main"))


async def test_a_store_in_memory_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        async with chdb_store(tmp_path / "unused", dsn="chdb://:memory:") as store:
            await create(store)
            await store.insert("t", ["a"], [["x"]])
            assert await store.query("SELECT a FROM t") == [{"a": "x"}]
    assert list(tmp_path.iterdir()) == []


async def test_a_folder_that_cannot_be_one_is_refused_with_the_reason_and_blocks_no_other(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DataFolderUnusable, match="cannot be used"):
        await Store.open(StoreConfig(data_dir=str(tmp_path / "file")))
    async with chdb_store(tmp_path / "folder") as store:
        await store.ping()


@pytest.mark.parametrize("rows", [[["x"]], [["x" * 1000]] * 1000])
async def test_when_nothing_can_be_written_no_row_is_acknowledged_and_the_table_stays_whole(tmp_path, rows):
    async with chdb_store(tmp_path) as store:
        await create(store)
        await store.insert("t", ["a"], [["before"]])
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
        try:
            assert await code_of(store.insert("t", ["a"], rows)) == "STORAGE_FULL"
            assert await code_of(store.command("OPTIMIZE TABLE t FINAL")) == "STORAGE_FULL"
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        await store.insert("t", ["a"], [["after"]])
        assert await store.query("SELECT a FROM t ORDER BY a") == [{"a": "after"}, {"a": "before"}]


async def test_a_disk_that_fills_up_during_an_insert_leaves_it_unacknowledged(tmp_path, monkeypatch):
    async with chdb_store(tmp_path) as store:
        await create(store)
        await store.insert("t", ["a"], [["x"]])
        calls = []

        def fill_up(*arguments):
            calls.append(arguments)
            if len(calls) == 2:
                raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "posix_fallocate", fill_up)
        assert await code_of(store.insert("t", ["a"], [["y"]])) == "STORAGE_FULL"


@pytest.mark.parametrize("count", [1, 3000])
async def test_rows_never_leave_the_data_folder(tmp_path, monkeypatch, count):
    folder = tmp_path / "it's a folder"
    async with chdb_store(folder) as store:
        await create(store)
        monkeypatch.setattr(tempfile, "NamedTemporaryFile", lambda *_, **__: pytest.fail("a temporary file"))
        await store.insert("t", ["a"], [["x" * 500]] * count)
        assert await store.query("SELECT count() AS n, any(length(a)) AS l FROM t") == [{"n": count, "l": 500}]
    assert all(path.stat().st_size < 100 for path in folder.iterdir() if path.is_file())


async def test_rows_that_a_crash_left_on_their_way_are_gone_after_the_next_start(tmp_path):
    (tmp_path / "loom.scratch").write_text("rows")
    async with chdb_store(tmp_path):
        assert (tmp_path / "loom.scratch").read_text() == ""


async def test_writes_do_not_wait_for_reads(tmp_path):
    async with chdb_store(tmp_path, readers=1) as store:
        await create(store)
        await store.insert("t", ["a"], [["x"]])
        reading = asyncio.create_task(store.query(SLOW, timeout_s=2.0))
        await store.insert("t", ["a"], [["y"]])
        assert not reading.done()
        assert await code_of(reading) == "DEADLINE_EXCEEDED"


async def test_a_statement_that_waits_for_a_reader_too_long_is_answered_and_never_run(tmp_path):
    async with chdb_store(tmp_path, readers=1) as store:
        reading = asyncio.create_task(store.query(SLOW, timeout_s=0.5))
        await asyncio.sleep(0)
        assert await code_of(store.query("SELECT throwIf(1)", timeout_s=0.01)) == "DEADLINE_EXCEEDED"
        assert not reading.done()
        assert await code_of(reading) == "DEADLINE_EXCEEDED"
