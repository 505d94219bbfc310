"""What a check of a source finds, put together: its condition, and its record against the contract."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from runtime.clock import Clock
from runtime.errors import LoomError
from runtime.store import Store
from services.tracker.contract.tables import TABLES
from services.tracker.contract.verdict import REFUSED as REFUSAL
from services.tracker.contract.verdict import TableVerdict as Judged
from services.tracker.contract.verdict import Verdict, judge
from services.tracker.contract.views import blank, drafts
from services.tracker.mapping.model import Mapping as TableMapping
from services.tracker.mapping.relation import probes, relation
from services.tracker.record_tables import loaded
from services.tracker.sources.faults import Kind, SourceFault
from services.tracker.sources.model import Answer, Limits
from services.tracker.sources.probe import Asks, Checked, check, count_rows, describe, describe_select

OK, ABSENT, FAILED = "ok", "absent", "failed"
UNREACHABLE, TIMEOUT, REFUSED = "unreachable", "timeout", "refused"


@dataclass(frozen=True, slots=True)
class TableFound:
    """One table of the contract, as the check of a source shows it."""

    table: str
    status: str
    missing: list[str] = field(default_factory=list)
    wrong_types: list[str] = field(default_factory=list)
    not_provided: list[str] = field(default_factory=list)
    rows: int | None = None
    view_draft: str = ""


@dataclass(frozen=True, slots=True)
class Examined:
    """The verdict on a source, with the field names of the contract's SourceVerdict."""

    ok: bool
    summary: str
    reachable: str
    read_only: bool | None
    readonly: int | None
    tables: list[TableFound]
    features: list[str]
    clock_skew_s: float | None
    latency_ms: float | None
    server_version: str
    checked_at: datetime


_KINDS = {"DEADLINE_EXCEEDED": Kind.TIMEOUT, "STORAGE_UNAVAILABLE": Kind.NO_CONNECTION}


class LocalAsks:
    """The engine of a local record, as a check asks it."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def ask(
        self, sql: str, params: Mapping[str, Any] | None = None, *, limits: Limits, plain: bool = False
    ) -> Answer:
        """Raises SourceFault. There is no login whose grants could be told: the engine is Loom's own."""
        if sql.startswith("SHOW GRANTS"):
            raise SourceFault(Kind.DENIED)
        try:
            rows = await self._store.query(sql, params, timeout_s=limits.budget_s, name="tracker.check")
        except LoomError as error:
            raise SourceFault(_KINDS.get(error.code.name, Kind.SCHEMA)) from None
        return Answer(rows)

    def at_level(self, readonly: int) -> None:
        """Ours takes every setting."""


async def examine(client: Asks, mapping: TableMapping, database: str, clock: Clock, *, local: bool = False) -> Examined:
    """Never raises for what is wrong with the source. A `local` record has the tables that were loaded."""
    condition = await check(client, clock)
    now = clock.now()
    if condition.fault is not None:
        return _unreached(condition, now)
    try:
        own = database or await _own_database(client)
        described = await _described(client, mapping, own)
        mapping = loaded(mapping, described) if local else mapping
        types = {table: await _types(client, select) for table, select in probes(mapping).items()}
        refused = {table for table, found in types.items() if found is None}
        told = {name: found for name, found in types.items() if found is not None}
        verdict = judge(described, mapping, told, refused, whole=not local)
        counts = await count_rows(client, {name: relation(each) for name, each in verdict.bindings.items()})
    except SourceFault as fault:
        return _unreached(Checked(True, True, condition.version, fault=fault.kind), now)
    views = drafts(verdict, described, mapping)
    tables = [_table(each, counts, views, local) for each in verdict.tables.values()]
    return Examined(
        ok=verdict.ok,
        summary=_summary(verdict, condition, local),
        reachable=OK,
        read_only=condition.only_reads,
        readonly=condition.readonly,
        tables=tables,
        features=sorted(name for name, each in verdict.features.items() if each.provided),
        clock_skew_s=condition.clock_skew_s,
        latency_ms=condition.latency_ms,
        server_version=condition.version,
        checked_at=now,
    )


async def _own_database(client: Asks) -> str:
    answer = await client.ask("SELECT currentDatabase() AS name", limits=Limits(budget_s=5.0, remote_s=5.0))
    return str(answer.rows[0]["name"]) if answer.rows else ""


async def _described(client: Asks, mapping: TableMapping, own: str) -> dict[str, dict[str, str]]:
    """Tables as the mapping writes them: `table` in the source's own database, `database.table` elsewhere."""
    described = dict(await describe(client, own))
    for database in sorted({table.database for table in mapping.sources() if table.database is not None}):
        found = await describe(client, database)
        described |= {f"{database}.{table}": columns for table, columns in found.items()}
    return described


async def _types(client: Asks, select: str) -> dict[str, str] | None:
    """None where the source does not take the mapping's expressions or condition."""
    try:
        return await describe_select(client, select)
    except SourceFault as fault:
        if fault.kind in (Kind.SCHEMA, Kind.DENIED, Kind.SETTINGS, Kind.LIMITED):
            return None
        raise


def _table(
    found: Judged, counts: Mapping[str, int | None], drafted_views: Mapping[str, str], local: bool
) -> TableFound:
    name = found.table
    wrong = [f"{w.column}: must be {w.expected}; it is {w.found}" for w in found.wrong_types]
    wrong += [f"{column}: the mapping reads a column that the table lacks" for column in found.unknown]
    wrong += [REFUSAL] if found.refused else []
    if not found.present and not found.mapped and (local or not found.required):
        return TableFound(name, ABSENT, not_provided=list(TABLES[name].columns))
    good = found.usable
    return TableFound(
        table=name,
        status=OK if good else FAILED,
        missing=list(found.missing_required) if found.present else [c.name for c in TABLES[name].required_columns],
        wrong_types=wrong,
        not_provided=list(found.missing_optional),
        rows=counts.get(name),
        view_draft=drafted_views.get(name, blank(name) if not good else ""),
    )


def _summary(verdict: Verdict, condition: Checked, local: bool) -> str:
    """One sentence for a person, and a second one where the login can write."""
    usable = sum(each.usable for each in verdict.tables.values())
    if verdict.ok:
        text = f"The record serves: {usable} of {len(verdict.tables)} tables of the contract are there."
    elif local and not usable:
        text = "The record does not serve: nothing of it is here. Load it again; backups do not hold local records."
    else:
        text = f"The record does not serve: {'; '.join(verdict.problems[:3])}."
    if condition.only_reads is False:
        text += " The login can write: Loom never does, but give it one that can only read."
    return text


def _unreached(condition: Checked, now: datetime) -> Examined:
    how = UNREACHABLE
    if condition.fault is Kind.TIMEOUT:
        how = TIMEOUT
    elif condition.fault in (Kind.CREDENTIALS, Kind.DENIED):
        how = REFUSED
    advice = condition.advice
    return Examined(
        ok=False,
        summary=f"The source could not be checked: {advice}.",
        reachable=how,
        read_only=None,
        readonly=condition.readonly,
        tables=[],
        features=[],
        clock_skew_s=None,
        latency_ms=None,
        server_version=condition.version,
        checked_at=now,
    )


def failed_tables(found: Examined) -> Sequence[str]:
    return [each.table for each in found.tables if each.status == FAILED]
