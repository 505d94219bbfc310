"""The fit of a record with labelled duplicates, as tracker_links makes it."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio

from services.tracker.checking.shown import ShownFits
from services.tracker.similar import fitting
from services.tracker.similar.fit import VERSION, Fit
from services.tracker.similar.model import Candidate
from services.tracker.similar.walk import Record
from services.tracker.workers.refit import RefitLimits
from tests.integration.test_tracker_links_pass import WORDS, issue, record
from tests.support.similar import fit as made_fit
from tests.support.tracker_passes import CLOSED, DAY_S, OPEN, Passing, passing
from tests.support.tracker_record import ORG

pytestmark = pytest.mark.asyncio(loop_scope="module")


def labelled() -> list[dict[str, Any]]:
    """Four hundred reports, of which the last of each pair repeats the first in other words."""
    rows = []
    for number in range(1, 401):
        first, second = WORDS[number % 12], WORDS[(number * 5 + number // 12) % 12]
        rows.append(issue(number, 500 - number, f"{first} {second} stalls{number} after restart"))
    for place in range(60):
        old, new = rows[place * 3], rows[300 + place]
        new |= {
            "title": f"After restart: {old['title']}",
            "duplicate_of": old["number"],
            "state_reason": "duplicate",
        }
    return rows


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def fitted() -> AsyncIterator[Passing]:
    async with passing(record(labelled()), OPEN, CLOSED) as given:
        await given.link(days=1).run(given.work())
        yield given


async def test_a_record_with_labelled_duplicates_gets_a_fit_with_its_own_quality(fitted: Passing) -> None:
    stored = await fitted.fits.of(ORG, "open")
    assert stored is not None and stored.fit is not None
    assert stored.fit.quality.duplicates > 0 and stored.fit.labelled >= 30
    assert 0.5 <= stored.fit.threshold <= 0.95


async def test_the_quality_that_is_shown_says_how_many_originals_are_related(fitted: Passing) -> None:
    stored, bound = await fitted.fits.of(ORG, "open"), fitted.work().bounds[0]
    shown = await ShownFits(fitted.fits).quality(replace(bound, storage="open"))
    assert stored is not None and stored.fit is not None and shown is not None
    assert shown.related_recall == stored.fit.quality.related_recall > 0.5
    assert shown.related_share == stored.fit.quality.related_share


async def test_a_restricted_namespace_has_statistics_of_its_own_and_borrows_the_fit(fitted: Passing) -> None:
    own = await fitted.fits.of(ORG, "closed")
    assert own is not None and own.fit is None and own.statistics.documents == 400
    restricted = next(bound for bound in fitted.work().bounds if bound.restricted)
    found, lender = await fitted.fits.serving(restricted, ["open"])
    assert lender == "open" and found is not None and found.fit is not None


async def test_the_threshold_lies_within_the_limits_of_the_settings(fitted: Passing) -> None:
    fitted.record.clock.advance(8 * DAY_S)
    await fitted.fits.put(ORG, "open", fitted.source.id, None, (await _stored(fitted)).statistics)
    await fitted.link(RefitLimits(low=0.9, high=0.92), days=1).run(fitted.work())
    fit = (await _stored(fitted)).fit
    assert fit is not None and 0.9 <= fit.threshold <= 0.92


async def test_a_new_fit_that_is_worse_on_the_newest_reports_is_not_stored(fitted: Passing) -> None:
    better, before = _wiser(), await _stored(fitted)
    fitted.record.clock.advance(8 * DAY_S)
    await fitted.fits.put(ORG, "open", fitted.source.id, better, before.statistics)
    made_at = (await _stored(fitted)).fitted_at
    fitted.record.clock.advance(8 * DAY_S)
    done = await fitted.link(days=1).run(fitted.work())
    after = await _stored(fitted)
    assert (done["statistics"], done["fits"]) == (2, 0)
    assert after.fit.with_vectors == better.with_vectors and after.fitted_at == made_at
    assert after.fit.quality.drafts > 0 and after.fit.quality != better.quality


async def test_a_stored_fit_that_is_worse_than_the_new_one_is_replaced(fitted: Passing) -> None:
    fitted.record.clock.advance(8 * DAY_S)
    poor = replace(made_fit().with_vectors, prior=-1.0)
    worse = made_fit(with_vectors=poor, without_vectors=poor)
    await fitted.fits.put(ORG, "open", fitted.source.id, worse, (await _stored(fitted)).statistics)
    assert (await fitted.link(days=1).run(fitted.work()))["fits"] == 1
    assert (await _stored(fitted)).fit.with_vectors != poor


async def test_a_fit_of_another_version_is_made_anew_and_its_statistics_serve_meanwhile(fitted: Passing) -> None:
    before = await _stored(fitted)
    old = before.fit.to_json() | {"version": VERSION - 1}
    del old["related_without"]
    row = [ORG, "open", fitted.source.id, json.dumps(old), json.dumps(before.statistics.to_json())]
    columns = ["org", "namespace", "source_id", "fit", "statistics", "fitted_at", "version"]
    version = int(fitted.record.clock.now().timestamp() * 1e6) + 1
    await fitted.record.store.insert("tracker_fits", columns, [[*row, before.fitted_at, version]])
    stored = await _stored(fitted)
    assert stored.fit is None and stored.statistics == before.statistics
    mark = json.loads(await fitted.marks.of(ORG, fitted.source.id, "fit.open")) | {"version": VERSION - 1}
    await fitted.marks.put(ORG, fitted.source.id, "fit.open", json.dumps(mark))
    assert (await fitted.link(days=1).run(fitted.work()))["fits"] == 1
    assert (await _stored(fitted)).fit.version == VERSION


async def _stored(given: Passing) -> Any:
    given.record.clock.advance(120)
    stored = await given.fits.of(ORG, "open")
    assert stored is not None
    return stored


def _wiser() -> Fit:
    """A fit that knows the newest reports already."""
    walked = Record([Candidate.of(row) for row in labelled()])
    weights = fitting.wanted(walked)
    old, middle, new = fitting.parts(list(walked.replay(weights)))
    return fitting.made_of(walked, [*old, *middle], new, weights)
