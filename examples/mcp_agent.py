"""An agent that remembers, over MCP alone: what any MCP client can do without Loom's own library.

    loom serve                                                   # in one terminal
    python examples/mcp_agent.py --user ada "How do we deploy?"  # in another
    python examples/mcp_agent.py --user ada --remember "We deploy on Tuesdays, never on Fridays."

An agent framework with MCP needs no code at all, only
{"mcpServers": {"loom": {"type": "http", "url": "http://127.0.0.1:7777/mcp?toolset=memory"}}}.

This shows what its model does with the tools: it is given them, asks for what is known, answers, and keeps what it
learnt. The model is a stand-in, so that this runs offline.
"""

import argparse
import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from mcp import Client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

TOOLS = "?toolset=memory"
KNOWN = "loom_memory_search"
KEEP = "loom_memory_save"
STATED = re.compile(r"\b(?:we|i) (?:\w+ )?(?:deploy|use|prefer|decided|never|always)\b", re.IGNORECASE)


class ToolFailed(RuntimeError):
    """The tool said no; the message is its own, for the model to read."""


@asynccontextmanager
async def connected(base_url: str, token: str) -> AsyncIterator[Client]:
    """A client of the memory tools; the token goes in a header, as with every other door."""
    headers = {"authorization": f"Bearer {token}"} if token else {}
    async with (
        create_mcp_http_client(headers=headers) as http,
        Client(streamable_http_client(f"{base_url.rstrip('/')}/mcp{TOOLS}", http_client=http)) as client,
    ):
        yield client


class Memory:
    """What the model calls: two of the tools, by their MCP names."""

    def __init__(self, client: Client, user: str) -> None:
        self._client, self._user = client, user

    async def tools(self) -> dict[str, str]:
        """Name -> what it does, as a model is told."""
        return {tool.name: tool.description or "" for tool in (await self._client.list_tools()).tools}

    async def known(self, question: str) -> list[str]:
        found = await self._call(KNOWN, query=question, limit=5)
        return [f"{hit['title']}: {hit['snippet']}" for hit in found["hits"]]

    async def keep(self, text: str) -> str:
        saved = await self._call(KEEP, type="decision", title=text[:80], content=text)
        return str(saved["outcome"])

    async def _call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result = await self._client.call_tool(tool, {"user_id": self._user, **arguments})
        answer = result.structured_content or {}
        if result.is_error:
            detail = answer.get("detail", {})
            raise ToolFailed(f"{detail.get('code', 'failed')}: {detail.get('message', '')}")
        return answer


async def turn(memory: Memory, text: str) -> str:
    """One turn of the stand-in: it looks first, keeps what was stated, and answers with what it knows."""
    known = await memory.known(text)
    kept = await memory.keep(text) if STATED.search(text) and not text.rstrip().endswith("?") else ""
    said = "\n".join(f"- {line}" for line in known) or "- nothing yet"
    return f"What I know of that:\n{said}" + (f"\n({kept}: {text})" if kept else "")


async def run(base_url: str, token: str, user: str, text: str) -> str:
    async with connected(base_url, token) as client:
        return await turn(Memory(client, user), text)


def main() -> None:
    parser = argparse.ArgumentParser(description="An agent that remembers, over MCP alone.")
    parser.add_argument("--base-url", default=os.environ.get("LOOM_BASE_URL") or "http://127.0.0.1:7777")
    parser.add_argument("--user", default="me")
    parser.add_argument("--remember", action="store_true", help="only keep the text")
    parser.add_argument("text")
    args = parser.parse_args()
    token = os.environ.get("LOOM_API_KEY", "")

    async def go() -> str:
        if not args.remember:
            return await run(args.base_url, token, args.user, args.text)
        async with connected(args.base_url, token) as client:
            return await Memory(client, args.user).keep(args.text)

    try:
        print(asyncio.run(go()))
    except* ToolFailed as failed:
        print(failed.exceptions[0], file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
