"""The id of an MCP session in the handshake era.

Such a client tells its name once, in the handshake, and from then on only its session id. The id carries the name, so
that every replica knows it and none has to remember it. It is a hint, as the name itself is: it opens nothing.
"""

import base64
import binascii
import re

from starlette.types import Message, Send

from runtime import ids

HEADER = "mcp-session-id"
OURS = re.compile(r"([0-9a-f]{32})\.([A-Za-z0-9_=-]{0,200})")
OTHER = re.compile(r"[!-~]{1,256}")


def issue(agent: str) -> str:
    """A new id for a client of that name (printable ASCII, at most 128 characters)."""
    return f"{ids.new_id()}.{base64.urlsafe_b64encode(agent.encode()).decode()}"


def read(session_id: str) -> tuple[str, str]:
    """(session, agent) of an id. One that Loom did not issue is a session without an agent, as far as it is an id."""
    if ours := OURS.fullmatch(session_id):
        return ours[1], _name(ours[2])
    return (session_id, "") if OTHER.fullmatch(session_id) else ("", "")


def named(send: Send, session_id: str) -> Send:
    """`send` that names the session in an answer that succeeds."""

    async def naming(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == 200:
            message["headers"] = [*message["headers"], (HEADER.encode(), session_id.encode())]
        await send(message)

    return naming


def _name(encoded: str) -> str:
    try:
        name = base64.urlsafe_b64decode(encoded).decode("ascii")
    except (binascii.Error, ValueError):
        return ""
    return name if name.isprintable() else ""
