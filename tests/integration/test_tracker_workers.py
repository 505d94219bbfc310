"""The frame of background passes: leases, checkpoints, schedules and failures, over a store in memory."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

import pytest
import pytest_asyncio

from runtime.clock import ManualClock
from runtime.errors import LoomError
from runtime.store import Store, StoreConfig, migrate
from services.tracker.rows import SourceRow
from services.tracker.workers.frame import LeaseLost, SourceSilent, Work
from services.tracker.workers.lease import Leases
from services.tracker.workers.progress import Progress
from services.tracker.workers.runner import Ran, Runner, Scheduled
from tests.support.stores import opened
from tests.support.tracker_sources import source_row

EVERY_S = 3600.0
NAME = "counting"

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def store() -> AsyncIterator[Store]:
    async with opened(StoreConfig(dsn="chdb://:memory:", fsync=False, readers=1)) as made:
        await migrate(made, "services.tracker.migrations", plane="tracker")
        yield made


@pytest_asyncio.fixture(loop_scope="module")
async def empty(store: Store) -> Store:
    for table in ("tracker_leases", "tracker_passes"):
        await store.command(f"TRUNCATE TABLE {table}")
    return store


class Counting:
    """A pass that does what a test wants of it, and keeps what it was given."""

    name = NAME

    def __init__(self, then: Callable[[Work], Awaitable[Mapping[str, int]]] | None = None) -> None:
        self.then, self.began_at = then, []

    async def run(self, work: Work) -> Mapping[str, int]:
        self.began_at.append((work.source.name, work.checkpoint))
        return await self.then(work) if self.then else {}


class Bench:
    """A runner over some sources, with a clock that stands still."""

    def __init__(self, store: Store, work: Counting, *sources: SourceRow, limit_s: float = 60.0) -> None:
        self.clock, self.work = ManualClock(), work
        self.leases = Leases(store)

        async def serving() -> tuple[SourceRow, ...]:
            return sources

        states = Progress(store, self.clock)
        self.runner = Runner({NAME: Scheduled(work, EVERY_S, limit_s)}, serving, self.leases, states, self.clock)

    async def outcomes(self) -> list[str]:
        return [ran.outcome for ran in await self.runner.due()]


async def test_a_pass_runs_over_every_source_when_it_is_asked_for(empty: Store) -> None:
    bench = Bench(empty, Counting(), source_row("a"), source_row("b"))
    ran = await bench.runner.once(NAME)
    assert sorted((each.source, each.outcome) for each in ran) == [("a", "done"), ("b", "done")]


async def test_a_pass_is_due_once_an_interval_and_also_after_a_restart(empty: Store) -> None:
    bench = Bench(empty, Counting(), source_row())
    assert await bench.outcomes() == ["done"]
    assert await bench.outcomes() == []
    assert await Bench(empty, Counting(), source_row()).outcomes() == []
    bench.clock.advance(EVERY_S)
    assert await bench.outcomes() == ["done"]


async def test_a_source_that_is_silent_waits_for_the_next_pass_and_holds_up_no_other(empty: Store) -> None:
    async def silent(work: Work) -> Mapping[str, int]:
        if work.source.name == "down":
            raise SourceSilent("timeout")
        return {"rows": 1}

    bench = Bench(empty, Counting(silent), source_row("down"), source_row("up"))
    ran = {each.source: each for each in await bench.runner.due()}
    assert ran == {"down": Ran("down", "silent", reason="timeout"), "up": Ran("up", "done", {"rows": 1})}
    assert await bench.outcomes() == []
    bench.clock.advance(EVERY_S)
    assert sorted(await bench.outcomes()) == ["done", "silent"]


@pytest.mark.parametrize("failure", [RuntimeError("defect"), LoomError("STORAGE_UNAVAILABLE", "gone")])
async def test_a_defect_concerns_one_source_alone(empty: Store, failure: Exception) -> None:
    async def fails(work: Work) -> Mapping[str, int]:
        if work.source.name == "bad":
            raise failure
        return {}

    ran = await Bench(empty, Counting(fails), source_row("bad"), source_row("good")).runner.due()
    assert sorted(each.outcome for each in ran) == ["done", "failed"]


async def test_a_run_that_was_cut_off_goes_on_from_its_checkpoint_and_begins_anew_once_it_was_done(
    empty: Store,
) -> None:
    async def never_ends(work: Work) -> Mapping[str, int]:
        await work.save('{"day": 3}')
        await asyncio.Event().wait()
        return {}

    cut = Bench(empty, Counting(never_ends), source_row(), limit_s=1.0)
    assert await cut.outcomes() == ["partial"]
    going_on = Bench(empty, Counting(), source_row())
    assert await going_on.outcomes() == ["done"]
    going_on.clock.advance(EVERY_S)
    assert await going_on.outcomes() == ["done"]
    assert going_on.work.began_at == [("team", '{"day": 3}'), ("team", "")]


async def test_a_process_that_died_leaves_its_checkpoint(empty: Store) -> None:
    saved = asyncio.Event()

    async def hangs(work: Work) -> Mapping[str, int]:
        await work.save("half")
        saved.set()
        await asyncio.Event().wait()
        return {}

    died = asyncio.create_task(Bench(empty, Counting(hangs), source_row()).runner.due())
    await asyncio.wait_for(saved.wait(), 10)
    died.cancel()
    await asyncio.wait([died])
    after = Bench(empty, Counting(), source_row())
    assert await after.outcomes() == ["done"]
    assert after.work.began_at == [("team", "half")]


async def test_what_another_process_works_on_is_left_to_it(empty: Store) -> None:
    bench = Bench(empty, Counting(), source_row())
    held = await bench.leases.take("dev", "id-team")
    assert held is not None
    assert await bench.outcomes() == ["busy"]
    assert bench.work.began_at == []
    await bench.leases.release(held)
    assert await bench.outcomes() == ["done"]


async def test_a_lease_holds_one_source_and_ends_with_its_time(empty: Store) -> None:
    short = Leases(empty, lease_s=0)
    expired = await Leases(empty).take("dev", "other")
    assert expired is not None
    assert await Leases(empty).take("dev", "third") is not None
    assert await short.take("dev", "one") is None  # its time was over before it was asked for
    assert await Leases(empty).take("dev", "one") is not None


async def test_a_lease_that_ended_cannot_be_renewed(empty: Store) -> None:
    leases = Leases(empty)
    lease = await leases.take("dev", "one")
    assert lease is not None
    await leases.renew(lease)
    await leases.release(lease)
    with pytest.raises(LeaseLost):
        await leases.renew(lease)


@pytest.mark.parametrize(("seconds", "holds"), [(-1, False), (1, True)])
async def test_of_two_that_claim_at_once_the_earlier_holds(empty: Store, seconds: int, holds: bool) -> None:
    async def another_claims(_: float) -> None:
        await empty.command(
            "INSERT INTO tracker_leases SELECT 'dev', 'one', 'other', now64(6) + toIntervalSecond({by:Int32}), "
            "now64(6) + toIntervalSecond(100), 1",
            {"by": seconds},
        )

    lease = await Leases(empty, pause=another_claims).take("dev", "one")
    assert (lease is not None) == holds
    if not holds:
        live = await empty.query("SELECT owner FROM tracker_leases FINAL WHERE lease_until > now64(6)")
        assert [row["owner"] for row in live] == ["other"]  # the loser withdrew


async def test_a_run_that_lost_its_lease_stops_and_saves_nothing_more(empty: Store) -> None:
    done: list[str] = []

    async def loses(work: Work) -> Mapping[str, int]:
        await empty.command("TRUNCATE TABLE tracker_leases")
        await work.save("too late")
        done.append("went on")
        return {}

    ran = await Bench(empty, Counting(loses), source_row()).runner.due()
    assert [(each.outcome, each.reason) for each in ran] == [("partial", "lease")]
    assert done == []


async def test_the_background_looks_again_and_again_and_outlives_a_failing_store(empty: Store) -> None:
    looks: asyncio.Queue[float] = asyncio.Queue()
    go_on: asyncio.Queue[None] = asyncio.Queue()
    calls = 0

    async def wait(seconds: float) -> None:
        looks.put_nowait(seconds)
        await go_on.get()

    async def sources() -> list[SourceRow]:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise LoomError("STORAGE_UNAVAILABLE", "gone")
        return [source_row()]

    clock, work = ManualClock(), Counting()
    scheduled = {NAME: Scheduled(work, EVERY_S, 60.0)}
    runner = Runner(scheduled, sources, Leases(empty), Progress(empty, clock), clock, wait=wait)
    runner.start()
    for _ in range(2):
        await asyncio.wait_for(looks.get(), 10)
        go_on.put_nowait(None)
    await asyncio.wait_for(looks.get(), 10)
    await runner.close()
    assert work.began_at == [("team", "")]
