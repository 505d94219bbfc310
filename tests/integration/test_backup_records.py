"""Local records of trackers go with a backup and come back with it, whole, and no other record is touched."""

import dataclasses
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from runtime.store import Store, StoreConfig
from standalone.backup import BackupError
from standalone.backup import load as loading
from standalone.backup.manifest import Manifest
from tests.support.backup import back_up, bring_back, counts, keep_record, make_schema, register, rows_of, runs_of
from tests.support.clickhouse_http import Server, clickhouse_server
from tests.support.stores import opened


@pytest.fixture(scope="module")
def http_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with clickhouse_server(tmp_path_factory.mktemp("server"), user="loom", password="p@ss") as server:
        yield server


@pytest.fixture
def record() -> str:
    return f"loom_record_{secrets.token_hex(8)}"


@pytest.fixture
def old(tmp_path: Path) -> StoreConfig:
    return StoreConfig(data_dir=str(tmp_path / "old"), fsync=False)


@pytest.fixture
def new(tmp_path: Path) -> StoreConfig:
    return StoreConfig(data_dir=str(tmp_path / "new"), fsync=False)


def on(server: Server) -> StoreConfig:
    return StoreConfig(dsn=server.dsn(f"i{secrets.token_hex(4)}"), fsync=False)


async def installed(store: Store, record: str) -> None:
    """An installation with a record of 30 issues and 50 runs."""
    await make_schema(store, ["tracker"])
    await keep_record(store, record, rows_of("Compaction loses rows", range(30)), runs_of("test_compaction", 50))
    await register(store, record)


async def made(config: StoreConfig, record: str, target: Path) -> Manifest:
    async with opened(config) as store:
        await installed(store, record)
        return await back_up(store, target)


async def titles(store: Store, record: str) -> dict[int, str]:
    rows = await store.query(f"SELECT number, title FROM {record}.github_issues ORDER BY number")
    assert len({row["number"] for row in rows}) == len(rows), "a key stands twice"
    return {row["number"]: row["title"] for row in rows}


async def names(store: Store, record: str) -> set[str]:
    found = await store.query("SELECT name FROM system.tables WHERE database = {database:String}", {"database": record})
    return {row["name"] for row in found}


@pytest.mark.parametrize("engine", ["chdb", "http"])
async def test_a_record_comes_back_with_its_rows_and_a_second_time_nothing(
    engine: str, old: StoreConfig, new: StoreConfig, record: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    manifest = await made(old, record, tmp_path / "b.tar")
    of_record = {name: table.rows for name, table in manifest.tables.items() if name.startswith(record)}
    assert of_record == {f"{record}.github_issues": 30, f"{record}.checks": 50}
    target = new if engine == "chdb" else on(request.getfixturevalue("http_server"))
    expected = {name: (table.rows, table.hash) for name, table in manifest.tables.items()}
    for added in (manifest.rows, 0):
        assert await bring_back(target, tmp_path / "b.tar", tmp_path) == added
        async with opened(target) as store:
            assert (await counts(store)).items() >= expected.items()
            assert await names(store, record) == {"github_issues", "checks"}
    async with opened(target) as store:
        # As a load would find it: what is shown again adds nothing, and a later text stands.
        await keep_record(store, record, rows_of("Told anew", [3], day=2), runs_of("test_compaction", 50))
        assert (await titles(store, record))[3] == "Told anew"
        assert (await counts(store))[f"{record}.checks"] == expected[f"{record}.checks"]


async def test_a_record_on_a_server_is_backed_up_too(
    http_server: Server, new: StoreConfig, record: str, tmp_path: Path
) -> None:
    manifest = await made(on(http_server), record, tmp_path / "b")
    assert await bring_back(new, tmp_path / "b", tmp_path) == manifest.rows
    async with opened(new) as store:
        assert len(await titles(store, record)) == 30


async def test_into_the_same_installation_comes_what_is_missing_and_what_is_there_stands(
    old: StoreConfig, record: str, tmp_path: Path
) -> None:
    await made(old, record, tmp_path / "b")
    async with opened(old) as store:
        await keep_record(store, record, rows_of("Changed since", [1], day=2), rows_of("New since", [99]))
        await store.command(f"DELETE FROM {record}.github_issues WHERE number = 2")
        await store.command(f"DROP TABLE {record}.checks SYNC")
        # Equally good by its time, and another text: what is there stands.
        await store.command(f"DELETE FROM {record}.github_issues WHERE number = 4")
        await keep_record(store, record, rows_of("The same day", [4]))
    assert await bring_back(old, tmp_path / "b", tmp_path) == 51
    assert await bring_back(old, tmp_path / "b", tmp_path) == 0
    async with opened(old) as store:
        found = await titles(store, record)
        assert [found[number] for number in (0, 1, 2, 4, 99)] == [
            *("Compaction loses rows", "Changed since", "Compaction loses rows", "The same day", "New since"),
        ]
        assert (await counts(store))[f"{record}.checks"][0] == 50


async def test_only_records_that_sources_name_are_taken_and_loads_on_their_way_are_not(
    old: StoreConfig, record: str, tmp_path: Path
) -> None:
    gone, strange = f"loom_record_{'0' * 16}", f"loom_record_{'1' * 16}"
    async with opened(old) as store:
        await installed(store, record)
        for other in (gone, strange):
            await keep_record(store, other, rows_of("Not ours", [1]))
        await register(store, gone, state="removed")
        await register(store, "somebody_elses")
        await store.command(f"CREATE TABLE {record}.github_issues__begun AS {record}.github_issues")
        manifest = await back_up(store, tmp_path / "b")
    assert {name for name in manifest.tables if "." in name} == {f"{record}.github_issues", f"{record}.checks"}


async def test_a_record_of_another_installation_on_the_same_server_is_left_alone(
    http_server: Server, old: StoreConfig, record: str, tmp_path: Path
) -> None:
    await made(old, record, tmp_path / "b")
    theirs, target = on(http_server), on(http_server)
    async with opened(theirs) as store:
        await keep_record(store, record, rows_of("Theirs", [1]))
    with pytest.raises(BackupError, match="restore into another server"):
        await bring_back(target, tmp_path / "b", tmp_path)
    async with opened(theirs) as store:
        assert await titles(store, record) == {1: "Theirs"}


async def test_rows_of_a_record_that_do_not_come_out_as_they_went_in_reach_no_table(
    old: StoreConfig, new: StoreConfig, record: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await made(old, record, tmp_path / "b")
    verify = loading._verify

    async def fails(store: Store, name: str, final: str, info: loading.TableInfo) -> None:
        wrong = dataclasses.replace(info, hash="0-0") if name.endswith("github_issues__restore") else info
        await verify(store, name, final, wrong)

    with monkeypatch.context() as patched:
        patched.setattr(loading, "_verify", fails)
        with pytest.raises(BackupError, match="do not come out"):
            await bring_back(new, tmp_path / "b", tmp_path)
    async with opened(new) as store:
        assert "github_issues" not in await names(store, record)
    assert await bring_back(new, tmp_path / "b", tmp_path) >= 30
    async with opened(new) as store:
        assert len(await titles(store, record)) == 30


async def test_a_backup_says_no_name_of_a_database_that_is_no_record(
    old: StoreConfig, new: StoreConfig, record: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = await made(old, record, tmp_path / "b")
    for strange in ("default.github_issues", f"{record}.passwords", f"{record}_more.github_issues"):
        tables = {strange: manifest.tables[f"{record}.github_issues"]}
        (tmp_path / "b" / "manifest.json").write_bytes(dataclasses.replace(manifest, tables=tables).text())
        with pytest.raises(BackupError, match="is not one of this program's"):
            await bring_back(StoreConfig(data_dir=str(tmp_path / secrets.token_hex(4))), tmp_path / "b", tmp_path)
