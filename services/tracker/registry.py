"""Sources and repositories, kept in memory for a moment: every question needs them, and they change rarely."""

from runtime.clock import Clock
from services.tracker.rows import RepoRow, SourceRow
from services.tracker.store import TrackerStore

# Another process's change shows after this time at the latest.
KEPT_S = 2.0


class Registry:
    """Reads through to the store; our own changes show at once."""

    def __init__(self, store: TrackerStore, clock: Clock) -> None:
        self._store, self._clock = store, clock
        self._sources: dict[str, tuple[float, list[SourceRow]]] = {}
        self._repos: dict[str, tuple[float, list[RepoRow]]] = {}

    async def sources(self, org: str) -> list[SourceRow]:
        """Active ones, the one registered first in front: it wins where two claim a namespace."""
        kept = self._sources.get(org)
        if kept is None or kept[0] <= self._clock.monotonic():
            rows = sorted(await self._store.sources(org), key=lambda row: (row.added_at, row.id))
            kept = self._sources[org] = (self._clock.monotonic() + KEPT_S, rows)
        return kept[1]

    async def repos(self, org: str) -> list[RepoRow]:
        kept = self._repos.get(org)
        if kept is None or kept[0] <= self._clock.monotonic():
            kept = self._repos[org] = (self._clock.monotonic() + KEPT_S, await self._store.repos(org))
        return kept[1]

    async def repo(self, org: str, storage: str) -> RepoRow | None:
        """By the name that it is stored under."""
        return next((row for row in await self.repos(org) if row.namespace == storage), None)

    async def repo_named(self, org: str, name: str) -> RepoRow | None:
        """By its public name; of several generations the latest."""
        return max((row for row in await self.repos(org) if row.name == name), key=lambda r: r.version, default=None)

    async def put_source(self, row: SourceRow) -> None:
        await self._store.put_source(row)
        self._sources.pop(row.org, None)

    async def put_repo(self, row: RepoRow) -> None:
        await self._store.put_repo(row)
        self._repos.pop(row.org, None)
