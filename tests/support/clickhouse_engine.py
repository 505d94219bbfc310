"""The engine of the tests' ClickHouse server: chDB, its connections, and requests taken apart."""

import asyncio
import contextlib
import re
import tempfile
import threading
import zlib
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

THREADS = 4
# Query arguments that are the interface's own, where every other is a setting.
NOT_SETTINGS = frozenset(
    {
        *("database", "query", "query_id", "role", "user", "password", "quota_key", "default_format", "stacktrace"),
        *("session_id", "session_timeout", "session_check", "client_protocol_version", "wait_end_of_query"),
        *("compress", "decompress", "buffer_size", "send_progress_in_http_headers"),
        "http_headers_progress_interval_ms",
    }
)
# Settings that say how to answer: no business of the engine, but refused where settings are.
OF_THE_INTERFACE = frozenset({"enable_http_compression", "cancel_http_readonly_queries_on_client_close", "readonly"})
INSERT = re.compile(r"\s*INSERT\b", re.IGNORECASE)
INSERT_LINE = re.compile(rb"\s*INSERT\b[^\n]*?\bFORMAT\s+\w+[ \t]*\n", re.IGNORECASE)
FORMAT = re.compile(r"\bFORMAT\s+(\w+)\s*;?\s*$", re.IGNORECASE)
KILL = re.compile(r"\s*KILL\s+QUERY\b", re.IGNORECASE)
READONLY = "Code: 164. DB::Exception: Cannot modify '{}' setting in readonly mode. (READONLY)"
# chDB gives a statement an id of its own, so ours stands in a comment at its head.
OUR_ID = "extract(query, '^/\\\\* ([^ ]+) \\\\*/')"


@dataclass(frozen=True, slots=True)
class Statement:
    """One request, taken apart."""

    sql: str
    data: bytes
    database: str
    settings: Mapping[str, str]
    params: Mapping[str, str]
    default_format: str
    query_id: str = ""
    answer_settings: Mapping[str, str] = field(default_factory=dict)


class Engine:
    """chDB connections, one per thread and per `readonly` of the login; KILL has a thread to itself."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._local = threading.local()
        self._threads = ThreadPoolExecutor(THREADS)
        self._killer = ThreadPoolExecutor(1)
        # The engine takes a second to start, which is no caller's to wait for.
        self._threads.submit(self._connection, 2).result()

    async def run(self, statement: Statement, readonly: int = 0) -> tuple[bytes, str]:
        """The output and the name of its format; `readonly` is the login's."""
        threads = self._killer if KILL.match(statement.sql) else self._threads
        return await asyncio.get_running_loop().run_in_executor(threads, self._run, statement, readonly)

    def _connect(self, readonly: int) -> Any:
        import chdb

        connection = chdb.connect(self._folder)
        connection.query("CREATE DATABASE IF NOT EXISTS default")
        if readonly:
            connection.query(f"SET readonly = {readonly}")
        return connection

    def _connection(self, readonly: int) -> Any:
        connections = self._local.__dict__.setdefault("connections", {})
        if readonly not in connections:
            connections[readonly] = self._connect(readonly)
        return connections[readonly]

    def _reconnect(self) -> None:
        connections = self._local.connections
        (readonly,) = (level for level, each in connections.items() if each is self._local.connection)
        connections.pop(readonly).close()
        self._local.connection = self._connection(readonly)

    def _run(self, statement: Statement, readonly: int) -> tuple[bytes, str]:
        if readonly == 1 and (refused := next(iter(statement.answer_settings), None)):
            raise RuntimeError(READONLY.format(refused))
        readonly = readonly or int(statement.answer_settings.get("readonly", 0))
        self._local.connection = self._connection(readonly)
        self._execute(f"USE `{statement.database or 'default'}`")
        with self._with_settings(statement.settings):
            if statement.data:
                return self._insert(statement), "Null"
            found = FORMAT.search(statement.sql)
            sql = statement.sql[: found.start()] if found and not INSERT.match(statement.sql) else statement.sql
            name = found[1] if found else statement.default_format
            if found and INSERT.match(statement.sql):
                return self._execute(sql, statement.default_format, statement.params), "TabSeparated"
            return self._execute(_marked(sql, statement.query_id), name, statement.params), name

    def _insert(self, statement: Statement) -> bytes:
        found = FORMAT.search(statement.sql)
        head, name = (statement.sql[: found.start()], found[1]) if found else (statement.sql, "Native")
        with tempfile.NamedTemporaryFile() as file:
            file.write(statement.data)
            file.flush()
            return self._execute(f"{head} FROM INFILE '{file.name}' FORMAT {name}", "Null", statement.params)

    @contextlib.contextmanager
    def _with_settings(self, settings: Mapping[str, str]) -> Iterator[None]:
        if not settings:
            yield
            return
        self._execute("SET " + ", ".join(f"{name} = {_literal(value)}" for name, value in settings.items()))
        try:
            yield
        finally:
            self._execute("SET " + ", ".join(f"{name} = DEFAULT" for name in settings))

    def _execute(self, sql: str, output: str = "Null", params: Mapping[str, str] | None = None) -> bytes:
        try:
            result = self._local.connection.query(sql, output, params=dict(params or {}))
        except Exception:
            # What a failed statement had ready would be a part of the next answer.
            self._reconnect()
            raise
        return result.bytes() or b"" if result is not None else b""


def _marked(sql: str, query_id: str) -> str:
    if KILL.match(sql):
        return re.sub(r"\bquery_id\b", lambda _: OUR_ID, sql)
    return f"/* {query_id} */ {sql}" if re.fullmatch(r"[\w.-]+", query_id) else sql


def _literal(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def take_apart(arguments: dict[str, str], body: bytes, headers: Mapping[str, str]) -> Statement:
    sql, data = arguments.get("query", ""), b""
    if sql and INSERT.match(sql):
        data = body
    elif sql:
        sql += body.decode()
    elif line := INSERT_LINE.match(body):
        sql, data = line[0].decode(), body[line.end() :]
    else:
        sql = body.decode()
    given = {k: v for k, v in arguments.items() if k not in NOT_SETTINGS and not k.startswith("param_")}
    return Statement(
        sql=sql,
        data=data,
        database=arguments.get("database") or headers.get("x-clickhouse-database", ""),
        settings={k: v for k, v in given.items() if k not in OF_THE_INTERFACE},
        params={k.removeprefix("param_"): v for k, v in arguments.items() if k.startswith("param_")},
        default_format=headers.get("x-clickhouse-format") or arguments.get("default_format", "TabSeparated"),
        query_id=arguments.get("query_id", ""),
        answer_settings={k: v for k, v in given.items() if k in OF_THE_INTERFACE},
    )


def decoded(body: bytes, encoding: str) -> bytes:
    if encoding == "lz4":
        import lz4.frame

        return lz4.frame.decompress(body)
    return zlib.decompress(body, 47) if encoding in ("gzip", "deflate") else body
