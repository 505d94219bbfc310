"""Memories for the benches of search: texts, questions, a data folder filled with them, and the same in SQLite's FTS5."""

import asyncio
import itertools
import random
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from runtime.clock import SystemClock
from runtime.embedding.minilm import DIM, NAME
from runtime.store import Store, StoreConfig
from services.memory.identity import Scope
from services.memory.model import Revision
from services.memory.vector_store import VectorStore, Waiting, rows_of
from tests.support.memory_search import draft, memories

USER = "ada"
SCOPE = Scope("bench", "bench", USER)
SYLLABLES = ("ka", "ro", "mi", "ten", "sol", "va", "dur", "el", "pin", "gra", "thu", "os", "bel", "qui", "nar", "fo")
WORDS = ["".join(parts) for parts in itertools.product(SYLLABLES, repeat=3)]
# Word frequencies as in natural text: the n-th word comes 1/n as often.
SHARES = list(itertools.accumulate(1 / place for place in range(1, len(WORDS) + 1)))
ROUND, SESSION = 2_000, 50
MIN_WORDS, MAX_WORDS = 12, 30


def texts(seed: int) -> Iterator[tuple[str, str]]:
    """Titles and contents, without end, the same for the same seed."""
    dice = random.Random(seed)
    while True:
        words = dice.choices(WORDS, cum_weights=SHARES, k=dice.randint(MIN_WORDS, MAX_WORDS))
        yield " ".join(words[:4]), " ".join(words[4:]) + "."


def questions(count: int) -> list[str]:
    """Five words each, common and rare ones."""
    dice = random.Random(1)
    return [" ".join(dice.choices(WORDS, cum_weights=SHARES, k=5)) for _ in range(count)]


def fill(folder: Path, count: int) -> None:
    """A data folder with so many memories of one user in sessions of fifty, with vectors that mean nothing."""
    asyncio.run(_fill(folder, count))


async def _fill(folder: Path, count: int) -> None:
    store, numbers = await Store.open(StoreConfig(data_dir=str(folder))), np.random.default_rng(1)
    try:
        async with memories(store, SystemClock()) as kept:
            source, vectors = texts(0), VectorStore(store)
            for start in range(0, count, ROUND):
                some = [draft(*next(source)) for _ in range(min(ROUND, count - start))]
                sessions = {f"session-{start + at}": some[at : at + SESSION] for at in range(0, len(some), SESSION)}
                await vectors.add(_vectors(await kept.save_new(sessions, SCOPE), numbers), 60)
    finally:
        await store.close()


def _vectors(rows: Sequence[Revision], numbers: np.random.Generator) -> list:
    found = []
    for row in rows:
        made = numbers.normal(size=(1, DIM)).astype(np.float32)
        waiting = Waiting(SCOPE, row.id, row.revision_id, "", "")
        found += rows_of(waiting, NAME, made / np.linalg.norm(made))
    return found


class Fts:
    """The alternative: one FTS5 table; a commit is on disk when it returns."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("CREATE VIRTUAL TABLE memories USING fts5(title, content, tokenize = 'porter unicode61')")

    def add(self, rows: Sequence[tuple[str, str]]) -> None:
        self._db.execute("BEGIN")
        self._db.executemany("INSERT INTO memories VALUES (?, ?)", rows)
        self._db.execute("COMMIT")

    def search(self, question: str) -> list[tuple[str, str]]:
        """The ten best of those that have any of the words."""
        query = " OR ".join(f'"{word}"' for word in question.split())
        sql = (
            "SELECT title, snippet(memories, 1, '', '', '', 30) FROM memories WHERE memories MATCH ? "
            "ORDER BY bm25(memories, 2.0, 1.0) LIMIT 10"
        )
        return self._db.execute(sql, (query,)).fetchall()

    def close(self) -> None:
        self._db.close()
