"""The alternative to observe.record: a bare Starlette endpoint that commits one row to SQLite per request.

It stores the body as it came, unread. `inline` commits on the event loop; `threads` commits on Starlette's threads, one
at a time, so that the loop goes on while the disk syncs. Which of them is faster depends on how long a sync takes.
"""

import sqlite3
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from gateway.http_server import bind


def database(path: Path) -> sqlite3.Connection:
    """WAL, and a sync to disk at every commit."""
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    db.execute("CREATE TABLE IF NOT EXISTS calls (id INTEGER PRIMARY KEY, body TEXT NOT NULL)")
    return db


def add(db: sqlite3.Connection, body: str) -> int:
    """One row, one transaction."""
    return db.execute("INSERT INTO calls (body) VALUES (?)", (body,)).lastrowid or 0


def inline(db: sqlite3.Connection) -> Callable:
    async def record(request: Request) -> JSONResponse:
        return JSONResponse({"id": add(db, (await request.body()).decode())})

    return record


def threaded(db: sqlite3.Connection) -> Callable:
    one_at_a_time = threading.Lock()

    def commit(body: str) -> int:
        with one_at_a_time:
            return add(db, body)

    async def record(request: Request) -> JSONResponse:
        return JSONResponse({"id": await run_in_threadpool(commit, (await request.body()).decode())})

    return record


def main(path: str, how: str) -> None:
    listener = bind("127.0.0.1", 0)
    print(f"port {listener.getsockname()[1]}", flush=True)
    endpoint = (inline if how == "inline" else threaded)(database(Path(path)))
    app = Starlette(routes=[Route("/record", endpoint, methods=["POST"])])
    uvicorn.Server(uvicorn.Config(app, access_log=False, log_level="warning", lifespan="off")).run(sockets=[listener])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
