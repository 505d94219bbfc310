"""Stored memories that say nearly the same as a new text: an advice that comes with every save."""

import asyncio
import heapq
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from runtime.clock import Clock
from runtime.embedding.chunks import chunks
from runtime.embedding.interface import EmbedderUnavailable, Refused
from runtime.embedding.service import Embedding
from runtime.errors import LoomError
from services.memory.identity import Scope
from services.memory.lanes import Lanes
from services.memory.model import Draft
from services.memory.ports import Index, Like
from services.memory.retrieval.bm25 import term_weights
from services.memory.retrieval.similar import LEAST_COSINE, LEAST_DICE, Weights, at_most, dice, similarity
from services.memory.retrieval.tokens import terms
from services.memory.search_store import Restriction, SearchStore
from services.memory.store import RevisionStore
from services.memory.vector_store import VectorStore

# A draft's rarest stored terms, which choose its candidates, and how many of those are looked at.
RAREST, LOOKED_AT = 8, 12
# What all drafts of a round share, so that it costs about the same however many they are and however large the store:
# texts that one term may be in to choose something, and texts that are compared word by word; each draft has the least.
COMMON, COMPARED = 2_000, 1_000
LEAST_COMMON, LEAST_LOOKED_AT = 32, 2
# More drafts than this at once are compared by words alone: an import must not wait for the model.
FEW = 2
ROUND = 500
PATIENCE_S = 0.25
# Saves that follow one another faster are many too.
QUIET_S = 0.25
NEAREST = 12
_WHOLE = Restriction()

Text = tuple[int, int]
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class _Draft:
    """A draft's distinct terms, and what it may be like: (id, revision) to cosine, NaN where it is not known."""

    terms: frozenset[str]
    candidates: dict[Text, float]


class FindSimilar:
    """By words for every draft; by meaning too where few come at once and the embedder is free."""

    def __init__(
        self,
        store: SearchStore,
        index: Index,
        revisions: RevisionStore,
        vectors: VectorStore,
        embedding: Embedding | None,
        clock: Clock,
    ) -> None:
        """`store` and `vectors` need not wait for what waits: it is taken from `index` and `revisions`."""
        self._store, self._index, self._revisions, self._vectors = store, index, revisions, vectors
        self._embedding, self._clock = embedding, clock
        self._last = -QUIET_S
        # What waits meanwhile is looked for together: the statements cost about the same for one draft and for fifty.
        self.lanes: Lanes[Scope, tuple[Sequence[Draft], int]] = Lanes(self._round, clock, most=ROUND)

    async def find(
        self, scope: Scope, drafts: Sequence[Draft], most: int, timeout_s: float | None
    ) -> Sequence[Sequence[Like]]:
        """See ports.Similar."""
        if not drafts:
            return []
        found: Sequence[Sequence[Like]] = await self.lanes.together(scope, (drafts, most), len(drafts), timeout_s)
        return found

    async def _round(
        self, scope: Scope, asked: Sequence[tuple[Sequence[Draft], int]], timeout_s: float | None
    ) -> list[Sequence[Sequence[Like]]]:
        drafts = [draft for some, _ in asked for draft in some]
        likes = iter(await self._find(scope, drafts, timeout_s))
        return [[next(likes)[:most] for _ in some] for some, most in asked]

    async def _find(self, scope: Scope, drafts: Sequence[Draft], timeout_s: float | None) -> Sequence[list[Like]]:
        words = await _off_the_loop(len(drafts), lambda: [_words(draft.title, draft.content) for draft in drafts])
        (weights, by_words), by_meaning = await asyncio.gather(
            self._by_words(scope, words, timeout_s), self._by_meaning(scope, drafts, timeout_s)
        )
        found = [
            _Draft(some, {**dict.fromkeys(chosen, np.nan), **near})
            for some, chosen, near in zip(words, by_words, by_meaning, strict=True)
        ]
        ids = sorted({id_ for draft in found for id_, _ in draft.candidates})
        if not ids:
            return [[] for _ in drafts]
        current = await self._current(scope, ids, timeout_s)
        return await _off_the_loop(len(ids), lambda: [_likes(draft, current, weights) for draft in found])

    async def _current(self, scope: Scope, ids: Sequence[int], timeout_s: float | None) -> dict[int, Mapping[str, Any]]:
        """Current texts of those of the memories that live, by id."""
        # What waits first: a row that goes in meanwhile is seen twice, not missed.
        waiting = self._revisions.waiting(scope, ids)
        current = {row["id"]: row for row in await self._store.current(scope, ids, timeout_s)}
        for id_, rows in waiting.items():
            last = max(rows, key=lambda row: (row.deleted, row.said_at, row.written_at))
            if last.deleted:
                current.pop(id_, None)
            elif id_ not in current or last.said_at >= current[id_]["updated_at"]:
                current[id_] = {**last._asdict(), "head": last.revision_id}
        return current

    async def _by_words(
        self, scope: Scope, words: Sequence[frozenset[str]], timeout_s: float | None
    ) -> tuple[Weights, list[list[Text]]]:
        """Weights of the stored ones of the terms, and for each draft the texts that may say nearly the same."""
        most = max(COMMON // len(words), LEAST_COMMON)
        asked = sorted(frozenset().union(*words))
        # What waits first: an entry that goes in meanwhile is seen twice, not missed.
        more, waiting = self._index.waiting(scope, asked)
        total, rows = await self._store.rarest(scope, asked, most, timeout_s)
        frequencies = {row["term"]: row["n"] for row in rows}
        texts = {row["term"]: list(zip(row["ids"], row["revisions"], strict=True)) for row in rows if row["ids"]}
        for term, some in waiting.items():
            frequencies[term] = frequencies.get(term, 0) + len(some)
            if frequencies[term] <= most:
                texts[term] = list(dict.fromkeys((*texts.get(term, ()), *some)))
            else:
                texts.pop(term, None)
        weights = Weights(term_weights(list(frequencies), frequencies, total + more))
        looked_at = max(min(COMPARED // len(words), LOOKED_AT), LEAST_LOOKED_AT)
        return weights, await _off_the_loop(
            len(words), lambda: [_candidates(some, texts, weights, looked_at) for some in words]
        )

    async def _by_meaning(
        self, scope: Scope, drafts: Sequence[Draft], timeout_s: float | None
    ) -> list[dict[Text, float]]:
        nothing: list[dict[Text, float]] = [{} for _ in drafts]
        last, self._last = self._last, self._clock.monotonic()
        if self._last - last < QUIET_S or len(drafts) > FEW or self._embedding is None or self._embedding.is_busy:
            return nothing
        try:
            async with asyncio.timeout(PATIENCE_S):
                return [await self._near(scope, self._embedding, draft, timeout_s) for draft in drafts]
        except (EmbedderUnavailable, Refused, LoomError, TimeoutError):
            return nothing

    async def _near(
        self, scope: Scope, embedding: Embedding, draft: Draft, timeout_s: float | None
    ) -> dict[Text, float]:
        vector: NDArray[np.float32] = await embedding.query(chunks(draft.title, draft.content)[0])
        model = (await embedding.ready()).name
        near = await self._vectors.nearest(scope, model, vector, _WHOLE, NEAREST, timeout_s)
        return {text: cosine for text, cosine in near.items() if cosine >= LEAST_COSINE}


async def _off_the_loop(size: int, work: Callable[[], Made]) -> Made:
    return await asyncio.to_thread(work) if size > LOOKED_AT else work()


def _words(title: str, content: str) -> frozenset[str]:
    return frozenset(terms(f"{title} {content}"))


def _candidates(words: frozenset[str], texts: Mapping[str, Sequence[Text]], weights: Weights, most: int) -> list[Text]:
    """The texts that share most of what the rarest words weigh, without those that cannot share enough of all."""
    listed = sorted((word for word in words if word in texts), key=lambda word: (len(texts[word]), word))
    rarest, commoner = listed[:RAREST], listed[RAREST:]
    shared: defaultdict[Text, float] = defaultdict(float)
    for word in rarest:
        for text in texts[word]:
            shared[text] += weights[word]
    best = {text: shared[text] for text in heapq.nsmallest(most, shared, key=lambda text: (-shared[text], text))}
    for word in commoner:
        for text in texts[word]:
            if text in best:
                best[text] += weights[word]
    # Which texts have a word that very many have is not known: each of these may.
    others = weights.of(word for word in words if word in weights and word not in texts)
    whole = weights.of(words)
    return [text for text, weight in best.items() if at_most(weight + others, whole) >= LEAST_DICE]


def _likes(draft: _Draft, current: Mapping[int, Mapping[str, Any]], weights: Weights) -> list[Like]:
    found = []
    for (id_, revision), cosine in draft.candidates.items():
        now = current.get(id_)
        if now is None or now["head"] != revision:
            continue
        by_words = dice(draft.terms, _words(now["title"], now["content"]), weights)
        alike = similarity(by_words, None if np.isnan(cosine) else cosine)
        if alike is not None:
            found.append(Like(id_, now["title"], now["topic_key"], round(alike, 6)))
    return sorted(found, key=lambda like: (-like.similarity, like.id))
