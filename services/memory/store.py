"""The plane's SQL on memories. Every statement is held to one user's scope."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from runtime.clock import Clock
from runtime.store import Behind, GroupCommit, Store
from services.memory.held import HeldRows
from services.memory.identity import Scope
from services.memory.known_keys import KnownKeys
from services.memory.model import TIE, Known, Revision, Text
from services.memory.retrieval.scores import HALF_LIFE_DAYS, MOST_REVISIONS, OTHER_PRIORITY, TYPE_PRIORITY

REVISIONS = "memory_revisions"
SCOPE = "org = {org:String} AND namespace = {namespace:String} AND user_id = {user_id:String}"
# The order of a memory's texts; the greatest is current. One number, since comparing tuples costs twice a whole query.
PLACE = (
    "(bitShiftLeft(toUInt128(toUnixTimestamp64Micro(said_at)), 74) "
    f"+ bitShiftLeft(toUInt128(toUnixTimestamp64Micro(written_at)), 20) + bitAnd(revision_id, {TIE}))"
)
UPDATED_AT = "max(said_at) AS updated_at"
CREATED_AT = "argMin(said_at, written_at) AS created_at"
HEAD = f"argMax(revision_id, {PLACE}) AS head"
COUNT = "uniqExact(revision_id) AS revision_count"
KIND = f"argMax(type, {PLACE}) AS kind"
SESSION = f"argMax(session_id, {PLACE}) AS session"
# Mostly a list's snippet needs no more of a long content.
BEGINNING_CHARS = 600

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Filters:
    """Which memories a list shows; empty and None mean any. `after` is (updated_at, id) of the last row before.

    `listed` names the list for its page tokens.
    """

    types: Sequence[str] = ()
    session_id: str = ""
    since: datetime | None = None
    until: datetime | None = None
    after: tuple[datetime, int] | None = None
    listed: str = ""


def live(columns: str, having: str = "1", where: str = "1") -> str:
    """SELECT of one row per memory of the scope that is not deleted: its id and the given aggregates."""
    return (
        f"SELECT id, {columns} FROM {REVISIONS} WHERE {SCOPE} AND {where} "
        f"GROUP BY id HAVING max(deleted) = 0 AND {having}"
    )


class RevisionStore:
    """Reads and writes revisions."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._commit = GroupCommit(store, REVISIONS, Revision._fields, clock=clock)
        # Only where no other process reaches the tables.
        self._keys = KnownKeys() if isinstance(store, Behind) else None
        self._held = HeldRows(store)

    async def add(self, rows: Sequence[Revision], timeout_s: float | None) -> None:
        """Returns when the rows are on disk."""
        if self._keys is None:
            await self._commit.write(rows, timeout_s=timeout_s)
            return
        for row in rows:
            self._keys.add(Scope(row.org, row.namespace, row.user_id), row.lookup, row.id)
        group = self._held.hold(rows)
        try:
            await self._commit.write(rows, timeout_s=timeout_s)
        except BaseException:
            for row in rows:
                self._keys.doubt(Scope(row.org, row.namespace, row.user_id))
            raise
        finally:
            self._held.sent(group)

    def waiting(self, scope: Scope, ids: Iterable[int]) -> dict[int, Sequence[Revision]]:
        """Rows of these memories that a statement which does not wait may miss, in the order of their writes."""
        return self._held.of(scope, ids)

    async def close(self) -> None:
        await self._commit.close()

    async def known(
        self, scope: Scope, lookups: Sequence[int], ids: Sequence[int], timeout_s: float | None
    ) -> list[Known]:
        """The memories, deleted ones included, that have a text of one of the lookups, or one of the ids."""
        if self._keys is not None and not await self._may_have(scope, [*lookups, *ids], timeout_s):
            return []
        found = await self._rows(
            "find",
            f"SELECT id FROM {REVISIONS} WHERE {SCOPE} "
            "AND (id IN {ids:Array(UInt64)} OR lookup IN {lookups:Array(UInt64)})",
            scope,
            {"lookups": list(lookups), "ids": list(ids)},
            timeout_s,
        )
        # Most saves find nothing, and a statement of its own is cheaper for them than one that looks twice.
        return await self.states(scope, list({row["id"] for row in found}), timeout_s) if found else []

    async def _may_have(self, scope: Scope, keys: Sequence[int], timeout_s: float | None) -> bool:
        if self._keys is None or not self._keys.may_keep(scope):
            return True
        if scope not in self._keys:
            sql = f"SELECT groupUniqArrayArray([lookup, id]) AS keys FROM {REVISIONS} WHERE {SCOPE}"
            [row] = await self._rows("keys", sql, scope, {}, timeout_s)
            self._keys.keep(scope, row["keys"])
            if scope not in self._keys:
                return True
        return self._keys.may_have(scope, keys)

    async def states(self, scope: Scope, ids: Sequence[int], timeout_s: float | None) -> list[Known]:
        """The memories of these ids, deleted ones included, each with its current text."""
        rows = await self._rows(
            "states",
            f"SELECT id, max(deleted) > 0 AS is_gone, max(written_at) AS last_written, argMax((revision_id, "
            f"content_hash, type, title, said_at, written_at, topic_key), {PLACE}) AS now "
            f"FROM {REVISIONS} WHERE {SCOPE} AND id IN {{ids:Array(UInt64)}} GROUP BY id",
            scope,
            {"ids": list(ids)},
            timeout_s,
        )
        return [_known(row) for row in rows]

    async def texts(self, scope: Scope, ids: Sequence[int], timeout_s: float | None) -> dict[int, list[Text]]:
        """All texts of these memories, without their content, in order."""
        rows = await self._rows(
            "texts",
            f"SELECT id, revision_id, content_hash, type, title, said_at, written_at FROM {REVISIONS} "
            f"WHERE {SCOPE} AND id IN {{ids:Array(UInt64)}} AND deleted = 0 "
            f"ORDER BY id, {PLACE} LIMIT 1 BY id, revision_id",
            scope,
            {"ids": list(ids)},
            timeout_s,
        )
        found: dict[int, list[Text]] = {}
        for row in rows:
            found.setdefault(row.pop("id"), []).append(Text(**row))
        return found

    async def heads(self, scope: Scope, ids: Sequence[int], timeout_s: float | None) -> dict[int, Row]:
        """created_at, updated_at, head and revision_count of those of these memories that live, by id."""
        rows = await self._rows(
            "heads",
            live(f"{CREATED_AT}, {UPDATED_AT}, {HEAD}, {COUNT}", where="id IN {ids:Array(UInt64)}"),
            scope,
            {"ids": list(ids)},
            timeout_s,
        )
        return {row["id"]: row for row in rows}

    async def bodies(
        self, scope: Scope, heads: Mapping[int, int], timeout_s: float | None, *, whole: bool
    ) -> dict[int, Row]:
        """The texts that `heads` names (revision by memory id), by memory id; with `whole` all of the content."""
        content = "content" if whole else f"substringUTF8(content, 1, {BEGINNING_CHARS}) AS content"
        rows = await self._rows(
            "bodies",
            f"SELECT id, revision_id, type, title, topic_key, session_id, source, evidence, said_at, {content} "
            f"FROM {REVISIONS} WHERE {SCOPE} AND id IN {{ids:Array(UInt64)}} "
            "AND revision_id IN {revisions:Array(UInt64)} LIMIT 1 BY id, revision_id",
            scope,
            {"ids": list(heads), "revisions": list(heads.values())},
            timeout_s,
        )
        return {row["id"]: row for row in rows if heads[row["id"]] == row["revision_id"]}

    async def revisions(self, scope: Scope, ids: Sequence[int], timeout_s: float | None) -> list[Row]:
        """Every text of those of these memories that live, by memory and then oldest first."""
        return await self._rows(
            "revisions",
            "SELECT id, revision_id, type, title, content, topic_key, session_id, source, evidence, said_at "
            f"FROM {REVISIONS} WHERE {SCOPE} AND id IN {{ids:Array(UInt64)}} AND id NOT IN "
            f"(SELECT id FROM {REVISIONS} WHERE {SCOPE} AND id IN {{ids:Array(UInt64)}} AND deleted > 0) "
            f"ORDER BY id, {PLACE} LIMIT 1 BY id, revision_id",
            scope,
            {"ids": list(ids)},
            timeout_s,
        )

    async def evidence(self, scope: Scope, id_: int, timeout_s: float | None) -> list[str]:
        """Keys of the observations that any text of the memory was extracted from."""
        sql = f"SELECT arraySort(groupUniqArrayArray(evidence)) AS keys FROM {REVISIONS} WHERE {SCOPE} AND id = {{id:UInt64}}"
        [row] = await self._rows("evidence", sql, scope, {"id": id_}, timeout_s)
        return list(row["keys"])

    async def page(self, scope: Scope, filters: Filters, limit: int, timeout_s: float | None) -> list[Row]:
        """id, updated_at and head of up to `limit` memories, most recently updated first."""
        having, params = _having(filters)
        columns = [UPDATED_AT, HEAD, *([KIND] if filters.types else []), *([SESSION] if filters.session_id else [])]
        sql = live(", ".join(columns), having) + " ORDER BY updated_at DESC, id DESC LIMIT {limit:UInt32}"
        return await self._rows("page", sql, scope, {**params, "limit": limit}, timeout_s)

    async def neighbours(
        self, scope: Scope, created_at: datetime, id_: int, before: int, after: int, timeout_s: float | None
    ) -> list[Row]:
        """id, created_at, updated_at and head of a memory and those around it, in (created_at, id) order."""
        place = "(created_at, id) {} ({{created_at:DateTime64(6, 'UTC')}}, {{id:UInt64}})"
        columns = f"{CREATED_AT}, {UPDATED_AT}, {HEAD}"
        earlier = live(columns, place.format("<")) + " ORDER BY created_at DESC, id DESC LIMIT {before:UInt32}"
        later = live(columns, place.format(">=")) + " ORDER BY created_at, id LIMIT {after:UInt32}"
        return await self._rows(
            "neighbours",
            f"SELECT * FROM (({earlier}) UNION ALL ({later})) ORDER BY created_at, id",
            scope,
            {"created_at": created_at, "id": id_, "before": before, "after": after + 1},
            timeout_s,
        )

    async def first_said(
        self, scope: Scope, after: tuple[datetime, int] | None, limit: int, timeout_s: float | None
    ) -> list[Row]:
        """id and created_at of up to `limit` memories, in (created_at, id) order."""
        having = "(created_at, id) > ({after_at:DateTime64(6, 'UTC')}, {after_id:UInt64})" if after else "1"
        params = {"after_at": after[0], "after_id": after[1]} if after else {}
        sql = live(CREATED_AT, having) + " ORDER BY created_at, id LIMIT {limit:UInt32}"
        return await self._rows("first_said", sql, scope, {**params, "limit": limit}, timeout_s)

    async def sizes(self, scope: Scope, ids: Sequence[int], timeout_s: float | None) -> dict[int, int]:
        """Bytes of all contents of each of these memories."""
        sql = live("sum(length(content)) AS size", where="id IN {ids:Array(UInt64)}")
        return {row["id"]: row["size"] for row in await self._rows("sizes", sql, scope, {"ids": list(ids)}, timeout_s)}

    async def top(self, scope: Scope, now: datetime, limit: int, timeout_s: float | None) -> list[Row]:
        """id, updated_at, head, revision_count, kind of the memories of the greatest ContextScore, and their total."""
        sql = (
            f"SELECT *, count() OVER () AS total FROM ({live(f'{UPDATED_AT}, {HEAD}, {COUNT}, {KIND}')}) "
            f"ORDER BY {_CONTEXT_SCORE} DESC, updated_at DESC, id DESC LIMIT {{limit:UInt32}}"
        )
        params = {"now": now, "limit": limit, "kinds": list(TYPE_PRIORITY), "priorities": list(TYPE_PRIORITY.values())}
        return await self._rows("top", sql, scope, params, timeout_s)

    async def counts(self, scope: Scope, timeout_s: float | None) -> dict[str, int]:
        """Number of live memories by kind."""
        sql = f"SELECT kind, count() AS n FROM ({live(KIND)}) GROUP BY kind ORDER BY kind"
        return {row["kind"]: row["n"] for row in await self._rows("counts", sql, scope, {}, timeout_s)}

    async def of_session(self, scope: Scope, session_id: str, timeout_s: float | None) -> list[Row]:
        """kind and title of the live memories whose current text is of the session, most recently updated first."""
        title = f"argMax(title, {PLACE}) AS title"
        sql = live(f"{UPDATED_AT}, {KIND}, {SESSION}, {title}", "session = {session:String}")
        return await self._rows(
            "of_session", f"{sql} ORDER BY updated_at DESC, id DESC", scope, {"session": session_id}, timeout_s
        )

    async def to_be_erased(self, timeout_s: float | None) -> list[tuple[Scope, int]]:
        """Memories of any user whose erasure has begun."""
        rows = await self._store.query(
            f"SELECT DISTINCT org, namespace, user_id, id FROM {REVISIONS} WHERE deleted = 2",
            timeout_s=timeout_s,
            name="memory.to_be_erased",
        )
        return [(Scope(row["org"], row["namespace"], row["user_id"]), row["id"]) for row in rows]

    async def _rows(
        self, name: str, sql: str, scope: Scope, params: Mapping[str, Any], timeout_s: float | None
    ) -> list[Row]:
        bound = {**scope._asdict(), **params}
        return await self._store.query(sql, bound, timeout_s=timeout_s, name=f"memory.{name}")


# ContextScore in SQL, of the same numbers as retrieval.scores; exact to the last digits of a double.
_CONTEXT_SCORE = (
    f"0.50 * exp2(-greatest(dateDiff('microsecond', updated_at, {{now:DateTime64(6, 'UTC')}}), 0) / 86400e6 "
    f"/ {HALF_LIFE_DAYS}) + 0.30 * least(revision_count, {MOST_REVISIONS}) / {MOST_REVISIONS} "
    f"+ 0.20 * transform(toString(kind), {{kinds:Array(String)}}, {{priorities:Array(Float64)}}, "
    f"toFloat64({OTHER_PRIORITY}))"
)


def _having(filters: Filters) -> tuple[str, dict[str, Any]]:
    conditions = {
        "types": ("kind IN {types:Array(String)}", list(filters.types)),
        "session": ("session = {session:String}", filters.session_id),
        "since": ("updated_at >= {since:DateTime64(6, 'UTC')}", filters.since),
        "until": ("updated_at < {until:DateTime64(6, 'UTC')}", filters.until),
    }
    given = {name: condition for name, condition in conditions.items() if condition[1]}
    parts = [sql for sql, _ in given.values()]
    params = {name: value for name, (_, value) in given.items()}
    if filters.after is not None:
        parts.append("(updated_at, id) < ({after_at:DateTime64(6, 'UTC')}, {after_id:UInt64})")
        params["after_at"], params["after_id"] = filters.after
    return " AND ".join(parts) or "1", params


def _known(row: Row) -> Known:
    revision, hashed, kind, title, said_at, written_at, topic_key = row["now"]
    text = Text(revision, hashed, kind, title, said_at, written_at)
    return Known(row["id"], topic_key, bool(row["is_gone"]), [text], row["last_written"])
