"""`Store`: statements with deadlines, spans and our errors, over either engine."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TypeVar

from opentelemetry.trace import Span, Tracer

from runtime.clock import Clock, SystemClock
from runtime.errors import LoomError
from runtime.store.chdb_engine import ChdbEngine
from runtime.store.config import StoreConfig, chdb_folder, http_target, identifier
from runtime.store.engine import Engine, Row
from runtime.store.faults import logger, translate, unavailable
from runtime.store.folder import DataFolderBusy
from runtime.store.observer import Nobody, Observer
from runtime.store.rows import ColumnCheck, column_checks, encode
from runtime.telemetry import span

T = TypeVar("T")
_PING_S = 2.0
_FEW_ROWS = 128  # some 0.5 ms to encode, about what the way to a thread and back costs on a busy machine


class Store:
    """One ClickHouse database. Safe for concurrent use on one event loop; nothing here blocks it.

    Statements take `{name:Type}` placeholders. `timeout_s` bounds a statement, waiting for a free connection included.
    Every method raises LoomError: DEADLINE_EXCEEDED past the limit, STORAGE_UNAVAILABLE where the engine fails,
    STORAGE_FULL where a write finds no room, INTERNAL where the statement is wrong. A write that ran past its deadline
    may still take effect.
    """

    def __init__(
        self, engine: Engine, config: StoreConfig, *, tracer: Tracer | None, clock: Clock, observer: Observer
    ) -> None:
        self.config, self.tracer, self.observer = config, tracer, observer
        self._engine, self._clock = engine, clock
        self._closed = False
        self._checks: dict[tuple[str, tuple[str, ...]], tuple[ColumnCheck, ...]] = {}

    @classmethod
    async def open(
        cls, config: StoreConfig, *, tracer: Tracer | None = None, observer: Observer | None = None
    ) -> "Store":
        """Connect, and create the database where it is missing. `observer` hears of every statement.

        DataFolderBusy where another process holds the data folder, ValueError for an unusable DSN or cluster name,
        LoomError STORAGE_UNAVAILABLE where the engine cannot be reached.
        """
        # The library's own lines quote statements and values.
        logging.getLogger("clickhouse_connect").setLevel(logging.CRITICAL)
        clock = SystemClock()
        try:
            engine = await _open_engine(config, clock)
        except (ValueError, DataFolderBusy):
            raise
        except Exception as error:
            # No statement has run yet but the library's own, so the text has nobody's data in it.
            logger.error("cannot open the storage engine: %s", error or type(error).__name__)
            raise unavailable() from None
        return cls(engine, config, tracer=tracer, clock=clock, observer=observer or Nobody())

    @property
    def process_lock(self) -> asyncio.Lock | None:
        """Where no other process can reach the same tables: the lock of those in this process who can."""
        return self._engine.process_lock

    @property
    def folder(self) -> Path | None:
        """The data folder, where this process alone has one."""
        return self._engine.folder

    async def query(
        self,
        sql: str,
        params: Mapping[str, Any] | None = None,
        *,
        timeout_s: float | None = None,
        name: str = "query",
    ) -> list[Row]:
        """The rows of a SELECT, as dicts by column name; instants are aware, in UTC where the column says so.

        `name` stands for the statement in spans and logs.
        """
        bound = _encodable(params or {}, name)
        return await self._run(name, "SELECT", timeout_s, lambda until: self._engine.query(sql, bound, until))

    async def command(
        self,
        sql: str,
        params: Mapping[str, Any] | None = None,
        *,
        timeout_s: float | None = None,
        name: str = "command",
    ) -> None:
        """Run a statement that returns nothing: DDL, or INSERT … SELECT."""
        bound = _encodable(params or {}, name)
        if sql.lstrip()[:6].upper() != "INSERT":
            self._checks.clear()  # the statement may change a table
        await self._run(name, "COMMAND", timeout_s, lambda until: self._engine.command(sql, bound, until))

    async def insert(
        self,
        table: str,
        columns: Sequence[str],
        rows: Sequence[Sequence[Any]],
        *,
        timeout_s: float | None = None,
    ) -> None:
        """Insert `rows` in one piece; returns when the engine has them.

        A value is text, a number, an instant or date, a UUID, None, a list or numpy array, or a dict for a Map.
        Raises RowsRefused, an INTERNAL LoomError, where the table cannot take the rows: nothing is in then.
        """
        if not rows:
            return

        async def work(until: float) -> None:
            await self._engine.insert(table, columns, await self._encoded(table, columns, rows, until), until)

        await self._run(f"insert {table}", "INSERT", timeout_s, work)

    async def commands(self, statements: Sequence[str], *, timeout_s: float, name: str) -> None:
        """Statements that return nothing, one after another; on chDB no other write comes in between."""
        self._checks.clear()
        await self._run(name, "COMMAND", timeout_s, lambda until: self._engine.commands(statements, until))

    async def unload(self, sql: str, path: Path, *, timeout_s: float, name: str) -> None:
        """The rows of a SELECT into the new file `path`, in ClickHouse's Native form, compressed by zstd."""
        await self._run(name, "SELECT", timeout_s, lambda until: self._engine.unload(sql, path, until))

    async def load(self, table: str, columns: Sequence[str], path: Path, *, timeout_s: float) -> None:
        """The rows of a file that `unload` wrote into `table`; `columns` are the file's."""
        name = f"load {table}"
        await self._run(name, "INSERT", timeout_s, lambda until: self._engine.load(table, columns, path, until))

    async def ping(self) -> None:
        """Raises LoomError STORAGE_UNAVAILABLE where the engine does not answer within two seconds."""
        try:
            await self.query("SELECT 1", timeout_s=_PING_S, name="ping")
        except LoomError:
            raise unavailable() from None

    async def close(self) -> None:
        """Let running statements finish, and disconnect. Statements after this fail with STORAGE_UNAVAILABLE."""
        if self._closed:
            return
        self._closed = True
        await self._engine.close()

    async def _encoded(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], until: float) -> bytes:
        checks = await self._column_checks(table, tuple(columns), until)
        return encode(rows, checks) if len(rows) <= _FEW_ROWS else await asyncio.to_thread(encode, rows, checks)

    async def _column_checks(self, table: str, columns: tuple[str, ...], until: float) -> tuple[ColumnCheck, ...]:
        key = (table, columns)
        if key not in self._checks:
            described = await self._engine.query(f"DESCRIBE TABLE {table}", {}, until)
            self._checks[key] = column_checks({row["name"]: row["type"] for row in described}, columns)
        return self._checks[key]

    async def _run(
        self, name: str, operation: str, timeout_s: float | None, work: Callable[[float], Awaitable[T]]
    ) -> T:
        if self._closed:
            raise unavailable()
        limit = self.config.timeout_s if timeout_s is None else timeout_s
        started = self._clock.monotonic()
        with self._span(name, operation):
            try:
                async with asyncio.timeout(limit):
                    return await work(self._clock.monotonic() + limit)
            except Exception as error:
                fault = translate(error, name, insert=operation == "INSERT")
                # The foreign error is cut off: it may quote the statement and its rows.
                raise fault from None
            finally:
                self.observer.statement(name, self._clock.monotonic() - started)

    def _span(self, name: str, operation: str) -> AbstractContextManager[Span]:
        attributes = {"db.system.name": "clickhouse", "db.operation.name": operation}
        return span(self.tracer, name, kind="client", attributes=attributes)


async def _open_engine(config: StoreConfig, clock: Clock) -> Engine:
    if config.dsn.startswith("chdb:"):
        if config.cluster:
            raise ValueError("a cluster needs a ClickHouse server: the DSN must be http(s)://…")
        return await ChdbEngine.open(chdb_folder(config), config.readers, clock)
    # Imported here: aiohttp costs an eighth of a start, and the embedded engine has no use for it.
    from runtime.store.http_engine import HttpEngine

    cluster = identifier(config.cluster, "the cluster's name") if config.cluster else ""
    async with asyncio.timeout(config.timeout_s):
        return await HttpEngine.open(http_target(config.dsn), cluster, clock)


def _encodable(params: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    # chDB breaks down on text that is not Unicode, HTTP would send garbage: refused here, alike for both.
    try:
        for value in params.values():
            for text in value if isinstance(value, list | tuple | set | frozenset) else (value,):
                if isinstance(text, str):
                    text.encode()
    except UnicodeEncodeError as error:
        raise translate(error, name) from None
    return params
