"""Tables of a record in Loom's own engine, and the statements of a load.

The tables have the contract's names and types, so they need no mapping. A load gathers its rows in tables of its own, by
any number of calls. Then a new table takes the rows that are there, then the gathered ones, one row left of each key, and
the two change places. So a load is seen as a whole or not at all, loading twice adds nothing, loads that run at once do
not mix, and reads need no FINAL. Of two rows of one item the one with the later `updated_at` stays, whichever was loaded
first; of other rows with one key the later loaded.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from services.tracker.contract.families import CANONICAL, Family
from services.tracker.contract.model import Column
from services.tracker.contract.tables import TABLES

# What names a row, beside its repository where that is told. `row_hash` stands for all of a row that has no name of its
# own: it tells equal rows only.
KEYS: Mapping[str, tuple[str, ...]] = {
    "github_issues": ("number", "source_id"),
    "github_prs": ("number", "source_id"),
    "core_incidents": ("id",),
    "support_cases": ("id",),
    "slack_threads": ("id",),
    "component_risk": ("component", "snapshot_at"),
    "releases": ("version",),
    "release_health": ("version", "snapshot_at"),
    "version_history": ("pr_number", "sha", "built_at", "version", "branch"),
    "checks": ("test_name", "check_start_time", "row_hash"),
    "cloud_instances": ("instance_id",),
    "instance_relations": ("from_id", "to_id", "relation"),
}
_HASH = "row_hash"
_FEW_VALUES = frozenset(
    (
        *(
            "state",
            "component",
            "severity",
            "base_ref",
            "head_ref",
            "check_name",
            "check_status",
            "test_name",
            "test_status",
        ),
        *(
            "repo",
            "branch",
            "channel",
            "trend",
            "relation",
            "region",
            "runner",
            "milestone",
            "state_reason",
            "backport_state",
        ),
    )
)
_ROWS_PER_GRANULE = {"github_issues": 512, "github_prs": 512}
_SEARCHED = ("title", "body")


@dataclass(frozen=True, slots=True)
class Load:
    """Statements of one load into one table. `columns` are those that the load has: of the contract, in any order.

    `name` tells it from other loads and is a plain SQL name. Names are quoted; macros of `runtime.store.macros` are left
    for the caller to fill in.
    """

    database: str
    table: str
    columns: tuple[str, ...]
    name: str

    @property
    def target(self) -> str:
        """The table that is read."""
        return self._named(self.table)

    @property
    def staging(self) -> str:
        """The table that rows are gathered in."""
        return self._named(staging_name(self.table, self.name))

    @property
    def next(self) -> str:
        """The table that is going to be read; then what was read before."""
        return self._named(f"{staging_name(self.table, self.name)}_next")

    def create(self) -> str:
        return create(self.staging, self.table, self.columns)

    def widen(self, begun: Sequence[str]) -> list[str]:
        """Adds the columns that a load, begun with fewer, turns out to need.

        What stands for a whole row is made of its columns, so a table with that is made anew.
        """
        if _HASH in KEYS[self.table]:
            moved = _copied(self.staging, self.next, begun)
            return [
                self.drop_next(),
                create(self.next, self.table, self.columns),
                moved,
                f"EXCHANGE TABLES {self.next} AND {self.staging} {{{{on_cluster}}}}",
                self.drop_next(),
            ]
        known = TABLES[self.table].columns
        added = [name for name in self.columns if name not in begun]
        add = f"ALTER TABLE {self.staging} {{{{on_cluster}}}} ADD COLUMN IF NOT EXISTS"
        return [f"{add} {quoted(name)} {column_type(self.table, known[name])}" for name in added]

    def merge(self, existing: Sequence[str]) -> list[str]:
        """Makes the next table: the rows that are there, `existing` being the columns of the table that is read, and the
        gathered ones after them, so that of two that are equally good the gathered one stays."""
        return self._merged([*self._kept(existing), *self._gathered()], existing)

    def beneath(self, existing: Sequence[str]) -> list[str]:
        """The same the other way round: of two rows that are equally good the one that is there stays."""
        return self._merged([*self._gathered(), *self._kept(existing)], existing)

    def publish(self, exists: bool) -> str:
        """Puts the next table in the place of the one that is read; `exists` says whether there is one."""
        if exists:
            return f"EXCHANGE TABLES {self.next} AND {self.target} {{{{on_cluster}}}}"
        return f"RENAME TABLE {self.next} TO {self.target} {{{{on_cluster}}}}"

    def drop(self) -> list[str]:
        """Also what remains of a load that was broken off."""
        return [self.drop_next(), f"DROP TABLE IF EXISTS {self.staging} {{{{on_cluster}}}} SYNC"]

    def drop_next(self) -> str:
        return f"DROP TABLE IF EXISTS {self.next} {{{{on_cluster}}}} SYNC"

    def _merged(self, copies: Sequence[str], existing: Sequence[str]) -> list[str]:
        columns = load_of(self.database, self.table, self.columns, self.name, existing).columns
        return [self.drop_next(), create(self.next, self.table, columns), *copies, _settled(self.next)]

    def _kept(self, existing: Sequence[str]) -> list[str]:
        kept = [name for name in existing if name in TABLES[self.table].columns]
        return [_copied(self.target, self.next, kept)] if kept else []

    def _gathered(self) -> list[str]:
        return [_settled(self.staging), _copied(self.staging, self.next, self.columns)]

    def _named(self, table: str) -> str:
        return f"{quoted(self.database)}.{quoted(table)}"


# No table of the contract has two of these in its name.
MARK = "__"


def staging_name(table: str, load: str) -> str:
    """Where the load of this name gathers the rows of the table."""
    return f"{table}{MARK}{load}"


def load_of(database: str, table: str, wanted: Iterable[str], name: str, existing: Iterable[str] = ()) -> Load:
    """A load of rows with the columns `wanted`, beside `existing` ones. KeyError for an unknown table.

    A column of the contract that neither has is left out of the table, so that answers say `not_provided` and not
    "nothing there"; what names a row or is required is always in.
    """
    known = TABLES[table].columns
    asked = {*wanted, *existing, *KEYS[table], *(each.name for each in TABLES[table].required_columns)}
    return Load(database, table, tuple(column for column in known if column in asked), name)


def _copied(source: str, target: str, columns: Iterable[str]) -> str:
    names = ", ".join(quoted(name) for name in columns)
    return f"INSERT INTO {target} ({names}) SELECT {names} FROM {source}"  # noqa: S608 - quoted names


def _settled(table: str) -> str:
    """Leaves one row of each key."""
    return f"OPTIMIZE TABLE {table} {{{{on_cluster}}}} FINAL"


def create(name: str, table: str, columns: Sequence[str]) -> str:
    """The statement that creates the contract's `table` as `name` with these columns."""
    known = TABLES[table].columns
    lines = [f"{quoted(each)} {column_type(table, known[each])}{_codec(each)}" for each in columns]
    if _HASH in KEYS[table]:
        lines.append(f"{quoted(_HASH)} UInt64 MATERIALIZED cityHash64({_hashed(table, columns)})")
    # Rows with any of some words, as the duplicate check asks them, without a scan:
    # `hasAnyTokens(title, [...]) OR hasAnyTokens(body, [...])`, words in lower case.
    searched = [each for each in _SEARCHED if each in columns]
    lines += [f"INDEX {each}_words {quoted(each)} TYPE {_words(quoted(each))}" for each in searched]
    version = "updated_at" if "updated_at" in known else ""
    granule = f", index_granularity = {_ROWS_PER_GRANULE[table]}" if table in _ROWS_PER_GRANULE else ""
    return (
        f"CREATE TABLE {name} {{{{on_cluster}}}} (\n    " + ",\n    ".join(lines) + "\n)\n"
        f"ENGINE = {{{{engine:ReplacingMergeTree({version})}}}}\n"
        f"ORDER BY ({', '.join(map(quoted, key_of(table, columns)))})\n"
        f"SETTINGS {{{{durable}}}}{granule}"
    )


def _words(column: str) -> str:
    return f"text(tokenizer = 'splitByNonAlpha', preprocessor = lower({column}))"


def key_of(table: str, columns: Iterable[str]) -> tuple[str, ...]:
    """What names a row: with its repository, where the table tells it."""
    key = KEYS[table]
    return (*key, "repo") if "repo" in columns and _HASH not in key else key


def column_type(table: str, column: Column) -> str:
    """The type that the column is read as; Nullable where nothing else could say that there is nothing."""
    canonical = CANONICAL[column.family]
    if column.family in (Family.DATETIME, Family.NUMBER, Family.INTEGER):
        return canonical if column.required or column.name in KEYS[table] else f"Nullable({canonical})"
    return f"LowCardinality({canonical})" if column.name in _FEW_VALUES and canonical == "String" else canonical


def _hashed(table: str, columns: Iterable[str]) -> str:
    """All columns but the address of the report, which some exports make anew each time. A hash of NULL would be NULL."""
    types = {name: column_type(table, TABLES[table].columns[name]) for name in columns if name != "report_url"}
    parts = [
        f"ifNull({quoted(name)}, -1)" if kind.startswith("Nullable") else quoted(name) for name, kind in types.items()
    ]
    return ", ".join(parts)


def _codec(column: str) -> str:
    return " CODEC(ZSTD(1))" if column in ("body", "diff", "text") else ""


def quoted(name: str) -> str:
    """The name as SQL has it."""
    return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"
