"""A lock between the processes that migrate one ClickHouse database.

ClickHouse has no advisory locks, but `CREATE TABLE` without `IF NOT EXISTS` succeeds for one process alone. The table's
comment says who holds the lock and until when, by the server's clock; the holder renews it before every step. A lock
past its time is taken over by renaming its table to a name made of its holder: a second process that saw the same stale
lock cannot rename again, since the name is taken. The renamed table stays; there is one for every crash in a migration.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from runtime.ids import new_id
from runtime.store.faults import StatementRefused
from runtime.store.macros import expand
from runtime.store.store import Store

logger = logging.getLogger("loom.store")

LOCK_TABLE = "loom_migration_lock"
HELD_MS = 120_000
STEP_S = 60.0
"""What one step under the lock may take: less than the lock is held for without a renewal."""

WAIT_S = 600.0
_POLL_S = 0.1
_TABLE_EXISTS, _NO_SUCH_TABLE = 57, 60


class LockLost(RuntimeError):
    """Another process has the lock: it holds on to it, or took it over while this one stood still."""


@dataclass(frozen=True, slots=True)
class _Holder:
    owner: str
    stale: bool


Renew = Callable[[], Awaitable[None]]


@asynccontextmanager
async def migration_lock(store: Store) -> AsyncIterator[Renew]:
    """Hold the lock; yields what renews it, to be called before every step."""
    if store.process_lock:
        async with store.process_lock:
            yield _nothing
        return
    lock = _TableLock(store)
    await lock.acquire()
    try:
        yield lock.renew
    finally:
        await lock.release()


class _TableLock:
    def __init__(self, store: Store) -> None:
        self._store, self._owner = store, new_id()

    async def acquire(self) -> None:
        try:
            async with asyncio.timeout(WAIT_S):
                while not await self._create():
                    await self._await_holder()
        except TimeoutError:
            raise LockLost(
                f"another process keeps migrating this database; its lock is the table {LOCK_TABLE}"
            ) from None

    async def _await_holder(self) -> None:
        holder = await self._holder()
        if holder and holder.stale:
            await self._set_aside(holder)
        elif holder:
            await asyncio.sleep(_POLL_S)

    async def renew(self) -> None:
        holder = await self._holder()
        if holder is None or holder.owner != self._owner:
            raise LockLost("another process took over the migration of this database; start again")
        await self._command(f"ALTER TABLE {LOCK_TABLE} {{{{on_cluster}}}} MODIFY COMMENT '{await self._comment()}'")

    async def release(self) -> None:
        holder = await self._holder()
        if holder and holder.owner == self._owner:
            await self._command(f"DROP TABLE IF EXISTS {LOCK_TABLE} {{{{on_cluster}}}} SYNC")

    async def _create(self) -> bool:
        if await self._holder():
            return False
        return await self._try(
            f"CREATE TABLE {LOCK_TABLE} {{{{on_cluster}}}} (held UInt8) ENGINE = Memory COMMENT '{await self._comment()}'"
        )

    async def _set_aside(self, stale: _Holder) -> None:
        if await self._try(f"RENAME TABLE {LOCK_TABLE} TO {LOCK_TABLE}_{stale.owner} {{{{on_cluster}}}}"):
            logger.warning("took over the migration lock of a process that died")

    async def _try(self, sql: str) -> bool:
        """Whether the statement worked; False where another process was faster."""
        try:
            await self._command(sql)
        except StatementRefused as refused:
            if refused.clickhouse_code not in (_TABLE_EXISTS, _NO_SUCH_TABLE):
                raise
            return False
        return True

    async def _comment(self) -> str:
        now = await self._store.query("SELECT toUnixTimestamp64Milli(now64(3)) AS now", name="migration lock")
        return json.dumps({"owner": self._owner, "until": now[0]["now"] + HELD_MS})

    async def _holder(self) -> _Holder | None:
        rows = await self._store.query(
            "SELECT comment, toUnixTimestamp64Milli(now64(3)) AS now FROM system.tables"
            " WHERE database = currentDatabase() AND name = {table:String}",
            {"table": LOCK_TABLE},
            name="migration lock",
        )
        return _read_holder(rows[0]) if rows else None

    async def _command(self, sql: str) -> None:
        await self._store.command(expand(sql, self._store.config), timeout_s=STEP_S, name="migration lock")


def _read_holder(row: dict[str, Any]) -> _Holder:
    comment = json.loads(row["comment"])
    return _Holder(comment["owner"], row["now"] > comment["until"])


async def _nothing() -> None:
    """Nobody else can reach the tables: nothing to renew."""
