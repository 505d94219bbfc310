"""The memory plane inside another program: what `loom.memory.Memory.from_path` opens, by the group `loom.embedded`.

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
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, TypeVar

import uvloop

from gateway.codec import codec_for
from gateway.dispatch import IGNORED, answer_refused
from gateway.requests import json_object
from runtime import ids, jsontext
from runtime.call import REQUEST_ID, TRACEPARENT, TRACESTATE
from runtime.clock import Clock, SystemClock
from runtime.errors import LoomError, internal
from runtime.optable import OpTable, load_ops
from runtime.process import SETTINGS, process
from runtime.settings import Loaded, SettingsError, load_all
from runtime.store import DataFolderBusy, MigrationError
from runtime.transport import InProcess
from services.memory.build import NAME
from services.memory.build import build as build_memory
from services.memory.embed.settings import EmbedderSettings
from services.memory.settings import MemorySettings

T = TypeVar("T")
Now = Callable[[], datetime]

log = logging.getLogger("loom.embedded")
logging.getLogger("loom").addHandler(logging.NullHandler())

# Not those of extraction: tool calls are recorded by a server, and crystallized there.
ALL_SETTINGS = (*SETTINGS, MemorySettings, EmbedderSettings)
# Where a server's rows are and who may call it is nothing to a folder of one's own.
NOT_TAKEN = ("LOOM_CLICKHOUSE_DSN", "LOOM_CLICKHOUSE_DSN_FILE", "LOOM_STORE_CLUSTER", "LOOM_KEYS_DIR", "LOOM_DIRECTORY")
FORWARDED = (TRACEPARENT, TRACESTATE)
CLOSED = "the memory is closed"


def open_memory(path: str, clock: Now | None = None) -> "Embedded":
    """Opens the folder `path`; `clock` replaces the system's time.

    Raises RuntimeError where the folder is in use or cannot be used, or a setting is wrong, ValueError for a clock
    without a zone.
    """
    if clock is not None and clock().tzinfo is None:
        raise ValueError("clock must give instants with a zone")
    loop = _LOOP.acquire()
    try:
        return loop.run(Embedded.opened(loop, path, clock))
    except BaseException as error:
        loop.release()
        if isinstance(error, LoomError | OSError | SettingsError | DataFolderBusy | MigrationError):
            raise RuntimeError(f"the folder of the memory cannot be opened: {_reason(error)}") from error
        raise


def _reason(error: BaseException) -> str:
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


class Embedded:
    """One open installation."""

    def __init__(self, loop: Background, table: OpTable, plane: InProcess, stack: contextlib.AsyncExitStack) -> None:
        self._loop, self._table, self._plane, self._stack = loop, table, plane, stack
        self._lock = threading.Lock()
        self._closed = False

    @classmethod
    async def opened(cls, loop: Background, path: str, clock: Now | None) -> "Embedded":
        """On the loop's own thread."""
        async with contextlib.AsyncExitStack() as stack:
            parts = await stack.enter_async_context(process(_settings(path), "loom-memory"))
            chosen: Clock = GivenClock(clock) if clock else parts.clock
            plane = await replace(parts, clock=chosen).plane(NAME, build_memory)
            stack.push_async_callback(plane.close)
            return cls(loop, load_ops().of_planes({NAME}), InProcess(plane.bound), stack.pop_all())

    def post(self, op: str, body: bytes, headers: Mapping[str, str], timeout_s: float | None) -> tuple[int, bytes]:
        """HTTP status and body of the answer, as the HTTP door gives them; header names are lower-case.

        Raises TimeoutError after `timeout_s` seconds, RuntimeError once it is closed.
        """
        if self._closed:
            raise RuntimeError(CLOSED)
        return self._loop.run(self._answer(op, body, headers), timeout_s)

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

    async def _answer(self, op: str, body: bytes, headers: Mapping[str, str]) -> tuple[int, bytes]:
        request_id = ids.request_id(headers.get(REQUEST_ID))
        try:
            return 200, jsontext.dump_bytes(await self._call(op, body, headers, request_id))
        except LoomError as error:
            failure = error
        except Exception:
            log.exception("defect in %s", op if self._table.get(op) else "a call", extra={"request_id": request_id})
            failure = internal()
        return failure.code.http, jsontext.dump_bytes({"detail": failure.detail(request_id)})

    async def _call(self, name: str, body: bytes, headers: Mapping[str, str], request_id: str) -> dict[str, Any]:
        op = self._table.get(name)
        if op is None:
            raise LoomError("UNKNOWN_OP", "a memory on a folder has no op of that name")
        decoded = codec_for(op.request).decode(json_object(body))
        metadata = {REQUEST_ID: request_id, **{key: headers[key] for key in FORWARDED if key in headers}}
        answer = codec_for(op.response).encode(await self._plane.call(op, decoded.message, metadata, op.deadline_s))
        if decoded.refused:
            answer_refused(op, decoded, answer, request_id)
        return {**answer, IGNORED: decoded.ignored} if decoded.ignored else answer


def _settings(path: str) -> Loaded:
    environ = {name: value for name, value in os.environ.items() if name not in NOT_TAKEN}
    return load_all(ALL_SETTINGS, {**environ, "LOOM_DATA_DIR": path})
