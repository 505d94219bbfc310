"""What the other planes ask: a subject's rights in a namespace, and the deny list."""

from dataclasses import dataclass
from datetime import timedelta

from runtime.clock import Clock
from runtime.errors import forbidden
from services.directory.ledger import Actor
from services.directory.names import may_open, storage_name
from services.directory.ops.create import Ensure
from services.directory.roles import ADMIN, NONE
from services.directory.rows import ORG_ID, Namespace
from services.directory.store import Directory

# The longest life of a token that token.mint makes is 365 days: whatever was revoked before has ended by itself.
REMEMBERED = timedelta(days=366)


@dataclass(frozen=True, slots=True)
class Standing:
    """What the directory knows of a subject in a namespace. `role` is its direct grant."""

    namespace: Namespace | None
    storage_name: str
    role: str
    org_admin: bool


class Check:
    """Looks up; with `ensure` makes the row of a memory namespace that has none."""

    def __init__(self, store: Directory, ensure: Ensure) -> None:
        self._store, self._ensure = store, ensure

    async def execute(
        self, org: str, name: str, subject: str, ensure: bool, claimed_role: str, request_id: str
    ) -> Standing:
        """Raises NAMESPACE_FORBIDDEN for a name that nobody can have."""
        if not name:
            return Standing(None, "", NONE, await self._org_admin(org, subject))
        if not may_open(name):
            raise forbidden()
        found = await self._store.namespace(org, name)
        if ensure and (found is None or not found.active):
            found = await self._ensure.execute(org, name, Actor(subject, request_id), claimed_role)
        if found is None or not found.active:
            following = storage_name(name, found.generation + 1 if found else 1)
            return Standing(None, following, NONE, await self._org_admin(org, subject))
        roles = await self._store.grants_of(org, subject, [ORG_ID, found.id])
        return Standing(found, found.storage_name, roles.get(found.id, NONE), roles.get(ORG_ID) == ADMIN)

    async def _org_admin(self, org: str, subject: str) -> bool:
        return (await self._store.grants_of(org, subject, [ORG_ID])).get(ORG_ID) == ADMIN


class ListRevoked:
    def __init__(self, store: Directory, clock: Clock) -> None:
        self._store, self._clock = store, clock

    async def execute(self) -> list[tuple[str, str]]:
        """(org, jti) of the revoked tokens that may still live."""
        return await self._store.all_revoked(self._clock.now() - REMEMBERED)
