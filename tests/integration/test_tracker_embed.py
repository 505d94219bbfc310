"""tracker_embed over a local record in memory."""

from datetime import timedelta
from typing import Any

import pytest

from services.tracker.record.batch import Batch
from services.tracker.similar.statistics import Statistics
from services.tracker.sources.silence import Reason
from services.tracker.workers import embed, reading_order
from services.tracker.workers.frame import LeaseLost, SourceSilent
from tests.support.tracker_passes import CLOSED, DAY_S, OPEN, Passing, Words, passing
from tests.support.tracker_record import NOW, ORG, REPO, batch

LONG_AGO = NOW - timedelta(days=30)


def issue(number: int, title: str = "", **given: Any) -> dict[str, Any]:
    at = LONG_AGO + timedelta(hours=number)
    row = {
        "source_id": f"{REPO}#{number}",
        "number": number,
        "title": title or f"Lease {number} is lost",
        "body": f"Node {number} waits.",
        "state": "open",
        "created_at": at,
        "updated_at": at,
        "is_private": 0,
    }
    return row | given


def pull(number: int, **given: Any) -> dict[str, Any]:
    return issue(number, f"Renew lease {number}", state="merged") | given


def record(*issues: dict[str, Any]) -> list[Batch]:
    return [batch("github_issues", issues), batch("github_prs", [pull(900)])]


async def embedded(given: Passing, model: str = "words-1") -> set[str]:
    names = [f"{REPO}#{number}" for number in range(1, 1000)]
    return set(await given.vectors.hashes(ORG, given.source.id, model, names))


def ids(*numbers: int) -> set[str]:
    return {f"{REPO}#{number}" for number in numbers}


async def load(given: Passing, *issues: dict[str, Any]) -> None:
    await given.record.record.load([batch("github_issues", issues)])


async def test_every_issue_and_pull_request_gets_a_vector_and_a_second_pass_makes_none() -> None:
    async with passing(record(issue(1), issue(2))) as given:
        words = Words()
        first = await given.embed(words).run(given.work())
        assert await embedded(given) == ids(1, 2, 900)
        assert (first["read"], first["embedded"]) == (3, 3)
        assert (await given.embed(words).run(given.work()))["embedded"] == 0
        assert len(words.seen) == 3


async def test_what_changed_is_embedded_anew_and_a_new_date_alone_is_not() -> None:
    async with passing(record(issue(1), issue(2))) as given:
        words = Words()
        await given.embed(words).run(given.work())
        await load(given, issue(1, "Lease 1 is found", updated_at=NOW), issue(2, updated_at=NOW))
        done = await given.embed(words).run(given.work())
        assert done["embedded"] == 1
        assert words.seen[-1].startswith("Lease 1 is found")


async def test_what_two_namespaces_read_is_embedded_once() -> None:
    async with passing(record(issue(1)), OPEN, CLOSED) as given:
        done = await given.embed(words := Words()).run(given.work())
        assert (done["read"], len(words.seen)) == (4, 2)


async def test_private_rows_are_embedded_only_where_a_restricted_namespace_reads_them() -> None:
    async with passing(record(issue(1), issue(2, is_private=1))) as given:
        await given.embed(Words()).run(given.work())
        assert await embedded(given) == ids(1, 900)
        given.with_spaces(OPEN, CLOSED)
        await given.embed(Words()).run(given.work())
        assert await embedded(given) == ids(1, 2, 900)


async def test_a_namespace_that_covers_more_than_before_is_read_from_the_beginning() -> None:
    async with passing(record(issue(1), issue(2, source_id="Org/other#2"))) as given:
        await given.embed(Words()).run(given.work())
        given.with_spaces(OPEN.__class__("open", "open", (REPO, "Org/other"), False))
        done = await given.embed(Words()).run(given.work())
        assert done["embedded"] == 1


async def test_a_sweep_removes_vectors_of_items_that_nobody_reads_any_more() -> None:
    async with passing(record(issue(1), issue(2)), OPEN, CLOSED) as given:
        await given.embed(Words()).run(given.work())
        await load(given, issue(2, is_private=1))
        assert (await given.embed(Words()).run(given.work()))["removed"] == 0
        given.with_spaces(OPEN)
        given.record.clock.advance(7 * DAY_S)
        assert (await given.embed(Words()).run(given.work()))["removed"] == 1
        assert await embedded(given) == ids(1, 900)


async def test_a_sweep_finds_rows_that_came_late_with_an_old_date() -> None:
    async with passing(record(issue(5))) as given:
        await given.embed(Words()).run(given.work())
        await load(given, issue(1))
        assert (await given.embed(Words()).run(given.work()))["embedded"] == 0
        given.record.clock.advance(7 * DAY_S)
        assert (await given.embed(Words()).run(given.work()))["embedded"] == 1


async def test_rows_of_the_future_hold_up_no_later_change() -> None:
    async with passing(record(issue(1, updated_at=NOW + timedelta(days=900)))) as given:
        await given.embed(Words()).run(given.work())
        await load(given, issue(2, created_at=NOW, updated_at=NOW))
        assert (await given.embed(Words()).run(given.work()))["embedded"] == 1


async def test_another_model_embeds_all_anew_and_the_old_vectors_stay_until_it_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(embed, "BATCH", 1)
    async with passing(record(issue(1), issue(2))) as given:
        await given.embed(Words()).run(given.work())
        with pytest.raises(LeaseLost):
            await given.embed(Words("words-2")).run(given.work(lose_after=1))
        assert await given.vectors.models(ORG, given.source.id) == {"words-1": 3, "words-2": 1}
        await given.embed(Words("words-2")).run(given.work())
        assert await given.vectors.models(ORG, given.source.id) == {"words-2": 3}


async def test_a_run_that_was_cut_off_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_order, "PAGE", 2)
    async with passing(record(*(issue(number) for number in range(1, 8)))) as given:
        words = Words()
        with pytest.raises(LeaseLost):
            await given.embed(words).run(given.work(lose_after=4))
        checkpoint, so_far = given.saved[-1], len(words.seen)
        done = await given.embed(words).run(given.work(checkpoint))
        assert so_far and done["read"] < 8
        assert sorted(words.seen) == sorted(set(words.seen))
        assert await embedded(given) == ids(*range(1, 8), 900)


async def test_a_page_is_made_smaller_where_an_answer_cannot_hold_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_order, "PAGE", 30_000)
    async with passing(record(issue(1))) as given:
        assert (await given.embed(Words()).run(given.work()))["embedded"] == 2


async def test_lines_that_many_reports_share_are_left_out_and_new_statistics_alone_embed_nothing() -> None:
    shared = "Describe the bug below"
    async with passing(record(issue(1, body=f"{shared}\nIt stops."), issue(2, body=f"{shared}\nIt runs."))) as given:
        words, statistics = Words(), Statistics()
        await given.embed(words).run(given.work())
        for number in range(20):
            statistics.add(f"Report {number}", shared)
        await given.fits.put(ORG, "open", given.source.id, None, statistics)
        given.record.clock.advance(7 * DAY_S)
        assert (await given.embed(words).run(given.work()))["embedded"] == 0
        await load(given, issue(3, body=f"{shared}\nIt walks.", updated_at=given.record.clock.now()))
        await given.embed(words).run(given.work())
        assert words.seen[-1] == "Lease 3 is lost\nIt walks."


async def test_a_text_that_the_embedder_refuses_holds_up_no_other() -> None:
    async with passing(record(issue(1), issue(2, "poison"), issue(3))) as given:
        await given.embed(Words(refuses="poison")).run(given.work())
        assert await embedded(given) == ids(1, 3, 900)


async def test_without_an_embedder_and_with_one_that_is_away_nothing_is_read() -> None:
    async with passing(record(issue(1))) as given:
        assert (await given.embed(None).run(given.work()))["read"] == 0
        assert (await given.embed(Words(fails=True)).run(given.work()))["unavailable"] == 1
        assert (await given.embed(Words()).run(given.work()))["embedded"] == 2


async def test_a_silent_source_is_tried_again_at_the_next_pass() -> None:
    async with passing(record(issue(1))) as given:
        given.record.serving.silence(Reason.TIMEOUT)
        with pytest.raises(SourceSilent):
            await given.embed(Words()).run(given.work())
        given.record.serving.silence(None)
        assert (await given.embed(Words()).run(given.work()))["embedded"] == 2
