"""namespace.list: what the caller can see."""

from runtime.identity import Caller
from runtime.roles import Known, resolve
from services.directory.ops.pages import cut, text_of, text_token
from services.directory.roles import ADMIN, NONE
from services.directory.rows import ORG_ID, Namespace
from services.directory.store import Directory, Visible

# The role that is asked for does not matter here: what the caller has is shown.
LEAST = "viewer"


class ListNamespaces:
    """Every namespace of the organisation but the restricted ones that the caller cannot read."""

    def __init__(self, store: Directory) -> None:
        self._store = store

    async def execute(
        self, org: str, kind: str, size: int, token: str, caller: Caller
    ) -> tuple[list[tuple[Namespace, str]], str]:
        """The namespaces, each with the caller's role on it, and the next page's token."""
        after = text_of(token)
        grants = await self._store.grants_of(org, caller.subject)
        is_open = caller.mode == "single_user"
        ids = [namespace_id for namespace_id in grants if namespace_id != ORG_ID]
        visible = Visible(list(caller.claims), ids, everything=is_open, kind=kind, after=after)
        found, more = cut(await self._store.namespaces(org, visible, size + 1), size)
        rows = [(row, own_role(row, caller, grants.get(row.id, NONE))) for row in found]
        return rows, text_token(found[-1].name) if more else ""


def own_role(namespace: Namespace, caller: Caller, grant: str) -> str:
    if caller.mode == "single_user":
        return ADMIN
    known = Known(True, namespace.restricted, grant, caller.org_admin)
    return resolve(caller.claims, namespace.name, known, LEAST).role
