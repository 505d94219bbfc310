"""The embedders of a process, off the event loop: loaded in the background, questions never behind texts.

After a change of the model both are there: the new one makes vectors in the background, and until it has caught up the
old one goes on answering, if it is the default one (an endpoint that was configured before is not known any more).
"""

import asyncio
import contextlib
import logging
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from runtime.embedding.interface import Embedder, EmbedderUnavailable, Refused, Vectors

log = logging.getLogger("loom.embedding")

CACHED_QUERIES = 512
# Making vectors of texts takes a whole core, and nobody waits for it: those that do go first. 10 is what `nice` gives.
TEXT_NICENESS = 10
SHUTTING_DOWN = "the process is stopping"

Vector = NDArray[np.float32]
Load = Callable[[], Embedder]


class Embedding:
    """One embedder with a thread for questions and one for texts. Every failure is EmbedderUnavailable or Refused."""

    def __init__(self, load: Load) -> None:
        self._load, self._embedder = load, None
        self._threads = {
            "query": ThreadPoolExecutor(1, thread_name_prefix="embed-query"),
            "text": ThreadPoolExecutor(1, thread_name_prefix="embed-text", initializer=_step_back),
        }
        self._queries: OrderedDict[str, Vector] = OrderedDict()
        self._loading: asyncio.Future[Embedder] | None = None
        self._asked, self._working = 0, 0

    async def ready(self) -> Embedder:
        """The embedder, loaded by the first call; what failed is tried again by the next one."""
        if self._embedder is None:
            if self._loading is None or self._loading.done():
                self._loading = asyncio.ensure_future(self._run("query", self._load))
            self._embedder = await asyncio.shield(self._loading)
        return self._embedder

    @property
    def is_busy(self) -> bool:
        """Whether questions wait already, or texts are worked on."""
        return self._asked > 1 or self._working > 0

    async def query(self, text: str) -> Vector:
        """Vector of a question, of length one."""
        if text in self._queries:
            self._queries.move_to_end(text)
            return self._queries[text]
        embedder = await self.ready()
        self._asked += 1
        try:
            vector: Vector = (await self._run("query", lambda: embedder.embed([text])))[0]
        finally:
            self._asked -= 1
        self._queries[text] = vector
        if len(self._queries) > CACHED_QUERIES:
            self._queries.popitem(last=False)
        return vector

    async def texts(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts, one row each."""
        embedder = await self.ready()
        self._working += 1
        try:
            return await self._run("text", lambda: embedder.embed(texts))
        finally:
            self._working -= 1

    async def close(self) -> None:
        for threads in self._threads.values():
            threads.shutdown(wait=False, cancel_futures=True)
        if self._embedder is not None:
            await asyncio.to_thread(self._embedder.close)

    async def _run(self, lane: str, work: Callable[[], object]) -> object:
        try:
            return await asyncio.wrap_future(self._threads[lane].submit(work))
        except (EmbedderUnavailable, Refused):
            raise
        except RuntimeError:
            raise EmbedderUnavailable(SHUTTING_DOWN) from None
        except Exception as error:
            # A foreign error's text may quote what was to be embedded.
            log.warning("the embedder failed: %s", type(error).__name__)
            raise EmbedderUnavailable(f"the embedder failed ({type(error).__name__})") from None


def _step_back() -> None:
    """Lowers the priority of this thread, where the system knows priorities of threads."""
    with contextlib.suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), TEXT_NICENESS)
