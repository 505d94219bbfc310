"""Likes by meaning: where few saves come at once, the embedder is free, and it answers in time; else by words alone."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import numpy as np
import pytest

from runtime.clock import ManualClock
from runtime.embedding.interface import Vectors
from runtime.embedding.service import Embedding
from services.memory.ops import similar
from services.memory.ops.similar import QUIET_S, FindSimilar
from services.memory.ports import Like
from tests.support.memory_search import SCOPE, Kept, draft, memories
from tests.support.stores import chdb_store

LIMIT_S = 20.0


class Gated:
    """Dogs and puppies are one, all else another. It answers while `gate` is open."""

    name, dim, floor, ceiling = "gated", 2, 0.1, 0.9

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.gate.set()

    def embed(self, texts: list[str]) -> Vectors:
        assert self.gate.wait(LIMIT_S)
        return np.array([[1.0, 0.0] if "dog" in t or "puppy" in t else [0.0, 1.0] for t in texts], dtype=np.float32)

    def close(self) -> None:
        return None


class Likes:
    """`await likes(text, …)` is what each text is like, by title."""

    def __init__(self, kept: Kept, embedding: Embedding, clock: ManualClock) -> None:
        self.find = FindSimilar(kept.reads, kept.index, kept.revisions, kept.vectors, embedding, clock)
        self.clock = clock

    async def __call__(self, *texts: str, quiet: bool = True) -> list[list[str]]:
        if quiet:
            self.clock.advance(2 * QUIET_S)
        async with asyncio.timeout(LIMIT_S):
            found = await self.find.find(SCOPE, [draft("", text) for text in texts], 3, None)
        return [[_title(like) for like in likes] for likes in found]


def _title(like: Like) -> str:
    return like.title


@asynccontextmanager
async def stored(folder: Path, embedder: Gated) -> AsyncIterator[Likes]:
    clock, embedding = ManualClock(), Embedding(lambda: embedder)
    async with chdb_store(folder, fsync=False) as store, memories(store, clock, [embedding]) as kept:
        await kept.save("Pet", "The dog sleeps.")
        assert kept.worker
        await kept.worker.settled()
        yield Likes(kept, embedding, clock)


@pytest.fixture
def embedder() -> Iterator[Gated]:
    made = Gated()
    yield made
    made.gate.set()  # a thread that waits would keep the process


async def test_a_lone_save_is_told_what_says_the_same_in_other_words(tmp_path: Path, embedder: Gated) -> None:
    async with stored(tmp_path, embedder) as likes:
        assert await likes("A puppy naps") == [["Pet"]]
        assert await likes("A car drives") == [[]]


async def test_a_model_that_takes_too_long_is_not_waited_for(
    tmp_path: Path, embedder: Gated, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with stored(tmp_path, embedder) as likes:
        assert similar.PATIENCE_S == 0.25
        monkeypatch.setattr(similar, "PATIENCE_S", 0.01)
        embedder.gate.clear()
        assert await likes("A puppy naps") == [[]]
        likes.clock.advance(1)
        assert await likes("The dog sleeps") == [["Pet"]]  # by its words
        embedder.gate.set()


async def test_saves_in_quick_succession_and_batches_are_compared_by_words_alone(
    tmp_path: Path, embedder: Gated
) -> None:
    async with stored(tmp_path, embedder) as likes:
        assert await likes("One thing") == [[]]
        assert await likes("A puppy naps", quiet=False) == [[]]
        assert await likes("A puppy naps") == [["Pet"]]
        assert await likes("A puppy naps", "Another thing", "A third") == [[], [], []]
