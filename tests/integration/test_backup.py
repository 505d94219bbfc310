"""Backup and restore: what goes in comes out, on either engine and from one to the other, and nothing else is touched."""

import asyncio
import dataclasses
import json
import secrets
from pathlib import Path

import pytest

from runtime.clock import SystemClock
from runtime.errors import LoomError
from runtime.store import MigrationError, StoreConfig, migrate
from runtime.store.chdb_engine import ChdbEngine
from runtime.store.installation import LOADING, Installation, read_installation, write_installation
from standalone.backup import BackupError, schema
from standalone.backup import load as loading
from standalone.backup import write as writing
from standalone.backup.manifest import NAME, Manifest
from standalone.backup.serve import Backups
from tests.support.backup import PLANES, back_up, bring_back, content, counts, fill, made, make_schema
from tests.support.clickhouse_http import clickhouse_server
from tests.support.stores import opened


@pytest.fixture(scope="module")
def http_server(tmp_path_factory):
    with clickhouse_server(tmp_path_factory.mktemp("server"), user="loom", password="p@ss") as server:
        yield server


@pytest.fixture
def config_of(tmp_path, request):
    """A new, empty installation on the named engine."""

    def made(engine: str) -> StoreConfig:
        name = f"i{secrets.token_hex(4)}"
        if engine == "chdb":
            return StoreConfig(data_dir=str(tmp_path / name), fsync=False)
        return StoreConfig(dsn=request.getfixturevalue("http_server").dsn(name), fsync=False)

    return made


@pytest.fixture
def old(config_of) -> StoreConfig:
    return config_of("chdb")


@pytest.fixture
def new(config_of) -> StoreConfig:
    return config_of("chdb")


@pytest.mark.parametrize(
    ("source", "target", "suffix"),
    [("chdb", "chdb", ""), ("http", "http", ".tar"), ("chdb", "http", ".tar"), ("http", "chdb", "")],
)
async def test_every_row_of_every_table_comes_back(config_of, tmp_path, source, target, suffix) -> None:
    path, new = tmp_path / f"b{suffix}", config_of(target)
    manifest = await made(config_of(source), path)
    assert {name.partition("_")[0] for name in manifest.tables} >= {"directory", "memory", "observations"}
    assert all(table.rows for table in manifest.tables.values())
    assert await bring_back(new, path, tmp_path) == manifest.rows
    expected = {name: (table.rows, table.hash) for name, table in manifest.tables.items()}
    async with opened(new) as store:
        assert await counts(store) == expected
        await make_schema(store)
    assert await bring_back(new, path, tmp_path) == 0
    async with opened(new) as store:
        assert await counts(store) == expected
        assert [name for name in await all_tables(store) if name.startswith((schema.STAGING, schema.SNAPSHOT))] == []


async def all_tables(store) -> list[str]:
    return [
        row["name"] for row in await store.query("SELECT name FROM system.tables WHERE database = currentDatabase()")
    ]


async def test_a_table_of_several_files_comes_back(old, new, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(writing, "ROWS_PER_FILE", 15)
    monkeypatch.setattr(loading, "ROWS_PER_STEP", 15)
    manifest = await made(old, tmp_path / "b")
    # Of 40 rows some tables let a few go: those that expire, and all but one of a key.
    assert all(len(table.files) == -(-table.rows // 15) for table in manifest.tables.values())
    assert 3 in {len(table.files) for table in manifest.tables.values()}
    assert await bring_back(new, tmp_path / "b", tmp_path) == manifest.rows
    assert await bring_back(new, tmp_path / "b", tmp_path) == 0


async def test_only_its_owner_may_read_a_backup(old, tmp_path) -> None:
    await made(old, tmp_path / "b")
    async with opened(old) as store:
        await back_up(store, tmp_path / "b.tar")
    modes = {
        path: path.stat().st_mode & 0o777 for path in [tmp_path / "b", tmp_path / "b.tar", *(tmp_path / "b").iterdir()]
    }
    assert {oct(mode) for path, mode in modes.items() if path.is_file()} == {"0o600"}
    assert modes[tmp_path / "b"] == 0o700


async def test_copies_are_gone_when_the_backup_is_whole_and_stale_ones_at_the_next(old, tmp_path) -> None:
    await made(old, tmp_path / "b")
    async with opened(old) as store:
        await store.command(f"CREATE TABLE {schema.SNAPSHOT}old_observations CLONE AS observations")
        await writing.drop_stale(store)
        assert f"{schema.SNAPSHOT}old_observations" in await all_tables(store)
        await writing.drop_stale(store, hours=0)
        assert [name for name in await all_tables(store) if name.startswith(schema.SNAPSHOT)] == []


async def test_a_table_that_is_not_looms_is_left_out_and_named(old, new, tmp_path) -> None:
    async with opened(old) as store:
        await make_schema(store)
        await store.command("CREATE TABLE somebody_elses (a String) ENGINE = MergeTree ORDER BY a")
        manifest = await back_up(store, tmp_path / "b")
    assert manifest.left_out == ("somebody_elses",)
    assert "somebody_elses" not in manifest.tables
    await bring_back(new, tmp_path / "b", tmp_path)


async def test_a_storage_without_loom_is_nothing_to_back_up(old, tmp_path) -> None:
    async with opened(old) as store:
        with pytest.raises(BackupError, match="nothing to back up"):
            await back_up(store, tmp_path / "b")
    assert not (tmp_path / "b").exists()


def exists(config: StoreConfig) -> bool:
    return Path(config.data_dir).exists()


def changed(folder: Path, **fields: object) -> None:
    """Writes another manifest, with the digest that fits it."""
    plain = json.loads((folder / NAME).read_text())
    plain.pop("digest")
    tables = {
        name: loading.TableInfo(**{**t, "files": tuple(map(file_of, t["files"]))})
        for name, t in plain["tables"].items()
    }
    manifest = Manifest(**{**plain, "tables": tables, "left_out": (), **fields})
    (folder / NAME).write_bytes(manifest.text())


def file_of(read: dict):
    from standalone.backup.manifest import FileInfo

    return FileInfo(**read)


async def test_a_backup_of_a_newer_schema_is_refused_before_anything_is_written(old, new, tmp_path) -> None:
    manifest = await made(old, tmp_path / "b", rows=3)
    for more, reason in (
        ({"observe": {**manifest.migrations["observe"], "0999_future.sql": "x"}}, "does not know; run a newer one"),
        ({"observe": dict.fromkeys(manifest.migrations["observe"], "other")}, "was changed"),
        ({"weather": {"0001_clouds.sql": "x"}}, "the plane weather, which this program does not know"),
    ):
        changed(tmp_path / "b", migrations={**manifest.migrations, **more})
        with pytest.raises(BackupError, match=reason):
            await bring_back(new, tmp_path / "b", tmp_path)
    async with opened(new) as store:
        assert await all_tables(store) == []


async def test_a_backup_of_another_form_is_refused(old, new, tmp_path) -> None:
    await made(old, tmp_path / "b", rows=3)
    changed(tmp_path / "b", format=3)
    with pytest.raises(BackupError, match="format 3, this program reads 2 and older ones"):
        await bring_back(new, tmp_path / "b", tmp_path)


async def test_a_backup_of_an_older_schema_is_brought_up_to_date(old, new, tmp_path) -> None:
    async with opened(old) as store:
        await make_schema(store, ["memory"], {"0001_memory.sql"})
        await fill(store)
        manifest = await back_up(store, tmp_path / "b")
    assert set(manifest.tables) == {"memory_revisions", "memory_sessions"}
    assert await bring_back(new, tmp_path / "b", tmp_path) == manifest.rows
    async with opened(new) as store:
        assert set(await schema.tables(store)) >= {"memory_terms", "observations"}
        assert [await migrate(store, schema.package(plane), plane=plane) for plane in PLANES] == [[] for _ in PLANES]


async def test_a_backup_of_an_older_schema_is_refused_where_the_tables_are_newer(old, new, tmp_path) -> None:
    async with opened(old) as store:
        await make_schema(store, ["memory"], {"0001_memory.sql"})
        await back_up(store, tmp_path / "b")
        await make_schema(store)
    async with opened(new) as store:
        await make_schema(store)
    for config in (old, new):
        with pytest.raises(BackupError, match="older schema"):
            await bring_back(config, tmp_path / "b", tmp_path)


async def test_an_installation_with_rows_of_its_own_is_left_alone(old, new, tmp_path) -> None:
    await made(old, tmp_path / "b", rows=3)
    async with opened(new) as store:
        await make_schema(store)
        await fill(store, 2, seed=9)
        before = await counts(store)
    with pytest.raises(BackupError, match="holds the data of another installation"):
        await bring_back(new, tmp_path / "b", tmp_path)
    async with opened(new) as store:
        assert await counts(store) == before
        assert await read_installation(store) is None


async def test_an_empty_installation_that_ran_before_takes_a_backup(old, new, tmp_path) -> None:
    manifest = await made(old, tmp_path / "b", rows=3)
    async with opened(new) as store:
        await make_schema(store)
        await back_up(store, tmp_path / "of_nothing")
    assert await bring_back(new, tmp_path / "b", tmp_path) == manifest.rows


SESSION = ("org", "namespace", "user_id", "session_id", "started_at", "last_active_at", "summary", "version")
AT = "2026-01-01 00:00:00"


async def test_back_into_the_same_installation_comes_what_is_missing_and_what_changed_since_stands(
    old, tmp_path
) -> None:
    async with opened(old) as store:
        await make_schema(store)
        before = [("o", "n", "u", name, AT, AT, "before", 1) for name in ("kept", "changed", "lost")]
        await store.insert("memory_sessions", SESSION, before)
        await back_up(store, tmp_path / "b")
        await store.insert("memory_sessions", SESSION, [("o", "n", "u", "changed", AT, AT, "after", 2)])
        await store.insert("memory_sessions", SESSION, [("o", "n", "u", "later", AT, AT, "after", 1)])
        await store.command("DELETE FROM memory_sessions WHERE session_id = 'lost'")
    await bring_back(old, tmp_path / "b", tmp_path)
    async with opened(old) as store:
        rows = await store.query("SELECT session_id, summary FROM memory_sessions FINAL ORDER BY session_id")
    found = {row["session_id"]: row["summary"] for row in rows}
    assert found == {"changed": "after", "kept": "before", "later": "after", "lost": "before"}


async def test_an_unfinished_restore_keeps_planes_and_backups_away_until_it_is_finished(
    old, new, tmp_path, monkeypatch
) -> None:
    manifest = await made(old, tmp_path / "b")
    verify, seen = loading._verify, []

    async def fails_in_the_middle(store, name, final, info) -> None:
        seen.append(name)
        if len(seen) == 4:
            raise LoomError("STORAGE_UNAVAILABLE", "the storage engine does not answer")
        await verify(store, name, final, info)

    monkeypatch.setattr(loading, "_verify", fails_in_the_middle)
    with pytest.raises(LoomError):
        await bring_back(new, tmp_path / "b", tmp_path)
    async with opened(new) as store:
        assert (await read_installation(store)).state == LOADING
        with pytest.raises(MigrationError, match="a restore into this storage has not finished"):
            await make_schema(store)
        with pytest.raises(BackupError, match="has not finished"):
            await back_up(store, tmp_path / "half")
    changed(tmp_path / "b", id="another")
    with pytest.raises(BackupError, match="another backup into this target has not finished"):
        await bring_back(new, tmp_path / "b", tmp_path)
    changed(tmp_path / "b", id=manifest.id)
    assert 0 < await bring_back(new, tmp_path / "b", tmp_path) < manifest.rows
    async with opened(new) as store:
        assert await counts(store) == {name: (table.rows, table.hash) for name, table in manifest.tables.items()}
        await make_schema(store)


async def test_rows_that_do_not_come_out_as_the_manifest_says_reach_no_table(old, new, tmp_path) -> None:
    manifest = await made(old, tmp_path / "b")
    wrong = dataclasses.replace(manifest.tables["observations"], hash="0-0")
    changed(tmp_path / "b", tables={**manifest.tables, "observations": wrong})
    with pytest.raises(BackupError, match="the rows of loom_restore_observations do not come out"):
        await bring_back(new, tmp_path / "b", tmp_path)
    async with opened(new) as store:
        assert (await counts(store))["observations"][0] == 0


async def test_the_state_of_a_restore_is_the_newest_one_written(new) -> None:
    async with opened(new) as store:
        assert await read_installation(store) is None
        await write_installation(store, Installation("a", "b", LOADING, 1))
        await write_installation(store, Installation("a", "b", "done", 2))
        assert await read_installation(store) == Installation("a", "b", "done", 2)


async def test_nothing_in_a_damaged_backup_reaches_the_target(old, new, tmp_path) -> None:
    folder = tmp_path / "b"
    manifest = await made(old, folder)
    file = folder / manifest.tables["observations"].files[0].name
    whole = {path: path.read_bytes() for path in folder.iterdir()}
    other = bytes([whole[file][100] ^ 1])
    spoilt = {
        "is missing": lambda: file.unlink(),
        "must have": lambda: file.write_bytes(whole[file][:-1]),
        "was changed": lambda: file.write_bytes(whole[file][:100] + other + whole[file][101:]),
        "manifest.json was changed": lambda: (folder / NAME).write_bytes(
            whole[folder / NAME].replace(b'"rows": 40', b'"rows": 41', 1)
        ),
        "there is no backup": lambda: (folder / NAME).unlink(),
        "manifest.json is missing or not readable": lambda: (folder / NAME).write_bytes(whole[folder / NAME][:-50]),
    }
    for reason, spoil in spoilt.items():
        spoil()
        with pytest.raises(BackupError, match=reason):
            await bring_back(new, folder, tmp_path)
        for path, data in whole.items():
            path.write_bytes(data)
    assert not exists(new)


async def test_a_tar_that_ends_early_is_refused_wherever_it_ends(old, new, tmp_path) -> None:
    await made(old, tmp_path / "b.tar")
    whole = (tmp_path / "b.tar").read_bytes()
    assert not (tmp_path / ".b.tar.partial").exists()
    for part in range(0, len(whole) - 20_000, 7_001):
        (tmp_path / "cut.tar").write_bytes(whole[:part])
        with pytest.raises(BackupError):
            await bring_back(new, tmp_path / "cut.tar", tmp_path)
    assert not exists(new)
    assert content(tmp_path).keys() >= {"b.tar", "cut.tar"}


async def test_a_target_that_is_there_or_nowhere_or_a_pattern_is_refused(tmp_path) -> None:
    (tmp_path / "there").mkdir()
    async with opened(StoreConfig(dsn="chdb://:memory:")) as store:
        for target, reason in ((tmp_path / "there", "is there already"), (tmp_path / "no" / "b", "make it first")):
            with pytest.raises(BackupError, match=reason):
                await back_up(store, target)
        with pytest.raises(BackupError, match="pattern"):
            await back_up(store, tmp_path / "b*")


async def test_a_file_that_did_not_get_whole_to_the_disk_ends_the_backup(old, tmp_path, monkeypatch) -> None:
    unload = ChdbEngine.unload

    async def loses_rows(self, sql: str, path: Path, deadline: float) -> None:
        await unload(self, f"{sql} LIMIT 7", path, deadline)

    monkeypatch.setattr(ChdbEngine, "unload", loses_rows)
    with pytest.raises(BackupError, match="did not come to the target whole"):
        await made(old, tmp_path / "b")
    assert not (tmp_path / "b").exists()


async def test_the_server_takes_one_backup_at_a_time_and_writes_where_it_may(old, tmp_path, monkeypatch) -> None:
    async def say(_: object) -> None: ...

    async with opened(old) as store:
        await make_schema(store)
        backups = Backups(store, SystemClock())
        for asked in ({"do": "drop"}, {"do": "backup", "folder": "relative"}, {}):
            with pytest.raises(BackupError, match="does not understand"):
                await backups(asked, say)
        with pytest.raises(BackupError, match="run the command as that user"):
            await backups({"do": "backup", "folder": str(tmp_path / "nowhere")}, say)
        (tmp_path / "target").mkdir()
        order = {"do": "backup", "folder": str(tmp_path / "target")}
        one, two = await asyncio.gather(backups(order, say), backups(order, say), return_exceptions=True)
    assert isinstance(one, dict)
    assert "another backup is running" in str(two)
