"""The MCP door: streamable HTTP, stateless, both protocol eras, through the official SDK.

Every op is a tool `loom_<op with _>`; `?toolset=a,b` on the endpoint narrows the listing; `loom_op` calls any op by
name, listed or not, and `op="help"` searches them. A failed op is a tool result with the error flag and the envelope as
structured content, so that a model can read it and mend its call; an unknown tool is a protocol error.
"""

import contextlib
from collections.abc import AsyncIterator, Mapping
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from starlette.types import Receive, Scope, Send

from gateway import generic_tool
from gateway.dispatch import Caller, Dispatcher
from gateway.schema import ERROR_DETAIL, request_schema, response_schema
from runtime import ids, jsontext
from runtime.call import AGENT_HINT, AUTHORIZATION, SESSION_HINT, TRACEPARENT, TRACESTATE
from runtime.errors import LoomError
from runtime.optable import Op

INSTRUCTIONS = (
    "Loom keeps what agents did and what should be remembered. Record tool calls with loom_observe_record; "
    'find any other op with loom_op(op="help", arguments={"query": "…"}) and call it with loom_op.'
)
REQUEST_ID_KEY = "loom.request_id"
# Room for the JSON-RPC envelope around a body that is just under the limit.
ENVELOPE_SLACK = 64 << 10


class McpDoor:
    """The ASGI application of the MCP endpoint; `running` must be entered before the first request."""

    def __init__(self, dispatcher: Dispatcher, *, version: str, max_body: int, hosts: tuple[str, ...]) -> None:
        self._dispatcher = dispatcher
        self._version = version
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
            security_settings=_security(hosts),
            max_request_body_size=max_body + ENVELOPE_SLACK,
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
        await self._manager.asgi_app(scope, receive, send)

    def _input_schema(self, tool: str) -> Mapping[str, Any] | None:
        op = self._dispatcher.table.by_tool.get(tool)
        return request_schema(op.request) if op else None

    async def _list(self, ctx: Any, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        wanted = self._toolsets(ctx)
        ops = [op for op in self._dispatcher.table if op.listed and (wanted is None or op.toolset in wanted)]
        return types.ListToolsResult(tools=[*map(_tool, ops), generic_tool.TOOL])

    def _toolsets(self, ctx: Any) -> set[str] | None:
        given = ctx.request.query_params.get("toolset", "") if ctx.request is not None else ""
        wanted = {name.strip() for name in given.split(",") if name.strip()}
        known = {op.toolset for op in self._dispatcher.table}
        if wanted - known:
            raise MCPError(types.INVALID_PARAMS, f"toolset must be of {', '.join(sorted(known))}")
        return wanted or None

    async def _call(self, ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        caller = _caller(ctx)
        arguments = params.arguments or {}
        op = self._dispatcher.table.by_tool.get(params.name)
        if op is None and params.name != generic_tool.NAME:
            raise MCPError(types.INVALID_PARAMS, f"unknown tool; {generic_tool.NAME} calls any op by name")
        try:
            answer = await self._answer(op, arguments, caller)
        except LoomError as error:
            return _result({"detail": error.detail(caller.request_id)}, failed=True)
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


def _security(hosts: tuple[str, ...]) -> TransportSecuritySettings:
    """The SDK's Host and Origin check, on unless the gateway stands behind an edge that checks."""
    if not hosts:
        return TransportSecuritySettings(enable_dns_rebinding_protection=False)
    allowed = [pattern for host in hosts for pattern in (host, f"{host}:*")]
    origins = [f"{scheme}://{pattern}" for pattern in allowed for scheme in ("http", "https")]
    return TransportSecuritySettings(allowed_hosts=allowed, allowed_origins=origins)


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
    scope = ctx.request.scope if ctx.request is not None else {}
    metadata = _headers(ctx)
    for key in (TRACEPARENT, TRACESTATE):
        value = (ctx.meta or {}).get(key)
        if isinstance(value, str):
            metadata[key] = value
    info = ctx.session.client_params
    if info is not None and info.client_info.name:
        metadata[AGENT_HINT] = _header_safe(info.client_info.name)
    return Caller("mcp", scope.get(REQUEST_ID_KEY) or ids.new_id(), metadata)


def _headers(ctx: Any) -> dict[str, str]:
    if ctx.request is None:
        return {}
    headers = ctx.request.headers
    found = {key: headers[key] for key in (AUTHORIZATION, TRACEPARENT, TRACESTATE, SESSION_HINT) if key in headers}
    session = headers.get("mcp-session-id")
    if session:
        found.setdefault(SESSION_HINT, session)
    return found


def _header_safe(text: str) -> str:
    """Printable ASCII, since it travels as gRPC metadata."""
    return "".join(char if " " <= char <= "~" else "?" for char in text)[:128]


def _result(value: dict[str, Any], *, failed: bool = False) -> types.CallToolResult:
    text = types.TextContent(type="text", text=jsontext.dumps(value))
    return types.CallToolResult(content=[text], structured_content=value, is_error=failed)
