"""The erase pass: rows of memories that were deleted for good leave the disk, not only the answers.

ClickHouse deletes rows by rewriting the parts that hold them; the parts as they were stay on disk for a while. So a
pass deletes, waits until that is done, and waits until no outdated part is left. It runs off the write path, for all
erasures that wait at once; one that was cut off by the end of the process goes on at the next start.
"""

import asyncio
import contextvars
import logging
from collections.abc import Awaitable, Callable, Sequence

from runtime.errors import LoomError, internal
from runtime.store import Behind, Store
from services.memory.identity import Scope
from services.memory.store import REVISIONS, RevisionStore
from services.memory.wanted import WANTED, Params, Wanted, remove, wanted_params

log = logging.getLogger("loom.memory")

POLL_S = 0.1
PASS_S = 600.0
MOST_AT_ONCE = 500


class Eraser:
    """Erases from `tables`, which have org, namespace, user_id and id, and from the revisions last.

    So a memory's tombstone, which asks for the erasure, goes when everything else is gone.
    """

    def __init__(self, store: Store, revisions: RevisionStore, tables: Sequence[str] = ()) -> None:
        self._store, self._revisions = store, revisions
        self._tables = tuple(tables)
        self._waiting: dict[Wanted, asyncio.Future[None]] = {}
        self._task: asyncio.Task[None] | None = None

    async def resume(self) -> None:
        """Goes on with what an earlier process did not finish; does not wait for it."""
        for wanted in await self._revisions.to_be_erased(None):
            self._want(wanted)

    async def erase(self, scope: Scope, id_: int) -> None:
        """Returns when nothing of the memory is on disk. Raises what the storage engine raises."""
        await asyncio.shield(self._want((scope, id_)))

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.wait([self._task])

    def _want(self, wanted: Wanted) -> asyncio.Future[None]:
        if wanted not in self._waiting:
            self._waiting[wanted] = asyncio.get_running_loop().create_future()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), context=contextvars.Context())
        return self._waiting[wanted]

    async def _run(self) -> None:
        while self._waiting:
            some: dict[Wanted, asyncio.Future[None]] = {}
            try:
                await asyncio.sleep(POLL_S)  # those that come together go together
                some = dict(list(self._waiting.items())[:MOST_AT_ONCE])
                await self._pass(list(some))
            except asyncio.CancelledError:
                for outcome in self._waiting.values():
                    outcome.cancel()
                raise
            except Exception as error:
                fault = error if isinstance(error, LoomError) else internal()
                log.warning("an erase pass failed and goes on at the next start or call: %s", type(error).__name__)
                self._tell(some, fault)
            else:
                self._tell(some, None)

    def _tell(self, some: dict[Wanted, asyncio.Future[None]], error: LoomError | None) -> None:
        for wanted, outcome in some.items():
            del self._waiting[wanted]
            if error is None:
                outcome.set_result(None)
            else:
                outcome.set_exception(error)
                outcome.exception()  # nobody may be waiting any more

    async def _pass(self, wanted: Sequence[Wanted]) -> None:
        params = wanted_params(wanted)
        async with asyncio.timeout(PASS_S):
            await self._weed(frozenset(wanted))
            await asyncio.gather(*(self._rewrite(table, params) for table in self._tables))
            await self._rewrite(REVISIONS, params)
            # What was on its way to these tables when the memory was deleted has arrived by now.
            await asyncio.gather(*(self._rewrite_again(table, params) for table in self._tables))
            await asyncio.gather(*(self._settle(table, self._outdated) for table in (*self._tables, REVISIONS)))

    async def _weed(self, wanted: frozenset[Wanted]) -> None:
        """A text of the memory may have been set aside, where the engine refused it."""
        if isinstance(self._store, Behind):
            await self._store.weed(
                lambda row: (Scope(row["org"], row["namespace"], row["user_id"]), row["id"]) in wanted
            )

    async def _rewrite_again(self, table: str, params: Params) -> None:
        [left] = await self._store.query(
            f"SELECT count() AS n FROM {table} WHERE {WANTED}",  # noqa: S608 - a table of ours
            params,
            name="memory.erase_left",
        )
        if left["n"]:
            await self._rewrite(table, params)

    async def _rewrite(self, table: str, params: Params) -> None:
        await remove(self._store, table, params)
        await self._settle(table, self._mutations)

    async def _settle(self, table: str, names: Callable[[str], Awaitable[set[str]]]) -> None:
        """Waits for those that there are now: writes and merges go on, so there may always be some."""
        left = await names(table)
        while left:
            await asyncio.sleep(POLL_S)
            left &= await names(table)

    async def _mutations(self, table: str) -> set[str]:
        return await self._names("SELECT mutation_id AS name FROM system.mutations WHERE NOT is_done", table)

    async def _outdated(self, table: str) -> set[str]:
        return await self._names("SELECT name FROM system.parts WHERE NOT active", table)

    async def _names(self, sql: str, table: str) -> set[str]:
        rows = await self._store.query(
            f"{sql} AND database = currentDatabase() AND table = {{table:String}}",
            {"table": table},
            name="memory.erase_progress",
        )
        return {row["name"] for row in rows}
