"""`loom backup` and `loom restore` as a user types them: beside a running server under load, killed half way, and again."""

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from runtime.store import StoreConfig
from tests.support.backup import bring_back, counts, made
from tests.support.server import BIN, LIMIT_S, Server, clean_environ, read_line
from tests.support.stores import opened

WRITERS = 4


def loom(*args: str | Path, **env: str) -> subprocess.CompletedProcess[str]:
    command = [BIN / "python", "-c", "import sys; from loom.cli import main; sys.exit(main())", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, env=clean_environ() | env)


def kill_in_the_middle(*args: str | Path) -> None:
    """Starts a restore and ends it as a power cut would, once some tables are in."""
    program = "import sys; from loom.cli import main; sys.exit(main())"
    command = [sys.executable, "-u", "-c", program, *map(str, args)]
    killed = subprocess.Popen(command, stdout=subprocess.PIPE, env=clean_environ())
    try:
        read_line(killed, b"directory_namespaces: ", LIMIT_S)
        killed.send_signal(signal.SIGKILL)
    finally:
        killed.wait(LIMIT_S)
        killed.stdout.close()


def manifest_of(folder: Path) -> dict:
    return json.loads((folder / "manifest.json").read_text())


@contextmanager
def writers(base_url: str) -> Iterator[list[str]]:
    """Clients that record calls all the time; the keys of what was acknowledged."""
    acknowledged: list[str] = []
    ends = threading.Event()
    begun = threading.Barrier(WRITERS + 1)

    def write(who: int) -> None:
        with httpx.Client(base_url=base_url, timeout=30, trust_env=False) as client:
            at = 0
            while not ends.is_set():
                body = {"tool_name": "Bash", "tool_input": {"command": f"ls {who} {at}"}, "session_id": f"s{who}"}
                acknowledged.append(
                    client.post("/v1/observe.record", json=body).raise_for_status().json()["memory_key"]
                )
                at += 1
                if at == 5:
                    begun.wait(LIMIT_S)

    threads = [threading.Thread(target=write, args=(who,)) for who in range(WRITERS)]
    for thread in threads:
        thread.start()
    try:
        begun.wait(LIMIT_S)
        yield acknowledged
    finally:
        ends.set()
        for thread in threads:
            thread.join(LIMIT_S)


TITLES = ("Compaction loses the order of rows", "Order of rows is lost after compaction", "Slow start")


def load_record(server: Server, folder: Path) -> None:
    """A tracker's local record, as an export of three issues."""
    at = "2026-01-02T03:04:05Z"
    issues = [
        {
            "number": number,
            "title": title,
            "body": f"It happens: {title}",
            "state": "OPEN",
            "createdAt": at,
            "updatedAt": at,
        }
        for number, title in enumerate(TITLES, 1)
    ]
    (folder / "issues.json").write_text(json.dumps(issues))
    where = ("--repo", "Org/repo", "--base-url", server.base_url)
    done = loom("tracker", "load", folder / "issues.json", *where)
    assert done.returncode == 0, done.stderr


def told_by_the_tracker(server: Server) -> list[dict]:
    """Answers of the tracker, without what differs from call to call."""
    asked = (("item", {"numbers": [1, 2, 3]}), ("similar", {"text": "rows out of order after compaction"}))
    with httpx.Client(base_url=server.base_url, timeout=30, trust_env=False) as client:
        found = [
            client.post(f"/v1/tracker.{op}", json={"namespace": "tracker-local", **args}).raise_for_status().json()
            for op, args in asked
        ]
    return [{name: value for name, value in one.items() if name != "timings_ms"} for one in found]


@pytest.fixture(scope="module")
def under_load(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, set[str], list[dict]]]:
    """A backup that was taken under load, what had been acknowledged before it began, and what a tracker answered."""
    folder = tmp_path_factory.mktemp("load")
    with Server(folder / "data", folder / "log") as server:
        load_record(server, folder)
        told = told_by_the_tracker(server)
        assert [item["title"] for item in told[0]["items"]] == [*TITLES]
        with writers(server.base_url) as acknowledged:
            before = set(acknowledged)
            done = loom("backup", folder / "b", "--data", folder / "data")
        assert (done.returncode, len(acknowledged) > len(before)) == (0, True), done.stderr
        assert "Keys and secrets are not in it" in done.stderr
        again = loom("backup", folder / "b", "--data", folder / "data")
        assert (again.returncode, "is there already" in again.stderr) == (1, True)
        busy = loom("restore", folder / "b", "--data", folder / "data")
        assert (busy.returncode, "is in use by process" in busy.stderr) == (1, True)
        assert not [path for path in folder.iterdir() if path.name.startswith(".")]
    yield folder / "b", before, told


def test_a_backup_under_load_holds_all_that_was_acknowledged_before_it_and_the_trackers_record(
    under_load, tmp_path: Path
) -> None:
    backup, before, told = under_load
    done = loom("restore", backup, "--data", tmp_path / "new", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["added"] == json.loads(done.stdout)["rows"] >= len(before)
    again = loom("restore", backup, "--data", tmp_path / "new")
    assert (again.returncode, "of which 0 were not there" in again.stdout) == (0, True), again.stderr
    with Server(tmp_path / "new", tmp_path / "log") as server:
        assert told_by_the_tracker(server) == told
        page: dict = {"next_page_token": ""}
        found: set[str] = set()
        while page:
            body = {"page_size": 500, **({"page_token": page["next_page_token"]} if page["next_page_token"] else {})}
            page = httpx.post(f"{server.base_url}/v1/observe.list", json=body, trust_env=False, timeout=30).json()
            found |= {row["memory_key"] for row in page["observations"]}
            page = page if page["next_page_token"] else {}
    assert found >= before


async def test_what_was_counted_under_load_is_what_comes_back(under_load, tmp_path: Path) -> None:
    backup, _, _ = under_load
    config = StoreConfig(data_dir=str(tmp_path / "new"), fsync=False)
    await bring_back(config, backup, tmp_path)
    async with opened(config) as store:
        restored = await counts(store)
    assert restored == {name: (table["rows"], table["hash"]) for name, table in manifest_of(backup)["tables"].items()}


def test_a_backup_can_be_looked_at_without_a_target(under_load, tmp_path: Path) -> None:
    backup, _, _ = under_load
    done = loom("restore", backup, "--check", "--data", tmp_path / "none")
    assert (done.returncode, done.stdout.startswith("whole: ")) == (0, True)
    assert not (tmp_path / "none").exists()
    missing = loom("restore", tmp_path / "nothing", "--data", tmp_path / "none")
    assert (missing.returncode, "neither a folder nor a file" in missing.stderr) == (1, True)


async def test_a_restore_that_is_killed_keeps_the_server_away_and_is_finished_by_another(tmp_path: Path) -> None:
    manifest = await made(StoreConfig(data_dir=str(tmp_path / "old"), fsync=False), tmp_path / "b", rows=2_000)
    kill_in_the_middle("restore", tmp_path / "b", "--data", tmp_path / "new")
    serving = loom("serve", "--port", "0", "--data", tmp_path / "new")
    assert (serving.returncode, "a restore into this storage has not finished" in serving.stderr) == (1, True)
    done = loom("restore", tmp_path / "b", "--data", tmp_path / "new", "--json")
    assert done.returncode == 0, done.stderr
    assert 0 < json.loads(done.stdout)["added"] < manifest.rows
    async with opened(StoreConfig(data_dir=str(tmp_path / "new"))) as store:
        assert await counts(store) == {name: (table.rows, table.hash) for name, table in manifest.tables.items()}


def test_a_folder_without_data_is_nothing_to_back_up(tmp_path: Path) -> None:
    done = loom("backup", tmp_path / "b", "--data", tmp_path / "none")
    assert (done.returncode, "does not exist" in done.stderr) == (1, True)
    assert list(tmp_path.iterdir()) == []
    in_memory = loom("backup", tmp_path / "b", LOOM_CLICKHOUSE_DSN="chdb://:memory:")
    assert (in_memory.returncode, "in memory alone" in in_memory.stderr) == (1, True)
