"""ClickHouse inside this process, through clickhouse_connect's chDB backend.

What chDB cannot do, and what follows for Loom:

- One engine path per process, and one process per path. The folder's lock turns the second into a clear error; stores
  of one process on one folder share the engine; another folder can be opened after all stores on the first are closed.
- No fork: a child would inherit the engine's state without its threads. Loom serves from one process and never forks.
- No async client: calls block, so they run on threads here. The engine lets go of the interpreter lock while it works.
- One statement at a time per connection: hence one connection per thread.
- No settings next to a statement that is not SELECT or INSERT: `command` pays about 3 ms to set and restore them.
- A statement cannot be cancelled from outside: past its deadline the caller is answered, and the thread is free when
  `max_execution_time` stops the statement (checked between blocks, so up to about a second late).
- A statement that fails may leave rows that it had ready in its connection, and the connection's next statement answers
  with them: another caller's rows. So a connection has to show that it is clean after every failure.
- No users, grants, quotas, replicas, external tables or progress reports.
- The time zone is the host's: columns and parameters name theirs (`DateTime64(6, 'UTC')`).
- A failed write is not noticed: this engine (26.9) answers an insert whose files could not be written as if all were
  well, and the table is damaged until the next start. A failed fsync is noticed, so `fsync` covers a broken disk; for
  a full disk, a quota or a limit, `DataFolder.assure_room` asks the file system before and after every statement that writes.
- Binary rows come from a file alone. JSON rows may stand in the statement, where a small insert takes 1.5 ms less; past
  `_INLINE_BYTES` the parser costs more than a file. That file is in the data folder: the library's own temporary files
  would leave rows elsewhere after a crash.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeVar

from clickhouse_connect.driver import Client, create_client
from clickhouse_connect.driver.binding import format_str, quote_identifier
from clickhouse_connect.driver.exceptions import OperationalError, ProgrammingError

from runtime import ids
from runtime.clock import Clock
from runtime.store.config import CHDB_DATABASE, MEMORY
from runtime.store.engine import Row, time_limit
from runtime.store.faults import logger
from runtime.store.folder import DataFolder, DataFolderBusy
from runtime.store.rows import ROW_FORMAT

T = TypeVar("T")
_INLINE_BYTES = 512 * 1024
# The first one takes what was left, the second shows that there was no more.
_CLEANINGS = 3


class _Lane:
    """Threads with one connection each."""

    def __init__(self, name: str, clients: Sequence[Client], connect: Callable[[], Client]) -> None:
        self._connect = connect
        self._clients: SimpleQueue[Client] = SimpleQueue()
        for client in clients:
            self._clients.put(client)
        self._threads = ThreadPoolExecutor(len(clients), thread_name_prefix=f"loom-chdb-{name}")
        self._size = len(clients)

    async def run(self, work: Callable[[Client], T]) -> T:
        try:
            future = self._threads.submit(self._with_client, work)
        except RuntimeError:
            raise OperationalError("the store is closed") from None
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        """Blocks until the statements that run are done; the ones that wait are dropped."""
        self._threads.shutdown(cancel_futures=True)
        for _ in range(self._size):
            self._clients.get().close()

    def _with_client(self, work: Callable[[Client], T]) -> T:
        client = self._clients.get()
        try:
            return work(client)
        except BaseException:
            client = self._clean(client)
            raise
        finally:
            self._clients.put(client)

    def _clean(self, client: Client) -> Client:
        """The client, once it has said what it was asked and nothing more; else a new one in its place."""
        for _ in range(_CLEANINGS):
            token = ids.new_id()
            try:
                if client.command(f"SELECT '{token}'") == token:
                    return client
            except Exception:
                logger.debug("a connection still has something of a statement that failed")
        fresh = self._connect()
        client.close()
        return fresh


class ChdbEngine:
    """Statements on threads of this process: writes on one, reads on `readers`."""

    def __init__(self, folder: "SharedFolder", readers: int, clock: Clock) -> None:
        self._folder, self._clock = folder, clock
        self.process_lock = folder.lock
        self.folder = folder.data.engine_path.parent if folder.data else None
        clients = folder.connect(1 + readers)
        self._writer = _Lane("writer", clients[:1], folder.connect_one)
        self._readers = _Lane("reader", clients[1:], folder.connect_one)

    @classmethod
    async def open(cls, path: Path | None, readers: int, clock: Clock) -> "ChdbEngine":
        """DataFolderBusy where the folder, or this process's one engine, is in use; ValueError where there is no engine."""
        if find_spec("chdb") is None:
            raise ValueError(
                "the embedded engine is not part of this installation: name a ClickHouse server, or take the image with chDB"
            )
        folder = SharedFolder.acquire(path)
        try:
            return await asyncio.to_thread(cls, folder, readers, clock)
        except BaseException:
            folder.release()
            raise

    async def query(self, sql: str, params: Mapping[str, Any], deadline: float) -> list[Row]:
        def work(client: Client) -> list[Row]:
            result = client.query(sql, parameters=dict(params), settings=self._settings(deadline))
            return list(result.named_results())

        return await self._readers.run(work)

    async def command(self, sql: str, params: Mapping[str, Any], deadline: float) -> None:
        def work(client: Client) -> None:
            with self._folder.room(0):
                client.command(sql, parameters=dict(params), settings=self._settings(deadline))

        await self._writer.run(work)

    async def insert(self, table: str, columns: Sequence[str], body: bytes, deadline: float) -> None:
        await self._writer.run(lambda client: self._insert(client, table, columns, body, deadline))

    async def commands(self, statements: Sequence[str], deadline: float) -> None:
        def work(client: Client) -> None:
            with self._folder.room(0):
                for sql in statements:
                    client.command(sql, settings=self._settings(deadline))

        await self._writer.run(work)

    async def unload(self, sql: str, path: Path, deadline: float) -> None:
        def work(client: Client) -> None:
            into = f"INSERT INTO FUNCTION file({format_str(str(path))}, 'Native', 'auto', 'zstd')"
            client.command(f"{into} {sql}", settings=self._settings(deadline))

        await self._readers.run(work)

    async def load(self, table: str, columns: Sequence[str], path: Path, deadline: float) -> None:
        names = ", ".join(quote_identifier(column) for column in columns)
        source = f"FROM INFILE {format_str(str(path))} COMPRESSION 'zstd'"

        def work(client: Client) -> None:
            with self._folder.room(2 * path.stat().st_size):
                client.command(
                    f"INSERT INTO {table} ({names}) {source} FORMAT Native", settings=self._settings(deadline)
                )

        await self._writer.run(work)

    async def close(self) -> None:
        await asyncio.to_thread(self._close_lanes)
        self._folder.release()

    def _insert(self, client: Client, table: str, columns: Sequence[str], body: bytes, deadline: float) -> None:
        names = ", ".join(quote_identifier(column) for column in columns)
        settings = {"date_time_input_format": "best_effort", **self._settings(deadline)}
        clause = ", ".join(f"{key} = '{value}'" for key, value in settings.items())
        into, how = f"INSERT INTO {table} ({names})", f"SETTINGS {clause} FORMAT {ROW_FORMAT}"
        with self._folder.room(2 * len(body)):
            if self._folder.data and len(body) > _INLINE_BYTES:
                with self._folder.data.scratch(body) as path:
                    client.command(f"{into} FROM INFILE {format_str(str(path))} {how}")
            else:
                client.command(f"{into} {how}", data=body)

    def _settings(self, deadline: float) -> dict[str, Any]:
        return {"max_execution_time": time_limit(deadline, self._clock.monotonic())}

    def _close_lanes(self) -> None:
        self._readers.close()
        self._writer.close()


class SharedFolder:
    """The one engine that this process may have: its folder, and how many stores use it."""

    _current: "SharedFolder | None" = None

    def __init__(self, path: Path | None) -> None:
        self._path, self._users = path, 0
        self.lock = asyncio.Lock()
        self.data = DataFolder(path) if path else None

    @classmethod
    def acquire(cls, path: Path | None) -> "SharedFolder":
        """The folder, held until `release`. Both are called on the event loop's thread only."""
        current = cls._current
        if current and current._path != path:
            raise DataFolderBusy(
                f"this process holds the data folder {current._path or MEMORY} already, and chDB takes one at a time"
            )
        cls._current = current = current or cls(path)
        current._users += 1
        return current

    def release(self) -> None:
        self._users -= 1
        if self._users:
            return
        SharedFolder._current = None
        if self.data:
            self.data.release()

    @contextmanager
    def room(self, size: int) -> Iterator[None]:
        """OSError, before or after the block, where the folder has no room for files of `size` bytes."""
        if self.data:
            self.data.assure_room(size)  # a failed write would leave a damaged part behind
        yield
        if self.data:
            self.data.assure_room(size)  # a write may have failed all the same

    def connect(self, count: int) -> list[Client]:
        """New connections, all in Loom's database."""
        clients: list[Client] = []
        try:
            for _ in range(count):
                clients.append(self._client())
                if len(clients) == 1:
                    clients[0].command(f"CREATE DATABASE IF NOT EXISTS {CHDB_DATABASE}")
                clients[-1].database = CHDB_DATABASE
        except Exception:
            for client in clients:
                client.close()
            raise
        return clients

    def connect_one(self) -> Client:
        """One more connection."""
        return self.connect(1)[0]

    def _client(self) -> Client:
        path = str(self.data.engine_path) if self.data else MEMORY
        try:
            return create_client(interface="chdb", path=path, tz_mode="aware")
        except ProgrammingError as error:
            if "different path" not in str(error):
                raise
            raise DataFolderBusy("this process runs another chDB engine already; chDB takes one at a time") from None
