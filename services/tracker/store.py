"""The plane's own tables: sources and code repositories."""

import dataclasses
from collections.abc import Sequence
from typing import Any

import orjson

from runtime.clock import Clock
from runtime.store import Store
from services.tracker.rows import ACTIVE, RepoRow, SourceNamespace, SourceRow

SOURCES, REPOS = "tracker_sources", "tracker_repos"
_SOURCE = [field.name for field in dataclasses.fields(SourceRow)]
_REPO = [field.name for field in dataclasses.fields(RepoRow)]


class TrackerStore:
    """Sources and repositories of organisations."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock

    def version(self, before: int = 0) -> int:
        """Greater than `before`, whatever the clock says."""
        return max(int(self._clock.now().timestamp() * 1e6), before + 1)

    async def sources(self, org: str) -> list[SourceRow]:
        """Active ones, in the order of their names."""
        found = await self._store.query(
            f"SELECT * FROM {SOURCES} FINAL WHERE org = {{org:String}} AND state = '{ACTIVE}' ORDER BY name",
            {"org": org},
            name="tracker.sources",
        )
        return [_source(row) for row in found]

    async def source(self, org: str, name: str) -> SourceRow | None:
        """The latest of that name, a removed one too."""
        found = await self._store.query(
            f"SELECT * FROM {SOURCES} FINAL WHERE org = {{org:String}} AND name = {{name:String}}",
            {"org": org, "name": name},
            name="tracker.source",
        )
        return _source(found[0]) if found else None

    async def put_source(self, row: SourceRow) -> None:
        values = [_stored(row, name) for name in _SOURCE]
        await self._store.insert(SOURCES, _SOURCE, [values])

    async def forget_logins(self) -> None:
        """Takes replaced rows, and with them old logins, off the disk with the next merge."""
        await self._store.command(f"OPTIMIZE TABLE {SOURCES} FINAL", name="tracker.forget_logins")

    async def repos(self, org: str) -> list[RepoRow]:
        """In the order of their names."""
        found = await self._store.query(
            f"SELECT * FROM {REPOS} FINAL WHERE org = {{org:String}} ORDER BY name",
            {"org": org},
            name="tracker.repos",
        )
        return [_repo(row) for row in found]

    async def repo(self, org: str, namespace: str) -> RepoRow | None:
        """By the name that it is stored under."""
        found = await self._store.query(
            f"SELECT * FROM {REPOS} FINAL WHERE org = {{org:String}} AND namespace = {{namespace:String}}",
            {"org": org, "namespace": namespace},
            name="tracker.repo",
        )
        return _repo(found[0]) if found else None

    async def put_repo(self, row: RepoRow) -> None:
        values: Sequence[Any] = [getattr(row, name) for name in _REPO]
        await self._store.insert(REPOS, _REPO, [[list(v) if isinstance(v, tuple) else v for v in values]])


def _stored(row: SourceRow, name: str) -> Any:
    value = getattr(row, name)
    if name == "namespaces":
        return orjson.dumps([dataclasses.asdict(each) for each in value]).decode()
    return value


def _source(row: dict[str, Any]) -> SourceRow:
    spaces = tuple(
        SourceNamespace(**{**each, "repos": tuple(each["repos"])}) for each in orjson.loads(row["namespaces"])
    )
    return SourceRow(**{**row, "namespaces": spaces})


def _repo(row: dict[str, Any]) -> RepoRow:
    return RepoRow(**{**row, "trackers": tuple(row["trackers"]), "tracker_ids": tuple(row["tracker_ids"])})
