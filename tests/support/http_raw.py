"""HTTP by hand: bytes sent as they are, and what comes back before the connection ends."""

import asyncio

import httpx

from tests.support.envelope import TIMEOUT_S


async def answered(address: str, *pieces: bytes) -> httpx.Response:
    """What the server at `host:port` says before it ends the connection."""
    host, _, port = address.rpartition(":")
    async with asyncio.timeout(TIMEOUT_S):
        reader, writer = await asyncio.open_connection(host, int(port))
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
        said = await reader.read()
        writer.close()
    return parsed(said)


def parsed(said: bytes) -> httpx.Response:
    """The response in these bytes."""
    head, _, body = said.partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    headers = [tuple(line.split(": ", 1)) for line in lines]
    return httpx.Response(int(status.split(" ")[1]), headers=headers, content=body)
