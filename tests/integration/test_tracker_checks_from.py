"""Where a source's CI runs are read from: its mapping, its own table, the operator's word, or nowhere."""

import json
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from runtime.settings import SettingsError
from runtime.store import Store
from services.tracker.build import _checks_from
from services.tracker.judging import judged_by
from services.tracker.mapping.model import SourceTable
from services.tracker.settings import TrackerSettings
from services.tracker.sources.local import LocalClient
from tests.support.record_engine import record_engine
from tests.support.tracker_record import PATIENT
from tests.support.tracker_sources import source_row

pytestmark = pytest.mark.asyncio(loop_scope="module")
ITEM = (
    "source_id String, number Int64, title String, body String, state String, created_at DateTime, updated_at DateTime,"
    " is_private UInt8"
)
RUNS = "check_start_time DateTime, test_name String, test_status String"
OPERATORS = SourceTable("runs", "ci")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def store() -> AsyncIterator[Store]:
    made = [f"CREATE DATABASE {name}" for name in ("ci", "bare", "own")]
    for database in ("bare", "own"):
        for table in ("github_issues", "github_prs"):
            made.append(f"CREATE TABLE {database}.{table} ({ITEM}) ENGINE = MergeTree ORDER BY source_id")
    for table in ("own.checks", "ci.runs", "ci.mapped"):
        made.append(f"CREATE TABLE {table} ({RUNS}) ENGINE = MergeTree ORDER BY test_name")
    async with record_engine(*made) as opened:
        yield opened


async def read_from(store: Store, database: str, mapping: str = "", asked: SourceTable | None = OPERATORS) -> str:
    source = source_row(database=database, mapping=mapping)
    judged = await judged_by(LocalClient(store, PATIENT), source, asked)
    assert judged.verdict.ok
    return judged.relations["checks"].sql if "checks" in judged.relations else ""


async def test_the_mapping_goes_first(store: Store) -> None:
    mapping = json.dumps({"tables": {"checks": {"from": "ci.mapped"}}})
    assert "`mapped`" in await read_from(store, "own", mapping)


async def test_the_sources_own_table_goes_before_the_operators(store: Store) -> None:
    assert "`runs`" not in await read_from(store, "own")
    assert await read_from(store, "own")


async def test_the_operators_table_is_read_where_there_is_no_other(store: Store) -> None:
    assert "`runs`" in await read_from(store, "bare")


async def test_without_any_there_are_none_and_the_record_serves_all_the_same(store: Store) -> None:
    assert await read_from(store, "bare", asked=None) == ""
    assert await read_from(store, "bare", asked=SourceTable("nowhere", "ci")) == ""


@pytest.mark.parametrize("text", ["system.tables", "a b", "x.y.z", "url('http://h')"])
async def test_what_names_no_table_of_a_record_is_refused_at_the_start(text: str) -> None:
    with pytest.raises(SettingsError, match="LOOM_TRACKER_CHECKS_FROM"):
        _checks_from(TrackerSettings(checks_from=text))
