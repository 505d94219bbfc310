"""What clients without a token can make Envoy hold is bounded, and the doors of probes and of Loom itself stay open."""

import asyncio
import contextlib
from pathlib import Path

import httpx

from gateway.envoy.overload import HEAP
from tests.support.cluster import free_address
from tests.support.edge import TIMEOUT_S, edge
from tests.support.envoy import Envoy
from tests.support.server import Server

HEAP_MIB, CLIENTS = 128, 400
PIECE, PIECES = b" " * (1 << 16), 14
HEAD = b"POST /v1/observe.record HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\n"
Writers = list[asyncio.StreamWriter]


async def connected(address: str) -> Writers:
    host, _, port = address.rpartition(":")
    writers: Writers = []
    for _ in range(CLIENTS):
        _, writer = await asyncio.open_connection(host, int(port))
        writer.write(HEAD)
        writers.append(writer)
    return writers


async def piece_of(writers: Writers, piece: bytes = PIECE) -> Writers:
    """One more piece of each body; those that were not cut off."""
    left: Writers = []
    for writer in writers:
        with contextlib.suppress(ConnectionError):
            writer.write(piece)
            await writer.drain()
        if not writer.transport.is_closing():
            left.append(writer)
    return left


def pressure(envoy: Envoy) -> int:
    """What of the heap is used, in percent."""
    return envoy.counter(f"overload.{HEAP}.pressure")


async def test_bodies_that_come_slowly_are_cut_off_before_they_fill_the_memory(server: Server, tmp_path: Path) -> None:
    """Each is within the limit of a body; all of them are three times what Envoy may hold."""
    stats, highest = free_address(), 0
    limits = {"LOOM_ENVOY_MAX_HEAP_MIB": str(HEAP_MIB), "LOOM_ENVOY_STATS_LISTEN": stats}
    with edge(tmp_path, server, **limits) as envoy:
        async with asyncio.timeout(4 * TIMEOUT_S):
            opened = writers = await connected(envoy.address)
            async with httpx.AsyncClient(trust_env=False, timeout=TIMEOUT_S) as http:
                for _ in range(PIECES):
                    writers = await piece_of(writers)
                    highest = max(highest, pressure(envoy))
                    # Not what a probe or a scraper asks, and so no reason to end Envoy itself.
                    assert (await http.get(f"http://{stats}/ready")).status_code == 200
            # The heap is looked at now and then; whoever sends on after it was found full is cut off.
            while len(writers) > CLIENTS // 2:
                writers = await piece_of(writers, b" ")
                await asyncio.sleep(0)
        for writer in opened:
            writer.transport.abort()
    assert highest < 200
