"""Deadlines: what is left, and whose timeout it was."""

import asyncio

import pytest

from runtime.clock import ManualClock, SystemClock
from runtime.deadline import Deadline
from runtime.errors import LoomError

SHORT_S = 0.001


async def for_ever() -> None:
    await asyncio.Event().wait()


def test_what_is_left_shrinks_and_never_goes_below_zero() -> None:
    clock = ManualClock()
    deadline = Deadline(clock, 3.0)
    clock.advance(1)
    assert (deadline.remaining(), deadline.expired) == (2.0, False)
    clock.advance(2)
    assert (deadline.remaining(), deadline.expired) == (0.0, True)
    clock.advance(1)
    assert deadline.remaining() == 0.0


@pytest.mark.parametrize(("asked", "left"), [(1.0, 1.0), (30.0, 2.0)])
def test_a_child_never_outlives_its_parent(asked: float, left: float) -> None:
    clock = ManualClock()
    parent = Deadline(clock, 3.0)
    clock.advance(1)
    assert parent.child(asked).remaining() == left


async def test_work_within_the_deadline_is_left_alone() -> None:
    async with asyncio.timeout(5), Deadline(SystemClock(), 60).scope() as deadline:
        await asyncio.sleep(0)
    assert not deadline.expired


async def test_work_past_the_deadline_ends_as_deadline_exceeded() -> None:
    with pytest.raises(LoomError) as raised:
        async with asyncio.timeout(5), Deadline(SystemClock(), SHORT_S).scope():
            await for_ever()
    assert raised.value.code.name == "DEADLINE_EXCEEDED"


async def test_the_task_goes_on_normally_after_its_deadline_was_exceeded() -> None:
    with pytest.raises(LoomError):
        async with Deadline(SystemClock(), SHORT_S).scope():
            await for_ever()
    assert asyncio.current_task().cancelling() == 0
    await asyncio.sleep(0)


@pytest.mark.parametrize("seconds", [0.0, -1.0])
async def test_past_the_deadline_the_work_is_not_begun(seconds: float) -> None:
    begun = False
    with pytest.raises(LoomError) as raised:
        async with Deadline(ManualClock(), seconds).scope():
            begun = True
    assert (raised.value.code.name, begun) == ("DEADLINE_EXCEEDED", False)


async def test_a_timeout_of_the_work_itself_is_not_taken_for_ours() -> None:
    with pytest.raises(TimeoutError):
        async with Deadline(SystemClock(), 60).scope():
            raise TimeoutError


async def test_an_outer_cancellation_stays_a_cancellation() -> None:
    begun = asyncio.Event()

    async def work() -> None:
        async with Deadline(SystemClock(), 60).scope():
            begun.set()
            await for_ever()

    task = asyncio.create_task(work())
    async with asyncio.timeout(5):
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_an_outer_cancellation_wins_when_both_come_at_once() -> None:
    cancelled_by_timer = asyncio.Event()

    async def work() -> None:
        async with Deadline(SystemClock(), SHORT_S).scope():
            try:
                await for_ever()
            except asyncio.CancelledError:
                cancelled_by_timer.set()
                await asyncio.Event().wait()

    task = asyncio.create_task(work())
    async with asyncio.timeout(5):
        await cancelled_by_timer.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_an_outer_timeout_that_is_shorter_stays_a_timeout() -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(SHORT_S), Deadline(SystemClock(), 60).scope():
            await for_ever()


async def test_the_nearer_of_two_nested_deadlines_ends_the_work() -> None:
    outer = Deadline(SystemClock(), 60)
    reached = False
    async with asyncio.timeout(5), outer.scope():
        with pytest.raises(LoomError):
            async with outer.child(SHORT_S).scope():
                await for_ever()
        reached = True
    assert reached


async def test_an_error_of_the_work_passes_through() -> None:
    with pytest.raises(LoomError) as raised:
        async with Deadline(SystemClock(), 60).scope():
            raise LoomError("UNKNOWN_OP", "no such op")
    assert raised.value.code.name == "UNKNOWN_OP"
