"""tracker_links and tracker_embed over a small demo record, with the process of heavy work as it is."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from services.tracker.record.demo.build import demo
from services.tracker.record.demo.size import Size
from tests.support.tracker_passes import OPEN, Passing, Words, passing
from tests.support.tracker_record import NOW, ORG

SMALL = Size(issues=700, changes=400, check_rows=5_000, tests=60, days=300.0, ci_days=10.0)

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def passed() -> AsyncIterator[Passing]:
    batches = [each for each in demo(NOW, SMALL) if each.table in ("github_issues", "github_prs")]
    repos = sorted({name.rpartition("#")[0] for each in batches for name in each.columns["source_id"]})
    async with passing(batches, OPEN.__class__("open", "open", tuple(repos), False)) as given:
        await given.embed(Words()).run(given.work())
        await given.link(days=300, heavily=True).run(given.work())
        yield given


async def test_the_fix_of_an_issue_stands_among_the_first_of_its_links(passed: Passing) -> None:
    """Of issues whose fix the record names, by its own `fixed_by`."""
    rows = await passed.record.store.query(
        "SELECT i.source_id AS issue, i.fixed_by AS fixed_by FROM loom_record_test.github_issues AS i "
        "WHERE i.is_private = 0 AND length(i.fixed_by) > 0"
    )
    found = {row["issue"]: await passed.links.of_issue(ORG, passed.source.id, row["issue"]) for row in rows}
    hits = [any(int(each.pr.rpartition("#")[2]) in row["fixed_by"] for each in found[row["issue"]][:3]) for row in rows]
    assert len(hits) > 30 and sum(hits) / len(hits) > 0.8


async def test_the_record_has_statistics_and_its_own_fit(passed: Passing) -> None:
    stored = await passed.fits.of(ORG, "open")
    assert stored is not None and stored.statistics.documents > 500
    assert stored.fit is not None and stored.fit.quality.duplicates > 5


async def test_every_item_has_a_vector(passed: Passing) -> None:
    counted = await passed.vectors.models(ORG, passed.source.id)
    assert counted["words-1"] > 1_000


async def test_a_second_run_of_both_changes_nothing(passed: Passing) -> None:
    links = await passed.record.store.query("SELECT issue, pr, score FROM qa_link_candidates FINAL ORDER BY issue, pr")
    await passed.link(days=300).run(passed.work())
    done = await passed.embed(Words()).run(passed.work())
    again = await passed.record.store.query("SELECT issue, pr, score FROM qa_link_candidates FINAL ORDER BY issue, pr")
    assert done["embedded"] == 0 and again == links
