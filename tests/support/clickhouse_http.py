"""A ClickHouse server for tests: the HTTP interface over chDB in its own process, and what a test may do to it.

It is the real engine behind real clients, so SQL, types, parameters, settings, `readonly` and error codes are
ClickHouse's own. It has no replicas, no native protocol, and of users just the one it is started with.

    with clickhouse_server(folder, user="loom", password="…") as server:
        dsn = server.dsn("a_database")
        server.execute("CREATE TABLE …")          # as its owner: not recorded, and not held up by what follows
        server.set(readonly=1)                    # the login refuses writes and settings (2: writes alone)
        server.set(delay_s=0.5)                   # slow: each statement waits before it runs
        server.set(silent=True)                   # takes statements and never answers; silent=False lets them go on
        server.freeze(); server.thaw()            # SIGSTOP and SIGCONT: the kernel takes connections, nobody reads
        server.set(answer={"status": 302, "headers": {"Location": "…"}, "body": "<Base64>"})   # hostile
        server.kill(); server.restart()           # a power cut; the same folder and port again
        server.recorded()                         # every statement that came, and what became of it
        server.idle()                             # the same, once none runs
        server.reset()                            # calm again, and nothing recorded

`source_server` (tests/conftest.py) is one of a session that each test gets calm, with the record of tests/support/tracked.py.

KILL QUERY works, by our query id: chDB cancels what runs, at the next block of its work. A caller that hangs up does not
end its statement (as a server at `cancel_http_readonly_queries_on_client_close=0`), so that a test sees what KILL does.
"""

import contextlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[2]
START_S = 60.0
CONTROL_S = 30.0


@dataclass(slots=True)
class Server:
    """A server that runs: where it listens and its process."""

    port: int
    process: "subprocess.Popen[str]"
    user: str
    password: str = field(repr=False)
    folder: Path = Path()

    def dsn(self, database: str, *, password: str | None = None) -> str:
        """The DSN of one database on this server."""
        given = self.password if password is None else password
        login = f"{quote(self.user)}:{quote(given, safe='')}@" if self.user else ""
        return f"http://{login}127.0.0.1:{self.port}/{database}"

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(START_S)

    def restart(self) -> None:
        """Start it again after `kill`, on the same folder and port; what was set and recorded is forgotten."""
        self.process.stdout.close()
        self.process = _start(self.folder, self.port, self.user, self.password)
        _announced_port(self.process)

    def freeze(self) -> None:
        """Stop the process where it is."""
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        self.process.send_signal(signal.SIGCONT)

    def execute(self, sql: str) -> str:
        """Run one statement as the server's owner; its output as tab-separated text."""
        return self._request("/", sql.encode()).decode()

    def set(self, **controls: Any) -> None:
        """Change how it behaves from now on: `silent`, `delay_s`, `readonly`, `answer`."""
        self._request("/control", json.dumps(controls).encode())

    def recorded(self) -> list[dict[str, Any]]:
        """Every statement that came, in order: sql, query_id, settings, params, state."""
        return json.loads(self._request("/control"))

    def idle(self) -> list[dict[str, Any]]:
        """The same, once nothing of what came is still `running`."""
        return json.loads(self._request("/control?idle"))

    def reset(self) -> None:
        """Behave again as at the start, and forget what came."""
        self.thaw()
        calm = {"silent": False, "delay_s": 0.0, "readonly": 0, "answer": None}
        self._request("/control?forget", json.dumps(calm).encode())

    def _request(self, path: str, body: bytes | None = None) -> bytes:
        login = b64encode(f"{self.user}:{self.password}".encode()).decode()
        headers = {"X-Test-Admin": "1", "Authorization": f"Basic {login}"}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", body, headers)
        try:
            with urllib.request.urlopen(request, timeout=CONTROL_S) as response:
                return response.read()
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()) from None


@contextlib.contextmanager
def clickhouse_server(
    folder: Path, *, user: str = "", password: str = "", port: int = 0, before: Sequence[str] = ()
) -> Iterator[Server]:
    """A server on `folder` and `port` of the loopback (0: a free one); it is ready, and stopped at the end.

    `before` goes in front of its command.
    """
    process = _start(folder, port, user, password, before)
    server = Server(0, process, user, password, folder)
    try:
        server.port = _announced_port(process)
        yield server
    finally:
        _stop(server.process)


def _start(folder: Path, port: int, user: str, password: str, before: Sequence[str] = ()) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [*before, sys.executable, "-m", "tests.support.clickhouse_http", str(folder), str(port)],
        cwd=ROOT,
        env={**os.environ, "CLICKHOUSE_USER": user, "CLICKHOUSE_PASSWORD": password},
        stdout=subprocess.PIPE,
        text=True,
    )


def _stop(process: "subprocess.Popen[str]") -> None:
    process.send_signal(signal.SIGCONT)  # a frozen one would not hear the next
    process.terminate()
    try:
        process.wait(START_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(START_S)
    process.stdout.close()


def _announced_port(process: "subprocess.Popen[str]") -> int:
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        line = process.stdout.readline() if selector.select(START_S) else ""
    if not line.strip().isdigit():
        raise RuntimeError("the test's ClickHouse server did not start")
    return int(line)


def main(folder: str, port: int) -> None:
    """Serve until SIGTERM; the port is printed once connections are taken."""
    import uvicorn

    from tests.support.clickhouse_app import application

    served = application(folder, os.environ["CLICKHOUSE_USER"], os.environ["CLICKHOUSE_PASSWORD"])
    listener = socket.create_server(("127.0.0.1", port))
    config = uvicorn.Config(
        served, log_level="critical", lifespan="off", timeout_keep_alive=60, timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    print(listener.getsockname()[1], flush=True)
    server.run(sockets=[listener])


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
