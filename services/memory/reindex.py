"""Puts back what the index lost.

Its parts are written without waiting for the disk, so a power cut may take the last seconds of them, while the texts
are safe. A sweep at every start, and now and then, looks for texts that the index has not heard of.
"""

import asyncio
import contextvars
import logging
from collections.abc import Sequence

from runtime.errors import LoomError
from runtime.store import Store
from services.memory.index_store import TIMEOUT_S, IndexStore, Owner
from services.memory.model import Revision
from services.memory.ports import Index

log = logging.getLogger("loom.memory")

ROUND = 200
SWEEP_S = 3600.0
PAUSE_S = 10.0


class Reindexer:
    """The sweep over all users; `start` repeats it in the background."""

    def __init__(self, store: Store, index: Index) -> None:
        self._reads, self._index = IndexStore(store), index
        self._task: asyncio.Task[None] | None = None
        self._checked = asyncio.Event()

    async def checked(self) -> None:
        """Returns when the first sweep is over, well or not: until then texts of a killed process may be out of sight."""
        await self._checked.wait()

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), context=contextvars.Context())

    async def close(self) -> None:
        """Stops at once: the next start goes on."""
        if self._task:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def sweep(self) -> int:
        """Makes every text findable that is not; the number of those."""
        await self._reads.drop_damaged()
        total = 0
        while rows := await self._reads.missing(ROUND):
            alive = await self._reads.living(_named(rows))
            added = [row for row in rows if row.id in alive]
            await self._index.add(added, TIMEOUT_S)
            # Another process may have erased some of them meanwhile.
            left = await self._reads.living(_named(added))
            if gone := [row for row in added if row.id not in left]:
                await self._reads.forget(_named(gone))
            total += len(rows)
        return total

    async def _run(self) -> None:
        while True:
            pause_s = SWEEP_S
            try:
                if found := await self.sweep():
                    log.warning("%d texts were missing from the search index and are back", found)
            except LoomError as error:
                log.warning("the search index cannot be checked for now: %s", error.code.name)
                pause_s = PAUSE_S
            except Exception as defect:
                log.exception("checking the search index failed: %s", type(defect).__name__)
            self._checked.set()
            await asyncio.sleep(pause_s)


def _named(rows: Sequence[Revision]) -> list[tuple[Owner, int]]:
    return [((row.org, row.namespace, row.user_id), row.id) for row in rows]
