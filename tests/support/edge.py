"""An edge in front of one server, as rendered; and clients that mean no good."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx

from gateway.envoy.planes import contract_planes
from gateway.envoy.render import render
from gateway.envoy.settings import Source
from tests.support.cluster import free_address
from tests.support.envoy import Envoy
from tests.support.server import Server

TIMEOUT_S = 30.0
Patch = Callable[[dict[str, Any]], None]


@contextlib.contextmanager
def edge(folder: Path, server: Server | str, patch: Patch = lambda config: None, **environ: str) -> Iterator[Envoy]:
    """Envoy in front of a server, or of an address as its gateway. `patch` may change what was rendered."""
    http = server if isinstance(server, str) else server.base_url.removeprefix("http://")
    grpc = http if isinstance(server, str) else server.grpc
    planes = ",".join(f"{name}={grpc}" for name in contract_planes())
    listen = {f"LOOM_ENVOY_{name}_LISTEN": free_address() for name in ("EDGE", "INNER", "ADMIN")}
    config = render(Source.load({"LOOM_ENVOY_GATEWAYS": http, "LOOM_ENVOY_PLANES": planes, **listen, **environ}))
    patch(config)
    folder.mkdir(parents=True, exist_ok=True)
    with Envoy(folder, config) as envoy:
        yield envoy


async def is_well(address: str) -> bool:
    """Whether an ordinary client is served."""
    async with httpx.AsyncClient(base_url=f"http://{address}", timeout=TIMEOUT_S, trust_env=False) as http:
        return (await http.post("/v1/observe.list", json={})).status_code == 200


@contextlib.asynccontextmanager
async def crowd(address: str, count: int, says: bytes = b"") -> AsyncIterator[list[asyncio.StreamReader]]:
    """So many connections, each of which says this and then nothing."""
    host, _, port = address.rpartition(":")
    made: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
    try:
        while len(made) < count:
            some = min(200, count - len(made))
            made += await asyncio.gather(*(asyncio.open_connection(host, int(port)) for _ in range(some)))
        for _, writer in made:
            writer.write(says)
        yield [reader for reader, _ in made]
    finally:
        for _, writer in made:
            writer.transport.abort()


# HTTP/2 by hand, as far as a client needs it that opens streams and takes them back.
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS, HEADERS, RST_STREAM, GOAWAY = 4, 1, 3, 7
END_BOTH = 0x5
CANCEL = (8).to_bytes(4, "big")


def frame(kind: int, stream: int, payload: bytes = b"", flags: int = 0) -> bytes:
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def get(path: str, host: str) -> bytes:
    """The head of a GET request in HPACK, without indexing."""
    fields = [(0x04, path), (0x01, host)]
    literals = b"".join(bytes([index, len(text)]) + text.encode() for index, text in fields)
    return bytes([0x82, 0x86]) + literals


async def rapid_resets(address: str, count: int) -> int:
    """Opens streams and takes each back at once; how many could be sent before the connection was ended."""
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(PREFACE + frame(SETTINGS, 0))
    head, sent = get("/healthz", address), 0
    try:
        async with asyncio.timeout(TIMEOUT_S):
            for stream in range(1, 2 * count, 2):
                writer.write(frame(HEADERS, stream, head, END_BOTH) + frame(RST_STREAM, stream, CANCEL))
                sent += 1
                if stream % 100 == 1:
                    await writer.drain()
            while await reader.read(65536):
                pass
    except ConnectionError:
        return sent
    finally:
        writer.transport.abort()
    return sent
