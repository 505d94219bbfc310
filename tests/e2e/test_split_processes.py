"""One process per plane against a ClickHouse server: the same ops, replicas, and what happens when a process is gone."""

import asyncio
import contextlib
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.clickhouse_http import Server as ClickHouse
from tests.support.clickhouse_http import clickhouse_server
from tests.support.doors import DoorError, Grpc, Http, Mcp
from tests.support.processes import Program, gateway, plane
from tests.support.writers import Client, Ledger, http_client

LIMIT_S = 30.0
BREAKER_OPEN_S = 1.0
CALL = {"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "make"}}


@dataclass
class Cluster:
    """A ClickHouse server, two replicas of the observe plane, and a gateway in front of each: of one, and of both."""

    folder: Path
    clickhouse: ClickHouse
    first: Program
    second: Program
    single: Program
    double: Program
    stack: contextlib.ExitStack

    @property
    def programs(self) -> list[Program]:
        return [self.double, self.single, self.second, self.first]

    def http(self) -> Http:
        return Http(self.single)

    def restart_clickhouse(self) -> None:
        again = clickhouse_server(self.folder, user="loom", password="p@ss/word", port=self.clickhouse.port)
        self.clickhouse = self.stack.enter_context(again)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("cluster")
    with contextlib.ExitStack() as stack:
        started = stack.enter_context(clickhouse_server(folder / "data", user="loom", password="p@ss/word"))
        # Both at once on an empty server: one of them makes the tables, and the other waits for it.
        replicas = [plane("observe", folder / f"plane{number}.log", started.dsn("loom")).launch() for number in (1, 2)]
        first, second = (replica.await_ready() for replica in replicas)
        options = {"LOOM_BREAKER_OPEN_S": str(BREAKER_OPEN_S)}
        both = f'["observe=ipv4:{first.address},{second.address}"]'
        gateways = [
            gateway(folder / "single.log", f"observe={first.address}", **options).launch(),
            gateway(folder / "double.log", both, **options).launch(),
        ]
        single, double = (program.await_ready() for program in gateways)
        running = Cluster(folder / "data", started, first, second, single, double, stack)
        yield running
        assert [program.stop() for program in running.programs] == [0, 0, 0, 0]


@pytest.fixture(autouse=True)
async def healthy_again(cluster: Cluster, namespace: str) -> Any:
    """Each test leaves the cluster as it found it."""
    yield
    for program in (cluster.single, cluster.double):
        await until(lambda program=program: succeeds(Http(program), namespace))


async def until(condition: Callable[[], Awaitable[Any]]) -> Any:
    """The first true value of the condition, asked again and again, within LIMIT_S seconds."""
    async with asyncio.timeout(LIMIT_S):
        while True:
            if found := await condition():
                return found


async def succeeds(door: Http, namespace: str) -> bool:
    return await code_of(door, namespace) == "OK"


async def code_of(door: Http | Grpc, namespace: str, op: str = "observe.list") -> str:
    try:
        await door.call(op, {"namespace": namespace})
    except DoorError as error:
        return error.code
    return "OK"


async def fetch(program: Program, path: str) -> httpx.Response:
    async with httpx.AsyncClient(trust_env=False, timeout=LIMIT_S) as client:
        return await client.get(program.base_url + path)


async def breaker_metric(program: Program) -> float:
    found = re.search(r'^loom_breaker_state\{plane="observe"\} (\S+)$', (await fetch(program, "/metrics")).text, re.M)
    return float(found[1])


async def observe_component(program: Program) -> dict[str, Any]:
    answer = await Http(program).call("ops.health", {})
    component = next(part for part in answer["components"] if part["name"] == "observe")
    assert answer["status"] == ("ok" if component["status"] == "ok" else "degraded")
    return component


async def test_what_http_records_mcp_lists_and_a_plane_shows(cluster: Cluster, namespace: str) -> None:
    stored = await cluster.http().call("observe.record", {**CALL, "namespace": namespace})
    pages = [
        await door.call("observe.list", {"namespace": namespace})
        for door in (Mcp(cluster.single), Mcp(cluster.single, "legacy"), Grpc(cluster.first), cluster.http())
    ]
    assert [row["memory_key"] for row in pages[0]["observations"]] == [stored["memory_key"]]
    assert all(page == pages[0] for page in pages)


async def test_a_plane_in_another_process_fails_in_the_same_words(cluster: Cluster, namespace: str) -> None:
    wrong = {**CALL, "namespace": namespace, "observed_at": "yesterday"}
    with pytest.raises(DoorError) as failed:
        await cluster.http().call("observe.record", wrong)
    assert failed.value.code == "INVALID_FIELD"
    assert failed.value.detail["metadata"] == {"field": "observed_at"}
    assert failed.value.detail["request_id"]


async def test_two_replicas_on_one_server_keep_one_row_of_a_call(cluster: Cluster, namespace: str) -> None:
    records = [{**CALL, "tool_input": number} for number in range(20)]
    doors = [Grpc(cluster.first), Grpc(cluster.second)]
    calls = [door.call("observe.record", {**record, "namespace": namespace}) for record in records for door in doors]
    keys = {answer["memory_key"] for answer in await asyncio.gather(*calls)}
    assert len(keys) == len(records)
    for door in doors:
        rows = (await door.call("observe.list", {"namespace": namespace}))["observations"]
        assert Counter(row["memory_key"] for row in rows) == Counter(keys)


async def test_with_one_of_two_replicas_gone_no_call_fails(cluster: Cluster, namespace: str) -> None:
    await cluster.http().call("observe.record", {**CALL, "namespace": namespace})
    cluster.second.kill()
    try:
        codes = [await code_of(Http(cluster.double), namespace) for _ in range(12)]
        assert codes == ["OK"] * 12
        assert await breaker_metric(cluster.double) == 0
    finally:
        restart(cluster.second)


async def test_a_rolling_restart_of_the_replicas_fails_no_call(cluster: Cluster, namespace: str) -> None:
    ledger, over = Ledger(namespace), asyncio.Event()

    async def write(session: str) -> None:
        while not over.is_set():
            await client.send([ledger.record(session)])

    async with http_client() as http:
        client = Client(cluster.double, http, ledger)
        writers = [asyncio.create_task(write(f"s{number}")) for number in range(4)]
        for replica in (cluster.first, cluster.second):
            assert await asyncio.to_thread(replica.stop) == 0
            served = calls_served(replica)
            await asyncio.to_thread(restart, replica)
            # The next one stops when this one is in use again, which takes a channel up to two seconds to notice.
            await until(lambda replica=replica, served=served: in_use_again(replica, served))
        over.set()
        await asyncio.gather(*writers)
        assert await client.rows() == Counter(ledger.keys.values())


def calls_served(program: Program) -> int:
    """Calls in the program's log, of all its lives."""
    return program.log.read_text().count('"event":"call"')


async def in_use_again(program: Program, before: int) -> bool:
    return await asyncio.to_thread(calls_served, program) > before


def restart(program: Program) -> None:
    """On the same port as before."""
    program.env = {**program.env, "LOOM_GRPC_LISTEN": program.address}
    program.start()


async def test_a_killed_plane_opens_its_breaker_and_closes_it_when_it_is_back(cluster: Cluster, namespace: str) -> None:
    door = cluster.http()
    assert await breaker_metric(cluster.single) == 0
    cluster.first.kill()
    try:
        codes: list[str] = []

        async def circuit_is_open() -> bool:
            codes.append(await code_of(door, namespace))
            return codes[-1] == "CIRCUIT_OPEN"

        await until(circuit_is_open)
        assert set(codes) == {"UPSTREAM_UNAVAILABLE", "CIRCUIT_OPEN"}

        async def everything_says_so() -> bool:
            # The breaker lets a probe through every second, and a look may fall between two: then it is taken again.
            async with httpx.AsyncClient(trust_env=False, timeout=LIMIT_S) as client:
                refused = await client.post(f"{cluster.single.base_url}/v1/observe.list", json={})
            ready, component = await fetch(cluster.single, "/readyz"), await observe_component(cluster.single)
            detail = refused.json()["detail"]
            if detail["code"] != "CIRCUIT_OPEN" or component["status"] != "down" or ready.status_code != 503:
                return False
            assert refused.status_code == 503
            assert refused.headers["retry-after"] == "1"
            assert 0 < detail["retry_after_s"] <= BREAKER_OPEN_S
            assert (detail["retryable"], detail["metadata"]["plane"]) == (True, "observe")
            assert ready.json()["detail"]["metadata"].keys() == {"observe"}
            assert (component["breaker"], await breaker_metric(cluster.single)) == ("open", 2)
            return True

        await until(everything_says_so)
        # Other planes go on serving.
        capabilities = await door.call("ops.capabilities", {})
        assert "observe" in capabilities["planes"]
    finally:
        restart(cluster.first)
    await until(lambda: succeeds(door, namespace))
    assert await breaker_metric(cluster.single) == 0
    assert (await observe_component(cluster.single))["breaker"] == "closed"
    assert (await fetch(cluster.single, "/readyz")).status_code == 200


async def test_a_gateway_that_nobody_asks_is_ready_again_when_a_probe_is_due(cluster: Cluster, namespace: str) -> None:
    cluster.first.kill()
    try:
        await until(lambda: is_open(cluster.http(), namespace))

        # Nobody calls an op now, as when an edge takes a gateway that is not ready out of service.
        async def ready() -> bool:
            return (await fetch(cluster.single, "/readyz")).status_code == 200

        await until(ready)
        assert (await observe_component(cluster.single))["breaker"] == "open"
    finally:
        restart(cluster.first)


async def is_open(door: Http, namespace: str) -> bool:
    return await code_of(door, namespace) == "CIRCUIT_OPEN"


async def test_a_frozen_plane_counts_as_failing_and_is_asked_again_when_it_thaws(
    cluster: Cluster, namespace: str
) -> None:
    door = cluster.http()
    cluster.first.freeze()
    try:
        codes = await asyncio.gather(*(code_of(door, namespace) for _ in range(5)))
        assert codes == ["DEADLINE_EXCEEDED"] * 5
        assert await breaker_metric(cluster.single) == 2
        assert await code_of(door, namespace, "ops.capabilities") != "CIRCUIT_OPEN"
    finally:
        cluster.first.thaw()
    await until(lambda: succeeds(door, namespace))
    assert await breaker_metric(cluster.single) == 0


async def test_without_its_storage_a_plane_says_so_and_recovers_with_its_rows(cluster: Cluster, namespace: str) -> None:
    direct = Grpc(cluster.first)
    stored = await direct.call("observe.record", {**CALL, "namespace": namespace})
    cluster.clickhouse.kill()
    try:
        with pytest.raises(DoorError) as failed:
            await direct.call("observe.record", {**CALL, "namespace": namespace, "tool_input": "lost"})
        assert failed.value.code == "STORAGE_UNAVAILABLE"
        assert (failed.value.detail["retryable"], failed.value.detail["retry_after_s"]) == (True, 1.0)
        assert await code_of(direct, namespace) == "STORAGE_UNAVAILABLE"
        assert await code_of(cluster.http(), namespace) == "STORAGE_UNAVAILABLE"
    finally:
        cluster.restart_clickhouse()
    again = await direct.call("observe.record", {**CALL, "namespace": namespace})
    assert again["memory_key"] == stored["memory_key"]
    rows = (await direct.call("observe.list", {"namespace": namespace}))["observations"]
    assert [row["memory_key"] for row in rows] == [stored["memory_key"]]


@pytest.mark.parametrize("value", [b"caf\xc3\xa9", b"caf\xe9", b"a\tb"])
@pytest.mark.parametrize("header", ["loom-session-id", "traceparent", "tracestate", "authorization"])
async def test_a_header_that_grpc_cannot_carry_fails_at_most_its_own_call(
    cluster: Cluster, namespace: str, header: str, value: bytes
) -> None:
    async with httpx.AsyncClient(trust_env=False, timeout=LIMIT_S) as client:
        args = {"tool_name": "Bash", "namespace": namespace}
        answer = await client.post(f"{cluster.single.base_url}/v1/observe.record", json=args, headers={header: value})
    if header == "loom-session-id":
        assert answer.json()["detail"]["metadata"] == {"field": "loom-session-id"}
    else:
        assert answer.status_code == 200, answer.text
