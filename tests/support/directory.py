"""A directory in memory, which keeps rows as the tables do: of one key the greatest version stands."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from types import SimpleNamespace
from typing import Any

from runtime.clock import ManualClock
from runtime.errors import LoomError
from runtime.identity import Caller
from services.directory.build import ops_of
from services.directory.ledger import Actor, Ledger
from services.directory.ops.access import Check, ListRevoked
from services.directory.ops.create import Ensure
from services.directory.ops.init_org import InitOrg
from services.directory.rows import AuditEntry, Grant, JoinRequest, Namespace, RevokedToken, Row
from services.directory.store import VERSIONED, Directory, Visible

ORG = "acme"
KEYS: dict[type, int] = {Namespace: 3, Grant: 3, JoinRequest: 3, RevokedToken: 2, AuditEntry: 3}


class MemoryDirectory:
    """`faults` answers the next inserts: `lost` (fails, never written), `late` (fails, written by `arrive`)."""

    def __init__(self) -> None:
        self._tables: dict[type, dict[tuple[Any, ...], Any]] = {kind: {} for kind in KEYS}
        self.faults: list[str] = []
        self.inserts: list[type] = []
        self._late: list[Sequence[Row]] = []

    async def insert(self, rows: Sequence[Row]) -> None:
        await asyncio.sleep(0)
        fault = self.faults.pop(0) if self.faults else ""
        if fault:
            if fault == "late":
                self._late.append(list(rows))
            raise LoomError("STORAGE_UNAVAILABLE", "the storage engine does not answer")
        self.inserts.append(type(rows[0]))
        self._put(rows)

    def arrive(self) -> None:
        """Writes what was late."""
        for rows in self._late:
            self._put(rows)
        self._late.clear()

    def _put(self, rows: Sequence[Row]) -> None:
        for row in rows:
            table, key = self._tables[type(row)], tuple(row)[: KEYS[type(row)]]
            before = table.get(key)
            if before is None or type(row) is AuditEntry or row.version >= before.version:
                table[key] = row

    def all(self, kind: type, org: str) -> list[Any]:
        return [row for key, row in sorted(self._tables[kind].items()) if row.org == org]

    async def namespace(self, org: str, name: str) -> Namespace | None:
        await asyncio.sleep(0)
        return next((row for row in reversed(self.all(Namespace, org)) if row.name == name), None)

    async def namespaces(self, org: str, visible: Visible, limit: int) -> list[Namespace]:
        latest = {row.name: row for row in self.all(Namespace, org)}
        found = [row for row in latest.values() if row.active and row.name > visible.after]
        found = [row for row in found if visible.kind in ("", row.kind)]
        seen = [
            row
            for row in found
            if visible.everything or not row.restricted or (row.name in visible.names and row.id in visible.ids)
        ]
        return seen[:limit]

    async def grants_of(self, org: str, subject: str, ids: Sequence[str] = ()) -> dict[str, str]:
        await asyncio.sleep(0)
        rows = [row for row in self._live(org) if row.subject == subject and (not ids or row.namespace_id in ids)]
        return {row.namespace_id: row.role for row in rows}

    async def grant(self, org: str, namespace_id: str, subject: str) -> Grant | None:
        await asyncio.sleep(0)
        rows = self._live(org, namespace_id)
        return next((row for row in rows if row.subject == subject), None)

    async def grants(self, org: str, namespace_id: str, after: str, limit: int) -> list[Grant]:
        return [row for row in self._live(org, namespace_id) if row.subject > after][:limit]

    async def admins(self, org: str, namespace_id: str) -> set[str]:
        await asyncio.sleep(0)
        return {row.subject for row in self._live(org, namespace_id) if row.role == "admin"}

    def _live(self, org: str, namespace_id: str = "") -> list[Grant]:
        rows = self.all(Grant, org)
        return [row for row in rows if row.role and namespace_id in ("", row.namespace_id)]

    async def request(self, org: str, namespace_id: str, subject: str) -> JoinRequest | None:
        await asyncio.sleep(0)
        return self._tables[JoinRequest].get((org, namespace_id, subject))

    async def requests(
        self, org: str, namespace_id: str, after: tuple[datetime, str] | None, limit: int
    ) -> list[JoinRequest]:
        rows = [r for r in self.all(JoinRequest, org) if r.namespace_id == namespace_id and r.state == "pending"]
        rows.sort(key=lambda row: (row.requested_at, row.subject))
        return [row for row in rows if after is None or (row.requested_at, row.subject) > after][:limit]

    async def audit(
        self, org: str, namespace: str, subject: str, before: tuple[int, str] | None, limit: int
    ) -> list[AuditEntry]:
        rows = [r for r in self.all(AuditEntry, org) if namespace in ("", r.namespace) and subject in ("", r.subject)]
        return [row for row in reversed(rows) if before is None or (row.seq, row.id) < before][:limit]

    async def revoked(self, org: str, jti: str) -> bool:
        return (org, jti) in self._tables[RevokedToken]

    async def all_revoked(self, since: datetime) -> list[tuple[str, str]]:
        return [key for key, row in sorted(self._tables[RevokedToken].items()) if row.revoked_at > since]

    async def last_version(self, org: str) -> int:
        return max((row.version for kind in VERSIONED for row in self.all(kind, org)), default=0)


class Plane:
    """The ops over a directory, called as a subject."""

    def __init__(self, store: Directory, clock: ManualClock, minter: Any = None) -> None:
        self.store, self.clock = store, clock
        self.ledger = Ledger(store, clock)
        self.ops = ops_of(store, self.ledger, minter)
        self.ensure = Ensure(store, self.ledger)
        self.check_op, self.revoked = Check(store, self.ensure), ListRevoked(store, clock)
        self.init_org = InitOrg(store, self.ledger)

    async def create(self, name: str, by: str, *, policy: str = "approval", restricted: bool = False) -> Namespace:
        return await self.ops.create.execute(ORG, name, "memory", policy, restricted, actor(by))

    async def join(self, name: str, by: str, **claims: str) -> str:
        return await self.ops.join.execute(ORG, name, "viewer", caller(by, **claims), actor(by))

    async def grant(self, name: str, subject: str, role: str, by: str = "root") -> Grant:
        return await self.ops.grant.execute(ORG, name, subject, role, actor(by))

    async def revoke(self, name: str, subject: str, by: str = "root") -> bool:
        return await self.ops.revoke.execute(ORG, name, subject, actor(by))

    async def remove(self, name: str, by: str = "root") -> bool:
        return await self.ops.remove.execute(ORG, name, actor(by))

    async def check(self, name: str, subject: str, *, ensure: bool = False, claimed: str = "") -> Any:
        found = await self.check_op.execute(ORG, name, subject, ensure, claimed, "r")
        row = found.namespace
        return SimpleNamespace(
            exists=row is not None, row=row, storage=found.storage_name, role=found.role, org_admin=found.org_admin
        )

    async def members(self, name: str) -> dict[str, str]:
        rows, _ = await self.ops.members.execute(ORG, name, 500, "")
        return {row.subject: row.role for row in rows}

    async def listed(self, by: Caller, size: int = 500) -> dict[str, str]:
        rows, _ = await self.ops.namespaces.execute(ORG, "", size, "", by)
        return {row.name: role for row, role in rows}

    async def trail(self) -> list[tuple[str, str, str, str]]:
        """(action, actor, subject, role), oldest first."""
        rows, _ = await self.ops.audit.execute(ORG, "", "", 500, "")
        return [(row.action, row.actor, row.subject, row.role) for row in reversed(rows)]


def actor(subject: str, request_id: str = "request-1") -> Actor:
    return Actor(subject, request_id)


def caller(subject: str, *, org_admin: bool = False, mode: Any = "token", **claims: str) -> Caller:
    named = {name.replace("__", "*"): role for name, role in claims.items()}
    return Caller(ORG, subject, "service", named, mode, org_admin)
