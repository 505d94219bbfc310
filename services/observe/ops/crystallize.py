"""observe.crystallize: queue a session's pending observations for extraction."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime

from runtime.clock import Clock
from services.observe.states import LAST_VERSION, READY, version
from services.observe.store import ObserveStore, Scope, StateRow

NO_LEASE = datetime(1970, 1, 1, tzinfo=UTC)


class Crystallize:
    """Marks; extraction itself is the memory plane's. `tell` is called when rows have been queued."""

    def __init__(self, store: ObserveStore, clock: Clock, tell: Callable[[], None] = lambda: None) -> None:
        self._store, self._clock, self._tell = store, clock, tell
        # Two calls at once for one session would both count the same rows as theirs.
        self._one_at_a_time = asyncio.Lock()
        self._next = LAST_VERSION

    async def execute(self, scope: Scope, most: int, timeout_s: float | None) -> int:
        """Number of observations queued by this call, oldest first."""
        async with self._one_at_a_time:
            pending = await self._store.pending(scope, most, timeout_s)
            # A call right after another one queues behind it.
            ready = min(version(READY, 0, self._clock.now()), self._next)
            rows = [
                StateRow(
                    scope.org,
                    scope.namespace,
                    row["session_id"],
                    row["memory_key"],
                    READY,
                    "",
                    0,
                    NO_LEASE,
                    [],
                    # Those that come first in the session are claimed first: version falls with the order.
                    ready - place,
                )
                for place, row in enumerate(pending)
            ]
            if rows:
                await self._store.set_states(rows, timeout_s)
                self._next = ready - len(rows)
                self._tell()
        return len(rows)
