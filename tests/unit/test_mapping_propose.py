"""Proposals for tables that nobody mapped: what they say, and that they hold on a real engine."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.tracker.contract.families import CANONICAL
from services.tracker.contract.tables import TABLES
from services.tracker.contract.verdict import judge
from services.tracker.mapping.model import SourceTable
from services.tracker.mapping.parse import parse, parse_text
from services.tracker.mapping.propose import Inspected, Proposal, propose
from services.tracker.mapping.relation import probes, relation
from tests.support.record_engine import described, record_engine

TICKETS = {
    "ticket_id": "UInt64",
    "repo": "LowCardinality(String)",
    "num": "UInt32",
    "summary": "String",
    "details": "Nullable(String)",
    "status": "String",
    "opened": "String",
    "last_updated": "Nullable(DateTime)",
    "tags": "String",
    "prio": "UInt8",
    "area": "LowCardinality(String)",
    "linked_prs": "String",
    "confidential": "String",
    "resolved": "Nullable(Date)",
}
CHANGES = {
    "sourceId": "String",
    "number": "UInt32",
    "title": "String",
    "body": "String",
    "state": "String",
    "createdAt": "DateTime",
    "updatedAt": "DateTime",
    "mergedAt": "Nullable(DateTime64(3))",
    "target_branch": "String",
    "files": "Array(String)",
}
NOISE = {"id": "UUID", "email": "String", "name": "String", "created_at": "DateTime"}


def inspected(name: str, columns: dict[str, str], rows: int | None = 100, database: str | None = "team") -> Inspected:
    return Inspected(SourceTable(name, database), columns, rows)


def full(table: str) -> dict[str, str]:
    return {column.name: CANONICAL[column.family] for column in TABLES[table].columns.values()}


def test_a_record_under_the_contracts_own_names_needs_no_mapping() -> None:
    proposal = propose([inspected(name, full(name), database=None) for name in TABLES])
    assert proposal.tables.keys() == TABLES.keys()
    assert proposal.mapping() == {"tables": {}}
    for proposed in proposal.tables.values():
        assert proposed.confidence == 1.0 and not proposed.missing
        assert {(guess.confidence, guess.reasons[0]) for guess in proposed.columns.values()} == {(1.0, "its own name")}


def test_a_hand_made_schema_is_proposed_with_a_confidence_and_reasons_for_each_column() -> None:
    proposal = propose([inspected("tickets", TICKETS), inspected("changes", CHANGES), inspected("users", NOISE)])
    assert {name: str(found.source) for name, found in proposal.tables.items()} == {
        "github_issues": "team.tickets",
        "github_prs": "team.changes",
    }
    issues = proposal.tables["github_issues"].columns
    assert (issues["title"].origin, issues["component"].origin) == ("summary", "area")
    assert issues["title"].reasons == ("an alias", "its type fits")
    assert 0.7 < issues["title"].confidence < 1 and issues["body"].confidence < issues["title"].confidence
    assert issues["source_id"].reasons == ("built from repository and number; the repository must be Org/repo",)
    changes = proposal.tables["github_prs"].columns
    assert changes["created_at"].reasons[0] == "its own name in another spelling"
    assert "merged where merged_at says so" in changes["state"].reasons
    assert all(0 <= guess.confidence <= 1 for found in proposal.tables.values() for guess in found.columns.values())


def test_where_nothing_says_what_is_private_the_proposal_makes_everything_private_and_says_so() -> None:
    found = propose([inspected("changes", CHANGES)]).tables["github_prs"].columns["is_private"]
    assert found.origin == {"expr": "1"} and found.confidence == 0.1
    assert "so all are" in found.reasons[0]


async def test_a_proposal_is_a_good_mapping_and_reads_converted_values() -> None:
    ticket = (
        "(1, 'Org/repo', 7, 'T', NULL, 'open', '2024-01-02T03:04:05Z', NULL, 'a, b,', 2, 'core', '[3,4]', 'no', '2024-01-03'), "
        "(2, 'Org/repo', 8, 'U', 'B', 'open', 'soon', NULL, '[\"x\"]', 2, 'core', '', 'yes', NULL)"
    )
    change = (
        "('Org/repo#9', 9, 'P', '', 'closed', 0, 0, '2024-01-03 00:00:00', 'main', ['f']), "
        "('Org/repo#10', 10, 'Q', '', 'open', 0, 0, NULL, '', [])"
    )
    statements = []
    for name, columns, rows in (("tickets", TICKETS, ticket), ("changes", CHANGES, change)):
        listed = ", ".join(f"`{column}` {kind}" for column, kind in columns.items())
        statements += [f"CREATE TABLE {name} ({listed}) ENGINE = Memory", f"INSERT INTO {name} VALUES {rows}"]
    async with record_engine(*statements) as store:
        found = await described(store, "tickets", "changes")
        proposal = propose([inspected(name, dict(columns), database=None) for name, columns in found.items()])
        mapping = parse(proposal.mapping())
        types = {
            table: {row["name"]: row["type"] for row in await store.query(f"DESCRIBE TABLE ({select})")}
            for table, select in probes(mapping).items()
        }
        verdict = judge(found, mapping, types)
        assert verdict.ok and verdict.problems == ()
        issues = await store.query(f"SELECT * FROM ({relation(verdict.bindings['github_issues'])}) ORDER BY number")
        requests = await store.query(f"SELECT * FROM ({relation(verdict.bindings['github_prs'])}) ORDER BY number")
    assert [row["source_id"] for row in issues] == ["Org/repo#7", "Org/repo#8"]
    assert [row["labels"] for row in issues] == [["a", "b"], ["x"]]
    assert [row["fixed_by"] for row in issues] == [[3, 4], []]
    assert [row["is_private"] for row in issues] == [0, 1]
    assert [row["severity"] for row in issues] == ["2", "2"]
    assert issues[0]["created_at"].year == 2024 and issues[1]["created_at"].year == 1970
    assert issues[0]["closed_at"].day == 3 and issues[1]["closed_at"] is None
    assert [row["state"] for row in requests] == ["merged", "open"]


def test_of_two_tables_that_are_equally_likely_the_one_with_more_rows_is_proposed() -> None:
    small, big = inspected("issues", full("github_issues"), 3), inspected("issues", full("github_issues"), 9, "other")
    for order in ([small, big], [big, small]):
        assert str(propose(order).tables["github_issues"].source) == "other.issues"


def test_a_table_serves_one_table_of_the_contract_and_strangers_serve_none() -> None:
    proposal = propose(
        [inspected("issues", full("github_issues")), inspected("users", NOISE), inspected("log", {"version": "String"})]
    )
    assert [*proposal.tables] == ["github_issues"]
    assert propose([]).mapping() == {"tables": {}}


def test_what_was_not_found_of_a_likely_table_is_named() -> None:
    columns = {name: kind for name, kind in full("github_issues").items() if name not in ("body", "updated_at")}
    assert propose([inspected("issues", columns)]).tables["github_issues"].missing == ("body", "updated_at")


@pytest.mark.parametrize("kind", ["JSON", "Map(String, String)", "Array(Array(String))", "Tuple(a String)", "Nothing"])
def test_a_column_that_no_conversion_is_known_for_is_not_proposed(kind: str) -> None:
    proposal = propose([inspected("issues", {**full("github_issues"), "labels": kind})])
    assert "labels" not in proposal.tables["github_issues"].columns


NAMES = sorted({name for table in TABLES.values() for c in table.columns.values() for name in (c.name, *c.aliases)})
KINDS = [
    "String",
    "Nullable(String)",
    "UInt64",
    "Nullable(Date)",
    "DateTime",
    "Bool",
    "Array(String)",
    "JSON",
    "Nullable(UUID)",
]
COLUMNS = st.dictionaries(
    st.sampled_from(NAMES)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=6),
    st.sampled_from(KINDS),
    max_size=25,
)
TABLE_NAMES = st.sampled_from(["issues", "prs", "checks", "x", "a.b", "we`ird", 'q"', "\\", "ü", *TABLES])


def plain(proposal: Proposal) -> Any:
    return json.loads(json.dumps(proposal.mapping()))


@given(st.dictionaries(TABLE_NAMES, COLUMNS, max_size=4), st.randoms(use_true_random=False))
@settings(max_examples=120, deadline=None)
def test_every_proposal_parses_and_does_not_depend_on_any_order(
    record: dict[str, dict[str, str]], shuffle: random.Random
) -> None:
    proposal = propose([inspected(name, columns) for name, columns in record.items()])
    mapping = parse_text(json.dumps(proposal.mapping()))
    for name, found in proposal.tables.items():
        if name in mapping.tables:
            assert mapping.tables[name].source in (found.source, SourceTable(name))
            assert set(mapping.tables[name].columns) <= set(found.columns)
    mixed = [
        inspected(name, dict(shuffle.sample([*record[name].items()], len(record[name]))))
        for name in shuffle.sample([*record], len(record))
    ]
    assert plain(propose(mixed)) == plain(proposal)
