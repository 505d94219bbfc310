"""The ops of signals, code and search through the doors, and the pass that an operator runs by hand."""

import argparse
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from loom.cli.terminal import UsageError
from standalone.commands.worker import command as worker
from tests.support.tracker_plane import TrackerPlane, held, tracker_plane

pytestmark = pytest.mark.asyncio(loop_scope="module")
SPACE, REPO = "trk", "Org/repo"
NOW = datetime.now(UTC)
CALLS: dict[str, dict[str, Any]] = {
    "tracker.test_signal": {"test_name": "suite::case"},
    "tracker.flaky": {"test_name": "suite::case", "include_signal": True},
    "code.bisect_candidates": {"issue_number": 1, "good": [(NOW - timedelta(days=40)).date().isoformat()]},
    "code.backport_gap": {"issue_number": 1},
    "code.backport_gaps": {},
    "code.first_build": {"pr_number": 2},
    "code.history": {"paths": ["src/cache.rs"]},
    "code.pr_check": {"title": "cache is stale", "issue_numbers": [1]},
    "code.context_pack": {"issue_number": 1},
    "search": {"query": "cache returns stale entries and crashes"},
}


def iso(days: float) -> str:
    return (NOW - timedelta(days=days)).isoformat()


def rows() -> dict[str, list[dict[str, Any]]]:
    item = {"is_private": 0, "body": "src/cache.rs", "created_at": iso(30), "updated_at": iso(20)}
    issue = {**item, "source_id": f"{REPO}#1", "number": 1, "title": "cache returns stale entries", "state": "closed"}
    pull = {**item, "source_id": f"{REPO}#2", "number": 2, "title": "cache: drop entries", "state": "merged"}
    checks = [
        {
            "check_start_time": iso(n / 2),
            "test_name": "suite::case",
            "test_status": "FAIL" if n % 9 == 0 else "OK",
            "commit_sha": f"c{n // 2:03d}",
            "head_ref": "main",
            "check_name": "unit",
        }
        for n in range(40)
    ]
    return {
        "github_issues": [{**issue, "fixed_by": [2], "tests": ["suite::case"]}],
        "github_prs": [{**pull, "merged_at": iso(20), "closes": [1], "affected_file_paths": ["src/cache.rs"]}],
        "checks": checks,
    }


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def plane(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[TrackerPlane]:
    folder = tmp_path_factory.mktemp("six")
    async with held(tracker_plane(folder, LOOM_TRACKER_SIMILAR_VECTOR_LEG="off", LOOM_TRACKER_WORKERS="off")) as made:
        for table, listed in rows().items():
            await made.call("tracker.load", namespace=SPACE, table=table, rows=listed, repos=[REPO])
        yield made


async def test_every_door_gives_the_same_answer(plane: TrackerPlane) -> None:
    for op, args in CALLS.items():
        answers = [await plane.call(op, door=door, namespace=SPACE, **args) for door in plane.doors]
        for answer in answers:
            answer.pop("timings_ms")
        assert all(answer == answers[0] for answer in answers), op


async def test_a_search_without_a_memory_plane_says_so_and_searches_the_tracker(plane: TrackerPlane) -> None:
    found = await plane.call("search", namespace=SPACE, **CALLS["search"])
    assert found["leg_status"]["memory"] == "off"
    assert found["leg_status"]["trackers"] == "ok"
    assert found["duplicate"] is not None
    assert "source_id" in found["hits"][0]


async def test_a_namespace_that_reads_no_tracker_is_refused_alike_by_every_new_op(plane: TrackerPlane) -> None:
    for op, args in CALLS.items():
        if op != "search":
            assert (await plane.fails(op, namespace="nobody", **args)).detail["code"] == "NOT_A_TRACKER_NAMESPACE", op


async def test_the_signal_stands_beside_the_issues(plane: TrackerPlane) -> None:
    found = await plane.call("tracker.flaky", namespace=SPACE, **CALLS["tracker.flaky"])
    assert found["verdict"] == "flaky_by_issue"
    assert found["signal"]["verdict"] in ("flaky", "no_signal", "infra_candidate", "regression_candidate")


async def test_an_operator_needs_a_pass_that_there_is_and_an_organisation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = argparse.ArgumentParser()
    worker.configure(parser)
    with pytest.raises(UsageError, match="the passes are"):
        worker.run(parser.parse_args(["run", "nothing", "--once"]))
    monkeypatch.setenv("LOOM_TRACKER_ORG", "")
    assert worker.run(parser.parse_args(["run", "tracker_test_daily", "--once", "--data", str(tmp_path)])) == 1
    assert "LOOM_TRACKER_ORG" in capsys.readouterr().err
