"""Stored fits and term statistics of tracker namespaces."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson

from runtime.clock import Clock
from runtime.store import Store
from services.tracker.rows import Bound
from services.tracker.similar.fit import Fit
from services.tracker.similar.statistics import Statistics

TABLE = "tracker_fits"
_COLUMNS = ["org", "namespace", "source_id", "fit", "statistics", "fitted_at", "version"]
# Another process's pass shows after this time at the latest.
KEPT_S = 60.0


@dataclass(frozen=True, slots=True)
class Stored:
    """What a pass left for a namespace; `fit` is None where the record has too few labelled duplicates."""

    namespace: str
    fit: Fit | None
    statistics: Statistics
    fitted_at: datetime


class FitStore:
    """Reads through to the store; parsing the statistics of a large record takes a while, so they are kept."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock
        self._kept: dict[tuple[str, str], tuple[float, int, Stored | None]] = {}

    async def put(
        self,
        org: str,
        namespace: str,
        source_id: str,
        fit: Fit | None,
        statistics: Statistics,
        fitted_at: datetime | None = None,
    ) -> None:
        """Replaces what is there. `namespace` is a storage name; `fitted_at` is given where the fit is an older one."""
        now = self._clock.now()
        row = [
            org,
            namespace,
            source_id,
            orjson.dumps(fit.to_json()).decode() if fit else "",
            orjson.dumps(statistics.to_json()).decode(),
            fitted_at or now,
            int(now.timestamp() * 1e6),
        ]
        await self._store.insert(TABLE, _COLUMNS, [row])
        self._kept.pop((org, namespace), None)

    async def of(self, org: str, namespace: str) -> Stored | None:
        """What is stored for exactly this namespace; None where no pass came by yet, or an older Loom made it."""
        key = (org, namespace)
        kept = self._kept.get(key)
        if kept is not None and kept[0] > self._clock.monotonic():
            return kept[2]
        version = await self._version(org, namespace)
        found = kept[2] if kept is not None and kept[1] == version else await self._read(org, namespace, version)
        self._kept[key] = (self._clock.monotonic() + KEPT_S, version, found)
        return found

    async def serving(self, bound: Bound, others: Sequence[str]) -> tuple[Stored | None, str]:
        """The namespace's own, and the storage name whose fit it is: a restricted one borrows a standard one's fit.

        `others` are storage names of standard namespaces of the organisation, those of the same source first. A
        restricted namespace keeps its own statistics, which count private rows too; where no pass made any yet, they
        are empty.
        """
        own = await self.of(bound.source.org, bound.storage)
        if not bound.restricted or (own is not None and own.fit is not None):
            return own, bound.storage
        statistics = own.statistics if own else Statistics()
        for name in others:
            found = await self.of(bound.source.org, name)
            if found is not None and found.fit is not None:
                return Stored(name, found.fit, statistics, found.fitted_at), name
        return own, bound.storage

    async def erase(self, org: str, source_id: str) -> None:
        """Removes what was derived from a source."""
        await self._store.command(
            f"ALTER TABLE {TABLE} DELETE WHERE org = {{org:String}} AND source_id = {{source:String}}",
            {"org": org, "source": source_id},
            name="tracker.erase_fits",
        )
        self._kept.clear()

    async def _version(self, org: str, namespace: str) -> int:
        rows = await self._store.query(
            f"SELECT max(version) AS version FROM {TABLE} WHERE org = {{org:String}} AND namespace = {{name:String}}",
            {"org": org, "name": namespace},
            name="tracker.fit_version",
        )
        return int(rows[0]["version"] or 0)

    async def _read(self, org: str, namespace: str, version: int) -> Stored | None:
        if not version:
            return None
        rows = await self._store.query(
            f"SELECT fit, statistics, fitted_at FROM {TABLE} FINAL "
            "WHERE org = {org:String} AND namespace = {name:String}",
            {"org": org, "name": namespace},
            name="tracker.fit",
        )
        if not rows:
            return None
        # Statistics of a large record are megabytes of JSON.
        return await asyncio.to_thread(_stored, namespace, rows[0])


def _stored(namespace: str, row: Mapping[str, Any]) -> Stored | None:
    """Without the fit that another version of Loom made, which the next pass makes anew; what it counted stays."""
    try:
        statistics = Statistics.from_json(orjson.loads(row["statistics"]))
    except ValueError:
        return None
    return Stored(namespace, _fit(row["fit"]), statistics, row["fitted_at"])


def _fit(text: str) -> Fit | None:
    try:
        return Fit.from_json(orjson.loads(text)) if text else None
    except ValueError:
        return None
