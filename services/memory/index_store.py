"""The SQL that keeps what is derived from texts in step with them, over all users."""

from collections.abc import Sequence

from runtime.store import Store
from services.memory.identity import Scope
from services.memory.model import Revision
from services.memory.search_index import TABLES
from services.memory.store import REVISIONS
from services.memory.wanted import remove, wanted_params

TIMEOUT_S = 60.0
Owner = tuple[str, str, str]


class IndexStore:
    """Statements of the sweep that makes the index whole."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def living(self, wanted: Sequence[tuple[Owner, int]]) -> set[int]:
        """See `living`."""
        return await living(self._store, wanted, TIMEOUT_S)

    async def forget(self, wanted: Sequence[tuple[Owner, int]]) -> None:
        """Has the index entries of these memories removed."""
        params = wanted_params([(Scope(*owner), id_) for owner, id_ in wanted])
        await remove(self._store, TABLES[0], params)

    async def missing(self, limit: int) -> list[Revision]:
        """Texts of live memories that the index has not."""
        sql = (
            f"SELECT {', '.join(Revision._fields)} FROM {REVISIONS} WHERE deleted = 0 "
            "AND revision_id NOT IN (SELECT revision_id FROM memory_terms WHERE term = '') "
            f"AND id NOT IN (SELECT id FROM {REVISIONS} WHERE deleted > 0) "
            "LIMIT 1 BY revision_id LIMIT {limit:UInt32}"
        )
        rows = await self._store.query(sql, {"limit": limit}, timeout_s=TIMEOUT_S, name="memory.missing")
        return [Revision(**row) for row in rows]

    async def drop_damaged(self) -> None:
        """The engine sets damaged parts aside, where no erase pass would reach the words in them."""
        aside = await self._store.query(
            "SELECT table, name FROM system.detached_parts WHERE database = currentDatabase() "
            "AND table IN {tables:Array(String)} AND startsWith(reason, 'broken')",
            {"tables": list(TABLES)},
            timeout_s=TIMEOUT_S,
            name="memory.damaged",
        )
        for part in aside:
            await self._store.command(
                f"ALTER TABLE {part['table']} DROP DETACHED PART {{name:String}} SETTINGS allow_drop_detached = 1",
                {"name": part["name"]},
                timeout_s=TIMEOUT_S,
                name="memory.drop_damaged",
            )


async def living(store: Store, wanted: Sequence[tuple[Owner, int]], timeout_s: float | None) -> set[int]:
    """The ids of those of these memories, of any users, that have a text and no deletion."""
    if not wanted:
        return set()
    params: dict[str, list[str] | list[int]] = {
        "orgs": sorted({owner[0] for owner, _ in wanted}),
        "namespaces": sorted({owner[1] for owner, _ in wanted}),
        "users": sorted({owner[2] for owner, _ in wanted}),
        "ids": [id_ for _, id_ in wanted],
    }
    sql = (
        f"SELECT id FROM {REVISIONS} WHERE org IN {{orgs:Array(String)}} AND namespace IN {{namespaces:Array(String)}} "
        "AND user_id IN {users:Array(String)} AND id IN {ids:Array(UInt64)} GROUP BY id HAVING max(deleted) = 0"
    )
    return {row["id"] for row in await store.query(sql, params, timeout_s=timeout_s, name="memory.living")}
