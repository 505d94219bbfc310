"""`POST /v1/<op>`: plain ASGI, since this path carries the bulk traffic."""

import logging
from typing import Any

from starlette.types import Receive, Scope, Send

from gateway.connected import WhileConnected
from gateway.dispatch import Caller, Dispatcher
from gateway.replies import send_error, send_json
from gateway.requests import Disconnected, headers_of, json_object, read_body, require_json
from runtime import ids
from runtime.call import AUTHORIZATION, REQUEST_ID, SESSION_HINT, TRACEPARENT, TRACESTATE
from runtime.errors import LoomError, internal
from runtime.logs import bind_request

log = logging.getLogger("loom.http")

PREFIX = "/v1/"
# Headers that travel to the plane; nothing else of the request does.
FORWARDED = (AUTHORIZATION, TRACEPARENT, TRACESTATE, SESSION_HINT)


class HttpDoor:
    """The ASGI application behind PREFIX."""

    def __init__(self, dispatcher: Dispatcher, *, max_body: int) -> None:
        self._dispatcher, self._max_body = dispatcher, max_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = headers_of(scope)
        request_id = ids.request_id(headers.get(REQUEST_ID))
        bind_request(request_id)
        try:
            name, args = await self._read(scope, headers, receive)
        except Disconnected:
            return
        except LoomError as error:
            self._dispatcher.refused(error, "http", request_id)
            await send_error(send, error, request_id, _allow(error))
            return
        metadata = {key: headers[key] for key in FORWARDED if key in headers}
        await self._answer(name, args, Caller("http", request_id, metadata), receive, send)

    async def _read(self, scope: Scope, headers: dict[str, str], receive: Receive) -> tuple[str, dict[str, Any]]:
        """The op's name and its arguments."""
        name = scope["path"][len(PREFIX) :]
        self._dispatcher.find(name)
        if scope["method"] != "POST":
            raise LoomError("METHOD_NOT_ALLOWED", "ops are called with POST")
        body = await read_body(headers, receive, self._max_body)
        require_json(headers, body)
        return name, json_object(body)

    async def _answer(self, name: str, args: dict[str, Any], caller: Caller, receive: Receive, send: Send) -> None:
        try:
            async with WhileConnected(receive):
                answer = await self._dispatcher.dispatch(name, args, caller)
        except LoomError as error:
            await send_error(send, error, caller.request_id)
        except Disconnected:
            return
        except Exception:
            log.exception("defect at the HTTP door")
            await send_error(send, internal(), caller.request_id)
        else:
            await send_json(send, 200, answer, caller.request_id)


def _allow(error: LoomError) -> list[tuple[bytes, bytes]]:
    return [(b"allow", b"POST")] if error.code.name == "METHOD_NOT_ALLOWED" else []
