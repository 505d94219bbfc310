"""The demo record's CI: each way to fail looks as it does in life."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from services.tracker.record.demo.build import SEED
from services.tracker.record.demo.checks import RepoCi, check_batches, cis
from services.tracker.record.demo.landmarks import LANDMARKS, find
from services.tracker.record.demo.size import DEMO, Size
from services.tracker.record.demo.world import World, plan

NOW = datetime(2026, 5, 1, tzinfo=UTC)
FAILED = ("FAIL", "ERROR")
Row = dict[str, Any]


@pytest.fixture(scope="module")
def world() -> World:
    return plan(DEMO, SEED)


@pytest.fixture(scope="module")
def ci(world: World) -> RepoCi:
    return cis(world)[0]


@pytest.fixture(scope="module")
def tests(world: World) -> dict[str, list[Row]]:
    """Rows of the server's repository by test, oldest first."""
    found: dict[str, list[Row]] = defaultdict(list)
    for row in _rows(world):
        if row["repo"] == LANDMARKS.repo:
            found[row["test_name"]].append(row)
    return {name: sorted(rows, key=lambda row: row["check_start_time"]) for name, rows in found.items()}


def test_the_landmarks_are_where_they_are_said_to_be(world: World) -> None:
    assert find(world) == LANDMARKS


def test_a_flaky_test_passes_and_fails_on_one_commit(tests: dict[str, list[Row]]) -> None:
    for name in (LANDMARKS.flaky_test, LANDMARKS.unnamed_flaky_test):
        results = defaultdict(set)
        for row in tests[name]:
            results[row["commit_sha"], row["check_name"]].add(row["test_status"] in FAILED)
        assert sum(len(each) == 2 for each in results.values()) >= 2


def test_one_flaky_test_is_named_by_an_issue_and_another_by_none(world: World) -> None:
    named = {issue.test for issue in world.issues if issue.test}
    assert LANDMARKS.flaky_test in named
    assert LANDMARKS.unnamed_flaky_test not in named


def test_a_regression_fails_on_the_trunk_without_exception_from_its_merge_on(
    tests: dict[str, list[Row]], ci: RepoCi
) -> None:
    regression = ci.ills.regressions[-1]
    trunk = [
        row
        for row in tests[LANDMARKS.regressed_test]
        if row["head_ref"] == "main" and row["check_start_time"] > NOW - timedelta(days=14)
    ]
    since = NOW + timedelta(days=regression.culprit.closed or 0.0)
    after = [row for row in trunk if row["check_start_time"] > since]
    assert len(after) > 5
    assert all(row["test_status"] in FAILED for row in after)
    assert not any(
        row["test_status"] in FAILED for row in trunk if row["check_start_time"] < since - timedelta(hours=1)
    )
    assert after[0]["commit_sha"] == regression.culprit.merge_sha


def test_an_older_regression_was_mended(tests: dict[str, list[Row]], ci: RepoCi) -> None:
    regression = ci.ills.regressions[0]
    until = NOW + timedelta(days=regression.until)
    trunk = [row for row in tests[ci.tests[regression.test].name] if row["head_ref"] == "main"]
    assert not any(
        row["test_status"] in FAILED for row in trunk if row["check_start_time"] > until + timedelta(hours=1)
    )


def test_a_storm_hits_many_tests_of_several_unrelated_changes_within_hours(
    tests: dict[str, list[Row]], ci: RepoCi
) -> None:
    storm = ci.ills.storm
    assert storm is not None
    since, until = (NOW + timedelta(days=day) for day in (storm.since, storm.until))
    failed = [
        row
        for rows in tests.values()
        for row in rows
        if since <= row["check_start_time"] < until
        and row["test_status"] in FAILED
        and storm.platform in row["check_name"]
    ]
    assert len({row["test_name"] for row in failed}) > 30
    assert len({row["pull_request_number"] or row["commit_sha"] for row in failed}) >= 4
    assert until - since < timedelta(hours=3)


def test_a_platform_failure_is_on_one_platform_alone(tests: dict[str, list[Row]], ci: RepoCi) -> None:
    test = next(each for each in ci.tests if each.name == LANDMARKS.platform_test)
    rates = Counter[bool]()
    runs = Counter[bool]()
    for row in tests[test.name]:
        runs[test.platform in row["check_name"]] += 1
        rates[test.platform in row["check_name"]] += row["test_status"] in FAILED
    assert rates[True] / runs[True] > 0.85
    assert rates[False] / runs[False] < 0.12  # the storm and the sick runner


def test_a_broken_change_fails_until_its_last_push(tests: dict[str, list[Row]], ci: RepoCi) -> None:
    assert ci.ills.broken
    for number, broken in ci.ills.broken.items():
        pushes = [run for run in ci.runs if run.change and run.change.number == number]
        early = {run.sha for run in pushes if run.left}
        for place in broken:
            rows = [row for row in tests[ci.tests[place].name] if row["commit_sha"] in early]
            assert rows
            assert all(row["test_status"] in FAILED for row in rows)


def test_a_rerun_is_a_later_attempt_of_a_failed_job_and_leaves_the_first_result(tests: dict[str, list[Row]]) -> None:
    jobs: dict[tuple[str, str, int], Row] = {}
    for rows in tests.values():
        for row in rows:
            jobs[row["commit_sha"], row["check_name"], row["attempt"]] = row
    again = [key for key in jobs if key[2] == 2]
    assert len(again) > 30
    for sha, name, _ in again:
        first = jobs[sha, name, 1]
        assert first["check_status"] == "failure"
        assert first["check_start_time"] < jobs[sha, name, 2]["check_start_time"]


def test_a_check_fails_exactly_if_one_of_its_tests_does(world: World) -> None:
    failed: dict[tuple[Any, ...], bool] = defaultdict(bool)
    said: dict[tuple[Any, ...], str] = {}
    for row in _rows(world):
        key = (row["repo"], row["report_url"], row["check_start_time"])
        failed[key] |= row["test_status"] in FAILED
        said[key] = row["check_status"]
    assert all(said[key] == ("failure" if failed[key] else "success") for key in said)


def test_some_tests_are_skipped_on_one_platform(tests: dict[str, list[Row]]) -> None:
    skipped = {row["check_name"] for rows in tests.values() for row in rows if row["test_status"] == "SKIPPED"}
    assert skipped == {"Tests (windows-amd64)"}


def test_commits_of_the_trunk_are_merges_of_the_record(world: World, tests: dict[str, list[Row]]) -> None:
    merges = {change.merge_sha for change in world.changes if change.merged}
    trunk = {row["commit_sha"] for rows in tests.values() for row in rows if row["pull_request_number"] == 0}
    assert len(trunk - merges) <= 1  # what the trunk was before the record begins


def test_the_size_of_the_record_is_a_knob() -> None:
    big = plan(Size(issues=300, changes=250, check_rows=150_000, tests=300), 1)
    assert 150_000 <= sum(len(batch) for batch in check_batches(big, NOW)) < 260_000
    assert len(big.issues) >= 300
    assert len(big.changes) >= 250


def _rows(world: World) -> Iterator[Row]:
    for batch in check_batches(world, NOW):
        for row in batch.rows():
            yield dict(zip(batch.names, row, strict=True))
