import asyncio
import logging

import pytest

from runtime.clock import ManualClock, SystemClock
from runtime.errors import LoomError
from runtime.store import GroupCommit, RowsRefused
from runtime.store.group import CROWD
from tests.support.inserter import LIMIT_S, POISON, FakeInserter, joined, outcomes, while_an_insert_runs


def group_of(store, clock=None):
    return GroupCommit(store, "t", ["a"], clock=clock or ManualClock())


async def test_writers_who_arrive_together_share_one_insert_in_their_order():
    store = FakeInserter(group_window_ms=1.0)
    group = group_of(store)
    assert await outcomes(*(group.write([[i], [i + 0.5]]) for i in range(10))) == [None] * 10
    assert store.calls == [[[i / 2] for i in range(20)]]


async def test_rows_that_arrive_during_an_insert_form_the_next_group():
    store = FakeInserter()
    group = group_of(store)
    first = await while_an_insert_runs(store, group)
    others = await joined(group, [["b"]], [["c"]])
    store.gate.set()
    await outcomes(first, *others)
    assert store.calls == [[["first"]], [["b"], ["c"]]]


async def test_a_writer_who_was_alone_does_not_wait_for_company():
    store = FakeInserter(group_max_rows=2, group_window_ms=LIMIT_S * 1000)
    group = group_of(store)
    async with asyncio.timeout(LIMIT_S / 2):
        await group.write([["a"], ["b"]])  # a full group needs no window
        await group.write([["c"]])
    assert store.rows == [["a"], ["b"], ["c"]]


async def test_a_writer_is_answered_only_when_its_rows_are_in():
    store = FakeInserter()
    first = await while_an_insert_runs(store, group_of(store))
    assert not first.done()
    store.gate.set()
    await first
    assert store.rows == [["first"]]


async def test_a_group_is_capped_but_one_writers_rows_are_never_split():
    store = FakeInserter(group_max_rows=3, group_window_ms=LIMIT_S * 1000)
    group = group_of(store)
    writes = [[["a"]], [["b"], ["b"]], [["c"]], [["d"]] * 5, [["e"]]]
    assert await outcomes(*(group.write(rows) for rows in writes)) == [None] * 5
    assert store.calls == [[["a"], ["b"], ["b"]], [["c"]], [["d"]] * 5, [["e"]]]


async def test_a_full_queue_refuses_at_once_and_says_when_to_come_back():
    store = FakeInserter(queue_max_rows=3)
    group = group_of(store)
    first = await while_an_insert_runs(store, group)
    others = await joined(group, [["b"], ["b"]])
    with pytest.raises(LoomError) as caught:
        await group.write([["c"], ["c"]])
    assert (caught.value.code.name, caught.value.retry_after_s) == ("OVERLOADED", 1.0)
    others += await joined(group, [["d"]])
    store.gate.set()
    assert await outcomes(first, *others) == [None] * 3
    assert ["c"] not in store.rows


async def test_a_write_larger_than_the_queue_is_taken_when_nobody_waits():
    store = FakeInserter(queue_max_rows=3)
    await group_of(store).write([["a"]] * 10)
    assert len(store.rows) == 10


async def test_no_rows_are_written_without_an_insert():
    store = FakeInserter()
    await group_of(store).write([])
    assert store.calls == []


async def test_the_rows_of_one_writer_at_fault_do_not_fail_the_others(caplog):
    store = FakeInserter(group_window_ms=1.0)
    group = group_of(store)
    results = await outcomes(*(group.write([[POISON if i == 5 else i]]) for i in range(9)))
    assert [type(result) for result in results] == [type(None)] * 5 + [RowsRefused] + [type(None)] * 3
    assert store.rows == [[i] for i in range(9) if i != 5]


async def test_a_failing_engine_fails_all_writers_of_the_group_and_no_later_one():
    def fail(call):
        if call == 0:
            raise LoomError("STORAGE_UNAVAILABLE", "gone", retry_after_s=1.0)

    store = FakeInserter(fail, group_window_ms=1.0)
    group = group_of(store)
    results = await outcomes(*(group.write([[i]]) for i in range(3)))
    assert {result.code.name for result in results} == {"STORAGE_UNAVAILABLE"}
    assert len(store.calls) == 1
    await group.write([["later"]])
    assert store.rows == [["later"]]


async def test_a_defect_of_the_store_is_told_to_all_and_ends_nothing(caplog):
    def fail(call):
        if call == 0:
            raise ZeroDivisionError

    store = FakeInserter(fail)
    group = group_of(store)
    with caplog.at_level(logging.ERROR, "loom.store"):
        (result,) = await outcomes(group.write([["a"]]))
    assert (result.code.name, result.message) == ("INTERNAL", "internal error")
    assert "ZeroDivisionError" in caplog.text
    await group.write([["b"]])
    assert store.rows == [["b"]]


async def test_a_writer_past_its_deadline_in_the_queue_is_told_and_not_written():
    store = FakeInserter()
    group = group_of(store)
    first = await while_an_insert_runs(store, group)
    others = await joined(group, [["b"]])
    (late,) = await outcomes(group.write([["c"]], timeout_s=0.001))
    assert late.code.name == "DEADLINE_EXCEEDED"
    store.gate.set()
    assert await outcomes(first, *others) == [None, None]
    assert store.rows == [["first"], ["b"]]


async def test_a_cancelled_writer_in_the_queue_is_not_written_and_breaks_nobody():
    store = FakeInserter()
    group = group_of(store)
    first = await while_an_insert_runs(store, group)
    b, c = await joined(group, [["b"]], [["c"]])
    b.cancel()
    store.gate.set()
    results = await outcomes(first, b, c)
    assert isinstance(results.pop(1), asyncio.CancelledError)
    assert results == [None, None]
    assert store.rows == [["first"], ["c"]]


async def test_a_writer_cancelled_on_its_way_does_not_break_its_group():
    store = FakeInserter(group_window_ms=1.0)
    group = group_of(store)
    store.gate.clear()
    a, b = await joined(group, [["a"]], [["b"]])
    async with asyncio.timeout(LIMIT_S):
        await store.started.wait()
    a.cancel()
    store.gate.set()
    results = await outcomes(a, b)
    assert isinstance(results[0], asyncio.CancelledError)
    assert results[1] is None
    assert store.rows == [["a"], ["b"]]


async def test_the_insert_gets_the_time_that_its_most_patient_writer_has_left():
    clock = ManualClock()
    store = FakeInserter()
    group = group_of(store, clock)
    first = await while_an_insert_runs(store, group)
    others = await joined(group, [["b"]], timeout_s=30.0) + await joined(group, [["c"]], timeout_s=20.0)
    clock.advance(12.0)
    store.gate.set()
    await outcomes(first, *others)
    assert store.limits == [store.config.timeout_s, 18.0]


async def test_closing_writes_what_waits_and_refuses_what_comes_after():
    store = FakeInserter(group_window_ms=LIMIT_S * 1000)
    group = group_of(store)
    tasks = await joined(group, [["a"]], [["b"]])
    async with asyncio.timeout(LIMIT_S):
        await group.close()
    assert await outcomes(*tasks) == [None, None]
    assert store.rows == [["a"], ["b"]]
    with pytest.raises(LoomError) as caught:
        await group.write([["c"]])
    assert caught.value.code.name == "SHUTTING_DOWN"


async def test_closing_an_idle_group_returns():
    await group_of(FakeInserter()).close()


async def test_after_a_crowd_the_next_group_waits_for_it_to_come_back():
    store = FakeInserter()
    group = group_of(store, SystemClock())

    async def twice(writer):
        await group.write([[f"{writer} first"]])
        await group.write([[f"{writer} second"]])

    store.gate.clear()
    writers = [asyncio.create_task(twice(writer)) for writer in range(CROWD)]
    async with asyncio.timeout(LIMIT_S):
        await store.started.wait()
        store.gate.set()
        await asyncio.gather(*writers)
    assert [len(call) for call in store.calls] == [CROWD, CROWD]
