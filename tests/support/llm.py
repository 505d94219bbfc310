"""A stand-in for an OpenAI-compatible chat endpoint: answers as it is told, and keeps what it was sent.

async with stand_in(lambda asked: reply({"memories": []})) as llm:
    ... llm.base_url, llm.asked ...
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

HANG = b"hang"


@dataclass
class Asked:
    """One request: its path, headers in lower case, and body."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def observations(self) -> list[dict[str, str]]:
        return json.loads(self.body["messages"][1]["content"])["observations"]


Answering = Callable[[Asked], tuple[int, bytes]]


@dataclass
class StandIn:
    base_url: str
    asked: list[Asked] = field(default_factory=list)


def reply(content: Any) -> tuple[int, bytes]:
    """What an endpoint answers whose model said `content`; a text is taken as it is."""
    text = content if isinstance(content, str) else json.dumps(content)
    return 200, json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}]}).encode()


@asynccontextmanager
async def stand_in(answering: Answering) -> AsyncIterator[StandIn]:
    """The endpoint, on a free port. An answer of HANG never comes."""
    gone = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                first, *lines = head.decode().split("\r\n")[:-2]
                headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
                body = json.loads(await reader.readexactly(int(headers["content-length"])))
                asked = Asked(first.split()[1], headers, body)
                running.asked.append(asked)
                status, answer = answering(asked)
                if answer == HANG:
                    await gone.wait()
                    break
                writer.write(f"HTTP/1.1 {status} X\r\nContent-Length: {len(answer)}\r\n\r\n".encode() + answer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    running = StandIn(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1")
    try:
        yield running
    finally:
        gone.set()
        server.close()
        await server.wait_closed()
