"""Clients that mean no good, at the edge: bounded, answered in the one shape or cut off, and nobody else notices."""

import asyncio
import gzip
import resource
from collections.abc import Iterator

import httpx
import pytest

from tests.support.edge import TIMEOUT_S, crowd, edge, is_well, rapid_resets
from tests.support.envoy import Envoy
from tests.support.http_raw import parsed
from tests.support.server import Server

HEAD = b"POST /v1/observe.record HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
LIMITS = {"LOOM_ENVOY_HEAD_TIMEOUT_S": "0.5", "LOOM_ENVOY_REQUEST_TIMEOUT_S": "1", "LOOM_ENVOY_GRPC": "on"}
SLOW = 300
IDLE = 10_000
# What the process and Envoy need besides the connections.
OTHER_FILES = 1_000


@pytest.fixture(scope="module")
def front(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Envoy]:
    with edge(tmp_path_factory.mktemp("hostile"), server, **LIMITS) as envoy:
        yield envoy


def code(said: bytes) -> str:
    return str(parsed(said).json()["detail"]["code"])


@pytest.mark.parametrize(
    "says",
    [HEAD, HEAD + b"Content-Length: 100\r\n\r\n{", HEAD + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"],
    ids=["a head without an end", "half a body", "chunks without an end"],
)
async def test_slow_clients_are_cut_off_and_others_are_served_meanwhile(front: Envoy, says: bytes) -> None:
    async with asyncio.timeout(TIMEOUT_S), crowd(front.address, SLOW, says) as slow:
        assert await is_well(front.address)
        answers = await asyncio.gather(*(reader.read() for reader in slow))
    assert {code(said) for said in answers} == {"MALFORMED_REQUEST"}


async def test_half_a_body_never_reaches_a_gateway(front: Envoy) -> None:
    before = front.counter("cluster.gateway.upstream_rq_total")
    async with asyncio.timeout(TIMEOUT_S), crowd(front.address, 20, HEAD + b"Content-Length: 100\r\n\r\n{") as slow:
        await asyncio.gather(*(reader.read() for reader in slow))
    assert front.counter("cluster.gateway.upstream_rq_total") == before


async def test_streams_that_are_taken_back_at_once_end_their_connection_and_no_other(front: Envoy) -> None:
    await rapid_resets(front.address, 2_000)
    assert front.counter("http.edge.downstream_rq_too_many_premature_resets") >= 1
    # Far fewer than were opened, since the connection was ended.
    assert front.counter("http.edge.downstream_rq_rx_reset") < 1_500
    assert await is_well(front.address)


async def test_packed_bodies_are_not_unpacked(front: Envoy) -> None:
    bomb = gzip.compress(b"\0" * (64 << 20))
    headers = {"content-type": "application/json", "content-encoding": "gzip"}
    async with httpx.AsyncClient(base_url=f"http://{front.address}", timeout=TIMEOUT_S, trust_env=False) as http:
        for path, refusals in (("/v1/observe.record", {"INVALID_JSON"}), ("/mcp", {None})):
            response = await http.post(path, content=bomb, headers=headers)
            assert response.status_code == 400
            assert response.json().get("detail", {}).get("code") in refusals


async def test_ten_thousand_idle_connections_keep_nobody_out(front: Envoy) -> None:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    count = min(IDLE, soft - OTHER_FILES)
    async with asyncio.timeout(2 * TIMEOUT_S), crowd(front.address, count):
        assert await is_well(front.address)


async def test_beyond_the_limit_connections_are_closed_and_the_inner_door_stays_open(
    server: Server, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with edge(tmp_path_factory.mktemp("few"), server, LOOM_ENVOY_MAX_CONNECTIONS="20") as envoy:
        async with asyncio.timeout(TIMEOUT_S):
            async with crowd(envoy.address, 20):
                async with crowd(envoy.address, 5) as refused:
                    assert [await reader.read() for reader in refused] == [b""] * 5
                async with crowd(
                    envoy.addresses["inner"], 5, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"
                ) as taken:
                    # Settings, the first thing that a server of HTTP/2 says.
                    assert [(await reader.readexactly(4))[3] for reader in taken] == [4] * 5
            while not await is_well_or_refused(envoy.address):
                pass


async def is_well_or_refused(address: str) -> bool:
    try:
        return await is_well(address)
    except httpx.TransportError:
        return False


async def test_idle_connections_keep_nobody_out_of_one_process_either(server: Server) -> None:
    async with asyncio.timeout(2 * TIMEOUT_S), crowd(server.base_url.removeprefix("http://"), 2_000):
        assert await is_well(server.base_url.removeprefix("http://"))
