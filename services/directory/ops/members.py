"""namespace.members, namespace.grant and namespace.revoke: direct grants."""

from runtime.errors import LoomError
from services.directory.ledger import Actor, Ledger
from services.directory.ops.pages import cut, text_of, text_token
from services.directory.ops.target import active, answers, grant, pending, subject_of
from services.directory.roles import ADMIN, NONE
from services.directory.rows import APPROVED, Grant
from services.directory.store import Directory


class ListMembers:
    def __init__(self, store: Directory) -> None:
        self._store = store

    async def execute(self, org: str, name: str, size: int, token: str) -> tuple[list[Grant], str]:
        """Direct grants in the order of subjects, and the next page's token."""
        after = text_of(token)
        namespace = await active(self._store, org, name)
        found, more = cut(await self._store.grants(org, namespace.id, after, size + 1), size)
        return found, text_token(found[-1].subject) if more else ""


class GrantRole:
    def __init__(self, store: Directory, ledger: Ledger) -> None:
        self._store, self._ledger = store, ledger

    async def execute(self, org: str, name: str, subject: str, role: str, actor: Actor) -> Grant:
        """The grant that holds now. Raises LAST_ADMIN where the subject is the only admin and would be less."""
        subject_of(subject)
        async with self._ledger.change(org, actor) as change:
            namespace = await active(self._store, org, name)
            held = await self._store.grant(org, namespace.id, subject)
            if held and held.role == role:
                return held
            if held and held.role == ADMIN:
                await keep_an_admin(self._store, org, namespace.id, subject)
            given = grant(change, namespace.id, subject, role)
            asked = await pending(self._store, org, namespace.id, subject)
            change.record("namespace.grant", namespace=name, subject=subject, role=role)
            await change.commit(given, *answers(change, asked, APPROVED))
        return given


class Revoke:
    def __init__(self, store: Directory, ledger: Ledger) -> None:
        self._store, self._ledger = store, ledger

    async def execute(self, org: str, name: str, subject: str, actor: Actor) -> bool:
        """True when the subject had a grant. Raises LAST_ADMIN for the only admin."""
        async with self._ledger.change(org, actor) as change:
            namespace = await active(self._store, org, name)
            held = await self._store.grant(org, namespace.id, subject)
            if held is None:
                return False
            if held.role == ADMIN:
                await keep_an_admin(self._store, org, namespace.id, subject)
            change.record("namespace.revoke", namespace=name, subject=subject)
            await change.commit(grant(change, namespace.id, subject, NONE))
        return True


async def keep_an_admin(store: Directory, org: str, namespace_id: str, leaving: str) -> None:
    if await store.admins(org, namespace_id) <= {leaving}:
        raise LoomError("LAST_ADMIN", "the subject is the only admin")
