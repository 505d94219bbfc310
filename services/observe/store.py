"""The observe plane's SQL."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple

from runtime.clock import Clock
from runtime.store import GroupCommit, Store
from services.observe import states

OBSERVATIONS, STATES = "observations", "observation_states"


class Row(NamedTuple):
    """One row of the observations table, in the order of COLUMNS."""

    org: str
    namespace: str
    session_id: str
    memory_key: str
    agent: str
    user_id: str
    run_id: str
    kind: str
    tool_name: str
    narrative: str
    error: str
    has_error: bool
    tags: list[str]
    file_paths: list[str]
    content_sha256: str
    skipped_reason: str
    observed_at: datetime
    recorded_at: datetime
    valid_at: date | None
    precedence: int


class StateRow(NamedTuple):
    """One row of the states table."""

    org: str
    namespace: str
    session_id: str
    memory_key: str
    state: str
    claim_id: str
    attempt: int
    lease_until: datetime
    memories: list[str]
    version: int


@dataclass(frozen=True, slots=True)
class Scope:
    """Which rows a read concerns; empty or `*` means any, for agent also `-`."""

    org: str
    namespace: str
    agent: str = "*"
    user_id: str = "*"
    session_id: str = "*"


@dataclass(frozen=True, slots=True)
class Filters:
    """What else must hold; empty and None mean anything. `after` is the last row of the page before."""

    kind: str = ""
    tag: str = ""
    path: str = ""
    state: str = ""
    since: datetime | None = None
    until: datetime | None = None
    after: tuple[datetime, str] | None = None


# Columns that callers see; the tenant tuple is theirs already.
SHOWN = (
    "memory_key, agent, user_id, session_id, run_id, kind, tool_name, narrative, error, has_error, tags, file_paths, "
    "content_sha256, skipped_reason, observed_at, recorded_at, valid_at"
)
# An expired lease returns its rows, without anybody having to write that.
STATE = (
    f"multiIf(s.state = '', '{states.PENDING}', "
    f"s.state = '{states.CLAIMED}' AND s.lease_until <= {{now:DateTime64(6, 'UTC')}}, '{states.READY}', s.state)"
)


class ObserveStore:
    """Reads and writes observations and their states."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock
        self._commit = GroupCommit(store, OBSERVATIONS, Row._fields, clock=clock)

    async def add(self, rows: Sequence[Row], timeout_s: float | None) -> None:
        """Returns when the rows are on disk."""
        await self._commit.write([tuple(row) for row in rows], timeout_s=timeout_s)

    async def close(self) -> None:
        await self._commit.close()

    async def page(self, scope: Scope, filters: Filters, limit: int, timeout_s: float | None) -> list[dict[str, Any]]:
        """Up to `limit` rows in (observed_at, memory_key) order, each with its state."""
        inner, outer, params = self._conditions(scope, filters)
        sql = (
            f"SELECT {SHOWN}, state FROM ({self._joined(scope, inner, SHOWN)}) "
            f"WHERE {outer} ORDER BY observed_at, memory_key LIMIT {{limit:UInt32}}"
        )
        return await self._store.query(sql, {**params, "limit": limit}, timeout_s=timeout_s, name="observe.page")

    async def by_keys(self, scope: Scope, keys: Sequence[str], timeout_s: float | None) -> dict[str, dict[str, Any]]:
        """The rows of the scope that have these keys, by key."""
        inner, _, params = self._conditions(scope, Filters())
        # The session is part of the key and leads the key in the table, so naming it keeps the read to a few marks.
        inner += " AND memory_key IN {keys:Array(String)} AND session_id IN {sessions:Array(String)}"
        params |= {"keys": list(keys), "sessions": sorted({session_of(key) for key in keys})}
        rows = await self._store.query(
            self._joined(scope, inner, SHOWN), params, timeout_s=timeout_s, name="observe.by_keys"
        )
        return {row["memory_key"]: row for row in rows}

    async def stats(self, scope: Scope, sessions: int, timeout_s: float | None) -> dict[str, Any]:
        """Counts by kind and state, the number of sessions, and the `sessions` most recent ones."""
        inner, _, params = self._conditions(scope, Filters())
        joined = self._joined(scope, inner, "session_id, kind, has_error, observed_at")
        totals = await self._store.query(
            f"SELECT kind, state, count() AS n FROM ({joined}) GROUP BY kind, state",
            params,
            timeout_s=timeout_s,
            name="observe.totals",
        )
        recent = await self._store.query(
            "SELECT session_id, count() AS observations, countIf(state = 'pending') AS pending, "
            "countIf(has_error) AS errors, min(observed_at) AS first_at, max(observed_at) AS last_at, "
            f"count() OVER () AS sessions FROM ({joined}) GROUP BY session_id "
            "ORDER BY last_at DESC, session_id LIMIT {limit:UInt32}",
            {**params, "limit": sessions},
            timeout_s=timeout_s,
            name="observe.sessions",
        )
        return {"totals": totals, "recent": recent}

    async def pending(self, scope: Scope, limit: int, timeout_s: float | None) -> list[dict[str, Any]]:
        """The oldest pending rows of a session: keys alone."""
        inner, outer, params = self._conditions(scope, Filters(state=states.PENDING))
        sql = (
            f"SELECT session_id, memory_key FROM ({self._joined(scope, inner, 'session_id, memory_key, observed_at')}) "
            f"WHERE {outer} ORDER BY observed_at, memory_key LIMIT {{limit:UInt32}}"
        )
        return await self._store.query(sql, {**params, "limit": limit}, timeout_s=timeout_s, name="observe.pending")

    async def earlier(
        self, scope: Scope, place: tuple[datetime, str], limit: int, timeout_s: float | None
    ) -> list[dict[str, Any]]:
        """The last `limit` rows before (observed_at, memory_key) that are not pending, in that order."""
        inner, _, params = self._conditions(scope, Filters())
        before = " AND (observed_at, memory_key) < ({before_at:DateTime64(6, 'UTC')}, {before_key:String})"
        sql = (
            f"SELECT * FROM (SELECT {SHOWN}, state FROM ({self._joined(scope, inner + before, SHOWN)}) "
            f"WHERE state != '{states.PENDING}' ORDER BY observed_at DESC, memory_key DESC LIMIT {{limit:UInt32}}) "
            "ORDER BY observed_at, memory_key"
        )
        params |= {"before_at": place[0], "before_key": place[1], "limit": limit}
        return await self._store.query(sql, params, timeout_s=timeout_s, name="observe.earlier")

    async def set_states(self, rows: Sequence[StateRow], timeout_s: float | None) -> None:
        await self._store.insert(STATES, StateRow._fields, [tuple(row) for row in rows], timeout_s=timeout_s)

    async def states_of(
        self, org: str, namespace: str, keys: Sequence[str], timeout_s: float | None
    ) -> dict[str, dict[str, Any]]:
        """State rows by key; a pending observation has none."""
        sql = (
            f"SELECT memory_key, session_id, state, claim_id, attempt FROM {STATES} FINAL WHERE org = {{org:String}} "
            "AND namespace = {namespace:String} AND session_id IN {sessions:Array(String)} "
            "AND memory_key IN {keys:Array(String)}"
        )
        params = {
            "org": org,
            "namespace": namespace,
            "keys": list(keys),
            "sessions": sorted({session_of(key) for key in keys}),
        }
        rows = await self._store.query(sql, params, timeout_s=timeout_s, name="observe.states_of")
        return {row["memory_key"]: row for row in rows}

    async def ready(self, limit: int, timeout_s: float | None) -> list[dict[str, Any]]:
        """State rows that may be claimed now, of every tenant, oldest first; one claimed LAST_ATTEMPT times is given up."""
        sql = (
            f"SELECT org, namespace, session_id, memory_key, attempt FROM {STATES} FINAL "
            f"WHERE state = '{states.READY}' OR (state = '{states.CLAIMED}' "
            f"AND lease_until <= {{now:DateTime64(6, 'UTC')}} AND attempt < {states.LAST_ATTEMPT}) "
            "ORDER BY org, namespace, session_id, version DESC, lease_until, memory_key LIMIT {limit:UInt32}"
        )
        params = {"now": self._clock.now(), "limit": limit}
        return await self._store.query(sql, params, timeout_s=timeout_s, name="observe.ready")

    def _joined(self, scope: Scope, inner: str, columns: str) -> str:
        session = " AND session_id = {session_id:String}" if named(scope.session_id) else ""
        tenant = "org = {org:String} AND namespace = {namespace:String}" + session
        shown = ", ".join(f"o.{column.strip()} AS {column.strip()}" for column in columns.split(","))
        return (
            f"SELECT {shown}, {STATE} AS state FROM "
            f"(SELECT {_with_keys(columns)} FROM {OBSERVATIONS} FINAL WHERE {tenant} AND {inner}) AS o "
            f"LEFT JOIN (SELECT session_id, memory_key, state, lease_until FROM {STATES} FINAL WHERE {tenant}) AS s "
            "ON o.session_id = s.session_id AND o.memory_key = s.memory_key"
        )

    def _scope_params(self, scope: Scope) -> dict[str, Any]:
        params = {"org": scope.org, "namespace": scope.namespace, "now": self._clock.now()}
        if named(scope.session_id):
            params["session_id"] = scope.session_id
        return params

    def _conditions(self, scope: Scope, filters: Filters) -> tuple[str, str, dict[str, Any]]:
        """Conditions on the stored row, conditions on the row with its state, and the parameters of both."""
        params = self._scope_params(scope)
        inner = ["1"]
        if named(scope.agent) and scope.agent != "-":
            inner.append("agent = {agent:String}")
            params["agent"] = scope.agent
        if named(scope.user_id):
            inner.append("user_id = {user_id:String}")
            params["user_id"] = scope.user_id
        for condition, name, value in _filter_conditions(filters):
            inner.append(condition)
            params[name] = value
        if filters.after is not None:
            inner.append(
                "(observed_at, memory_key) > ({after_at:DateTime64(6, 'UTC')}, {after_key:String})",
            )
            params["after_at"], params["after_key"] = filters.after
        outer = "1"
        if filters.state:
            outer, params["state"] = "state = {state:String}", filters.state
        return " AND ".join(inner), outer, params


def _filter_conditions(filters: Filters) -> list[tuple[str, str, Any]]:
    conditions: Mapping[str, tuple[str, Any]] = {
        "kind": ("kind = {kind:String}", filters.kind),
        "tag": ("has(tags, {tag:String})", filters.tag),
        "path": (
            "arrayExists(p -> p = {path:String} OR endsWith(p, concat('/', {path:String})) "
            "OR endsWith(p, concat('\\\\', {path:String})), file_paths)",
            filters.path,
        ),
        "since": ("observed_at >= {since:DateTime64(6, 'UTC')}", filters.since),
        "until": ("observed_at < {until:DateTime64(6, 'UTC')}", filters.until),
    }
    return [(condition, name, value) for name, (condition, value) in conditions.items() if value]


def _with_keys(columns: str) -> str:
    names = [name.strip() for name in columns.split(",")]
    return ", ".join(dict.fromkeys(["session_id", "memory_key", *names]))


def named(value: str) -> bool:
    """False for a scope value that means any."""
    return value not in {"", "*"}


def session_of(memory_key: str) -> str:
    """The session in `obs:<session_id>:<hash>`; session ids may hold colons."""
    return memory_key.partition(":")[2].rpartition(":")[0]
