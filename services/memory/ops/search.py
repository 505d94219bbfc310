"""memory.search: both legs, fused, with what sessions lend, then SearchScore."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from runtime.clock import Clock
from runtime.errors import invalid_field
from services.memory.identity import Scope
from services.memory.ops.views import Compact
from services.memory.retrieval import fusion
from services.memory.retrieval.scores import search_score
from services.memory.retrieval.snippets import snippet
from services.memory.retrieval.tokens import query_terms
from services.memory.search_legs import Floats, Found, Lexical, Semantic
from services.memory.search_store import Restriction, SearchStore
from services.memory.store import RevisionStore
from services.memory.types import Types

MOST_HITS = 100
OK, NOT_ASKED = "ok", "not asked: a query under 3 characters is looked for as it stands"
SHORT = 3
# The best texts of each leg, of which the best memories come; fewer live ones among them than this, and more are taken.
LEXICAL_CANDIDATES, SEMANTIC_CANDIDATES, LEAST_LIVE, WIDER = 120, 60, 30, 4
# A score is a product of measurements; more digits say nothing.
DIGITS = 6


@dataclass(frozen=True, slots=True)
class SearchInput:
    """What is looked for; instants are None for no bound."""

    query: str
    limit: int = 10
    types: tuple[str, ...] = ()
    types_exclude: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    min_score: float = 0.0


@dataclass(frozen=True, slots=True)
class Hits:
    """The hits, best first, and how each leg fared."""

    hits: list[Compact]
    leg_status: dict[str, str]


@dataclass(frozen=True, slots=True)
class Scored:
    """Relevance by revision, and the live memories that those may be the current text of."""

    relevance: Mapping[int, float]
    heads: Sequence[Mapping[str, Any]]


Ranked = tuple[float, Mapping[str, Any]]


async def is_whole() -> None:
    """Nothing is missing."""


class Search:
    """Reads touch nothing."""

    def __init__(
        self,
        store: SearchStore,
        revisions: RevisionStore,
        semantic: Semantic,
        types: Types,
        clock: Clock,
        whole: Callable[[], Awaitable[None]] = is_whole,
    ) -> None:
        """`whole` returns when nothing that was saved is missing from the index."""
        self._store, self._revisions, self._types, self._clock = store, revisions, types, clock
        self._lexical, self._semantic, self._whole = Lexical(store, clock), semantic, whole

    async def execute(self, scope: Scope, given: SearchInput, timeout_s: float | None) -> Hits:
        """Raises INVALID_FIELD. A leg that cannot run is named, and the other answers."""
        self._check(given)
        query = given.query.strip()
        restriction = Restriction(given.types, given.types_exclude, given.since, given.until, given.as_of)
        await self._whole()
        if len(query) < SHORT:
            lexical = await self._lexical.substring(scope, query, restriction, timeout_s)
            semantic, status = Found(), NOT_ASKED
        else:
            lexical, (semantic, status) = await asyncio.gather(
                self._lexical.run(scope, query, restriction, timeout_s),
                self._semantic.run(scope, query, restriction, timeout_s),
            )
        ranked = await self._ranked(scope, given, lexical, semantic, timeout_s)
        hits = await self._hits(scope, ranked, lexical.wanted | frozenset(query_terms(query)), timeout_s)
        return Hits(hits, {"lexical": OK, "semantic": status})

    def _check(self, given: SearchInput) -> None:
        if not given.query.strip():
            raise invalid_field("query", "more than blanks")
        if given.limit < 1 or given.limit > MOST_HITS:
            raise invalid_field("limit", f"from 1 to {MOST_HITS}")
        if given.types and given.types_exclude:
            raise invalid_field("types_exclude", "left out where types is given")
        for name in ("types", "types_exclude"):
            if not all(map(self._types.may_be_asked_for, getattr(given, name))):
                raise invalid_field(name, f"{self._types.expected}, summary")

    async def _ranked(
        self, scope: Scope, given: SearchInput, lexical: Found, semantic: Found, timeout_s: float | None
    ) -> list[Ranked]:
        """The best memories; more candidates are taken where most turn out to be deleted or no longer current."""
        by_words, by_meaning = LEXICAL_CANDIDATES, SEMANTIC_CANDIDATES
        while True:
            texts = {*lexical.texts[:by_words], *semantic.texts[:by_meaning]}
            scored = await self._score(scope, texts, lexical, semantic, given.as_of, timeout_s)
            live = sum(head["head"] in scored.relevance for head in scored.heads)
            if live >= LEAST_LIVE or (by_words >= len(lexical.texts) and by_meaning >= len(semantic.texts)):
                return self._best(given, scored)
            by_words, by_meaning = WIDER * by_words, WIDER * by_meaning

    async def _score(
        self,
        scope: Scope,
        texts: Collection[tuple[int, int]],
        lexical: Found,
        semantic: Found,
        as_of: datetime | None,
        timeout_s: float | None,
    ) -> Scored:
        """Relevance of these texts and of what stands around them in their sessions."""
        if not texts:
            return Scored({}, [])
        around = await self._store.around(scope, [revision for _, revision in texts], timeout_s)
        revisions = [row["revision_id"] for row in around]
        by_words, by_meaning, heads = await asyncio.gather(
            lexical.score(revisions),
            semantic.score(revisions),
            self._store.heads(scope, sorted({row["id"] for row in around}), as_of, timeout_s),
        )
        fused = fusion.fuse(by_words, by_meaning)
        current = {head["head"] for head in heads}
        fused[[revision not in current for revision in revisions]] = 0.0
        relevance = fused if lexical.is_exact else fusion.contrast(_with_sessions(fused, around, lexical.sessions))
        return Scored(dict(zip(revisions, relevance.tolist(), strict=True)), heads)

    def _best(self, given: SearchInput, scored: Scored) -> list[Ranked]:
        now = given.as_of or self._clock.now()
        ranked = []
        for head in scored.heads:
            text = scored.relevance.get(head["head"], 0.0)
            if text <= 0 or not _passes(given, head):
                continue
            score = round(search_score(text, head["updated_at"], head["revision_count"], now), DIGITS)
            if score >= given.min_score:
                ranked.append((score, head))
        ranked.sort(key=lambda pair: (-pair[0], -pair[1]["updated_at"].timestamp(), pair[1]["id"]))
        return ranked[: given.limit]

    async def _hits(
        self, scope: Scope, ranked: Sequence[Ranked], wanted: frozenset[str], timeout_s: float | None
    ) -> list[Compact]:
        if not ranked:
            return []
        heads = {head["id"]: head["head"] for _, head in ranked}
        bodies = await self._revisions.bodies(scope, heads, timeout_s, whole=True)
        return [_compact(bodies[head["id"]], head, score, wanted) for score, head in ranked if head["id"] in bodies]


def _passes(given: SearchInput, head: Mapping[str, Any]) -> bool:
    """The filters once more: what a neighbour lent to may be of another kind or time."""
    kind, at = head["kind"], head["updated_at"]
    return (
        (not given.types or kind in given.types)
        and kind not in given.types_exclude
        and (given.since is None or at >= given.since)
        and (given.until is None or at < given.until)
    )


def _with_sessions(fused: Floats, around: Sequence[Mapping[str, Any]], sessions: Mapping[int, float] | None) -> Floats:
    shares = np.array([sessions.get(row["episode"], 0.0) for row in around]) if sessions else None
    return fusion.lend(fused, beside(around), shares)


def beside(around: Sequence[Mapping[str, Any]]) -> fusion.Indexes:
    """Of every text the places in `around` of those 1 before, 1 after, 2 before, 2 after; -1 for none.

    `around` is in order of episode and place; a text that was indexed twice is not beside itself.
    """
    places = {(row["episode"], row["place"]): index for index, row in enumerate(around)}
    table = np.full((len(around), 4), -1, dtype=np.int64)
    for index, row in enumerate(around):
        for column, step in enumerate((-1, 1, -2, 2)):
            other = places.get((row["episode"], row["place"] + step), -1)
            if other >= 0 and around[other]["revision_id"] != row["revision_id"]:
                table[index, column] = other
    return table


def _compact(body: Mapping[str, Any], head: Mapping[str, Any], score: float, wanted: frozenset[str]) -> Compact:
    return Compact(
        id=head["id"],
        type=body["type"],
        title=body["title"],
        topic_key=body["topic_key"],
        snippet=snippet(body["content"], wanted),
        updated_at=head["updated_at"],
        score=score,
    )
