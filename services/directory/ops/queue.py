"""namespace.requests, namespace.approve and namespace.deny: the queue of those who want to join."""

from runtime.errors import invalid_field
from services.directory.ledger import Actor, Ledger
from services.directory.ops.pages import cut, moment_of, moment_token
from services.directory.ops.target import active, answers, grant, pending
from services.directory.rows import APPROVED, DENIED, Grant, JoinRequest, Namespace
from services.directory.store import Directory


class ListRequests:
    def __init__(self, store: Directory) -> None:
        self._store = store

    async def execute(self, org: str, name: str, size: int, token: str) -> tuple[list[JoinRequest], str]:
        """Requests that wait, oldest first, and the next page's token."""
        after = moment_of(token)
        namespace = await active(self._store, org, name)
        found, more = cut(await self._store.requests(org, namespace.id, after, size + 1), size)
        return found, moment_token(found[-1].requested_at, found[-1].subject) if more else ""


class Approve:
    def __init__(self, store: Directory, ledger: Ledger) -> None:
        self._store, self._ledger = store, ledger

    async def execute(self, org: str, name: str, subject: str, actor: Actor) -> Grant:
        """The grant. A greater one that the subject got meanwhile stays; INVALID_FIELD where nothing waits."""
        async with self._ledger.change(org, actor) as change:
            namespace = await active(self._store, org, name)
            held = await self._store.grant(org, namespace.id, subject)
            asked = await pending(self._store, org, namespace.id, subject)
            if asked is None:
                return await self._approved(namespace, subject, held)
            given = held or grant(change, namespace.id, subject, asked.role)
            change.record("namespace.approve", namespace=name, subject=subject, role=given.role)
            await change.commit(given, *answers(change, asked, APPROVED))
        return given

    async def _approved(self, namespace: Namespace, subject: str, held: Grant | None) -> Grant:
        before = await self._store.request(namespace.org, namespace.id, subject)
        if held is None or before is None or before.state != APPROVED:
            raise invalid_field("subject", "one whose request to join waits")
        return held


class Deny:
    def __init__(self, store: Directory, ledger: Ledger) -> None:
        self._store, self._ledger = store, ledger

    async def execute(self, org: str, name: str, subject: str, actor: Actor) -> bool:
        """True when a request waited."""
        async with self._ledger.change(org, actor) as change:
            namespace = await active(self._store, org, name)
            asked = await pending(self._store, org, namespace.id, subject)
            if asked is None:
                return False
            change.record("namespace.deny", namespace=name, subject=subject)
            await change.commit(*answers(change, asked, DENIED))
        return True
