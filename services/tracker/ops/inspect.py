"""tracker.source.inspect: what a ClickHouse has, and how it could be mapped onto the contract."""

from dataclasses import dataclass, field
from typing import Any

import orjson

from runtime.identity import Caller
from services.tracker.contract.tables import TABLES as CONTRACT
from services.tracker.examining import OK, REFUSED, TIMEOUT, UNREACHABLE
from services.tracker.mapping.model import SourceTable
from services.tracker.mapping.propose import Inspected as Candidate
from services.tracker.mapping.propose import Proposal, propose
from services.tracker.mapping.propose import Proposed as ProposedTable
from services.tracker.ops.source_rules import Address, check_host
from services.tracker.ops.sources import Sources
from services.tracker.sources.faults import Kind, SourceFault
from services.tracker.sources.model import Target
from services.tracker.sources.probe import TableSeen, check, inspect

TABLES = 500
UNSAVED = "inspected"


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Table:
    database: str
    name: str
    rows: int | None
    columns: list[Column]


@dataclass(frozen=True, slots=True)
class Proposed:
    table: str
    column: str
    source: str
    confidence: float
    why: str


@dataclass(frozen=True, slots=True)
class Inspected:
    status: str
    tables: list[Table] = field(default_factory=list)
    mapping: str | None = None
    columns: list[Proposed] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    server_version: str = ""
    readonly: int | None = None


class InspectSource:
    """Stores nothing: neither the login nor what was seen."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    async def execute(self, org: str, address: Address, caller: Caller) -> Inspected:
        """Raises INVALID_FIELD for a host that may not be reached."""
        sources = self._sources
        sources.refuse_elsewhere(org)
        sources.refuse_self_service(caller)
        check_host(sources.rules, address.host)
        target = Target(
            source_id=UNSAVED,
            host=address.host.strip(),
            port=address.port,
            secure=address.secure,
            database=address.database,
            user=address.user,
            password=address.password,
        )
        async with sources.asks(None, target) as client:
            condition = await check(client, sources.clock)
            if condition.fault is not None:
                return Inspected(_status(condition.fault), server_version=condition.version)
            try:
                seen = await inspect(client)
            except SourceFault as fault:
                return Inspected(_status(fault.kind), server_version=condition.version, readonly=condition.readonly)
        return _inspected(seen, address.database, condition.version, condition.readonly)


def _status(kind: Kind) -> str:
    if kind is Kind.TIMEOUT:
        return TIMEOUT
    return REFUSED if kind in (Kind.CREDENTIALS, Kind.DENIED) else UNREACHABLE


def _inspected(seen: list[TableSeen], database: str, version: str, readonly: int | None) -> Inspected:
    shown = sorted(seen, key=lambda table: (table.database != database, table.database, table.name))[:TABLES]
    tables = [
        Table(t.database, t.name, t.rows, [Column(name, type_) for name, type_ in t.columns.items()]) for t in shown
    ]
    proposal = propose([Candidate(_source(t, database), t.columns, t.rows) for t in shown])
    mapping = proposal.mapping()
    return Inspected(
        status=OK,
        tables=tables,
        mapping=orjson.dumps(mapping).decode() if proposal.tables else None,
        columns=[each for found in proposal.tables.values() for each in _columns(found)],
        missing=_missing(proposal),
        server_version=version,
        readonly=readonly,
    )


def _source(table: TableSeen, database: str) -> SourceTable:
    """As a mapping of the source would write it: without a database where it is the login's own."""
    return SourceTable(table.name, None if table.database == database else table.database)


def _columns(found: ProposedTable) -> list[Proposed]:
    return [
        Proposed(found.table, name, _text(guess.origin), guess.confidence, "; ".join(guess.reasons))
        for name, guess in found.columns.items()
    ]


def _text(origin: Any) -> str:
    return str(origin["expr"]) if isinstance(origin, dict) else str(origin)


def _missing(proposal: Proposal) -> list[str]:
    absent = [t for t in CONTRACT.values() if t.required and t.name not in proposal.tables]
    said = [f"{table.name}: nothing that looks like it was found" for table in absent]
    for found in proposal.tables.values():
        said += [f"{found.table}.{name}: nothing that looks like it was found" for name in found.missing]
    return said
