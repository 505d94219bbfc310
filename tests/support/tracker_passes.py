"""Background passes over a local record in memory, with an embedder that needs no model.

async with passing(batches, spaces=[...]) as given:
    await given.embed(embedder).run(given.work())
"""

import hashlib
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import orjson

from runtime.embedding.interface import EmbedderUnavailable, Refused, Vectors, unit
from runtime.embedding.service import Embedding
from services.tracker.checking.fits import FitStore
from services.tracker.checking.links_store import LinkStore
from services.tracker.checking.marks import Marks
from services.tracker.checking.vectors import ItemVectors
from services.tracker.record.batch import Batch
from services.tracker.rows import SourceNamespace, SourceRow
from services.tracker.workers.embed import Embed
from services.tracker.workers.frame import BackgroundReads, LeaseLost, Work
from services.tracker.workers.heavy.frames import HEAD_BYTES, packed
from services.tracker.workers.heavy.jobs import Jobs
from services.tracker.workers.heavy.process import Beat, heavy
from services.tracker.workers.links import LinkLimits, Links
from services.tracker.workers.refit import Refit, RefitLimits
from tests.support.tracker_record import REPO, Recorded, recorded

DAY_S = 86_400.0
OPEN = SourceNamespace("open", "open", (REPO,), False)
CLOSED = SourceNamespace("closed", "closed", (REPO,), True)


class Words:
    """An embedder of words: texts that share them are near. Keeps what it was given."""

    dim, floor, ceiling = 64, 0.1, 0.7

    def __init__(self, name: str = "words-1", *, refuses: str = "\0", fails: bool = False) -> None:
        self.name, self.refuses, self.fails = name, refuses, fails
        self.seen: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        if self.fails:
            raise EmbedderUnavailable("it is away")
        if any(self.refuses in text for text in texts):
            raise Refused("too much")
        self.seen += texts
        found = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.casefold().split():
                found[row, hashlib.blake2b(word.encode()).digest()[0] % self.dim] += 1
        return unit(found)

    def close(self) -> None:
        """Nothing is open."""


class Inline:
    """Does heavy jobs on the spot, with messages as they would be sent."""

    def __init__(self) -> None:
        self._jobs = Jobs()

    async def do(self, job: str, extra: bytes = b"", **given: Any) -> dict[str, Any]:
        received = orjson.loads(packed({"job": job, **given})[HEAD_BYTES:])
        return orjson.loads(packed(self._jobs.do(received, extra))[HEAD_BYTES:])


@asynccontextmanager
async def inline(beat: Beat) -> AsyncIterator[Any]:
    yield Inline()


@dataclass
class Passing:
    """A record, its stores, and what its source is."""

    record: Recorded
    source: SourceRow
    saved: list[str] = field(default_factory=list)
    lose_after: int = 1_000_000

    @property
    def reads(self) -> BackgroundReads:
        return BackgroundReads(self.record.serving, self.record.live)

    @property
    def vectors(self) -> ItemVectors:
        return ItemVectors(self.record.store)

    @property
    def marks(self) -> Marks:
        return Marks(self.record.store, self.record.clock)

    @property
    def fits(self) -> FitStore:
        return FitStore(self.record.store, self.record.clock)

    @property
    def links(self) -> LinkStore:
        return LinkStore(self.record.store)

    def work(self, checkpoint: str = "", *, lose_after: int = 1_000_000) -> Work:
        """`lose_after` saves, the lease is lost."""
        self.saved.clear()

        async def save(text: str) -> None:
            self.saved.append(text)
            if len(self.saved) >= lose_after:
                raise LeaseLost

        return Work(self.source, checkpoint, save)

    def embed(self, embedder: Words | None, *, sweep_s: float = 7 * DAY_S) -> Embed:
        embedding = Embedding(lambda: embedder) if embedder else None
        return Embed(self.reads, self.vectors, self.fits, self.marks, embedding, self.record.clock, sweep_s)

    def link(
        self, limits: RefitLimits | None = None, *, days: int = 90, most: int = 20, heavily: bool = False
    ) -> Links:
        start = heavy if heavily else inline
        refit = Refit(self.reads, self.fits, self.vectors, self.marks, self.record.clock, limits or RefitLimits())
        return Links(self.reads, self.links, self.marks, refit, self.record.clock, LinkLimits(days, most), start=start)

    def with_spaces(self, *spaces: SourceNamespace) -> None:
        self.source = replace(self.source, namespaces=spaces)


@asynccontextmanager
async def passing(
    batches: Iterable[Batch], *spaces: SourceNamespace, repos: Sequence[str] = (REPO,)
) -> AsyncIterator[Passing]:
    async with recorded(batches, repos=repos) as record:
        yield Passing(record, replace(record.source, namespaces=spaces or (OPEN,)))
