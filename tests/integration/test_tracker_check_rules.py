"""The rules that keep tracker.duplicate_check honest, through the op and over rows of a record."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
import pytest_asyncio

from services.tracker.similar import caps
from services.tracker.similar.model import Candidate
from tests.support.similar import START, fit, report, statistics
from tests.support.tracker_checks import Checks, checks_over, pull_row, row_of
from tests.support.tracker_plane import held

pytestmark = pytest.mark.asyncio(loop_scope="module")

TITLE = "Compaction of a snapshot drops the newest ledger entries"
BODY = (
    "After compaction the ledger misses what was written while the snapshot was taken; readSnapshot returns old pages."
)
STACK = "\n    at acme.Ledger.append(Ledger.java:10)\n    at acme.Store.flush(Store.java:20)"
OTHER = "Printer driver rejects landscape paper"
TRAYS = "Trays jam when envelopes are fed sideways into it."
TEMPLATE = "Describe what you expected\nEnvironment: production cluster of nine nodes, version 3"
WORDS = "amber birch cedar delta ember flint grove heath inlet jetty knoll larch"
TARGET = report(500, TITLE, BODY)


def day(number: float) -> datetime:
    return START + timedelta(days=number)


# Each rule's reports, in a repository and a namespace of its own; the draft's words are the target's.
RULES: dict[str, list[Candidate]] = {
    "plain": [TARGET],
    "regression": [replace(TARGET, state="closed", closed_at=day(600), fixed_by=(12,))],
    "unfixed": [replace(TARGET, state="closed", closed_at=day(600))],
    "chain": [
        report(300, "Nightly job stops early"),
        report(400, "Nightly export is cut", duplicate_of=300, state="closed", closed_at=day(401)),
        replace(TARGET, duplicate_of=400, state="closed", closed_at=day(501)),
    ],
    "cycle": [
        report(499, "Entries vanish", duplicate_of=500, state="closed", closed_at=day(501)),
        replace(TARGET, duplicate_of=499, state="closed", closed_at=day(501)),
    ],
    "young_root": [
        replace(TARGET, duplicate_of=900, state="closed", closed_at=day(901)),
        report(900, "Ledger loses entries", created_at=day(990)),
    ],
    "lost_root": [replace(TARGET, duplicate_of=77_000, state="closed", closed_at=day(501))],
    "twin_platform": [replace(TARGET, title=f"iOS: {TITLE}")],
    "twin_number": [replace(TARGET, title=f"{TITLE} #2")],
    "twin_version": [replace(TARGET, title=f"{TITLE} on 2.13.1")],
    "process_title": [replace(TARGET, title=f"Tracking issue: {TITLE}")],
    "process_label": [replace(TARGET, labels=("kind/checklist",))],
    "process_list": [replace(TARGET, body=f"- [ ] {BODY}\n- [x] second\n- [ ] third")],
    "template": [report(100 + place, f"{word} topic", TEMPLATE) for place, word in enumerate(WORDS.split())],
    "generic": [report(500, "Error: unexpected error", "An error occurred. Please try again."), report(501, "stalls")],
    "short": [report(500, "Ledger corruption")],
    "other_error": [replace(TARGET, body=f"IOError: disk full{STACK}")],
    "same_error": [replace(TARGET, body=f"IOError: disk full{STACK}")],
    "stack": [report(500, "Abort at night", frames=("acme::Ledger::append", "acme::Store::flush"))],
    "named": [report(500, "Journal grows without bounds")],
    "later": [
        replace(TARGET, number=501, state="closed", closed_at=day(700), fixed_by=(12,)),
        replace(TARGET, created_at=day(800), state="closed", closed_at=day(810), duplicate_of=501),
    ],
    "twice": [replace(TARGET, number=499), TARGET],
    "paths": [report(500, "Abort at night", "Nothing to add.")],
}


def repo(rule: str) -> str:
    return f"rules/{rule}"


def _rows() -> list[dict[str, Any]]:
    return [row_of(each, repo(rule)) for rule, reports in RULES.items() for each in reports]


def _pulls() -> list[dict[str, Any]]:
    fixed = [repo("regression"), repo("later")]
    return [
        *(pull_row(12, "Keep entries", each, day(550), closes=[500], release="2.1") for each in fixed),
        pull_row(13, "Backport: keep entries", repo("regression"), day(560), backport_of=12),
        pull_row(14, "Night watch", repo("paths"), day(900), closes=[500], affected_file_paths=["src/store/flush.rs"]),
        pull_row(15, f"Fix: {TITLE}", repo("plain"), day(998), merged_at=day(1500)),
    ]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def checks() -> AsyncIterator[Checks]:
    releases = [{"version": "v2.1", "state": "released", "released_at": day(720), "is_private": 0}]
    async with held(checks_over(_rows(), _pulls(), releases)) as checks:
        for rule in RULES:
            checks.bind(rule, repo(rule))
            known = (
                statistics(*RULES[rule]) if rule in ("template", "generic", "short", "stack") else statistics(TARGET)
            )
            await checks.fitted(rule, fit(threshold=0.5), known)
        yield checks


async def asked(checks: Checks, rule: str, title: str = TITLE, body: str = BODY, **more: Any) -> Any:
    """A check of a draft that is filed on day 1,000."""
    return await checks.check(rule, title, body, **{"as_of": day(1_000), **more})


def capped(found: Any, number: int) -> list[str]:
    return next(item.caps for item in found.nearest if item.number == number)


async def test_a_report_that_says_the_same_is_the_duplicate_with_its_state_and_what_speaks_for_it(
    checks: Checks,
) -> None:
    found = await asked(checks, "plain")
    assert (found.verdict, found.epistemic, found.reasons) == ("duplicate_of", "calibrated", [])
    [item] = found.items
    assert (item.source_id, item.state, item.tracker_namespace) == ("rules/plain#500", "open", "plain")
    assert item.probability == found.confidence >= found.threshold == 0.5
    assert item.score == pytest.approx(item.probability, abs=1e-4)
    assert "same_title" in item.why and item.legs == ["text"]
    assert not item.possible_regression
    assert (found.fit.serves_duplicates, found.fit.namespace, found.fit.drafts) == (True, "plain", 100)
    assert found.namespaces_read == ["plain"] and found.related_prs == []


async def test_nothing_alike_gives_none_with_no_items_and_a_confidence(checks: Checks) -> None:
    found = await asked(checks, "plain", OTHER, TRAYS)
    assert (found.verdict, found.items, found.epistemic) == ("none", [], "calibrated")
    assert found.confidence is not None and found.confidence > 0.5


async def test_an_issue_is_checked_as_it_was_filed_and_of_two_of_one_instant_the_lower_number_is_the_older(
    checks: Checks,
) -> None:
    found = await checks.check("twice", number=500)
    assert (found.verdict, [item.number for item in found.items]) == ("duplicate_of", [499])
    older = await checks.check("twice", number=499)
    assert older.verdict == "none" and all(item.number not in (499, 500) for item in older.nearest)


async def test_a_younger_report_is_no_target(checks: Checks) -> None:
    young = await asked(checks, "plain", as_of=day(499))
    assert young.verdict == "none" and all(item.number != 500 for item in young.nearest)


async def test_the_target_is_the_root_of_its_chain_though_no_leg_finds_the_root(checks: Checks) -> None:
    checks.failing.sent.clear()
    found = await asked(checks, "chain")
    assert checks.failing.sent.count("similar.by_id") == 1  # a report comes with what it duplicates
    assert (found.verdict, found.items[0].source_id) == ("duplicate_of", "rules/chain#300")
    assert set(found.items[0].members) == {"rules/chain#400", "rules/chain#500"}
    assert found.common.leg_status["records"] == "ok"


async def test_a_cycle_of_duplicates_never_answers_duplicate_of(checks: Checks) -> None:
    found = await asked(checks, "cycle")
    assert found.verdict == "related" and caps.CYCLE in found.items[0].caps
    assert caps.CYCLE in found.reasons


@pytest.mark.parametrize("rule", ["young_root", "lost_root"])
async def test_a_root_that_is_not_there_or_not_older_is_no_target(checks: Checks, rule: str) -> None:
    found = await asked(checks, rule, as_of=day(950))
    assert found.verdict == "related" and caps.ROOT_UNKNOWN in found.items[0].caps


async def test_a_closed_and_fixed_target_reads_as_a_possible_regression_with_its_release_and_backports(
    checks: Checks,
) -> None:
    found = await asked(checks, "regression")
    item = found.items[0]
    assert found.verdict == "duplicate_of" and item.possible_regression
    assert (item.fix_release, item.fixed_by, item.backports) == ("2.1", [12], [13])
    assert found.answer.startswith("Possible regression of rules/regression#500 (closed, fixed in 2.1)")
    assert item.closed_at == day(600)


async def test_a_closed_target_without_a_fix_is_no_regression(checks: Checks) -> None:
    found = await asked(checks, "unfixed")
    assert not found.items[0].possible_regression and "regression" not in found.answer


@pytest.mark.parametrize(
    ("rule", "title", "kind"),
    [
        ("twin_platform", f"Android: {TITLE}", "platform"),
        ("twin_number", f"{TITLE} #3", "number"),
        ("twin_version", f"{TITLE} on 2.13.2", "version"),
    ],
)
async def test_twins_are_related_at_most(checks: Checks, rule: str, title: str, kind: str) -> None:
    found = await asked(checks, rule, title)
    assert found.verdict == "related" and f"{caps.TWIN}{kind}" in capped(found, 500)
    assert f"{caps.TWIN}{kind}" in found.reasons


@pytest.mark.parametrize("rule", ["process_title", "process_label", "process_list"])
async def test_a_process_ticket_is_no_target(checks: Checks, rule: str) -> None:
    found = await asked(checks, rule)
    assert found.verdict != "duplicate_of" and caps.PROCESS in capped(found, 500)


async def test_lines_that_many_earlier_reports_share_find_nobody(checks: Checks) -> None:
    found = await asked(checks, "template", OTHER, TEMPLATE)
    assert (found.verdict, found.items) == ("none", [])


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("Error: unexpected error", "An error occurred. Please try again."),
        ("It does not work", ""),
        ("what is the", "it is"),
        ("stalls", ""),
    ],
)
async def test_text_that_says_nothing_gives_none_and_no_pull_requests(checks: Checks, title: str, body: str) -> None:
    found = await asked(checks, "generic", title, body)
    assert (found.verdict, found.items, found.related_prs) == ("none", [], [])
    assert found.reasons and "says too little" in found.answer


async def test_a_short_title_needs_more_than_itself(checks: Checks) -> None:
    found = await asked(checks, "short", "Ledger corruption", "")
    assert found.verdict == "related" and caps.SHORT_TITLE in capped(found, 500)


async def test_equal_frames_under_another_error_are_related_at_most(checks: Checks) -> None:
    found = await asked(checks, "other_error", body=f"IndexOutOfBoundsException: 3{STACK}")
    assert found.verdict == "related" and caps.OTHER_ERROR in capped(found, 500)
    same = await asked(checks, "same_error", body=f"IOError: disk full{STACK}")
    assert same.verdict == "duplicate_of" and set(same.items[0].legs) == {"frames", "text"}


async def test_frames_alone_find_a_report_in_other_words(checks: Checks) -> None:
    given = {"frames": ("acme::Store::flush", "acme::Ledger::append")}
    found = await asked(checks, "stack", "Process ends while nobody looks", "", **given)
    assert found.nearest[0].source_id == "rules/stack#500" and "stack_frames" in found.nearest[0].why
    without_title = await checks.check("stack", **given)
    assert without_title.nearest[0].source_id == "rules/stack#500"


async def test_what_the_draft_names_is_related(checks: Checks) -> None:
    found = await asked(checks, "named", OTHER, f"As in rules/named#500. {TRAYS}")
    assert (found.verdict, [item.number for item in found.items]) == ("related", [500])
    assert (found.items[0].legs, found.common.leg_status["numbers"]) == (["numbers"], "ok")
    listed = await asked(checks, "named", OTHER, TRAYS, mentions=("rules/named#500",))
    assert [item.number for item in listed.items] == [500]


async def test_a_bare_number_names_what_only_one_repository_has(checks: Checks) -> None:
    # The namespace covers two repositories: #500 is in one of them, #12 of neither is an issue.
    found = await asked(checks, "named", OTHER, f"As in #500. {TRAYS}")
    assert [item.source_id for item in found.items] == ["rules/named#500"]
    both = await asked(checks, "named", OTHER, f"As in #7. {TRAYS}", repo="rules/named")
    assert both.items == []


async def test_a_fix_in_flight_leads_from_paths_to_the_report_that_it_fixes(checks: Checks) -> None:
    found = await asked(checks, "paths", OTHER, TRAYS, paths=("store/flush.rs",))
    near = next(item for item in found.nearest if item.number == 500)
    assert near.legs == ["fix_in_flight"] and "fix_in_flight" in near.why
    assert (found.related_prs[0].number, found.related_prs[0].legs) == (14, ["fix_in_flight"])
    assert found.related_prs[0].why[0] == "touches a path of the draft"


async def test_as_of_hides_what_came_later(checks: Checks) -> None:
    then = await asked(checks, "later", as_of=day(650))
    [item] = then.items
    assert (item.number, item.state, item.closed_at, item.fixed_by, item.members) == (501, "open", None, [], [])
    assert not item.possible_regression and item.fix_release == ""
    # Closed and merged by then, the release not yet out.
    closed = (await asked(checks, "later", as_of=day(710))).items[0]
    assert (closed.state, closed.fixed_by, closed.fix_release) == ("closed", [12], "")
    out = (await asked(checks, "later", as_of=day(730))).items[0]
    assert (out.fix_release, out.possible_regression) == ("2.1", True)
    # A duplicate counts as known from the day on which it was closed as one.
    known = (await asked(checks, "later", as_of=day(820))).items[0]
    assert (known.number, known.members) == (501, ["rules/later#500"])


async def test_a_pull_request_that_was_open_then_is_shown_as_open(checks: Checks) -> None:
    capped_at = fit(threshold=0.5, serves_duplicates=False, reason="precision_too_low")
    checks.bind("plain_unserved", repo("plain"))
    await checks.fitted("plain_unserved", capped_at, statistics(TARGET))
    found = await asked(checks, "plain_unserved")
    assert [(each.number, each.state) for each in found.related_prs] == [(15, "open")]
    none = await asked(checks, "plain_unserved", related_prs=False)
    assert none.related_prs == [] and none.nearest == found.nearest


async def test_without_a_fit_the_verdict_is_related_at_most_and_has_no_confidence(checks: Checks) -> None:
    checks.bind("unfitted", repo("plain"))
    found = await asked(checks, "unfitted")
    assert (found.verdict, found.epistemic, found.confidence, found.threshold) == (
        "related",
        "uncalibrated",
        None,
        None,
    )
    assert found.fit is None and "no_fit" in found.reasons
    assert found.items[0].probability is None and 0.5 <= found.items[0].score <= 1.0


async def test_a_fit_that_has_not_shown_its_precision_serves_no_duplicate_verdict_and_says_so(checks: Checks) -> None:
    checks.bind("unserved", repo("plain"))
    await checks.fitted("unserved", fit(serves_duplicates=False, reason="precision_too_low"), statistics(TARGET))
    found = await asked(checks, "unserved")
    assert (found.verdict, found.epistemic, found.threshold) == ("related", "calibrated", None)
    assert "precision_too_low" in found.reasons
    assert (found.fit.serves_duplicates, found.fit.reason) == (False, "precision_too_low")


async def test_a_source_without_a_fit_is_counted_once_and_ranks_alike(checks: Checks) -> None:
    checks.bind("counted", repo("plain"))
    checks.failing.sent.clear()
    long = " ".join(f"{BODY} The {word}{place} of it waits." for place, word in enumerate(WORDS.split() * 8))
    found = await asked(checks, "counted", TITLE, long)
    assert found.items[0].number == 500
    assert checks.failing.sent.count("similar.counts") == 1
    checks.failing.sent.clear()
    await asked(checks, "plain")
    assert "similar.counts" not in checks.failing.sent
