"""Local records: databases in Loom's own engine, beside its own tables, by the organisation's namespaces."""

import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial

from runtime.store import Store
from runtime.store.locks import migration_lock
from runtime.store.macros import expand
from services.tracker.record.write import Record


class Records:
    """One for the plane."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def record(self, database: str) -> Record:
        """The record in a database of `record_tables.database_of`."""
        return Record(self._store, database, partial(expand, config=self._store.config))

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[Callable[[], Awaitable[None]]]:
        """One process and one task at a time, whatever the record; yields what is to be awaited before every step.

        Whoever migrates the tables waits too, which is as it should be.
        """
        async with migration_lock(self._store) as renew:
            yield renew


def load_name(load_id: str) -> str:
    """The caller's name of a load as a plain SQL name, all of one length."""
    return hashlib.sha256(load_id.encode()).hexdigest()[:20]
