"""Makes vectors of stored texts, in the background.

What waits is whatever is stored without a vector of the model, so nothing is lost by a restart or a full queue: the
queue in memory only saves looking for what was just written, and what it could not take is found by a sweep.
"""

import asyncio
import contextlib
import contextvars
import logging
from collections import deque
from collections.abc import Sequence

from runtime.embedding.chunks import chunks
from runtime.embedding.interface import EmbedderUnavailable, Refused, Vectors
from runtime.embedding.service import Embedding
from runtime.errors import LoomError
from runtime.ids import fraction
from services.memory.identity import Scope
from services.memory.model import Revision
from services.memory.vector_store import VectorStore, Waiting, rows_of

log = logging.getLogger("loom.memory")

MOST_WAITING = 2_000
ROUND = 32
SWEEP_S = 60.0
# Texts saved one by one are embedded and stored in small groups: an insert for each costs more than its vector.
GATHER_S = 0.25
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
TIMEOUT_S = 30.0


class VectorWorker:
    """One per model. `sweep_s` is how often texts of other processes are looked for."""

    def __init__(
        self, store: VectorStore, embedding: Embedding, *, sweep_s: float = SWEEP_S, gather_s: float = GATHER_S
    ) -> None:
        self._store, self._embedding = store, embedding
        self._sweep_s, self._gather_s = sweep_s, gather_s
        self._queue: deque[Waiting] = deque()
        self._wanted, self._idle = asyncio.Event(), asyncio.Event()
        self._must_sweep = True
        self._pause_s = 0.0
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), context=contextvars.Context())

    def offer(self, rows: Sequence[Revision]) -> None:
        """Texts that were just made findable; never blocks."""
        for row in rows:
            if len(self._queue) >= MOST_WAITING:
                self._must_sweep = True
                break
            scope = Scope(row.org, row.namespace, row.user_id)
            self._queue.append(Waiting(scope, row.id, row.revision_id, row.title, row.content))
        self._idle.clear()
        self._wanted.set()

    async def settled(self) -> None:
        """Returns when every stored text has its vector."""
        self._must_sweep = True
        self._idle.clear()
        self._wanted.set()
        await self._idle.wait()

    async def close(self) -> None:
        """Stops at once: the next start goes on."""
        if self._task:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        while True:
            try:
                if not await self._round():
                    await self._rest()
                self._pause_s = 0.0
            except (EmbedderUnavailable, LoomError) as error:
                self._must_sweep = True
                reason = error.code.name if isinstance(error, LoomError) else str(error)
                log.warning("no vectors can be made for now: %s", reason)
                self._pause_s = min(max(2 * self._pause_s, FIRST_PAUSE_S), LONGEST_PAUSE_S)
                await asyncio.sleep(self._pause_s * (0.5 + fraction() / 2))
            except Exception as defect:
                self._must_sweep = True
                log.exception("making vectors failed: %s", type(defect).__name__)
                await asyncio.sleep(LONGEST_PAUSE_S)

    async def _round(self) -> bool:
        """Embeds some texts; False where none waits."""
        texts = [self._queue.popleft() for _ in range(min(ROUND, len(self._queue)))]
        if not texts and self._must_sweep:
            model = (await self._embedding.ready()).name
            texts = await self._store.waiting(model, ROUND, TIMEOUT_S)
            self._must_sweep = bool(texts)
        if texts:
            await self._embed(texts)
        return bool(texts)

    async def _rest(self) -> None:
        self._wanted.clear()
        self._idle.set()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._sweep_s):
                await self._wanted.wait()
            await asyncio.sleep(self._gather_s)
            return
        self._must_sweep = True

    async def _embed(self, texts: Sequence[Waiting]) -> None:
        pieces = [chunks(text.title, text.content) for text in texts]
        try:
            vectors = await self._embedding.texts([piece for some in pieces for piece in some])
        except Refused:
            if len(texts) == 1:
                log.warning("the embedder refused a text; it is found by its words alone")
                await self._keep(texts, [0], None)
                return
            for text in texts:
                await self._embed([text])
            return
        await self._keep(texts, [len(some) for some in pieces], vectors)

    async def _keep(self, texts: Sequence[Waiting], sizes: Sequence[int], vectors: Vectors | None) -> None:
        model = (await self._embedding.ready()).name
        # A memory may have been erased while its text was with the model.
        alive, rows, start = await self._store.living(texts, TIMEOUT_S), [], 0
        for text, size in zip(texts, sizes, strict=True):
            if text.id in alive:
                rows += rows_of(text, model, vectors[start : start + size] if vectors is not None else ())  # type: ignore[arg-type]
            start += size
        await self._store.add(rows, TIMEOUT_S)
        # Or while they were on their way to the table, by another process: its erase pass may be over.
        written = [text for text in texts if text.id in alive]
        left = await self._store.living(written, TIMEOUT_S)
        if gone := [text for text in written if text.id not in left]:
            await self._store.forget(gone)
