"""The schema: numbered files of SQL in a package, applied once, in order, under a lock.

A file is `0001_what_it_does.sql`; its statements end with `;` at the end of a line and may use the macros of
`runtime.store.macros`. ClickHouse has no transactions around DDL: a process killed in a file runs it again from its top
at the next start, so statements say `IF NOT EXISTS` and the like.
"""

import asyncio
import hashlib
import logging
import re
from collections.abc import Collection
from dataclasses import dataclass
from importlib.resources import files

from runtime.clock import Clock, SystemClock
from runtime.store.installation import read_installation
from runtime.store.locks import STEP_S, Renew, migration_lock
from runtime.store.macros import expand, statements
from runtime.store.store import Store

logger = logging.getLogger("loom.store")

_NAME = re.compile(r"\d{4}_\w+\.sql")
_TABLE = "loom_migrations"
_POLL_S = 1.0
_COLUMNS = ("plane", "name", "checksum", "applied_at")
_CREATE = f"""CREATE TABLE IF NOT EXISTS {_TABLE} {{{{on_cluster}}}}
(
    plane LowCardinality(String),
    name String,
    checksum String,
    applied_at DateTime64(3, 'UTC')
)
ENGINE = {{{{engine:MergeTree}}}}
ORDER BY (plane, name)
SETTINGS {{{{durable}}}}"""


class MigrationError(RuntimeError):
    """The database and this program's migrations do not agree; the message says which file and what to do."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One file."""

    name: str
    text: str

    @property
    def checksum(self) -> str:
        """Of the text as written: macros are filled in per installation."""
        return hashlib.sha256(self.text.encode()).hexdigest()


async def migrate(
    store: Store,
    package: str,
    *,
    plane: str,
    clock: Clock | None = None,
    only: Collection[str] | None = None,
    restoring: bool = False,
) -> list[str]:
    """Apply `package`'s files that `plane` has not applied yet, and return their names.

    MigrationError where an applied file was changed, where the database has one that this program does not know, or
    where a restore has not finished (but for the restore itself, which is `restoring`). `only` names the files that may
    be applied. Where the store is to wait for the schema, somebody else applies them: MigrationError when nobody does.
    Safe to run from several processes at once.
    """
    known = load(package)
    if not restoring:
        await _refuse_unfinished(store)
    if store.config.await_schema_s:
        await _await_schema(store, known, plane)
        return []
    async with migration_lock(store) as renew:
        await store.command(expand(_CREATE, store.config), timeout_s=STEP_S, name="migrate")
        applied = await _applied(store, plane)
        compare(known, applied, plane)
        wanted = [migration for migration in known if only is None or migration.name in only]
        pending = [migration for migration in wanted if migration.name not in applied]
        for migration in pending:
            await _apply(store, migration, renew)
            row = (plane, migration.name, migration.checksum, (clock or SystemClock()).now())
            await store.insert(_TABLE, _COLUMNS, [row])
            logger.info("%s: applied %s", plane, migration.name)
    return [migration.name for migration in pending]


def load(package: str) -> list[Migration]:
    """The package's files in order. MigrationError for a name of another form, or a number used twice."""
    found = sorted(entry.name for entry in files(package).iterdir() if entry.name.endswith(".sql"))
    for before, name in zip(["", *found], found, strict=False):
        if not _NAME.fullmatch(name):
            raise MigrationError(f"{name} must be named like 0001_what_it_does.sql")
        if before[:4] == name[:4]:
            raise MigrationError(f"{before} and {name} have the same number")
    return [Migration(name, files(package).joinpath(name).read_text("utf-8")) for name in found]


def compare(known: list[Migration], applied: dict[str, str], plane: str) -> None:
    """MigrationError where the `applied` checksums by name do not fit the `known` files."""
    checksums = {migration.name: migration.checksum for migration in known}
    for name, checksum in sorted(applied.items()):
        if name not in checksums:
            raise MigrationError(
                f"the database has {plane}'s {name}, which this program does not know; run a newer one"
            )
        if checksums[name] != checksum:
            raise MigrationError(f"{plane}'s {name} was changed after it was applied; put it back and add a new file")


async def pending(store: Store, package: str, *, plane: str) -> list[str]:
    """The files that `plane` has not applied yet. MigrationError as of `migrate`."""
    known, applied = load(package), await _applied(store, plane)
    compare(known, applied, plane)
    return [migration.name for migration in known if migration.name not in applied]


async def _await_schema(store: Store, known: list[Migration], plane: str) -> None:
    """Returns once all of `known` is applied."""
    try:
        async with asyncio.timeout(store.config.await_schema_s):
            while True:
                applied = await _applied(store, plane)
                compare(known, applied, plane)
                if all(migration.name in applied for migration in known):
                    return
                logger.info("%s: waiting for the schema", plane)
                await asyncio.sleep(_POLL_S)
    except TimeoutError:
        raise MigrationError(
            f"{plane}'s tables are of an older schema and nobody brought them up to date; run `loom migrate`"
        ) from None


async def _refuse_unfinished(store: Store) -> None:
    found = await read_installation(store)
    if found and found.unfinished:
        raise MigrationError(
            "a restore into this storage has not finished; run `loom restore` again with the same backup"
        )


async def _applied(store: Store, plane: str) -> dict[str, str]:
    there = await store.query(
        "SELECT count() AS n FROM system.tables WHERE database = currentDatabase() AND name = {table:String}",
        {"table": _TABLE},
        name="migrate",
    )
    if not there[0]["n"]:
        return {}
    rows = await store.query(
        f"SELECT name, checksum FROM {_TABLE} WHERE plane = {{plane:String}}",  # noqa: S608
        {"plane": plane},
        name="migrate",
    )
    return {row["name"]: row["checksum"] for row in rows}


async def _apply(store: Store, migration: Migration, renew: Renew) -> None:
    for statement in statements(migration.text, store.config):
        await renew()
        await store.command(statement, timeout_s=STEP_S, name=f"migrate {migration.name}")
