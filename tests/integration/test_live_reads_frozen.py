"""Two sources, one of which stops answering: what its callers are told, what is left at it, and what the other notices."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from runtime.clock import ManualClock
from services.tracker.reads import Live, NamespaceBinding, Scope, Statement, together
from services.tracker.sources.client import SourceClient
from services.tracker.sources.faults import Kind, SourceFault
from services.tracker.sources.silence import Reason, Silent
from tests.support.clickhouse_http import Server, clickhouse_server
from tests.support.tracked import HURRIED, PATIENT, RULES, SHAPE, fill, issues, settled, target

ONE = Statement("one", "SELECT number FROM {github_issues(number)} ORDER BY number LIMIT 5")
COOLDOWN_S = 120.0
PLACES = 4


@pytest.fixture(scope="module")
def frozen_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with clickhouse_server(tmp_path_factory.mktemp("frozen"), user="team", password="word") as server:
        fill(server)
        yield server


@asynccontextmanager
async def client_of(server: Server, clock: ManualClock, limits=HURRIED) -> AsyncIterator[SourceClient]:
    client = SourceClient(target(server), RULES, clock, limits, statements=PLACES, open_s=COOLDOWN_S)
    try:
        yield client
    finally:
        await client.close()


@pytest.fixture
def bad(frozen_server: Server) -> Iterator[Server]:
    frozen_server.reset()
    yield frozen_server
    frozen_server.reset()


async def reason_of(client: SourceClient) -> Reason | None:
    """What a caller is told; None for an answer."""
    try:
        await client.rows("test", "SELECT 1")
    except Silent as silent:
        return silent.reason
    return None


def of_port(port: int) -> int:
    """Connections of this machine that stand, from our side, to a port of the loopback."""
    lines = Path("/proc/net/tcp").read_text("ascii").splitlines()[1:]
    return sum(1 for line in lines if line.split()[2].endswith(f":{port:04X}") and line.split()[3] == "01")


async def test_a_frozen_source_is_left_alone_after_three_failures_and_probed_once_after_the_cooldown(
    source_server: Server, bad: Server
) -> None:
    clock = ManualClock()
    async with client_of(source_server, clock, PATIENT) as well, client_of(bad, clock) as frozen:
        live = Live(SHAPE, clock)
        scope, tables = Scope(("Org/repo",)), {"github_issues": issues()}
        of_well = NamespaceBinding("well", well, scope, tables)
        of_frozen = NamespaceBinding("frozen", frozen, scope, tables)
        frozen.limits = PATIENT
        assert await live.reading(of_frozen).rows("items", ONE) == [{"number": 1}]

        bad.freeze()
        frozen.limits = HURRIED
        said = []
        for _ in range(5):
            one, other = live.reading(of_frozen), live.reading(of_well)
            none, rows = await together(one.rows("items", ONE), other.rows("items", ONE))
            assert (none, rows, other.leg_status) == ([], [{"number": 1}], {"items": "ok"})
            said.append((one.tracker_unavailable, one.unavailable_reason))
        assert said == [(True, "timeout")] * 3 + [(True, "circuit_open")] * 2

        clock.advance(COOLDOWN_S - 0.1)
        assert await reason_of(frozen) is Reason.CIRCUIT_OPEN
        clock.advance(0.2)
        probes = await together(*(reason_of(frozen) for _ in range(6)))
        assert sorted(probes) == [Reason.CIRCUIT_OPEN] * 5 + [Reason.TIMEOUT]
        assert await reason_of(frozen) is Reason.CIRCUIT_OPEN

        bad.thaw()
        frozen.limits = PATIENT
        clock.advance(COOLDOWN_S)
        assert await reason_of(frozen) is None
        assert await together(*(reason_of(frozen) for _ in range(6))) == [None] * 6
        await settled(frozen)
        assert not frozen.canceller.hanging


async def test_nothing_piles_up_at_a_source_that_stays_frozen(bad: Server) -> None:
    clock = ManualClock()
    async with client_of(bad, clock) as client:
        bad.freeze()
        for _ in range(4):
            await together(*(reason_of(client) for _ in range(8)))
            await settled(client)
            clock.advance(COOLDOWN_S + 1)
        assert of_port(bad.port) == 0
        assert len(client.canceller.hanging) <= PLACES
        bad.thaw()
        client.limits = PATIENT
        assert await reason_of(client) is None
        assert not client.canceller.hanging
    arrived = bad.idle()
    assert sum(entry["sql"] == "SELECT 1" for entry in arrived) <= PLACES + 1
    assert sum(entry["sql"].startswith("KILL") for entry in arrived) <= PLACES + 1
    assert not [entry for entry in arrived if entry["state"] == "running"]


async def test_what_a_silent_source_was_sent_is_hung_up_on_and_killed_by_our_own_ids(bad: Server) -> None:
    async with client_of(bad, ManualClock(), PATIENT) as client:
        assert await reason_of(client) is None
        bad.set(silent=True)
        client.limits = HURRIED
        assert await reason_of(client) is Reason.TIMEOUT
        await settled(client)
        _, given_up, kill = bad.idle()
        assert (given_up["state"], kill["state"]) == ("gone", "gone")
        assert given_up["query_id"].startswith("loom-")
        assert list(client.canceller.hanging) == [given_up["query_id"]]
        bad.set(silent=False)
        client.limits = PATIENT
        assert await reason_of(client) is None
        await settled(client)
        assert not client.canceller.hanging
        last = bad.idle()[-1]
        assert (last["state"], last["params"]) == ("done", {"ids": f"['{given_up['query_id']}']"})


async def test_a_slow_source_times_out_and_a_fast_answer_forgets_it(bad: Server) -> None:
    async with client_of(bad, ManualClock()) as client:
        for _ in range(3):
            for delay_s, reason in ((0.6, Reason.TIMEOUT), (0.6, Reason.TIMEOUT), (0.0, None)):
                bad.set(delay_s=delay_s)
                client.limits = HURRIED if reason else PATIENT
                assert await reason_of(client) is reason
            await settled(client)


async def test_a_source_that_is_gone_is_unreachable_and_serves_again_once_it_is_back(bad: Server) -> None:
    clock = ManualClock()
    async with client_of(bad, clock, PATIENT) as client:
        assert await reason_of(client) is None
        bad.kill()
        assert [await reason_of(client) for _ in range(4)] == [Reason.UNREACHABLE] * 3 + [Reason.CIRCUIT_OPEN]
        bad.restart()
        assert await reason_of(client) is Reason.CIRCUIT_OPEN
        clock.advance(COOLDOWN_S)
        assert await reason_of(client) is None


async def test_a_connection_that_the_server_closed_while_idle_costs_no_answer(bad: Server) -> None:
    async with client_of(bad, ManualClock(), PATIENT) as client:
        assert await reason_of(client) is None
        bad.kill()
        bad.restart()
        assert await reason_of(client) is None


async def test_a_check_waits_no_longer_than_it_says_and_leaves_nothing_running(bad: Server) -> None:
    async with client_of(bad, ManualClock()) as client:
        bad.set(silent=True)
        with pytest.raises(SourceFault) as caught:
            await client.ask("SELECT 1", limits=HURRIED)
        assert caught.value.kind is Kind.TIMEOUT
        bad.set(silent=False)
        await asyncio.wait_for(settled(client), 20)
        assert bad.idle()[-1]["sql"].startswith("KILL QUERY")
        assert not client.canceller.hanging
