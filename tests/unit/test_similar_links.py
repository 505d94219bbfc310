"""Which pull request fixed an issue."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.tracker.similar.link import Pull, closeness, link, pull_statistics
from tests.support.similar import REPO, START, report

HIGHEST = {REPO: 10_000}
ISSUE = report(
    10, "Ledger drops entries during compaction", "Seen in readSnapshot.", closed_at=START + timedelta(days=30)
)


def pull(number: int, title: str, body: str = "", **given: object) -> Pull:
    facts = {"merged_at": START + timedelta(days=30)} | given
    return Pull(f"{REPO}#{number}", number, title, body, **facts)


_TOPICS = "docs build theme icons parser menu fonts cache colors tabs"
OTHERS = [
    pull(2_000 + place, f"Update {word}", merged_at=START + timedelta(days=20 + place))
    for place, word in enumerate(_TOPICS.split())
]


def ranked(*pulls: Pull, issue: object = ISSUE) -> list[int]:
    given = [*OTHERS, *pulls]
    return [int(item.pull.rpartition("#")[2]) for item in link(issue, given, pull_statistics(given), HIGHEST)]  # type: ignore[arg-type]


def test_the_change_of_the_same_words_comes_first() -> None:
    assert ranked(pull(1, "Keep ledger entries during compaction"))[0] == 1


def test_of_two_alike_the_one_nearer_to_the_resolution_comes_first() -> None:
    near, far = (
        pull(number, "Keep ledger entries", merged_at=START + timedelta(days=day))
        for number, day in ((1, 31), (2, 300))
    )
    assert ranked(far, near)[:2] == [1, 2]


def test_what_was_merged_before_the_issue_was_filed_fixed_nothing() -> None:
    assert 1 not in ranked(pull(1, ISSUE.title, merged_at=START))


def test_a_written_link_stands_above_all_others_and_reaches_the_least_score() -> None:
    written = pull(1, "Rework", "Fixes #10", merged_at=START + timedelta(days=900))
    given = [*OTHERS, written, pull(2, ISSUE.title)]
    found = link(ISSUE, given, pull_statistics(given), HIGHEST)
    assert found[0].pull == f"{REPO}#1"
    assert found[0].is_written and found[0].score >= 1.0


def test_numbers_that_the_record_gives_count_as_written() -> None:
    found = link(ISSUE, [pull(1, "Rework", closes=(10,))], pull_statistics([]), HIGHEST)
    assert found[0].is_written


@pytest.mark.parametrize("body", ["`fixes #10`", "does not fix #10", "see #10"])
def test_a_mere_mention_is_evidence_and_no_link(body: str) -> None:
    (found,) = link(ISSUE, [pull(1, "Rework", body)], pull_statistics([]), HIGHEST)
    assert not found.is_written
    assert "mentioned" in found.evidence and found.claims


def test_a_pr_that_was_merged_elsewhere_is_evidence_with_its_reason() -> None:
    (found,) = link(ISSUE, [pull(1, "Rework", "Fixes #10", merged_elsewhere=True)], pull_statistics([]), HIGHEST)
    assert not found.is_written
    assert [claim.reason for claim in found.claims] == ["merged_elsewhere"]


def test_frames_identifiers_and_component_found_in_a_change_speak_for_it() -> None:
    issue = report(10, "Abort", "It ends.\n    at acme.Ledger.append(Ledger.java:4)\nin readSnapshot", component="store",
                   closed_at=START + timedelta(days=30))  # fmt: skip
    touching = pull(1, "Rework", diff="+ void append() { readSnapshot(); }", component="store")
    assert ranked(touching, pull(2, "Rework", diff="+ nothing"), issue=issue)[0] == 1
    evidence = link(issue, [touching], pull_statistics([]), HIGHEST)[0].evidence
    assert {"frames", "identifiers", "component"} <= set(evidence)


@given(st.permutations(range(12)))
def test_links_do_not_depend_on_the_order_of_pulls(order: list[int]) -> None:
    given = [*OTHERS, pull(1, "Keep ledger entries"), pull(2, "Keep ledger entries")]
    statistics = pull_statistics(given)
    assert link(ISSUE, [given[place] for place in order], statistics, HIGHEST) == link(
        ISSUE, given, statistics, HIGHEST
    )


@given(st.text(), st.text())
def test_no_text_breaks_a_link(title: str, body: str) -> None:
    link(report(10, title, body), [pull(1, body, title, diff=body, head_ref=title)], pull_statistics([]), HIGHEST)


def test_closeness_falls_with_the_days_and_is_middling_where_nothing_is_known() -> None:
    day = START + timedelta(days=1)
    assert closeness(START, START) == 1.0
    assert 1.0 > closeness(START, day) > closeness(START, START + timedelta(days=90)) > 0
    assert closeness(None, START) == closeness(START, None) == 0.5
