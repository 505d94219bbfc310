"""Memories of any users in one statement, and the removal of their rows from tables that hold something of a text."""

from collections.abc import Sequence

from runtime.store import Store
from runtime.store.macros import expand
from services.memory.identity import Scope

Wanted = tuple[Scope, int]
Params = dict[str, list[str] | list[int]]

# SQL: the row is of one of the memories.
WANTED = (
    "(org, namespace, user_id, id) IN (SELECT arrayJoin(arrayZip({orgs:Array(String)}, {namespaces:Array(String)}, "
    "{users:Array(String)}, {ids:Array(UInt64)})))"
)


def wanted_params(wanted: Sequence[Wanted]) -> Params:
    """The parameters of WANTED."""
    return {
        "orgs": [scope.org for scope, _ in wanted],
        "namespaces": [scope.namespace for scope, _ in wanted],
        "users": [scope.user_id for scope, _ in wanted],
        "ids": [id_ for _, id_ in wanted],
    }


async def remove(store: Store, table: str, params: Params) -> None:
    """Has the rows of the memories deleted; returns before the parts that hold them are rewritten."""
    await store.command(
        expand(f"ALTER TABLE {table} {{{{on_cluster}}}} ", store.config)
        + f"DELETE WHERE {WANTED} SETTINGS mutations_sync = 0",
        params,
        name="memory.erase",
    )
