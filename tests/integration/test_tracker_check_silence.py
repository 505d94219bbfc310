"""Legs of tracker.duplicate_check and tracker.similar that are off, silent or missing: how far the answer is trusted."""

import threading
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any

import pytest
import pytest_asyncio

from runtime.errors import LoomError
from services.tracker.sources.silence import Reason
from tests.support.similar import START, fit, report, statistics
from tests.support.tracker_checks import Checks, Concepts, checks_over, over, pull_row, row_of
from tests.support.tracker_plane import held

pytestmark = pytest.mark.asyncio(loop_scope="module")

TITLE = "Compaction of a snapshot drops the newest ledger entries"
BODY = "After compaction the ledger misses what was written meanwhile; readSnapshot returns old pages. See acme/near#7."
STACK = "\n    at acme.Ledger.append(Ledger.java:10)\n    at acme.Store.flush(Store.java:20)"
TARGET = report(500, TITLE, BODY + STACK)
# In other words, so that vectors alone find it.
NEAR = report(7, "Merging checkpoints forgets fresh records", "Nothing that was just stored is there.")
HIDDEN = report(8, "Merging checkpoints forgets secret records", "Nobody outside may know.")
REPOS = {"one": "acme/one", "two": "acme/two", "near": "acme/near"}
STATEMENTS = {"text": "similar.text", "frames": "similar.frames", "numbers": "similar.numbers"}


def filed() -> datetime:
    return START + timedelta(days=1_000)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def world() -> AsyncIterator[Checks]:
    rows = [row_of(TARGET, repo) for repo in REPOS.values() if repo != "acme/near"]
    near = [row_of(NEAR, "acme/near"), row_of(HIDDEN, "acme/near", is_private=1)]
    pulls = [pull_row(14, "Night watch", "acme/one", filed() - timedelta(days=9), affected_file_paths=["src/a.rs"])]
    embedder = Concepts("compact|merging", "drops|forgets", "printer|trays")
    async with held(checks_over([*rows, *near], pulls, embedder=embedder)) as checks:
        await checks.embedded(*near, *rows)
        yield checks


@pytest.fixture
def checks(world: Checks) -> Checks:
    """Of one test: nothing silent, and a fit of each namespace."""
    return over(world.record, embedder=Concepts("compact|merging", "drops|forgets", "printer|trays"))


async def fitted(checks: Checks, *names: str) -> None:
    for name in names:
        checks.bind(name, REPOS[name])
        await checks.fitted(name, fit(threshold=0.5), statistics(TARGET))


async def asked(checks: Checks, namespace: str = "one", **more: Any) -> Any:
    return await checks.check(namespace, TITLE, BODY + STACK, as_of=filed(), paths=("src/a.rs",), **more)


async def test_with_every_leg_answering_the_verdict_is_calibrated(checks: Checks) -> None:
    await fitted(checks, "one")
    found = await asked(checks)
    assert (found.verdict, found.epistemic) == ("duplicate_of", "calibrated")
    legs = ("text", "frames", "numbers", "vectors", "fix_in_flight")
    assert {leg: found.common.leg_status[leg] for leg in legs} == dict.fromkeys(legs, "ok")
    assert set(found.items[0].legs) == {"text", "frames", "vectors"}


@pytest.mark.parametrize("reason", [Reason.TIMEOUT, Reason.CIRCUIT_OPEN, Reason.UNREACHABLE, Reason.OFF])
async def test_a_silent_source_is_unavailable_after_one_wave_and_clears_nothing(checks: Checks, reason: Reason) -> None:
    await fitted(checks, "one")
    checks.failing.silence["one"] = {"*": reason}
    found = await asked(checks)
    assert (found.verdict, found.epistemic, found.confidence) == ("none", "unavailable", None)
    assert (found.common.tracker_unavailable, found.common.unavailable_reason) == (True, reason)
    assert found.common.leg_status["vectors"] == "skipped"
    assert set(checks.failing.sent) <= {*STATEMENTS.values(), "similar.touching"}
    assert found.answer == "The record did not answer, so nothing is known."
    like = await checks.similar("one", TITLE)
    assert (like.items, like.epistemic, like.common.tracker_unavailable) == ([], "unavailable", True)


@pytest.mark.parametrize("reason", [Reason.TIMEOUT, Reason.OFF])
async def test_a_silent_source_without_a_fit_is_unavailable_too(checks: Checks, reason: Reason) -> None:
    checks.bind("one", REPOS["one"])
    checks.failing.silence["one"] = {"*": reason}
    found = await asked(checks)
    assert (found.verdict, found.epistemic, found.common.tracker_unavailable) == ("none", "unavailable", True)
    assert checks.failing.sent == ["similar.counts"]


async def test_an_issue_of_a_silent_source_is_no_unknown_issue(checks: Checks) -> None:
    await fitted(checks, "one")
    checks.failing.silence["one"] = {"*": Reason.TIMEOUT}
    found = await checks.check("one", number=500)
    assert (found.verdict, found.epistemic, found.common.tracker_unavailable) == ("none", "unavailable", True)
    like = await checks.similar("one", number=500)
    assert (like.items, like.missing, like.epistemic) == ([], None, "unavailable")


@pytest.mark.parametrize("leg", list(STATEMENTS))
async def test_one_leg_that_is_silent_degrades_and_is_named(checks: Checks, leg: str) -> None:
    await fitted(checks, "one")
    checks.failing.silence["one"] = {STATEMENTS[leg]: Reason.CONTRACT}
    found = await asked(checks)
    assert found.epistemic == "degraded" and found.confidence is None
    assert (found.common.leg_status[leg], found.common.tracker_unavailable) == ("contract", False)
    assert "clears nothing" in found.answer


async def test_the_issue_that_was_read_before_the_source_fell_silent_is_no_answer(checks: Checks) -> None:
    await fitted(checks, "one")
    checks.failing.silence["one"] = dict.fromkeys((*STATEMENTS.values(), "similar.by_id"), Reason.TIMEOUT)
    found = await checks.check("one", number=500)
    assert (found.verdict, found.confidence) == ("none", None)
    assert found.epistemic in ("degraded", "unavailable") and "similar.fixing" not in checks.failing.sent


async def test_enrichment_that_is_silent_leaves_the_verdict_as_it_is(checks: Checks) -> None:
    await fitted(checks, "one")
    checks.failing.silence["one"] = {"similar.fixing": Reason.TIMEOUT}
    found = await asked(checks)
    assert (found.verdict, found.epistemic) == ("duplicate_of", "calibrated")
    assert found.common.leg_status["prs"] == "timeout"


async def test_tables_that_a_source_does_not_have_are_not_provided_and_degrade_nothing(checks: Checks) -> None:
    await fitted(checks, "one")
    checks.failing.hidden["one"] = {"github_prs", "releases"}
    found = await asked(checks)
    assert (found.verdict, found.epistemic, found.related_prs) == ("duplicate_of", "calibrated", [])
    assert found.common.leg_status["fix_in_flight"] == "not_provided"
    assert "github_prs" in found.common.not_provided


async def test_without_an_embedder_the_leg_is_off_and_the_fit_for_texts_alone_serves(checks: Checks) -> None:
    bare = over(checks.record)
    await fitted(bare, "one")
    found = await asked(bare)
    assert (found.verdict, found.epistemic, found.common.leg_status["vectors"]) == ("duplicate_of", "calibrated", "off")


async def test_without_vectors_of_the_source_the_leg_is_not_asked(checks: Checks) -> None:
    checks.bind("one", REPOS["one"], source="unseen")
    await checks.fitted("one", fit(threshold=0.5), statistics(TARGET))
    found = await asked(checks)
    assert (found.epistemic, found.common.leg_status["vectors"]) == ("calibrated", "not_asked")


async def test_an_embedder_that_fails_degrades(checks: Checks) -> None:
    await fitted(checks, "one")
    assert checks.embedder is not None
    checks.embedder.fails = True
    found = await asked(checks)
    assert (found.verdict, found.epistemic) == ("duplicate_of", "degraded")
    assert (found.common.leg_status["vectors"], found.common.tracker_unavailable) == ("unreachable", False)
    none = await checks.check("one", "Printer driver rejects landscape paper", "Trays jam when they are fed sideways.")
    assert (none.verdict, none.epistemic, none.confidence) == ("none", "degraded", None)
    assert "clears nothing" in none.answer


async def test_an_embedder_that_is_slow_is_not_waited_for(checks: Checks) -> None:
    hurried = over(checks.record, embedder=Concepts("compact"), budget_s=0.05)
    await fitted(hurried, "one")
    assert hurried.embedder is not None
    hurried.embedder.hold = threading.Event()
    try:
        found = await asked(hurried)
    finally:
        hurried.embedder.hold.set()
    assert (found.verdict, found.epistemic) == ("duplicate_of", "degraded")
    assert found.common.leg_status["vectors"] == "timeout"


async def test_vectors_add_a_report_in_other_words_and_never_a_private_one(checks: Checks) -> None:
    await fitted(checks, "near")
    found = await checks.check("near", "Compaction drops what is new", "It is gone.", top_k=40)
    shown = [*found.nearest, *found.items]
    assert any(item.number == 7 and item.legs == ["vectors"] for item in shown)
    assert all(item.number != 8 for item in shown) and "secret" not in str(found)
    like = await checks.similar("near", "Compaction drops what is new")
    assert all(item.number != 8 for item in like.items)


async def test_a_restricted_namespace_reads_private_rows_and_borrows_the_standard_fit(checks: Checks) -> None:
    await fitted(checks, "one")
    checks.bind("near", REPOS["near"], restricted=True)
    bound = checks.trackers.bounds["near"]
    await checks.fits.put("dev", bound.storage, bound.source.id, None, statistics(TARGET))
    found = await checks.check("near", HIDDEN.title, HIDDEN.body)
    assert (found.verdict, found.epistemic) == ("duplicate_of", "calibrated")
    assert (found.items[0].number, found.fit.namespace) == (8, "one")


async def test_a_restricted_namespace_that_no_pass_has_seen_borrows_too_and_a_standard_one_never_does(
    checks: Checks,
) -> None:
    await fitted(checks, "one")
    checks.bind("fresh", REPOS["near"], restricted=True)
    checks.bind("plain", REPOS["near"])
    checks.bind("other_restricted", REPOS["two"], restricted=True)
    await checks.fitted("other_restricted")
    assert (await checks.check("fresh", NEAR.title, NEAR.body)).fit.namespace == "one"
    assert (await checks.check("plain", NEAR.title, NEAR.body)).epistemic == "uncalibrated"


async def test_a_fan_out_reads_every_linked_tracker_and_each_item_names_its_own(checks: Checks) -> None:
    await fitted(checks, "one", "two")
    found = await asked(checks, "one+two")
    assert (found.verdict, found.epistemic, found.namespaces_read) == ("duplicate_of", "calibrated", ["one", "two"])
    assert {(item.tracker_namespace, item.source_id) for item in found.items} == {
        ("one", "acme/one#500"),
        ("two", "acme/two#500"),
    }
    assert found.common.leg_status["two/text"] == "ok"
    only = await asked(checks, "one+two", only=["two"])
    assert (only.namespaces_read, {item.tracker_namespace for item in only.items}) == (["two"], {"two"})


async def test_one_silent_tracker_of_a_fan_out_degrades_and_is_named(checks: Checks) -> None:
    await fitted(checks, "near", "two")
    checks.failing.silence["two"] = {"*": Reason.TIMEOUT}
    found = await checks.check("near+two", TITLE, BODY.partition(" See")[0], as_of=filed())
    assert (found.verdict, found.epistemic, found.confidence) == ("none", "degraded", None)
    assert "clears nothing" in found.answer
    assert (found.common.tracker_unavailable, found.common.unavailable_reason) == (True, "timeout")
    assert (found.common.leg_status["two/text"], found.common.leg_status["near/text"]) == ("timeout", "ok")
    like = await checks.similar("near+two", TITLE)
    assert like.epistemic == "degraded"


async def test_the_strongest_verdict_stands_whichever_tracker_has_it(checks: Checks) -> None:
    await fitted(checks, "near", "one")
    for namespace in ("near+one", "one+near"):
        found = await asked(checks, namespace)
        assert (found.verdict, [item.source_id for item in found.items]) == ("duplicate_of", ["acme/one#500"])


async def test_a_tracker_without_a_fit_leaves_the_whole_uncalibrated(checks: Checks) -> None:
    await fitted(checks, "near")
    checks.bind("one", REPOS["one"])
    found = await asked(checks, "near+one")
    assert (found.verdict, found.epistemic, found.confidence) == ("related", "uncalibrated", None)


@pytest.mark.parametrize("only", [["two"], ["one", "two"], ["nowhere"]])
async def test_a_named_namespace_that_is_not_linked_is_refused_and_not_left_out_in_silence(
    checks: Checks, only: list[str]
) -> None:
    await fitted(checks, "one", "two")
    with pytest.raises(LoomError) as raised:
        await asked(checks, "one", only=only)
    assert raised.value.code.name == "NOT_A_TRACKER_NAMESPACE"
