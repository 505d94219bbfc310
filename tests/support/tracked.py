"""A small record at a source, for tests of live reads: the contract's shape, its tables, and relations over them."""

import asyncio
from collections.abc import Iterable

from services.tracker.reads import Relation, Shape
from services.tracker.sources.client import SourceClient
from services.tracker.sources.hosts import HostRules
from services.tracker.sources.model import Limits, Target
from tests.support.clickhouse_http import Server

SHAPE: Shape = {
    "github_issues": {
        **dict.fromkeys(("source_id", "title", "body", "state", "component"), "string"),
        "number": "integer",
        "is_private": "flag",
        "closed_at": "datetime",
        "labels": "strings",
        "fixed_by": "integers",
    },
    "checks": {"test_name": "string", "pull_request_number": "integer", "check_start_time": "datetime"},
    "releases": {"version": "string", "is_private": "flag"},
    "core_incidents": {"id": "string", "title": "string", "is_private": "flag"},
}
ISSUES = tuple(SHAPE["github_issues"])

# Long enough for a machine that is busy: only tests of the budget itself take less.
PATIENT = Limits(budget_s=20.0, remote_s=20.0)
HURRIED = Limits(budget_s=0.3, remote_s=1.5)

SETUP = (
    "CREATE DATABASE IF NOT EXISTS team",
    "CREATE OR REPLACE TABLE team.issues (source_id String, number Int64, title String, body String, state String,"
    " is_private UInt8, component String, closed_at Nullable(DateTime64(3, 'UTC')), labels Array(String),"
    " fixed_by Array(Int64)) ENGINE = MergeTree ORDER BY source_id",
    "INSERT INTO team.issues VALUES"
    " ('Org/repo#1', 1, 'crash', 'it crashes', 'open', 0, 'core', NULL, ['bug'], [7]),"
    " ('Org/repo#2', 2, 'secret', 'private', 'open', 1, 'core', NULL, [], []),"
    " ('Org/repo2#3', 3, 'other repository', '', 'closed', 0, '', '2026-01-02 03:04:05.000', [], []),"
    " ('Organic/repo#4', 4, 'other organisation', '', 'open', 0, '', NULL, [], [])",
    "CREATE OR REPLACE TABLE team.checks (test_name String, pull_request_number Int64, check_start_time DateTime('UTC'),"
    " repo String) ENGINE = MergeTree ORDER BY test_name",
    "INSERT INTO team.checks VALUES ('t1', 7, '2026-01-01 00:00:00', 'Org/repo'),"
    " ('t2', 8, '2026-01-01 00:00:00', 'Org/repo2')",
    "CREATE OR REPLACE TABLE team.incidents (id String, title String, is_private UInt8) ENGINE = MergeTree ORDER BY id",
    "INSERT INTO team.incidents VALUES ('I1', 'outage', 0)",
)


def issues(columns: Iterable[str] = ISSUES) -> Relation:
    """The issues, with these of their columns."""
    kept = tuple(columns)
    return Relation(f"SELECT {', '.join(kept)} FROM team.issues", frozenset(kept))


def checks(*, repo: bool = False) -> Relation:
    """The checks, with or without the repository that they ran for."""
    columns = (*SHAPE["checks"], *(("repo",) if repo else ()))
    return Relation(f"SELECT {', '.join(columns)} FROM team.checks", frozenset(columns))


INCIDENTS = Relation("SELECT id, title, is_private FROM team.incidents", frozenset(SHAPE["core_incidents"]))


def fill(server: Server) -> None:
    """Put the record at the server."""
    for statement in SETUP:
        server.execute(statement)


def target(server: Server, **changes: object) -> Target:
    """The server as a registered source."""
    fields = {"host": "127.0.0.1", "port": server.port, "secure": False, "database": "team"}
    return Target("source", **{**fields, "user": server.user, "password": server.password, **changes})  # type: ignore[arg-type]


RULES = HostRules.parse(["private"], single_user=True)
"""Rules under which a test's server may be reached."""


async def arrived(server: Server, count: int) -> None:
    """Wait until so many statements came to the server."""
    async with asyncio.timeout(20):
        while len(await asyncio.to_thread(server.recorded)) < count:
            pass


async def settled(client: SourceClient) -> None:
    """Wait until no cancellation runs."""
    await client.canceller.idle()
