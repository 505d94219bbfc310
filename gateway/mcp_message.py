"""One posted MCP message, read by Loom's own JSON reader before the SDK sees it.

The SDK's parsers differ between protocol eras, and each loses something that HTTP callers keep: halves of characters,
deep nesting, the refusal of NaN. Their complaints also repeat what was sent. So the message is read here, and what a
tool call brings is taken out of it; the SDK gets the rest, which holds nothing that it could lose.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import mcp_types as types
from mcp_types.jsonrpc import JSONRPCNotification, jsonrpc_message_adapter
from pydantic import ValidationError
from starlette.types import Message, Receive

from runtime import jsontext

CALL = "tools/call"
INITIALIZE = "initialize"


class ProtocolFault(Exception):
    """The body is no JSON-RPC message. `code` is JSON-RPC's; the text repeats nothing of the body."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code

    def body(self) -> bytes:
        """The JSON-RPC answer; its id is null, since none could be read."""
        return jsontext.dump_bytes({"jsonrpc": "2.0", "id": None, "error": {"code": self.code, "message": str(self)}})


@dataclass(frozen=True, slots=True)
class Posted:
    """A message: what the SDK gets of it, the arguments of a tool call, the client's name in a handshake."""

    body: bytes
    arguments: Mapping[str, Any] | None = None
    client_name: str | None = None

    def replay(self, receive: Receive) -> Receive:
        """`receive` with this body in front of what comes after it."""
        waiting = [self.body]

        async def replayed() -> Message:
            return {"type": "http.request", "body": waiting.pop()} if waiting else await receive()

        return replayed


def read(body: bytes) -> Posted:
    """The message. Raises ProtocolFault."""
    message, problem = None, ""
    try:
        message = jsontext.loads(body)
    except jsontext.JsonTextError as error:
        problem = str(error)
    if problem:
        raise ProtocolFault(types.PARSE_ERROR, f"the body is not JSON: {problem}")
    arguments = _at(message, "params", "arguments") if _at(message, "method") == CALL else None
    if isinstance(arguments, dict):
        message = {**message, "params": {**message["params"], "arguments": {}}}
    else:
        arguments = None  # the SDK finds the words for what is no object
    if not _is_message(message):
        raise ProtocolFault(types.INVALID_REQUEST, "the body must be one JSON-RPC request or notification")
    name = _at(message, "params", "clientInfo", "name") if _at(message, "method") == INITIALIZE else None
    return Posted(jsontext.dump_bytes(message), arguments, name if isinstance(name, str) else None)


def _at(value: Any, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _is_message(message: Any) -> bool:
    try:
        read_as = jsonrpc_message_adapter.validate_python(message, by_name=False)
    except (ValidationError, RecursionError):
        return False
    # With an id that is none, a request passes for a notification, and its sender would wait for ever.
    return not (isinstance(read_as, JSONRPCNotification) and "id" in message)
