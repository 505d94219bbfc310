"""The demo record after its own fit: what its labels call duplicates is shown, and a text that is there is found."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from services.tracker.checking.checker import Checker
from services.tracker.checking.draft import Asked
from services.tracker.checking.legs import Legs
from services.tracker.checking.semantic import Semantic
from services.tracker.ops.checks import Checking
from services.tracker.ops.duplicate_check import DuplicateCheck, Options, Outcome
from services.tracker.record.demo.build import demo
from services.tracker.record.demo.landmarks import LANDMARKS as KNOWN
from services.tracker.similar import fitting
from tests.support.tracker_passes import OPEN, Passing, passing
from tests.support.tracker_record import CALLER, NOW, ORG, TRACKER

pytestmark = pytest.mark.asyncio(loop_scope="module")
OPTIONS = Options(top_k=10, related_prs=False, rerank=False, namespaces=())


class Alone:
    """Stands for the registry: no other namespace lends a fit."""

    async def sources(self, org: str) -> list[object]:
        return []


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def fitted() -> AsyncIterator[Passing]:
    batches = [each for each in demo(NOW) if each.table in ("github_issues", "github_prs")]
    repos = sorted({name.rpartition("#")[0] for each in batches for name in each.columns["source_id"]})
    space = OPEN.__class__(TRACKER, TRACKER, tuple(repos), False)
    async with passing(batches, space, repos=repos) as given:
        with pytest.MonkeyPatch.context() as thrift:
            # Fewer drafts that duplicate nothing, each with more weight: a replay of all takes a while.
            thrift.setattr(fitting, "MOST_ORIGINALS", 500)
            await given.link(days=1).run(given.work())
        yield given


async def check(given: Passing, **asked: object) -> Outcome:
    number = asked.pop("number", None)
    semantic = Semantic(given.vectors, None, given.record.clock, budget_s=30.0, catch_up_s=30.0)
    checking = Checking(given.record.asking, Checker(Legs(semantic), given.fits), Alone())  # type: ignore[arg-type]
    draft = Asked(repo=KNOWN.repo, **asked)  # type: ignore[arg-type]
    return await DuplicateCheck(checking).execute(ORG, TRACKER, draft, number, OPTIONS, CALLER)  # type: ignore[arg-type]


async def root_of(given: Passing, number: int) -> int:
    """Where the chain of `duplicate_of` ends."""
    while target := (await row_of(given, number))["duplicate_of"]:
        number = int(target)
    return number


async def row_of(given: Passing, number: int) -> dict[str, Any]:
    return (
        await given.record.store.query(
            "SELECT title, body, duplicate_of FROM loom_record_test.github_issues "
            "WHERE number = {n:Int64} AND startsWith(source_id, {r:String})",
            {"n": number, "r": f"{KNOWN.repo}#"},
        )
    )[0]


async def test_labelled_duplicates_of_the_demo_are_related_at_least_once_it_is_fitted(fitted: Passing) -> None:
    """Its landmarks, in the words of their reports; nearly all with the root of their bucket among what is shown."""
    root = {number: await root_of(fitted, number) for number in (*KNOWN.duplicates, *KNOWN.duplicate_chain[:2])}
    found = {number: await check(fitted, number=number) for number in root}
    assert {number: one.verdict for number, one in found.items() if one.verdict == "none"} == {}
    assert {one.epistemic for one in found.values()} == {"calibrated"}
    shown = [root[number] in {item.number for item in one.items} for number, one in found.items()]
    assert sum(shown) >= len(shown) - 1


async def test_its_fit_says_how_many_duplicates_it_shows_and_to_how_many_others(fitted: Passing) -> None:
    stored = await fitted.fits.of(ORG, TRACKER)
    assert stored is not None and stored.fit is not None
    quality = stored.fit.quality
    assert quality.related_recall > 2 * quality.recall
    assert quality.related_share < fitting.MOST_RELATED + 0.1


async def test_a_text_that_is_nearly_there_is_never_answered_by_nothing(fitted: Passing) -> None:
    row = await row_of(fitted, KNOWN.fixed_issue)
    title, body = str(row["title"]), str(row["body"])
    found = await check(fitted, title=f"{title}, again", body=f"{body}\n\nSeen here as well.")
    assert found.verdict != "none" and KNOWN.fixed_issue in {item.number for item in found.items}
