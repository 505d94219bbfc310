"""Loom inside this process. The application brings it, by an entry point: this library never imports the application.

The way there is an httpx transport under the same client as for a server. So a call is checked, encoded, retried and
read in one way, and gives the same results.
"""

import os
from collections.abc import Callable, Mapping
from datetime import datetime
from importlib import metadata
from typing import Protocol
from urllib.parse import unquote

import httpx

GROUP, NAME = "loom.embedded", "memory"
BASE_URL = "http://embedded.loom"
PREFIX = "/v1/"
MISSING = (
    "Memory.from_path needs the application in this environment, and only the client library is installed: "
    "install loom-server too, or use Memory.connect with a server's address"
)

Now = Callable[[], datetime]


class Installation(Protocol):
    """An installation in this process. Threads may share it."""

    def post(self, op: str, body: bytes, headers: Mapping[str, str], timeout_s: float | None) -> tuple[int, bytes]:
        """HTTP status and body of the answer, as `POST /v1/<op>` gives them; header names are lower-case.

        Raises TimeoutError where there is no answer in time, RuntimeError once it is closed.
        """
        ...

    def close(self) -> None:
        """Ends it. Closing twice is harmless."""
        ...


Opener = Callable[[str, Now | None], Installation]


def opener() -> Opener:
    """The application's, called with a folder and a clock. Raises RuntimeError where there is none."""
    found = next(iter(metadata.entry_points(group=GROUP, name=NAME)), None)
    if found is None:
        raise RuntimeError(MISSING)
    try:
        return found.load()
    except ImportError as error:
        raise RuntimeError(f"{MISSING} (it is there in part: {type(error).__name__})") from error


class InProcess(httpx.BaseTransport):
    """Hands requests to an installation in this process."""

    def __init__(self, installation: Installation) -> None:
        self._installation = installation
        self._process = os.getpid()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if os.getpid() != self._process:
            raise RuntimeError("a memory on a folder does not survive a fork: open it in the process that uses it")
        op = unquote(request.url.path).removeprefix(PREFIX)
        headers = {name.lower(): value for name, value in request.headers.items()}
        limit = request.extensions.get("timeout", {}).get("read")
        try:
            status, body = self._installation.post(op, request.read(), headers, limit)
        except TimeoutError as error:
            raise httpx.ReadTimeout("no answer in time", request=request) from error
        return httpx.Response(status, headers={"content-type": "application/json"}, content=body)

    def close(self) -> None:
        if os.getpid() == self._process:
            self._installation.close()
