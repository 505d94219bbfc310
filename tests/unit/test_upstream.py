"""An upstream: what it retries, what it refuses, and what it tells."""

import asyncio

import pytest
from google.protobuf.empty_pb2 import Empty
from google.protobuf.message import Message

from gateway.upstreams.budget import RetryBudget
from gateway.upstreams.retry import full_jitter
from gateway.upstreams.upstream import Upstream
from runtime.breaker import Breaker, State
from runtime.clock import ManualClock
from runtime.errors import LoomError
from tests.support.upstreams import REQUEST, Bench, FakeOp, ScriptedTransport, error_of

IDEMPOTENT_WRITE = FakeOp(writes=True, idempotent=True)
PLAIN_WRITE = FakeOp(writes=True, idempotent=False)
PLAIN_READ = FakeOp(writes=False, idempotent=False)


def down(retry_after_s: float | None = None) -> LoomError:
    return LoomError("STORAGE_UNAVAILABLE", "storage does not answer", retry_after_s=retry_after_s)


async def failure_of(bench: Bench, op: FakeOp | None = None, timeout_s: float = 10.0) -> LoomError:
    with pytest.raises(LoomError) as raised:
        await bench.call(op, timeout_s)
    return raised.value


def attempts(bench: Bench) -> int:
    return len(bench.transport.timeouts)


async def test_an_answer_is_handed_on_after_one_attempt_with_the_callers_time() -> None:
    answer = Empty()
    bench = Bench(answer)
    assert await bench.call(timeout_s=7.0) is answer
    assert (bench.transport.timeouts, bench.waits, bench.events) == ([7.0], [], [])


async def test_an_unavailable_plane_is_asked_twice_more() -> None:
    bench = Bench(down(), down(), Empty())
    await bench.call()
    assert attempts(bench) == 3
    assert bench.events == [("tracker", "retry")] * 2
    assert bench.upstream.stats().retries_total == 2


async def test_after_two_retries_the_last_error_of_the_plane_is_raised() -> None:
    last = down()
    bench = Bench(down(), down(), last)
    assert await failure_of(bench) is last
    assert attempts(bench) == 3


async def test_without_retries_the_first_error_is_raised() -> None:
    first = down()
    bench = Bench(first, Empty(), retries=0)
    assert await failure_of(bench) is first
    assert (attempts(bench), bench.waits) == (1, [])


async def test_a_replica_that_shuts_down_is_retried() -> None:
    bench = Bench(LoomError("SHUTTING_DOWN", "stopping"), Empty())
    await bench.call()
    assert attempts(bench) == 2


async def test_a_retry_that_meets_another_error_ends_with_it() -> None:
    bench = Bench(down(), error_of("NOT_FOUND"), Empty())
    assert (await failure_of(bench)).code.grpc == "NOT_FOUND"
    assert attempts(bench) == 2


@pytest.mark.parametrize(
    "error",
    [
        error_of("INVALID_ARGUMENT"),
        error_of("NOT_FOUND"),
        error_of("DEADLINE_EXCEEDED"),
        error_of("INTERNAL"),
        LoomError("OVERLOADED", "the plane is full", retry_after_s=1),
        LoomError("CIRCUIT_OPEN", "a breaker behind the plane is open", retry_after_s=1),
    ],
    ids=lambda error: f"{error.code.name}-{error.code.grpc}",
)
async def test_other_errors_are_not_retried(error: LoomError) -> None:
    bench = Bench(error, Empty())
    assert await failure_of(bench) is error
    assert attempts(bench) == 1


@pytest.mark.parametrize(
    ("op", "grpc", "expected"),
    [
        (IDEMPOTENT_WRITE, "UNAVAILABLE", 2),
        (PLAIN_WRITE, "UNAVAILABLE", 1),
        (PLAIN_READ, "UNAVAILABLE", 2),
        (IDEMPOTENT_WRITE, "ABORTED", 2),
        (PLAIN_WRITE, "ABORTED", 1),
        (PLAIN_READ, "ABORTED", 1),
    ],
)
async def test_what_may_not_happen_twice_is_not_sent_twice(op: FakeOp, grpc: str, expected: int) -> None:
    bench = Bench(error_of(grpc), Empty())
    await asyncio.gather(bench.call(op), return_exceptions=True)
    assert attempts(bench) == expected


async def test_a_defect_of_the_transport_is_neither_hidden_nor_retried() -> None:
    bench = Bench(ZeroDivisionError(), Empty())
    with pytest.raises(ZeroDivisionError):
        await bench.call()
    assert attempts(bench) == 1


async def test_waits_are_a_random_part_of_a_bound_that_doubles() -> None:
    bench = Bench(down(), down(), Empty(), luck=0.5)
    await bench.call()
    assert bench.waits == [0.025, 0.05]


@pytest.mark.parametrize(("failed", "bound"), [(1, 0.05), (2, 0.1), (3, 0.2), (6, 1.0), (60, 1.0)])
def test_the_jitter_is_full_and_its_bound_is_capped(failed: int, bound: float) -> None:
    assert full_jitter(failed, lambda: 0.0) == 0.0
    assert full_jitter(failed, lambda: 1.0) == bound


async def test_each_attempt_is_given_the_time_that_is_left() -> None:
    bench = Bench(luck=1.0)

    async def slow_failure() -> Message:
        bench.clock.advance(2.0)
        raise down()

    bench.transport.steps[:] = [slow_failure, slow_failure, Empty()]
    await bench.call(timeout_s=10.0)
    assert bench.transport.timeouts == pytest.approx([10.0, 7.95, 5.85])


async def test_a_retry_that_cannot_fit_into_the_deadline_is_not_made() -> None:
    bench = Bench(down(), Empty(), luck=1.0)
    assert (await failure_of(bench, timeout_s=0.055)).code.name == "STORAGE_UNAVAILABLE"
    assert (attempts(bench), bench.waits) == (1, [])


async def test_a_wait_that_ran_over_the_deadline_is_not_followed_by_an_attempt() -> None:
    async def oversleep(seconds: float) -> None:
        bench.clock.advance(60)

    bench = Bench(down(), Empty(), sleep=oversleep)
    assert (await failure_of(bench)).code.name == "STORAGE_UNAVAILABLE"
    assert attempts(bench) == 1


async def test_the_planes_retry_after_is_waited_for_in_full() -> None:
    bench = Bench(down(retry_after_s=2.0), Empty(), luck=0.5)
    await bench.call()
    assert bench.waits == [2.025]


async def test_each_wait_follows_the_latest_error() -> None:
    bench = Bench(down(), down(retry_after_s=3.0), Empty(), luck=0.5)
    await bench.call()
    assert bench.waits == [0.025, 3.05]


async def test_a_retry_after_beyond_the_deadline_means_no_retry() -> None:
    bench = Bench(down(retry_after_s=20.0), Empty())
    assert (await failure_of(bench)).retry_after_s == 20.0
    assert (attempts(bench), bench.waits) == (1, [])


async def test_our_own_advice_about_a_silent_plane_is_not_waited_for() -> None:
    bench = Bench(LoomError("UPSTREAM_UNAVAILABLE", "the plane does not answer", retry_after_s=1.0), Empty(), luck=0.5)
    await bench.call()
    assert bench.waits == [0.025]


async def test_a_spent_budget_means_no_retry() -> None:
    bench = Bench(down(), floor=1)
    await failure_of(bench)
    assert attempts(bench) == 2
    assert bench.events == [("tracker", "retry"), ("tracker", "budget_spent")]


async def test_calls_that_succeed_earn_the_retries_of_those_that_fail() -> None:
    bench = Bench(*[Empty()] * 4, down(), Empty(), floor=0)
    for _ in range(5):
        await bench.call()
    assert bench.events == [("tracker", "retry")]


async def test_a_retry_that_could_not_fit_is_not_paid_for() -> None:
    bench = Bench(down(), floor=1)
    await failure_of(bench, timeout_s=0.011)
    await failure_of(bench)
    assert bench.events == [("tracker", "retry"), ("tracker", "budget_spent")]


async def test_every_failing_attempt_counts_in_the_breaker() -> None:
    bench = Bench(down())
    await failure_of(bench)
    assert bench.breaker.state is State.CLOSED
    await failure_of(bench)
    assert bench.breaker.state is State.OPEN
    assert attempts(bench) == 5


async def test_an_open_breaker_refuses_with_the_planes_name_and_a_retry_after() -> None:
    bench = Bench(down())
    for _ in range(2):
        await failure_of(bench)
    bench.clock.advance(1)
    error = await failure_of(bench)
    assert error.code.name == "CIRCUIT_OPEN"
    assert error.retry_after_s == pytest.approx(4.0)
    assert error.metadata == {"plane": "tracker", "origin": "breaker"}
    assert attempts(bench) == 5
    assert bench.events[-1] == ("tracker", "circuit_open")
    assert bench.upstream.stats().refused_total == 1


async def test_a_breaker_that_opened_during_the_wait_gives_the_planes_own_error() -> None:
    async def others_fail(seconds: float) -> None:
        for _ in range(4):
            bench.breaker.permit().failure()
        assert bench.breaker.state is State.OPEN

    bench = Bench(down(), Empty(), sleep=others_fail)
    assert (await failure_of(bench)).code.name == "STORAGE_UNAVAILABLE"
    assert attempts(bench) == 1
    assert bench.upstream.stats().refused_total == 0


async def test_the_plane_is_asked_again_after_the_open_time_and_recovers() -> None:
    bench = Bench(*[down()] * 5, Empty())
    for _ in range(2):
        await failure_of(bench)
    bench.clock.advance(5)
    await bench.call()
    assert bench.upstream.stats().state is State.CLOSED


async def test_a_failed_probe_is_not_retried() -> None:
    bench = Bench(down())
    for _ in range(2):
        await failure_of(bench)
    bench.clock.advance(5)
    await failure_of(bench)
    assert attempts(bench) == 6


async def test_no_time_left_is_said_without_asking_the_plane_or_blaming_it() -> None:
    bench = Bench(breaker=Breaker(ManualClock(), failures_in_row=1))
    assert (await failure_of(bench, timeout_s=0.0)).code.name == "DEADLINE_EXCEEDED"
    assert (attempts(bench), bench.breaker.state) == (0, State.CLOSED)


def held(bench: Bench) -> tuple[asyncio.Event, asyncio.Event]:
    """Makes the transport wait: (set when an attempt has begun, set it to let the attempt end)."""
    begun, release = asyncio.Event(), asyncio.Event()

    async def hold() -> Message:
        begun.set()
        await release.wait()
        return Empty()

    bench.transport.steps[:] = [hold]
    return begun, release


async def test_beyond_the_concurrency_limit_a_call_is_refused_at_once() -> None:
    bench = Bench(max_concurrent=1)
    begun, release = held(bench)
    running = asyncio.create_task(bench.call())
    async with asyncio.timeout(5):
        await begun.wait()
        assert bench.upstream.stats().in_flight == 1
        error = await failure_of(bench)
        release.set()
        await running
    assert (error.code.name, error.metadata["origin"]) == ("OVERLOADED", "limit")
    assert bench.events == [("tracker", "overloaded")]
    assert (bench.upstream.stats().in_flight, bench.upstream.stats().refused_total) == (0, 1)


async def test_a_call_holds_its_place_while_it_waits_to_retry() -> None:
    seen = []

    async def look(seconds: float) -> None:
        seen.append(bench.upstream.stats().in_flight)

    bench = Bench(down(), Empty(), sleep=look)
    await bench.call()
    assert seen == [1]


async def test_a_cancelled_call_gives_its_place_back_and_tells_the_breaker_nothing() -> None:
    bench = Bench(breaker=Breaker(ManualClock(), failures_in_row=1))
    begun, _ = held(bench)
    running = asyncio.create_task(bench.call())
    async with asyncio.timeout(5):
        await begun.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
    assert (bench.upstream.stats().in_flight, bench.breaker.state) == (0, State.CLOSED)


async def test_a_cancelled_probe_leaves_the_next_call_to_probe() -> None:
    bench = Bench(down())
    for _ in range(2):
        await failure_of(bench)
    bench.clock.advance(5)
    begun, release = held(bench)
    running = asyncio.create_task(bench.call())
    async with asyncio.timeout(5):
        await begun.wait()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        release.set()
        await bench.call()
    assert bench.breaker.state is State.CLOSED


async def test_a_cancellation_during_the_wait_ends_the_call() -> None:
    waiting = asyncio.Event()

    async def wait_for_ever(seconds: float) -> None:
        waiting.set()
        await asyncio.Event().wait()

    bench = Bench(down(), Empty(), sleep=wait_for_ever)
    running = asyncio.create_task(bench.call())
    async with asyncio.timeout(5):
        await waiting.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
    assert (attempts(bench), bench.upstream.stats().in_flight) == (1, 0)


async def test_a_cancellation_during_a_retry_is_not_retried() -> None:
    bench = Bench(down(), asyncio.CancelledError(), Empty())
    with pytest.raises(asyncio.CancelledError):
        await bench.call()
    assert attempts(bench) == 2


async def test_concurrent_retries_do_not_disturb_each_other() -> None:
    async def switch(seconds: float) -> None:
        await asyncio.sleep(0)

    # The breaker must not open: each call fails once and then succeeds, fifty at a time.
    clock = ManualClock()
    bench = Bench(sleep=switch, breaker=Breaker(clock, failures_in_row=1000, window_min_calls=1000))
    seen: dict[int, int] = {}

    async def fail_once() -> Message:
        task = id(asyncio.current_task())
        seen[task] = seen.get(task, 0) + 1
        await asyncio.sleep(0)
        if seen[task] == 1:
            raise down()
        return Empty()

    bench.transport.steps[:] = [fail_once]
    async with asyncio.timeout(5):
        await asyncio.gather(*[bench.call() for _ in range(50)])
    assert sorted(seen.values()) == [2] * 50


async def test_closing_the_upstream_closes_its_transport() -> None:
    bench = Bench()
    await bench.upstream.close()
    assert bench.transport.closed


async def test_an_upstream_without_a_hook_retries_and_refuses_all_the_same() -> None:
    clock = ManualClock()
    transport = ScriptedTransport([down()])
    upstream = Upstream(
        "tracker",
        transport,
        clock=clock,
        breaker=Breaker(clock, failures_in_row=3),
        budget=RetryBudget(clock),
        rand=lambda: 0.0,
    )
    codes = []
    for _ in range(2):
        with pytest.raises(LoomError) as raised:
            await upstream.call(FakeOp(), REQUEST, {}, 1.0)
        codes.append(raised.value.code.name)
    assert (codes, len(transport.timeouts)) == (["STORAGE_UNAVAILABLE", "CIRCUIT_OPEN"], 3)
