"""Writes of one user one after another."""

import asyncio

import pytest

from runtime.clock import ManualClock
from runtime.errors import LoomError
from services.memory.lanes import Lanes

LIMIT_S = 10.0


class Gathering:
    """Serves when it is let; keeps what it was given together."""

    def __init__(self):
        self.rounds, self.open, self.begun, self.fails = [], asyncio.Event(), asyncio.Event(), False

    async def __call__(self, key, items, timeout_s):
        self.rounds.append((key, list(items), timeout_s))
        self.begun.set()
        await self.open.wait()
        if self.fails:
            raise LoomError("STORAGE_UNAVAILABLE", "gone")
        return [item * 10 for item in items]


async def started(gathering, lanes, items, key="ada"):
    """The first item is under way, the others wait."""
    tasks = [asyncio.create_task(lanes.together(key, items[0], 1, None))]
    await asyncio.wait_for(gathering.begun.wait(), LIMIT_S)
    tasks += [asyncio.create_task(lanes.together(key, item, 1, None)) for item in items[1:]]
    await asyncio.sleep(0)
    return tasks


async def test_what_waits_goes_in_together_and_each_hears_its_own_answer():
    gathering = Gathering()
    lanes = Lanes(gathering, ManualClock(), most=3)
    tasks = await started(gathering, lanes, [1, 2, 3, 4, 5])
    gathering.open.set()
    assert await asyncio.wait_for(asyncio.gather(*tasks), LIMIT_S) == [10, 20, 30, 40, 50]
    assert [items for _, items, _ in gathering.rounds] == [[1], [2, 3, 4], [5]]


async def test_work_alone_keeps_its_turn():
    gathering, order = Gathering(), []
    lanes = Lanes(gathering, ManualClock(), most=9)
    tasks = await started(gathering, lanes, [1, 2])

    async def work(left):
        order.append(len(gathering.rounds))
        return left

    alone = asyncio.create_task(lanes.alone("ada", work, 5.0))
    await asyncio.sleep(0)
    tasks.append(asyncio.create_task(lanes.together("ada", 3, 1, None)))
    await asyncio.sleep(0)
    gathering.open.set()
    assert await asyncio.wait_for(asyncio.gather(*tasks), LIMIT_S) == [10, 20, 30]
    assert await asyncio.wait_for(alone, LIMIT_S) == 5.0
    assert ([items for _, items, _ in gathering.rounds], order) == ([[1], [2], [3]], [2])


async def test_users_do_not_wait_for_one_another():
    gathering = Gathering()
    lanes = Lanes(gathering, ManualClock(), most=9)
    first = await started(gathering, lanes, [1])
    gathering.begun.clear()
    second = await started(gathering, lanes, [2], key="bob")
    assert [key for key, _, _ in gathering.rounds] == ["ada", "bob"]
    gathering.open.set()
    assert await asyncio.wait_for(asyncio.gather(*first, *second), LIMIT_S) == [10, 20]


async def test_a_failure_is_told_to_those_that_were_in_it_and_the_lane_goes_on():
    gathering = Gathering()
    lanes = Lanes(gathering, ManualClock(), most=9)
    gathering.fails = True
    gathering.open.set()
    with pytest.raises(LoomError):
        await lanes.together("ada", 1, 1, None)
    gathering.fails = False
    assert await lanes.together("ada", 2, 1, None) == 20


async def test_who_leaves_before_the_turn_comes_is_not_served():
    gathering = Gathering()
    lanes = Lanes(gathering, ManualClock(), most=9)
    tasks = await started(gathering, lanes, [1, 2, 3])
    tasks[1].cancel()
    await asyncio.sleep(0)
    gathering.open.set()
    assert await asyncio.wait_for(asyncio.gather(tasks[0], tasks[2]), LIMIT_S) == [10, 30]
    assert [items for _, items, _ in gathering.rounds] == [[1], [3]]


async def test_a_round_lasts_as_long_as_its_most_patient_caller_waits():
    gathering, clock = Gathering(), ManualClock()
    lanes = Lanes(gathering, clock, most=9)
    tasks = await started(gathering, lanes, [1])
    tasks += [asyncio.create_task(lanes.together("ada", item, 1, left)) for item, left in ((2, 3.0), (3, 7.0))]
    await asyncio.sleep(0)
    clock.advance(2.0)
    gathering.open.set()
    await asyncio.wait_for(asyncio.gather(*tasks), LIMIT_S)
    assert [left for _, _, left in gathering.rounds] == [None, 5.0]


async def test_closing_finishes_what_waits_and_refuses_what_comes_after():
    gathering = Gathering()
    lanes = Lanes(gathering, ManualClock(), most=9)
    tasks = await started(gathering, lanes, [1, 2])
    closing = asyncio.create_task(lanes.close())
    await asyncio.sleep(0)
    with pytest.raises(LoomError) as caught:
        await lanes.together("ada", 3, 1, None)
    assert caught.value.code.name == "SHUTTING_DOWN"
    gathering.open.set()
    await asyncio.wait_for(closing, LIMIT_S)
    assert await asyncio.gather(*tasks) == [10, 20]
