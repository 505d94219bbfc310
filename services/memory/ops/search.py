"""memory.search: both legs, fused, with what sessions lend, then SearchScore."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
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
from services.memory.search_legs import Found, Lexical, Semantic
from services.memory.search_store import Restriction, SearchStore
from services.memory.store import RevisionStore
from services.memory.types import Types

MOST_HITS = 100
OK, NOT_ASKED = "ok", "not asked: a query under 3 characters is looked for as it stands"
SHORT = 3
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


@dataclass(slots=True)
class Scored:
    """Texts with their relevance; `heads` has the memories whose current text each is."""

    relevance: dict[int, float] = field(default_factory=dict)
    heads: dict[int, Mapping[str, Any]] = field(default_factory=dict)


class Search:
    """Reads touch nothing."""

    def __init__(
        self, store: SearchStore, revisions: RevisionStore, semantic: Semantic, types: Types, clock: Clock
    ) -> None:
        self._store, self._revisions, self._types, self._clock = store, revisions, types, clock
        self._lexical, self._semantic = Lexical(store), semantic

    async def execute(self, scope: Scope, given: SearchInput, timeout_s: float | None) -> Hits:
        """Raises INVALID_FIELD. A leg that cannot run is named, and the other answers."""
        self._check(given)
        query = given.query.strip()
        restriction = Restriction(given.types, given.types_exclude, given.since, given.until, given.as_of)
        if len(query) < SHORT:
            lexical = await self._lexical.substring(scope, query, restriction, timeout_s)
            semantic, status = Found(), NOT_ASKED
        else:
            lexical, (semantic, status) = await asyncio.gather(
                self._lexical.run(scope, query, restriction, timeout_s),
                self._semantic.run(scope, query, restriction, timeout_s),
            )
        scored = await self._score(scope, lexical, semantic, given.as_of, timeout_s)
        hits = await self._hits(scope, given, scored, lexical.wanted | frozenset(query_terms(query)), timeout_s)
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

    async def _score(
        self, scope: Scope, lexical: Found, semantic: Found, as_of: datetime | None, timeout_s: float | None
    ) -> Scored:
        """Relevance of every candidate and of what stands around it in its session."""
        found = list(dict.fromkeys((*lexical.revisions, *semantic.revisions)))
        if not found:
            return Scored()
        around = {row["revision_id"]: row for row in await self._store.around(scope, found, timeout_s)}
        revisions = list(dict.fromkeys((*found, *(other for row in around.values() for other in _beside(row)))))
        by_words, by_meaning, sessions, rows = await asyncio.gather(
            lexical.score(revisions),
            semantic.score(revisions),
            lexical.sessions({row["episode"] for row in around.values()}),
            self._store.heads(scope, revisions, as_of, timeout_s),
        )
        heads = {row["head"]: row for row in rows}
        fused = fusion.fuse(by_words, by_meaning)
        fused[[revision not in heads for revision in revisions]] = 0.0
        lent = fusion.lend(fused, _indexes(revisions, around))
        shares = np.array([sessions.get(around[r]["episode"], 0.0) if r in around else 0.0 for r in revisions])
        relevance = fusion.with_session(lent, shares, lexical.statistics.episodes)
        return Scored(dict(zip(revisions, relevance.tolist(), strict=True)), heads)

    async def _hits(
        self, scope: Scope, given: SearchInput, scored: Scored, wanted: frozenset[str], timeout_s: float | None
    ) -> list[Compact]:
        now = given.as_of or self._clock.now()
        ranked = []
        for revision, head in scored.heads.items():
            text = scored.relevance.get(revision, 0.0)
            if text <= 0 or not _passes(given, head):
                continue
            score = round(search_score(text, head["updated_at"], head["revision_count"], now), DIGITS)
            if score >= given.min_score:
                ranked.append((score, head))
        ranked.sort(key=lambda pair: (-pair[0], -pair[1]["updated_at"].timestamp(), pair[1]["id"]))
        best = ranked[: given.limit]
        bodies = await self._bodies(scope, [head for _, head in best], timeout_s)
        return [_compact(bodies[head["id"]], head, score, wanted) for score, head in best if head["id"] in bodies]

    async def _bodies(
        self, scope: Scope, heads: Iterable[Mapping[str, Any]], timeout_s: float | None
    ) -> dict[int, dict[str, Any]]:
        named = {head["id"]: head["head"] for head in heads}
        return await self._revisions.bodies(scope, named, timeout_s, whole=True) if named else {}


def _passes(given: SearchInput, head: Mapping[str, Any]) -> bool:
    """The filters once more: what a neighbour lent to may be of another kind or time."""
    kind, at = head["kind"], head["updated_at"]
    return (
        (not given.types or kind in given.types)
        and kind not in given.types_exclude
        and (given.since is None or at >= given.since)
        and (given.until is None or at < given.until)
    )


def _beside(row: Mapping[str, Any]) -> list[int]:
    return [row[name] for name in ("b1", "a1", "b2", "a2") if row[name]]


def _indexes(revisions: list[int], around: Mapping[int, Mapping[str, Any]]) -> "fusion.Indexes":
    """Of every text the places of those beside it in `revisions`; -1 for none, and where a text was indexed twice."""
    places = {revision: place for place, revision in enumerate(revisions)}
    table = np.full((len(revisions), 4), -1, dtype=np.int64)
    for revision, row in around.items():
        for column, name in enumerate(("b1", "a1", "b2", "a2")):
            place = places.get(row[name], -1)
            table[places[revision], column] = -1 if place == places[revision] else place
            if place >= 0 and row[name] not in around:
                # Where a candidate stands as seen from beside it.
                table[place, column ^ 1] = places[revision]
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
