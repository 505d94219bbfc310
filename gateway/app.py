"""The gateway's ASGI application: which path goes where, and what holds for all of them."""

import logging
from collections.abc import Awaitable, Callable
from functools import cached_property, partial

import orjson
from starlette.types import Message, Receive, Scope, Send

from gateway import docs_page, http_door
from gateway.dispatch import Dispatcher
from gateway.mcp_door import REQUEST_ID_KEY, McpDoor
from gateway.openapi import openapi
from gateway.replies import JSON, Header, send_body, send_error
from gateway.requests import HostPolicy, headers_of
from runtime import ids
from runtime.call import REQUEST_ID
from runtime.errors import LoomError, internal
from runtime.health import Health
from runtime.metrics import Metrics

log = logging.getLogger("loom.gateway")

Page = Callable[[], Awaitable[tuple[int, bytes, list[Header]]]]


class GatewayApp:
    """Routes by path; checks Host and Origin before anything is read; answers every failure with the envelope."""

    def __init__(
        self,
        *,
        ops: http_door.HttpDoor,
        mcp: McpDoor,
        dispatcher: Dispatcher,
        health: Health,
        metrics: Metrics | None,
        hosts: HostPolicy,
        token_required: bool = False,
    ) -> None:
        self._ops, self._mcp, self._dispatcher, self._health = ops, mcp, dispatcher, health
        self._hosts, self._token_required = hosts, token_required
        self._pages: dict[str, Page] = {
            "/healthz": self._healthz,
            "/readyz": self._readyz,
            "/openapi.json": self._openapi,
            "/docs": self._docs,
        }
        # Where they have a door of their own, clients do not see them.
        if metrics is not None:
            self._pages["/metrics"] = partial(self._metrics_page, metrics)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = headers_of(scope)
        request_id = ids.request_id(headers.get(REQUEST_ID))
        try:
            self._hosts.check(headers)
            await self._route(scope, receive, send, headers, request_id)
        except LoomError as error:
            if scope["path"] not in self._pages:
                self._dispatcher.refused(error, "http", request_id)
            await send_error(send, error, request_id, _allow(error))
        except Exception:
            log.exception("defect of the application", extra={"request_id": request_id})
            await send_error(send, internal(), request_id)

    async def _route(
        self, scope: Scope, receive: Receive, send: Send, headers: dict[str, str], request_id: str
    ) -> None:
        path = scope["path"]
        if path.startswith(http_door.PREFIX):
            await self._ops(scope, receive, send)
        elif path == "/mcp":
            await self._serve_mcp(scope, receive, send, request_id)
        elif path in self._pages:
            if scope["method"] not in {"GET", "HEAD"}:
                raise LoomError("METHOD_NOT_ALLOWED", "use GET", allow="GET, HEAD")
            status, body, page_headers = await self._pages[path]()
            await send_body(send, status, body, [*page_headers, (b"x-request-id", request_id.encode())])
        else:
            raise LoomError("ROUTE_NOT_FOUND", "nothing is served here; ops are at POST /v1/<op>, pages at /docs")

    async def _serve_mcp(self, scope: Scope, receive: Receive, send: Send, request_id: str) -> None:
        scope[REQUEST_ID_KEY] = request_id

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], (b"x-request-id", request_id.encode())]
            await send(message)

        await self._mcp(scope, receive, send_with_id)

    async def _healthz(self) -> tuple[int, bytes, list[Header]]:
        return 200, b'{"status":"ok"}', [(b"content-type", JSON)]

    async def _readyz(self) -> tuple[int, bytes, list[Header]]:
        if not self._health.ready:
            raise LoomError("SHUTTING_DOWN", "this process does not serve", retry_after_s=1.0)
        if reasons := await self._health.missing():
            raise LoomError("UPSTREAM_UNAVAILABLE", "a component does not work", retry_after_s=1.0, **reasons)
        return 200, b'{"status":"ready"}', [(b"content-type", JSON)]

    async def _metrics_page(self, metrics: Metrics) -> tuple[int, bytes, list[Header]]:
        body, content_type = metrics.render()
        return 200, body, [(b"content-type", content_type.encode())]

    @cached_property
    def _openapi_body(self) -> bytes:
        return orjson.dumps(openapi(self._dispatcher.table, token_required=self._token_required))

    async def _openapi(self) -> tuple[int, bytes, list[Header]]:
        return 200, self._openapi_body, [(b"content-type", JSON)]

    async def _docs(self) -> tuple[int, bytes, list[Header]]:
        body, headers = docs_page.page()
        return 200, body, [(name.encode(), value.encode()) for name, value in headers.items()]


def _allow(error: LoomError) -> list[Header]:
    allowed = error.metadata.get("allow")
    return [(b"allow", allowed.encode())] if allowed else []
