"""Stored memories that say nearly the same as a new text: an advice that comes with every save."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runtime.clock import Clock
from runtime.errors import LoomError
from services.memory.embed.chunks import chunks
from services.memory.embed.interface import EmbedderUnavailable, Refused
from services.memory.embed.service import Embedding
from services.memory.identity import Scope
from services.memory.lanes import Lanes
from services.memory.model import Draft
from services.memory.ports import Like
from services.memory.retrieval.bm25 import term_weights
from services.memory.retrieval.similar import LEAST_COSINE, dice, similarity
from services.memory.retrieval.tokens import terms
from services.memory.search_store import Restriction, SearchStore
from services.memory.store import RevisionStore
from services.memory.vector_store import VectorStore

# A draft's rarest stored terms, which choose its candidates, and how many of those are looked at.
RAREST, LOOKED_AT = 8, 12
# A term in more texts than this chooses nothing.
COMMON = 5_000
# More drafts than this at once are compared by words alone: an import must not wait for the model.
FEW = 2
ROUND = 500
PATIENCE_S = 0.25
NEAREST = 12
_WHOLE = Restriction()


@dataclass(frozen=True, slots=True)
class _Draft:
    """A draft's distinct terms, and what it may be like: (id, revision) to cosine, NaN where it is not known."""

    terms: frozenset[str]
    candidates: dict[tuple[int, int], float]


class FindSimilar:
    """By words for every draft; by meaning too where few come at once and the embedder is free."""

    def __init__(
        self,
        store: SearchStore,
        revisions: RevisionStore,
        vectors: VectorStore,
        embedding: Embedding | None,
        clock: Clock,
    ) -> None:
        self._store, self._revisions, self._vectors, self._embedding = store, revisions, vectors, embedding
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
        words = [frozenset(terms(f"{draft.title} {draft.content}")) for draft in drafts]
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
        heads = {row["id"]: row["head"] for row in await self._store.heads(scope, ids, None, timeout_s)}
        bodies = await self._revisions.bodies(scope, heads, timeout_s, whole=True)
        return [_likes(draft, heads, bodies, weights) for draft in found]

    async def _by_words(
        self, scope: Scope, words: Sequence[frozenset[str]], timeout_s: float | None
    ) -> tuple[dict[str, float], list[list[tuple[int, int]]]]:
        """Weights of the stored ones of the terms, and for each draft texts that share its rarest terms."""
        sizes, frequencies = await asyncio.gather(
            self._store.sizes(scope, timeout_s),
            self._store.frequencies(scope, sorted(frozenset().union(*words)), timeout_s),
        )
        weights = term_weights(list(frequencies), frequencies, sizes.texts)
        wanted = [
            (number, term, weights[term])
            for number, some in enumerate(words)
            for term in sorted(
                (term for term in some if 0 < frequencies.get(term, 0) <= COMMON),
                key=lambda term: (frequencies[term], term),
            )[:RAREST]
        ]
        found: list[list[tuple[int, int]]] = [[] for _ in words]
        if wanted:
            for number, *text in await self._store.sharing(scope, wanted, LOOKED_AT, timeout_s):
                found[number].append((text[0], text[1]))
        return weights, found

    async def _by_meaning(
        self, scope: Scope, drafts: Sequence[Draft], timeout_s: float | None
    ) -> list[dict[tuple[int, int], float]]:
        nothing: list[dict[tuple[int, int], float]] = [{} for _ in drafts]
        if self._embedding is None or len(drafts) > FEW or self._embedding.is_busy:
            return nothing
        try:
            async with asyncio.timeout(PATIENCE_S):
                return [await self._near(scope, self._embedding, draft, timeout_s) for draft in drafts]
        except (EmbedderUnavailable, Refused, LoomError, TimeoutError):
            return nothing

    async def _near(
        self, scope: Scope, embedding: Embedding, draft: Draft, timeout_s: float | None
    ) -> dict[tuple[int, int], float]:
        vector: NDArray[np.float32] = await embedding.query(chunks(draft.title, draft.content)[0])
        model = (await embedding.ready()).name
        near = await self._vectors.nearest(scope, model, vector, _WHOLE, NEAREST, timeout_s)
        return {text: cosine for text, cosine in near.items() if cosine >= LEAST_COSINE}


def _likes(
    draft: _Draft,
    heads: Mapping[int, int],
    bodies: Mapping[int, Mapping[str, str]],
    weights: Mapping[str, float],
) -> list[Like]:
    found = []
    for (id_, revision), cosine in draft.candidates.items():
        if heads.get(id_) != revision or id_ not in bodies:
            continue
        body = bodies[id_]
        by_words = dice(draft.terms, frozenset(terms(f"{body['title']} {body['content']}")), weights)
        alike = similarity(by_words, None if np.isnan(cosine) else cosine)
        if alike is not None:
            found.append(Like(id_, body["title"], body["topic_key"], round(alike, 6)))
    return sorted(found, key=lambda like: (-like.similarity, like.id))
