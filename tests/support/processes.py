"""Loom as separate processes: a ClickHouse server, planes, a gateway; each is started, stopped, frozen or killed alone."""

import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.server import LIMIT_S, clean_environ, read_line


@dataclass
class Program:
    """`python -m <module>`, ready once it says `<name> serves on <address>`; `log` takes its standard error."""

    module: str
    name: str
    log: Path
    env: Mapping[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None
    address: str = ""

    def launch(self) -> "Program":
        """Starts it without waiting for it."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", self.module],
                stdout=subprocess.PIPE,
                stderr=log,
                env=clean_environ() | dict(self.env),
            )
        return self

    def await_ready(self) -> "Program":
        said = f"{self.name} serves on "
        self.address = read_line(self.process, said.encode(), LIMIT_S).decode().removeprefix(said).strip()
        return self

    def start(self) -> "Program":
        return self.launch().await_ready()

    @property
    def base_url(self) -> str:
        return f"http://{self.address}"

    @property
    def grpc(self) -> str:
        return self.address

    def kill(self) -> None:
        self.process.kill()
        self._wait()

    def freeze(self) -> None:
        """The process stops running, its connections stay open."""
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def terminate(self) -> None:
        """SIGTERM, without waiting for the end."""
        if self.process.poll() is None:
            self.thaw()
            self.process.terminate()

    def stop(self) -> int:
        """SIGTERM; the exit code."""
        self.terminate()
        return self._wait()

    def _wait(self) -> int:
        try:
            return self.process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()
        finally:
            self.process.stdout.close()


def plane(name: str, log: Path, dsn: str, listen: str = "127.0.0.1:0", **env: str) -> Program:
    """A plane as a process of its own."""
    fixed = {"LOOM_CLICKHOUSE_DSN": dsn, "LOOM_GRPC_LISTEN": listen}
    return Program(f"services.{name}", name, log, fixed | env)


def gateway(log: Path, upstreams: str, **env: str) -> Program:
    """The gateway as a process of its own, on a free port."""
    return Program("gateway", "gateway", log, {"LOOM_PORT": "0", "LOOM_UPSTREAMS": upstreams} | env)
