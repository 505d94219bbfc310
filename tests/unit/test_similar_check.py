"""The duplicate check: its verdicts, and the rules that keep them honest."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.tracker.similar import buckets, caps
from services.tracker.similar.check import check, nearest
from services.tracker.similar.model import Candidate, Draft, Verdict
from services.tracker.similar.statistics import Statistics
from tests.support.similar import OK, REPO, START, background, draft, fit, report, statistics

TITLE = "Compaction of a snapshot drops the newest ledger entries"
BODY = (
    "After compaction the ledger misses what was written while the snapshot was taken; readSnapshot returns old pages."
)
TARGET = report(500, TITLE, BODY)
STATISTICS = statistics(TARGET)


def asked(
    one: Draft, *more: Candidate, known: Statistics = STATISTICS, served: object = "default", **legs: str
) -> Verdict:
    chosen = fit() if served == "default" else served
    return check(one, [*background(), *more], known, chosen, OK | legs)  # type: ignore[arg-type]


def caps_of(found: Verdict, number: int) -> tuple[str, ...]:
    return next(item.caps for item in found.nearest if item.candidate.number == number)


def test_a_report_that_says_the_same_is_the_duplicate() -> None:
    found = asked(draft(TITLE, BODY), TARGET)
    assert (found.verdict, found.epistemic) == ("duplicate_of", "calibrated")
    assert found.items[0].candidate.number == 500
    assert found.confidence is not None and found.confidence >= 0.6
    assert "same_title" in found.items[0].why
    assert f"{REPO}#500" in found.answer


def test_nothing_alike_gives_none_with_no_items() -> None:
    found = asked(
        draft("Printer driver rejects landscape paper", "Trays jam when envelopes are fed sideways into it."), TARGET
    )
    assert (found.verdict, found.items) == ("none", ())


def test_without_a_fit_the_verdict_is_related_at_most_and_has_no_confidence() -> None:
    found = asked(draft(TITLE, BODY), TARGET, served=None)
    assert (found.verdict, found.epistemic, found.confidence) == ("related", "uncalibrated", None)
    assert "no_fit" in found.reasons


def test_a_fit_that_has_not_shown_its_precision_serves_no_duplicate_verdict_and_says_so() -> None:
    found = asked(draft(TITLE, BODY), TARGET, served=fit(serves_duplicates=False, reason="precision_too_low"))
    assert found.verdict == "related"
    assert "precision_too_low" in found.reasons
    assert found.threshold is None


@pytest.mark.parametrize("state", ["timeout", "circuit_open", "unreachable"])
def test_a_silent_leg_degrades_and_clears_nothing(state: str) -> None:
    found = asked(draft("Printer driver rejects landscape paper", BODY[:10]), frames=state)
    assert (found.verdict, found.epistemic, found.confidence) == ("none", "degraded", None)
    assert "clears nothing" in found.answer


def test_a_silent_tracker_degrades_like_a_leg() -> None:
    assert asked(draft(TITLE, BODY), TARGET, **{"tracker:other": "timeout"}).epistemic == "degraded"


@pytest.mark.parametrize("state", ["off", "not_provided", "not_asked"])
def test_a_leg_that_nobody_asked_degrades_nothing(state: str) -> None:
    assert asked(draft(TITLE, BODY), TARGET, vectors=state).epistemic == "calibrated"


def test_when_nothing_answered_nothing_is_known() -> None:
    found = check(draft(TITLE, BODY), [], STATISTICS, fit(), dict.fromkeys(OK, "timeout"))
    assert (found.verdict, found.epistemic) == ("none", "unavailable")


def test_a_younger_report_is_no_target() -> None:
    younger = replace(TARGET, created_at=START + timedelta(days=1_001))
    assert all(item.candidate.number != 500 for item in asked(draft(TITLE, BODY), younger).nearest)


def test_the_draft_itself_is_no_target() -> None:
    found = asked(draft(TITLE, BODY, number=500, created_at=TARGET.created_at), TARGET)
    assert all(item.candidate.number != 500 for item in found.nearest)


def test_reports_of_one_instant_are_ordered_by_number() -> None:
    one = draft(TITLE, BODY, number=501, created_at=TARGET.created_at)
    assert asked(one, TARGET).verdict == "duplicate_of"
    assert not buckets.is_older(TARGET, replace(one, number=499))


def test_the_target_is_the_root_of_its_chain() -> None:
    root, middle = report(300, "Ledger loses entries"), report(400, "Entries vanish", duplicate_of=300)
    found = asked(draft(TITLE, BODY), root, middle, replace(TARGET, duplicate_of=400))
    assert found.verdict == "duplicate_of"
    assert found.items[0].candidate.number == 300
    assert set(found.items[0].members) == {f"{REPO}#400", f"{REPO}#500"}


def test_a_cycle_of_duplicates_never_answers_duplicate_of() -> None:
    other = report(499, "Entries vanish", duplicate_of=500)
    found = asked(draft(TITLE, BODY), other, replace(TARGET, duplicate_of=499))
    assert found.verdict == "related"
    assert caps.CYCLE in found.items[0].caps


def test_a_root_that_was_not_read_caps_at_related_and_is_named_as_missing() -> None:
    lone = replace(TARGET, duplicate_of=77_000)
    assert buckets.missing([lone]) == {f"{REPO}#77000"}
    found = asked(draft(TITLE, BODY), lone)
    assert found.verdict == "related" and caps.ROOT_UNKNOWN in found.items[0].caps


def test_a_root_that_is_younger_than_the_draft_is_no_target() -> None:
    young = report(900, "Ledger loses entries", created_at=START + timedelta(days=2_000))
    assert asked(draft(TITLE, BODY), replace(TARGET, duplicate_of=900), young).verdict == "related"


def test_a_closed_and_fixed_target_reads_as_a_possible_regression() -> None:
    fixed = replace(TARGET, state="closed", fixed_by=(12,), fix_release="2.1")
    found = asked(draft(TITLE, BODY), fixed)
    assert found.verdict == "duplicate_of"
    assert "regression of" in found.answer and "closed, fixed in 2.1" in found.answer


def test_a_closed_target_without_a_fix_is_no_regression() -> None:
    assert "regression" not in asked(draft(TITLE, BODY), replace(TARGET, state="closed")).answer


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("Android: {}", "iOS: {}", "platform"),
        ("{} #2", "{} #3", "number"),
        ("Phase 1: {}", "Phase 2: {}", "number"),
        ("{} on 2.13.1", "{} on 2.13.2", "version"),
        ("{} on pixel6", "{} on pixel7", "model"),
        ("{} in Store.readAll", "{} in Store.writeAll", "name"),
        ("{} #2", "{}", "number"),
    ],
)
def test_titles_that_differ_only_by_what_tells_two_reports_apart_are_related_at_most(
    one: str, other: str, kind: str
) -> None:
    target = replace(TARGET, title=other.format(TITLE))
    found = asked(draft(one.format(TITLE), BODY), target, served=fit(threshold=0.5))
    assert found.verdict == "related"
    assert f"{caps.TWIN}{kind}" in caps_of(found, 500)


def test_a_title_that_says_one_platform_more_is_no_twin() -> None:
    assert asked(draft(f"{TITLE} on Windows", BODY), TARGET).verdict == "duplicate_of"


@pytest.mark.parametrize(
    "changed",
    [
        {"title": f"Tracking issue: {TITLE}"},
        {"labels": ("kind/checklist",)},
        {"body": f"- [ ] {BODY}\n- [x] second\n- [ ] third"},
    ],
)
def test_a_process_ticket_is_no_target(changed: dict) -> None:
    found = asked(draft(TITLE, BODY), replace(TARGET, **changed))
    assert found.verdict != "duplicate_of"
    assert caps.PROCESS in caps_of(found, 500)


def test_a_title_that_many_reports_have_but_for_its_digits_is_a_template() -> None:
    serial = [report(100 + week, f"Audit sweep of the ledger, round {week}", BODY) for week in range(6)]
    found = asked(draft("Audit sweep of the ledger, round 9", BODY), *serial, known=statistics(*serial))
    assert found.verdict != "duplicate_of"
    assert all(caps.PROCESS in item.caps for item in found.nearest if item.candidate.number >= 100)


def test_lines_that_many_earlier_reports_share_find_nobody() -> None:
    template = "Describe what you expected\nEnvironment: production cluster of nine nodes, version 3"
    others = [report(100 + place, f"{word} topic", template) for place, word in enumerate("abcdefghijkl")]
    known = statistics(*others)
    found = asked(draft("Printer driver rejects landscape paper", template), *others, known=known)
    assert (found.verdict, found.items) == ("none", ())


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("", ""),
        ("It does not work", ""),
        ("Error: unexpected error", "An error occurred. Please try again."),
        ("what is the", "it is"),
        ("stalls", ""),
    ],
)
def test_a_draft_that_says_nothing_gives_none(title: str, body: str) -> None:
    same = report(500, title, body)
    found = asked(draft(title, body), same, known=statistics(same))
    assert (found.verdict, found.items) == ("none", ())
    assert nearest(draft(title, body), [same], STATISTICS, None) == []


def test_only_words_that_every_report_has_in_common_are_no_overlap() -> None:
    other = report(500, "Unexpected error: request failed", "The test fails with an error.")
    one = draft("Unexpected error: login failed", "The printer jams and the test fails with an error.")
    assert asked(one, other, known=statistics(other)).verdict == "none"


def test_a_short_title_needs_more_than_itself() -> None:
    short = report(500, "Ledger corruption")
    found = asked(draft("Ledger corruption"), short, known=statistics(short), served=fit(threshold=0.5))
    assert found.verdict == "related"
    assert caps.SHORT_TITLE in caps_of(found, 500)


@pytest.mark.parametrize(
    "evidence",
    [
        {"body": "Pages of the journal vanish while replicas restart under heavy load."},
        {"frames": ("acme::Ledger::append", "acme::Store::flush")},
        {"error_codes": ("LDG-1042",)},
    ],
)
def test_a_short_title_is_borne_out_by_body_frames_or_codes(evidence: dict) -> None:
    short = report(500, "Ledger corruption", **evidence)
    found = asked(draft("Ledger corruption", **evidence), short, known=statistics(short))
    assert caps.SHORT_TITLE not in caps_of(found, 500)


def test_equal_frames_under_another_error_are_related_at_most() -> None:
    stack = "\n    at acme.Ledger.append(Ledger.java:10)\n    at acme.Store.flush(Store.java:20)"
    target = replace(TARGET, body=f"IOError: disk full{stack}")
    found = asked(draft(TITLE, f"IndexOutOfBoundsException: 3{stack}"), target, served=fit(threshold=0.5))
    assert found.verdict == "related"
    assert caps.OTHER_ERROR in caps_of(found, 500)


def test_equal_frames_alone_find_a_report_in_other_words() -> None:
    stack = ("acme::Ledger::append", "acme::Store::flush", "acme::Node::tick")
    target = report(500, "Abort at night", frames=stack)
    found = asked(draft("Process ends while nobody looks", frames=stack), target, known=statistics(target))
    assert found.nearest[0].candidate.number == 500
    assert "stack_frames" in found.nearest[0].why


def test_what_the_draft_names_is_related() -> None:
    other = report(500, "Journal grows without bounds")
    found = asked(draft("Printer driver rejects landscape paper", "As in #500, trays jam sideways."), other)
    assert found.verdict == "related"
    assert [item.candidate.number for item in found.items] == [500]


def test_a_report_of_the_very_title_is_related_whatever_the_fit_makes_of_it() -> None:
    found = asked(draft(TITLE), TARGET, served=fit(related=1.0, threshold=1.0))
    assert (found.verdict, [item.candidate.number for item in found.items]) == ("related", [500])


def test_a_report_of_nearly_the_same_text_is_related_whatever_the_fit_makes_of_it() -> None:
    strict = fit(related=1.0, related_without=1.0, threshold=1.0)
    found = asked(draft(f"{TITLE}, again", f"{BODY} Seen here too."), TARGET, served=strict)
    assert (found.verdict, [item.candidate.number for item in found.items]) == ("related", [500])
    assert asked(draft("Journal grows without end", "Nobody cleans it."), TARGET, served=strict).verdict == "none"


def test_with_and_without_vectors_what_is_related_begins_at_a_probability_of_its_own() -> None:
    one, other = draft("Ledger forgets entries", "They vanish after a while."), replace(TARGET, cosine=0.5)
    blind_only, seeing_only = (fit(related=1.0, related_without=0.0), fit(related=0.0, related_without=1.0))
    assert [asked(one, TARGET, served=made).verdict for made in (blind_only, seeing_only)] == ["related", "none"]
    assert [asked(one, other, served=made).verdict for made in (blind_only, seeing_only)] == ["none", "related"]


def test_vectors_add_a_candidate_and_are_weighed_by_the_fit_alone() -> None:
    near = report(500, "Journal grows", cosine=0.9)
    one = draft("Printer driver rejects landscape paper", "Trays jam when envelopes are fed sideways.")
    assert asked(one, near).verdict == "none"


@settings(max_examples=30, deadline=None)
@given(st.permutations(range(40)), st.booleans())
def test_the_verdict_does_not_change_with_the_order_of_rows(order: list[int], has_fit: bool) -> None:
    rows = [
        *background()[:37],
        TARGET,
        report(499, "Entries vanish", duplicate_of=500),
        replace(TARGET, legs=("frames",)),
    ]
    chosen = fit() if has_fit else None
    one = draft(f"{TITLE} again", BODY)
    assert check(one, [rows[place] for place in order], STATISTICS, chosen, OK) == check(
        one, rows, STATISTICS, chosen, OK
    )


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=300), st.text(max_size=300), st.text(max_size=300))
def test_no_text_breaks_a_check(title: str, body: str, other: str) -> None:
    found = check(draft(title, body), [report(1, other, body), report(2, title, other)], STATISTICS, fit(), OK)
    assert found.verdict in {"duplicate_of", "related", "none"}


def test_without_any_statistics_a_check_still_answers() -> None:
    found = check(draft(TITLE, BODY), [TARGET], Statistics(), None, OK)
    assert found.verdict == "related"


def test_rows_of_the_contract_become_candidates() -> None:
    row = {
        "source_id": f"{REPO}#5",
        "number": 5,
        "title": "x",
        "body": None,
        "labels": ["bug"],
        "duplicate_of": None,
        "author": "a",
    }
    assert Candidate.of(row, cosine=0.4) == Candidate(f"{REPO}#5", 5, "x", labels=("bug",), cosine=0.4)


@pytest.mark.parametrize(
    ("stored", "same"),
    [
        ("[ledger] Stalls while a snapshot is taken", True),
        ("3.0.2: stalls while a snapshot is taken.", True),
        ("ledger - stalls while a snapshot is taken (arm64)", True),
        ("Stalls while a snapshot is deleted", False),
        ("Nightly job that copies backups: stalls while a snapshot is taken", False),
    ],
)
def test_a_title_that_differs_by_what_stands_around_it_is_related_whatever_the_fit_says(
    stored: str, same: bool
) -> None:
    target = report(501, stored, "Nothing else was written down.")
    unsure = fit(related=0.99, related_without=0.99, serves_duplicates=False)
    found = asked(draft("Stalls while a snapshot is taken", ""), target, known=statistics(target), served=unsure)
    assert (found.verdict == "related") is same
    assert ("same_title" in found.nearest[0].why) is same


@pytest.mark.parametrize("title", ["[wal] Crash", "wal: Crash", "[a] [b] (c)"])
def test_a_title_of_a_word_is_not_the_same_as_one_with_another_tag(title: str) -> None:
    target = report(502, "[net] Crash", "Nothing else was written down.")
    assert all("same_title" not in item.why for item in asked(draft(title, BODY), target).nearest)
