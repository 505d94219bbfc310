"""What a namespace reads of a source, through the builder and a real engine, over HTTP and beside our own tables."""

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runtime.clock import ManualClock, SystemClock
from services.tracker.reads import Live, NamespaceBinding, Reading, Relation, Scope, Statement, together
from services.tracker.sources.client import SourceClient
from services.tracker.sources.local import LocalClient
from services.tracker.sources.silence import Reason, Silent
from tests.support.clickhouse_http import Server
from tests.support.stores import chdb_store
from tests.support.tracked import INCIDENTS, ISSUES, PATIENT, RULES, SETUP, SHAPE, checks, issues, target

NUMBERS = Statement("numbers", "SELECT number FROM {github_issues(number)} ORDER BY number LIMIT 100")
INCIDENT_IDS = Statement("incidents", "SELECT id FROM {core_incidents(id)} LIMIT 100")
EVERYTHING = Statement(
    "everything",
    f"SELECT {', '.join(f'i.{name} AS {name}' for name in ISSUES)}, c.test_name AS test_name, r.version AS version"
    f" FROM {{github_issues({', '.join(ISSUES)})}} AS i"
    " LEFT JOIN {checks(test_name, pull_request_number, check_start_time)} AS c ON c.pull_request_number = i.fixed_by[1]"
    " LEFT JOIN {releases(version)} AS r ON r.version = i.title ORDER BY number LIMIT 100",
)
REQUIRED = ("source_id", "number", "is_private")
OPTIONAL = tuple(name for name in ISSUES if name not in REQUIRED)
OFFERED = {"github_issues": issues(), "checks": checks(), "core_incidents": INCIDENTS}


@pytest.fixture
async def client(source_server: Server) -> AsyncIterator[SourceClient]:
    made = SourceClient(target(source_server), RULES, SystemClock(), PATIENT)
    yield made
    await made.close()


def reading(client: Any, *repos: str, restricted: bool = False, offered: Mapping[str, Relation] = OFFERED) -> Reading:
    scope = Scope(repos or ("Org/repo",), restricted)
    return Live(SHAPE, ManualClock()).reading(NamespaceBinding("tracker", client, scope, offered))


async def numbers(found: Reading) -> list[int]:
    return [row["number"] for row in await found.rows("items", NUMBERS)]


async def test_a_namespace_reads_its_repositories_and_no_private_row(client: SourceClient) -> None:
    assert await numbers(reading(client)) == [1]
    assert await numbers(reading(client, restricted=True)) == [1, 2]
    assert await numbers(reading(client, "Org")) == [1, 3]
    assert await numbers(reading(client, "Org/repo2", "Organic")) == [3, 4]
    assert await numbers(reading(client, "Org/rep")) == []
    assert await numbers(reading(client, "Org/repo%", "Org/_epo", "org/repo")) == []


async def test_the_three_tables_are_refused_to_a_standard_namespace(
    client: SourceClient, source_server: Server
) -> None:
    standard, restricted = reading(client), reading(client, restricted=True)
    assert await standard.rows("incidents", INCIDENT_IDS) == []
    assert (standard.leg_status, standard.refused) == ({"incidents": "refused"}, ["core_incidents"])
    assert not standard.tracker_unavailable
    assert source_server.recorded() == []
    assert await restricted.rows("incidents", INCIDENT_IDS) == [{"id": "I1"}]


async def test_checks_are_filtered_by_repository_where_the_source_says_which(client: SourceClient) -> None:
    tests = Statement("tests", "SELECT test_name FROM {checks(test_name)} ORDER BY test_name LIMIT 9")
    told = reading(client, offered={"checks": checks(repo=True)})
    assert await told.rows("ci", tests) == [{"test_name": "t1"}]
    assert await reading(client, offered={"checks": checks()}).rows("ci", tests) == [
        {"test_name": "t1"},
        {"test_name": "t2"},
    ]


async def test_a_relation_that_tries_to_widen_stays_inside_its_brackets(client: SourceClient) -> None:
    sql = f"{issues().sql} WHERE 1 OR 1 -- "
    offered = {"github_issues": Relation(sql, issues().columns)}
    assert await numbers(reading(client, offered=offered)) == [1]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sets(st.sampled_from(OPTIONAL)), st.booleans())
async def test_any_subset_of_optional_tables_and_columns_answers_and_names_what_is_missing(
    client: SourceClient, kept: set[str], has_checks: bool
) -> None:
    offered = {"github_issues": issues([*REQUIRED, *sorted(kept)]), **({"checks": checks()} if has_checks else {})}
    found = reading(client, offered=offered)
    (row,) = await found.rows("items", EVERYTHING)
    missing = {f"github_issues.{name}" for name in set(OPTIONAL) - kept} | {"releases"}
    assert set(found.not_provided) == missing | (set() if has_checks else {"checks"})
    full = (await reading(client).rows("items", EVERYTHING))[0]
    assert {name: row[name] for name in (*REQUIRED, *kept)} == {name: full[name] for name in (*REQUIRED, *kept)}
    empty = {"labels": [], "fixed_by": [], "closed_at": None}
    assert all(row[name] == empty.get(name, "") for name in set(OPTIONAL) - kept)


async def test_a_leg_of_which_no_table_is_offered_is_not_sent(client: SourceClient, source_server: Server) -> None:
    found = reading(client, offered={})
    assert await found.rows("items", NUMBERS) == []
    assert (found.leg_status, found.not_provided) == ({"items": "not_provided"}, ["github_issues"])
    assert source_server.recorded() == []
    assert not found.provides("github_issues")
    assert reading(client).provides("github_issues", "labels")
    assert not reading(client).provides("core_incidents", "id")


async def test_the_kill_switch_and_a_failed_contract_ask_nobody(client: SourceClient, source_server: Server) -> None:
    off = Live(SHAPE, ManualClock(), serve=False).reading(NamespaceBinding("t", client, Scope(("Org",)), OFFERED))
    failed = Live(SHAPE, ManualClock()).reading(NamespaceBinding("t", client, Scope(("Org",)), {}, Reason.CONTRACT))
    assert await off.rows("items", NUMBERS) == await failed.rows("items", NUMBERS) == []
    assert (off.unavailable_reason, failed.unavailable_reason) == ("off", "contract")
    assert source_server.recorded() == []


async def test_one_leg_that_fails_leaves_the_others_and_is_named(client: SourceClient) -> None:
    gone = Relation("SELECT test_name FROM team.gone", frozenset({"test_name"}))
    found = reading(client, offered={"github_issues": issues(), "checks": gone})
    assert await numbers(found) == [1]
    assert await found.rows("ci", Statement("ci", "SELECT test_name FROM {checks(test_name)} LIMIT 1")) == []
    assert found.leg_status == {"items": "ok", "ci": "contract"}
    assert not found.tracker_unavailable
    assert set(found.timings_ms) == {"items", "ci"}


async def test_a_source_beside_our_own_tables_answers_the_same(client: SourceClient, tmp_path: Path) -> None:
    async with chdb_store(tmp_path) as store:
        for statement in SETUP:
            await store.command(statement)
        local = LocalClient(store, PATIENT)
        for statement in (NUMBERS, EVERYTHING):
            over_http = await reading(client, "Org").rows("items", statement)
            assert await reading(local, "Org").rows("items", statement) == over_http
        with pytest.raises(ValueError, match="only read"):
            await local.rows("test", "DROP TABLE team.issues")
        with pytest.raises(Silent, match="contract"):
            await local.rows("test", "SELECT x FROM team.issues")
        with pytest.raises(Silent, match="timeout"):
            await local.rows(
                "test", "SELECT count() FROM numbers(100000000000) WHERE sipHash64(number) = 1", budget_s=0.05
            )
    with pytest.raises(Silent, match="unreachable"):
        await local.rows("test", "SELECT 1")


async def test_a_leg_that_raises_ends_the_others_and_is_raised_as_it_is(client: SourceClient) -> None:
    async def fails() -> list[Any]:
        raise LookupError

    with pytest.raises(LookupError):
        await together(reading(client).rows("items", NUMBERS), fails())
