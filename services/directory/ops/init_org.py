"""The first admin of an organisation."""

from runtime.errors import LoomError
from services.directory.ledger import Actor, Ledger
from services.directory.ops.target import grant, subject_of
from services.directory.roles import ADMIN
from services.directory.rows import ORG_ID
from services.directory.store import Directory


class InitOrg:
    """For whoever runs the installation; no door leads here, so nobody makes themselves an admin."""

    def __init__(self, store: Directory, ledger: Ledger) -> None:
        self._store, self._ledger = store, ledger

    async def execute(self, org: str, admin: str, actor: Actor) -> bool:
        """True when the admin is new, False when it was one. Raises ALREADY_EXISTS where another one is."""
        subject_of(admin)
        async with self._ledger.change(org, actor) as change:
            admins = await self._store.admins(org, ORG_ID)
            if admin in admins:
                return False
            if admins:
                raise LoomError("ALREADY_EXISTS", "the organisation has an admin")
            change.record("org.init", subject=admin, role=ADMIN)
            await change.commit(grant(change, ORG_ID, admin, ADMIN))
        return True
