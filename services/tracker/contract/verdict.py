"""Does a record keep the contract, and what can it answer?"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from services.tracker.contract.binding import Binding, Bound
from services.tracker.contract.families import accepts, expected
from services.tracker.contract.features import FEATURES
from services.tracker.contract.matching import found, plain
from services.tracker.contract.model import Column, Feature, Table
from services.tracker.contract.tables import TABLES
from services.tracker.mapping.model import EMPTY, Expression, MappedTable, SourceTable
from services.tracker.mapping.model import Mapping as TableMapping

# Contract table -> contract column -> type of the mapping's expression, as the source describes it.
ExpressionTypes = Mapping[str, Mapping[str, str]]
REFUSED = "the source does not take the mapping's expressions or condition"


@dataclass(frozen=True, slots=True)
class WrongType:
    """A column that cannot be read as its family.

    `fatal` where the table is not usable because of it; `hint` where only an alias suggests that the column is meant.
    """

    column: str
    source: str
    expected: str
    found: str
    fatal: bool
    hint: bool = False


@dataclass(frozen=True, slots=True)
class TableVerdict:
    """What was found of one table of the contract.

    `unknown` are the contract columns (and `where`) whose mapping names a column that the source table does not have.
    `refused` where the source does not take the mapping's expressions or condition.
    """

    table: str
    required: bool
    source: str
    present: bool
    usable: bool
    columns: Mapping[str, Bound] = field(default_factory=dict)
    missing_required: tuple[str, ...] = ()
    missing_optional: tuple[str, ...] = ()
    wrong_types: tuple[WrongType, ...] = ()
    unknown: tuple[str, ...] = ()
    mapped: bool = False
    refused: bool = False

    @property
    def problems(self) -> tuple[str, ...]:
        """One sentence each, with the fix; optional tables and columns that are just absent are not among them."""
        if not self.present:
            return self._absent()
        missing = (f"{self.table}.{name}: missing; offer it in a view, or map it" for name in self.missing_required)
        unknown = (f"{self.table}.{name}: the mapping reads a column that the table lacks" for name in self.unknown)
        wrong = (
            f"{self.table}.{w.column}: must be {w.expected}; it is {w.found}" for w in self.wrong_types if not w.hint
        )
        refused = (f"{self.table}: {REFUSED}",) if self.refused else ()
        return (*missing, *unknown, *wrong, *refused)

    def _absent(self) -> tuple[str, ...]:
        if self.mapped:
            return (f"{self.table}: the mapping reads a table that the source lacks",)
        return (f"{self.table}: the source has no such table; offer it as a view, or map it",) if self.required else ()


@dataclass(frozen=True, slots=True)
class FeatureVerdict:
    """Whether the record unlocks a feature, and the tables and columns (`table.column`) of it that are not there."""

    provided: bool
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """`ok` is true where every required table is usable, or any where `judge` was told so; else it does not serve."""

    ok: bool
    tables: Mapping[str, TableVerdict]
    features: Mapping[str, FeatureVerdict]
    bindings: Mapping[str, Binding]

    def has(self, *names: str) -> bool:
        """Whether the record offers all of these, each `table` or `table.column`."""
        return not self.not_provided(*names)

    def not_provided(self, *names: str) -> list[str]:
        """Those of the names, each `table` or `table.column`, that the record does not offer, in the order given."""
        return [name for name in names if not _offers(self.bindings, name)]

    @property
    def problems(self) -> tuple[str, ...]:
        """Everything that is wrong, one sentence each."""
        return tuple(problem for table in self.tables.values() for problem in table.problems)


def judge(
    described: Mapping[str, Mapping[str, str]],
    mapping: TableMapping = EMPTY,
    expressions: ExpressionTypes | None = None,
    refused: Collection[str] = (),
    *,
    whole: bool = True,
) -> Verdict:
    """The verdict over a record.

    `described` has, by table as the mapping writes it (`table` or `database.table`), the types of its columns as
    DESCRIBE prints them. `expressions` has the types of the mapping's expressions (`relation.probe` asks the source for
    them); an expression that is not in it is taken on trust, and cast when it is read. `refused` are the tables of which
    the source did not take that probe. Where the record need not be `whole` one of the required tables is enough.
    """
    tables: dict[str, TableVerdict] = {}
    bindings: dict[str, Binding] = {}
    for name, table in TABLES.items():
        mapped = mapping.tables.get(name) or MappedTable(SourceTable(name))
        types = (expressions or {}).get(name, {})
        judged = _table(table, mapped, name in mapping.tables, described.get(mapped.source.key), types)
        tables[name] = replace(judged, usable=False, refused=True) if name in refused and judged.present else judged
        if tables[name].usable:
            bindings[name] = Binding(name, mapped.source, mapped.where, tables[name].columns)
    features = {name: _feature(feature, bindings) for name, feature in FEATURES.items()}
    required = [tables[name].usable for name, table in TABLES.items() if table.required]
    ok = all(required) if whole else any(required)
    return Verdict(ok, tables, features, bindings)


def _table(
    table: Table,
    mapped: MappedTable,
    is_mapped: bool,
    described: Mapping[str, str] | None,
    types: Mapping[str, str],
) -> TableVerdict:
    if described is None:
        return TableVerdict(table.name, table.required, mapped.source.key, False, False, mapped=is_mapped)
    origins = {**found(table, described), **mapped.columns}
    bound, wrong, unknown = {}, [], []
    for name, column in table.columns.items():
        origin = origins.get(name)
        if origin is None:
            continue
        if not _known(origin, described):
            unknown.append(name)
        elif fault := _fault(column, origin, _type(name, origin, described, types), name in mapped.columns):
            wrong.append(fault)
        else:
            bound[name] = Bound(name, origin, _type(name, origin, described, types))
    if mapped.where is not None and not _known(mapped.where, described):
        unknown.append("where")
    absent = [column for name, column in table.columns.items() if origins.get(name) is None]
    missing = tuple(column.name for column in absent if column.required)
    lost = any(name == "where" or _fatal(table.columns[name]) for name in unknown)
    return TableVerdict(
        table=table.name,
        required=table.required,
        source=mapped.source.key,
        present=True,
        usable=not missing and not lost and not any(fault.fatal for fault in wrong),
        columns=bound,
        missing_required=missing,
        missing_optional=tuple(column.name for column in absent if not column.required),
        wrong_types=tuple(wrong),
        unknown=tuple(unknown),
        mapped=is_mapped,
    )


def _fatal(column: Column) -> bool:
    """Whether the table is of no use, or not safe to read, without the column that it seems to have."""
    return column.required or column.guard


def _known(origin: str | Expression, described: Mapping[str, str]) -> bool:
    if isinstance(origin, str):
        return origin in described
    return all(".".join(parts) in described or parts[0] in described for parts in origin.names)


def _type(name: str, origin: str | Expression, described: Mapping[str, str], types: Mapping[str, str]) -> str:
    return described[origin] if isinstance(origin, str) else types.get(name, "")


def _fault(column: Column, origin: str | Expression, found_type: str, is_mapped: bool) -> WrongType | None:
    """What is wrong with the type; nothing where it is not known, which only an expression's may be."""
    if not found_type or accepts(column.family, found_type, not column.required):
        return None
    shown = origin if isinstance(origin, str) else "(expression)"
    hint = not is_mapped and not _fatal(column) and plain(shown) != column.name
    return WrongType(column.name, shown, expected(column.family, not column.required), found_type, _fatal(column), hint)


def _feature(feature: Feature, bindings: Mapping[str, Binding]) -> FeatureVerdict:
    def missing(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for name in names if not _offers(bindings, name))

    without, either = missing(feature.all_of), missing(feature.any_of)
    provided = not without and (not feature.any_of or len(either) < len(feature.any_of))
    return FeatureVerdict(provided, (*without, *either, *missing(feature.better_with)))


def _offers(bindings: Mapping[str, Binding], name: str) -> bool:
    table, _, column = name.partition(".")
    return table in bindings and (not column or column in bindings[table].columns)
