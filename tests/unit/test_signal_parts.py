"""Words of results, streaks at heads, smells, home files, intervals."""

import pytest

from services.tracker.signal import statuses
from services.tracker.signal.at_head import with_head
from services.tracker.signal.cells import cells_of, instant, microseconds
from services.tracker.signal.homes import churn, is_home
from services.tracker.signal.intervals import at_least, expected_rate, wilson
from services.tracker.signal.line import ancestry
from services.tracker.signal.names import similar_names
from services.tracker.signal.signal import test_signal as answer
from services.tracker.signal.smells import smells
from services.tracker.signal.statuses import Outcome, outcome
from services.tracker.signal.storms import jobs_of, weather
from services.tracker.signal.streak import pull_streak
from services.tracker.signal.verdict import FLAKY, INFRA, REGRESSION, SILENT, judge
from tests.support.checks import START, jobs, run, trunk


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("success OK Passed PASS SUCCESSFUL ok fixed", Outcome.PASS),
        ("FAIL failed Failure ERROR errored Timed-Out TIMED_OUT crashed regression", Outcome.FAIL),
        ("SKIPPED Ignored cancelled CANCELED neutral not_run XFAIL pending BROKEN", Outcome.SKIP),
        ("flaky FLAKY", Outcome.BOTH),
        ("purple 42", Outcome.OTHER),
    ],
)
def test_words_of_results_are_read_in_any_spelling(words: str, meant: Outcome) -> None:
    assert {outcome(word) for word in words.split()} == {meant}


def test_no_status_at_all_is_a_skip() -> None:
    assert outcome(None) is Outcome.SKIP
    assert outcome("") is Outcome.SKIP
    assert outcome("timed out") is Outcome.FAIL


def test_no_word_means_two_things() -> None:
    groups = [statuses.PASSED, statuses.FAILED, statuses.SKIPPED, statuses.BOTH]
    assert sum(map(len, groups)) == len(frozenset().union(*groups))
    assert all(statuses.fold(word) == word for group in groups for word in group)


def test_a_status_that_nobody_knows_is_counted_and_is_no_evidence() -> None:
    found = answer("t", cells_of([*trunk("P" * 12), run("purple", "c012", 13)]), 30)
    assert (found.features["runs"], found.features["other_statuses"]) == (12, 1)


def test_wilson_gives_the_published_intervals() -> None:
    assert wilson(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert wilson(10, 10)[1] == 1.0
    assert wilson(0, 0) == (0.0, 1.0)


def test_tails_of_the_binomial() -> None:
    assert at_least(0, 5, 0.1) == 1.0
    assert at_least(5, 5, 0.5) == pytest.approx(1 / 32)
    assert at_least(3, 2, 1.0) == 0.0
    assert 0 < expected_rate(0, 0) < 1


def test_instants_survive_microseconds() -> None:
    assert instant(microseconds(START)) == START


def test_a_commit_that_the_record_does_not_know_stands_where_it_was_first_seen() -> None:
    first = {"a": 1, "x": 2, "b": 3, "c": 4}
    assert ancestry(first, {"a": 10, "b": 20, "c": 30}) == ["a", "x", "b", "c"]
    assert ancestry(first, {"a": 30, "b": 20, "c": 10}) == ["c", "b", "a", "x"]
    assert ancestry(first, {}) == ["a", "x", "b", "c"]


HEALTHY = trunk("P" * 20)


def at_head(rows, others=HEALTHY, head=None, sky=None):
    mine = [row | {"pull_request_number": 7, "base_ref": "main"} for row in rows]
    found = judge(cells_of([*others, *mine]), sky)
    return with_head(found, pull_streak(mine, 7, head))


def test_a_stale_head_is_no_evidence() -> None:
    rows = [run("FAIL", "old", 1), run("FAIL", "old", 2), run("OK", "new", 3)]
    verdict, why = at_head(rows)
    assert verdict == SILENT
    assert "2 failures on earlier heads are no evidence" in why


def test_a_rerun_of_an_old_head_does_not_make_it_the_head() -> None:
    rows = [run("FAIL", "old", 1), run("OK", "new", 3), run("FAIL", "old", 9)]
    assert pull_streak(rows, 7).sha == "new"
    assert pull_streak(rows, 7, "old").fails == 2
    assert pull_streak(rows, 7, "unseen").outcome == "none"


def test_a_head_that_fails_every_run_is_a_regression_of_that_pull_request() -> None:
    verdict, why = at_head([run("FAIL", "new", 3), run("FAIL", "new", 4)])
    assert verdict == REGRESSION
    assert "this pull request may break it" in why


def test_one_failure_at_the_head_asks_for_a_rerun() -> None:
    verdict, why = at_head([run("FAIL", "new", 3)])
    assert verdict == SILENT
    assert "run it again" in why


def test_a_head_that_fails_as_often_as_the_flaky_test_does_elsewhere_stays_flaky() -> None:
    flaky = [r for n in range(12) for r in (run("FAIL", f"c{n:03d}", n), run("OK", f"c{n:03d}", n + 0.5))]
    assert at_head([run("FAIL", "new", 30), run("FAIL", "new", 31)], flaky)[0] == FLAKY


def test_a_head_on_which_the_branchs_regression_shows_may_have_inherited_it() -> None:
    verdict, why = at_head([run("FAIL", "new", 30), run("FAIL", "new", 31)], trunk("P" * 20 + "F" * 6))
    assert verdict == REGRESSION
    assert "inherited" in why


def test_a_head_that_failed_in_a_storm_is_the_infrastructures_fault() -> None:
    calm = [job for hour in range(0, 40, 2) for job in jobs(hour, [(0, f"c{hour:03d}")], 0)]
    sky = weather(jobs_of([*calm, *jobs(30, [(7, "new"), (8, "b"), (9, "c")], 12)]))
    assert at_head([run("FAIL", "new", 30.1), run("FAIL", "new", 30.2)], sky=sky)[0] == INFRA


def test_the_streak_counts_back_from_the_newest_run_at_the_head() -> None:
    rows = [run("FAIL", "new", 1), run("OK", "new", 2), run("SKIPPED", "new", 3), run("OK", "new", 4)]
    streak = pull_streak(rows, 7)
    assert (streak.outcome, streak.length, streak.passes, streak.fails) == ("passing", 2, 2, 1)
    assert streak.contradicted
    assert streak.since == microseconds(rows[1]["check_start_time"])
    told = answer("t", cells_of([*HEALTHY, *rows]), 30, streak=streak)
    assert told.streak is not None
    assert told.streak["since"] == "2026-03-02T10:00:00Z"


def test_a_pull_request_without_runs_says_so() -> None:
    assert pull_streak([], 7).sha is None
    assert at_head([])[1].endswith("no run with a result at its head")


@pytest.mark.parametrize(
    ("path", "name", "home"),
    [
        ("tests/unit/test_a.py", "tests/unit/test_a.py::test_b", True),
        ("tests/unit/test_a.py", "unit/test_a.py::test_b", True),
        ("core/src/test/java/org/acme/FooTest.java", "org.acme.FooTest#bar", True),
        ("src/main/java/org/acme/Foo.java", "org.acme.FooTest#bar", False),
        ("tests/queries/0_stateless/02345_insert_many.sql", "02345_insert_many", True),
        ("pkg/store/store_test.go", "store_test/TestReads", True),
        ("pkg/store/store.go", "TestStoreReads", False),
        ("a.py", "a::b", False),
    ],
)
def test_home_files_are_those_that_the_name_tells(path: str, name: str, home: bool) -> None:
    assert is_home(path, name) is home


def test_churn_counts_merged_pull_requests_only() -> None:
    rows = [
        {"number": 1, "merged_at": START, "affected_file_paths": ["t/x_test.py"]},
        {"number": 2, "merged_at": None, "affected_file_paths": ["t/x_test.py"]},
        {"number": 3, "merged_at": START, "affected_file_paths": ["t/y_test.py"]},
    ]
    assert churn("x_test::case", rows)["pull_requests"] == [1]


DIFF = """diff --git a/t/x_test.py b/t/x_test.py
--- a/t/x_test.py
+++ b/t/x_test.py
@@ -1,3 +10,6 @@ def test_case():
-    time.sleep(9)
+    # time.sleep(1) was here
+    time.sleep(2)
     started = datetime.now()
+    order = random.choice(things)
+    requests.get("https://service.internal/x")
diff --git a/src/app.py b/src/app.py
--- a/src/app.py
+++ b/src/app.py
@@ -1 +1 @@
+time.sleep(5)
"""


def test_smells_are_read_from_lines_that_the_diff_shows_of_the_tests_own_files() -> None:
    found = smells("x_test::case", [{"number": 4, "diff": DIFF}])
    assert [(smell.smell, smell.line) for smell in found] == [
        ("network", 14),
        ("random", 13),
        ("sleep", 11),
        ("wall_clock", 12),
    ]
    assert {smell.path for smell in found} == {"t/x_test.py"}


def test_seeded_randomness_is_no_smell() -> None:
    seeded = DIFF.replace("started = datetime.now()", "random.seed(3)")
    assert "random" not in {smell.smell for smell in smells("x_test::case", [{"number": 4, "diff": seeded}])}


@pytest.mark.parametrize(
    ("line", "smell"),
    [
        ("Thread.sleep(100);", "sleep"),
        ("std::this_thread::sleep_for(1s);", "sleep"),
        ("SELECT sleep(1)", "sleep"),
        ("long t = System.currentTimeMillis();", "wall_clock"),
        ("SELECT now() - event_time", "wall_clock"),
        ("let x = rand::random::<u8>();", "random"),
        ("SELECT generateUUIDv4()", "random"),
        ('os.environ["HOME"] = "/x"', "shared_state"),
        ("static int counter = 0;", "shared_state"),
        ("@FixMethodOrder(NAME_ASCENDING)", "order"),
        ("test.describe.serial('a', () => {})", "order"),
        ('urlopen("x")', "network"),
    ],
)
def test_smells_of_many_languages_are_known(line: str, smell: str) -> None:
    diff = f"+++ b/t/x_test.src\n@@ -0,0 +1 @@\n+{line}\n"
    assert smell in {found.smell for found in smells("x_test", [{"number": 1, "diff": diff}])}


@pytest.mark.parametrize(
    "line", ["static final int N = 3;", "assert sleepless", "url = 'http://localhost:80'", "x = 1"]
)
def test_plain_lines_do_not_smell(line: str) -> None:
    diff = f"+++ b/t/x_test.src\n@@ -0,0 +1 @@\n+{line}\n"
    assert smells("x_test", [{"number": 1, "diff": diff}]) == []


def test_nothing_like_it_gives_no_names() -> None:
    assert similar_names("alphaBetaGamma", ["delta", "epsilon_zeta"]) == []
    assert similar_names("test_READ", ["test_read", "test_write"])[0] == "test_read"
