"""Generated from the contract by tools/gen_sdk.py; do not edit."""

from __future__ import annotations

import builtins
from collections.abc import Mapping

from loom._generated import table
from loom._generated.models import observe as observe_models
from loom._op import AsyncSend, JsonValue, Send


class Observe:
    """The ops `observe.*`."""

    __slots__ = ("_send",)

    def __init__(self, send: Send) -> None:
        self._send = send

    def crystallize(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        session_id: str | None = None,
        max_observations: int | None = None,
    ) -> observe_models.CrystallizeResponse:
        """Marks a session's pending observations as ready for extraction, oldest first. Queues only.

        Role: writer. Writes; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent whose observations are queued; empty, `-` or `*` means any. Limit: 128 characters. Default
                `"*"`.
            user_id: User whose observations are queued; empty or `*` means any, `-` means rows that name no user.
                Limit: 256 characters. Default `"*"`. The agent's own when not given.
            session_id: Session whose observations are queued; empty means those whose session was not known. Limit:
                256 characters. Default `"-"`. The agent's own when not given.
            max_observations: Most observations to queue. From 1 to 10,000. Default `500`.

        Returns:
            What was queued.
        """
        return self._send(
            table.OBSERVE_CRYSTALLIZE,
            {
                "org": org,
                "namespace": namespace,
                "agent": agent,
                "user_id": user_id,
                "session_id": session_id,
                "max_observations": max_observations,
            },
        )

    def get(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        memory_key: str | None = None,
        memory_keys: builtins.list[str] | None = None,
        user_id: str | None = None,
    ) -> observe_models.GetResponse:
        """Fetches one observation by its memory_key, or many at once.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            memory_key: The key to fetch; empty when memory_keys names them. Limit: 512 characters.
            memory_keys: Keys to fetch at once. Limit: 500 entries of 512 characters.
            user_id: User whose rows are fetched; empty or `*` means any, `-` means rows that name no user. A user's
                token fetches its own. Limit: 256 characters. Default `"*"`. The agent's own when not given.

        Returns:
            The observations that were found.
        """
        return self._send(
            table.OBSERVE_GET,
            {
                "org": org,
                "namespace": namespace,
                "memory_key": memory_key,
                "memory_keys": memory_keys,
                "user_id": user_id,
            },
        )

    def list(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        session_id: str | None = None,
        kind: str | None = None,
        tag: str | None = None,
        path: str | None = None,
        since: str | None = None,
        until: str | None = None,
        state: str | None = None,
        page_size: int | None = None,
        page_token: str | None = None,
    ) -> observe_models.ListResponse:
        """Lists observations in the order of time, newest last, page by page.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent whose rows are read; empty, `-` or `*` means any. Limit: 128 characters. Default `"*"`.
            user_id: User whose rows are read; empty or `*` means any, `-` means rows that name no user. Limit: 256
                characters. Default `"*"`. The agent's own when not given.
            session_id: Session whose rows are read; empty or `*` means any, `-` means rows whose session was not
                known. Limit: 256 characters. Default `"*"`.
            kind: Only this kind; empty means any. One of `file_edit`, `command_run`, `error`, `web_fetch`,
                `file_read`, `tool_use`.
            tag: Only rows with this tag; empty means any. Limit: 256 characters.
            path: Only rows that name this path: the whole path, its end after a separator, or its base name; empty
                means any. Limit: 4,096 characters.
            since: Only rows observed at or after this instant, RFC 3339 with any offset; empty means no lower bound.
                Limit: 64 characters.
            until: Only rows observed before this instant, RFC 3339 with any offset; empty means no upper bound.
                Limit: 64 characters.
            state: Only rows in this state of extraction; empty means any. One of `pending`, `ready`, `claimed`,
                `extracted`, `empty`.
            page_size: Rows in a page. From 1 to 500. Default `50`.
            page_token: The previous page's next_page_token; empty means the first page. The filters must be those of
                the first page. Limit: 2,048 characters.

        Returns:
            One page of observations.
        """
        return self._send(
            table.OBSERVE_LIST,
            {
                "org": org,
                "namespace": namespace,
                "agent": agent,
                "user_id": user_id,
                "session_id": session_id,
                "kind": kind,
                "tag": tag,
                "path": path,
                "since": since,
                "until": until,
                "state": state,
                "page_size": page_size,
                "page_token": page_token,
            },
        )

    def record(
        self,
        *,
        tool_name: str,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        session_id: str | None = None,
        run_id: str | None = None,
        tool_input: JsonValue = None,
        tool_output: JsonValue = None,
        file_paths: builtins.list[str] | None = None,
        error: str | None = None,
        tags: builtins.list[str] | None = None,
        observation_date: str | None = None,
        action_type: str | None = None,
        metadata: Mapping[str, JsonValue] | None = None,
        observed_at: str | None = None,
    ) -> observe_models.RecordResponse:
        """Records one tool call as one observation and answers when it is on disk. Sending the same call again changes
        nothing. Text inside <private> is removed before anything is stored; calls of Loom's own tools and of an
        agent's to-do and planning tools leave a row without content, and so do calls that carry credentials.

        Role: writer. Writes; idempotent.

        Args:
            tool_name: Name of the tool as the agent knows it, such as `Bash`; it picks the kind by substring. Limit:
                256 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that called the tool; filled by the transport when empty. Limit: 128 characters. The agent's
                own when not given.
            user_id: User on whose behalf the agent ran; empty means none. Limit: 256 characters. Default `"-"`. The
                agent's own when not given.
            session_id: Session of the agent; empty means that it is not known yet, and the observation is kept all
                the same. Limit: 256 characters. Default `"-"`. The agent's own when not given.
            run_id: Agent run (task) that the call belongs to; empty means none. Limit: 256 characters. Default
                `"-"`.
            tool_input: What the tool was given: any JSON value. Made into text, cut, never executed; empty or null
                means nothing.
            tool_output: What the tool gave back: any JSON value. Made into text, cut, never executed; empty or null
                means nothing.
            file_paths: Files that the call concerns; united with the paths found in the input and the narrative. At
                most 64 are kept. Limit: 1,024 entries of 4,096 characters.
            error: Error text of the call; not empty means that the call failed, and the kind becomes `error`.
            tags: The caller's tags, stored after the server's own; 32 are kept in all. Limit: 256 entries of 256
                characters.
            observation_date: Day that the observation is about, `YYYY-MM-DD`; empty leaves it null. Limit: 10
                characters.
            action_type: The client's own class of action; becomes the tag `action:<type>`. Empty adds no tag. Limit:
                128 characters.
            metadata: Accepted for the sake of callers that send it, and not stored; a JSON object. Default `{}`.
            observed_at: When the tool ran, RFC 3339 with any offset; empty means now. Limit: 64 characters.

        Returns:
            What was stored.
        """
        return self._send(
            table.OBSERVE_RECORD,
            {
                "org": org,
                "namespace": namespace,
                "agent": agent,
                "user_id": user_id,
                "session_id": session_id,
                "run_id": run_id,
                "tool_name": tool_name,
                "tool_input": tool_input,
                "tool_output": tool_output,
                "file_paths": file_paths,
                "error": error,
                "tags": tags,
                "observation_date": observation_date,
                "action_type": action_type,
                "metadata": metadata,
                "observed_at": observed_at,
            },
        )

    def record_batch(
        self,
        *,
        records: builtins.list[observe_models.BatchRecordInput],
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        session_id: str | None = None,
        run_id: str | None = None,
    ) -> observe_models.RecordBatchResponse:
        """Records up to 500 tool calls at once. Each is answered by itself, in order; good ones are stored though
        others fail.

        Role: writer. Writes; idempotent.

        Args:
            records: The tool calls, each like the input of observe.record. Limit: 500 entries.
            org: Organisation; for records that name none; filled by the transport when empty. Limit: 128 characters.
                The agent's own when not given.
            namespace: Namespace of the organisation; for records that name none; filled by the transport when empty.
                Limit: 128 characters. The agent's own when not given.
            agent: Agent that called the tool; for records that name none; filled by the transport when empty. Limit:
                128 characters. The agent's own when not given.
            user_id: User on whose behalf the agent ran, for records that name none; empty means none. Limit: 256
                characters. Default `"-"`. The agent's own when not given.
            session_id: Session, for records that name none; empty means that it is not known yet, and the
                observation is kept all the same. Limit: 256 characters. Default `"-"`. The agent's own when not
                given.
            run_id: Agent run (task) that the call belongs to, for records that name none; empty means none. Limit:
                256 characters. Default `"-"`.

        Returns:
            One answer for each record, in the order of the records.
        """
        return self._send(
            table.OBSERVE_RECORD_BATCH,
            {
                "org": org,
                "namespace": namespace,
                "agent": agent,
                "user_id": user_id,
                "session_id": session_id,
                "run_id": run_id,
                "records": records,
            },
        )

    def stats(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        session_id: str | None = None,
    ) -> observe_models.StatsResponse:
        """Counts observations by kind, session and state.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent whose rows are read; empty, `-` or `*` means any. Limit: 128 characters. Default `"*"`.
            user_id: User whose rows are read; empty or `*` means any, `-` means rows that name no user. Limit: 256
                characters. Default `"*"`. The agent's own when not given.
            session_id: Session whose rows are read; empty or `*` means any, `-` means rows whose session was not
                known. Limit: 256 characters. Default `"*"`.

        Returns:
            Counts of observations.
        """
        return self._send(
            table.OBSERVE_STATS,
            {"org": org, "namespace": namespace, "agent": agent, "user_id": user_id, "session_id": session_id},
        )


class AsyncObserve:
    """The ops `observe.*`."""

    __slots__ = ("_send",)

    def __init__(self, send: AsyncSend) -> None:
        self._send = send

    async def crystallize(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        session_id: str | None = None,
        max_observations: int | None = None,
    ) -> observe_models.CrystallizeResponse:
        """Marks a session's pending observations as ready for extraction, oldest first. Queues only.

        Role: writer. Writes; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent whose observations are queued; empty, `-` or `*` means any. Limit: 128 characters. Default
                `"*"`.
            user_id: User whose observations are queued; empty or `*` means any, `-` means rows that name no user.
                Limit: 256 characters. Default `"*"`. The agent's own when not given.
            session_id: Session whose observations are queued; empty means those whose session was not known. Limit:
                256 characters. Default `"-"`. The agent's own when not given.
            max_observations: Most observations to queue. From 1 to 10,000. Default `500`.

        Returns:
            What was queued.
        """
        return await self._send(
            table.OBSERVE_CRYSTALLIZE,
            {
                "org": org,
                "namespace": namespace,
                "agent": agent,
                "user_id": user_id,
                "session_id": session_id,
                "max_observations": max_observations,
            },
        )

    async def get(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        memory_key: str | None = None,
        memory_keys: builtins.list[str] | None = None,
        user_id: str | None = None,
    ) -> observe_models.GetResponse:
        """Fetches one observation by its memory_key, or many at once.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            memory_key: The key to fetch; empty when memory_keys names them. Limit: 512 characters.
            memory_keys: Keys to fetch at once. Limit: 500 entries of 512 characters.
            user_id: User whose rows are fetched; empty or `*` means any, `-` means rows that name no user. A user's
                token fetches its own. Limit: 256 characters. Default `"*"`. The agent's own when not given.

        Returns:
            The observations that were found.
        """
        return await self._send(
            table.OBSERVE_GET,
            {
                "org": org,
                "namespace": namespace,
                "memory_key": memory_key,
                "memory_keys": memory_keys,
                "user_id": user_id,
            },
        )

    async def list(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        session_id: str | None = None,
        kind: str | None = None,
        tag: str | None = None,
        path: str | None = None,
        since: str | None = None,
        until: str | None = None,
        state: str | None = None,
        page_size: int | None = None,
        page_token: str | None = None,
    ) -> observe_models.ListResponse:
        """Lists observations in the order of time, newest last, page by page.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent whose rows are read; empty, `-` or `*` means any. Limit: 128 characters. Default `"*"`.
            user_id: User whose rows are read; empty or `*` means any, `-` means rows that name no user. Limit: 256
                characters. Default `"*"`. The agent's own when not given.
            session_id: Session whose rows are read; empty or `*` means any, `-` means rows whose session was not
                known. Limit: 256 characters. Default `"*"`.
            kind: Only this kind; empty means any. One of `file_edit`, `command_run`, `error`, `web_fetch`,
                `file_read`, `tool_use`.
            tag: Only rows with this tag; empty means any. Limit: 256 characters.
            path: Only rows that name this path: the whole path, its end after a separator, or its base name; empty
                means any. Limit: 4,096 characters.
            since: Only rows observed at or after this instant, RFC 3339 with any offset; empty means no lower bound.
                Limit: 64 characters.
            until: Only rows observed before this instant, RFC 3339 with any offset; empty means no upper bound.
                Limit: 64 characters.
            state: Only rows in this state of extraction; empty means any. One of `pending`, `ready`, `claimed`,
                `extracted`, `empty`.
            page_size: Rows in a page. From 1 to 500. Default `50`.
            page_token: The previous page's next_page_token; empty means the first page. The filters must be those of
                the first page. Limit: 2,048 characters.

        Returns:
            One page of observations.
        """
        return await self._send(
            table.OBSERVE_LIST,
            {
                "org": org,
                "namespace": namespace,
                "agent": agent,
                "user_id": user_id,
                "session_id": session_id,
                "kind": kind,
                "tag": tag,
                "path": path,
                "since": since,
                "until": until,
                "state": state,
                "page_size": page_size,
                "page_token": page_token,
            },
        )

    async def record(
        self,
        *,
        tool_name: str,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        session_id: str | None = None,
        run_id: str | None = None,
        tool_input: JsonValue = None,
        tool_output: JsonValue = None,
        file_paths: builtins.list[str] | None = None,
        error: str | None = None,
        tags: builtins.list[str] | None = None,
        observation_date: str | None = None,
        action_type: str | None = None,
        metadata: Mapping[str, JsonValue] | None = None,
        observed_at: str | None = None,
    ) -> observe_models.RecordResponse:
        """Records one tool call as one observation and answers when it is on disk. Sending the same call again changes
        nothing. Text inside <private> is removed before anything is stored; calls of Loom's own tools and of an
        agent's to-do and planning tools leave a row without content, and so do calls that carry credentials.

        Role: writer. Writes; idempotent.

        Args:
            tool_name: Name of the tool as the agent knows it, such as `Bash`; it picks the kind by substring. Limit:
                256 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent that called the tool; filled by the transport when empty. Limit: 128 characters. The agent's
                own when not given.
            user_id: User on whose behalf the agent ran; empty means none. Limit: 256 characters. Default `"-"`. The
                agent's own when not given.
            session_id: Session of the agent; empty means that it is not known yet, and the observation is kept all
                the same. Limit: 256 characters. Default `"-"`. The agent's own when not given.
            run_id: Agent run (task) that the call belongs to; empty means none. Limit: 256 characters. Default
                `"-"`.
            tool_input: What the tool was given: any JSON value. Made into text, cut, never executed; empty or null
                means nothing.
            tool_output: What the tool gave back: any JSON value. Made into text, cut, never executed; empty or null
                means nothing.
            file_paths: Files that the call concerns; united with the paths found in the input and the narrative. At
                most 64 are kept. Limit: 1,024 entries of 4,096 characters.
            error: Error text of the call; not empty means that the call failed, and the kind becomes `error`.
            tags: The caller's tags, stored after the server's own; 32 are kept in all. Limit: 256 entries of 256
                characters.
            observation_date: Day that the observation is about, `YYYY-MM-DD`; empty leaves it null. Limit: 10
                characters.
            action_type: The client's own class of action; becomes the tag `action:<type>`. Empty adds no tag. Limit:
                128 characters.
            metadata: Accepted for the sake of callers that send it, and not stored; a JSON object. Default `{}`.
            observed_at: When the tool ran, RFC 3339 with any offset; empty means now. Limit: 64 characters.

        Returns:
            What was stored.
        """
        return await self._send(
            table.OBSERVE_RECORD,
            {
                "org": org,
                "namespace": namespace,
                "agent": agent,
                "user_id": user_id,
                "session_id": session_id,
                "run_id": run_id,
                "tool_name": tool_name,
                "tool_input": tool_input,
                "tool_output": tool_output,
                "file_paths": file_paths,
                "error": error,
                "tags": tags,
                "observation_date": observation_date,
                "action_type": action_type,
                "metadata": metadata,
                "observed_at": observed_at,
            },
        )

    async def record_batch(
        self,
        *,
        records: builtins.list[observe_models.BatchRecordInput],
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        session_id: str | None = None,
        run_id: str | None = None,
    ) -> observe_models.RecordBatchResponse:
        """Records up to 500 tool calls at once. Each is answered by itself, in order; good ones are stored though
        others fail.

        Role: writer. Writes; idempotent.

        Args:
            records: The tool calls, each like the input of observe.record. Limit: 500 entries.
            org: Organisation; for records that name none; filled by the transport when empty. Limit: 128 characters.
                The agent's own when not given.
            namespace: Namespace of the organisation; for records that name none; filled by the transport when empty.
                Limit: 128 characters. The agent's own when not given.
            agent: Agent that called the tool; for records that name none; filled by the transport when empty. Limit:
                128 characters. The agent's own when not given.
            user_id: User on whose behalf the agent ran, for records that name none; empty means none. Limit: 256
                characters. Default `"-"`. The agent's own when not given.
            session_id: Session, for records that name none; empty means that it is not known yet, and the
                observation is kept all the same. Limit: 256 characters. Default `"-"`. The agent's own when not
                given.
            run_id: Agent run (task) that the call belongs to, for records that name none; empty means none. Limit:
                256 characters. Default `"-"`.

        Returns:
            One answer for each record, in the order of the records.
        """
        return await self._send(
            table.OBSERVE_RECORD_BATCH,
            {
                "org": org,
                "namespace": namespace,
                "agent": agent,
                "user_id": user_id,
                "session_id": session_id,
                "run_id": run_id,
                "records": records,
            },
        )

    async def stats(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        session_id: str | None = None,
    ) -> observe_models.StatsResponse:
        """Counts observations by kind, session and state.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Namespace of the organisation; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            agent: Agent whose rows are read; empty, `-` or `*` means any. Limit: 128 characters. Default `"*"`.
            user_id: User whose rows are read; empty or `*` means any, `-` means rows that name no user. Limit: 256
                characters. Default `"*"`. The agent's own when not given.
            session_id: Session whose rows are read; empty or `*` means any, `-` means rows whose session was not
                known. Limit: 256 characters. Default `"*"`.

        Returns:
            Counts of observations.
        """
        return await self._send(
            table.OBSERVE_STATS,
            {"org": org, "namespace": namespace, "agent": agent, "user_id": user_id, "session_id": session_id},
        )
