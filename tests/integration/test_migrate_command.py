"""`loom migrate`, and planes that wait for it: no process serves on a schema that is older than its own."""

import asyncio
from pathlib import Path

import pytest

from runtime.store import MigrationError, Store, StoreConfig, migrate
from runtime.store import migrations as module
from standalone.backup import schema
from standalone.commands import migrate as migrating
from standalone.commands.migrate import command
from tests.support.commands import run
from tests.support.stores import chdb_store, opened, sql_package

FILES = {"0001_a.sql": "CREATE TABLE IF NOT EXISTS a (x UInt8) ENGINE = MergeTree ORDER BY x;"}
MORE = {**FILES, "0002_b.sql": "CREATE TABLE IF NOT EXISTS b (x UInt8) ENGINE = MergeTree ORDER BY x;"}


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LOOM_CLICKHOUSE_DSN", "LOOM_DATA_DIR", "LOOM_STORE_CLUSTER"):
        monkeypatch.delenv(name, raising=False)


def test_every_plane_that_keeps_anything_is_migrated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = str(tmp_path / "data")
    assert run(command, "--data", data, "--check") == 1
    assert {line.split(": ")[0] for line in capsys.readouterr().out.splitlines()} == set(schema.planes())
    assert run(command, "--data", data) == 0
    assert "observe: applied 0001_observations.sql" in capsys.readouterr().out
    assert (run(command, "--data", data), run(command, "--data", data, "--check")) == (0, 0)
    assert capsys.readouterr().out == "up to date\nup to date\n"


def test_the_planes_are_those_with_migrations() -> None:
    folders = Path(module.__file__).parents[2].joinpath("services").glob("*/migrations")
    assert list(schema.planes()) == sorted(folder.parent.name for folder in folders)


def test_a_setting_that_is_wrong_is_said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOOM_CLICKHOUSE_DSN", "mysql://secret-host/db")
    assert run(command) == 1
    said = capsys.readouterr().err
    assert "the DSN must be chdb:// or http(s)://" in said
    assert "secret-host" not in said


def test_a_command_that_migrates_never_waits_for_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOOM_AWAIT_SCHEMA_S", "60")
    assert run(migrating.command, "--data", str(tmp_path / "data")) == 0


async def waiting(store: Store, **config: float) -> Store:
    return await Store.open(StoreConfig(data_dir=store.config.data_dir, **config))


async def test_a_process_that_waits_serves_once_somebody_has_migrated(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(module, "_POLL_S", 0.01)
    old, new = sql_package(tmp_path, monkeypatch, FILES), sql_package(tmp_path, monkeypatch, MORE)
    async with chdb_store(tmp_path / "data") as store:
        await migrate(store, old, plane="p")
        waiter = await waiting(store, await_schema_s=30.0)
        try:
            task = asyncio.create_task(migrate(waiter, new, plane="p"))
            done, _ = await asyncio.wait([task], timeout=0.2)
            assert not done
            await migrate(store, new, plane="p")
            assert await asyncio.wait_for(task, 30) == []
        finally:
            await waiter.close()


async def test_a_process_that_nobody_migrates_for_does_not_serve(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(module, "_POLL_S", 0.01)
    package = sql_package(tmp_path, monkeypatch, FILES)
    config = StoreConfig(data_dir=str(tmp_path / "data"), await_schema_s=0.05)
    async with opened(config) as store:
        with pytest.raises(MigrationError, match="run `loom migrate`"):
            await migrate(store, package, plane="p")


async def test_a_process_that_waits_refuses_a_newer_schema_at_once(tmp_path: Path, monkeypatch) -> None:
    old, new = sql_package(tmp_path, monkeypatch, FILES), sql_package(tmp_path, monkeypatch, MORE)
    async with chdb_store(tmp_path / "data") as store:
        await migrate(store, new, plane="p")
        waiter = await waiting(store, await_schema_s=60.0)
        try:
            with pytest.raises(MigrationError, match="run a newer one"):
                await migrate(waiter, old, plane="p")
        finally:
            await waiter.close()
