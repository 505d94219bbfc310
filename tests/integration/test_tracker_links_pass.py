"""tracker_links over a local record in memory: recovered links, statistics and fits."""

from datetime import timedelta
from typing import Any

import pytest

from services.tracker.record.batch import Batch
from services.tracker.sources.silence import Reason
from services.tracker.workers import record_pages
from services.tracker.workers.frame import LeaseLost, SourceSilent
from services.tracker.workers.heavy.process import HeavyError, environment, heavy
from tests.support.tracker_passes import CLOSED, DAY_S, OPEN, Passing, passing
from tests.support.tracker_record import NOW, ORG, REPO, batch

WORDS = (
    *("quorum", "lease", "snapshot", "compaction", "follower", "ledger"),
    *("gossip", "shard", "bucket", "cursor", "replica", "journal"),
)


def issue(number: int, days: float, title: str, **given: Any) -> dict[str, Any]:
    """Filed `days` ago and closed half a day later."""
    at = NOW - timedelta(days=days)
    row = {
        "source_id": f"{REPO}#{number}",
        "number": number,
        "title": title,
        "body": f"It stops in the {title.split()[0]} of node {number}.",
        "state": "closed",
        "created_at": at,
        "updated_at": at,
        "closed_at": at + timedelta(hours=12),
        "is_private": 0,
    }
    return row | given


def pull(number: int, days: float, title: str, **given: Any) -> dict[str, Any]:
    """Merged into main `days` ago."""
    at = NOW - timedelta(days=days)
    row = {
        "source_id": f"{REPO}#{number}",
        "number": number,
        "title": title,
        "body": "",
        "state": "merged",
        "created_at": at,
        "updated_at": at,
        "merged_at": at,
        "is_private": 0,
        "base_ref": "main",
        "affected_file_paths": ["src/a.py"],
        "diff": "",
        "closes": [],
    }
    return row | given


def others() -> list[dict[str, Any]]:
    return [pull(800 + n, 40 - n, f"Tidy the {word} of tests") for n, word in enumerate(WORDS)]


def record(issues: list[dict[str, Any]], *pulls: dict[str, Any]) -> list[Batch]:
    return [batch("github_issues", issues), batch("github_prs", [*pulls, *others()])]


async def top(given: Passing, number: int) -> list[str]:
    found = await given.links.of_issue(ORG, given.source.id, f"{REPO}#{number}")
    return [each.pr.rpartition("#")[2] for each in found]


LEASE = issue(1, 20, "Watermark regresses after failover", body="In `advance_watermark` it goes back.")


async def test_the_unlinked_fix_comes_first_and_is_found_from_both_sides() -> None:
    fix = pull(700, 19.4, "Keep the watermark through failover", diff="+def advance_watermark(self):")
    async with passing(record([LEASE], fix)) as given:
        done = await given.link().run(given.work())
        assert (await top(given, 1))[0] == "700"
        assert done["issues"] == 1 and done["links"] >= 1
        back = await given.links.of_pr(ORG, given.source.id, f"{REPO}#700")
        assert back[0].issue == f"{REPO}#1" and not back[0].written and back[0].evidence["words"] > 0


async def test_only_changes_merged_into_the_trunk_after_the_issue_count() -> None:
    pulls = [
        pull(700, 19.4, "Keep the watermark through failover", base_ref="release/26.1"),
        pull(701, 21.0, "Keep the watermark through failover"),
        pull(702, 19.0, "Keep the watermark through failover", state="closed"),
        pull(703, 19.0, "Keep the watermark through failover", base_ref="feature/x"),
    ]
    async with passing(record([LEASE], *pulls)) as given:
        await given.link().run(given.work())
        assert not set(await top(given, 1)) & {"700", "701", "702", "703"}


async def test_issues_older_than_the_limit_are_left_and_each_keeps_so_many_links() -> None:
    pulls = [pull(700 + n, 19 - n, f"Keep the watermark through failover {n}") for n in range(6)]
    async with passing(record([LEASE, issue(2, 95, "Watermark regresses")], *pulls)) as given:
        await given.link(most=3).run(given.work())
        assert len(await top(given, 1)) == 3
        assert await top(given, 2) == []


async def test_a_written_link_stands_above_every_recovered_one() -> None:
    pulls = [
        pull(700, 19.4, "Keep the watermark through failover", diff="+def advance_watermark(self):"),
        pull(701, 2.0, "Something else", body="Fixes #1"),
    ]
    async with passing(record([LEASE], *pulls)) as given:
        await given.link().run(given.work())
        found = await given.links.of_issue(ORG, given.source.id, f"{REPO}#1")
        assert (found[0].pr, found[0].written) == (f"{REPO}#701", True)


async def test_a_later_pass_compares_an_unchanged_issue_with_new_changes_alone() -> None:
    async with passing(record([LEASE], pull(700, 19.4, "Keep the watermark through failover"))) as given:
        await given.link().run(given.work())
        assert "700" in await top(given, 1)
        await given.links.erase(ORG, given.source.id)
        given.record.clock.advance(3 * DAY_S)
        late = pull(710, -2.5, "Watermark: keep it through failover")
        await given.record.record.load([batch("github_prs", [late])])
        await given.link().run(given.work())
        assert await top(given, 1) == ["710"]


async def test_private_changes_are_linked_only_where_a_restricted_namespace_reads_them() -> None:
    fix = pull(700, 19.4, "Keep the watermark through failover", is_private=1)
    async with passing(record([LEASE], fix)) as given:
        await given.link().run(given.work())
        assert "700" not in await top(given, 1)
        given.with_spaces(OPEN, CLOSED)
        await given.link().run(given.work())
        assert (await top(given, 1))[0] == "700"


async def test_a_run_that_was_cut_off_goes_on_at_the_issue_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_pages, "ISSUES_AT_ONCE", 1)
    issues = [LEASE, issue(2, 19.9, "Watermark is late"), issue(3, 19.8, "Watermark is early")]
    async with passing(record(issues, pull(700, 19.4, "Watermark"))) as given:
        with pytest.raises(LeaseLost):
            await given.link().run(given.work(lose_after=2))
        done = await given.link().run(given.work(given.saved[-1]))
        assert done["issues"] == 1
        assert all([await top(given, number) for number in (1, 2, 3)])


async def test_a_silent_source_is_tried_again() -> None:
    async with passing(record([LEASE])) as given:
        given.record.serving.silence(Reason.UNREACHABLE)
        with pytest.raises(SourceSilent):
            await given.link().run(given.work())


async def test_statistics_are_stored_where_there_are_too_few_duplicates_for_a_fit() -> None:
    async with passing(record([LEASE, issue(2, 400, "Watermark regresses twice")])) as given:
        done = await given.link().run(given.work())
        stored = await given.fits.of(ORG, "open")
        assert stored is not None and stored.fit is None
        assert stored.statistics.documents == 2 and stored.statistics.frequencies
        assert (done["statistics"], done["fits"]) == (1, 0)


async def test_it_is_not_fitted_again_before_a_week_is_over_but_when_vectors_are_of_another_model() -> None:
    async with passing(record([LEASE])) as given:
        assert (await given.link().run(given.work()))["statistics"] == 1
        given.record.clock.advance(DAY_S)
        assert (await given.link().run(given.work()))["statistics"] == 0
        await given.marks.put(ORG, given.source.id, "embed.model", "words-1")
        assert (await given.link().run(given.work()))["statistics"] == 1
        given.record.clock.advance(7 * DAY_S)
        assert (await given.link().run(given.work()))["statistics"] == 1


async def _nothing() -> None:
    """No lease to renew."""


async def test_a_job_that_fails_says_so_without_a_word_of_what_it_was_given() -> None:
    async with heavy(_nothing) as process:
        with pytest.raises(HeavyError) as failed:
            await process.do("pulls", rows=[{"title": "secret"}])
        assert "secret" not in str(failed.value)
        assert await process.do("begin_fit") == {}


async def test_a_process_that_dies_is_an_error_and_no_hang() -> None:
    async with heavy(_nothing) as process:
        await process.do("begin_fit")
        process._running.kill()
        with pytest.raises(HeavyError):
            await process.do("begin_fit")


def test_the_process_gets_none_of_our_settings() -> None:
    assert "LOOM_SECRET_KEY" not in environment({"LOOM_SECRET_KEY": "x", "PATH": "/bin"})
