"""Which installation a database belongs to, and whether a restore into it is finished.

One row in one table, the greatest version counts: the id of the installation, which goes with its backups and comes back
with them, and the backup that is being restored, if one is.
"""

from dataclasses import dataclass

from runtime.store.macros import expand
from runtime.store.store import Store

TABLE = "loom_installation"
STEP_S = 60.0
LOADING, MERGING, MIGRATING, DONE = "loading", "merging", "migrating", "done"
_CREATE = f"""CREATE TABLE IF NOT EXISTS {TABLE} {{{{on_cluster}}}}
(id String, backup String, state String, version UInt64)
ENGINE = {{{{engine:ReplacingMergeTree(version)}}}} ORDER BY tuple() SETTINGS {{{{durable}}}}"""
_COLUMNS = ("id", "backup", "state", "version")


@dataclass(frozen=True, slots=True)
class Installation:
    """`state` of the restore of `backup`: loading rows into empty tables or merging them into those that are there,
    migrating them to this program's schema, or done.

    A database that was never restored into is done, with no backup.
    """

    id: str
    backup: str = ""
    state: str = DONE
    version: int = 1

    @property
    def unfinished(self) -> bool:
        return self.state != DONE


async def read_installation(store: Store) -> Installation | None:
    """What the database says; None where it says nothing."""
    found = await store.query(
        "SELECT count() AS n FROM system.tables WHERE database = currentDatabase() AND name = {table:String}",
        {"table": TABLE},
        name="installation",
    )
    if not found[0]["n"]:
        return None
    rows = await store.query(
        f"SELECT id, backup, state, version FROM {TABLE} ORDER BY version DESC LIMIT 1",  # noqa: S608 - constants
        name="installation",
    )
    return Installation(**rows[0]) if rows else None


async def write_installation(store: Store, row: Installation) -> None:
    """Makes `row` the one that counts: its version is greater than that of any other."""
    await store.command(expand(_CREATE, store.config), timeout_s=STEP_S, name="installation")
    await store.insert(TABLE, _COLUMNS, [(row.id, row.backup, row.state, row.version)])
