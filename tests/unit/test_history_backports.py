"""Versions in order, first builds, and which release branch lacks a fix."""

import random
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.tracker.history.backports import Board, Record, backport_gap
from services.tracker.history.conventions import carries, reverted
from services.tracker.history.first_build import commit_order, first_builds
from services.tracker.history.versions import in_order, release_line, same_branch, version

ROOT = Path(__file__).resolve().parents[2]
LIMIT_S = 60.0
DAY = datetime(2026, 3, 1, tzinfo=UTC)


def day(number: float) -> datetime:
    return DAY + timedelta(days=number)


def pull(number: int, base: str = "main", state: str = "merged", **more) -> dict:
    row = {"number": number, "title": f"change {number}", "body": "", "state": state, "base_ref": base, "head_ref": "x"}
    row |= {"merged_at": day(number)} if state == "merged" else {"merged_at": None}
    return row | more


def build(name: str, branch: str, at: float, pr: int = 0, sha: str = "") -> dict:
    return {"version": name, "branch": branch, "sha": sha or f"{name}-sha", "pr_number": pr, "built_at": day(at)}


def test_versions_are_ordered_by_numbers_and_never_as_text() -> None:
    texts = ["v1.10.0", "1.9.3", "1.2", "1.10.0-rc.2", "1.10.0-rc.10", "1.10.0-beta1", "1.10.0-hotfix1", "nightly"]
    assert in_order(texts) == [
        "nightly",
        "1.2",
        "1.9.3",
        "1.10.0-beta1",
        "1.10.0-rc.2",
        "1.10.0-rc.10",
        "v1.10.0",
        "1.10.0-hotfix1",
    ]


def test_calendar_versions_and_dates_are_ordered_too() -> None:
    assert in_order(["26.10.1.5-lts", "26.9.44.1", "25.12.3"]) == ["25.12.3", "26.9.44.1", "26.10.1.5-lts"]
    assert in_order(["2026-10-01", "2026-09-30", "2025.12.31"]) == ["2025.12.31", "2026-09-30", "2026-10-01"]


def test_equal_versions_may_be_written_differently() -> None:
    assert version("v1.2.0") == version("1.2") == version("release/1.2.0+build7") == version("1.2-stable")
    assert version("none") is None


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 30), min_size=1, max_size=4).map(lambda ns: ".".join(map(str, ns))), max_size=8)
)
def test_the_order_of_versions_does_not_depend_on_the_order_given(texts) -> None:
    assert in_order(texts) == in_order(texts[::-1])


@pytest.mark.parametrize(
    "name", ["26.1", "release/26.1", "v26.1.x", "release-26.1", "branch-26.1", "26.1-lts", "stable/26.1"]
)
def test_names_of_one_release_branch_are_one(name: str) -> None:
    assert same_branch(name, "26.1")
    assert not same_branch(name, "26.10")


@pytest.mark.parametrize("name", ["main", "feature/2fa", "backport/26.1/123", "fix-26", "", "dependabot/pip/x-2.1"])
def test_other_branches_are_no_release_branches(name: str) -> None:
    assert release_line(name) is None


@pytest.mark.parametrize(
    "row",
    [
        {"backport_of": 7},
        {"title": "Backport #7 to 26.1: keep the order"},
        {"title": "[Backport 26.1] keep the order (#7)"},
        {"title": "[26.1] keep the order (#7)"},
        {"title": "keep the order (backport of #7)"},
        {"head_ref": "backport/26.1/7"},
        {"head_ref": "mergify/bp/26.1/pr-7"},
        {"head_ref": "backport-7-to-26.1"},
        {"body": "Backports Acme/db#7."},
        {"body": "(cherry picked from commit abcdef0123)"},
    ],
)
def test_backports_are_known_by_the_usual_ways_of_naming_them(row: dict) -> None:
    found = carries(pull(70, "26.1") | row, 7, "abcdef0123456789")
    assert found is not None
    assert found.branch == "26.1"
    assert carries(pull(70, "26.1") | row, 8, "ffff") is None


def test_a_mention_is_no_backport() -> None:
    assert carries(pull(70, "26.1", body="See #7 for the reason.", title="Fix the build (#7 broke it)"), 7) is None
    assert carries(pull(70, "26.1", title='Revert "Backport #7 to 26.1"'), 7) is None
    assert reverted(pull(70, body="Reverts Acme/db#71")) == {71}


FIX = pull(7, merge_sha="abcdef0123456789")
RELEASES = [{"version": f"26.{n}.1", "branch": f"26.{n}", "state": "released"} for n in (1, 2, 10)]


def gaps(*rows, issue=None, history=(), releases=RELEASES, fixes=(7,)) -> dict[str, str]:
    found = backport_gap(fixes, Record([FIX, *rows], history, releases), issue)
    return {gap.branch: gap.status for gap in found}


def test_what_stands_in_the_place_of_a_number_may_be_any_length() -> None:
    digits = "9" * 5_000
    row = pull(2, title=f"Backport #{digits}", body=f"Reverts #{digits}", head_ref=f"backport/{digits}/1.1")
    assert reverted(row) == set()
    assert carries(row, 1) is None
    assert (version(digits), release_line(f"release/1.{digits}")) == (None, None)
    assert version(f"1.2-rc{digits}") < version("1.2")


def test_branches_are_listed_newest_first_and_lack_what_nobody_carried() -> None:
    assert list(gaps().items()) == [("26.10", "missing"), ("26.2", "missing"), ("26.1", "missing")]


def test_a_merged_backport_is_present_an_open_one_in_flight_a_closed_one_missing() -> None:
    found = gaps(
        pull(71, "26.1", title="Backport #7 to 26.1"),
        pull(72, "release/26.2", "open", backport_of=7),
        pull(73, "26.10", "closed", title="Backport #7 to 26.10"),
    )
    assert found == {"26.10": "missing", "26.2": "in_flight", "26.1": "present"}


def test_a_closed_backport_is_named_as_the_evidence() -> None:
    record = Record([FIX, pull(73, "26.1", "closed", title="Backport #7 to 26.1")], (), RELEASES[:1])
    (gap,) = backport_gap([7], record)
    assert (gap.status, gap.evidence, gap.pull_request) == ("missing", ("#73 was closed without being merged",), 73)


def test_a_second_try_counts_and_not_the_closed_first() -> None:
    tries = [pull(71, "26.1", "closed", backport_of=7), pull(75, "26.1", backport_of=7)]
    assert gaps(*tries)["26.1"] == "present"


def test_a_merged_preparatory_cherry_pick_alone_brings_nothing_to_the_branch() -> None:
    step = pull(71, "backport/26.1/7", title="Cherry pick #7 to 26.1: keep the order")
    assert gaps(step)["26.1"] == "in_flight"
    assert gaps(step, pull(72, "26.1", title="Backport #7 to 26.1"))["26.1"] == "present"


def test_a_reverted_backport_is_missing_again() -> None:
    rows = [pull(71, "26.1", backport_of=7), pull(76, "26.1", title="Revert", body="Reverts Acme/db#71")]
    assert gaps(*rows)["26.1"] == "missing"
    assert gaps(*rows, pull(78, "26.2", backport_of=7))["26.2"] == "present"
    assert gaps(rows[0], pull(76, "26.1", title='Revert "Backport #7 to 26.1"'))["26.1"] == "missing"


def test_a_fix_carried_again_after_the_revert_is_present() -> None:
    rows = [pull(71, "26.1", backport_of=7), pull(76, "26.1", title="Revert", body="Reverts Acme/db#71")]
    assert gaps(*rows, pull(79, "26.1", backport_of=7))["26.1"] == "present"


def test_a_fix_merged_into_the_release_branch_itself_is_present() -> None:
    assert backport_gap([9], Record([pull(9, "26.1")], (), RELEASES[:1]))[0].status == "present"


def test_a_build_of_the_branch_with_the_fix_is_present_by_number_or_sha() -> None:
    assert gaps(history=[build("26.1.5.1", "26.1", 20, pr=7)])["26.1"] == "present"
    assert gaps(history=[build("26.1.5.1", "26.1", 20, sha="abcdef0123456789")])["26.1"] == "present"


@pytest.mark.parametrize("turn", [1, -1])
def test_the_build_that_is_named_is_the_first_with_the_fix(turn: int) -> None:
    builds = [build(f"1.1.{patch}", "release/1.1", patch, pr=1) for patch in (9, 10, 11)]
    [gap] = backport_gap([1], Record([pull(1)], builds[::turn]))
    assert gap.evidence == ("version 1.1.9 was built with it",)


def test_a_board_says_of_each_fix_what_it_says_of_one_alone() -> None:
    pulls = [pull(1), pull(2), pull(3, base="release/1.1", title="Backport #1"), pull(4, title="Revert #2")]
    record = Record(pulls, [build("1.2.0", "release/1.2", 9, pr=2)], [{"version": "1.0.0", "branch": "1.0"}])
    board = Board(record)
    assert [board.gaps([fix]) for fix in (1, 2)] == [backport_gap([fix], record) for fix in (1, 2)]
    assert board.gaps([1]) != board.gaps([2])


def gap_of(branch: str, *pulls: dict, fix: int = 5, history=()) -> tuple[str, str]:
    [gap] = [gap for gap in backport_gap([fix], Record(pulls, history), None, [branch]) if gap.branch == branch]
    return gap.status, gap.evidence[0]


def test_a_branch_cut_after_the_fix_was_taken_back_lacks_it() -> None:
    fix, back = pull(5), pull(11, title='Revert "change 5"', body="Reverts acme/db#5")
    history = [build("3.2.0-dev", "main", 6, pr=5), build("3.2.0", "release/3.2", 20)]
    assert gap_of("release/3.2", fix, history=history)[0] == "present"
    assert gap_of("release/3.2", fix, back, history=history) == ("missing", "#11 took it back")
    late = {**back, "merged_at": day(21)}
    assert gap_of("release/3.2", fix, late, history=history)[0] == "present"
    again = pull(12, title='Reapply "change 5"', body="Reverts acme/db#11")
    assert gap_of("release/3.2", fix, back, again, history=history)[0] == "present"


def test_a_branch_needs_a_fix_that_was_taken_back_or_the_one_that_came_after() -> None:
    fix, back, again = pull(5), pull(11, body="Reverts acme/db#5"), pull(12, title="another try")
    builds = [build("3.3.0-dev.1", "main", 5, pr=5), build("3.3.0-dev.9", "main", 12, pr=12)]
    for cut, version_of_it, status in (
        (4, "3.2.9", "missing"),
        (8, "3.3.0-dev.2", "present"),
        (20, "3.4.0", "present"),
    ):
        history = [*builds, build(version_of_it, "release/3.4", cut)]
        [gap] = backport_gap([5, 12], Record([fix, back, again], history))
        assert (cut, gap.status) == (cut, status)
    between = [*builds, build("3.3.0-dev.5", "release/3.4", 11.5)]
    assert [gap.status for gap in backport_gap([5, 12], Record([fix, back, again], between))] == ["missing"]


def test_a_revert_that_was_taken_back_takes_nothing_back() -> None:
    line = "release/3.1"
    carried = [pull(5), pull(20, line, title="Backport #5 to 3.1")]
    back = pull(21, line, title='Revert "Backport #5 to 3.1"', body="Reverts acme/db#20")
    again = pull(22, line, title='Revert "Revert "Backport #5 to 3.1""', body="Reverts acme/db#21")
    assert gap_of(line, *carried, back) == ("missing", "#21 took it back")
    assert gap_of(line, *carried, back, again)[0] == "present"


def test_an_open_fix_of_the_release_branch_itself_is_in_flight() -> None:
    assert gap_of("release/3.1", pull(5, "release/3.1", "open")) == ("in_flight", "#5 is open against it")


def test_a_branch_of_two_names_began_once() -> None:
    history = [build("3.1.1.10", "3.1", 1), build("3.1.1.20", "main", 10, pr=5), build("3.1.2.1", "release/3.1", 20)]
    assert [gap.status for gap in backport_gap([5], Record([pull(5)], history))] == ["missing"]
    named = [build("3.1.1.10", "3.1", 1, pr=5), build("3.1.2.1", "release/3.1", 20, pr=5)]
    assert [found.version for found in first_builds(named, pulls=[pull(5)])] == ["3.1.1.10"]


def test_a_build_without_a_pull_request_is_nobodys() -> None:
    assert first_builds([build("1.0.0", "1.0", 1)], numbers=[0]) == []


def test_a_long_text_of_reverts_does_not_hold_the_process_up() -> None:
    """In a process of its own: where it hangs, it holds the interpreter's lock, and nothing in here could end it.

    Without bounds in the pattern a third of this text takes 50 s, and the time grows with the square.
    """
    asked = "from services.tracker.history.conventions import reverted; import sys; "
    asked += "sys.exit(reverted({'body': 'revert-' * 15_000 + ' #4'}) != {4})"
    done = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, timeout=LIMIT_S)
    assert done.returncode == 0


def test_a_branch_cut_after_the_fix_has_it_and_an_older_branch_built_later_has_not() -> None:
    history = [build("26.2.1.7", "main", 8, pr=7), build("26.2.1.90", "26.2", 20), build("26.1.9.1", "26.1", 30)]
    assert gaps(history=history) == {"26.10": "missing", "26.2": "present", "26.1": "missing"}


def test_branches_that_the_issue_does_not_affect_do_not_need_it() -> None:
    assert gaps(issue={"affected_branches": ["release/26.1"]}) == {
        "26.10": "not_needed",
        "26.2": "not_needed",
        "26.1": "missing",
    }


def test_a_branch_without_the_cause_does_not_need_the_fix() -> None:
    cause = pull(3)
    history = [build("26.2.1.3", "main", 4, pr=3), build("26.2.1.5", "26.2", 5), build("26.1.4.1", "26.1", 5)]
    found = gaps(cause, issue={"caused_by": [3]}, history=history)
    assert (found["26.1"], found["26.2"]) == ("not_needed", "missing")


def test_a_branch_whose_builds_nobody_recorded_is_not_known_to_lack_the_cause() -> None:
    assert gaps(pull(3), issue={"caused_by": [3]})["26.1"] == "missing"


def test_ended_branches_do_not_need_it() -> None:
    ended = [{"version": "26.1.9", "branch": "26.1", "state": "EOL"}, RELEASES[1]]
    assert gaps(releases=ended) == {"26.2": "missing", "26.1": "not_needed"}


def test_a_branch_needs_every_fix_of_the_issue() -> None:
    rows = [pull(8), pull(71, "26.1", backport_of=7)]
    assert gaps(*rows, fixes=(7, 8))["26.1"] == "missing"
    assert gaps(*rows, pull(81, "26.1", backport_of=8), fixes=(7, 8))["26.1"] == "present"


def test_gaps_do_not_depend_on_the_order_of_rows() -> None:
    rows = [
        FIX,
        pull(71, "26.1", backport_of=7),
        pull(72, "26.2", "open", backport_of=7),
        pull(73, "26.2", "closed", backport_of=7),
    ]
    history = [build("26.2.1.7", "main", 8, pr=7), build("26.10.1.1", "26.10", 20), build("26.1.9.1", "26.1", 30)]
    expected = backport_gap([7], Record(rows, history, RELEASES))
    for seed in range(10):
        mixed = [random.Random(seed).sample(part, len(part)) for part in (rows, history, RELEASES)]
        assert backport_gap([7], Record(*mixed)) == expected


def test_the_first_build_is_the_lowest_version_and_not_the_first_text() -> None:
    history = [build("26.2.1.10", "main", 9, pr=7), build("26.2.1.9", "main", 8, pr=7)]
    assert [found.version for found in first_builds(history, numbers=[7])] == ["26.2.1.9"]


def test_each_branch_has_its_first_build_and_its_first_release() -> None:
    history = [
        build("26.2.1.7", "main", 8, pr=7),
        build("26.2.1.90", "26.2", 20),
        build("26.1.9.1", "26.1", 30, pr=71),
        build("26.1.10.1", "26.1", 31, pr=72),
    ]
    releases = [
        {"version": "26.1.10", "branch": "26.1", "released_at": day(40)},
        {"version": "26.1.9", "branch": "26.1", "released_at": day(29)},
        {"version": "26.2.2", "branch": "26.2", "released_at": day(25)},
        {"version": "26.2.9", "branch": "26.2", "released_at": None},
    ]
    found = first_builds(history, releases, pulls=[FIX, pull(71, "26.1")])
    assert [(one.branch, one.version, one.evidence, one.release) for one in found] == [
        ("26.1", "26.1.9.1", "recorded", "26.1.10"),
        ("main", "26.2.1.7", "recorded", None),
        ("26.2", "26.2.1.90", "cut_after", "26.2.2"),
    ]


def test_commits_are_ordered_along_their_branch_by_version_for_judging_what_is_fixed() -> None:
    history = [
        build("1.10", "main", 2, sha="b" * 40),
        build("1.9", "main", 3, sha="a" * 40),
        build("1.9", "x", 1, sha="c" * 40),
    ]
    assert commit_order(history, "main", ["a" * 40, "b" * 8, "c" * 40, "d" * 40]) == {"a" * 40: 0, "b" * 8: 1}


def test_a_sha_is_found_by_its_beginning() -> None:
    history = [build("1.1", "main", 3, sha="abcdef0123456789")]
    assert first_builds(history, shas=["abcdef01"])[0].version == "1.1"
    assert first_builds(history, shas=["abc"]) == []


def test_without_a_record_of_the_change_the_date_of_merging_tells_and_says_so() -> None:
    history = [build("1.0", "main", 5), build("1.1", "main", 8), build("1.2", "main", 9)]
    found = first_builds(history, pulls=[pull(7)])
    assert [(one.version, one.evidence) for one in found] == [("1.1", "by_date")]
    assert first_builds(history, pulls=[pull(7, "main", "open")]) == []
