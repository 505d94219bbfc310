"""One user's memories in numpy, for methods to be compared without a store between them."""

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from runtime.embedding.chunks import chunks
from runtime.embedding.interface import Embedder
from services.memory.retrieval.bm25 import contributions, idf
from services.memory.retrieval.fusion import lexical_relevance
from tests.bench.memory_quality.dataset import Item

Floats = NDArray[np.float64]
Analyse = Callable[[str], Sequence[str]]


class Corpus:
    """Items in order, with vectors of their chunks."""

    def __init__(self, items: Sequence[Item], embedder: Embedder) -> None:
        self.items, self._embedder = list(items), embedder
        self.labels = [item.label for item in items]
        self.sessions = [item.session for item in items]
        pieces = [(index, text) for index, item in enumerate(items) for text in chunks(item.title, item.content)]
        self._owner = np.array([index for index, _ in pieces])
        self._vectors = embedder.embed([text for _, text in pieces])
        self._cosines: dict[str, Floats] = {}

    def bm25(self, texts: Sequence[str], analyse: Analyse, query: str) -> tuple[Floats, float]:
        """BM25 of each text for the query, and the query's ceiling."""
        return bm25([Counter(analyse(text)) for text in texts], list(dict.fromkeys(analyse(query))))

    def cosines(self, query: str) -> Floats:
        """Cosine of each item's nearest chunk."""
        if query not in self._cosines:
            nearest = np.full(len(self.items), -1.0)
            np.maximum.at(nearest, self._owner, self._vectors @ self._embedder.embed([query])[0])
            self._cosines[query] = nearest
        return self._cosines[query]

    def neighbours(self) -> NDArray[np.int64]:
        """Indexes of the items 1 before, 1 after, 2 before, 2 after in the same session; -1 for none."""
        count = len(self.items)
        table = np.full((count, 4), -1, dtype=np.int64)
        for index in range(count):
            for column, step in enumerate((-1, 1, -2, 2)):
                other = index + step
                if 0 <= other < count and self.sessions[other] == self.sessions[index]:
                    table[index, column] = other
        return table

    def session_scores(self, documents: Sequence[Counter[str]], query: Sequence[str]) -> Floats:
        """For each item the relevance of its whole session, in [0, 1]."""
        names = list(dict.fromkeys(self.sessions))
        merged: dict[str, Counter[str]] = {name: Counter() for name in names}
        for session, document in zip(self.sessions, documents, strict=True):
            merged[session].update(document)
        scores, ceiling = bm25([merged[name] for name in names], query)
        relevance = lexical_relevance(scores, ceiling)
        return np.array([relevance[names.index(session)] for session in self.sessions])


def bm25(documents: Sequence[Counter[str]], query: Sequence[str]) -> tuple[Floats, float]:
    """BM25 of each document for the query's terms, and the sum of the terms' weights."""
    counts = np.array([[document[term] for term in query] for document in documents], dtype=np.float64)
    counts = counts.reshape(len(documents), len(query))
    lengths = np.array([sum(document.values()) for document in documents], dtype=np.float64)
    weights = idf(len(documents), (counts > 0).sum(axis=0).astype(np.float64))
    return contributions(counts, lengths, float(lengths.mean()), weights).sum(axis=1), float(weights.sum())
