"""The load: a process of its own that keeps connections busy, and the function that runs it.

Raw HTTP/1.1 over keep-alive sockets, one request in flight each, so that the client costs little beside the server.
Run as a program it reads a `Load` as JSON from standard input and prints a `Loaded` as JSON.
"""

import asyncio
import json
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, field

import uvloop

from tests.bench.payloads import MARK


@dataclass(frozen=True, slots=True)
class Load:
    """`callers` connections for `seconds`, or for `count` requests in all; bodies are taken in turn.

    `paths`, where given, has the path of each body.
    """

    port: int
    path: str
    bodies: list[str]
    callers: int = 64
    seconds: float = 0.0
    count: int = 0
    first: int = 0
    paths: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Loaded:
    """What came of it. Milliseconds are those that each request took."""

    requests: int
    seconds: float
    failures: int
    next_number: int
    p50_ms: float
    p95_ms: float
    p99_ms: float
    sample: str = field(default="", repr=False)

    @property
    def rate(self) -> float:
        return self.requests / self.seconds


def run_load(load: Load) -> Loaded:
    """Runs the load in a process of its own. Raises RuntimeError when a request failed: its time means nothing."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.load"], input=json.dumps(asdict(load)).encode(), capture_output=True
    )
    if done.returncode:
        raise RuntimeError(done.stderr.decode()[-2000:])
    loaded = Loaded(**json.loads(done.stdout))
    if loaded.failures:
        raise RuntimeError(f"{loaded.failures} of {loaded.requests} requests failed: {loaded.sample}")
    return loaded


class _Requests:
    """Makes requests, each with a number of its own."""

    def __init__(self, load: Load) -> None:
        rest = "HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: "
        self._made = []
        for path, body in zip(load.paths or [load.path] * len(load.bodies), load.bodies, strict=True):
            parts = f"POST {path} {rest}{len(body.encode())}\r\n\r\n{body}".split(MARK)
            self._made.append([part.encode() for part in parts])
        self.number = load.first

    def next(self) -> bytes:
        number, parts = self.number, self._made[self.number % len(self._made)]
        self.number = number + 1
        return (b"%012d" % number).join(parts)


class _Run:
    """The state that all connections share."""

    def __init__(self, load: Load) -> None:
        self.requests = _Requests(load)
        self.took: list[float] = []
        self.failures, self.sample = 0, ""
        self.left = load.count or sys.maxsize
        self.ends = time.perf_counter() + load.seconds if load.seconds else float("inf")
        self.active, self.done = 0, asyncio.Event()

    def may_send(self, now: float) -> bool:
        if self.left <= 0 or now >= self.ends:
            return False
        self.left -= 1
        return True


class _Caller(asyncio.Protocol):
    """One connection."""

    def __init__(self, run: _Run) -> None:
        self._run, self._buffer = run, bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._run.active += 1

    def begin(self) -> None:
        self._send(time.perf_counter())

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head = self._buffer.find(b"\r\n\r\n")
        if head < 0 or len(self._buffer) < head + 4 + _length(self._buffer, head):
            return
        now = time.perf_counter()
        self._run.took.append(now - self._sent)
        if self._buffer[9:12] != b"200":
            self._fail(self._buffer[:400].decode(errors="replace"))
        self._buffer.clear()
        self._send(now)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._transport is not None:
            self._fail("the server closed the connection")
            self._finish()

    def _fail(self, sample: str) -> None:
        self._run.failures += 1
        self._run.sample = self._run.sample or sample

    def _send(self, now: float) -> None:
        if not self._run.may_send(now):
            self._transport.close()
            self._finish()
            return
        self._transport.write(self._run.requests.next())
        self._sent = now

    def _finish(self) -> None:
        self._transport = None
        self._run.active -= 1
        if not self._run.active:
            self._run.done.set()


def _length(buffer: bytearray, head: int) -> int:
    at = buffer.find(b"content-length:", 0, head)
    if at < 0:
        raise RuntimeError("an answer without content-length")
    return int(buffer[at + 15 : buffer.find(b"\r", at)])


async def _main(load: Load) -> Loaded:
    loop, run = asyncio.get_running_loop(), _Run(load)
    made = [await loop.create_connection(lambda: _Caller(run), "127.0.0.1", load.port) for _ in range(load.callers)]
    began = time.perf_counter()
    if load.seconds:
        run.ends = began + load.seconds
    for _, caller in made:
        caller.begin()
    await run.done.wait()
    seconds = time.perf_counter() - began
    took = sorted(run.took)
    at = [took[min(len(took) - 1, int(len(took) * share))] * 1000 for share in (0.5, 0.95, 0.99)]
    return Loaded(len(took), seconds, run.failures, run.requests.number, *at, run.sample)


if __name__ == "__main__":
    print(json.dumps(asdict(uvloop.run(_main(Load(**json.load(sys.stdin)))))))
