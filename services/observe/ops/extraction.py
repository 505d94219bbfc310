"""The hand-over to the memory plane's extraction worker: claims under a lease, and their end."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from runtime import ids
from runtime.clock import Clock
from services.observe.ops.crystallize import NO_LEASE
from services.observe.states import CLAIMED, EMPTY, EXTRACTED, version
from services.observe.store import ObserveStore, Scope, StateRow, session_of

ENDED = {EXTRACTED, EMPTY}
Tenant = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Completion:
    """The end of one observation; no memories means that nothing was worth keeping."""

    org: str
    namespace: str
    memory_key: str
    memories: tuple[str, ...]


class ClaimReady:
    """Claims ready rows.

    In one process two workers never get the same row. Between processes on one ClickHouse the first claim of an attempt
    stands and is read back, which leaves a window of one insert; Complete is harmless twice, so such a row costs work
    and nothing else.
    """

    def __init__(self, store: ObserveStore, clock: Clock) -> None:
        self._store, self._clock = store, clock
        self._one_at_a_time = asyncio.Lock()

    async def execute(
        self, limit: int, lease_s: int, timeout_s: float | None
    ) -> tuple[str, list[tuple[Tenant, dict[str, Any]]]]:
        """The claim's id and the rows with their tenant; an empty id when nothing was ready."""
        async with self._one_at_a_time:
            ready = await self._store.ready(limit, timeout_s)
            if not ready:
                return "", []
            claim_id = ids.new_id()
            now = self._clock.now()
            first = now + timedelta(seconds=lease_s, microseconds=-len(ready))
            # Leases that end one after the other keep the order for whoever claims these rows after us.
            leases = [first + timedelta(microseconds=place) for place in range(len(ready))]
            claims = [_claim(row, claim_id, now, lease) for row, lease in zip(ready, leases, strict=True)]
            await self._store.set_states(claims, timeout_s)
        rows = await self._mine(ready, claim_id, timeout_s)
        return (claim_id, rows) if rows else ("", [])

    async def _mine(
        self, ready: Sequence[dict[str, Any]], claim_id: str, timeout_s: float | None
    ) -> list[tuple[Tenant, dict[str, Any]]]:
        found: list[tuple[Tenant, dict[str, Any]]] = []
        for tenant, keys in _by_tenant((row["org"], row["namespace"], row["memory_key"]) for row in ready).items():
            states = await self._store.states_of(*tenant, keys, timeout_s)
            mine = [key for key in keys if states.get(key, {}).get("claim_id") == claim_id]
            rows = await self._store.by_keys(Scope(*tenant), mine, timeout_s) if mine else {}
            found += [(tenant, rows[key]) for key in mine if key in rows]
        return found


class Complete:
    """Ends claims; what has ended before keeps its first end."""

    def __init__(self, store: ObserveStore, clock: Clock) -> None:
        self._store, self._clock = store, clock
        self._one_at_a_time = asyncio.Lock()

    async def execute(self, completions: Sequence[Completion], timeout_s: float | None) -> int:
        """Number of observations that this call ended."""
        by_key = {(item.org, item.namespace, item.memory_key): item for item in reversed(completions)}
        async with self._one_at_a_time:
            rows: list[StateRow] = []
            for tenant, keys in _by_tenant(by_key).items():
                known = await self._store.states_of(*tenant, keys, timeout_s)
                open_keys = [key for key in keys if key in known and known[key]["state"] not in ENDED]
                rows += [self._end(by_key[(*tenant, key)], known[key]["attempt"]) for key in open_keys]
            if rows:
                await self._store.set_states(rows, timeout_s)
        return len(rows)

    def _end(self, item: Completion, attempt: int) -> StateRow:
        state = EXTRACTED if item.memories else EMPTY
        return StateRow(
            item.org,
            item.namespace,
            session_of(item.memory_key),
            item.memory_key,
            state,
            "",
            attempt,
            NO_LEASE,
            list(item.memories),
            # One attempt number for all endings, so that the first ending stands and not the last attempt's.
            version(state, 0, self._clock.now()),
        )


class Earlier:
    """What a session's claimed rows are read with: an error may stand in one claim and what mended it in the next."""

    def __init__(self, store: ObserveStore) -> None:
        self._store = store

    async def execute(
        self, scope: Scope, place: tuple[datetime, str], limit: int, timeout_s: float | None
    ) -> list[dict[str, Any]]:
        """The last `limit` rows of the session before `place` that were queued, whatever became of them, in order."""
        return await self._store.earlier(scope, place, limit, timeout_s)


def _claim(row: dict[str, Any], claim_id: str, now: datetime, lease_until: datetime) -> StateRow:
    attempt = row["attempt"] + 1
    return StateRow(
        row["org"],
        row["namespace"],
        row["session_id"],
        row["memory_key"],
        CLAIMED,
        claim_id,
        attempt,
        lease_until,
        [],
        version(CLAIMED, attempt, now),
    )


def _by_tenant(keys: Any) -> dict[Tenant, list[str]]:
    grouped: dict[Tenant, list[str]] = defaultdict(list)
    for org, namespace, key in keys:
        grouped[(org, namespace)].append(key)
    return grouped
