"""Changes of rights take turns, are recorded first, and are not left half done."""

import asyncio
from datetime import UTC, datetime

import pytest

from runtime.clock import ManualClock
from runtime.errors import LoomError
from services.directory.rows import AuditEntry, Grant, Namespace
from tests.support.directory import ORG, MemoryDirectory, Plane


@pytest.fixture
def store():
    return MemoryDirectory()


@pytest.fixture
def plane(store):
    return Plane(store, ManualClock())


async def fails(awaitable):
    with pytest.raises(LoomError) as caught:
        await awaitable
    assert caught.value.code.name == "STORAGE_UNAVAILABLE"


async def test_the_record_is_written_before_the_change(plane, store):
    await plane.create("team", "ann")
    assert store.inserts == [AuditEntry, Grant, Namespace]


async def test_without_its_record_a_change_is_not_made(plane, store):
    store.faults = ["lost"]
    await fails(plane.create("team", "ann"))
    assert not (await plane.check("team", "ann")).exists
    await plane.create("team", "bob")
    assert await plane.members("team") == {"bob": "admin"}


async def test_a_late_write_leaves_no_namespace_without_an_admin(plane, store):
    await plane.create("team", "ann")
    await plane.grant("team", "bob", "admin")
    store.faults = ["", "late"]
    await fails(plane.revoke("team", "ann"))
    with pytest.raises(LoomError) as caught:
        await plane.revoke("team", "bob")
    store.arrive()
    assert caught.value.code.name == "LAST_ADMIN"
    assert await plane.members("team") == {"bob": "admin"}


async def test_a_creation_that_broke_off_is_finished_before_the_next_change(plane, store):
    store.faults = ["", "", "late"]
    await fails(plane.create("team", "ann"))
    with pytest.raises(LoomError) as caught:
        await plane.create("team", "bob")
    assert caught.value.code.name == "ALREADY_EXISTS"
    assert await plane.members("team") == {"ann": "admin"}


async def test_while_a_doubtful_change_cannot_be_finished_no_other_is_made(plane, store):
    await plane.create("team", "ann")
    store.faults = ["", "lost", "lost"]
    await fails(plane.grant("team", "bob", "viewer"))
    await fails(plane.grant("team", "cid", "viewer"))
    await plane.grant("team", "dora", "viewer")
    assert await plane.members("team") == {"ann": "admin", "bob": "viewer", "dora": "viewer"}


async def test_a_change_whose_caller_went_away_is_finished_too(plane, store):
    await plane.create("team", "ann")
    begun, never = asyncio.Event(), asyncio.Event()
    insert = store.insert

    async def hang(rows):
        if isinstance(rows[0], Grant):
            begun.set()
            await never.wait()
        await insert(rows)

    store.insert = hang
    task = asyncio.create_task(plane.grant("team", "bob", "writer"))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    store.insert = insert
    await plane.grant("team", "cid", "viewer")
    assert await plane.members("team") == {"ann": "admin", "bob": "writer", "cid": "viewer"}


async def test_organisations_do_not_wait_for_each_other(plane, store):
    async with plane.ledger.change("other", ("x", "r")):
        await plane.create("team", "ann")


async def test_a_clock_that_was_set_back_loses_no_change(store):
    late, early = ManualClock(datetime(2030, 1, 1, tzinfo=UTC)), ManualClock(datetime(2020, 1, 1, tzinfo=UTC))
    await Plane(store, late).create("team", "ann")
    after_restart = Plane(store, early)
    await after_restart.grant("team", "bob", "admin")
    await after_restart.revoke("team", "ann")
    assert await after_restart.members("team") == {"bob": "admin"}
    rows, _ = await after_restart.ops.audit.execute(ORG, "", "", 5, "")
    assert [row.action for row in rows] == ["namespace.revoke", "namespace.grant", "namespace.create"]
