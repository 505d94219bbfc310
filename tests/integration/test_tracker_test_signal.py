"""tracker.test_signal over hand-made runs: live, rolled up by tracker_test_daily, and silent."""

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest

from runtime.errors import LoomError
from services.tracker.ops.test_signal import TestSignal, TestSignalOp
from services.tracker.rollups.store import DAYS, MARKS, TESTS
from services.tracker.sources.model import Limits
from services.tracker.sources.silence import Reason
from services.tracker.workers.frame import BackgroundReads, SourceSilent, Work
from services.tracker.workers.test_daily import TestDaily
from tests.support.checks import START, run, trunk
from tests.support.tracker_record import CALLER, DATABASE, ORG, TRACKER, Recorded, batch, recorded

NAME = "suite::case"
NOW = START + timedelta(days=12, minutes=20)
KEEP_DAYS = 60
DAY = 24.0


def issue(number: int = 1) -> Mapping[str, Any]:
    return {
        "source_id": f"Org/repo#{number}",
        "number": number,
        "title": "t",
        "body": "",
        "state": "open",
        "created_at": START,
        "updated_at": START,
        "is_private": 0,
    }


def pull(number: int, **more: Any) -> Mapping[str, Any]:
    return {**issue(number), "state": "merged", "merged_at": START + timedelta(days=5), **more}


@asynccontextmanager
async def record_of(
    runs: Iterable[Mapping[str, Any]],
    *,
    pulls: Iterable[Mapping[str, Any]] = (),
    repos: tuple[str, ...] = ("Org/repo",),
) -> AsyncIterator[Recorded]:
    tables = [batch("github_issues", [issue()]), batch("github_prs", list(pulls) or [pull(9000)])]
    listed = list(runs)
    if listed:
        tables.append(batch("checks", listed))
    async with recorded(tables, repos=repos, now=NOW) as record:
        yield record


async def ask(record: Recorded, name: str = NAME, **more: Any) -> TestSignal:
    op = TestSignalOp(record.asking, record.rollups, record.clock)
    return await op.execute(ORG, TRACKER, name, CALLER, **more)


async def roll(record: Recorded, checkpoint: str = "", **changes: Any) -> Mapping[str, int]:
    async def save(text: str) -> None:
        saved.append(text)

    saved: list[str] = []
    reads = changes.pop("reads", None) or BackgroundReads(record.serving, record.live)
    work = Work(record.source, checkpoint, changes.pop("save", save))
    return await TestDaily(reads, record.rollups, record.clock, changes.pop("keep_days", KEEP_DAYS)).run(work)


async def rows_of(record: Recorded, table: str) -> list[dict[str, Any]]:
    found = await record.store.query(f"SELECT * EXCEPT version FROM {table} FINAL ORDER BY ALL")
    return [dict(row) for row in found]


async def more_runs(record: Recorded, runs: Iterable[Mapping[str, Any]]) -> None:
    made = batch("checks", runs)
    await record.store.insert(f"{DATABASE}.checks", list(made.columns), made.rows())


def flaky_runs() -> list[dict[str, Any]]:
    """A test that fails now and then on a commit that it passes on, over eleven days."""
    runs = trunk("P" * 40, step=6)
    for place in (5, 14, 22, 31):
        runs.append(run("FAIL", f"c{place:03d}", place * 6 + 0.2))
    return runs


def judged(found: TestSignal) -> tuple[Any, ...]:
    return found.verdict, found.why, found.features, found.infra, found.since, found.lower_bound, found.candidates


async def test_the_verdict_of_rolled_days_and_fresh_hours_is_that_of_the_runs_themselves() -> None:
    late = [run("FAIL", "c001", 9.1, check="other"), run("OK", "c001", 3 * DAY, check="other")]
    pulls = [run("FAIL", "p1", 30, pr=7), run("OK", "p1", 30 + DAY, pr=7), run("OK", "p2", 40, pr=8)]
    async with record_of([*flaky_runs(), *late, *pulls]) as record:
        live = await ask(record)
        await roll(record)
        rolled = await ask(record)
    assert live.verdict == "flaky"
    assert live.rollup["source"] == "live"
    assert rolled.rollup == {"source": "rolled", "fresh_from": "2026-03-14T08:00:00Z"}
    assert judged(rolled) == judged(live)


async def test_only_hours_that_are_not_rolled_are_asked_of_the_source() -> None:
    async with record_of(flaky_runs()) as record:
        await roll(record)
        await record.store.command(f"TRUNCATE TABLE {DATABASE}.checks")
        await more_runs(record, [run("FAIL", "c900", 12 * DAY + 0.1), run("OK", "c900", 12 * DAY + 0.2)])
        found = await ask(record)
    assert found.features["runs"] == len(flaky_runs()) + 2


async def test_a_pass_that_runs_again_changes_nothing() -> None:
    async with record_of(flaky_runs()) as record:
        await roll(record)
        before = [await rows_of(record, table) for table in (TESTS, DAYS, MARKS)]
        record.clock.advance(60)
        await roll(record)
        assert [await rows_of(record, table) for table in (TESTS, DAYS, MARKS)] == before


async def test_runs_that_came_late_are_seen_by_the_next_pass() -> None:
    async with record_of(flaky_runs()) as record:
        await roll(record)
        await more_runs(record, [run("FAIL", "c045", 11 * DAY)])
        record.clock.advance(3600)
        await roll(record)
        assert (await ask(record)).features["fails"] == 5


async def test_runs_that_the_source_took_back_are_gone_after_the_next_pass() -> None:
    runs = [*trunk("P" * 20, step=12), run("FAIL", "c900", 11 * DAY)]
    async with record_of(runs) as record:
        await roll(record)
        await record.store.command(f"DELETE FROM {DATABASE}.checks WHERE commit_sha = 'c900'")
        record.clock.advance(3600)
        await roll(record)
        assert (await ask(record)).features["fails"] == 0


async def test_a_rerun_two_days_later_is_still_set_against_its_failure_after_many_passes() -> None:
    runs = [*trunk("P" * 20, step=12), run("FAIL", "p1", 4 * DAY, pr=7)]
    async with record_of(runs) as record:
        await roll(record)
        await more_runs(record, [run("OK", "p1", 12 * DAY, pr=7)])
        for _ in range(3):
            record.clock.advance(3600 * 24)
            await roll(record)
        rows = await rows_of(record, TESTS)
    heads = {sha for row in rows for sha, passes in zip(row["shas"], row["passes"], strict=True) if passes}
    assert "p1" not in heads  # eight days apart: the head's pass is pooled, as the roll-up promises
    async with record_of([*trunk("P" * 20, step=12), run("FAIL", "p1", 10 * DAY, pr=7)]) as record:
        await roll(record)
        await more_runs(record, [run("OK", "p1", 12 * DAY, pr=7)])
        for _ in range(3):
            record.clock.advance(3600 * 24)
            await roll(record)
        rows = await rows_of(record, TESTS)
    heads = {sha for row in rows for sha, passes in zip(row["shas"], row["passes"], strict=True) if passes}
    assert "p1" in heads


class Small(BackgroundReads):
    """Reads whose answers hold few rows."""

    def __init__(self, record: Recorded, most: int) -> None:
        super().__init__(record.serving, record.live)
        self._most = most

    async def reading(self, bound: Any) -> Any:
        reading = await super().reading(bound)
        inner = reading.binding.client._client
        inner.limits = Limits(30.0, 30.0, max_rows=self._most)
        return reading


async def test_what_does_not_fit_into_one_answer_is_asked_for_in_parts() -> None:
    runs = [
        {**each, "test_name": f"suite::case_{number}"}
        for number in range(4)
        for each in trunk("PPFP" * 5, step=12, prefix=f"t{number}-")
    ]
    async with record_of(runs) as record:
        await roll(record)
        whole = [await rows_of(record, table) for table in (TESTS, DAYS)]
        for table in (TESTS, DAYS, MARKS):
            await record.store.command(f"TRUNCATE TABLE {table}")
        record.clock.advance(1)
        await roll(record, reads=Small(record, 20))
        assert [await rows_of(record, table) for table in (TESTS, DAYS)] == whole


async def test_a_pass_goes_on_from_where_it_was_cut_off() -> None:
    class Cut(Exception):
        pass

    saved: list[str] = []

    async def save(text: str) -> None:
        saved.append(text)
        if len(saved) == 4:
            raise Cut

    async with record_of(flaky_runs()) as record:
        with pytest.raises(Cut):
            await roll(record, save=save)
        halfway = await ask(record)
        done = await roll(record, saved[-1])
        assert judged(await ask(record)) == judged(halfway)
    assert halfway.rollup["source"] == "rolled"  # what is rolled so far, and the rest live
    assert done["days"] < 13


async def test_a_silent_source_leaves_what_is_rolled_and_says_so() -> None:
    async with record_of(flaky_runs()) as record:
        await roll(record)
        record.serving.silence(Reason.TIMEOUT)
        found = await ask(record)
    assert (found.verdict, found.epistemic) == ("flaky", "degraded")
    assert (found.common.tracker_unavailable, found.common.unavailable_reason) == (True, "timeout")
    assert found.common.leg_status["runs"] in ("timeout", "skipped")
    assert found.rollup == {"source": "rolled", "fresh_from": ""}


async def test_a_silent_source_without_roll_ups_is_no_signal_and_never_an_unknown_test() -> None:
    async with record_of(flaky_runs()) as record:
        record.serving.silence(Reason.UNREACHABLE)
        found = await ask(record)
        with pytest.raises(SourceSilent):
            await roll(record)
    assert (found.verdict, found.epistemic) == ("no_signal", "unavailable")
    assert found.rollup == {"source": "none", "fresh_from": ""}


async def test_a_record_without_runs_says_what_it_does_not_provide() -> None:
    async with record_of([]) as record:
        found = await ask(record)
        done = await roll(record)
    assert found.verdict == "no_signal"
    assert "checks" in found.common.not_provided
    assert found.why == ["the tracker offers no runs of tests"]
    assert done["records"] == 0


async def test_an_unknown_name_gets_names_that_are_like_it_live_and_rolled() -> None:
    async with record_of(flaky_runs()) as record:
        live = await ask(record, "suite::cas")
        await roll(record)
        rolled = await ask(record, "suite::cas")
    assert (live.verdict, live.candidates) == ("unknown_test", [NAME])
    assert (rolled.verdict, rolled.candidates) == ("unknown_test", [NAME])


async def test_a_test_that_ran_before_the_window_alone_is_silent_and_not_unknown() -> None:
    async with record_of(trunk("PPPP")) as record:
        live = await ask(record, window_days=2)
        await roll(record)
        rolled = await ask(record, window_days=2)
    assert (live.verdict, rolled.verdict) == ("no_signal", "no_signal")


async def test_a_window_that_begins_before_what_is_rolled_is_read_live() -> None:
    async with record_of(flaky_runs()) as record:
        await roll(record, keep_days=3)
        assert (await ask(record, window_days=2)).rollup["source"] == "rolled"
        found = await ask(record, window_days=20)
    assert found.rollup["source"] == "live"
    assert found.features["runs"] == len(flaky_runs())


async def test_a_pull_request_is_judged_at_its_head_alone() -> None:
    head = [run("FAIL", "new", 280 + each / 10, pr=7, check=f"unit-{each}") for each in range(3)]
    stale = [run("FAIL", "old", 270, pr=7)]
    async with record_of(
        [*trunk("P" * 40, step=6), *stale, *head], pulls=[pull(7, head_sha="new", state="open", merged_at=None)]
    ) as record:
        found = await ask(record, pr_number=7)
    assert found.streak is not None
    assert (found.streak["sha"], found.streak["fails"], found.streak["stale_fails"]) == ("new", 3, 1)
    assert found.verdict == "regression_candidate"


async def test_a_branch_narrows_to_its_own_runs() -> None:
    other = [
        run(status, f"r{place}", 100 + place, branch="release/1") for place, status in enumerate(["OK", "FAIL"] * 8)
    ]
    async with record_of([*trunk("P" * 40, step=6), *other]) as record:
        main, release = await ask(record, branch="main"), await ask(record, branch="release/1")
    assert main.features["fails"] == 0
    assert release.features["runs"] == 16


async def test_changes_and_smells_of_the_tests_own_files_are_named() -> None:
    diff = "--- a/tests/test_case.py\n+++ b/tests/test_case.py\n@@ -1,1 +1,2 @@\n def test_a():\n+    time.sleep(3)\n"
    touching = pull(5, affected_file_paths=["tests/test_case.py"], diff=diff)
    async with record_of(
        [{**each, "test_name": "tests/test_case.py::test_a"} for each in flaky_runs()], pulls=[touching, pull(6)]
    ) as record:
        found = await ask(record, "tests/test_case.py::test_a")
    assert found.churn == {"files": ["tests/test_case.py"], "changes": 1, "pull_requests": [5]}
    assert [(smell["smell"], smell["line"], smell["pr"]) for smell in found.smells] == [("sleep", 2, 5)]


async def test_runs_of_repositories_that_a_namespace_does_not_read_are_neither_rolled_nor_told() -> None:
    mine = [{**each, "repo": "Org/repo"} for each in trunk("P" * 20, step=12)]
    theirs = [{**each, "repo": "Org/other"} for each in trunk("F" * 20, step=12, prefix="x")]
    async with record_of([*mine, *theirs]) as record:
        live = await ask(record)
        await roll(record)
        rolled = await ask(record)
    assert (live.features["fails"], rolled.features["fails"]) == (0, 0)
    assert rolled.rollup["source"] == "rolled"


async def test_erasing_a_source_takes_what_was_rolled_of_it() -> None:
    async with record_of(flaky_runs()) as record:
        await roll(record)
        await record.rollups.forget(ORG, "another")
        assert await rows_of(record, TESTS)
        await record.rollups.forget(ORG, record.source.id)
        assert [await rows_of(record, table) for table in (TESTS, DAYS, MARKS)] == [[], [], []]


async def test_days_that_are_too_old_leave_with_the_next_pass() -> None:
    async with record_of(trunk("P" * 10, step=12)) as record:
        await roll(record, keep_days=12)
        assert await rows_of(record, TESTS)
        record.clock.advance(3600 * 24 * 30)
        await roll(record, keep_days=12)
        assert await rows_of(record, TESTS) == []


async def test_a_blank_name_is_refused_and_not_called_unknown() -> None:
    async with record_of([]) as record:
        with pytest.raises(LoomError) as refused:
            await ask(record, "  ")
    assert (refused.value.code.name, refused.value.metadata["field"]) == ("MISSING_FIELD", "test_name")
