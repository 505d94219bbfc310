"""Reading a request: headers, allowed hosts, media type, and a body under its limit."""

from dataclasses import dataclass
from typing import Any

from starlette.types import Receive, Scope

from runtime import jsontext
from runtime.errors import LoomError
from runtime.grpc_server import too_large

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


class Disconnected(Exception):
    """The client closed the connection before its body was complete."""


def headers_of(scope: Scope) -> dict[str, str]:
    """Headers with lower-case names; of a repeated one, the last."""
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}


async def read_body(scope_headers: dict[str, str], receive: Receive, limit: int) -> bytes:
    """The whole body. Raises BODY_TOO_LARGE as soon as it is known to be over `limit` bytes."""
    declared = scope_headers.get("content-length", "")
    if declared.isdigit() and int(declared) > limit:
        raise too_large(limit)
    chunks, size = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Disconnected
        chunk = message.get("body", b"")
        size += len(chunk)
        if size > limit:
            raise too_large(limit)
        chunks.append(chunk)
        if not message.get("more_body"):
            return chunks[0] if len(chunks) == 1 else b"".join(chunks)


def json_object(body: bytes) -> dict[str, Any]:
    """The body as an object; an empty body is an empty object. Raises INVALID_JSON."""
    if not body.strip():
        return {}
    try:
        value = jsontext.loads(body)
    except jsontext.JsonTextError as error:
        raise LoomError("INVALID_JSON", f"the body is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise LoomError("INVALID_JSON", "the body must be one JSON object")
    return value


def require_json(headers: dict[str, str], body: bytes) -> None:
    """Refuses a body that does not say it is JSON.

    A browser sends any other type across origins without asking first, so this also keeps foreign pages from writing.
    """
    media = headers.get("content-type", "").partition(";")[0].strip().lower()
    if (body or media) and media != "application/json" and not media.endswith("+json"):
        raise LoomError("UNSUPPORTED_MEDIA_TYPE", "send JSON with Content-Type: application/json")


@dataclass(frozen=True, slots=True)
class HostPolicy:
    """Which Host and Origin headers are served. Empty `hosts` serves all, for a gateway behind an edge.

    A page on the web can make a browser call a loopback address under a name of its own (DNS rebinding); such a call
    carries that name in Host and Origin.
    """

    hosts: tuple[str, ...] = ()

    def check(self, headers: dict[str, str]) -> None:
        """Raises ORIGIN_FORBIDDEN."""
        if not self.hosts:
            return
        origin = headers.get("origin")
        if not self._allowed(headers.get("host", "")) or (origin is not None and not self._origin_allowed(origin)):
            raise LoomError("ORIGIN_FORBIDDEN", "this Host or Origin is not served; settings name those that are")

    def _origin_allowed(self, origin: str) -> bool:
        scheme, _, host = origin.partition("://")
        return scheme in {"http", "https"} and self._allowed(host)

    def _allowed(self, host: str) -> bool:
        name, colon, port = host.rpartition(":")
        bare = name if colon and port.isdigit() else host
        return bare.lower() in self.hosts
