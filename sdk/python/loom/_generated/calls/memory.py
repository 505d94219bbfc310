"""Generated from the contract by tools/gen_sdk.py; do not edit."""

from __future__ import annotations

import builtins

from loom._generated import table
from loom._generated.models import memory as memory_models
from loom._op import AsyncSend, Send


class Memory:
    """The ops `memory.*`."""

    __slots__ = ("_send",)

    def __init__(self, send: Send) -> None:
        self._send = send

    def context(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        budget_chars: int | None = None,
    ) -> memory_models.ContextResponse:
        """Makes a block of text for a prompt: the last summaries and the top memories, within a budget.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User whose memories are read; empty means the token's own user, and the namespace's shared
                memory (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.
            budget_chars: Most characters of the block. From 200 to 100,000. Default `4000`.

        Returns:
            A block for a prompt.
        """
        return self._send(
            table.MEMORY_CONTEXT,
            {"org": org, "namespace": namespace, "agent": agent, "user_id": user_id, "budget_chars": budget_chars},
        )

    def delete(
        self,
        *,
        observation_id: int,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        hard: bool | None = None,
    ) -> memory_models.DeleteResponse:
        """Deletes a memory by its id: it is gone from every answer at once. With `hard` its text is erased everywhere.

        Role: writer. Writes; idempotent.

        Args:
            observation_id: Id of the memory (below 2^53). From 1 to 9,223,372,036,854,775,807.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User that is remembered for; empty means the token's own user, and the namespace's shared memory
                (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.
            hard: True to erase its text, all revisions included, from disk.

        Returns:
            What was deleted.
        """
        return self._send(
            table.MEMORY_DELETE,
            {
                "org": org,
                "namespace": namespace,
                "agent": agent,
                "user_id": user_id,
                "observation_id": observation_id,
                "hard": hard,
            },
        )

    def export(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        page_size: int | None = None,
        page_token: str | None = None,
    ) -> memory_models.ExportResponse:
        """Hands out a user's memories with all their revisions, page by page, to be kept or brought in elsewhere.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User whose memories are read; empty means the token's own user, and the namespace's shared
                memory (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.
            page_size: Rows in a page. From 1 to 500. Default `100`.
            page_token: The previous page's next_page_token; empty means the first page. The filters must be those of
                the first page. Limit: 2,048 characters.

        Returns:
            One page of memories with their revisions.
        """
        return self._send(
            table.MEMORY_EXPORT,
            {
                "org": org,
                "namespace": namespace,
                "agent": agent,
                "user_id": user_id,
                "page_size": page_size,
                "page_token": page_token,
            },
        )

    def get_observation(
        self,
        *,
        observation_id: int,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
    ) -> memory_models.GetObservationResponse:
        """Fetches one memory whole. Another user's and a missing one answer alike.

        Role: viewer. Reads; idempotent.

        Args:
            observation_id: Id of the memory (below 2^53). From 1 to 9,223,372,036,854,775,807.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User whose memories are read; empty means the token's own user, and the namespace's shared
                memory (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.

        Returns:
            The memory, if it is there.
        """
        return self._send(
            table.MEMORY_GET_OBSERVATION,
            {"org": org, "namespace": namespace, "agent": agent, "user_id": user_id, "observation_id": observation_id},
        )

    def import_batch(
        self,
        *,
        records: builtins.list[memory_models.MemoryRecordInput],
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
    ) -> memory_models.ImportBatchResponse:
        """Brings exported memories in. Doing it twice adds nothing.

        Role: writer. Writes; idempotent.

        Args:
            records: The memories, as memory.export gave them. Limit: 500 entries.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User that is remembered for; empty means the token's own user, and the namespace's shared memory
                (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.

        Returns:
            One answer for each memory, in order.
        """
        return self._send(
            table.MEMORY_IMPORT_BATCH,
            {"org": org, "namespace": namespace, "agent": agent, "user_id": user_id, "records": records},
        )

    def list(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        types: builtins.list[str] | None = None,
        session_id: str | None = None,
        since: str | None = None,
        until: str | None = None,
        page_size: int | None = None,
        page_token: str | None = None,
    ) -> memory_models.ListResponse:
        """Lists memories, most recently updated first, page by page.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User whose memories are read; empty means the token's own user, and the namespace's shared
                memory (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.
            types: Only these kinds; empty means any. Limit: 32 entries of 64 characters.
            session_id: Only memories of this session; empty means any. Limit: 256 characters.
            since: Only memories updated at or after this instant, RFC 3339 with any offset; empty means no lower
                bound. Limit: 64 characters.
            until: Only memories updated before this instant, RFC 3339 with any offset; empty means no upper bound.
                Limit: 64 characters.
            page_size: Rows in a page. From 1 to 500. Default `50`.
            page_token: The previous page's next_page_token; empty means the first page. The filters must be those of
                the first page. Limit: 2,048 characters.

        Returns:
            One page of memories.
        """
        return self._send(
            table.MEMORY_LIST,
            {
                "org": org,
                "namespace": namespace,
                "agent": agent,
                "user_id": user_id,
                "types": types,
                "session_id": session_id,
                "since": since,
                "until": until,
                "page_size": page_size,
                "page_token": page_token,
            },
        )

    def revisions(
        self,
        *,
        observation_id: int,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
    ) -> memory_models.RevisionsResponse:
        """Shows every text that a memory ever had, newest first.

        Role: viewer. Reads; idempotent.

        Args:
            observation_id: Id of the memory (below 2^53). From 1 to 9,223,372,036,854,775,807.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User whose memories are read; empty means the token's own user, and the namespace's shared
                memory (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.

        Returns:
            Every text of a memory.
        """
        return self._send(
            table.MEMORY_REVISIONS,
            {"org": org, "namespace": namespace, "agent": agent, "user_id": user_id, "observation_id": observation_id},
        )

    def save(
        self,
        *,
        content: str,
        type: str,
        title: str,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        topic_key: str | None = None,
        observed_at: str | None = None,
    ) -> memory_models.SaveResponse:
        """Saves one memory. The same text again changes nothing; other text under the same topic_key becomes the
        current one, and the old one a revision.

        Role: writer. Writes; idempotent.

        Args:
            content: What should be remembered: one fact, preference, decision, pattern or discovery. Text inside
                <private> is removed before it is stored. Limit: 50,000 characters.
            type: Kind of memory: `profile`, `preference`, `decision`, `pattern`, `discovery`, or what the
                installation adds. Limit: 64 characters.
            title: A line that says what it is about. Limit: 500 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User that is remembered for; empty means the token's own user, and the namespace's shared memory
                (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.
            topic_key: Stable key of the topic, such as `user/ada/greeting`: a later save under it replaces the text
                and keeps the old one as a revision. Null means that the memory stands for itself. Limit: 512
                characters.
            observed_at: When it was said, RFC 3339 with any offset, for text that is brought in later; empty means
                now. Limit: 64 characters.

        Returns:
            What was saved.
        """
        return self._send(
            table.MEMORY_SAVE,
            {
                "org": org,
                "namespace": namespace,
                "agent": agent,
                "user_id": user_id,
                "content": content,
                "type": type,
                "title": title,
                "topic_key": topic_key,
                "observed_at": observed_at,
            },
        )

    def save_batch(
        self,
        *,
        items: builtins.list[memory_models.SaveItemInput],
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
    ) -> memory_models.SaveBatchResponse:
        """Saves up to 500 memories at once. Each is answered by itself, in order; good ones are stored though others
        fail.

        Role: writer. Writes; idempotent.

        Args:
            items: The memories, each like the input of memory.save. Limit: 500 entries.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User that is remembered for; empty means the token's own user, and the namespace's shared memory
                (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.

        Returns:
            One answer for each item, in the order of the items.
        """
        return self._send(
            table.MEMORY_SAVE_BATCH,
            {"org": org, "namespace": namespace, "agent": agent, "user_id": user_id, "items": items},
        )

    def search(
        self,
        *,
        query: str,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        limit: int | None = None,
        types: builtins.list[str] | None = None,
        types_exclude: builtins.list[str] | None = None,
        since: str | None = None,
        until: str | None = None,
        as_of: str | None = None,
        min_score: float | None = None,
    ) -> memory_models.SearchResponse:
        """Finds memories by what they say, in any language, best first. Any text is a valid query, a whole question
        too.

        Role: viewer. Reads; idempotent.

        Args:
            query: What to look for: words, a question, an identifier, in any language. Nothing in it is an operator.
                Limit: 4,000 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User whose memories are read; empty means the token's own user, and the namespace's shared
                memory (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.
            limit: Most hits. From 1 to 100. Default `10`.
            types: Only these kinds; empty means any. Not together with types_exclude. Limit: 32 entries of 64
                characters.
            types_exclude: Not these kinds; empty means none is left out. Limit: 32 entries of 64 characters.
            since: Only memories updated at or after this instant, RFC 3339 with any offset; empty means no lower
                bound. Limit: 64 characters.
            until: Only memories updated before this instant, RFC 3339 with any offset; empty means no upper bound.
                Limit: 64 characters.
            as_of: Search what was current at this instant, RFC 3339 with any offset; empty means now. Limit: 64
                characters.
            min_score: Least SearchScore of a hit, in [0, 1].

        Returns:
            What was found.
        """
        return self._send(
            table.MEMORY_SEARCH,
            {
                "org": org,
                "namespace": namespace,
                "agent": agent,
                "user_id": user_id,
                "query": query,
                "limit": limit,
                "types": types,
                "types_exclude": types_exclude,
                "since": since,
                "until": until,
                "as_of": as_of,
                "min_score": min_score,
            },
        )

    def session_end(
        self,
        *,
        summary: str,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
    ) -> memory_models.SessionEndResponse:
        """Ends the active session with a summary.

        Role: writer. Writes; not idempotent.

        Args:
            summary: What happened, in the caller's words; text inside <private> is removed before it is stored.
                Limit: 20,000 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User that is remembered for; empty means the token's own user, and the namespace's shared memory
                (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.

        Returns:
            The session that was ended.
        """
        return self._send(
            table.MEMORY_SESSION_END,
            {"org": org, "namespace": namespace, "agent": agent, "user_id": user_id, "summary": summary},
        )

    def session_start(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
    ) -> memory_models.SessionStartResponse:
        """Starts a session, or goes on with the one that is active, and hands back what is worth knowing first.

        Role: writer. Writes; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User that is remembered for; empty means the token's own user, and the namespace's shared memory
                (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.

        Returns:
            The session, and what is worth knowing first.
        """
        return self._send(
            table.MEMORY_SESSION_START, {"org": org, "namespace": namespace, "agent": agent, "user_id": user_id}
        )

    def session_summary(
        self,
        *,
        summary: str,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
    ) -> memory_models.SessionSummaryResponse:
        """Saves a summary of the session so far as a memory.

        Role: writer. Writes; idempotent.

        Args:
            summary: What happened, in the caller's words; text inside <private> is removed before it is stored.
                Limit: 20,000 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User that is remembered for; empty means the token's own user, and the namespace's shared memory
                (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.

        Returns:
            What was saved.
        """
        return self._send(
            table.MEMORY_SESSION_SUMMARY,
            {"org": org, "namespace": namespace, "agent": agent, "user_id": user_id, "summary": summary},
        )

    def stats(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
    ) -> memory_models.StatsResponse:
        """Counts memories and sessions.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User whose memories are read; empty means the token's own user, and the namespace's shared
                memory (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.

        Returns:
            Counts.
        """
        return self._send(table.MEMORY_STATS, {"org": org, "namespace": namespace, "agent": agent, "user_id": user_id})

    def suggest_topic_key(
        self,
        *,
        type: str,
        title: str,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        content: str | None = None,
    ) -> memory_models.SuggestTopicKeyResponse:
        """Suggests a topic key of the form area/sub-area.

        Role: viewer. Reads; idempotent.

        Args:
            type: Kind of memory. Limit: 64 characters.
            title: Its title. Limit: 500 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User whose memories are read; empty means the token's own user, and the namespace's shared
                memory (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.
            content: Its content; empty means that the title says enough. Limit: 50,000 characters.

        Returns:
            A key.
        """
        return self._send(
            table.MEMORY_SUGGEST_TOPIC_KEY,
            {
                "org": org,
                "namespace": namespace,
                "agent": agent,
                "user_id": user_id,
                "type": type,
                "title": title,
                "content": content,
            },
        )

    def timeline(
        self,
        *,
        observation_id: int,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        before: int | None = None,
        after: int | None = None,
    ) -> memory_models.TimelineResponse:
        """Shows what was remembered just before and after a memory.

        Role: viewer. Reads; idempotent.

        Args:
            observation_id: Id of the memory (below 2^53). From 1 to 9,223,372,036,854,775,807.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User whose memories are read; empty means the token's own user, and the namespace's shared
                memory (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.
            before: Memories before it. From 0 to 100. Default `5`.
            after: Memories after it. From 0 to 100. Default `5`.

        Returns:
            The memory and its neighbours.
        """
        return self._send(
            table.MEMORY_TIMELINE,
            {
                "org": org,
                "namespace": namespace,
                "agent": agent,
                "user_id": user_id,
                "observation_id": observation_id,
                "before": before,
                "after": after,
            },
        )

    def update(
        self,
        *,
        observation_id: int,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        content: str | None = None,
        type: str | None = None,
        title: str | None = None,
    ) -> memory_models.UpdateResponse:
        """Changes a memory by its id; the old text stays as a revision.

        Role: writer. Writes; idempotent.

        Args:
            observation_id: Id of the memory (below 2^53). From 1 to 9,223,372,036,854,775,807.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User that is remembered for; empty means the token's own user, and the namespace's shared memory
                (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.
            content: New content; null keeps it. Limit: 50,000 characters.
            type: New kind; null keeps it. Limit: 64 characters.
            title: New title; null keeps it. Limit: 500 characters.

        Returns:
            What was changed.
        """
        return self._send(
            table.MEMORY_UPDATE,
            {
                "org": org,
                "namespace": namespace,
                "agent": agent,
                "user_id": user_id,
                "observation_id": observation_id,
                "content": content,
                "type": type,
                "title": title,
            },
        )


class AsyncMemory:
    """The ops `memory.*`."""

    __slots__ = ("_send",)

    def __init__(self, send: AsyncSend) -> None:
        self._send = send

    async def context(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        budget_chars: int | None = None,
    ) -> memory_models.ContextResponse:
        """Makes a block of text for a prompt: the last summaries and the top memories, within a budget.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User whose memories are read; empty means the token's own user, and the namespace's shared
                memory (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.
            budget_chars: Most characters of the block. From 200 to 100,000. Default `4000`.

        Returns:
            A block for a prompt.
        """
        return await self._send(
            table.MEMORY_CONTEXT,
            {"org": org, "namespace": namespace, "agent": agent, "user_id": user_id, "budget_chars": budget_chars},
        )

    async def delete(
        self,
        *,
        observation_id: int,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        hard: bool | None = None,
    ) -> memory_models.DeleteResponse:
        """Deletes a memory by its id: it is gone from every answer at once. With `hard` its text is erased everywhere.

        Role: writer. Writes; idempotent.

        Args:
            observation_id: Id of the memory (below 2^53). From 1 to 9,223,372,036,854,775,807.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User that is remembered for; empty means the token's own user, and the namespace's shared memory
                (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.
            hard: True to erase its text, all revisions included, from disk.

        Returns:
            What was deleted.
        """
        return await self._send(
            table.MEMORY_DELETE,
            {
                "org": org,
                "namespace": namespace,
                "agent": agent,
                "user_id": user_id,
                "observation_id": observation_id,
                "hard": hard,
            },
        )

    async def export(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        page_size: int | None = None,
        page_token: str | None = None,
    ) -> memory_models.ExportResponse:
        """Hands out a user's memories with all their revisions, page by page, to be kept or brought in elsewhere.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User whose memories are read; empty means the token's own user, and the namespace's shared
                memory (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.
            page_size: Rows in a page. From 1 to 500. Default `100`.
            page_token: The previous page's next_page_token; empty means the first page. The filters must be those of
                the first page. Limit: 2,048 characters.

        Returns:
            One page of memories with their revisions.
        """
        return await self._send(
            table.MEMORY_EXPORT,
            {
                "org": org,
                "namespace": namespace,
                "agent": agent,
                "user_id": user_id,
                "page_size": page_size,
                "page_token": page_token,
            },
        )

    async def get_observation(
        self,
        *,
        observation_id: int,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
    ) -> memory_models.GetObservationResponse:
        """Fetches one memory whole. Another user's and a missing one answer alike.

        Role: viewer. Reads; idempotent.

        Args:
            observation_id: Id of the memory (below 2^53). From 1 to 9,223,372,036,854,775,807.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User whose memories are read; empty means the token's own user, and the namespace's shared
                memory (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.

        Returns:
            The memory, if it is there.
        """
        return await self._send(
            table.MEMORY_GET_OBSERVATION,
            {"org": org, "namespace": namespace, "agent": agent, "user_id": user_id, "observation_id": observation_id},
        )

    async def import_batch(
        self,
        *,
        records: builtins.list[memory_models.MemoryRecordInput],
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
    ) -> memory_models.ImportBatchResponse:
        """Brings exported memories in. Doing it twice adds nothing.

        Role: writer. Writes; idempotent.

        Args:
            records: The memories, as memory.export gave them. Limit: 500 entries.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User that is remembered for; empty means the token's own user, and the namespace's shared memory
                (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.

        Returns:
            One answer for each memory, in order.
        """
        return await self._send(
            table.MEMORY_IMPORT_BATCH,
            {"org": org, "namespace": namespace, "agent": agent, "user_id": user_id, "records": records},
        )

    async def list(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        types: builtins.list[str] | None = None,
        session_id: str | None = None,
        since: str | None = None,
        until: str | None = None,
        page_size: int | None = None,
        page_token: str | None = None,
    ) -> memory_models.ListResponse:
        """Lists memories, most recently updated first, page by page.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User whose memories are read; empty means the token's own user, and the namespace's shared
                memory (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.
            types: Only these kinds; empty means any. Limit: 32 entries of 64 characters.
            session_id: Only memories of this session; empty means any. Limit: 256 characters.
            since: Only memories updated at or after this instant, RFC 3339 with any offset; empty means no lower
                bound. Limit: 64 characters.
            until: Only memories updated before this instant, RFC 3339 with any offset; empty means no upper bound.
                Limit: 64 characters.
            page_size: Rows in a page. From 1 to 500. Default `50`.
            page_token: The previous page's next_page_token; empty means the first page. The filters must be those of
                the first page. Limit: 2,048 characters.

        Returns:
            One page of memories.
        """
        return await self._send(
            table.MEMORY_LIST,
            {
                "org": org,
                "namespace": namespace,
                "agent": agent,
                "user_id": user_id,
                "types": types,
                "session_id": session_id,
                "since": since,
                "until": until,
                "page_size": page_size,
                "page_token": page_token,
            },
        )

    async def revisions(
        self,
        *,
        observation_id: int,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
    ) -> memory_models.RevisionsResponse:
        """Shows every text that a memory ever had, newest first.

        Role: viewer. Reads; idempotent.

        Args:
            observation_id: Id of the memory (below 2^53). From 1 to 9,223,372,036,854,775,807.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User whose memories are read; empty means the token's own user, and the namespace's shared
                memory (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.

        Returns:
            Every text of a memory.
        """
        return await self._send(
            table.MEMORY_REVISIONS,
            {"org": org, "namespace": namespace, "agent": agent, "user_id": user_id, "observation_id": observation_id},
        )

    async def save(
        self,
        *,
        content: str,
        type: str,
        title: str,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        topic_key: str | None = None,
        observed_at: str | None = None,
    ) -> memory_models.SaveResponse:
        """Saves one memory. The same text again changes nothing; other text under the same topic_key becomes the
        current one, and the old one a revision.

        Role: writer. Writes; idempotent.

        Args:
            content: What should be remembered: one fact, preference, decision, pattern or discovery. Text inside
                <private> is removed before it is stored. Limit: 50,000 characters.
            type: Kind of memory: `profile`, `preference`, `decision`, `pattern`, `discovery`, or what the
                installation adds. Limit: 64 characters.
            title: A line that says what it is about. Limit: 500 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User that is remembered for; empty means the token's own user, and the namespace's shared memory
                (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.
            topic_key: Stable key of the topic, such as `user/ada/greeting`: a later save under it replaces the text
                and keeps the old one as a revision. Null means that the memory stands for itself. Limit: 512
                characters.
            observed_at: When it was said, RFC 3339 with any offset, for text that is brought in later; empty means
                now. Limit: 64 characters.

        Returns:
            What was saved.
        """
        return await self._send(
            table.MEMORY_SAVE,
            {
                "org": org,
                "namespace": namespace,
                "agent": agent,
                "user_id": user_id,
                "content": content,
                "type": type,
                "title": title,
                "topic_key": topic_key,
                "observed_at": observed_at,
            },
        )

    async def save_batch(
        self,
        *,
        items: builtins.list[memory_models.SaveItemInput],
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
    ) -> memory_models.SaveBatchResponse:
        """Saves up to 500 memories at once. Each is answered by itself, in order; good ones are stored though others
        fail.

        Role: writer. Writes; idempotent.

        Args:
            items: The memories, each like the input of memory.save. Limit: 500 entries.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User that is remembered for; empty means the token's own user, and the namespace's shared memory
                (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.

        Returns:
            One answer for each item, in the order of the items.
        """
        return await self._send(
            table.MEMORY_SAVE_BATCH,
            {"org": org, "namespace": namespace, "agent": agent, "user_id": user_id, "items": items},
        )

    async def search(
        self,
        *,
        query: str,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        limit: int | None = None,
        types: builtins.list[str] | None = None,
        types_exclude: builtins.list[str] | None = None,
        since: str | None = None,
        until: str | None = None,
        as_of: str | None = None,
        min_score: float | None = None,
    ) -> memory_models.SearchResponse:
        """Finds memories by what they say, in any language, best first. Any text is a valid query, a whole question
        too.

        Role: viewer. Reads; idempotent.

        Args:
            query: What to look for: words, a question, an identifier, in any language. Nothing in it is an operator.
                Limit: 4,000 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User whose memories are read; empty means the token's own user, and the namespace's shared
                memory (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.
            limit: Most hits. From 1 to 100. Default `10`.
            types: Only these kinds; empty means any. Not together with types_exclude. Limit: 32 entries of 64
                characters.
            types_exclude: Not these kinds; empty means none is left out. Limit: 32 entries of 64 characters.
            since: Only memories updated at or after this instant, RFC 3339 with any offset; empty means no lower
                bound. Limit: 64 characters.
            until: Only memories updated before this instant, RFC 3339 with any offset; empty means no upper bound.
                Limit: 64 characters.
            as_of: Search what was current at this instant, RFC 3339 with any offset; empty means now. Limit: 64
                characters.
            min_score: Least SearchScore of a hit, in [0, 1].

        Returns:
            What was found.
        """
        return await self._send(
            table.MEMORY_SEARCH,
            {
                "org": org,
                "namespace": namespace,
                "agent": agent,
                "user_id": user_id,
                "query": query,
                "limit": limit,
                "types": types,
                "types_exclude": types_exclude,
                "since": since,
                "until": until,
                "as_of": as_of,
                "min_score": min_score,
            },
        )

    async def session_end(
        self,
        *,
        summary: str,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
    ) -> memory_models.SessionEndResponse:
        """Ends the active session with a summary.

        Role: writer. Writes; not idempotent.

        Args:
            summary: What happened, in the caller's words; text inside <private> is removed before it is stored.
                Limit: 20,000 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User that is remembered for; empty means the token's own user, and the namespace's shared memory
                (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.

        Returns:
            The session that was ended.
        """
        return await self._send(
            table.MEMORY_SESSION_END,
            {"org": org, "namespace": namespace, "agent": agent, "user_id": user_id, "summary": summary},
        )

    async def session_start(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
    ) -> memory_models.SessionStartResponse:
        """Starts a session, or goes on with the one that is active, and hands back what is worth knowing first.

        Role: writer. Writes; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User that is remembered for; empty means the token's own user, and the namespace's shared memory
                (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.

        Returns:
            The session, and what is worth knowing first.
        """
        return await self._send(
            table.MEMORY_SESSION_START, {"org": org, "namespace": namespace, "agent": agent, "user_id": user_id}
        )

    async def session_summary(
        self,
        *,
        summary: str,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
    ) -> memory_models.SessionSummaryResponse:
        """Saves a summary of the session so far as a memory.

        Role: writer. Writes; idempotent.

        Args:
            summary: What happened, in the caller's words; text inside <private> is removed before it is stored.
                Limit: 20,000 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User that is remembered for; empty means the token's own user, and the namespace's shared memory
                (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.

        Returns:
            What was saved.
        """
        return await self._send(
            table.MEMORY_SESSION_SUMMARY,
            {"org": org, "namespace": namespace, "agent": agent, "user_id": user_id, "summary": summary},
        )

    async def stats(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
    ) -> memory_models.StatsResponse:
        """Counts memories and sessions.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User whose memories are read; empty means the token's own user, and the namespace's shared
                memory (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.

        Returns:
            Counts.
        """
        return await self._send(
            table.MEMORY_STATS, {"org": org, "namespace": namespace, "agent": agent, "user_id": user_id}
        )

    async def suggest_topic_key(
        self,
        *,
        type: str,
        title: str,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        content: str | None = None,
    ) -> memory_models.SuggestTopicKeyResponse:
        """Suggests a topic key of the form area/sub-area.

        Role: viewer. Reads; idempotent.

        Args:
            type: Kind of memory. Limit: 64 characters.
            title: Its title. Limit: 500 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User whose memories are read; empty means the token's own user, and the namespace's shared
                memory (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.
            content: Its content; empty means that the title says enough. Limit: 50,000 characters.

        Returns:
            A key.
        """
        return await self._send(
            table.MEMORY_SUGGEST_TOPIC_KEY,
            {
                "org": org,
                "namespace": namespace,
                "agent": agent,
                "user_id": user_id,
                "type": type,
                "title": title,
                "content": content,
            },
        )

    async def timeline(
        self,
        *,
        observation_id: int,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        before: int | None = None,
        after: int | None = None,
    ) -> memory_models.TimelineResponse:
        """Shows what was remembered just before and after a memory.

        Role: viewer. Reads; idempotent.

        Args:
            observation_id: Id of the memory (below 2^53). From 1 to 9,223,372,036,854,775,807.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User whose memories are read; empty means the token's own user, and the namespace's shared
                memory (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.
            before: Memories before it. From 0 to 100. Default `5`.
            after: Memories after it. From 0 to 100. Default `5`.

        Returns:
            The memory and its neighbours.
        """
        return await self._send(
            table.MEMORY_TIMELINE,
            {
                "org": org,
                "namespace": namespace,
                "agent": agent,
                "user_id": user_id,
                "observation_id": observation_id,
                "before": before,
                "after": after,
            },
        )

    async def update(
        self,
        *,
        observation_id: int,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        content: str | None = None,
        type: str | None = None,
        title: str | None = None,
    ) -> memory_models.UpdateResponse:
        """Changes a memory by its id; the old text stays as a revision.

        Role: writer. Writes; idempotent.

        Args:
            observation_id: Id of the memory (below 2^53). From 1 to 9,223,372,036,854,775,807.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that asks; filled by the transport when empty. Limit: 128 characters. Default `"-"`. The
                agent's own when not given.
            user_id: User that is remembered for; empty means the token's own user, and the namespace's shared memory
                (`-`) for anyone else. Limit: 256 characters. Default `"-"`. The agent's own when not given.
            content: New content; null keeps it. Limit: 50,000 characters.
            type: New kind; null keeps it. Limit: 64 characters.
            title: New title; null keeps it. Limit: 500 characters.

        Returns:
            What was changed.
        """
        return await self._send(
            table.MEMORY_UPDATE,
            {
                "org": org,
                "namespace": namespace,
                "agent": agent,
                "user_id": user_id,
                "observation_id": observation_id,
                "content": content,
                "type": type,
                "title": title,
            },
        )
