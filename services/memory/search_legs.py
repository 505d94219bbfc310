"""The two legs of a search: which texts may answer, best first, and how well each of them does."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runtime.clock import Clock
from runtime.embedding.interface import EmbedderUnavailable, Refused
from runtime.embedding.service import Embedding
from runtime.errors import LoomError
from services.memory.identity import Scope
from services.memory.retrieval import fusion
from services.memory.retrieval.bm25 import term_weights
from services.memory.retrieval.expansion import expandable, expansions
from services.memory.retrieval.postings import Question, by_session, score_lists, score_rows
from services.memory.retrieval.tokens import query_terms
from services.memory.search_store import Restriction, SearchStore, Sizes, selective
from services.memory.vector_store import VectorStore

# Texts of a term that are read at once; a question with a commoner term takes two more statements.
LONGEST_LIST = 2_000
CANDIDATES, NEAREST = 2_000, 500
# Words that no text has for which parts are looked up; terms of a question that count.
MOST_UNKNOWN, MOST_TERMS = 4, 64
# Of a longer question a word that no text has says little, so long as others are known.
FEW_TERMS = 4
MOST_SUBSTRINGS = 500
# A large store's size moves slowly, so it is not counted for every search.
LARGE, FRESH_S = 1_000, 30.0

Floats = NDArray[np.float64]
Text = tuple[int, int]
Score = Callable[[Sequence[int]], Awaitable[Floats | None]]


async def _no_score(revisions: Sequence[int]) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Found:
    """What a leg found: texts as (id, revision), best first, and how it scores any texts (None: it does not run).

    `sessions` has the relevance of whole sessions by episode, `wanted` the terms that a snippet should show. What was
    found letter by letter `is_exact`: nothing beside it answers as well.
    """

    texts: Sequence[Text] = ()
    score: Score = _no_score
    sessions: Mapping[int, float] | None = None
    wanted: frozenset[str] = frozenset()
    is_exact: bool = False


class Lexical:
    """BM25 over the inverted index."""

    def __init__(self, store: SearchStore, clock: Clock) -> None:
        self._store, self._clock = store, clock
        self._sizes: dict[Scope, tuple[float, Sizes]] = {}

    async def run(self, scope: Scope, query: str, restriction: Restriction, timeout_s: float | None) -> Found:
        terms = query_terms(query)[:MOST_TERMS]
        if not terms:
            return await self.substring(scope, query, restriction, timeout_s)
        sizes = await self._size(scope, timeout_s)
        if not sizes.texts:
            return Found()
        rows = await self._store.lists(scope, terms, restriction, LONGEST_LIST, timeout_s)
        known = {row["term"]: row["n"] for row in rows}
        stand_ins: dict[str, float] = {}
        if unknown := _unknown(terms, known):
            more, stand_ins = await self._stand_ins(scope, unknown, known, sizes, restriction, timeout_s)
            rows += more
        question = Question(term_weights(terms, known, sizes.texts), stand_ins)
        if any(row["n"] > LONGEST_LIST for row in rows):
            return await self._two_steps(scope, question, rows, sizes, restriction, timeout_s)
        texts, scores = score_lists(question, rows, sizes.average)

        async def score(revisions: Sequence[int]) -> Floats:
            return np.array([scores.get(revision, 0.0) for revision in revisions])

        return Found(texts, score, by_session(question, rows, sizes), question.terms)

    async def substring(self, scope: Scope, query: str, restriction: Restriction, timeout_s: float | None) -> Found:
        """The query as it stands, in titles and contents."""
        rows = await self._store.substrings(scope, query, restriction, MOST_SUBSTRINGS, timeout_s)
        scores = {(row["id"], row["revision_id"]): substring_relevance(row) for row in rows}
        by_revision = {revision: score for (_, revision), score in scores.items()}

        async def score(revisions: Sequence[int]) -> Floats:
            return np.array([by_revision.get(revision, 0.0) for revision in revisions])

        return Found(
            sorted(scores, key=lambda text: -scores[text]), score, wanted=frozenset({query.casefold()}), is_exact=True
        )

    async def _size(self, scope: Scope, timeout_s: float | None) -> Sizes:
        now = self._clock.monotonic()
        kept = self._sizes.get(scope)
        if kept and now - kept[0] < FRESH_S:
            return kept[1]
        sizes = await self._store.sizes(scope, timeout_s)
        if sizes.texts >= LARGE:
            self._sizes[scope] = (now, sizes)
            if len(self._sizes) > LARGE:
                del self._sizes[next(iter(self._sizes))]
        return sizes

    async def _stand_ins(
        self,
        scope: Scope,
        unknown: Sequence[str],
        known: Mapping[str, int],
        sizes: Sizes,
        restriction: Restriction,
        timeout_s: float | None,
    ) -> tuple[list[dict[str, Any]], dict[str, float]]:
        """Lists and weights of stored words that have most of an unknown word in them."""
        words = await self._store.words(scope, unknown, timeout_s)
        shares: dict[str, float] = {}
        for term in unknown:
            for word, share in expansions(term, words).items():
                shares[word] = max(share, shares.get(word, 0.0))
        fresh = [word for word in shares if word not in known]
        if not fresh:
            return [], {}
        rows = await self._store.lists(scope, fresh, restriction, LONGEST_LIST, timeout_s)
        weights = term_weights(fresh, {row["term"]: row["n"] for row in rows}, sizes.texts)
        return rows, {row["term"]: shares[row["term"]] * weights[row["term"]] for row in rows}

    async def _two_steps(
        self,
        scope: Scope,
        question: Question,
        rows: Sequence[Mapping[str, Any]],
        sizes: Sizes,
        restriction: Restriction,
        timeout_s: float | None,
    ) -> Found:
        """Candidates by the rarest terms, in the store; all terms only for those."""
        chosen = selective(
            {row["term"]: question.all[row["term"]] for row in rows}, {row["term"]: row["n"] for row in rows}
        )
        found = await self._store.candidates(scope, chosen, sizes.average, restriction, CANDIDATES, timeout_s)
        short = [row for row in rows if row["n"] <= LONGEST_LIST]

        async def score(revisions: Sequence[int]) -> Floats:
            postings = await self._store.postings(scope, list(question.all), revisions, timeout_s)
            return score_rows(question, postings, revisions, sizes.average)

        texts = [(row["id"], row["revision_id"]) for row in found]
        return Found(texts, score, by_session(question, short, sizes), question.terms)


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
        near = await self._store.nearest(scope, embedder.name, vector, restriction, NEAREST, timeout_s)
        cosines = {revision: cosine for (_, revision), cosine in near.items()}
        # What is not among that many is farther than all of them; below that number it has no vector yet.
        beyond = min(cosines.values()) if len(near) >= NEAREST else np.nan

        async def score(revisions: Sequence[int]) -> Floats:
            found = np.array([cosines.get(revision, beyond) for revision in revisions])
            return fusion.semantic_relevance(found, embedder.floor, embedder.ceiling)

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


def substring_relevance(row: Mapping[str, Any]) -> float:
    """1 for a word of the title, 0.9 of the content, 0.7 and 0.6 for part of one."""
    if row["title_at"] and not _within_word(row["title_near"]):
        return 1.0
    if row["content_near"] and not _within_word(row["content_near"]):
        return 0.9
    return 0.7 if row["title_at"] else 0.6


def _within_word(near: str) -> bool:
    return any(char.isalnum() for char in near)


def _unknown(terms: Sequence[str], known: Mapping[str, int]) -> list[str]:
    """Terms that no text has and whose parts are worth a look."""
    unknown = [term for term in terms if term not in known and expandable(term)]
    if len(terms) > FEW_TERMS and 2 * len(unknown) <= len(terms):
        return []
    return unknown[:MOST_UNKNOWN]
