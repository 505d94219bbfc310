"""What other planes' ops do to namespaces as a part of their work: making one, and setting its join policy."""

from runtime.errors import LoomError
from services.directory.ledger import Actor
from services.directory.ops.create import Create
from services.directory.ops.policy import SetPolicy
from services.directory.roles import ADMIN
from services.directory.rows import ORG_ID, Namespace
from services.directory.store import Directory


class Establish:
    """Makes a namespace, or takes one that is there if the subject administers it and it is what was asked for.

    So an op that makes a namespace and then a row of its own can be sent again after it broke off between the two.
    """

    def __init__(self, store: Directory, create: Create) -> None:
        self._store, self._create = store, create

    async def execute(
        self, org: str, name: str, kind: str, join_policy: str, restricted: bool, actor: Actor, *, single_user: bool
    ) -> tuple[Namespace, bool]:
        """The namespace, and whether it is new. Raises ALREADY_EXISTS, in the same words whatever has the name."""
        found = await self._store.namespace(org, name)
        if found is None or not found.active:
            made = await self._create.execute(org, name, kind, join_policy, restricted, actor, anew=not single_user)
            return made, True
        fits = found.kind == kind and found.restricted == restricted
        if not fits or not (single_user or await self._administers(found, actor.subject)):
            raise LoomError("ALREADY_EXISTS", "the name is taken")
        return found, False

    async def _administers(self, namespace: Namespace, subject: str) -> bool:
        roles = await self._store.grants_of(namespace.org, subject, [ORG_ID, namespace.id])
        return ADMIN in (roles.get(namespace.id), None if namespace.restricted else roles.get(ORG_ID))


class ChangePolicy:
    """The asking plane has checked that the subject administers the namespace."""

    def __init__(self, set_policy: SetPolicy) -> None:
        self._set_policy = set_policy

    async def execute(self, org: str, name: str, join_policy: str, actor: Actor) -> str:
        return (await self._set_policy.execute(org, name, join_policy, actor)).join_policy
