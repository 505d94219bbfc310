"""tracker.load: many calls are one load, seen at once; loads take turns; rows are refused by their place."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
import pytest_asyncio

from services.tracker.record.write import Record
from services.tracker.record_tables import database_of
from services.tracker.records import Records
from tests.support.envelope import CANARY
from tests.support.tracker_plane import ORG, TrackerPlane, held, tracker_plane

_names = count()
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def plane(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[TrackerPlane]:
    async with held(tracker_plane(tmp_path_factory.mktemp("plane"))) as built:
        yield built


@pytest.fixture
def space() -> str:
    return f"record-{next(_names)}"


def issue(number: int, title: str = "t", **more: Any) -> dict[str, Any]:
    at = f"2026-01-{number % 28 + 1:02}T00:00:00Z"
    base = {"source_id": f"Org/repo#{number}", "number": number, "title": title, "body": "b", "state": "open"}
    return {**base, "created_at": at, "updated_at": at, "is_private": 0, "component": "core", **more}


def change(number: int, **more: Any) -> dict[str, Any]:
    return {**issue(number), "state": "merged", "merged_at": "2026-02-01T00:00:00Z", **more}


ITEMS = {"github_issues": [issue(1)], "github_prs": [change(2)]}


async def fill(plane: TrackerPlane, space: str, tables: dict[str, list[Any]], load_id: str = "", **more: Any) -> None:
    """A load of a call for each table; without `finish` in `more`, it is shown by its last call."""
    for table, rows in tables.items():
        await plane.call("tracker.load", namespace=space, table=table, rows=rows, load_id=load_id or space)
    fields = {"finish": True, "repos": ["Org/repo"], **more}
    if fields["finish"]:
        await plane.call("tracker.load", namespace=space, load_id=load_id or space, **fields)


async def numbers(plane: TrackerPlane, space: str) -> set[int]:
    asked = await plane.call("tracker.item", namespace=space, numbers=list(range(1, 11)))
    assert asked["tracker_unavailable"] is False
    return {each["number"] for each in asked["items"]}


async def tables(plane: TrackerPlane, space: str) -> set[str]:
    """Tables of the record's loads that are not shown."""
    sql = "SELECT name FROM system.tables WHERE database = {database:String} AND position(name, '__') > 0"
    return {row["name"] for row in await plane.store.query(sql, {"database": database_of(ORG, space)})}


async def test_a_load_of_several_calls_is_seen_with_its_last_one_and_not_before(
    plane: TrackerPlane, space: str
) -> None:
    await fill(plane, space, ITEMS)
    assert await numbers(plane, space) == {1, 2}
    await fill(plane, space, {"github_issues": [issue(3)], "github_prs": [change(4)]}, "second", finish=False)
    assert await numbers(plane, space) == {1, 2}
    shown = await plane.call("tracker.load", namespace=space, load_id="second", finish=True)
    assert (shown["shown"], shown["stored"]) == (True, 0)
    assert await numbers(plane, space) == {1, 2, 3, 4}
    assert await tables(plane, space) == set()


async def test_the_last_call_can_be_sent_again(plane: TrackerPlane, space: str) -> None:
    await fill(plane, space, ITEMS)
    again = await plane.call("tracker.load", namespace=space, load_id=space, finish=True, repos=["Org/repo"])
    assert again["shown"] is True


async def test_loading_twice_adds_nothing_and_newer_items_stay(plane: TrackerPlane, space: str) -> None:
    newer = issue(1, "newer", updated_at="2026-03-01T00:00:00Z")
    run = {"check_start_time": "2026-02-01T00:00:00Z", "test_name": "t", "test_status": "OK", "check_name": "unit"}
    for load in ("one", "two"):
        await fill(plane, space, {"github_issues": [newer], "github_prs": [change(2)], "checks": [run]}, load)
    await fill(plane, space, ITEMS, "three")
    item = (await plane.call("tracker.item", namespace=space, numbers=[1]))["items"]
    assert [each["title"] for each in item] == ["newer"]
    database = (await source(plane, space))["database"]
    assert await plane.store.query(f"SELECT count() AS n FROM {database}.checks") == [{"n": 1}]


async def test_a_call_without_a_load_is_one_by_itself(plane: TrackerPlane, space: str) -> None:
    for table, rows in ITEMS.items():
        answer = await plane.call("tracker.load", namespace=space, table=table, rows=rows, repos=["Org/repo"])
        assert (answer["stored"], answer["shown"]) == (1, True)
    assert await numbers(plane, space) == {1, 2}
    assert await tables(plane, space) == set()


@pytest.mark.parametrize("table", list(ITEMS))
async def test_issues_alone_serve_and_so_do_pull_requests(plane: TrackerPlane, space: str, table: str) -> None:
    await fill(plane, space, {table: ITEMS[table]})
    other = next(each for each in ITEMS if each != table)
    number = ITEMS[table][0]["number"]
    asked = await plane.call("tracker.item", namespace=space, numbers=[number])
    assert (asked["tracker_unavailable"], [each["number"] for each in asked["items"]]) == (False, [number])
    assert other in asked["not_provided"]
    verdict = (await plane.call("tracker.source.check", name=space))["verdict"]
    found = {each["table"]: each["status"] for each in verdict["tables"]}
    assert verdict["ok"] is True and found.pop(table) == "ok" and set(found.values()) == {"absent"}
    assert (await source(plane, space))["state"] == "serving"


async def test_a_question_for_what_nobody_loaded_says_so(plane: TrackerPlane, space: str) -> None:
    await fill(plane, space, {"github_issues": ITEMS["github_issues"]})
    answer = await plane.call("tracker.answer", namespace=space, question="Who fixed #1?")
    assert (answer["text"], answer["citations"]) == ("The record does not have what would tell that.", [])
    assert set(answer["leg_status"].values()) == {"not_provided"} and answer["not_provided"] == ["github_prs"]
    assert answer["searched"] and all("not read (not_provided)" in each for each in answer["searched"])
    assert answer["tracker_unavailable"] is False


async def test_a_record_that_is_gone_is_to_be_loaded_again(plane: TrackerPlane, space: str) -> None:
    await fill(plane, space, ITEMS)
    await plane.store.command(f"DROP DATABASE {database_of(ORG, space)} SYNC")  # as after a restore
    verdict = (await plane.call("tracker.source.check", name=space))["verdict"]
    assert verdict["ok"] is False and "Load it again" in verdict["summary"]


async def test_loads_that_run_at_once_lose_nothing_of_each_other(plane: TrackerPlane, space: str) -> None:
    await fill(plane, space, ITEMS)
    for load, number in (("a", 3), ("b", 4)):
        await fill(plane, space, {"github_issues": [issue(number)]}, load, finish=False)
    ends = [plane.call("tracker.load", namespace=space, load_id=load, finish=True) for load in ("a", "b")]
    alone = plane.call("tracker.load", namespace=space, table="github_issues", rows=[issue(5)])
    await asyncio.gather(*ends, alone)
    assert await numbers(plane, space) == {1, 2, 3, 4, 5}


async def test_tables_and_columns_that_a_load_brings_are_answered_from_at_once(plane: TrackerPlane, space: str) -> None:
    await fill(plane, space, ITEMS)
    before = await plane.call("tracker.release", namespace=space, version="1.0")
    assert "releases" in before["not_provided"]
    await fill(plane, space, {"releases": [{"version": "1.0", "branch": "b", "state": "planned"}]}, "more")
    after = await plane.call("tracker.release", namespace=space, version="1.0")
    assert ("releases" in after["not_provided"], after["branch"]) == (False, "b")


async def test_a_load_may_replace_the_record(plane: TrackerPlane, space: str) -> None:
    await fill(plane, space, {**ITEMS, "releases": [{"version": "1.0", "branch": "b", "state": "planned"}]})
    await fill(
        plane, space, {"github_issues": [issue(3)], "github_prs": []}, "new", replace=True, repos=["Org/repo", "Org/b"]
    )
    answer = await plane.call("tracker.load", namespace=space, table="github_prs", rows=[change(4)])
    assert answer["shown"]
    assert await numbers(plane, space) == {3, 4}
    assert "releases" in (await plane.call("tracker.release", namespace=space, version="1.0"))["not_provided"]
    assert (await source(plane, space))["namespaces"][0]["repos"] == ["Org/repo", "Org/b"]


async def test_a_load_covers_its_repositories_beside_those_before(plane: TrackerPlane, space: str) -> None:
    await fill(plane, space, ITEMS)
    other = issue(7, source_id="Org/other#7")
    await fill(plane, space, {"github_issues": [other]}, "other", repos=["Org/other"])
    assert await numbers(plane, space) == {1, 2, 7}


async def test_rows_are_refused_by_their_place_and_the_others_are_taken(plane: TrackerPlane, space: str) -> None:
    rows = [issue(1), CANARY, {**issue(2), "number": CANARY}, issue(2**60), issue(3, created_at=CANARY), issue(4)]
    answer = await plane.call("tracker.load", namespace=space, table="github_issues", rows=rows, load_id="x")
    assert (answer["stored"], answer["refused_count"], answer["shown"]) == (2, 4, False)
    assert [each["index"] for each in answer["refused"]] == [1, 2, 3, 4]
    assert answer["refused"][0]["reason"] == "must be an object"
    assert CANARY not in str(answer)


async def test_of_many_refused_rows_the_first_are_shown_and_all_are_counted(plane: TrackerPlane, space: str) -> None:
    answer = await plane.call("tracker.load", namespace=space, table="github_issues", rows=[1] * 150, load_id="x")
    assert (len(answer["refused"]), answer["refused_count"]) == (100, 150)


@pytest.mark.parametrize(
    ("args", "code", "field"),
    [
        ({"table": "github_issue", "rows": []}, "INVALID_FIELD", "table"),
        ({"rows": [issue(1)]}, "MISSING_FIELD", "table"),
        ({"table": "github_issues", "rows": {}}, "INVALID_FIELD", "rows"),
        ({"table": "github_issues", "rows": [1] * 20_001}, "INVALID_FIELD", "rows"),
        ({"finish": True}, "MISSING_FIELD", "load_id"),
        ({"load_id": "x", "replace": True}, "INVALID_FIELD", "replace"),
        ({"load_id": "x", "finish": True, "repos": ["no repository"]}, "INVALID_FIELD", "repos"),
        ({"load_id": "x", "finish": True}, "INVALID_FIELD", "repos"),
        ({"load_id": "never begun", "finish": True, "repos": ["Org/repo"]}, "INVALID_FIELD", "load_id"),
    ],
)
async def test_a_call_that_makes_no_sense_names_its_field(
    plane: TrackerPlane, space: str, args: dict[str, Any], code: str, field: str
) -> None:
    failure = await plane.fails("tracker.load", namespace=space, **args)
    assert (failure.detail["code"], failure.detail["metadata"]["field"]) == (code, field)


async def test_loads_that_nobody_goes_on_with_are_given_up(plane: TrackerPlane, space: str) -> None:
    await fill(plane, space, ITEMS, "left", finish=False)
    record = record_of(plane, space)
    await record.discard_idle(datetime.now(UTC) - timedelta(hours=1))
    assert len(await tables(plane, space)) == 2
    await record.discard_idle(datetime.now(UTC) + timedelta(hours=1))
    assert await tables(plane, space) == set()


async def test_a_record_is_checked_like_any_source(plane: TrackerPlane, space: str) -> None:
    await fill(plane, space, ITEMS)
    verdict = (await plane.call("tracker.source.check", name=space))["verdict"]
    assert (verdict["ok"], verdict["reachable"], verdict["read_only"]) == (True, "ok", None)
    assert verdict["summary"] == "The record serves: 2 of 12 tables of the contract are there."
    rows = {each["table"]: each["rows"] for each in verdict["tables"] if each["status"] == "ok"}
    assert rows == {"github_issues": 1, "github_prs": 1}


async def test_a_removed_record_leaves_nothing_for_the_next_one_of_its_name(plane: TrackerPlane, space: str) -> None:
    await fill(plane, space, ITEMS)
    database = (await source(plane, space))["database"]
    await plane.call("code.repo.add", namespace=f"z-{space}", repo="Org/repo")
    await plane.call("code.repo.set_source", namespace=f"z-{space}", trackers=[space])
    assert (await plane.call("tracker.source.remove", name=space))["removed"] is True
    assert (
        await plane.store.query("SELECT 1 FROM system.databases WHERE name = {name:String}", {"name": database}) == []
    )
    # A repository still shows what it was linked to, by which `loom serve --demo` knows that it was here before.
    assert (await plane.call("code.repo.list"))["repos"][-1]["trackers"] == [space]
    await fill(plane, space, {"github_issues": [issue(3)], "github_prs": [change(4)]}, "anew")
    assert await numbers(plane, space) == {3, 4}


@pytest.mark.provokes("ALREADY_EXISTS")
async def test_a_namespace_of_something_else_is_not_taken(plane: TrackerPlane, space: str) -> None:
    await plane.call("code.repo.add", namespace=space, repo="Org/repo")
    failure = await plane.fails("tracker.load", namespace=space, table="github_issues", rows=[issue(1)])
    assert failure.detail["code"] == "ALREADY_EXISTS"


@pytest.mark.provokes("FEATURE_DISABLED")
async def test_another_organisation_has_no_records(plane: TrackerPlane, space: str) -> None:
    failure = await plane.fails("tracker.load", org="another", namespace=space, table="github_issues", rows=[issue(1)])
    assert failure.detail["code"] == "FEATURE_DISABLED"


async def source(plane: TrackerPlane, space: str) -> dict[str, Any]:
    sources = (await plane.call("tracker.source.list"))["sources"]
    return next(each for each in sources if each["name"] == space)


def record_of(plane: TrackerPlane, space: str) -> Record:
    return Records(plane.store).record(database_of(ORG, space))
