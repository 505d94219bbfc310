"""namespace.join: in at once, or a request to the admins."""

from runtime.errors import forbidden
from runtime.identity import Caller
from services.directory.ledger import Actor, Change, Ledger
from services.directory.ops.target import active, answers, grant, pending, subject_of
from services.directory.rows import APPROVED, OPEN, PENDING, JoinRequest
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
            waiting = await pending(self._store, org, namespace.id, caller.subject)
            if namespace.join_policy == OPEN:
                given = grant(change, namespace.id, caller.subject, role)
                change.record("namespace.join", namespace=name, subject=caller.subject, role=role)
                await change.commit(given, *answers(change, waiting, APPROVED))
                return GRANTED
            if waiting is None:
                # Nobody's rights change, so there is nothing to record yet.
                await change.commit(request(change, namespace.id, caller.subject, role))
            return PENDING


def request(change: Change, namespace_id: str, subject: str, role: str) -> JoinRequest:
    return JoinRequest(change.org, namespace_id, subject, role, PENDING, change.now, "", change.version())
