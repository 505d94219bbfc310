"""The SQL of search over words: candidates from the inverted index, and what is needed to score them exactly.

Every statement is held to one user's scope. A text is named by its revision.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from runtime.store import Store
from services.memory.identity import Scope
from services.memory.retrieval.bm25 import K1, B
from services.memory.retrieval.expansion import LEAST_COVERAGE
from services.memory.retrieval.tokens import grams
from services.memory.store import PLACE, REVISIONS, SCOPE

# Postings that candidates are chosen by, rarest terms first; commoner terms only score what those found.
MOST_POSTINGS = 30_000
MOST_WORDS = 200
MOST_PIECES = 12

Row = dict[str, Any]
# The rows of the index that stand for whole texts.
TEXTS = f"memory_terms WHERE {SCOPE} AND term = ''"
# What is deleted must not take the places of what is not.
LIVING = f"id NOT IN (SELECT id FROM {REVISIONS} WHERE {SCOPE} AND deleted > 0)"
AS_OF = "said_at <= {as_of:DateTime64(6, 'UTC')}"


@dataclass(frozen=True, slots=True)
class Restriction:
    """Which texts may be hits; empty and None mean any. `as_of` asks for what was current then."""

    types: Sequence[str] = ()
    types_exclude: Sequence[str] = ()
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None

    def conditions(self, kind: str = "kind", at: str = "said_at") -> tuple[list[str], dict[str, Any]]:
        """SQL over a text's kind and instant, and its parameters."""
        all_of = {
            "types": (f"{kind} IN {{types:Array(String)}}", list(self.types)),
            "types_exclude": (f"{kind} NOT IN {{types_exclude:Array(String)}}", list(self.types_exclude)),
            "since": (f"{at} >= {{since:DateTime64(6, 'UTC')}}", self.since),
            "until": (f"{at} < {{until:DateTime64(6, 'UTC')}}", self.until),
            "as_of": (AS_OF, self.as_of),
        }
        given = {name: pair for name, pair in all_of.items() if pair[1]}
        return [sql for sql, _ in given.values()], {name: value for name, (_, value) in given.items()}

    def filter(self) -> tuple[str, dict[str, Any]]:
        """The same as a condition on revision_id."""
        parts, params = self.conditions()
        if not parts:
            return "1", {}
        wanted = f"SELECT revision_id FROM {TEXTS} AND {' AND '.join(parts)}"
        return f"revision_id IN ({wanted})", params


@dataclass(frozen=True, slots=True)
class Sizes:
    """Of a user's texts: how many, their mean length, their episodes."""

    texts: int = 0
    average: float = 0.0
    episodes: int = 0


class SearchStore:
    """Reads the index."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def sizes(self, scope: Scope, timeout_s: float | None) -> Sizes:
        sql = f"SELECT count() AS texts, avg(length) AS average, uniq(episode) AS episodes FROM {TEXTS}"
        [row] = await self._rows("sizes", sql, scope, {}, timeout_s)
        return Sizes(**row) if row["texts"] else Sizes()

    async def lists(
        self, scope: Scope, terms: Sequence[str], restriction: Restriction, most: int, timeout_s: float | None
    ) -> list[Row]:
        """For each term that occurs: n, and of up to `most` texts ids, revisions, counts, lengths, episodes."""
        allowed, params = restriction.filter()
        columns = ", ".join(
            f"groupArray({most})({column}) AS {name}"
            for name, column in (
                ("ids", "id"),
                ("revisions", "revision_id"),
                ("counts", "count"),
                ("lengths", "length"),
                ("episodes", "episode"),
            )
        )
        sql = (
            f"SELECT term, count() AS n, {columns} FROM memory_terms "
            f"WHERE {SCOPE} AND term IN {{terms:Array(String)}} AND {allowed} GROUP BY term"
        )
        return await self._rows("lists", sql, scope, {**params, "terms": list(terms)}, timeout_s)

    async def words(self, scope: Scope, terms: Sequence[str], timeout_s: float | None) -> list[str]:
        """Stored words that have most of the pieces of one of the terms."""
        params: dict[str, Any] = {}
        anyof, total = [], []
        for number, term in enumerate(terms):
            pieces = grams(term)[:MOST_PIECES]
            names = {f"p{number}_{place}": piece for place, piece in enumerate(pieces)}
            params.update(names)
            shared = " + ".join(f"(position(term, {{{name}:String}}) > 0)" for name in names)
            anyof.append(f"{shared} >= {LEAST_COVERAGE * len(pieces)}")
            total.append(f"({shared}) / {len(pieces)}")
        best = f"greatest({', '.join(total)})" if len(total) > 1 else total[0]
        sql = (
            f"SELECT term FROM (SELECT DISTINCT term FROM memory_terms WHERE {SCOPE}) WHERE {' OR '.join(anyof)} "
            f"ORDER BY {best} DESC, length(term), term LIMIT {MOST_WORDS}"
        )
        return [row["term"] for row in await self._rows("words", sql, scope, params, timeout_s)]

    async def candidates(
        self,
        scope: Scope,
        weights: Mapping[str, float],
        average: float,
        restriction: Restriction,
        limit: int,
        timeout_s: float | None,
    ) -> list[Row]:
        """id and revision_id of the texts with the best BM25 score over these terms, best first."""
        allowed, params = restriction.filter()
        norm = f"{K1} * ({1 - B} + {B} * length / {{average:Float64}})"
        sql = (
            "SELECT id, revision_id, sum(transform(term, {terms:Array(String)}, {weights:Array(Float64)}, 0.) "
            f"* count / (count + {norm})) AS score FROM memory_terms "
            f"WHERE {SCOPE} AND term IN {{terms:Array(String)}} AND {allowed} AND {LIVING} "
            "GROUP BY id, revision_id ORDER BY score DESC, revision_id LIMIT {limit:UInt32}"
        )
        bound = {
            **params,
            "terms": list(weights),
            "weights": list(weights.values()),
            "average": max(average, 1.0),
            "limit": limit,
        }
        return await self._rows("candidates", sql, scope, bound, timeout_s)

    async def around(self, scope: Scope, revisions: Sequence[int], timeout_s: float | None) -> list[Row]:
        """These texts and those up to two places away in their episodes.

        id, revision_id, episode and place of each, in order; within an episode places count on by one.
        """
        wanted = f"SELECT episode FROM {TEXTS} AND revision_id IN {{revisions:Array(UInt64)}}"
        order = "PARTITION BY episode ORDER BY said_at, position, revision_id"
        sql = (
            "SELECT id, revision_id, episode, place FROM (SELECT id, revision_id, episode, "
            f"row_number() OVER ({order}) AS place, max(revision_id IN {{revisions:Array(UInt64)}}) "
            f"OVER ({order} ROWS BETWEEN 2 PRECEDING AND 2 FOLLOWING) AS is_near FROM {TEXTS} "
            f"AND episode IN ({wanted})) WHERE is_near ORDER BY episode, place"
        )
        return await self._rows("around", sql, scope, {"revisions": list(revisions)}, timeout_s)

    async def postings(
        self, scope: Scope, terms: Sequence[str], revisions: Sequence[int], timeout_s: float | None
    ) -> list[Row]:
        """revision_id, length, and terms with their counts, of those texts that have any of the terms."""
        sql = (
            "SELECT revision_id, any(length) AS size, groupArray(term) AS terms, groupArray(count) AS counts "
            f"FROM memory_terms WHERE {SCOPE} AND term IN {{terms:Array(String)}} "
            "AND revision_id IN {revisions:Array(UInt64)} GROUP BY revision_id"
        )
        bound = {"terms": list(terms), "revisions": list(revisions)}
        return await self._rows("postings", sql, scope, bound, timeout_s)

    async def rarest(
        self, scope: Scope, terms: Sequence[str], most: int, timeout_s: float | None
    ) -> tuple[int, list[Row]]:
        """The number of texts, and of each term that occurs: term, n, and ids and revisions where n is at most `most`."""
        arrays = ", ".join(
            f"if(count() <= {{most:UInt32}} AND term != '', groupArray({most})({column}), []) AS {name}"
            for column, name in (("id", "ids"), ("revision_id", "revisions"))
        )
        sql = (
            f"SELECT term, count() AS n, {arrays} FROM memory_terms "
            f"WHERE {SCOPE} AND term IN {{terms:Array(String)}} GROUP BY term"
        )
        rows = await self._rows("rarest", sql, scope, {"terms": ["", *terms], "most": most}, timeout_s)
        return sum(row["n"] for row in rows if not row["term"]), [row for row in rows if row["term"]]

    async def current(self, scope: Scope, ids: Sequence[int], timeout_s: float | None) -> list[Row]:
        """id, head, updated_at, title, content and topic_key of those of these memories that live."""
        sql = (
            "SELECT id, head, updated_at, now.1 AS title, now.2 AS content, now.3 AS topic_key FROM (SELECT id, "
            f"max(said_at) AS updated_at, argMax(revision_id, {PLACE}) AS head, "
            f"argMax((title, content, topic_key), {PLACE}) AS now FROM {REVISIONS} "
            f"WHERE {SCOPE} AND id IN {{ids:Array(UInt64)}} GROUP BY id HAVING max(deleted) = 0)"
        )
        return await self._rows("current", sql, scope, {"ids": list(ids)}, timeout_s)

    async def heads(
        self, scope: Scope, ids: Sequence[int], as_of: datetime | None, timeout_s: float | None
    ) -> list[Row]:
        """id, head, updated_at, revision_count, kind of those of these memories that live, now or `as_of`."""
        then, params = (f"(deleted > 0 OR {AS_OF})", {"as_of": as_of}) if as_of else ("1", {})
        sql = (
            f"SELECT id, max(said_at) AS updated_at, argMax(revision_id, {PLACE}) AS head, "
            f"uniqExact(revision_id) AS revision_count, argMax(type, {PLACE}) AS kind FROM {REVISIONS} "
            f"WHERE {SCOPE} AND id IN {{ids:Array(UInt64)}} AND {then} GROUP BY id HAVING max(deleted) = 0"
        )
        return await self._rows("heads", sql, scope, {**params, "ids": list(ids)}, timeout_s)

    async def substrings(
        self, scope: Scope, text: str, restriction: Restriction, limit: int, timeout_s: float | None
    ) -> list[Row]:
        """Texts that have `text` in their title or content, latest first, with what stands around it."""
        parts, params = restriction.conditions("type")
        near = "positionCaseInsensitiveUTF8({0}, {{text:String}}) AS {0}_at"
        cut = (
            "if({0}_at = 0, '', concat(if({0}_at > 1, substringUTF8({0}, {0}_at - 1, 1), ' '), "
            "substringUTF8({0}, {0}_at + {{size:UInt32}}, 1))) AS {0}_near"
        )
        columns = ", ".join(form.format(name) for name in ("title", "content") for form in (near, cut))
        sql = (
            f"SELECT id, revision_id, title_at, title_near, content_near FROM (SELECT id, revision_id, said_at, {columns} "
            f"FROM {REVISIONS} WHERE {SCOPE} AND {' AND '.join(['deleted = 0', LIVING, *parts])} "
            "AND (title_at > 0 OR content_at > 0) LIMIT 1 BY revision_id) "
            "ORDER BY said_at DESC, revision_id LIMIT {limit:UInt32}"
        )
        bound = {**params, "text": text, "size": len(text), "limit": limit}
        return await self._rows("substrings", sql, scope, bound, timeout_s)

    async def _rows(
        self, name: str, sql: str, scope: Scope, params: Mapping[str, Any], timeout_s: float | None
    ) -> list[Row]:
        bound = {**scope._asdict(), **params}
        return await self._store.query(sql, bound, timeout_s=timeout_s, name=f"memory.search.{name}")


def selective(weights: Mapping[str, float], frequencies: Mapping[str, int]) -> dict[str, float]:
    """The rarest of the terms, as many as keep within MOST_POSTINGS; at least one that occurs."""
    chosen: dict[str, float] = {}
    total = 0
    for term in sorted(weights, key=lambda term: frequencies.get(term, 0)):
        total += frequencies.get(term, 0)
        if total > MOST_POSTINGS and any(frequencies.get(kept) for kept in chosen):
            break
        chosen[term] = weights[term]
    return chosen
