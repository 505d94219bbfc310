"""The MCP door: streamable HTTP, stateless, both protocol eras, through the official SDK.

Every op is a tool `loom_<op with _>`; `?toolset=a,b` on the endpoint narrows the listing; `loom_op` calls any op by
name, listed or not, and `op="help"` searches them. A failed op is a tool result with the error flag and the envelope as
structured content, so that a model can read it and mend its call; an unknown tool is a protocol error. There is no
stream to open and no session to end: GET and DELETE are refused. Host and Origin are the application's to check.
"""

import contextlib
import logging
from collections.abc import AsyncIterator, Mapping
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from starlette.types import Receive, Scope, Send

from gateway import generic_tool, mcp_message, mcp_session
from gateway.dispatch import Caller, Dispatcher
from gateway.replies import JSON, send_body
from gateway.requests import Disconnected, headers_of, read_body, require_json
from gateway.schema import ERROR_DETAIL, request_schema, response_schema
from runtime import ids, jsontext
from runtime.call import AGENT_HINT, AUTHORIZATION, SESSION_HINT, TRACEPARENT, TRACESTATE
from runtime.errors import LoomError, internal
from runtime.logs import bind_request
from runtime.optable import Op

log = logging.getLogger("loom.mcp")

INSTRUCTIONS = (
    "Loom keeps what agents did and what should be remembered. Record tool calls with loom_observe_record; "
    'find any other op with loom_op(op="help", arguments={"query": "…"}) and call it with loom_op.'
)
# What the door leaves in the scope for the handlers, which see the request through the SDK.
REQUEST_ID_KEY = "loom.request_id"
ARGUMENTS_KEY = "loom.arguments"


class McpDoor:
    """The ASGI application of the MCP endpoint; `running` must be entered before the first request."""

    def __init__(self, dispatcher: Dispatcher, *, version: str, max_body: int) -> None:
        self._dispatcher = dispatcher
        self._max_body = max_body
        self._server: Server[Any] = Server(
            "loom",
            version=version,
            instructions=INSTRUCTIONS,
            on_list_tools=self._list,
            on_call_tool=self._call,
            get_tool_input_schema=self._input_schema,
        )
        # The SDK's own spans would stand beside ours, and record exception texts (docs/adr/0003-own-spans.md).
        self._server.middleware.clear()
        self._manager = StreamableHTTPSessionManager(
            self._server,
            json_response=True,
            stateless=True,
            max_request_body_size=self._max_body,
        )

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Runs the SDK's session manager. What the body raises comes out as it is, not wrapped in the SDK's task group."""
        try:
            async with self._manager.run():
                yield
        except BaseExceptionGroup as group:
            raise _sole(group) from None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one request. Raises LoomError where HTTP, not MCP, refuses it."""
        if scope["method"] != "POST":
            raise LoomError("METHOD_NOT_ALLOWED", "MCP is served to POST alone", allow="POST")
        headers = headers_of(scope)
        try:
            body = await read_body(headers, receive, self._max_body)
        except Disconnected:
            return
        require_json(headers, body)
        try:
            posted = mcp_message.read(body)
        except mcp_message.ProtocolFault as fault:
            await send_body(send, 400, fault.body(), [(b"content-type", JSON)])
            return
        scope[ARGUMENTS_KEY] = posted.arguments
        if posted.client_name is not None:
            send = mcp_session.named(send, mcp_session.issue(_header_safe(posted.client_name)))
        await self._manager.asgi_app(scope, posted.replay(receive), send)

    def _input_schema(self, tool: str) -> Mapping[str, Any] | None:
        op = self._dispatcher.table.by_tool.get(tool)
        return request_schema(op.request) if op else None

    async def _list(self, ctx: Any, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        wanted = self._toolsets(ctx)
        ops = [op for op in self._dispatcher.table if op.listed and (wanted is None or op.toolset in wanted)]
        return types.ListToolsResult(tools=[*map(_tool, ops), generic_tool.TOOL])

    def _toolsets(self, ctx: Any) -> set[str] | None:
        given = ctx.request.query_params.get("toolset", "")
        wanted = {name.strip() for name in given.split(",") if name.strip()}
        known = {op.toolset for op in self._dispatcher.table}
        if wanted - known:
            raise MCPError(types.INVALID_PARAMS, f"toolset must be of {', '.join(sorted(known))}")
        return wanted or None

    async def _call(self, ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        caller = _caller(ctx)
        bind_request(caller.request_id)  # here, since the SDK may run this in a task of its own
        arguments = ctx.request.scope[ARGUMENTS_KEY] or {}
        op = self._dispatcher.table.by_tool.get(params.name)
        if op is None and params.name != generic_tool.NAME:
            raise MCPError(types.INVALID_PARAMS, f"unknown tool; {generic_tool.NAME} calls any op by name")
        try:
            answer = await self._answer(op, arguments, caller)
        except LoomError as error:
            return _result({"detail": error.detail(caller.request_id)}, failed=True)
        except Exception:
            # Left to the SDK, the exception's text would be the answer.
            log.exception("defect at the MCP door")
            return _result({"detail": internal().detail(caller.request_id)}, failed=True)
        return _result(answer)

    async def _answer(self, op: Op | None, arguments: Mapping[str, Any], caller: Caller) -> dict[str, Any]:
        if op is not None:
            return await self._dispatcher.dispatch(op.name, arguments, caller)
        name, inner = generic_tool.parse(arguments)
        if name == generic_tool.HELP:
            return generic_tool.search(self._dispatcher.table, inner)
        return await self._dispatcher.dispatch(name, inner, caller)


def _sole(error: BaseException) -> BaseException:
    """The one exception inside nested groups of one; a group of several stays a group."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error


def _tool(op: Op) -> types.Tool:
    return types.Tool(
        name=op.tool,
        description=op.doc,
        input_schema=request_schema(op.request),
        output_schema=_output_schema(op),
        annotations=types.ToolAnnotations(
            read_only_hint=not op.writes,
            destructive_hint=op.role == "admin" and op.writes,
            idempotent_hint=op.idempotent,
            open_world_hint=False,
        ),
    )


def _output_schema(op: Op) -> dict[str, Any]:
    """The op's answer or the envelope: some clients validate a failed result too, so nothing is required here."""
    schema = response_schema(op.response)
    properties = {**schema["properties"], "detail": ERROR_DETAIL}
    return {key: value for key, value in schema.items() if key != "required"} | {"properties": properties}


def _caller(ctx: Any) -> Caller:
    headers = ctx.request.headers
    metadata = {key: headers[key] for key in (AUTHORIZATION, TRACEPARENT, TRACESTATE, SESSION_HINT) if key in headers}
    for key in (TRACEPARENT, TRACESTATE):
        value = (ctx.meta or {}).get(key)
        if isinstance(value, str):
            metadata[key] = value
    session, agent = mcp_session.read(headers.get(mcp_session.HEADER, ""))
    info = ctx.session.client_params
    if info is not None:
        agent = _header_safe(info.client_info.name)
    for key, value in ((SESSION_HINT, session), (AGENT_HINT, agent)):
        if value:
            metadata.setdefault(key, value)
    return Caller("mcp", ctx.request.scope.get(REQUEST_ID_KEY) or ids.new_id(), metadata)


def _header_safe(text: str) -> str:
    """Printable ASCII, since it travels as gRPC metadata."""
    return "".join(char if " " <= char <= "~" else "?" for char in text)[:128]


def _result(value: dict[str, Any], *, failed: bool = False) -> types.CallToolResult:
    text = types.TextContent(type="text", text=jsontext.dumps(value))
    return types.CallToolResult(content=[text], structured_content=value, is_error=failed)
