"""Storms: many tests, several unrelated changes, not for long."""

from services.tracker.signal.cells import cells_of
from services.tracker.signal.signal import NO_WEATHER
from services.tracker.signal.signal import test_signal as answer
from services.tracker.signal.storms import Weather, jobs_of, join, levels, weather
from services.tracker.signal.verdict import FLAKY, INFRA, REGRESSION, SILENT, judge
from tests.support.checks import START, jobs, run, trunk

FIRST = int(START.timestamp()) // 3600
CALM = [job for hour in range(0, 40, 2) for job in jobs(hour, [(0, f"c{hour:03d}"), (90 + hour, f"h{hour}")], 0)]
THREE = [(1, "a"), (2, "b"), (3, "c")]


def found(*groups) -> Weather:
    return weather(jobs_of([row for group in groups for row in group]))


def test_many_tests_failing_in_several_unrelated_pull_requests_are_a_storm() -> None:
    storms = found(CALM, jobs(20, THREE, 12)).storms
    assert {(storm.hour - FIRST, storm.changes, storm.tests) for storm in storms} == {(20, 3, 12)}


def test_several_unrelated_commits_are_a_storm_too() -> None:
    assert found(CALM, jobs(21, [(0, "x"), (0, "y"), (0, "z")], 12)).storms


def test_one_pull_request_that_breaks_many_tests_is_no_storm_however_often_it_was_pushed() -> None:
    assert not found(CALM, jobs(21, [(7, f"push{n}") for n in range(6)], 40)).storms


def test_one_pull_request_that_breaks_many_tests_beside_two_that_break_a_few_is_no_storm() -> None:
    assert not found(CALM, jobs(21, [(7, "a")], 40), jobs(21, [(8, "b"), (9, "c")], 6)).storms


def test_few_tests_failing_everywhere_are_no_storm() -> None:
    assert not found(CALM, jobs(20, THREE, 3)).storms


def test_a_minority_of_the_changes_that_ran_is_no_storm() -> None:
    assert not found(CALM, jobs(20, THREE, 12), jobs(20, [(n, f"ok{n}") for n in range(50, 60)], 0)).storms


def test_a_branch_broken_by_one_commit_is_one_change_where_pull_requests_ran_too() -> None:
    broken = jobs(21, [(0, "x"), (0, "y"), (0, "z")], 12)
    assert not found(CALM, broken, jobs(21, THREE, 0)).storms


def test_what_lasts_is_no_storm() -> None:
    lasting = [
        job for hour in range(41, 60) for job in jobs(hour, [(hour * 10 + n, f"{hour}{n}") for n in range(3)], 12)
    ]
    assert not found(CALM, lasting).storms


def test_a_storm_over_the_full_hour_is_found_from_both_halves() -> None:
    storms = found(CALM, jobs(41, [(1, "a"), (2, "b")], 12), jobs(42, [(3, "c")], 12)).storms
    assert {storm.hour - FIRST for storm in storms} == {41, 42}


def test_what_usually_fails_in_a_check_is_no_storm() -> None:
    habit = [job for hour in range(30) for job in jobs(hour, [(hour * 10 + n, f"{hour}{n}") for n in range(3)], 12)]
    assert not found(habit).storms


def test_levels_of_the_days_before_tell_what_is_usual_in_a_short_span() -> None:
    habit = [job for hour in range(30) for job in jobs(hour, [(hour * 10 + n, f"{hour}{n}") for n in range(3)], 12)]
    short = jobs_of(jobs(30, THREE, 12))
    assert weather(short).storms
    assert not weather(short, levels(jobs_of(habit))).storms


def test_the_order_of_jobs_and_of_joins_changes_nothing() -> None:
    rows = [*CALM, *jobs(20, THREE, 12), *jobs(31, THREE, 9)]
    assert found(rows) == found(rows[::-1])
    parts = found(CALM, jobs(20, THREE, 12)), found(CALM, jobs(31, THREE, 9))
    assert join(*parts) == join(*reversed(parts))
    assert join(parts[0], parts[0]) == parts[0]


STORM = found(CALM, jobs(20, THREE, 12))


def test_runs_in_a_storm_leave_the_statistics_and_only_storms_make_it_infrastructure() -> None:
    rows = [*trunk("P" * 20), run("FAIL", "a", 20.1, pr=1), run("FAIL", "b", 20.2, pr=2), run("OK", "d", 20.3, pr=4)]
    seen = judge(cells_of(rows), STORM)
    assert seen.verdict == INFRA
    assert (seen.sums.runs, seen.sums.fails, seen.sums.storm_fails, seen.sums.storm_passes) == (20, 0, 2, 1)


def test_a_storm_hides_neither_flakiness_nor_a_regression_outside_of_it() -> None:
    storm = [run("FAIL", "a", 20.1, pr=1)]
    flaky = [*trunk("P" * 15), run("FAIL", "c020", 30), run("OK", "c020", 31)]
    assert judge(cells_of(storm + flaky), STORM).verdict == FLAKY
    assert judge(cells_of(storm + trunk("P" * 15 + "F" * 8)), STORM).verdict == REGRESSION


def test_a_pull_request_that_fails_outside_of_the_storm_as_well_was_not_broken_by_it() -> None:
    rows = [*trunk("P" * 19), run("FAIL", "a", 20.1, pr=1), run("FAIL", "a", 26, pr=1)]
    assert judge(cells_of(rows), STORM).verdict == SILENT


def test_a_pull_request_that_alone_fails_in_a_storm_that_others_pass_in_was_not_broken_by_it() -> None:
    mine = [run("FAIL", "a", 20.1 + n / 10, pr=1, check=check) for n, check in enumerate(("x", "y", "z"))]
    others = [run("OK", f"p{n}", 20.3, pr=n) for n in range(2, 8)]
    assert judge(cells_of([*trunk("P" * 19), *mine, *others]), STORM).verdict == SILENT
    assert judge(cells_of([*trunk("P" * 19), *mine, *others[:2]]), STORM).verdict == INFRA
    assert judge(cells_of([*trunk("P" * 19), *mine, *others, run("FAIL", "b", 20.4, pr=9)]), STORM).verdict == INFRA


def test_a_failure_in_a_job_whose_machine_died_is_no_flakiness_of_the_single_test() -> None:
    dead = found(CALM, jobs(21, [(7, "a")], 30))
    rows = [*trunk("P" * 19), run("FAIL", "a", 21.1, pr=7), run("OK", "a", 22.5, pr=7)]
    assert judge(cells_of(rows)).verdict == FLAKY
    assert judge(cells_of(rows), dead).verdict == SILENT


def test_an_answer_made_without_knowing_of_storms_says_so() -> None:
    cells = cells_of([*trunk("P" * 20), run("FAIL", "c020", 20), run("OK", "c020", 21)])
    assert NO_WEATHER in answer("t", cells, 30).why
    assert NO_WEATHER not in answer("t", cells, 30, weather=Weather()).why
