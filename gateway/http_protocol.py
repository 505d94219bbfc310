"""Uvicorn's protocol, bounded: how much and how long a client may send before there is a request, and one error shape.

The parser keeps a head of any length and waits for its end for ever. Neither needs a token, so both are ended here.
"""

import asyncio
import http
import math
from typing import Any

import orjson
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from gateway.replies import JSON
from runtime import ids
from runtime.errors import LoomError

# Request line and headers together; a token has at most 8 KiB.
HEAD_BYTES = 64 << 10
# From the first byte, or from connecting, to the end of the body.
REQUEST_S = 60.0


class _HeadTooLarge(Exception):
    """Ends the parsing of a request."""


class BoundedProtocol(HttpToolsProtocol):
    """One connection."""

    _late: asyncio.TimerHandle | None = None
    _in_head = True
    _head = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        self._expect(False)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        # What came before is all head; of this piece, the parser has to say where the head ends.
        if self._in_head and self._head > HEAD_BYTES:
            self.send_400_response("")
            return
        self._head += len(data)
        super().data_received(data)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._late is None:
            self._expect()

    def on_headers_complete(self) -> None:
        if len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers) > HEAD_BYTES:
            raise _HeadTooLarge
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._in_head, self._head = True, 0
        self._expect(False)
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """The envelope in the place of uvicorn's text."""
        self._refuse(LoomError("MALFORMED_REQUEST", "no whole HTTP request with a head of at most 64 KiB came in time"))

    def _refuse(self, error: LoomError) -> None:
        """Answers, unless an answer is under way; ends the connection."""
        if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
            self.transport.write(_answer(error))
        self.transport.close()

    def shutdown(self) -> None:
        """A request that is still coming in was not begun, so it is refused now; the rest of it may never come."""
        if self._late is not None and self.cycle is not None and not self.pipeline:
            self._refuse(
                LoomError("SHUTTING_DOWN", "the process is stopping; the call was not begun", retry_after_s=1.0)
            )
        else:
            super().shutdown()

    def _expect(self, request: bool = True) -> None:
        """Starts or ends the time that a whole request has."""
        if self._late is not None:
            self._late.cancel()
        self._late = self.loop.call_later(REQUEST_S, self._end) if request else None

    def _end(self) -> None:
        if self.flow.read_paused:  # then it is we who keep the client waiting
            self._expect()
        else:
            self.send_400_response("")


def _answer(error: LoomError) -> bytes:
    request_id = ids.new_id()
    body = orjson.dumps({"detail": error.detail(request_id)})
    headers: list[tuple[bytes, Any]] = [
        (b"content-type", JSON),
        (b"x-request-id", request_id.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    if error.retry_after_s is not None:
        headers.append((b"retry-after", str(math.ceil(error.retry_after_s)).encode()))
    status = http.HTTPStatus(error.code.http)
    line = f"HTTP/1.1 {status.value} {status.phrase}".encode()
    return b"\r\n".join([line, *(b"%b: %b" % header for header in headers), b"", body])
