"""`loom serve` as a user starts it: a process of its own, on a free port, stopped by its own id."""

import os
import re
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

BIN = Path(sys.executable).parent
LIMIT_S = 60.0
ADDRESSES = re.compile(rb"Loom serves on (http://\S+) .*gRPC (\S+)\)")


@dataclass
class Server:
    """A running server. `log` is the file that its standard error goes to, `args` are more arguments of `loom serve`;
    `before` goes in front of its command."""

    data: Path
    log: Path
    env: Mapping[str, str] = field(default_factory=dict)
    args: tuple[str, ...] = ()
    process: subprocess.Popen[bytes] | None = None
    base_url: str = ""
    grpc: str = ""
    start_s: float = LIMIT_S
    before: Sequence[str] = ()

    def start(self) -> "Server":
        """Starts it and returns when it says that it serves."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*self.before, BIN / "loom", "serve", "--port", "0", "--data", str(self.data), *self.args],
                stdout=subprocess.PIPE,
                stderr=log,
                env=clean_environ() | dict(self.env),
            )
        line = read_line(self.process, b"Loom serves on", self.start_s)
        match = ADDRESSES.search(line)
        assert match, line
        self.base_url, self.grpc = match[1].decode(), match[2].decode()
        return self

    @property
    def pid(self) -> int:
        assert self.process
        return self.process.pid

    def kill(self) -> None:
        """SIGKILL, as the kernel or a power cut would."""
        assert self.process
        self.process.kill()
        self.process.wait()
        self._close()

    def stop(self) -> int:
        """SIGTERM; the exit code."""
        assert self.process
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        self._close()
        return code

    def _close(self) -> None:
        assert self.process
        if self.process.stdout:
            self.process.stdout.close()

    def __enter__(self) -> "Server":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


def clean_environ() -> dict[str, str]:
    """The environment without settings of Loom or proxies that would lead a test astray."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("LOOM_") and not name.lower().endswith("_proxy")
    }


def read_line(process: subprocess.Popen[bytes], prefix: bytes, limit_s: float) -> bytes:
    """The first line of standard output that begins with `prefix`."""
    assert process.stdout
    ends, seen = time.monotonic() + limit_s, b""
    # Not select(), which knows no file descriptors from 1024 on, and a whole run of the tests has those.
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while time.monotonic() < ends:
            if selector.select(0.5):
                chunk = os.read(process.stdout.fileno(), 4096)
                if not chunk:
                    break
                seen += chunk
                for line in seen.split(b"\n")[:-1]:
                    if line.startswith(prefix):
                        return line
    raise AssertionError(f"{process.args!r} did not say {prefix!r}: exit {process.poll()}, {seen!r}")
