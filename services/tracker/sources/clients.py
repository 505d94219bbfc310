"""The clients of all sources: one each, made when first needed, replaced when the source changes."""

import asyncio
from typing import TYPE_CHECKING

from runtime.clock import Clock
from services.tracker.sources.hosts import HostRules
from services.tracker.sources.model import Target
from services.tracker.sources.settings import LiveSettings
from services.tracker.sources.silence import Reason

if TYPE_CHECKING:
    from services.tracker.sources.client import SourceClient


class SourceClients:
    """Hands out clients. For one event loop."""

    def __init__(self, rules: HostRules, clock: Clock, settings: LiveSettings) -> None:
        self._rules, self._clock, self._settings = rules, clock, settings
        self._clients: dict[str, SourceClient] = {}
        self._retiring: set[asyncio.Task[None]] = set()

    def of(self, target: Target) -> "SourceClient":
        """The source's client, with its breaker and pool; a new one where address or credentials changed."""
        known = self._clients.get(target.source_id)
        if known is not None and known.target == target:
            return known
        self._clients[target.source_id] = made = self.fresh(target)
        if known is not None:
            self._retire(known)
        return made

    def fresh(self, target: Target) -> "SourceClient":
        """A client that nobody else gets, for a check before anything is saved; the caller closes it."""
        # Imported here: aiohttp costs an eighth of a start, and nobody needs it before a source is read.
        from services.tracker.sources.client import SourceClient

        settings = self._settings
        return SourceClient(
            target,
            self._rules,
            self._clock,
            settings.limits(),
            statements=settings.live_statements,
            failures_in_row=settings.circuit_failure_threshold,
            open_s=settings.circuit_cooldown_s,
        )

    def silence(self, source_id: str) -> Reason | None:
        """Why a read of the source would not even be sent; None where it would be."""
        known = self._clients.get(source_id)
        return known.refusing if known is not None else None

    def answered(self, source_id: str) -> None:
        """A check had its answers from the source: reads are sent again."""
        if known := self._clients.get(source_id):
            known.answered()

    def forget(self, source_id: str) -> None:
        """Let go of the client of a source that is gone, once what it runs is answered."""
        if known := self._clients.pop(source_id, None):
            self._retire(known)

    async def close(self) -> None:
        """Close all of them, now."""
        for task in self._retiring:
            task.cancel()
        await asyncio.gather(*self._retiring, return_exceptions=True)
        clients, self._clients = list(self._clients.values()), {}
        for client in clients:
            await client.close()

    def _retire(self, client: "SourceClient") -> None:
        task = asyncio.get_running_loop().create_task(self._retired(client))
        self._retiring.add(task)
        task.add_done_callback(self._retiring.discard)

    async def _retired(self, client: "SourceClient") -> None:
        try:
            await client.retire()
        finally:
            await client.close()
