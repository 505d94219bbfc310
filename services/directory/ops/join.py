"""namespace.join: in at once, or a request to the admins."""

from runtime.errors import forbidden
from runtime.identity import Caller
from services.directory.ledger import Actor, Change, Ledger
from services.directory.ops.create import grant
from services.directory.ops.target import active, subject_of
from services.directory.rows import OPEN, PENDING, JoinRequest, Namespace
from services.directory.store import Directory

GRANTED = "granted"


class Join:
    """For people and service accounts alike. A role that the caller has already stays."""

    def __init__(self, store: Directory, ledger: Ledger) -> None:
        self._store, self._ledger = store, ledger

    async def execute(self, org: str, name: str, role: str, caller: Caller, actor: Actor) -> str:
        """`granted` or `pending`. Raises NAMESPACE_FORBIDDEN, alike for a restricted namespace and for none."""
        subject_of(caller.subject)
        async with self._ledger.change(org, actor) as change:
            namespace = await active(self._store, org, name)
            held = await self._store.grant(org, namespace.id, caller.subject)
            is_member = held is not None and name in caller.claims
            if namespace.restricted and not is_member and caller.mode != "single_user":
                raise forbidden()
            if held:
                return GRANTED
            if namespace.join_policy == OPEN:
                change.record("namespace.join", namespace=name, subject=caller.subject, role=role)
                await change.commit(grant(change, namespace.id, caller.subject, role))
                return GRANTED
            await self._ask(change, namespace, role, caller.subject)
            return PENDING

    async def _ask(self, change: Change, namespace: Namespace, role: str, subject: str) -> None:
        waiting = await self._store.request(change.org, namespace.id, subject)
        if waiting is None or waiting.state != PENDING:
            # Nobody's rights change, so there is nothing to record yet.
            version = change.version()
            await change.commit(JoinRequest(change.org, namespace.id, subject, role, PENDING, change.now, "", version))
