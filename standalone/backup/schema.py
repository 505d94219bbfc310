"""What stands in a database: tables with rows, their columns, and the migrations that made them.

Tables come from the database itself, so a plane that is added later is covered without a word here; one that no
migration of a plane names is not Loom's and is left alone.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import services
from runtime.store import MigrationError, Store
from runtime.store.migrations import compare, load
from standalone.backup.errors import BackupError

MIGRATIONS = "loom_migrations"
SNAPSHOT, STAGING = "loom_backup_", "loom_restore_"
_OURS = "loom_"
# Engines of which rows with one key stand for one, which FINAL puts together.
_MERGING = re.compile(r"(?:Replacing|Summing|Aggregating|Collapsing|Coalescing)")
_IN_DB = "database = currentDatabase()"
_IN = "database = if({database:String} = '', currentDatabase(), {database:String})"
FINAL = " FINAL"


@dataclass(frozen=True, slots=True)
class Table:
    """A table that keeps rows. `name` has its database in front where that is not Loom's own."""

    name: str
    merging: bool
    columns: Mapping[str, str]

    @property
    def final(self) -> str:
        return FINAL if self.merging else ""


def planes() -> tuple[str, ...]:
    """Every plane of this program that keeps anything."""
    folder = files(services)
    found = (entry.name for entry in folder.iterdir() if folder.joinpath(entry.name, "migrations").is_dir())
    return tuple(sorted(found))


def package(plane: str) -> str:
    """Where the migrations of a plane are."""
    return f"services.{plane}.migrations"


async def tables(store: Store, database: str = "") -> dict[str, Table]:
    """Every table of a database, Loom's own if none is named, that keeps rows, but for those of the storage seam itself."""
    found = await store.query(
        f"SELECT name, engine FROM system.tables WHERE {_IN} AND engine LIKE '%MergeTree' ORDER BY name",
        {"database": database},
        name="backup: tables",
    )
    # What is computed from other columns cannot be inserted, and need not be.
    columns = await store.query(
        f"SELECT table, name, type FROM system.columns WHERE {_IN} AND default_kind NOT IN"
        " ('ALIAS', 'MATERIALIZED', 'EPHEMERAL') ORDER BY table, position",
        {"database": database},
        name="backup: columns",
    )
    types: dict[str, dict[str, str]] = {}
    for row in columns:
        types.setdefault(row["table"], {})[row["name"]] = row["type"]
    return {
        name: Table(name, bool(_MERGING.search(row["engine"])), types[name])
        for row in found
        if not (name := row["name"]).startswith(_OURS)
    }


def of_planes(names: Iterable[str], planes: Iterable[str]) -> tuple[list[str], list[str]]:
    """The names that migrations of the planes speak of, and those that none does."""
    spoken = set(re.findall(r"\w+", "\n".join(m.text for plane in planes for m in load(package(plane)))))
    names = sorted(names)
    return [name for name in names if name in spoken], [name for name in names if name not in spoken]


async def has_table(store: Store, name: str) -> bool:
    rows = await store.query(
        f"SELECT count() AS n FROM system.tables WHERE {_IN_DB} AND name = {{table:String}}",
        {"table": name},
        name="backup: tables",
    )
    return bool(rows[0]["n"])


async def migrations(store: Store) -> dict[str, dict[str, str]]:
    """Plane -> name -> checksum of what was applied; empty where no plane ever ran."""
    if not await has_table(store, MIGRATIONS):
        return {}
    rows = await store.query(f"SELECT plane, name, checksum FROM {MIGRATIONS} ORDER BY plane, name", name="backup")
    found: dict[str, dict[str, str]] = {}
    for row in rows:
        found.setdefault(row["plane"], {})[row["name"]] = row["checksum"]
    return found


def known_here(applied: Mapping[str, Mapping[str, str]], planes: Iterable[str], what: str) -> None:
    """Raises BackupError where `what` has a plane or a migration that this program does not know."""
    if strangers := sorted(set(applied) - set(planes)):
        raise BackupError(
            f"{what} has the plane {strangers[0]}, which this program does not know: use the version of Loom that made it,"
            " or a newer one"
        )
    for plane, names in applied.items():
        try:
            compare(load(package(plane)), dict(names), plane)
        except MigrationError as error:
            raise BackupError(f"{what} is of another version of Loom: {error}") from None


def quoted(name: str) -> str:
    """The name of a column, or of a table with or without its database."""
    return ".".join(f"`{part}`" for part in name.split("."))


def row(columns: Iterable[str]) -> str:
    """An expression: a row as one value, whatever the columns' order. A tuple: a hash of a null alone would be null."""
    return f"tuple({', '.join(quoted(name) for name in sorted(columns))})"


def row_hash(columns: Iterable[str]) -> str:
    """An expression: the hash of a row."""
    return f"sipHash64({row(columns)})"


async def counted(store: Store, table: str, final: str, columns: Iterable[str], timeout_s: float) -> tuple[int, str]:
    """Rows of a table, and a hash of all of them together that does not depend on their order."""
    return shown(await _sums(store, f"{quoted(table)}{final}", columns, timeout_s))


async def counted_files(
    store: Store, paths: Iterable[Path], columns: Iterable[str], timeout_s: float
) -> tuple[int, str]:
    """The same of files, which the embedded engine alone can read."""
    names = tuple(columns)
    rows, added, mixed = 0, 0, 0
    for path in paths:
        source = f"file('{escaped(str(path))}', 'Native', 'auto', 'zstd')"
        more = await _sums(store, source, names, timeout_s)
        rows, added, mixed = rows + more[0], (added + more[1]) % (1 << 64), mixed ^ more[2]
    return shown((rows, added, mixed))


def escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("'", "\\'")


def shown(sums: tuple[int, int, int]) -> tuple[int, str]:
    return sums[0], f"{sums[1]:016X}-{sums[2]:016X}"


async def _sums(store: Store, source: str, columns: Iterable[str], timeout_s: float) -> tuple[int, int, int]:
    one = row_hash(columns)
    rows = await store.query(
        f"SELECT count() AS n, sum({one}) AS added, groupBitXor({one}) AS mixed FROM {source}",
        timeout_s=timeout_s,
        name="backup: count",
    )
    return int(rows[0]["n"]), int(rows[0]["added"]), int(rows[0]["mixed"])
