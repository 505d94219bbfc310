"""A lease on a source, so that of several processes one works on it.

ClickHouse has no compare-and-set. A process inserts its claim, stamped by the store's clock, waits until claims that
were being written at the same time are in (`settle_s`), and reads them all: the earliest live claim holds, the others
withdraw. A claim that took longer than that to arrive could let two work at once, which costs work and spoils nothing:
passes are idempotent. In the embedded engine no other process is there, and nothing waits.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from runtime import ids
from runtime.store import Store
from services.tracker.workers.frame import LeaseLost

TABLE = "tracker_leases"
LEASE_S = 300.0
SETTLE_S = 1.0

_NOW = "now64(6, 'UTC')"
_CLAIM = f"""INSERT INTO {TABLE} (org, source_id, owner, claimed_at, lease_until, version)
SELECT {{org:String}}, {{source:String}}, {{owner:String}}, {_NOW}, {_NOW} + toIntervalSecond({{seconds:UInt32}}),
    toUnixTimestamp64Micro({_NOW})"""
_RENEW = f"""INSERT INTO {TABLE} (org, source_id, owner, claimed_at, lease_until, version)
SELECT org, source_id, owner, claimed_at, {_NOW} + toIntervalSecond({{seconds:UInt32}}),
    greatest(version + 1, toUnixTimestamp64Micro({_NOW}))
FROM {TABLE} FINAL WHERE org = {{org:String}} AND source_id = {{source:String}} AND owner = {{owner:String}}"""
_LIVE = f"""SELECT owner FROM {TABLE} FINAL
WHERE org = {{org:String}} AND source_id = {{source:String}} AND lease_until > {_NOW} ORDER BY claimed_at, owner"""


@dataclass(frozen=True, slots=True)
class Lease:
    """A claim that holds, as long as it is renewed."""

    org: str
    source_id: str
    owner: str


class Leases:
    """`pause` waits for the claims of others; None where no other process reaches the tables."""

    def __init__(
        self, store: Store, *, pause: Callable[[float], Awaitable[None]] | None = None, lease_s: float = LEASE_S
    ) -> None:
        alone = store.process_lock is not None
        self._store, self._seconds = store, round(lease_s)
        self._pause = pause or (_no_pause if alone else asyncio.sleep)

    async def take(self, org: str, source_id: str) -> Lease | None:
        """A lease on the source; None where somebody else has it."""
        lease = Lease(org, source_id, ids.new_id())
        if await self._live(lease):
            return None
        await self._write(_CLAIM, lease, self._seconds)
        await self._pause(SETTLE_S)
        if await self._first(lease):
            return lease
        await self.release(lease)
        return None

    async def renew(self, lease: Lease) -> None:
        """Raises LeaseLost where it ended, or another claim holds."""
        if not await self._first(lease):
            raise LeaseLost
        await self._write(_RENEW, lease, self._seconds)

    async def release(self, lease: Lease) -> None:
        """Lets others have the source at once."""
        await self._write(_RENEW, lease, 0)

    async def _first(self, lease: Lease) -> bool:
        live = await self._live(lease)
        return bool(live) and live[0] == lease.owner

    async def _live(self, lease: Lease) -> list[str]:
        params = {"org": lease.org, "source": lease.source_id}
        return [row["owner"] for row in await self._store.query(_LIVE, params, name="tracker.leases")]

    async def _write(self, sql: str, lease: Lease, seconds: int) -> None:
        params = {"org": lease.org, "source": lease.source_id, "owner": lease.owner, "seconds": seconds}
        await self._store.command(sql, params, name="tracker.lease")


async def _no_pause(seconds: float) -> None:
    """Nobody else can write a claim."""
