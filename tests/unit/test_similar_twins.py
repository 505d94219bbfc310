"""Titles that tell two reports apart, and tickets that are about the work."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.tracker.similar.process import SERIES, is_process
from services.tracker.similar.statistics import Statistics, of_rows
from services.tracker.similar.twins import conflicts, difference


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Crash in login", "Crash in login form"),
        ("Login crash", "Login crash"),
        ("Login fails on Chrome", "Login fails"),
        ("Upload stalls at 2 GB", "Download of reports is empty"),
        ("Android: search", "iOS: upload"),
        ("", ""),
    ],
)
def test_titles_that_differ_otherwise_or_not_at_all_are_no_twins(one: str, other: str) -> None:
    assert difference(one, other) == ""


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("Left button is cut off", "Right button is cut off", "opposite"),
        ("Crash on iPhone at start", "Crash on Android at start", "platform"),
        ("Cleanup", "Cleanup #2", "number"),
        ("Part two of the store", "Part three of the store", "number"),
    ],
)
def test_twins_are_told_by_what_differs(one: str, other: str, kind: str) -> None:
    assert difference(one, other) == difference(other, one) == kind


def test_names_of_one_platform_are_one() -> None:
    assert difference("Crash on iPhone at start", "Crash on iOS at start") == ""
    assert not conflicts("OSX: menu is grey", "macOS: menu stays grey")
    assert conflicts("Android: menu is grey", "iOS: other words altogether")


@pytest.mark.parametrize(
    "title",
    [
        "Release checklist 2.4",
        "[Release] 2.4",
        "Release 2.4.1",
        "Tracking issue: new storage",
        "Bump version to 3.1",
        "Update changelog",
        "Prepare the 2.4 release",
        "Backport #123 to 2.3",
        "Audit all usages of the old client",
        "QA sign-off for 2.4",
    ],
)
def test_tickets_about_the_work_are_told_by_their_titles(title: str) -> None:
    assert is_process(title, "", (), Statistics())


@pytest.mark.parametrize(
    "title",
    [
        "Audit log loses entries for deleted users",
        "Release notes page is blank",
        "Release 2.4.1 crashes on start",
        "release-notes generator fails",
        "Make lock release idempotent",
        "Update version dropdown crashes",
        "Triage bot posts twice",
        "Backport tool fails to start",
        "meta: viewport tag is ignored",
        "Checklist widget forgets its state",
        "Tracking pixels are blocked",
    ],
)
def test_defects_in_such_things_are_no_tickets_about_the_work(title: str) -> None:
    assert not is_process(
        title, "It fails.\n- [x] I searched\n- [ ] second box\nand more text\nand more", ("bug",), Statistics()
    )


def test_a_series_is_a_template_from_its_fifth_report_on() -> None:
    rows = [(f"Rotate keys of cluster {number}", "") for number in range(SERIES)]
    assert is_process("Rotate keys of cluster 77", "", (), of_rows(rows))
    assert not is_process("Rotate keys of cluster 77", "", (), of_rows(rows[1:]))


@given(st.text(), st.text())
def test_no_title_breaks_the_rules_and_twins_are_mutual(one: str, other: str) -> None:
    assert difference(one, other) == difference(other, one)
    is_process(one, other, (other,), Statistics())
