"""namespace.set_policy and namespace.remove."""

from services.directory.ledger import Actor, Ledger
from services.directory.ops.target import active
from services.directory.rows import REMOVED, Namespace
from services.directory.store import Directory


class SetPolicy:
    """How people join from now on; requests that wait go on waiting."""

    def __init__(self, store: Directory, ledger: Ledger) -> None:
        self._store, self._ledger = store, ledger

    async def execute(self, org: str, name: str, join_policy: str, actor: Actor) -> Namespace:
        async with self._ledger.change(org, actor) as change:
            namespace = await active(self._store, org, name)
            if namespace.join_policy == join_policy:
                return namespace
            changed = namespace._replace(join_policy=join_policy, version=change.version())
            change.record("namespace.set_policy", namespace=name, detail=join_policy)
            await change.commit(changed)
        return changed


class Remove:
    """A tombstone under the name. Grants stay behind with the id that nothing will have again."""

    def __init__(self, store: Directory, ledger: Ledger) -> None:
        self._store, self._ledger = store, ledger

    async def execute(self, org: str, name: str, actor: Actor) -> bool:
        """True when there was one."""
        async with self._ledger.change(org, actor) as change:
            namespace = await self._store.namespace(org, name)
            if namespace is None or not namespace.active:
                return False
            change.record("namespace.remove", namespace=name)
            await change.commit(namespace._replace(state=REMOVED, version=change.version()))
        return True
