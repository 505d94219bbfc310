"""Planes inside another program: what `loom.memory.Memory.from_path` opens, by the group `loom.embedded`, and `loom tracker`
where no server runs.

The program's threads call; one event loop on a thread of its own serves. All installations of a process share that
loop, since chDB's engine and its lock are one for the process. Calls run the plane's whole chain, as behind any door,
and nothing here logs to the program's output: a library is silent until somebody listens to the logger `loom`.
"""

import asyncio
import concurrent.futures
import contextlib
import logging
import os
import threading
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, TypeVar

import uvloop

from runtime.clock import SystemClock
from runtime.embedding.settings import EmbedderSettings
from runtime.errors import LoomError
from runtime.plane import Builder
from runtime.process import SETTINGS, process
from runtime.settings import Loaded, SettingsError, load_all
from runtime.store import DataFolderBusy, MigrationError
from runtime.transport import InProcess
from services.memory.build import NAME
from services.memory.build import build as build_memory
from services.memory.settings import MemorySettings
from standalone.answering import Answering

T = TypeVar("T")
Now = Callable[[], datetime]

logging.getLogger("loom").addHandler(logging.NullHandler())

# Not those of extraction: tool calls are recorded by a server, and crystallized there.
ALL_SETTINGS = (*SETTINGS, MemorySettings, EmbedderSettings)
# Where a server's rows are and who may call it is nothing to a folder of one's own.
NOT_TAKEN = (
    *("LOOM_CLICKHOUSE_DSN", "LOOM_CLICKHOUSE_DSN_FILE", "LOOM_STORE_CLUSTER", "LOOM_AWAIT_SCHEMA_S"),
    *("LOOM_KEYS_DIR", "LOOM_DIRECTORY"),
)
FAILURES = (LoomError, OSError, SettingsError, DataFolderBusy, MigrationError)
CLOSED = "the memory is closed"


def open_memory(path: str, clock: Now | None = None) -> "Embedded":
    """Opens the folder `path`; `clock` replaces the system's time.

    Raises RuntimeError where the folder is in use or cannot be used, or a setting is wrong, ValueError for a clock
    without a zone.
    """
    if clock is not None and clock().tzinfo is None:
        raise ValueError("clock must give instants with a zone")
    try:
        return open_installation(_settings(path), MEMORY, clock)
    except FAILURES as error:
        raise RuntimeError(f"the folder of the memory cannot be opened: {reason(error)}") from error


def open_installation(loaded: Loaded, contents: "Contents", clock: Now | None = None) -> "Embedded":
    """Opens what the settings name, with these planes. Raises `FAILURES`."""
    loop = _LOOP.acquire()
    try:
        return loop.run(Embedded.opened(loop, loaded, contents, clock))
    except BaseException:
        loop.release()
        raise


def reason(error: BaseException) -> str:
    """In words."""
    return (error.strerror or type(error).__name__) if isinstance(error, OSError) else str(error)


class GivenClock:
    """The program's time for what is stored and shown, the system's for what is measured."""

    def __init__(self, now: Now) -> None:
        self._now, self.monotonic = now, SystemClock().monotonic

    def now(self) -> datetime:
        return self._now().astimezone(UTC)


class Background:
    """An event loop on a thread, as long as somebody uses it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._stop: asyncio.Event | None = None

    def acquire(self) -> "Background":
        """Counts one user more; the first one starts the thread."""
        with self._lock:
            self._users += 1
            if self._users == 1:
                started: concurrent.futures.Future[None] = concurrent.futures.Future()
                # A daemon, so that a program that forgets to close can end; what was answered is on disk by then.
                self._thread = threading.Thread(target=self._serve, args=(started,), name="loom-memory", daemon=True)
                self._thread.start()
                started.result()
        return self

    def release(self) -> None:
        """Counts one user less; the last one ends the thread and waits for it."""
        with self._lock:
            self._users -= 1
            if self._users == 0 and self._loop and self._stop and self._thread:
                self._loop.call_soon_threadsafe(self._stop.set)
                self._thread.join()

    def run(self, work: Coroutine[Any, Any, T], timeout_s: float | None = None) -> T:
        """What `work` returns or raises on the loop. Raises TimeoutError, and ends the work, after `timeout_s`."""
        assert self._loop is not None
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result(timeout_s)
        except concurrent.futures.CancelledError:
            raise RuntimeError(CLOSED) from None
        except BaseException:
            future.cancel()  # nothing, where it is the work's own failure
            raise

    def _serve(self, started: "concurrent.futures.Future[None]") -> None:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(self._until_stopped(started))

    async def _until_stopped(self, started: "concurrent.futures.Future[None]") -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        started.set_result(None)
        await self._stop.wait()


_LOOP = Background()


@dataclass(frozen=True, slots=True)
class Contents:
    """What an embedded installation is made of: planes in the order that they are built."""

    service: str
    planes: Mapping[str, Builder]


MEMORY = Contents("loom-memory", {NAME: build_memory})


class Embedded:
    """One open installation."""

    def __init__(self, loop: Background, answering: Answering, stack: contextlib.AsyncExitStack) -> None:
        self._loop, self._answering, self._stack = loop, answering, stack
        self._lock = threading.Lock()
        self._closed = False

    @classmethod
    async def opened(cls, loop: Background, loaded: Loaded, contents: Contents, clock: Now | None) -> "Embedded":
        """On the loop's own thread."""
        async with contextlib.AsyncExitStack() as stack:
            parts = await stack.enter_async_context(process(loaded, contents.service))
            chosen = replace(parts, clock=GivenClock(clock)) if clock else parts
            planes = {}
            for name, build in contents.planes.items():
                plane = await chosen.plane(name, build)
                stack.push_async_callback(plane.close)
                planes[name] = InProcess(plane.bound)
            return cls(loop, Answering(planes), stack.pop_all())

    def post(self, op: str, body: bytes, headers: Mapping[str, str], timeout_s: float | None) -> tuple[int, bytes]:
        """HTTP status and body of the answer, as the HTTP door gives them; header names are lower-case.

        Raises TimeoutError after `timeout_s` seconds, RuntimeError once it is closed.
        """
        if self._closed:
            raise RuntimeError(CLOSED)
        return self._loop.run(self._answering.answer(op, body, headers), timeout_s)

    def close(self) -> None:
        """Writes what waits and lets go of the folder. Closing twice is harmless."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        try:
            self._loop.run(self._stack.aclose())
        finally:
            self._loop.release()


def _settings(path: str) -> Loaded:
    environ = {name: value for name, value in os.environ.items() if name not in NOT_TAKEN}
    return load_all(ALL_SETTINGS, {**environ, "LOOM_DATA_DIR": path})
