"""`loom worker run NAME --once` as an operator types it: beside a server that holds the folder, and without one."""

import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from loom import SyncAgent
from tests.support import team_record
from tests.support.clickhouse_http import Server as ClickHouse
from tests.support.server import BIN, LIMIT_S, Server, clean_environ
from tests.support.team_record import FLAKY_TEST, PLAIN
from tests.support.tracker_plane import PATIENT, source

OWN, TEAM, REPO = "own", "team", "Org/repo"
PASSES = ("tracker_links", "tracker_embed", "tracker_test_daily")
SETTINGS = {"LOOM_TRACKER_WORKERS": "off", "LOOM_TRACKER_SOURCE_HOSTS": "loopback", **PATIENT}
NOW = datetime.now(UTC)


def iso(days: float) -> str:
    return (NOW - timedelta(days=days)).isoformat()


def rows() -> dict[str, list[dict[str, Any]]]:
    """A record in which an issue and its fix are linked by words alone, and whose test runs."""
    item = {"is_private": 0, "updated_at": iso(20), "body": "entries of src/cache.rs are stale after eviction"}
    issue = {"source_id": f"{REPO}#1", "number": 1, "title": "cache returns stale entries", "state": "closed"}
    pull = {"source_id": f"{REPO}#2", "number": 2, "title": "drop stale cache entries", "state": "merged"}
    run = {"test_name": "suite::case", "check_name": "unit", "head_ref": "main"}
    checks = [
        {
            **run,
            "check_start_time": iso(n / 2),
            "test_status": "FAIL" if n % 9 == 0 else "OK",
            "commit_sha": f"c{n:03d}",
        }
        for n in range(1, 40)
    ]
    return {
        "github_issues": [{**item, **issue, "created_at": iso(30), "closed_at": iso(20)}],
        "github_prs": [{**item, **pull, "created_at": iso(22), "merged_at": iso(20), "base_ref": "main"}],
        "checks": checks,
    }


@pytest.fixture(scope="module")
def team(_source_server: ClickHouse) -> ClickHouse:
    _source_server.reset()
    team_record.put(_source_server, "worker_once", PLAIN)
    return _source_server


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, team: ClickHouse) -> Path:
    """A data folder with a record of its own and a team's source over HTTP, which no pass has seen."""
    made = tmp_path_factory.mktemp("worker") / "data"
    with Server(made, made.parent / "log", SETTINGS) as server, SyncAgent(base_url=server.base_url) as agent:
        for table, listed in rows().items():
            agent.call("tracker.load", {"namespace": OWN, "table": table, "rows": listed, "repos": [REPO]})
        agent.call("tracker.source.add", source(team, "worker_once", TEAM))
    return made


@pytest.fixture
def server(folder: Path, team: ClickHouse) -> Iterator[Server]:
    team.reset()
    with Server(folder, folder.parent / "log", SETTINGS) as running:
        yield running


def worker(folder: Path, name: str, *args: str) -> subprocess.CompletedProcess[str]:
    command = [BIN / "loom", "worker", "run", name, *(args or ("--once",)), "--data", str(folder)]
    return subprocess.run(command, capture_output=True, text=True, timeout=2 * LIMIT_S, env=clean_environ() | SETTINGS)


def told(found: subprocess.CompletedProcess[str]) -> dict[str, str]:
    """Outcome by source."""
    lines = [line.split(": ", 2) for line in found.stdout.splitlines() if line.startswith("tracker_")]
    return {source: outcome for _, source, outcome in lines}


def shown(server: Server) -> dict[str, Any]:
    """What answers say that only a pass can have made, by namespace."""
    with SyncAgent(base_url=server.base_url) as agent:

        def ask(op: str, **args: Any) -> dict[str, Any]:
            return agent.call(op, args)

        return {
            name: {
                "rolled": ask("tracker.test_signal", namespace=name, test_name=test)["rollup"]["source"],
                "vectors": ask("tracker.similar", namespace=name, text="stale order")["leg_status"]["vectors"],
                "recovered": [
                    link["number"]
                    for link in ask("tracker.links", namespace=name, issue_number=1)["items"]
                    if not link["written"]
                ],
            }
            for name, test in ((OWN, "suite::case"), (TEAM, FLAKY_TEST))
        }


def test_beside_a_server_that_holds_the_folder_it_is_the_server_that_runs_the_pass(server: Server) -> None:
    found = worker(server.data, "tracker_test_daily")
    assert (found.returncode, set(told(found))) == (0, {OWN, TEAM}), found.stderr
    assert all(outcome.startswith("done, ") for outcome in told(found).values())
    assert {each["rolled"] for each in shown(server).values()} == {"rolled"}
    refused = worker(server.data, "tracker_test_daily", "--data", str(server.data))
    assert refused.returncode == 1 and "is in use by process" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_without_a_server_each_pass_runs_over_every_source_and_again_does_nothing_twice(
    folder: Path, team: ClickHouse
) -> None:
    team.reset()
    for name in PASSES:
        found = worker(folder, name)
        assert (found.returncode, set(told(found))) == (0, {OWN, TEAM}), found.stderr
        assert all(outcome.startswith("done") for outcome in told(found).values()), name
    again = worker(folder, "tracker_embed")
    assert again.returncode == 0 and all(", 0 embedded, " in outcome for outcome in told(again).values())
    with Server(folder, folder.parent / "log", SETTINGS) as server:
        answers = shown(server)
    assert {each["rolled"] for each in answers.values()} == {"rolled"}
    assert {each["vectors"] for each in answers.values()} == {"ok"}
    assert answers[OWN]["recovered"] == [2]


def test_a_source_that_is_silent_is_named_and_holds_up_no_other(server: Server, team: ClickHouse) -> None:
    team.set(answer={"status": 500, "headers": {}, "body": ""})
    try:
        found = worker(server.data, "tracker_embed")
    finally:
        team.reset()
    outcomes = {
        line.split(": ")[1]: line for line in (found.stdout + found.stderr).splitlines() if "tracker_embed: " in line
    }
    assert found.returncode == 1 and set(outcomes) == {OWN, TEAM}
    assert ": done" in outcomes[OWN] and ": silent (" in outcomes[TEAM]


def test_without_trackers_of_an_organisation_it_says_which_setting_is_missing(tmp_path: Path) -> None:
    env = clean_environ() | {"LOOM_KEYS_DIR": str(tmp_path), "LOOM_DIRECTORY": "127.0.0.1:1"}
    command = [BIN / "loom", "worker", "run", "tracker_embed", "--once", "--data", str(tmp_path / "data")]
    found = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, env=env)
    assert found.returncode == 1 and "LOOM_TRACKER_ORG must name" in found.stderr
