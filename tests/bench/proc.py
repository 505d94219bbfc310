"""Processes under measurement: start, stop, CPU time and memory, from the kernel's own accounts."""

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
LIMIT_S = 90.0


@dataclass(frozen=True, slots=True)
class Process:
    """A running process that listens on `port`; `started_s` is how long it took to say so."""

    popen: subprocess.Popen[bytes]
    port: int
    started_s: float

    def cpu_s(self) -> float:
        """User and system seconds of all its threads so far."""
        fields = Path(f"/proc/{self.popen.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def rss_mb(self) -> float:
        """Resident memory in MB."""
        for line in Path(f"/proc/{self.popen.pid}/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        return 0.0


@contextlib.contextmanager
def running(
    command: Sequence[str | Path],
    log: Path,
    *,
    says: str = "port ",
    port: int = 0,
    env: Mapping[str, str] | None = None,
) -> Iterator[Process]:
    """Runs a program until the block ends. It listens once it prints a line with `says` and then a port.

    With `port` it is waited for until that port answers. Standard error goes to the file `log`, as a service's would.
    Call it from the main thread: Envoy ends when the thread that started it does.
    """
    began = time.monotonic()
    with log.open("ab") as errors:
        popen = subprocess.Popen(
            [str(part) for part in command],
            stdout=subprocess.PIPE,
            stderr=errors,
            env=clean_environ() | dict(env or {}),
        )
    try:
        port = _answering(popen, port, log) if port else _port(popen, says.encode(), log)
        yield Process(popen, port, time.monotonic() - began)
    finally:
        _stop(popen)


def free_port() -> int:
    """A port of loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def module(name: str, *args: str) -> list[str]:
    """The command that runs a module with this interpreter."""
    return [sys.executable, "-m", name, *args]


def clean_environ() -> dict[str, str]:
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("LOOM_") and not name.lower().endswith("_proxy")
    }


def _port(popen: subprocess.Popen[bytes], says: bytes, log: Path) -> int:
    assert popen.stdout
    ends, seen = time.monotonic() + LIMIT_S, b""
    while time.monotonic() < ends:
        ready, _, _ = select.select([popen.stdout], [], [], 0.5)
        chunk = os.read(popen.stdout.fileno(), 4096) if ready else b""
        if ready and not chunk:
            break
        seen += chunk
        _, found, rest = seen.partition(says)
        if found and b"\n" in rest:
            digits = rest.partition(b"\n")[0].split()[0].rpartition(b":")[2]
            return int(digits)
    raise RuntimeError(f"{popen.args!r} did not start: {log.read_text(errors='replace')[-2000:]}")


def _answering(popen: subprocess.Popen[bytes], port: int, log: Path) -> int:
    ends = time.monotonic() + LIMIT_S
    while popen.poll() is None and time.monotonic() < ends:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return port
        time.sleep(0.05)
    raise RuntimeError(f"{popen.args!r} did not start: {log.read_text(errors='replace')[-2000:]}")


def _stop(popen: subprocess.Popen[bytes]) -> None:
    if popen.poll() is None:
        popen.send_signal(signal.SIGTERM)
    try:
        popen.wait(30)
    except subprocess.TimeoutExpired:
        popen.kill()
        popen.wait()
    if popen.stdout:
        popen.stdout.close()
