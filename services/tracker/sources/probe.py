"""What can be known of a source: for `tracker.source.check`, `add` and `inspect`.

Sends SELECT, DESCRIBE, SHOW GRANTS and CHECK GRANT alone. Nothing of the source's own words is in a result but names and
types of its tables and its version, cut to what those look like.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from runtime.clock import Clock
from services.tracker.sources.faults import Kind, SourceFault
from services.tracker.sources.grants import has_roles, only_reads, writes
from services.tracker.sources.model import Answer, Limits

PROBE = Limits(budget_s=5.0, remote_s=5.0, max_rows=100_000)
MAX_TABLES = 2_000
_SYSTEM = ("system", "INFORMATION_SCHEMA", "information_schema")
_VERSION = re.compile(r"[0-9][0-9A-Za-z.\-]{0,31}")
_TYPE_CHARS = 500

ADVICE: Mapping[Kind, str] = {
    Kind.HOST_REFUSED: "that host is not one that sources may be on (LOOM_TRACKER_SOURCE_HOSTS)",
    Kind.NAME_UNKNOWN: "the host's name does not resolve",
    Kind.NO_CONNECTION: "no connection: check host and port, and that a firewall lets this installation in",
    Kind.TLS: "no TLS connection: check the port, `secure`, and that the certificate is valid for the host's name",
    Kind.CREDENTIALS: "ClickHouse refuses the user or the password",
    Kind.TIMEOUT: "no answer in time",
    Kind.OVERLOADED: "the server is overloaded or over a quota",
    Kind.NOT_CLICKHOUSE: "what answers there is not ClickHouse's HTTP interface: check the port",
    Kind.DENIED: "the user may not read that: grant SELECT on the database",
    Kind.SCHEMA: "the database or a table of it is not there",
    Kind.SETTINGS: "the login refuses even its own settings",
    Kind.LIMITED: "the login's own limits refuse the statement",
}
"""What to do about each kind of fault, in a sentence that holds nothing of the source."""


class Asks(Protocol):
    """A client that answers or raises SourceFault."""

    async def ask(
        self, sql: str, params: Mapping[str, Any] | None = None, *, limits: Limits, plain: bool = False
    ) -> Answer: ...

    def at_level(self, readonly: int) -> None: ...


@dataclass(frozen=True, slots=True)
class Checked:
    """A source's condition. Where `fault` is set, it says what failed, and what comes after it is not known.

    `readonly` is the login's setting: 0, 1 (refuses settings too) or 2. `only_reads` is None where it cannot be told;
    `write_privileges` says what else the login may do. `clock_skew_s` is the server's time minus ours, `latency_ms` the
    quickest of three round trips.
    """

    reachable: bool
    authenticated: bool = False
    version: str = ""
    readonly: int | None = None
    only_reads: bool | None = None
    write_privileges: tuple[str, ...] = ()
    clock_skew_s: float | None = None
    latency_ms: float | None = None
    fault: Kind | None = None

    @property
    def advice(self) -> str:
        """What to do about the fault; empty where there is none."""
        return ADVICE[self.fault] if self.fault else ""


@dataclass(frozen=True, slots=True)
class TableSeen:
    """A table or view: its columns by name with their types, and its rows where the server knows (None for a view)."""

    database: str
    name: str
    engine: str
    rows: int | None
    columns: Mapping[str, str] = field(default_factory=dict)


async def check(client: Asks, clock: Clock) -> Checked:
    """The source's condition. Never raises for what is wrong with the source."""
    try:
        await client.ask("SELECT 1 AS one", limits=PROBE)  # the connection's making is no part of the latency
        started_at, started = clock.now(), clock.monotonic()
        found = await _condition(client)
        spent = clock.monotonic() - started
        quickest = min(spent, *[await _round_trip(client, clock) for _ in range(2)])
    except SourceFault as fault:
        return _failed(fault)
    client.at_level(found.readonly)
    grants = await _grants(client)
    return Checked(
        reachable=True,
        authenticated=True,
        version=found.version,
        readonly=found.readonly,
        only_reads=only_reads(found.readonly, grants),
        write_privileges=writes(grants or ()),
        clock_skew_s=round(found.now - started_at.timestamp() - spent / 2, 3),
        latency_ms=round(quickest * 1000, 3),
    )


async def _round_trip(client: Asks, clock: Clock) -> float:
    started = clock.monotonic()
    await client.ask("SELECT 1 AS one", limits=PROBE)
    return clock.monotonic() - started


async def inspect(client: Asks) -> list[TableSeen]:
    """Every table and view that the login sees, but the server's own, by database and name. SourceFault where it cannot."""
    tables = await client.ask(
        "SELECT database, name, engine, total_rows FROM system.tables"
        " WHERE database NOT IN {system:Array(String)} AND NOT is_temporary ORDER BY database, name LIMIT {most:UInt32}",
        {"system": list(_SYSTEM), "most": MAX_TABLES},
        limits=PROBE,
    )
    columns = await _columns(client, sorted({str(row["database"]) for row in tables.rows}))
    return [
        TableSeen(
            database=str(row["database"]),
            name=str(row["name"]),
            engine=str(row["engine"]),
            rows=None if row["total_rows"] is None else int(row["total_rows"]),
            columns=columns.get((str(row["database"]), str(row["name"])), {}),
        )
        for row in tables.rows
    ]


async def describe(client: Asks, database: str, *others: str) -> dict[str, dict[str, str]]:
    """The columns' types of tables and views, as DESCRIBE prints them: by `database.table`, and of the first database by
    `table` too, which are the two ways in which a mapping names a table. Raises SourceFault."""
    found = await _columns(client, [database, *others])
    plain = {table: columns for (where, table), columns in found.items() if where == database}
    return {**{f"{where}.{table}": columns for (where, table), columns in found.items()}, **plain}


async def describe_select(client: Asks, select: str) -> dict[str, str]:
    """The columns of a SELECT with their types, for relations that a mapping makes. Raises SourceFault."""
    answer = await client.ask(f"DESCRIBE TABLE (\n{select}\n)", limits=PROBE)
    return {str(row["name"]): _type(row["type"]) for row in answer.rows}


async def count_rows(client: Asks, relations: Mapping[str, str], *, limits: Limits = PROBE) -> dict[str, int | None]:
    """The rows of each relation (table -> SELECT); None where the source did not count them in time."""
    counts: dict[str, int | None] = {}
    for table, select in relations.items():
        try:
            answer = await client.ask(f"SELECT count() AS n FROM (\n{select}\n)", limits=limits)
            counts[table] = int(answer.rows[0]["n"])
        except (SourceFault, LookupError, ValueError, TypeError):
            counts[table] = None
    return counts


async def may_write(client: Asks, database: str) -> bool | None:
    """Whether the login may insert into the database as it is, by grants and roles; None where the server cannot say."""
    try:
        answer = await client.ask(f"CHECK GRANT INSERT ON {_quoted(database)}.*", limits=PROBE, plain=True)
        return bool(next(iter(answer.rows[0].values())))
    except (SourceFault, LookupError, StopIteration):
        return None


async def _grants(client: Asks) -> list[str] | None:
    """What SHOW GRANTS prints, roles spelt out where the server can; None where it does not tell."""
    for sql in ("SHOW GRANTS FINAL", "SHOW GRANTS"):
        try:
            answer = await client.ask(sql, limits=PROBE, plain=True)
        except SourceFault:
            continue
        shown = [str(next(iter(row.values()), "")) for row in answer.rows]
        # With FINAL, the grants of roles are among the others, and the roles' names say nothing more.
        return [text for text in shown if not has_roles([text])] if sql.endswith("FINAL") else shown
    return None


async def _columns(client: Asks, databases: Sequence[str]) -> dict[tuple[str, str], dict[str, str]]:
    answer = await client.ask(
        "SELECT database, table, name, type FROM system.columns WHERE database IN {databases:Array(String)}"
        " ORDER BY database, table, position",
        {"databases": list(databases)},
        limits=PROBE,
    )
    columns: dict[tuple[str, str], dict[str, str]] = {}
    for row in answer.rows:
        columns.setdefault((str(row["database"]), str(row["table"])), {})[str(row["name"])] = _type(row["type"])
    return columns


@dataclass(frozen=True, slots=True)
class _Condition:
    version: str
    now: float
    readonly: int


async def _condition(client: Asks) -> _Condition:
    answer = await client.ask(
        "SELECT version() AS version, toUnixTimestamp64Milli(now64(3)) / 1000 AS now,"
        " toUInt8(getSetting('readonly')) AS readonly",
        limits=PROBE,
        plain=True,
    )
    try:
        (row,) = answer.rows
        version = _VERSION.match(str(row["version"]))
        return _Condition(version[0] if version else "", float(row["now"]), int(row["readonly"]))
    except (LookupError, ValueError, TypeError, OverflowError):
        raise SourceFault(Kind.NOT_CLICKHOUSE) from None


def _failed(fault: SourceFault) -> Checked:
    away = {Kind.HOST_REFUSED, Kind.NAME_UNKNOWN, Kind.NO_CONNECTION, Kind.TLS, Kind.TIMEOUT, Kind.NOT_CLICKHOUSE}
    reached = fault.kind not in away
    return Checked(reached, reached and fault.kind is not Kind.CREDENTIALS, fault=fault.kind)


def _type(value: Any) -> str:
    return str(value)[:_TYPE_CHARS]


def _quoted(identifier: str) -> str:
    return "`" + identifier.replace("\\", "\\\\").replace("`", "\\`") + "`"
