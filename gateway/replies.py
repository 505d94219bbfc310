"""Answers on the wire: plain ASGI sends, one error shape."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import orjson
from starlette.types import Send

from runtime.errors import LoomError

JSON = b"application/json"
UNAUTHORIZED = 401
Header = tuple[bytes, bytes]

# Sent when even the error cannot be encoded: the error path must not fail.
LAST_RESORT = b'{"detail":{"code":"INTERNAL","category":"internal","message":"internal error","retryable":false,"retry_after_s":null,"request_id":"","metadata":{}}}'  # noqa: E501


async def send_body(send: Send, status: int, body: bytes, headers: Iterable[Header]) -> None:
    """One complete response."""
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})


async def send_json(send: Send, status: int, value: Mapping[str, Any], request_id: str) -> None:
    await send_body(
        send,
        status,
        orjson.dumps(value),
        [(b"content-type", JSON), (b"x-request-id", request_id.encode())],
    )


async def send_error(send: Send, error: LoomError, request_id: str, extra: Iterable[Header] = ()) -> None:
    """The envelope, with Retry-After where the error has advice."""
    headers = [(b"content-type", JSON), (b"x-request-id", request_id.encode()), *extra]
    if error.code.http == UNAUTHORIZED:
        headers.append((b"www-authenticate", b"Bearer"))
    if error.retry_after_s is not None:
        # Whole seconds, upwards: HTTP knows no fractions, and coming back early helps nobody.
        headers.append((b"retry-after", str(max(1, math.ceil(error.retry_after_s))).encode()))
    try:
        body = orjson.dumps({"detail": error.detail(request_id)})
    except TypeError:
        body = LAST_RESORT
    await send_body(send, error.code.http, body, headers)
