"""A record in the engine: loaded as a whole or not at all, and never twice."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from runtime.errors import LoomError
from runtime.store import Store
from runtime.store.macros import expand
from services.tracker.contract.tables import TABLES
from services.tracker.contract.verdict import judge
from services.tracker.record.batch import Batch, batch_of
from services.tracker.record.demo.build import demo
from services.tracker.record.demo.size import Size
from services.tracker.record.load.read import Reader
from services.tracker.record.write import Record
from tests.support.record_files import as_lines, written
from tests.support.stores import chdb_store

NOW = datetime(2026, 5, 1, tzinfo=UTC)
SMALL = Size(issues=220, changes=200, check_rows=5_000, tests=60)
ITEM = ("source_id", "number", "title", "body", "state", "created_at", "updated_at", "is_private")


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with chdb_store(tmp_path / "data", fsync=False) as opened:
        yield opened


@pytest.fixture
def record(store: Store) -> Record:
    return Record(store, "tracker_demo", partial(expand, config=store.config))


def item(number: int, title: str = "t", day: int = 1, **more: Any) -> dict[str, Any]:
    at = NOW + timedelta(days=day)
    fixed = (f"Org/repo#{number}", number, title, "b", "open", NOW, at, 0)
    return {**dict(zip(ITEM, fixed, strict=True)), **more}


def issues(*rows: dict[str, Any]) -> Batch:
    return batch_of("github_issues", tuple(rows[0]), [tuple(row.values()) for row in rows])


async def counts(store: Store) -> dict[str, int]:
    sql = "SELECT name, total_rows AS n FROM system.tables WHERE database = 'tracker_demo'"
    return {row["name"]: row["n"] for row in await store.query(sql)}


async def titles(store: Store) -> list[str]:
    return [row["title"] for row in await store.query("SELECT title FROM tracker_demo.github_issues ORDER BY number")]


async def test_the_demo_goes_in_whole_keeps_the_contract_and_a_second_time_adds_nothing(
    store: Store, record: Record
) -> None:
    written_rows = await record.load(demo(NOW, SMALL))
    assert await counts(store) == written_rows
    described: dict[str, dict[str, str]] = {}
    for table in written_rows:
        described[table] = {
            row["name"]: row["type"] for row in await store.query(f"DESCRIBE TABLE tracker_demo.{table}")
        }
    assert judge(described).ok
    assert set(described) == set(TABLES)
    assert await record.load(demo(NOW, SMALL)) == written_rows
    assert await counts(store) == written_rows


async def test_of_two_rows_of_an_item_the_one_updated_later_stays_in_whatever_order(
    store: Store, record: Record
) -> None:
    await record.load([issues(item(1, "newer", day=5), item(1, "older", day=2), item(2, "first", day=1))])
    assert await titles(store) == ["newer", "first"]
    await record.load([issues(item(1, "oldest", day=1), item(2, "second", day=2))])
    assert await titles(store) == ["newer", "second"]


async def test_a_load_that_fails_changes_nothing_and_leaves_nothing_behind(store: Store, record: Record) -> None:
    await record.load([issues(item(1))])

    def broken() -> Iterator[Batch]:
        yield issues(item(2))
        raise RuntimeError("the file went away")

    with pytest.raises(RuntimeError):
        await record.load(broken())
    assert await counts(store) == {"github_issues": 1}
    with pytest.raises(LoomError):
        await record.load([issues(item(2)), issues(item(3) | {"number": None})])
    assert await counts(store) == {"github_issues": 1}


async def test_a_load_that_is_cancelled_changes_nothing(store: Store, record: Record) -> None:
    began = asyncio.Event()
    loop = asyncio.get_running_loop()

    def slow() -> Iterator[Batch]:
        for number in range(1, 10_000):
            yield issues(item(number))
            loop.call_soon_threadsafe(began.set)

    task = asyncio.create_task(record.load(slow()))
    await asyncio.wait_for(began.wait(), 20)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await counts(store) == {}


async def test_optional_columns_that_no_file_has_are_not_there(store: Store, record: Record) -> None:
    await record.load([issues(item(1))])
    sql = "SELECT name FROM system.columns WHERE database = 'tracker_demo' ORDER BY position"
    assert [row["name"] for row in await store.query(sql)] == list(ITEM)
    await record.load([issues(item(2, author="dev-1")), issues(item(3, severity="high", closed_at=None))])
    rows = await store.query(
        "SELECT number, author, severity, closed_at FROM tracker_demo.github_issues ORDER BY number"
    )
    assert [tuple(row.values()) for row in rows] == [(1, "", "", None), (2, "dev-1", "", None), (3, "", "high", None)]


async def test_equal_check_rows_are_one_and_attempts_are_kept_apart(store: Store, record: Record) -> None:
    names = ("check_start_time", "test_name", "test_status", "attempt", "report_url", "pull_request_number")
    rows = [
        (NOW, "t", "FAIL", 1, "a", None),
        (NOW, "t", "OK", 2, "a", None),
        (NOW, "t", "OK", 2, "b", 7),
        (NOW, "t", "OK", 2, "c", 7),
    ]
    for _ in range(2):
        await record.load([batch_of("checks", names, rows)])
    assert await counts(store) == {"checks": 3}  # the address of the report does not make a run


async def test_rows_without_what_names_them_are_taken_all_the_same(store: Store, record: Record) -> None:
    names = ("version", "branch", "sha", "pr_number", "built_at")
    await record.load(
        [batch_of("version_history", names, [("1.0", "main", "a", None, None), ("1.0", "main", "b", 2, NOW)])]
    )
    assert await counts(store) == {"version_history": 2}


async def test_releases_of_two_repositories_may_have_one_version(store: Store, record: Record) -> None:
    rows = [("1.0", "Org/a"), ("1.0", "Org/b")]
    await record.load([batch_of("releases", ("version", "repo"), rows)])
    assert await counts(store) == {"releases": 2}


async def test_incidents_may_come_without_a_body(store: Store, record: Record) -> None:
    await record.load([batch_of("core_incidents", ("id", "title"), [("INC-1", "t")])])
    assert await counts(store) == {"core_incidents": 1}


async def test_words_of_title_and_body_are_found_through_an_index(store: Store, record: Record) -> None:
    await record.load([issues(item(1, "Picker hangs"), item(2, body="the PICKER"), item(3, "nothing"))])
    where = "hasAnyTokens(title, ['picker', 'absent']) OR hasAnyTokens(body, ['picker', 'absent'])"
    inner = "SELECT number, title, body FROM tracker_demo.github_issues WHERE is_private = 0"
    sql = f"SELECT number FROM ({inner}) WHERE {where} ORDER BY number"
    assert [row["number"] for row in await store.query(sql)] == [1, 2]
    plan = "\n".join(next(iter(row.values())) for row in await store.query(f"EXPLAIN indexes = 1 {sql}"))
    assert "title_words" in plan
    assert "body_words" in plan


async def test_a_hostile_export_loads_as_far_as_it_goes(store: Store, record: Record, tmp_path: Path) -> None:
    rows = [item(1, body="\0 NUL"), item(2, body="x" * 3_000_000), item(2**53), item(3, title="'); DROP TABLE x --")]
    path = written(tmp_path, "x.jsonl.xz", as_lines(rows) + b'{"number": 9')
    reader = Reader([path])
    assert await record.load(reader) == {"github_issues": 4}
    assert await titles(store) == ["t", "t", "'); DROP TABLE x --", "t"]
    assert reader.reports[0].stopped


async def test_a_record_can_be_removed(store: Store, record: Record) -> None:
    await record.load([issues(item(1))])
    await record.clear()
    assert await store.query("SELECT name FROM system.databases WHERE name = 'tracker_demo'") == []


async def test_the_caller_hears_of_each_batch(record: Record) -> None:
    told: list[tuple[str, int]] = []
    await record.load([issues(item(1), item(2)), issues(item(3))], lambda table, rows: told.append((table, rows)))
    assert told == [("github_issues", 2), ("github_issues", 1)]
