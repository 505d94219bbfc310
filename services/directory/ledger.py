"""Changes of rights: one at a time in an organisation, each with its record, none half done.

The checks of a change (is there another admin?) hold when it is written, because no other change of the organisation
runs meanwhile. The record goes in first: nobody gets a right that no record tells of. A write whose outcome is unknown
(a timeout, an engine that went away, a cancelled call) is written again, with the same versions, before the next change
of the organisation is judged; so the next one never counts on an admin that a late write takes away.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from itertools import groupby
from typing import NamedTuple
from weakref import WeakValueDictionary

from runtime.clock import Clock
from runtime.ids import new_id
from services.directory.rows import AuditEntry, Changed
from services.directory.store import Directory


class Actor(NamedTuple):
    """Who changes rights, and by which request."""

    subject: str
    request_id: str


class Change:
    """One change under the organisation's lock: collects rows and records, then commits them."""

    def __init__(self, org: str, actor: Actor, now: datetime, ledger: "Ledger") -> None:
        self.org, self.actor, self.now = org, actor, now
        self._ledger = ledger
        self._entries: list[AuditEntry] = []

    def version(self) -> int:
        """A version greater than that of any row of the organisation."""
        return self._ledger.next_version(self.now)

    def record(self, action: str, *, namespace: str = "", subject: str = "", role: str = "", detail: str = "") -> None:
        """Notes what is done, for the record."""
        actor, request_id = self.actor
        self._entries.append(
            AuditEntry(
                self.org,
                self.version(),
                new_id(),
                self.now,
                actor,
                action,
                namespace,
                subject,
                role,
                detail,
                request_id,
            )
        )

    async def commit(self, *rows: Changed) -> None:
        """Writes the record, then the rows in the order given. Raises LoomError; the rows may still come in then."""
        await self._ledger.write(self.org, self._entries, rows)
        self._entries = []


class Ledger:
    """All changes of rights of this process go through one ledger."""

    def __init__(self, store: Directory, clock: Clock) -> None:
        self._store, self._clock = store, clock
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._doubtful: dict[str, tuple[Changed, ...]] = {}
        self._last = 0

    @asynccontextmanager
    async def change(self, org: str, actor: Actor) -> AsyncIterator[Change]:
        """Waits for its turn; what is read inside is what the change is judged by."""
        lock = self._locks.setdefault(org, asyncio.Lock())
        async with lock:
            if doubtful := self._doubtful.get(org):
                await self._insert(doubtful)
                del self._doubtful[org]
            # A clock that was set back must not make a change that older rows outlive.
            self._last = max(self._last, await self._store.last_version(org))
            yield Change(org, actor, self._clock.now(), self)

    def next_version(self, now: datetime) -> int:
        self._last = max(int(now.astimezone(UTC).timestamp() * 1_000_000), self._last + 1)
        return self._last

    async def write(self, org: str, entries: Iterable[AuditEntry], rows: tuple[Changed, ...]) -> None:
        if entries := list(entries):
            await self._store.insert(entries)
        try:
            await self._insert(rows)
        except BaseException:
            self._doubtful[org] = rows
            raise

    async def _insert(self, rows: tuple[Changed, ...]) -> None:
        for _, same in groupby(rows, key=type):
            await self._store.insert(list(same))
