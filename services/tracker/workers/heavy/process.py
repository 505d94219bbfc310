"""The process that does the heavy work, as its parent sees it."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import orjson

import services
from services.tracker.workers.heavy.frames import HEAD_BYTES, BadFrameError, packed, sizes

CHILD = "services.tracker.workers.heavy.child"
BEAT_S = 60.0
# Nothing of our own settings: the child needs no key and no address.
_KEPT = ("PATH", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "TMPDIR", "TZ", "SYSTEMROOT", "VIRTUAL_ENV")
# One processor, whatever the machine has: the others are for what serves.
_ALONE = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

Beat = Callable[[], Awaitable[None]]


class HeavyError(Exception):
    """The process failed; the text says how, and holds nothing that was sent."""


class Heavy:
    """One process. Jobs are done one after the other; `beat` is called now and then while one is being done."""

    def __init__(self, running: asyncio.subprocess.Process, beat: Beat) -> None:
        self._running, self._beat = running, beat

    async def do(self, job: str, extra: bytes = b"", **given: Any) -> dict[str, Any]:
        """The answer to a job of `jobs.Jobs`. Raises HeavyError, and whatever `beat` raises."""
        assert self._running.stdin is not None
        try:
            self._running.stdin.write(packed({"job": job, **given}, extra))
            await self._running.stdin.drain()
            answer = await self._answer()
        except (asyncio.IncompleteReadError, ConnectionError, BadFrameError):
            raise HeavyError("the process ended") from None
        if "error" in answer:
            raise HeavyError(f"{job} failed: {answer['error']}")
        return answer

    async def _answer(self) -> dict[str, Any]:
        task = asyncio.ensure_future(self._received())
        try:
            while not task.done():
                await asyncio.wait([task], timeout=BEAT_S)
                if not task.done():
                    await self._beat()
            return task.result()
        finally:
            task.cancel()

    async def _received(self) -> dict[str, Any]:
        stream = self._running.stdout
        assert stream is not None
        body, extra = sizes(await stream.readexactly(HEAD_BYTES))
        text = await stream.readexactly(body + extra)
        found: dict[str, Any] = await asyncio.to_thread(orjson.loads, text[:body])
        return found


@asynccontextmanager
async def heavy(beat: Beat) -> AsyncIterator[Heavy]:
    """Starts the process, and ends it whatever happens."""
    running = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", CHILD),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=environment(os.environ),
    )
    try:
        yield Heavy(running, beat)
    finally:
        with suppress(ProcessLookupError):
            running.kill()
        await running.wait()


def environment(own: Mapping[str, str]) -> dict[str, str]:
    """What the child finds: where programs and our own modules are."""
    root = str(Path(services.__file__).parents[1])
    path = os.pathsep.join([root, *filter(None, [own.get("PYTHONPATH", "")])])
    return {name: own[name] for name in _KEPT if name in own} | dict.fromkeys(_ALONE, "1") | {"PYTHONPATH": path}
