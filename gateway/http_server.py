"""Uvicorn, under our own lifecycle."""

import asyncio
import contextlib
import socket
from collections.abc import Iterator

import uvicorn
from starlette.types import ASGIApp

from gateway.http_protocol import BoundedProtocol

BACKLOG = 2048
STARTED_POLL_S = 0.01


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals belong to runtime.lifecycle, which stops every door of the process in order."""
        yield


class HttpServer:
    """Serves one ASGI application on one socket."""

    def __init__(self, app: ASGIApp, *, grace_s: float) -> None:
        config = uvicorn.Config(
            app,
            http=BoundedProtocol,
            ws="none",
            lifespan="off",
            access_log=False,
            log_config=None,
            server_header=False,
            proxy_headers=False,  # nobody here asks for the client's address
            backlog=BACKLOG,
            timeout_graceful_shutdown=max(1, int(grace_s)),
        )
        self._server = _Server(config)
        self._task: asyncio.Task[None] | None = None

    async def start(self, host: str, port: int) -> int:
        """Listens and returns the port. Raises OSError when the address is taken or may not be used."""
        listener = bind(host, port)
        self._task = asyncio.create_task(self._server.serve(sockets=[listener]))
        while not self._server.started:
            if self._task.done():
                await self._task
                raise OSError("the HTTP server did not start")
            await asyncio.sleep(STARTED_POLL_S)
        return int(listener.getsockname()[1])

    async def stop(self) -> None:
        """Accepts nothing more and lets running requests finish, within the grace."""
        self._server.should_exit = True
        if self._task is not None:
            await self._task


def bind(host: str, port: int) -> socket.socket:
    """A socket bound to the address; the connection that a killed process left behind does not keep it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise OSError(error.errno, f"{host}:{port}: {error.strerror or error}") from None
    listener.setblocking(False)
    return listener
