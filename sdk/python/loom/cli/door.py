"""The HTTP door of a server, over the standard library alone: `loom capture hook` runs at every tool call of an agent,
and an HTTP library would more than double its time."""

import http.client
import json
import time
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

from loom.cli.terminal import UsageError


class UnreachableError(Exception):
    """No answer came. The message names the address and the kind of failure, nothing that was sent."""


class Answer(NamedTuple):
    """What came back: the HTTP status and the body."""

    status: int
    body: bytes

    @property
    def ok(self) -> bool:
        """True for a success."""
        return 200 <= self.status < 300

    def value(self) -> Any:
        """The body as JSON; None when it is none."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None

    def detail(self) -> dict[str, Any] | None:
        """The `detail` of Loom's error envelope; None when the body is something else, such as a proxy's page."""
        value = self.value()
        detail = value.get("detail") if isinstance(value, dict) else None
        return detail if isinstance(detail, dict) and isinstance(detail.get("code"), str) else None


class Door:
    """One connection to one server, opened at the first call and kept open. Not for use by several threads at once."""

    def __init__(self, base_url: str, api_key: str = "") -> None:
        """UsageError when `base_url` is no http(s) address."""
        try:
            parts = urlsplit(base_url)
            self._host, self._port = parts.hostname, parts.port
        except ValueError as failure:
            raise UsageError("the base URL is not a URL: give one such as http://127.0.0.1:7777") from failure
        if parts.scheme not in ("http", "https") or not self._host:
            raise UsageError("the base URL must start with http:// or https:// and name a host")
        self._secure = parts.scheme == "https"
        self._path = parts.path.rstrip("/")
        self._api_key = api_key
        self._connection: http.client.HTTPConnection | None = None
        # Without the user and password that a URL can carry.
        self.address = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{self._path}"

    def post(self, op: str, body: bytes, timeout_s: float = 60.0) -> Answer:
        """Calls `op` with `body`, a JSON object in UTF-8. UnreachableError when no answer comes; `timeout_s` bounds each
        wait of the connection, the connect among them."""
        kept = self._connection is not None
        deadline = time.monotonic() + timeout_s
        try:
            return self._exchange(op, body, timeout_s)
        except (http.client.RemoteDisconnected, ConnectionError) as failure:
            self.close()
            # A server may close a kept connection between two calls; on a new one the same failure is real.
            if not kept or time.monotonic() >= deadline:
                raise UnreachableError(self._told(failure)) from failure
        except (OSError, http.client.HTTPException) as failure:
            self.close()
            raise UnreachableError(self._told(failure)) from failure
        return self.post(op, body, max(0.001, deadline - time.monotonic()))

    def _exchange(self, op: str, body: bytes, timeout_s: float) -> Answer:
        connection = self._connection = self._connection or self._open()
        connection.timeout = timeout_s
        if connection.sock is not None:
            connection.sock.settimeout(timeout_s)
        try:
            connection.request("POST", f"{self._path}/v1/{quote(op, safe='/._-')}", body, self._headers())
        except (BrokenPipeError, ConnectionResetError):
            # A server that refuses a body answers before it has read it: the answer says why.
            if connection.sock is None:
                raise
        response = connection.getresponse()
        return Answer(response.status, response.read())

    def _open(self) -> http.client.HTTPConnection:
        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        return kind(self._host or "", self._port)

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "loom-cli"}
        if self._api_key:
            headers["Authorization"] = f"Bearer {self._api_key}"
        return headers

    def _told(self, failure: Exception) -> str:
        reason = failure.strerror if isinstance(failure, OSError) and failure.strerror else type(failure).__name__
        return f"no answer from {self.address}: {reason}"

    def close(self) -> None:
        """Closes the connection; the next call opens one."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
