"""Token mode in several processes: the directory, the observe plane and the gateway on a ClickHouse server."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from tests.support.clickhouse_http import clickhouse_server
from tests.support.guarded import Grpc, Http, Keys
from tests.support.processes import Program, gateway, plane

T = TypeVar("T")
LIMIT_S = 30.0


@dataclass
class Split:
    """The programs, with a key folder that all of them see."""

    folder: Path
    keys: Keys
    directory: Program
    observe: Program
    gateway: Program

    def http(self) -> Http:
        return Http(self.gateway.base_url)

    def grpc(self, program: Program) -> Grpc:
        return Grpc(program.grpc)

    def logs(self) -> str:
        return "".join(path.read_text() for path in sorted(self.folder.glob("*.log")))

    def restart(self, program: Program) -> None:
        """On the same port as before."""
        program.env = {**program.env, "LOOM_GRPC_LISTEN": program.address}
        program.start()


@contextmanager
def split(folder: Path, **env: str) -> Iterator[Split]:
    """All of it, started and stopped."""
    keys = Keys(folder / "keys")
    given = {"LOOM_KEYS_DIR": str(keys.folder), "LOOM_RATE_LIMIT_PER_S": "0", "LOOM_BREAKER_OPEN_S": "0.2", **env}
    with ExitStack() as stack:
        clickhouse = stack.enter_context(clickhouse_server(folder / "data", user="loom", password="p@ss/word-hunter2"))
        dsn = clickhouse.dsn("loom")

        def started(program: Program) -> Program:
            stack.callback(program.stop)
            return program.start()

        directory = started(plane("directory", folder / "directory.log", dsn, **given))
        given["LOOM_DIRECTORY"] = directory.address
        observe = started(plane("observe", folder / "observe.log", dsn, **given))
        upstreams = f"directory={directory.address},observe={observe.address}"
        front = started(gateway(folder / "gateway.log", upstreams, **given))
        yield Split(folder, keys, directory, observe, front)


async def until(condition: Callable[[], Awaitable[T]], limit_s: float = LIMIT_S) -> T:
    """The first true value of the condition, asked again and again."""
    async with asyncio.timeout(limit_s):
        while not (found := await condition()):
            pass
    return found
