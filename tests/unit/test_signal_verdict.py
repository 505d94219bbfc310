"""Rules of the verdict, each on a small record made by hand."""

import random
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.tracker.signal.cells import cells_of
from services.tracker.signal.intervals import wilson
from services.tracker.signal.signal import test_signal as answer
from services.tracker.signal.signal import unknown_test
from services.tracker.signal.storms import Weather
from services.tracker.signal.verdict import FLAKY, INFRA, REGRESSION, SILENT, UNKNOWN, judge
from tests.support.checks import run, trunk


def said(rows, **more):
    return answer("suite::case", cells_of(rows), 30, weather=Weather(), **more)


def test_a_failure_that_a_rerun_of_the_same_commit_contradicts_is_flaky() -> None:
    rows = [*trunk("P" * 20), run("FAIL", "c020", 20, attempt=0), run("OK", "c020", 20.5, attempt=1)]
    found = said(rows)
    assert found.verdict == FLAKY
    assert "1 failure on 1 commit that passed in the same check on the same commit" in found.why


def test_attempts_of_one_run_are_kept_apart_even_at_the_same_instant() -> None:
    rows = [*trunk("P" * 20), run("FAIL", "c020", 20, attempt=0), run("OK", "c020", 20, attempt=1)]
    assert said(rows).features["fails"] == 1
    assert said(rows).verdict == FLAKY


@pytest.mark.parametrize("first", ["FAIL", "OK"])
def test_a_rerun_never_overwrites_the_first_result(first: str) -> None:
    second = "OK" if first == "FAIL" else "FAIL"
    rows = [*trunk("P" * 20), run(first, "c020", 20), run(second, "c020", 21)]
    assert (said(rows).features["fails"], said(rows).features["passes"]) == (1, 21)


def test_only_the_contradicted_failure_counts_and_not_the_passes_beside_it() -> None:
    rows = [*trunk("P" * 20), run("FAIL", "c020", 20), *(run("OK", "c020", 21 + n) for n in range(5))]
    found = said(rows)
    assert found.features["flaky_fails"] == 1
    assert found.lower_bound == pytest.approx(wilson(1, 26)[0])


def test_counts_are_of_runs_and_not_of_commits() -> None:
    rows = [*trunk("P" * 20), *(run("FAIL", "c020", 20 + n / 10) for n in range(4)), run("OK", "c020", 21)]
    assert said(rows).features["flaky_fails"] == 4
    assert said(rows).features["runs"] == 25


def test_solid_failures_on_the_newest_commits_are_a_regression_with_its_first_failing_commit() -> None:
    found = said(trunk("P" * 20 + "FFFF"))
    assert found.verdict == REGRESSION
    assert (found.features["first_failing"], found.features["last_passing"]) == ("c020", "c019")
    assert found.candidates == ("c020",)
    assert found.since == "2026-03-03T04:00:00Z"


def test_commits_on_which_the_test_did_not_run_are_suspects_too() -> None:
    found = said(trunk("P" * 20 + "S" + "FFFF"))
    assert found.candidates == ("c021", "c020")


def test_one_failure_on_the_newest_commit_is_not_yet_a_regression() -> None:
    assert said(trunk("P" * 20 + "F")).verdict == SILENT


def test_a_very_flaky_test_that_failed_a_few_times_running_is_flaky_and_not_a_regression() -> None:
    assert said(trunk("PFPPFPFFPFPPFPFPPFFPFFF")).verdict == FLAKY


def test_a_flaky_test_that_then_fails_solidly_for_long_is_a_regression() -> None:
    assert said(trunk("PPPPPFPPPPPPPPFPPPPPPFPPPPP" + "F" * 12)).verdict == REGRESSION


def test_one_there_and_back_with_commits_between_may_be_land_and_revert() -> None:
    found = said(trunk("P" * 12 + "FFFF" + "P" * 12))
    assert found.verdict == SILENT
    assert found.features["fixed"]
    assert any("fixed or reverted" in why for why in found.why)


def test_many_there_and_backs_are_flaky() -> None:
    assert said(trunk("PPPFPPPPFPPPPFPPPP")).verdict == FLAKY


def test_an_old_commit_run_again_later_fixes_nothing() -> None:
    rows = [*trunk("P" * 20 + "FFFF"), run("OK", "c010", 40)]
    assert said(rows).verdict == REGRESSION


def test_a_commit_that_the_record_places_before_the_failing_one_fixes_nothing() -> None:
    rows = [*trunk("P" * 20 + "FFFF"), run("OK", "older", 40)]
    assert said(rows).verdict == SILENT  # seen first after them: by all that is known it is their successor
    order = {f"c{n:03d}": n for n in range(24)} | {"older": -5}
    assert said(rows, order=order).verdict == REGRESSION


def test_a_later_commit_that_passes_fixes_it_even_if_its_run_started_first() -> None:
    rows = [*trunk("P" * 20 + "FFFF"), run("OK", "newer", 19.5), run("OK", "newer", 19.6)]
    order = {f"c{n:03d}": n for n in range(24)} | {"newer": 99}
    assert said(rows, order=order).verdict == SILENT


def test_skips_are_neither_pass_nor_fail() -> None:
    found = said(trunk("P" * 20 + "FSFSF"))
    assert found.verdict == REGRESSION
    assert (found.features["runs"], found.features["skips"]) == (23, 2)
    assert said(trunk("S" * 30)).verdict == SILENT


def test_too_few_runs_give_no_signal_with_the_interval() -> None:
    found = said([run("FAIL", "c1", 1), run("OK", "c1", 2), run("FAIL", "c2", 3)])
    assert found.verdict == SILENT
    assert found.why[-1].startswith("too few runs to say more: 2 of 3 counted runs failed, rate 0.2077 to 0.9385")
    assert found.features["interval"] == pytest.approx(list(wilson(2, 3)))


def test_silence_is_not_a_clean_bill() -> None:
    found = said(trunk("P" * 40))
    assert found.verdict == SILENT
    assert found.features["interval"][1] > 0.05
    assert "silence is not a clean bill" in found.why[-1]
    assert "silence is not a clean bill" in answer("x", {}, 30).why[0]


def test_a_low_rate_test_shows_with_its_bound_and_run_count() -> None:
    rows = [*trunk("P" * 1500, step=0.2), run("FAIL", "c1500", 300), run("OK", "c1500", 300.5)]
    found = said(rows)
    assert found.verdict == FLAKY
    assert 0 < found.lower_bound < 0.001
    assert "1 of 1502 counted runs failed" in found.why[-1]


def test_failures_tied_to_one_runner_are_infrastructure() -> None:
    rows = [run("OK", f"c{n:03d}", n, runner=f"r{n % 3}") for n in range(40)]
    rows += [run("FAIL", f"c{n:03d}", n + 0.5, runner="r9") for n in range(3, 40, 6)]
    found = said(rows)
    assert found.verdict == INFRA
    assert found.infra["tied_to"]["place"] == "r9"


def test_failures_tied_to_one_platforms_check_are_infrastructure() -> None:
    rows = [*trunk("P" * 30, check="unit (linux)"), *trunk("PPF" * 10, check="unit (mac)", start=0.2)]
    found = said(rows)
    assert found.verdict == INFRA
    assert found.infra["tied_to"] == {"kind": "check", "place": "unit (mac)", "changes": 10, "fails": 10}


def test_a_commit_that_breaks_one_platform_is_a_regression_where_other_work_still_passes_there() -> None:
    rows = [*trunk("P" * 30, check="unit (linux)"), *trunk("P" * 20 + "F" * 10, check="unit (mac)", start=0.2)]
    assert said(rows).verdict == INFRA
    rows += [run("OK", f"p{n}", 26 + n, pr=n, check="unit (mac)") for n in range(1, 4)]
    assert said(rows).verdict == REGRESSION
    rows += [run("FAIL", "p9", 29, pr=9, check="unit (mac)")]
    assert said(rows).verdict == INFRA  # it may be the place after all, or inherited


def test_a_few_failures_that_fell_on_one_runner_by_chance_tie_nothing() -> None:
    rows = [run("OK", f"c{n:03d}", n, runner=f"r{n % 2}") for n in range(40)]
    rows += [run("FAIL", f"c{n:03d}", n + 0.5, runner="r1") for n in (5, 15, 25)]
    assert judge(cells_of(rows)).tie is None


def test_a_pull_request_that_breaks_a_test_makes_it_neither_flaky_nor_broken() -> None:
    rows = [*trunk("P" * 20), *(run("FAIL", f"head{n}", 5 + n, pr=7, check=c) for n in range(4) for c in ("a", "b"))]
    assert said(rows).verdict == SILENT
    assert (
        "8 failures on heads of 1 pull request that never passed there: their own doing, no evidence" in said(rows).why
    )


def test_pull_requests_inherit_what_the_branch_broke() -> None:
    rows = trunk("P" * 12 + "FFFF" + "P" * 12)
    rows += [run("FAIL", f"p{n}", 12.2 + n / 4, pr=n) for n in range(1, 14)]
    assert {event.kind for event in judge(cells_of(rows)).events} == {"streak", "inherited"}
    assert said(rows).verdict == SILENT


def test_uncontradicted_failures_of_pull_requests_alone_never_make_a_test_flaky() -> None:
    rows = [*trunk("P" * 40), *(run("FAIL", f"p{n}", n, pr=n) for n in range(1, 30))]
    assert said(rows).verdict == SILENT


def test_a_release_branch_has_its_own_regression() -> None:
    rows = [*trunk("P" * 30), *(run("OK", f"r{n}", n, branch="26.1") for n in range(15))]
    rows += [run("FAIL", f"x{n}", 20 + n, branch="26.1") for n in range(5)]
    assert said(rows).verdict == REGRESSION
    assert said(rows, branch="main").verdict == SILENT
    assert said(rows, branch="26.1").features["first_failing"] == "x0"


def test_a_test_that_never_passed_in_the_window_is_broken_since_before_it() -> None:
    found = said(trunk("F" * 15))
    assert found.verdict == REGRESSION
    assert found.since is None
    assert found.candidates == ()
    assert "broken since before it" in found.why[0]


def test_a_row_delivered_twice_counts_once() -> None:
    rows = [*trunk("P" * 20 + "F")] * 3
    assert said(rows).features["runs"] == 21


def test_an_unknown_test_comes_with_similar_names() -> None:
    known = ["StorageTest::readsBack", "StorageTest::writesBack", "ParserTest::fails"]
    found = unknown_test("StorageTest::readBack", known, 30)
    assert found.verdict == UNKNOWN
    assert found.candidates[0] == "StorageTest::readsBack"
    assert "ParserTest::fails" not in found.candidates


def test_churn_of_the_home_files_is_told_with_a_regression() -> None:
    pulls = [{"number": 5, "merged_at": datetime(2026, 3, 3), "affected_file_paths": ["src/suite_test.py"], "diff": ""}]
    found = answer("suite_test::case", cells_of(trunk("P" * 20 + "FFFF")), 30, pulls=pulls)
    assert found.churn == {"files": ["src/suite_test.py"], "changes": 1, "pull_requests": [5]}
    assert any("changed by 1 merged" in why for why in found.why)


MIXTURES = st.lists(
    st.tuples(
        st.sampled_from(["OK", "FAIL", "SKIPPED", "weird"]),
        st.integers(0, 12),
        st.integers(0, 30),
        st.sampled_from([0, 0, 1, 2]),
        st.sampled_from(["a", "b"]),
        st.sampled_from(["r1", "r2"]),
    ),
    max_size=60,
)


@settings(max_examples=60, deadline=None)
@given(MIXTURES, st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(runs, shuffler: random.Random) -> None:
    rows = [run(s, f"{pr}-{sha}", hour, pr=pr, check=check, runner=r) for s, sha, hour, pr, check, r in runs]
    shuffled = list(rows)
    shuffler.shuffle(shuffled)
    assert said(rows) == said(shuffled)
