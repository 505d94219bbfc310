"""Generated from the contract by tools/gen_sdk.py; do not edit."""

from __future__ import annotations

from loom._generated import table
from loom._generated.calls.code import AsyncCode, Code
from loom._generated.calls.directory import AsyncDirectory, Directory
from loom._generated.calls.memory import AsyncMemory, Memory
from loom._generated.calls.namespace import AsyncNamespace, Namespace
from loom._generated.calls.observe import AsyncObserve, Observe
from loom._generated.calls.ops import AsyncOps, Ops
from loom._generated.calls.token import AsyncToken, Token
from loom._generated.calls.tracker import AsyncTracker, Tracker
from loom._generated.models import search as search_models
from loom._op import AsyncSend, Send


class Root:
    """Every op."""

    __slots__ = (
        "_send",
        "code",
        "directory",
        "memory",
        "namespace",
        "observe",
        "ops",
        "token",
        "tracker",
    )

    def __init__(self, send: Send) -> None:
        self._send = send
        self.code = Code(send)
        self.directory = Directory(send)
        self.memory = Memory(send)
        self.namespace = Namespace(send)
        self.observe = Observe(send)
        self.ops = Ops(send)
        self.token = Token(send)
        self.tracker = Tracker(send)

    def search(
        self,
        *,
        query: str,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        limit: int | None = None,
        memory_namespace: str | None = None,
    ) -> search_models.SearchResponse:
        """Searches memories and, where the namespace reads trackers, their issues and pull requests, with one query. A
        query that looks like a defect is also checked against reports that say it already. Each leg has its own
        budget.

        Role: viewer. Reads; idempotent.

        Args:
            query: What to look for: words, a question, an error message with its stack. Nothing in it is an
                operator. Limit: 4,000 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace whose memories are searched, and whose trackers, if it reads any; filled by the
                transport when empty. Limit: 128 characters. The agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User whose memories are read; empty means the token's own user, and the namespace's shared
                memory (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.
            limit: Most hits. From 1 to 50. Default `10`.
            memory_namespace: Namespace of the memories, where they are in another one; empty means `namespace`.
                Limit: 128 characters.

        Returns:
            What was found.
        """
        return self._send(
            table.SEARCH,
            {
                "org": org,
                "namespace": namespace,
                "agent": agent,
                "user_id": user_id,
                "query": query,
                "limit": limit,
                "memory_namespace": memory_namespace,
            },
        )


class AsyncRoot:
    """Every op."""

    __slots__ = (
        "_send",
        "code",
        "directory",
        "memory",
        "namespace",
        "observe",
        "ops",
        "token",
        "tracker",
    )

    def __init__(self, send: AsyncSend) -> None:
        self._send = send
        self.code = AsyncCode(send)
        self.directory = AsyncDirectory(send)
        self.memory = AsyncMemory(send)
        self.namespace = AsyncNamespace(send)
        self.observe = AsyncObserve(send)
        self.ops = AsyncOps(send)
        self.token = AsyncToken(send)
        self.tracker = AsyncTracker(send)

    async def search(
        self,
        *,
        query: str,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        limit: int | None = None,
        memory_namespace: str | None = None,
    ) -> search_models.SearchResponse:
        """Searches memories and, where the namespace reads trackers, their issues and pull requests, with one query. A
        query that looks like a defect is also checked against reports that say it already. Each leg has its own
        budget.

        Role: viewer. Reads; idempotent.

        Args:
            query: What to look for: words, a question, an error message with its stack. Nothing in it is an
                operator. Limit: 4,000 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace whose memories are searched, and whose trackers, if it reads any; filled by the
                transport when empty. Limit: 128 characters. The agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User whose memories are read; empty means the token's own user, and the namespace's shared
                memory (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.
            limit: Most hits. From 1 to 50. Default `10`.
            memory_namespace: Namespace of the memories, where they are in another one; empty means `namespace`.
                Limit: 128 characters.

        Returns:
            What was found.
        """
        return await self._send(
            table.SEARCH,
            {
                "org": org,
                "namespace": namespace,
                "agent": agent,
                "user_id": user_id,
                "query": query,
                "limit": limit,
                "memory_namespace": memory_namespace,
            },
        )
