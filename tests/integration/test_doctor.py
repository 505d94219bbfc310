"""`loom doctor`: each thing that can be wrong is a line that says what to do."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from runtime.clock import SystemClock
from runtime.keys import new_key
from runtime.store import StoreConfig
from runtime.store.installation import LOADING, Installation, write_installation
from standalone.checks import running, sources
from standalone.checks import storage as checks
from standalone.doctor import command
from standalone.serve import settings_from
from tests.support.backup import make_schema
from tests.support.clickhouse_http import clickhouse_server
from tests.support.commands import run
from tests.support.processes import plane
from tests.support.server import Server
from tests.support.stores import opened
from tests.support.stub_server import Reply, Sent, failing, serving


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("LOOM_CLICKHOUSE_DSN", "LOOM_KEYS_DIR", "LOOM_UPSTREAMS", "LOOM_DIRECTORY", "LOOM_PEERS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LOOM_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("LOOM_BASE_URL", "http://127.0.0.1:1")


def said(capsys: pytest.CaptureFixture[str]) -> dict[str, tuple[str, str]]:
    """Check -> fact and advice."""
    run(command, "--json")
    return {line["check"]: (line["fact"], line["advice"]) for line in json.loads(capsys.readouterr().out)}


def test_before_the_first_start_there_are_no_data_and_no_folder_is_made(tmp_path: Path, capsys) -> None:
    found = said(capsys)
    assert found["storage"] == (f"no data yet in {tmp_path / 'data'}", "")
    assert "loom serve" in found["server"][1]
    assert not (tmp_path / "data").exists()


async def prepared(
    folder: Path, *, unfinished: bool = False, only: set[str] | None = None, newer: bool = False
) -> None:
    async with opened(StoreConfig(data_dir=str(folder), fsync=False)) as store:
        await make_schema(store, only=only)
        if unfinished:
            await write_installation(store, Installation("i", "b", LOADING))
        if newer:
            columns = ("plane", "name", "checksum", "applied_at")
            await store.insert("loom_migrations", columns, [("observe", "0999_x.sql", "x", SystemClock().now())])


@pytest.mark.parametrize(
    ("how", "fact", "advice"),
    [
        ({}, "up to date", ""),
        ({"only": {"0001_memory.sql"}}, "migrations to come at the next start", ""),
        ({"unfinished": True}, "a restore has not finished", "run `loom restore` again"),
        ({"newer": True}, "of another version of Loom", "run a newer one"),
    ],
)
async def test_the_tables_are_looked_at(tmp_path: Path, how: dict, fact: str, advice: str) -> None:
    await prepared(tmp_path / "data", **how)
    async with opened(StoreConfig(data_dir=str(tmp_path / "data"))) as store:
        found = await checks.tables(store)
    assert fact in found.fact
    assert advice in found.advice
    assert found.ok == (not advice)


async def test_planes_that_wait_for_the_schema_are_told_who_makes_it(tmp_path: Path) -> None:
    async with opened(StoreConfig(data_dir=str(tmp_path / "data"), await_schema_s=5)) as store:
        assert "run `loom migrate`" in (await checks.tables(store)).advice


@pytest.mark.parametrize(
    ("given", "own", "fact", "advice"),
    [
        ("", None, "none yet", ""),
        ("", "ab" * 32, "in ", ""),
        ("", "no key", "cannot be read", "restore"),
        (f"{'ab' * 32},{'cd' * 32}", "no key", "2 keys in LOOM_SECRET_KEY", ""),
        ("no key", None, "cannot be read", "LOOM_SECRET_KEY, key 1"),
    ],
)
def test_the_key_of_sources_credentials_is_looked_at(
    tmp_path: Path, given: str, own: str | None, fact: str, advice: str
) -> None:
    if own is not None:
        (tmp_path / "secret.key").write_text(own)
    found = sources.secret_key(settings_from({"LOOM_DATA_DIR": str(tmp_path), "LOOM_SECRET_KEY": given}))
    assert fact in found.fact and advice in found.advice and found.ok == (not advice)
    assert "no key" not in f"{found.fact} {found.advice}"


def test_sources_are_asked_of_the_server_and_only_with_a_token_where_it_wants_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert sources.sources(settings_from({})) == []  # nothing answers, which another line says
    listed = (
        {"name": "mine", "state": "serving"},
        {"name": "theirs", "state": "unreachable"},
        {"name": "bad", "state": ""},
    )

    def answering(sent: Sent) -> Reply:
        if sent.op == "tracker.source.list":
            return 200, {"sources": listed}
        if sent.body["name"] == "theirs":
            return failing(404, "SOURCE_NOT_FOUND", "not_found")
        good = sent.body["name"] == "mine"
        return 200, {"verdict": {"ok": good, "summary": "It serves." if good else "It lacks a table."}}

    with serving(answering) as stub:
        monkeypatch.setenv("LOOM_BASE_URL", stub.url)
        found = {each.check: each for each in sources.sources(settings_from({}))}
        assert [each.ok for each in found.values()] == [True, False, False]
        assert found["source: bad"].fact == "It lacks a table."
        stub.answering = lambda sent: failing(401, "TOKEN_MISSING", "auth")
        assert [each.fact for each in sources.sources(settings_from({}))] == [
            "not asked: LOOM_API_KEY holds no token of this server"
        ]


def test_secret_files_that_others_may_read_are_named(tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOOM_KEYS_DIR", str(tmp_path / "keys"))
    kid = new_key(tmp_path / "keys")
    assert "read by their owner alone" in said(capsys)["keys"][0]
    (tmp_path / "keys" / f"{kid}.pem").chmod(0o644)
    fact, advice = said(capsys)["keys"]
    assert (fact, advice) == (f"{kid}.pem may be read by others", f"run `chmod 600 {tmp_path}/keys/{kid}.pem`")
    (tmp_path / "keys" / "internal.key").unlink()
    assert "internal.key cannot be read" in said(capsys)["mode"][1]


def test_a_mounted_secret_is_read_through_its_group(tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    new_key(tmp_path / "real")
    (tmp_path / "keys").mkdir()
    for path in (tmp_path / "real").iterdir():
        path.chmod(0o440)
        (tmp_path / "keys" / path.name).symlink_to(path)
    monkeypatch.setenv("LOOM_KEYS_DIR", str(tmp_path / "keys"))
    assert said(capsys)["keys"][1] == ""


def test_the_clock_of_a_server_of_data_is_compared(tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    with clickhouse_server(tmp_path / "server") as server:
        monkeypatch.setenv("LOOM_CLICKHOUSE_DSN", server.dsn("loom"))
        found = said(capsys)
        assert (found["storage"], found["clock"][1]) == (("http answers", ""), "")

        class Behind(SystemClock):
            def now(self):
                return super().now() - timedelta(minutes=1)

        monkeypatch.setattr(checks, "SystemClock", Behind)
        fact, advice = said(capsys)["clock"]
        assert ("60.0 s ahead" in fact, advice) == (True, "set the clocks of both machines (NTP)")


def test_a_server_is_asked_for_its_health_its_version_and_its_time(server: Server, capsys, monkeypatch) -> None:
    monkeypatch.setenv("LOOM_BASE_URL", server.base_url)
    found = said(capsys)
    assert found["server: store"] == ("ok", "")
    assert "clock" not in found
    monkeypatch.setattr(running, "__version__", "9.9.9")
    monkeypatch.setattr(running, "MOST_SKEW_S", -1.0)
    found = said(capsys)
    assert "restart it: this program is 9.9.9" in found["server: version"][1]
    assert "NTP" in found["clock"][1]


def test_planes_of_other_processes_are_asked_by_their_health(tmp_path: Path, capsys, monkeypatch) -> None:
    running_plane = plane("directory", tmp_path / "log", "chdb://", LOOM_DATA_DIR=str(tmp_path / "d")).start()
    try:
        monkeypatch.setenv("LOOM_UPSTREAMS", f"directory={running_plane.address},observe=127.0.0.1:1")
        found = said(capsys)
    finally:
        running_plane.stop()
    assert found["plane: directory"] == (f"{running_plane.address} serves", "")
    assert "no answer from 127.0.0.1:1" in found["plane: observe"][0]
    monkeypatch.setenv("LOOM_UPSTREAMS", "nonsense")
    assert "LOOM_UPSTREAMS must be" in said(capsys)["settings"][1]


def test_wrong_settings_are_all_said_and_end_it(capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOOM_PORT", "a secret")
    monkeypatch.setenv("LOOM_DRAIN_S", "-1")
    assert run(command) == 1
    text = capsys.readouterr().out
    assert "LOOM_PORT must be" in text
    assert "LOOM_DRAIN_S must be" in text
    assert "a secret" not in text
