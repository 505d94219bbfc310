"""MCP as clients speak it: the SDK's client in every protocol version, and single posts by hand."""

import contextlib
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any
from unittest.mock import patch

import httpx
import mcp_types as types
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION, LATEST_MODERN_VERSION

from tests.support.server import Server

# "legacy" offers the newest version with a handshake; the versions pin one; "auto" finds out.
MODES = ("legacy", "auto", *HANDSHAKE_PROTOCOL_VERSIONS, LATEST_MODERN_VERSION)
TIMEOUT_S = 30.0
ACCEPT = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
META = {
    "io.modelcontextprotocol/protocolVersion": LATEST_MODERN_VERSION,
    "io.modelcontextprotocol/clientInfo": {"name": "by-hand", "version": "0"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


def spoken(mode: str) -> str:
    """The version that a client in that mode must end up with."""
    return {"legacy": LATEST_HANDSHAKE_VERSION, "auto": LATEST_MODERN_VERSION}.get(mode, mode)


@contextlib.asynccontextmanager
async def client(server: Server, mode: str, *, query: str = "", name: str = "test-client") -> AsyncIterator[Client]:
    """The SDK's client, connected. It has no option to offer an older handshake, so its constant is changed."""
    pinned = mode in HANDSHAKE_PROTOCOL_VERSIONS
    with patch("mcp.client.session.LATEST_HANDSHAKE_VERSION", mode if pinned else LATEST_HANDSHAKE_VERSION):
        async with Client(
            f"{server.base_url}/mcp{query}",
            mode="legacy" if pinned else mode,
            client_info=types.Implementation(name=name, version="1"),
        ) as connected:
            yield connected


async def refusal(server: Server, mode: str, call: Any, *, query: str = "") -> types.ErrorData:
    """The protocol error that `call(client)` must end in."""
    async with client(server, mode, query=query) as connected:
        try:
            await call(connected)
        except MCPError as error:
            return error.error
    raise AssertionError("the call succeeded")


def post(server: Server, method: str, params: Mapping[str, Any] | None = None, **headers: str) -> httpx.Response:
    """One request of the handshake era, without any handshake; `_` in the headers' names stands for `-`."""
    return send(server, message(method, params), ACCEPT | named(headers))


def post_modern(server: Server, method: str, params: Mapping[str, Any] | None = None, **headers: str) -> httpx.Response:
    """One self-contained request of the newest version; `headers` replace those that belong to it."""
    given = dict(params or {})
    own = {"mcp-protocol-version": LATEST_MODERN_VERSION, "mcp-method": method}
    if method == "tools/call":
        own["mcp-name"] = given["name"]
    meta = {**META, **given.pop("_meta", {})}
    return send(server, message(method, {**given, "_meta": meta}), ACCEPT | own | named(headers))


def message(method: str, params: Mapping[str, Any] | None = None) -> bytes:
    """A JSON-RPC request. Halves of characters stay: they are escaped."""
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": dict(params or {})}).encode()


def send(
    server: Server, body: bytes | None, headers: Mapping[str, str], *, method: str = "POST", path: str = "/mcp"
) -> httpx.Response:
    with httpx.Client(timeout=TIMEOUT_S, trust_env=False) as http:
        return http.request(method, server.base_url + path, content=body, headers=dict(headers))


def named(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


def structured(response: httpx.Response) -> dict[str, Any]:
    """The structured content of a tool call that was answered, whether it failed or not."""
    assert response.status_code == 200, response.text
    result = response.json()["result"]
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    return result["structuredContent"]
