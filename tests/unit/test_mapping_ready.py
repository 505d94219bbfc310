"""The ready mappings, each over tables as its tool creates them, with rows that have its shapes."""

from datetime import UTC, datetime
from typing import Any

import pytest

from runtime.store import Store
from services.tracker.contract.verdict import judge
from services.tracker.mapping.parse import parse
from services.tracker.mapping.propose import Inspected, propose
from services.tracker.mapping.ready_made import ready_mappings
from services.tracker.mapping.relation import probes, relation
from tests.support.record_engine import described, record_engine
from tests.support.sync_tables import flattened, github, gitlab, jira, linear

READY = {made.name: made for made in ready_mappings()}
OPENED, DONE = datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC), datetime(2024, 1, 3, 4, 5, 6, tzinfo=UTC)


async def rows(store: Store, mapping: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Everything that the mapping reads, by contract table; every column and type must have been found good."""
    read = parse(mapping)
    types = {}
    for name, select in probes(read).items():
        types[name] = {row["name"]: row["type"] for row in await store.query(f"DESCRIBE TABLE ({select})")}
    verdict = judge(await described(store, *(source.key for source in read.sources())), read, types)
    assert [problem for problem in verdict.problems if "no such table" not in problem] == []
    assert verdict.bindings.keys() == read.tables.keys()
    for name, mapped in read.tables.items():
        assert set(mapped.columns) <= set(verdict.bindings[name].columns)
    found = {}
    for name, binding in verdict.bindings.items():
        order = "number" if "number" in binding.columns else "1"
        found[name] = [dict(row) for row in await store.query(f"SELECT * FROM ({relation(binding)}) ORDER BY {order}")]
    return found


def shown(row: dict[str, Any], **expected: Any) -> None:
    assert {name: row[name] for name in expected} == expected


@pytest.mark.parametrize("objects", ["Nullable(String)", "JSON"])
async def test_github_with_objects_is_read(objects: str) -> None:
    async with record_engine(*github(objects)) as store:
        found = await rows(store, READY["github-airbyte"].mapping())
    (issue,) = found["github_issues"]
    shown(issue, source_id="Org/repo#7", number=7, title="T", body="", state="open", created_at=OPENED, updated_at=DONE)
    shown(issue, is_private=0, author="ann", labels=["bug", "ui"], milestone="M1", comments=3, closed_at=None)
    merged, closed = found["github_prs"]
    shown(
        merged,
        source_id="Org/repo#8",
        state="merged",
        merged_at=DONE,
        base_ref="main",
        head_ref="topic",
        head_sha="abc",
    )
    shown(merged, merge_sha="def", closes=[7, 12], labels=["bug", "ui"])
    shown(closed, state="closed", merged_at=None, closes=[])
    shown(found["releases"][0], version="v1", branch="main", state="prerelease", released_at=DONE, repo="Org/repo")
    shown(found["checks"][0], check_start_time=OPENED, check_status="failure", attempt=2, runner="r1", repo="Org/repo")


async def test_github_with_flattened_objects_is_read() -> None:
    async with record_engine(*flattened()) as store:
        found = await rows(store, READY["github-flattened"].mapping())
    (issue,), (request,) = found["github_issues"], found["github_prs"]
    shown(issue, source_id="Org/repo#7", number=7, state="open", is_private=0, created_at=OPENED)
    shown(request, source_id="Org/repo#8", state="merged", author="ann", base_ref="main", closes=[7])


async def test_gitlab_is_read_and_what_is_not_surely_public_is_private() -> None:
    async with record_engine(*gitlab()) as store:
        found = await rows(store, READY["gitlab-airbyte"].mapping())
    public, confidential, unknown = found["github_issues"]
    shown(public, source_id="group/sub/app#7", number=7, state="open", is_private=0, author="ann", labels=["bug", "ui"])
    assert (confidential["is_private"], unknown["is_private"]) == (1, 1)
    shown(unknown, state="closed", closed_at=DONE)
    merged, opened = found["github_prs"]
    shown(
        merged,
        source_id="group/sub/app#8",
        state="merged",
        closes=[7],
        base_ref="main",
        merge_sha="def",
        merged_at=DONE,
    )
    assert opened["state"] == "open"
    (job,) = found["checks"]
    shown(job, check_name="test", check_status="failed", commit_sha="abc", check_start_time=OPENED)


async def test_jira_is_read_with_projects_as_repositories() -> None:
    async with record_engine(*jira()) as store:
        found = await rows(store, READY["jira-airbyte"].mapping())
    done, new = found["github_issues"]
    shown(done, source_id="jira/CORE#12", number=12, title="T", body='It "breaks"\noften', state="closed", is_private=1)
    shown(
        done, created_at=OPENED, updated_at=DONE, closed_at=DONE, author="Ann", labels=["bug", "ui"], component="core"
    )
    shown(
        done,
        severity="High",
        version="1.0",
        affected_branches=["1.0", "1.1"],
        duplicate_of=5,
        mentions=["CORE-5", "CORE-6"],
    )
    shown(
        new,
        source_id="jira/CORE#13",
        body="plain",
        state="open",
        is_private=0,
        duplicate_of=None,
        labels=[],
        closed_at=None,
    )


async def test_linear_is_read_with_teams_as_repositories() -> None:
    async with record_engine(*linear()) as store:
        found = await rows(store, READY["linear-airbyte"].mapping())
    opened, canceled = found["github_issues"]
    shown(
        opened,
        source_id="linear/ENG#12",
        number=12,
        title="T",
        body="",
        state="open",
        created_at=OPENED,
        closed_at=None,
    )
    shown(canceled, state="closed", state_reason="canceled", severity="Urgent", closed_at=DONE)


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("github-airbyte", github),
        ("github-flattened", flattened),
        ("gitlab-airbyte", gitlab),
    ],
)
async def test_the_tables_of_a_ready_mapping_are_recognised_and_the_proposal_reads_the_same(
    name: str, make: Any
) -> None:
    async with record_engine(*make()) as store:
        names = [mapped["from"] for mapped in READY[name].tables.values()]
        found = await described(store, *(f"loom.{table}" for table in names))
        read = parse({"tables": {t: {"from": key} for t, key in zip(READY[name].tables, found, strict=True)}})
        by_key = {source.key: source for source in read.sources()}
        proposal = propose([Inspected(by_key[key], columns, 10) for key, columns in found.items()])
        assert {proposed.ready for proposed in proposal.tables.values()} == {name}
        assert proposal.tables["github_issues"].confidence >= 0.9
        assert await rows(store, proposal.mapping()) == await rows(store, READY[name].mapping())


async def test_issues_of_one_tool_and_changes_of_another_are_proposed_together() -> None:
    async with record_engine("CREATE DATABASE IF NOT EXISTS hub", *jira()) as store:
        for statement in github():
            await store.command(statement.replace("TABLE ", "TABLE hub.").replace("INTO ", "INTO hub."))
        await store.command("DROP TABLE hub.issues")
        found = await described(store, "loom.issues", "hub.pull_requests")
        keys = parse(
            {"tables": {"github_issues": {"from": "loom.issues"}, "github_prs": {"from": "hub.pull_requests"}}}
        )
        proposal = propose([Inspected(source, found[source.key]) for source in keys.sources()])
        assert {name: proposed.ready for name, proposed in proposal.tables.items()} == {
            "github_issues": "jira-airbyte",
            "github_prs": "github-airbyte",
        }
        both = await rows(store, proposal.mapping())
        assert (len(both["github_issues"]), len(both["github_prs"])) == (2, 2)
        await store.command("DROP DATABASE hub")


def test_every_ready_mapping_says_what_it_is_and_parses() -> None:
    assert set(READY) == {"github-airbyte", "github-flattened", "gitlab-airbyte", "jira-airbyte", "linear-airbyte"}
    for made in READY.values():
        assert made.title and made.about and made.recognised_by.keys() == made.tables.keys()
        assert made.parsed.tables.keys() == made.tables.keys()
