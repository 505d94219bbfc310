"""What a source offers of the contract: its tables described and judged, and the relations that statements read."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from services.tracker.contract.tables import TABLES
from services.tracker.contract.verdict import Verdict, judge
from services.tracker.mapping.model import MappedTable, SourceTable
from services.tracker.mapping.model import Mapping as TableMapping
from services.tracker.mapping.parse import parse_text
from services.tracker.mapping.relation import probes, relation
from services.tracker.reads import Relation, together
from services.tracker.record_tables import loaded, local_mapping
from services.tracker.rows import LOCAL, SourceRow
from services.tracker.sources.model import LiveClient
from services.tracker.sources.silence import Reason, Silent

_COLUMNS = (
    "SELECT database, table, name, type, database = if({own:String} = '', currentDatabase(), {own:String}) AS is_own "
    "FROM system.columns WHERE table IN {tables:Array(String)} AND (database IN {databases:Array(String)} "
    "OR database = if({own:String} = '', currentDatabase(), {own:String})) ORDER BY database, table, position LIMIT 20000"
)

CHECKS = "checks"
Described = dict[str, dict[str, str]]


@dataclass(frozen=True, slots=True)
class Judged:
    """What was found of a source: the verdict, and the relation of each table that is usable."""

    verdict: Verdict
    relations: Mapping[str, Relation]


async def judged_by(client: LiveClient, source: SourceRow, checks_from: SourceTable | None = None) -> Judged:
    """Describes the record and judges it. Raises Silent.

    `checks_from` is where CI runs are looked for, where neither the mapping nor the record has any of its own.
    """
    mapping = mapping_of(source)
    judged = await _judged(client, source, mapping)
    if checks_from is None or source.kind == LOCAL or CHECKS in judged.relations or CHECKS in mapping.tables:
        return judged
    wider = TableMapping({**mapping.tables, CHECKS: MappedTable(checks_from)})
    found = await _judged(client, source, wider)
    return found if CHECKS in found.relations else judged


async def _judged(client: LiveClient, source: SourceRow, mapping: TableMapping) -> Judged:
    described = await _described(client, mapping, source.database)
    if source.kind == LOCAL:
        verdict = judge(described, loaded(mapping, described), whole=False)
    else:
        verdict = judge(described, mapping, *await _probed(client, probes(mapping)))
    return Judged(verdict, relations_of(verdict))


def mapping_of(source: SourceRow) -> TableMapping:
    """The source's own mapping; for a local record, its tables in their database."""
    if source.kind == LOCAL:
        return local_mapping(source.database)
    return parse_text(source.mapping) if source.mapping else TableMapping()


def relations_of(verdict: Verdict) -> dict[str, Relation]:
    """What the statement builder reads of each table that is usable."""
    return {name: Relation(relation(binding), frozenset(binding.columns)) for name, binding in verdict.bindings.items()}


async def _described(client: LiveClient, mapping: TableMapping, own: str) -> Described:
    """Tables as the mapping writes them: `table` in the source's own database, `database.table` elsewhere."""
    sources = mapping.sources()
    params: dict[str, Any] = {
        "own": own,
        "databases": sorted({table.database for table in sources if table.database is not None}),
        "tables": sorted({*TABLES, *(table.name for table in sources)}),
    }
    described: Described = {}
    for row in (await client.rows("tracker.columns", _COLUMNS, params)).rows:
        table, column, kind = str(row["table"]), str(row["name"]), str(row["type"])
        described.setdefault(SourceTable(table, str(row["database"])).key, {})[column] = kind
        if row["is_own"]:
            described.setdefault(SourceTable(table).key, {})[column] = kind
    return described


async def _probed(client: LiveClient, selects: Mapping[str, str]) -> tuple[dict[str, dict[str, str]], list[str]]:
    """Types of the mapping's expressions by table, and the tables whose mapping the source does not take."""
    answers = await together(*(_types(client, select) for select in selects.values()))
    found = dict(zip(selects, answers, strict=True))
    return (
        {table: types for table, types in found.items() if types is not None},
        [table for table, types in found.items() if types is None],
    )


async def _types(client: LiveClient, select: str) -> dict[str, str] | None:
    try:
        answer = await client.rows("tracker.describe", f"DESCRIBE TABLE (\n{select}\n)")
    except Silent as silent:
        if silent.reason is Reason.CONTRACT:
            return None
        raise
    return {str(row["name"]): str(row["type"]) for row in answer.rows}
