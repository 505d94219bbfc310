"""The two legs of a search: which texts may answer, and how well each of them does."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runtime.errors import LoomError
from services.memory.embed.interface import EmbedderUnavailable, Refused
from services.memory.embed.service import Embedding
from services.memory.identity import Scope
from services.memory.retrieval import fusion
from services.memory.retrieval.bm25 import contributions, idf
from services.memory.retrieval.expansion import expandable, expansions
from services.memory.retrieval.tokens import query_terms
from services.memory.search_store import Restriction, SearchStore, Statistics, selective
from services.memory.vector_store import VectorStore

LEXICAL_CANDIDATES, SEMANTIC_CANDIDATES = 300, 150
# Fewer live memories among the candidates than this, and more candidates are taken.
LEAST_LIVE, WIDEST = 50, 20_000
# Words that no text has for which parts are looked up; terms of a question that count.
MOST_UNKNOWN, MOST_TERMS = 4, 64
MOST_SUBSTRINGS = 500

Floats = NDArray[np.float64]
Score = Callable[[Sequence[int]], Awaitable[Floats | None]]
Sessions = Callable[[Iterable[int]], Awaitable[Mapping[int, float]]]


async def _no_score(revisions: Sequence[int]) -> None:
    return None


async def _no_sessions(episodes: Iterable[int]) -> Mapping[int, float]:
    return {}


@dataclass(frozen=True, slots=True)
class Found:
    """What a leg found: texts by revision, and how it scores any texts (None: it does not run)."""

    revisions: Sequence[int] = ()
    score: Score = _no_score
    sessions: Sessions = _no_sessions
    wanted: frozenset[str] = frozenset()
    statistics: Statistics = field(default_factory=Statistics)


@dataclass(frozen=True, slots=True)
class _Question:
    """A question's terms with their weights. `stand_ins` of unknown words weigh too, but not in the ceiling."""

    weights: Mapping[str, float]
    stand_ins: Mapping[str, float]

    @property
    def all(self) -> dict[str, float]:
        return {**self.stand_ins, **self.weights}


class Lexical:
    """BM25 over the inverted index."""

    def __init__(self, store: SearchStore) -> None:
        self._store = store

    async def run(self, scope: Scope, query: str, restriction: Restriction, timeout_s: float | None) -> Found:
        terms = query_terms(query)[:MOST_TERMS]
        if not terms:
            return await self.substring(scope, query, restriction, timeout_s)
        statistics = await self._store.statistics(scope, terms, timeout_s)
        if not statistics.texts:
            return Found()
        question, statistics = await self._question(scope, terms, statistics, timeout_s)
        chosen = selective({t: w for t, w in question.all.items() if w > 0}, statistics.frequencies)
        revisions = await self._candidates(scope, chosen, statistics, restriction, timeout_s)

        async def score(texts: Sequence[int]) -> Floats:
            rows = await self._store.postings(scope, list(question.all), texts, timeout_s)
            return relevance(question, rows, texts, statistics)

        async def sessions(episodes: Iterable[int]) -> Mapping[int, float]:
            if statistics.episodes < fusion.LEAST_SESSIONS:
                return {}
            return await self._sessions(scope, question, chosen, statistics, list(episodes), timeout_s)

        return Found(revisions, score, sessions, frozenset(question.all), statistics)

    async def substring(self, scope: Scope, query: str, restriction: Restriction, timeout_s: float | None) -> Found:
        """The query as it stands, in titles and contents."""
        rows = await self._store.substrings(scope, query, restriction, MOST_SUBSTRINGS, timeout_s)
        scores = {row["revision_id"]: substring_relevance(row) for row in rows}

        async def score(texts: Sequence[int]) -> Floats:
            return np.array([scores.get(text, 0.0) for text in texts])

        return Found(list(scores), score, wanted=frozenset({query.casefold()}))

    async def _question(
        self, scope: Scope, terms: Sequence[str], statistics: Statistics, timeout_s: float | None
    ) -> tuple[_Question, Statistics]:
        """The terms with their weights, and the statistics with the stand-ins' frequencies."""
        known, weights = statistics.frequencies, _weights(terms, statistics)
        unknown = [term for term in terms if term not in known and expandable(term)][:MOST_UNKNOWN]
        if not unknown:
            return _Question(weights, {}), statistics
        words = await self._store.words(scope, unknown, timeout_s)
        shares: dict[str, float] = {}
        for term in unknown:
            for word, share in expansions(term, words).items():
                shares[word] = max(share, shares.get(word, 0.0))
        fresh = [word for word in shares if word not in weights]
        if not fresh:
            return _Question(weights, {}), statistics
        more = await self._store.statistics(scope, fresh, timeout_s)
        statistics = replace(statistics, frequencies={**known, **more.frequencies})
        stand_ins = {word: shares[word] * weight for word, weight in _weights(fresh, statistics).items()}
        return _Question(weights, stand_ins), statistics

    async def _candidates(
        self,
        scope: Scope,
        chosen: Mapping[str, float],
        statistics: Statistics,
        restriction: Restriction,
        timeout_s: float | None,
    ) -> list[int]:
        """The best texts; more where most of them are no longer current."""
        limit = LEXICAL_CANDIDATES
        while True:
            rows = await self._store.candidates(scope, chosen, statistics.average, restriction, limit, timeout_s)
            if len(rows) < limit or limit >= WIDEST or len({row["id"] for row in rows}) >= LEAST_LIVE:
                return [row["revision_id"] for row in rows]
            limit *= 8

    async def _sessions(
        self,
        scope: Scope,
        question: _Question,
        chosen: Mapping[str, float],
        statistics: Statistics,
        wanted: list[int],
        timeout_s: float | None,
    ) -> Mapping[int, float]:
        """Lexical relevance of each wanted session as a whole."""
        terms = [term for term in question.weights if term in chosen]
        rows = await self._store.episodes(scope, terms, timeout_s)
        lengths = await self._store.episode_lengths(scope, wanted, timeout_s)
        counts = np.zeros((len(wanted), len(terms)))
        frequencies = np.zeros(len(terms))
        for row in rows:
            column, having = terms.index(row["term"]), dict(zip(row["episodes"], row["counts"], strict=True))
            counts[:, column] = [having.get(episode, 0) for episode in wanted]
            frequencies[column] = len(having)
        weights = idf(statistics.episodes, frequencies)
        average = statistics.average * statistics.texts / max(statistics.episodes, 1)
        sizes = np.array([lengths.get(episode, 0) for episode in wanted], dtype=np.float64)
        scores = contributions(counts, sizes, average, weights).sum(axis=1)
        return dict(zip(wanted, fusion.lexical_relevance(scores, float(weights.sum())).tolist(), strict=True))


class Semantic:
    """Cosine over vectors of one model: of the embedders the one that has vectors of most of the user's texts."""

    def __init__(self, store: VectorStore, embeddings: Sequence[Embedding]) -> None:
        self._store, self._embeddings = store, list(embeddings)

    async def run(
        self, scope: Scope, query: str, restriction: Restriction, timeout_s: float | None
    ) -> tuple[Found, str]:
        """What was found and how the leg fared."""
        try:
            return await self._run(scope, query, restriction, timeout_s), "ok"
        except (EmbedderUnavailable, Refused) as error:
            return Found(), f"unavailable: {error}"
        except LoomError as error:
            return Found(), f"unavailable: {error.code.name}"

    async def _run(self, scope: Scope, query: str, restriction: Restriction, timeout_s: float | None) -> Found:
        embedding = await self._choose(scope, timeout_s)
        embedder = await embedding.ready()
        vector = await embedding.query(query)
        near = await self._store.nearest(scope, embedder.name, vector, restriction, SEMANTIC_CANDIDATES, timeout_s)

        async def score(texts: Sequence[int]) -> Floats | None:
            missing = [text for text in texts if text not in near]
            more = await self._store.cosines(scope, embedder.name, vector, missing, timeout_s) if missing else {}
            cosines = np.array([near.get(text, more.get(text, np.nan)) for text in texts])
            return fusion.semantic_relevance(cosines, embedder.floor, embedder.ceiling)

        return Found(list(near), score)

    async def _choose(self, scope: Scope, timeout_s: float | None) -> Embedding:
        if not self._embeddings:
            raise EmbedderUnavailable("turned off by LOOM_EMBEDDER_KIND")
        if len(self._embeddings) == 1:
            return self._embeddings[0]
        coverage = await self._store.coverage(scope, timeout_s)
        usable, reason = [], EmbedderUnavailable("no embedder can be loaded")
        for embedding in self._embeddings:
            try:
                usable.append(((await embedding.ready()).name, embedding))
            except EmbedderUnavailable as error:
                reason = error
        if not usable:
            raise reason
        return max(usable, key=lambda pair: coverage.get(pair[0], 0))[1]


def relevance(
    question: _Question, rows: Iterable[Mapping[str, Any]], texts: Sequence[int], statistics: Statistics
) -> Floats:
    """Lexical relevance of each of `texts`, in [0, 1], from their postings."""
    weights = question.all
    columns = {term: column for column, term in enumerate(weights)}
    places = {text: place for place, text in enumerate(texts)}
    counts, lengths = np.zeros((len(texts), len(columns))), np.zeros(len(texts))
    for row in rows:
        place = places[row["revision_id"]]
        lengths[place] = row["size"]
        for term, count in zip(row["terms"], row["counts"], strict=True):
            counts[place, columns[term]] = count
    scores = contributions(counts, lengths, statistics.average, np.array(list(weights.values()))).sum(axis=1)
    return fusion.lexical_relevance(scores, sum(question.weights.values()))


def substring_relevance(row: Mapping[str, Any]) -> float:
    """1 for a word of the title, 0.9 of the content, 0.7 and 0.6 for part of one."""
    if row["title_at"] and not _within_word(row["title_near"]):
        return 1.0
    if row["content_near"] and not _within_word(row["content_near"]):
        return 0.9
    return 0.7 if row["title_at"] else 0.6


def _within_word(near: str) -> bool:
    return any(char.isalnum() for char in near)


def _weights(terms: Sequence[str], statistics: Statistics) -> dict[str, float]:
    frequencies = np.array([statistics.frequencies.get(term, 0) for term in terms], dtype=np.float64)
    return dict(zip(terms, idf(statistics.texts, frequencies).tolist(), strict=True))
