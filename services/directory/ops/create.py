"""namespace.create, and the row that the first write to a memory namespace makes."""

from runtime.errors import LoomError, forbidden, invalid_field
from runtime.ids import new_id
from services.directory.ledger import Actor, Change, Ledger
from services.directory.names import NAME, is_name, may_open
from services.directory.ops.target import grant
from services.directory.roles import ADMIN
from services.directory.rows import ACTIVE, APPROVAL, MEMORY, Namespace
from services.directory.store import Directory

CREATED = "namespace.create"


class Create:
    """The creator becomes the first admin."""

    def __init__(self, store: Directory, ledger: Ledger) -> None:
        self._store, self._ledger = store, ledger

    async def execute(
        self, org: str, name: str, kind: str, join_policy: str, restricted: bool, actor: Actor, *, anew: bool = True
    ) -> Namespace:
        """Raises ALREADY_EXISTS, in the same words whatever has the name and whoever may see it.

        `anew` says that a removed name may be taken again. Without tokens it may not: nothing stands there between a
        caller and the rows of a name, so the new namespace would inherit the old one's.
        """
        if not is_name(name):
            raise invalid_field("namespace", NAME)
        async with self._ledger.change(org, actor) as change:
            before = await self._store.namespace(org, name)
            if before is not None and before.active:
                raise LoomError("ALREADY_EXISTS", "the name is taken")
            if before is not None and not anew:
                raise LoomError("FEATURE_DISABLED", "a removed name can be taken anew in token mode alone")
            made = following(change, name, before, kind, join_policy, restricted, actor.subject)
            detail = " ".join([kind, join_policy, *(["restricted"] if restricted else [])])
            change.record(CREATED, namespace=name, subject=actor.subject, role=ADMIN, detail=detail)
            # The grant first: there is no moment at which the namespace is there without an admin.
            await change.commit(grant(change, made.id, actor.subject, ADMIN), made)
        return made


class Ensure:
    """Makes the row of a memory namespace that a token opened. Whoever wrote first gets no right by it but its own."""

    def __init__(self, store: Directory, ledger: Ledger) -> None:
        self._store, self._ledger = store, ledger

    async def execute(self, org: str, name: str, actor: Actor, claimed_role: str) -> Namespace:
        """The namespace, which may have been made meanwhile. A subject whose token says `admin` becomes its admin."""
        if not may_open(name):
            raise forbidden()
        async with self._ledger.change(org, actor) as change:
            before = await self._store.namespace(org, name)
            if before is not None and before.active:
                return before
            made = following(change, name, before, MEMORY, APPROVAL, False, actor.subject)
            first = [grant(change, made.id, actor.subject, ADMIN)] if claimed_role == ADMIN else []
            subject, role = (actor.subject, ADMIN) if first else ("", "")
            change.record(CREATED, namespace=name, subject=subject, role=role, detail=f"{MEMORY} by its first write")
            await change.commit(*first, made)
        return made


def following(
    change: Change,
    name: str,
    before: Namespace | None,
    kind: str,
    join_policy: str,
    restricted: bool,
    created_by: str,
) -> Namespace:
    """The next generation of a name: a new id, so nothing of the one before."""
    return Namespace(
        org=change.org,
        name=name,
        generation=before.generation + 1 if before else 1,
        id=new_id(),
        kind=kind,
        join_policy=join_policy,
        restricted=restricted,
        created_by=created_by,
        created_at=change.now,
        state=ACTIVE,
        version=change.version(),
    )
