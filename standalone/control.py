"""The control socket of `loom serve`: how a command of the same user reaches the process that holds the data folder.

It is a Unix socket in that folder, which only its owner may enter, so there is no password and no port. One line of JSON
goes in, lines of JSON come back: `{"table": …, "rows": …}` for each table, then `{"manifest": …}` or `{"error": …}`.
"""

import asyncio
import contextlib
import json
import logging
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

log = logging.getLogger("loom.control")

NAME = "loom.sock"
LINE_BYTES = 1 << 24
Say = Callable[[Mapping[str, Any]], Awaitable[None]]
Do = Callable[[Mapping[str, Any], Say], Awaitable[Mapping[str, Any]]]


class Refused(RuntimeError):
    """The process refused; the message is its own."""


class Door:
    """Answers on the socket, one connection after another at its own pace."""

    def __init__(self, do: Do) -> None:
        self._do = do
        self._running: set[asyncio.Task[None]] = set()

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._running.add(task)
        try:
            await self._answer(reader, writer)
        except (ConnectionError, ValueError):
            log.info("a command went away before its end")
        finally:
            self._running.discard(task)
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async def say(value: Mapping[str, Any]) -> None:
            writer.write(json.dumps(value).encode() + b"\n")
            await writer.drain()

        asked = json.loads(await reader.readline())
        try:
            await say(await self._do(asked, say))
        except (ConnectionError, asyncio.CancelledError):
            raise
        except Exception as error:
            log.warning("a command failed: %s", type(error).__name__)
            await say({"error": getattr(error, "message", "") or str(error) or type(error).__name__})

    async def close(self) -> None:
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)


@contextlib.asynccontextmanager
async def control_door(folder: Path | None, do: Do) -> AsyncIterator[None]:
    """Listens in the data folder for the length of the block; nowhere, where the data are in no folder."""
    if folder is None:
        yield
        return
    door = Door(do)
    with short_path(folder) as path:
        try:
            server = await asyncio.start_unix_server(door.connected, path, limit=LINE_BYTES)
            path.chmod(0o600)
        except OSError as error:
            log.warning("no control socket (%s): `loom backup` will need this process to be stopped", error.strerror)
            yield
            return
        try:
            async with server:
                yield
                await door.close()
        finally:
            path.unlink(missing_ok=True)


async def ask(folder: Path, asked: Mapping[str, Any]) -> AsyncIterator[Mapping[str, Any]]:
    """What the process that holds the folder answers. Raises Refused, and FileNotFoundError or ConnectionRefusedError
    where no process listens there."""
    with short_path(folder) as path:
        reader, writer = await asyncio.open_unix_connection(path, limit=LINE_BYTES)
    try:
        writer.write(json.dumps(asked).encode() + b"\n")
        await writer.drain()
        while line := await reader.readline():
            answer = json.loads(line)
            if "error" in answer:
                raise Refused(answer["error"])
            yield answer
    finally:
        writer.close()


@contextlib.contextmanager
def short_path(folder: Path) -> Iterator[Path]:
    """The socket's path: the kernel takes about a hundred characters, so on Linux it leads through a descriptor."""
    if sys.platform != "linux":
        yield folder / NAME
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield Path(f"/proc/self/fd/{descriptor}/{NAME}")
    finally:
        os.close(descriptor)
