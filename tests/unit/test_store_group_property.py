import asyncio
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from runtime.clock import ManualClock
from runtime.errors import LoomError
from runtime.store import GroupCommit, RowsRefused
from tests.support.inserter import LIMIT_S, POISON, FakeInserter


@dataclass(frozen=True)
class Plan:
    """One writer: when it comes, what it brings, and when it is cancelled, in turns of the event loop."""

    arrives: int
    rows: int
    poisoned: bool
    cancelled_after: int | None


PLANS = st.lists(
    st.builds(
        Plan,
        arrives=st.integers(0, 12),
        rows=st.integers(1, 4),
        poisoned=st.sampled_from([False, False, False, True]),
        cancelled_after=st.none() | st.integers(0, 12),
    ),
    max_size=25,
)


async def turns(count):
    for _ in range(count):
        await asyncio.sleep(0)


async def play(plans, broken_calls, cap):
    """What the store got, the order of the calls, and what each writer heard."""

    def fail(call):
        if call in broken_calls:
            raise LoomError("STORAGE_UNAVAILABLE", "gone", retry_after_s=1.0)

    store, order = FakeInserter(fail, group_max_rows=cap), []
    group = GroupCommit(store, "t", ["writer", "number", "kind"], clock=ManualClock())

    async def write(writer, plan):
        await turns(plan.arrives)
        order.append(writer)
        await group.write([[writer, number, POISON if plan.poisoned else "fine"] for number in range(plan.rows)])

    async def cancel(task, plan):
        if plan.cancelled_after is not None:
            await turns(plan.arrives + plan.cancelled_after)
            task.cancel()

    tasks = [asyncio.create_task(write(writer, plan)) for writer, plan in enumerate(plans)]
    async with asyncio.timeout(LIMIT_S):
        await asyncio.gather(*(cancel(task, plan) for task, plan in zip(tasks, plans, strict=True)))
        heard = await asyncio.gather(*tasks, return_exceptions=True)
        await group.close()
    return store, order, heard


@settings(deadline=None, max_examples=200)
@given(PLANS, st.sets(st.integers(0, 8)), st.integers(1, 6))
def test_acknowledged_rows_are_in_exactly_once_and_every_writer_hears_its_own_outcome(plans, broken_calls, cap):
    store, order, heard = asyncio.run(play(plans, broken_calls, cap))
    kept = [(writer, number) for writer, number, _ in store.rows]
    assert len(kept) == len(set(kept))
    for writer, (plan, outcome) in enumerate(zip(plans, heard, strict=True)):
        mine = [number for owner, number in kept if owner == writer]
        if outcome is None:
            assert mine == list(range(plan.rows))
            assert not plan.poisoned
        elif isinstance(outcome, asyncio.CancelledError):
            assert plan.cancelled_after is not None
            assert mine in ([], list(range(plan.rows)))
        elif isinstance(outcome, RowsRefused):
            assert plan.poisoned
            assert mine == []
        else:
            assert outcome.code.name == "STORAGE_UNAVAILABLE"
            assert mine == []
    firsts = list(dict.fromkeys(writer for writer, _ in kept))
    assert firsts == [writer for writer in order if writer in firsts]
    assert kept == [(writer, number) for writer in firsts for number in range(plans[writer].rows)]
