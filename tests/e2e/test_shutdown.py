"""SIGTERM under load: not ready first, running calls finish, nothing acknowledged is lost, and the exit code says how."""

import asyncio
import random
import re
import signal
import socket
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import httpx
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.support.doors import Grpc, Http
from tests.support.server import BIN, LIMIT_S, Server, clean_environ
from tests.support.writers import Client, Ledger, Trigger, http_client, write_until_gone

NEVER_S = "600"
SERVICE = "loom.observe.v1.ObserveService"
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
SERVING = health_pb2.HealthCheckResponse.SERVING


@pytest.fixture
def starting(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts servers on the test's folder, with settings; they are gone at the end."""
    started: list[Server] = []

    def start(**env: str) -> Server:
        started.append(Server(tmp_path / "data", tmp_path / "log", env))
        return started[-1].start()

    yield start
    for server in started:
        if server.process.poll() is None:
            server.kill()


@asynccontextmanager
async def health_watch(server: Server, service: str) -> AsyncIterator[grpc.aio.UnaryStreamCall]:
    """The stream of states that a gRPC client or load balancer watches."""
    async with grpc.aio.insecure_channel(server.grpc) as channel:
        watch = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest(service=service))
        yield watch
        watch.cancel()


async def exit_code(server: Server) -> int:
    return await asyncio.to_thread(server.process.wait, LIMIT_S)


async def in_flight(server: Server, count: int) -> None:
    """Returns when so many calls to the plane are running."""
    async with http_client() as http, asyncio.timeout(LIMIT_S):
        while True:
            metrics = (await http.get(f"{server.base_url}/metrics")).text
            found = re.search(r'^loom_in_flight\{plane="observe"\} (\S+)$', metrics, re.M)
            if found and float(found[1]) == count:
                return


async def check_and_stop(server: Server, ledger: Ledger) -> None:
    """What was acknowledged is there once; the rest can be sent."""
    async with http_client() as http:
        client = Client(server, http, ledger)
        assert set(ledger.keys.values()) <= set(await client.rows())
        if ledger.unknown:
            await client.send(ledger.unknown)
        rows = await client.rows()
        assert set(rows) == set(ledger.keys.values())
        assert set(rows.values()) == {1}
    assert server.stop() == 0


async def test_sigterm_under_load_loses_nothing_and_the_next_start_goes_on(
    starting: Callable[..., Server], namespace: str
) -> None:
    ledger, luck = Ledger(namespace), random.Random(7)
    server = starting()
    async with http_client() as http:
        client = Client(server, http, ledger)
        trigger = Trigger("answered", 40, server.process.terminate)
        writers = [write_until_gone(client, ledger, f"s{writer}", luck, trigger) for writer in range(6)]
        await asyncio.wait_for(asyncio.gather(*writers), LIMIT_S)
    assert await exit_code(server) == 0
    await check_and_stop(starting(), ledger)


async def test_calls_that_run_when_sigterm_comes_are_answered(starting: Callable[..., Server], namespace: str) -> None:
    ledger = Ledger(namespace)
    # Rows wait a second for company, so the calls are surely running when the signal comes.
    server = starting(LOOM_STORE_GROUP_WINDOW_MS="1000")
    async with http_client() as http:
        client = Client(server, http, ledger)
        over_grpc = Grpc(server).call("observe.record", {"namespace": f"{namespace}-grpc", "tool_name": "Bash"})
        calls = [client.send([ledger.record("s")]) for _ in range(8)]
        running = asyncio.gather(over_grpc, *calls)
        await in_flight(server, 8)
        server.process.terminate()
        assert (await running)[0]["memory_key"]
    assert len(ledger.keys) == 8
    assert await exit_code(server) == 0
    await check_and_stop(starting(), ledger)


async def test_in_the_drain_it_is_not_ready_and_serves_and_a_second_signal_ends_it(
    starting: Callable[..., Server], namespace: str
) -> None:
    server = starting(LOOM_DRAIN_S=NEVER_S)
    door = Http(server)
    args = {"namespace": namespace, "tool_name": "Bash"}
    async with http_client() as http, health_watch(server, SERVICE) as states:
        assert (await states.read()).status == SERVING
        assert (await http.get(f"{server.base_url}/readyz")).status_code == 200
        server.process.terminate()
        assert (await asyncio.wait_for(states.read(), LIMIT_S)).status == NOT_SERVING
        not_ready = await http.get(f"{server.base_url}/readyz")
        assert (not_ready.status_code, not_ready.json()["detail"]["code"]) == (503, "SHUTTING_DOWN")
        assert not_ready.headers["retry-after"] == "1"
        assert (await http.get(f"{server.base_url}/healthz")).status_code == 200
        stored = await door.call("observe.record", args)
        assert await Grpc(server).call("observe.record", args) == stored
    server.process.send_signal(signal.SIGINT)
    assert await exit_code(server) == 1
    again = starting()
    listed = await Http(again).call("observe.list", {"namespace": namespace})
    assert [row["memory_key"] for row in listed["observations"]] == [stored["memory_key"]]
    assert again.stop() == 0


async def test_the_drain_ends_by_itself(starting: Callable[..., Server]) -> None:
    server = starting(LOOM_DRAIN_S="0.3")
    async with health_watch(server, "") as states:
        assert (await states.read()).status == SERVING
        server.process.send_signal(signal.SIGINT)
        assert (await asyncio.wait_for(states.read(), LIMIT_S)).status == NOT_SERVING
    assert await exit_code(server) == 0


def test_a_second_server_on_the_folder_is_refused_and_told_which_process_has_it(
    starting: Callable[..., Server],
) -> None:
    server = starting()
    refused = serve("--port", "0", "--data", str(server.data))
    assert refused.returncode == 1
    assert f"process {server.pid}" in refused.stderr.splitlines()[-1]
    assert httpx.get(f"{server.base_url}/readyz", trust_env=False).status_code == 200


@pytest.mark.parametrize("option", ["--port", "--grpc-port"])
def test_a_port_that_is_taken_is_named(tmp_path: Path, option: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ports = {"--port": "0", "--grpc-port": "0", option: port}
        refused = serve(*(word for pair in ports.items() for word in pair), "--data", str(tmp_path / "data"))
    assert refused.returncode == 1
    last = refused.stderr.splitlines()[-1]
    assert last.startswith("loom serve: cannot start: ")
    assert f"127.0.0.1:{port}" in last
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize("dsn", ["postgres://secret7@h/x", "http://u:secret7@127.0.0.1:1/loom"])
def test_storage_that_cannot_be_opened_is_an_exit_code_and_a_sentence(tmp_path: Path, dsn: str) -> None:
    refused = serve("--port", "0", "--data", str(tmp_path / "data"), LOOM_CLICKHOUSE_DSN=dsn)
    assert refused.returncode == 1
    assert "loom serve: " in refused.stderr
    assert "Traceback" not in refused.stderr
    assert "secret7" not in refused.stderr


def serve(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """`loom serve` with a start that fails."""
    return subprocess.run(
        [BIN / "loom", "serve", *arguments],
        capture_output=True,
        text=True,
        env=clean_environ() | env,
        timeout=LIMIT_S,
        check=False,
    )
