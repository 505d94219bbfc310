"""A ClickHouse server for tests: the HTTP interface, as far as clickhouse_connect uses it, over chDB in its own process.

It is the real engine behind the real client, so SQL, types, parameters, settings and error codes are ClickHouse's own.
It has no replicas, no native protocol, and of users just the one it is started with.

    with clickhouse_server(folder, user="loom", password="…") as server:
        dsn = server.dsn("a_database")
"""

import asyncio
import base64
import contextlib
import os
import re
import secrets
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import zlib
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[2]
START_S = 60.0
THREADS = 4
# Query arguments that are the interface's own, where every other is a setting.
NOT_SETTINGS = frozenset(
    {
        *("database", "query", "query_id", "role", "user", "password", "quota_key", "default_format", "stacktrace"),
        *("session_id", "session_timeout", "session_check", "client_protocol_version", "wait_end_of_query"),
        *("compress", "decompress", "enable_http_compression", "buffer_size", "send_progress_in_http_headers"),
        *("http_headers_progress_interval_ms", "cancel_http_readonly_queries_on_client_close"),
    }
)
INSERT = re.compile(r"\s*INSERT\b", re.IGNORECASE)
INSERT_LINE = re.compile(rb"\s*INSERT\b[^\n]*?\bFORMAT\s+\w+[ \t]*\n", re.IGNORECASE)
FORMAT = re.compile(r"\bFORMAT\s+(\w+)\s*;?\s*$", re.IGNORECASE)
CODE = re.compile(r"Code: (\d+)")


@dataclass(frozen=True, slots=True)
class Server:
    """A server that runs: where it listens and its process."""

    port: int
    process: "subprocess.Popen[str]"
    user: str
    password: str = field(repr=False)

    def dsn(self, database: str, *, password: str | None = None) -> str:
        """The DSN of one database on this server."""
        given = self.password if password is None else password
        login = f"{quote(self.user)}:{quote(given, safe='')}@" if self.user else ""
        return f"http://{login}127.0.0.1:{self.port}/{database}"

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(START_S)


@contextlib.contextmanager
def clickhouse_server(folder: Path, *, user: str = "", password: str = "", port: int = 0) -> Iterator[Server]:
    """A server on `folder` and `port` of the loopback (0: a free one); it is ready, and stopped at the end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.support.clickhouse_http", str(folder), str(port)],
        cwd=ROOT,
        env={**os.environ, "CLICKHOUSE_USER": user, "CLICKHOUSE_PASSWORD": password},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield Server(_announced_port(process), process, user, password)
    finally:
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


@dataclass(frozen=True, slots=True)
class Statement:
    """One request, taken apart."""

    sql: str
    data: bytes
    database: str
    settings: Mapping[str, str]
    params: Mapping[str, str]
    default_format: str


class Engine:
    """chDB connections, one per thread."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._local = threading.local()
        self._threads = ThreadPoolExecutor(THREADS, initializer=self._connect)

    async def run(self, statement: Statement) -> tuple[bytes, str]:
        """The output and the name of its format."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._run, statement)

    def _connect(self) -> None:
        import chdb

        self._local.connection = chdb.connect(self._folder)
        self._local.connection.query("CREATE DATABASE IF NOT EXISTS default")

    def _run(self, statement: Statement) -> tuple[bytes, str]:
        self._execute(f"USE `{statement.database or 'default'}`")
        with self._with_settings(statement.settings):
            if statement.data:
                return self._insert(statement), "Null"
            found = FORMAT.search(statement.sql)
            if not found or INSERT.match(statement.sql):
                return self._execute(statement.sql, statement.default_format, statement.params), "TabSeparated"
            return self._execute(statement.sql[: found.start()], found[1], statement.params), found[1]

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
        result = self._local.connection.query(sql, output, params=dict(params or {}))
        return result.bytes() or b"" if result is not None else b""


def _literal(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _take_apart(arguments: dict[str, str], body: bytes, headers: Mapping[str, str]) -> Statement:
    sql, data = arguments.get("query", ""), b""
    if sql and INSERT.match(sql):
        data = body
    elif sql:
        sql += body.decode()
    elif line := INSERT_LINE.match(body):
        sql, data = line[0].decode(), body[line.end() :]
    else:
        sql = body.decode()
    return Statement(
        sql=sql,
        data=data,
        database=arguments.get("database") or headers.get("x-clickhouse-database", ""),
        settings={k: v for k, v in arguments.items() if k not in NOT_SETTINGS and not k.startswith("param_")},
        params={k.removeprefix("param_"): v for k, v in arguments.items() if k.startswith("param_")},
        default_format=headers.get("x-clickhouse-format") or arguments.get("default_format", "TabSeparated"),
    )


def _decoded(body: bytes, encoding: str) -> bytes:
    if encoding == "lz4":
        import lz4.frame

        return lz4.frame.decompress(body)
    return zlib.decompress(body, 47) if encoding in ("gzip", "deflate") else body


def _application(folder: str, user: str, password: str) -> Any:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    engine = Engine(folder)
    login = "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()

    def failure(text: str) -> Response:
        found = CODE.search(text)
        code = found[1] if found else "1002"
        status = {"60": 404, "81": 404, "516": 403}.get(code, 500)
        return Response(text + "\n", status, headers={"X-ClickHouse-Exception-Code": code}, media_type="text/plain")

    async def statement_of(request: Request) -> Statement:
        arguments = dict(request.query_params)
        if request.headers.get("content-type", "").startswith("multipart/form-data"):
            async with request.form() as form:
                arguments |= {name: str(value) for name, value in form.items()}
            return _take_apart(arguments, b"", request.headers)
        body = _decoded(await request.body(), request.headers.get("content-encoding", ""))
        return _take_apart(arguments, body, request.headers)

    async def handle(request: Request) -> Response:
        if user and not secrets.compare_digest(request.headers.get("authorization", ""), login):
            return failure("Code: 516. DB::Exception: Authentication failed. (AUTHENTICATION_FAILED)")
        try:
            output, name = await engine.run(await statement_of(request))
        except Exception as error:
            return failure(str(error))
        return Response(
            output,
            headers={"X-ClickHouse-Format": name, "X-ClickHouse-Timezone": "UTC"},
            media_type="application/octet-stream",
        )

    async def ping(request: Request) -> Response:
        return Response("Ok.\n", media_type="text/plain")

    return Starlette(routes=[Route("/", handle, methods=["GET", "POST"]), Route("/ping", ping)])


def main(folder: str, port: int) -> None:
    """Serve until SIGTERM; the port is printed once connections are taken."""
    import uvicorn

    application = _application(folder, os.environ["CLICKHOUSE_USER"], os.environ["CLICKHOUSE_PASSWORD"])
    listener = socket.create_server(("127.0.0.1", port))
    server = uvicorn.Server(uvicorn.Config(application, log_level="warning", lifespan="off", timeout_keep_alive=60))
    print(listener.getsockname()[1], flush=True)
    server.run(sockets=[listener])


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
