"""What the checks of a source find out, and that nothing but reading is ever sent."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from runtime.clock import SystemClock
from services.tracker.reads import Live, NamespaceBinding, Scope, Statement
from services.tracker.sources import probe
from services.tracker.sources.client import SourceClient
from services.tracker.sources.clients import SourceClients
from services.tracker.sources.faults import Kind
from services.tracker.sources.model import Answer
from services.tracker.sources.settings import LiveSettings
from services.tracker.sources.silence import Silent
from tests.support.clickhouse_http import Server
from tests.support.tracked import PATIENT, RULES, SHAPE, issues, settled, target

ALLOWED = ("SELECT", "WITH", "DESCRIBE", "EXISTS", "SHOW GRANTS", "CHECK GRANT")

SLOW = "WITH 7 AS n SELECT count() FROM numbers_mt(1000000000000) WHERE sipHash64(number) % n = 1"


@pytest.fixture
async def client(source_server: Server) -> AsyncIterator[SourceClient]:
    made = SourceClient(target(source_server), RULES, SystemClock(), PATIENT)
    yield made
    await made.close()


@pytest.mark.parametrize(("readonly", "only_reads"), [(0, False), (1, True), (2, True)])
async def test_a_check_says_how_the_login_is_held_to_reading(
    source_server: Server, client: SourceClient, readonly: int, only_reads: bool
) -> None:
    source_server.set(readonly=readonly)
    found = await probe.check(client, SystemClock())
    assert (found.reachable, found.authenticated, found.fault, found.advice) == (True, True, None, "")
    assert (found.readonly, found.only_reads) == (readonly, only_reads)
    assert "INSERT" in found.write_privileges
    assert found.version.count(".") >= 2
    assert abs(found.clock_skew_s) < 60
    assert found.latency_ms > 0
    assert await probe.may_write(client, "team") is (readonly == 0)


@pytest.mark.parametrize(
    ("changes", "kind", "reachable"),
    [
        ({"password": "wrong"}, Kind.CREDENTIALS, True),
        ({"port": 1}, Kind.NO_CONNECTION, False),
        ({"host": "169.254.169.254"}, Kind.HOST_REFUSED, False),
        ({"host": "8.8.8.8"}, Kind.HOST_REFUSED, False),
        ({"host": "no-such-name.invalid"}, Kind.NAME_UNKNOWN, False),
        ({"secure": True}, Kind.TLS, False),
    ],
)
async def test_a_check_says_why_a_source_cannot_be_read(
    source_server: Server, changes: dict[str, Any], kind: Kind, reachable: bool
) -> None:
    client = SourceClient(target(source_server, **changes), RULES, SystemClock(), PATIENT)
    found = await probe.check(client, SystemClock())
    await client.close()
    assert (found.fault, found.reachable, found.authenticated) == (kind, reachable, False)
    assert found.advice


async def test_every_kind_of_fault_has_its_advice() -> None:
    assert set(probe.ADVICE) == set(Kind)


@pytest.mark.parametrize(
    "row", [{}, {"version": 1, "now": None, "readonly": 0}, {"version": "x", "now": 1, "readonly": "y"}]
)
async def test_a_check_survives_a_server_that_answers_nonsense(row: dict[str, Any]) -> None:
    class Nonsense:
        async def ask(self, sql: str, params: Any = None, *, limits: Any, plain: bool = False) -> Answer:
            return Answer([row])

        def at_level(self, readonly: int) -> None: ...

    assert (await probe.check(Nonsense(), SystemClock())).fault is Kind.NOT_CLICKHOUSE


async def test_an_inspection_lists_tables_and_views_with_types_and_rows(
    source_server: Server, client: SourceClient
) -> None:
    source_server.execute("CREATE OR REPLACE VIEW team.a_view AS SELECT number, upper(title) AS shout FROM team.issues")
    found = {(table.database, table.name): table for table in await probe.inspect(client)}
    assert found["team", "issues"].rows == 4
    assert found["team", "issues"].columns["labels"] == "Array(String)"
    assert (found["team", "a_view"].rows, found["team", "a_view"].engine) == (None, "View")
    assert found["team", "a_view"].columns == {"number": "Int64", "shout": "String"}
    assert not any(database in ("system", "INFORMATION_SCHEMA") for database, _ in found)
    described = await probe.describe(client, "team", "default")
    assert described["a_view"] == described["team.a_view"] == found["team", "a_view"].columns
    assert await probe.describe_select(client, "SELECT toUInt8(1) AS a, [1] AS b") == {
        "a": "UInt8",
        "b": "Array(UInt8)",
    }
    counted = await probe.count_rows(client, {"issues": issues().sql, "gone": "SELECT 1 FROM team.gone"})
    assert counted == {"issues": 4, "gone": None}


async def test_a_source_is_never_sent_anything_but_reading_and_the_end_of_our_own(
    source_server: Server, client: SourceClient
) -> None:
    source_server.set(readonly=1)
    await probe.check(client, SystemClock())
    await probe.inspect(client)
    await probe.may_write(client, "team")
    await probe.describe_select(client, "SELECT 1")
    await probe.count_rows(client, {"issues": issues().sql})
    binding = NamespaceBinding("t", client, Scope(("Org",)), {"github_issues": issues()})
    await (
        Live(SHAPE, SystemClock())
        .reading(binding)
        .rows("a", Statement("a", "SELECT number FROM {github_issues(number)}"))
    )
    with pytest.raises(Silent):
        await client.rows("slow", SLOW, budget_s=0.2)
    await settled(client)
    sent = source_server.idle()
    ours = {entry["query_id"] for entry in sent}
    kills = [entry for entry in sent if entry["sql"].startswith("KILL QUERY WHERE query_id IN ")]
    assert len(kills) == 1
    assert {one.strip(" '") for one in kills[0]["params"]["ids"].strip("[]").split(",")} <= ours
    assert all(entry["sql"].lstrip().startswith(ALLOWED) for entry in sent if entry not in kills)
    assert all(entry["query_id"].startswith("loom-") for entry in sent)


async def test_each_source_has_one_client_until_it_changes(source_server: Server) -> None:
    clients = SourceClients(RULES, SystemClock(), LiveSettings(live_budget_ms=20_000))
    where, moved = target(source_server), target(source_server, database="default")
    first = clients.of(where)
    assert clients.of(target(source_server)) is first
    assert (await first.rows("test", "SELECT currentDatabase() AS d")).rows == [{"d": "team"}]
    running = asyncio.create_task(first.rows("test", "SELECT sleep(0.1) AS s"))
    await asyncio.sleep(0)
    second = clients.of(moved)
    assert second is not first
    assert (await running).rows == [{"s": 0}]
    assert (await second.rows("test", "SELECT currentDatabase() AS d")).rows == [{"d": "default"}]
    clients.forget("source")
    assert clients.of(moved) is not second
    await clients.close()
    with pytest.raises(Silent, match="unreachable"):
        await first.rows("test", "SELECT 1")
