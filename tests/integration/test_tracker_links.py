"""tracker.links both ways with links that a pass recovered, and what becomes of derived state with its source."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from runtime.errors import LoomError
from services.tracker.checking.links_store import Candidate, LinkStore
from services.tracker.checking.vectors import Row
from services.tracker.ops.links import Links, LinksOp
from services.tracker.ops.recovered import Recovered
from tests.support import team_record
from tests.support.clickhouse_http import Server
from tests.support.similar import START, fit, report, statistics
from tests.support.team_record import PLAIN
from tests.support.tracker_checks import NOW, pull_row, row_of
from tests.support.tracker_plane import ORG, tracker_plane
from tests.support.tracker_record import CALLER, REPO, TRACKER, Recorded, batch, recorded

EVIDENCE = {"words": 0.9, "frames": 1.4, "closeness": 0.0}


@asynccontextmanager
async def linked(*links: Candidate, restricted: bool = False) -> AsyncIterator[Recorded]:
    issues = [row_of(report(1, "Rows out of order", fixed_by=(100,)), REPO), row_of(report(2, "Other"), REPO)]
    issues.append(row_of(report(3, "Secret hole"), REPO, is_private=1))
    pulls = [pull_row(number, f"Change {number}", REPO, START) for number in (100, 101, 102)]
    pulls.append(pull_row(103, "Secret change", REPO, START, is_private=1))
    pulls.append(pull_row(100, "A neighbour's change", "Org/repo2", START))
    tables = [batch("github_issues", issues), batch("github_prs", pulls)]
    async with recorded(tables, now=NOW, restricted=restricted) as record:
        await LinkStore(record.store).put(ORG, record.source.id, links, 1)
        yield record


def link(issue: int, pr: int, score: float, repo: str = REPO) -> Candidate:
    return Candidate(f"{REPO}#{issue}", f"{repo}#{pr}", score, False, EVIDENCE)


ALL = (link(1, 100, 3.0), link(1, 101, 0.4), link(1, 102, 1.7), link(1, 103, 2.0), link(3, 102, 2.0), link(2, 102, 0.6))


async def ask(record: Recorded, store: Any = None, **numbers: int) -> Links:
    op = LinksOp(record.asking, Recovered(store or LinkStore(record.store)))
    return await op.execute(ORG, TRACKER, numbers.get("issue"), numbers.get("pr"), "", CALLER)


async def test_what_is_written_comes_first_and_what_was_recovered_has_its_score_and_evidence() -> None:
    async with linked(*ALL) as record:
        found = await ask(record, issue=1)
    assert [(each.number, each.written, each.relation) for each in found.items] == [
        (100, True, "fixed_by"),
        (102, False, "candidate"),
        (101, False, "candidate"),
    ]
    assert [each.score for each in found.items] == [None, 1.0, 0.4]
    assert found.items[1].why == ["the diff touches the stack frames", "both say the same"]
    assert found.common.leg_status["recovered"] == "ok"


async def test_a_pull_request_leads_back_to_its_issues() -> None:
    async with linked(*ALL) as record:
        found = await ask(record, pr=102)
        written = await ask(record, pr=100)
    assert [(each.number, each.kind, each.written, each.score) for each in found.items] == [
        (1, "issue", False, 1.0),
        (2, "issue", False, 0.6),
    ]
    assert [(each.number, each.written) for each in written.items] == [(1, True)]


async def test_private_ends_are_hidden_from_a_standard_namespace_alone() -> None:
    async with linked(*ALL) as record:
        assert 103 not in {each.number for each in (await ask(record, issue=1)).items}
        assert 3 not in {each.number for each in (await ask(record, pr=102)).items}
        assert (await ask(record, issue=3)).missing == 3
    async with linked(*ALL, restricted=True) as record:
        assert 103 in {each.number for each in (await ask(record, issue=1)).items}
        assert 3 in {each.number for each in (await ask(record, pr=102)).items}


async def test_another_repository_and_what_is_gone_are_not_shown() -> None:
    async with linked(link(2, 100, 5.0, "Org/repo2"), link(2, 9_999, 4.0)) as record:
        found = await ask(record, issue=2)
    assert (found.items, found.common.leg_status["recovered"]) == ([], "ok")


class Away:
    async def of_issue(self, org: str, source: str, item: str) -> list[Candidate]:
        raise LoomError("STORAGE_UNAVAILABLE", "the store does not answer")


async def test_links_that_cannot_be_read_leave_the_written_ones_and_are_named() -> None:
    async with linked(*ALL) as record:
        found = await ask(record, Away(), issue=1)
    assert [each.written for each in found.items] == [True]
    assert found.common.leg_status["recovered"] == "unreachable"


async def test_a_source_that_is_removed_takes_its_fits_links_and_vectors_with_it(
    source_server: Server, tmp_path: Path
) -> None:
    team_record.put(source_server, "derived", PLAIN)
    async with tracker_plane(tmp_path) as plane:
        for name in ("going", "staying"):
            await plane.add(source_server, "derived", name)
        for source in await plane.core.registry.sources(ORG):
            derived, space = plane.core.derived, source.namespaces[0]
            await derived.fits.put(ORG, space.storage, source.id, fit(), statistics())
            await derived.links.put(ORG, source.id, [link(1, 104, 1.0)], 1)
            await derived.vectors.put(ORG, source.id, "m", [Row(f"{REPO}#1", "issue", 1, START, [1.0, 0.0])], 1)
        shown = await plane.call("tracker.binding", namespace="going")
        assert shown["trackers"][0]["fit"]["precision"] == 0.9
        links = await plane.call("tracker.links", namespace="going", issue_number=1)
        assert any(each["number"] == 104 and each["written"] is False for each in links["items"])
        gone = {source.name: source.id for source in await plane.core.registry.sources(ORG)}
        await plane.call("tracker.source.remove", name="going")
        tables = ("tracker_fits", "qa_link_candidates", "tracker_embeddings")
        for table in tables:
            rows = await plane.store.query(f"SELECT DISTINCT source_id FROM {table}")
            assert [row["source_id"] for row in rows] == [gone["staying"]], table
        assert (await plane.call("tracker.binding", namespace="staying"))["trackers"][0]["fit"]
