"""The directory plane's SQL."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, TypeVar

from runtime.store import Store
from services.directory.roles import ADMIN
from services.directory.rows import AuditEntry, Grant, JoinRequest, Namespace, RevokedToken, Row

R = TypeVar("R", bound=Row)
TABLES: Mapping[type, str] = {
    Namespace: "directory_namespaces",
    Grant: "directory_grants",
    JoinRequest: "directory_join_requests",
    RevokedToken: "directory_revoked_tokens",
    AuditEntry: "directory_audit",
}
VERSIONED = (Namespace, Grant, JoinRequest, RevokedToken)


@dataclass(frozen=True, slots=True)
class Visible:
    """Which namespaces a listing shows: of the restricted ones those in both `names` and `ids`, or all of them."""

    names: Collection[str]
    ids: Collection[str]
    everything: bool = False
    kind: str = ""
    after: str = ""


class Directory(Protocol):
    """What the ops need of a store."""

    async def namespace(self, org: str, name: str) -> Namespace | None:
        """The latest of that name, a removed one too."""
        ...

    async def namespaces(self, org: str, visible: Visible, limit: int) -> list[Namespace]:
        """Active ones, in the order of names, those after `visible.after`."""
        ...

    async def grants_of(self, org: str, subject: str, ids: Sequence[str] = ()) -> dict[str, str]:
        """The subject's roles by namespace id; only of `ids` where any are given."""
        ...

    async def grant(self, org: str, namespace_id: str, subject: str) -> Grant | None: ...

    async def grants(self, org: str, namespace_id: str, after: str, limit: int) -> list[Grant]:
        """Live ones in the order of subjects, those after `after`."""
        ...

    async def admins(self, org: str, namespace_id: str) -> set[str]: ...

    async def request(self, org: str, namespace_id: str, subject: str) -> JoinRequest | None: ...

    async def requests(
        self, org: str, namespace_id: str, after: tuple[datetime, str] | None, limit: int
    ) -> list[JoinRequest]:
        """Pending ones, oldest first, those after the (instant, subject) given."""
        ...

    async def audit(
        self, org: str, namespace: str, subject: str, before: tuple[int, str] | None, limit: int
    ) -> list[AuditEntry]:
        """Newest first, those before the (seq, id) given; empty namespace and subject mean any."""
        ...

    async def revoked(self, org: str, jti: str) -> bool: ...

    async def all_revoked(self, since: datetime) -> list[tuple[str, str]]:
        """(org, jti) of what was revoked after `since`, of every organisation."""
        ...

    async def last_version(self, org: str) -> int:
        """The greatest version that any row of the organisation has; 0 for none."""
        ...

    async def insert(self, rows: Sequence[Row]) -> None:
        """Adds rows of one kind, all or none."""
        ...


class DirectoryStore:
    """Directory over ClickHouse tables. Rows are replaced by a greater version, never updated."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def namespace(self, org: str, name: str) -> Namespace | None:
        found = await self._rows(
            Namespace,
            "org = {org:String} AND name = {name:String} ORDER BY generation DESC LIMIT 1",
            org=org,
            name=name,
        )
        return found[0] if found else None

    async def namespaces(self, org: str, visible: Visible, limit: int) -> list[Namespace]:
        latest = (
            f"SELECT * FROM {TABLES[Namespace]} FINAL WHERE org = {{org:String}} AND name > {{after:String}} "
            "ORDER BY name, generation DESC LIMIT 1 BY name"
        )
        sql = (
            f"SELECT * FROM ({latest}) WHERE state = 'active' AND ({{kind:String}} = '' OR kind = {{kind:String}}) "
            "AND ({everything:UInt8} OR NOT restricted OR (name IN {names:Array(String)} AND id IN {ids:Array(String)}))"
            " ORDER BY name LIMIT {limit:UInt32}"
        )
        params = {
            "org": org,
            "after": visible.after,
            "kind": visible.kind,
            "everything": int(visible.everything),
            "names": list(visible.names),
            "ids": list(visible.ids),
            "limit": limit,
        }
        return [Namespace(**row) for row in await self._store.query(sql, params, name="directory.namespaces")]

    async def grants_of(self, org: str, subject: str, ids: Sequence[str] = ()) -> dict[str, str]:
        some = " AND namespace_id IN {ids:Array(String)}" if ids else ""
        rows = await self._rows(
            Grant,
            f"org = {{org:String}} AND subject = {{subject:String}} AND role != ''{some}",
            org=org,
            subject=subject,
            ids=list(ids),
        )
        return {row.namespace_id: row.role for row in rows}

    async def grant(self, org: str, namespace_id: str, subject: str) -> Grant | None:
        found = await self._rows(Grant, f"{_ONE} AND role != ''", org=org, id=namespace_id, subject=subject)
        return found[0] if found else None

    async def grants(self, org: str, namespace_id: str, after: str, limit: int) -> list[Grant]:
        where = f"{_OF} AND role != '' AND subject > {{after:String}} ORDER BY subject LIMIT {{limit:UInt32}}"
        return await self._rows(Grant, where, org=org, id=namespace_id, after=after, limit=limit)

    async def admins(self, org: str, namespace_id: str) -> set[str]:
        rows = await self._rows(Grant, f"{_OF} AND role = '{ADMIN}'", org=org, id=namespace_id)
        return {row.subject for row in rows}

    async def request(self, org: str, namespace_id: str, subject: str) -> JoinRequest | None:
        found = await self._rows(JoinRequest, _ONE, org=org, id=namespace_id, subject=subject)
        return found[0] if found else None

    async def requests(
        self, org: str, namespace_id: str, after: tuple[datetime, str] | None, limit: int
    ) -> list[JoinRequest]:
        where, params = f"{_OF} AND state = 'pending'", {"org": org, "id": namespace_id, "limit": limit}
        if after is not None:
            where += " AND (requested_at, subject) > ({after_at:DateTime64(6, 'UTC')}, {after:String})"
            params["after_at"], params["after"] = after
        return await self._rows(JoinRequest, f"{where} ORDER BY requested_at, subject LIMIT {{limit:UInt32}}", **params)

    async def audit(
        self, org: str, namespace: str, subject: str, before: tuple[int, str] | None, limit: int
    ) -> list[AuditEntry]:
        where, params = "org = {org:String}", {"org": org, "limit": limit}
        for column, value in (("namespace", namespace), ("subject", subject)):
            if value:
                where += f" AND {column} = {{{column}:String}}"
                params[column] = value
        if before is not None:
            where += " AND (seq, id) < ({seq:UInt64}, {id:String})"
            params["seq"], params["id"] = before
        return await self._rows(AuditEntry, f"{where} ORDER BY seq DESC, id DESC LIMIT {{limit:UInt32}}", **params)

    async def revoked(self, org: str, jti: str) -> bool:
        return bool(await self._rows(RevokedToken, "org = {org:String} AND jti = {jti:String}", org=org, jti=jti))

    async def all_revoked(self, since: datetime) -> list[tuple[str, str]]:
        rows = await self._rows(
            RevokedToken, "revoked_at > {since:DateTime64(6, 'UTC')} ORDER BY org, jti", since=since
        )
        return [(row.org, row.jti) for row in rows]

    async def last_version(self, org: str) -> int:
        versions = " UNION ALL ".join(
            f"SELECT max(version) AS version FROM {TABLES[kind]} WHERE org = {{org:String}}" for kind in VERSIONED
        )
        rows = await self._store.query(
            f"SELECT max(version) AS version FROM ({versions})", {"org": org}, name="directory.last_version"
        )
        return rows[0]["version"]

    async def insert(self, rows: Sequence[Row]) -> None:
        kind = type(rows[0])
        await self._store.insert(TABLES[kind], kind._fields, [tuple(row) for row in rows])

    async def _rows(self, kind: type[R], where: str, **params: Any) -> list[R]:
        final = "" if kind is AuditEntry else " FINAL"
        sql = f"SELECT {', '.join(kind._fields)} FROM {TABLES[kind]}{final} WHERE {where}"
        rows = await self._store.query(sql, params, name=f"directory.{kind.__name__}")
        return [kind(**row) for row in rows]


_OF = "org = {org:String} AND namespace_id = {id:String}"
_ONE = f"{_OF} AND subject = {{subject:String}}"
