"""The breaker's rules, one by one; test_breaker_model.py has them together."""

import asyncio

import pytest

from runtime.breaker import Breaker, CircuitOpenError, Permit, SlidingTally, State
from runtime.clock import ManualClock
from runtime.errors import LoomError
from tests.support.upstreams import error_of


def fail(breaker: Breaker, times: int = 1) -> None:
    for _ in range(times):
        breaker.permit().failure()


def succeed(breaker: Breaker, times: int = 1) -> None:
    for _ in range(times):
        breaker.permit().success()


def opened() -> tuple[ManualClock, Breaker]:
    clock = ManualClock()
    breaker = Breaker(clock)
    fail(breaker, 5)
    return clock, breaker


def half_opened() -> tuple[ManualClock, Breaker]:
    clock, breaker = opened()
    clock.advance(5)
    return clock, breaker


def test_four_failures_in_a_row_leave_it_closed_and_the_fifth_opens_it() -> None:
    breaker = Breaker(ManualClock())
    fail(breaker, 4)
    assert breaker.state is State.CLOSED
    fail(breaker)
    assert breaker.state is State.OPEN


def test_a_success_between_failures_begins_the_row_again() -> None:
    breaker = Breaker(ManualClock())
    fail(breaker, 4)
    succeed(breaker)
    fail(breaker, 4)
    assert breaker.state is State.CLOSED


def test_a_row_of_failures_opens_it_however_long_it_took() -> None:
    clock = ManualClock()
    breaker = Breaker(clock)
    for _ in range(5):
        fail(breaker)
        clock.advance(60)
    assert breaker.state is State.OPEN


def test_half_of_twenty_calls_failing_opens_it() -> None:
    breaker = Breaker(ManualClock())
    for _ in range(9):
        succeed(breaker)
        fail(breaker)
    succeed(breaker)
    assert breaker.state is State.CLOSED
    fail(breaker)
    assert breaker.state is State.OPEN


def test_the_success_that_completes_the_minimum_may_open_it() -> None:
    breaker = Breaker(ManualClock())
    for _ in range(9):
        fail(breaker)
        succeed(breaker)
    fail(breaker)
    succeed(breaker)
    assert breaker.state is State.OPEN


def test_less_than_half_of_many_calls_failing_leaves_it_closed() -> None:
    breaker = Breaker(ManualClock())
    for _ in range(100):
        succeed(breaker, 2)
        fail(breaker)
    assert breaker.state is State.CLOSED


def test_calls_older_than_the_window_no_longer_count() -> None:
    clock = ManualClock()
    breaker = Breaker(clock)
    for _ in range(9):
        succeed(breaker)
        fail(breaker)
    clock.advance(10)
    succeed(breaker)
    fail(breaker)
    assert breaker.state is State.CLOSED


def test_open_it_refuses_every_call_and_says_when_to_ask_again() -> None:
    clock, breaker = opened()
    clock.advance(2)
    with pytest.raises(CircuitOpenError) as refusal:
        breaker.permit()
    assert refusal.value.retry_after_s == breaker.retry_after_s == 3.0


def test_closed_there_is_nothing_to_wait_for() -> None:
    assert Breaker(ManualClock()).retry_after_s == 0.0


def test_after_the_open_time_exactly_one_call_passes() -> None:
    _, breaker = half_opened()
    breaker.permit()
    assert breaker.state is State.HALF_OPEN
    for _ in range(3):
        with pytest.raises(CircuitOpenError) as refusal:
            breaker.permit()
        assert refusal.value.retry_after_s == 1.0


def test_the_probes_success_closes_it_and_forgets_the_past() -> None:
    _, breaker = half_opened()
    breaker.permit().success()
    assert breaker.state is State.CLOSED
    fail(breaker, 4)
    assert breaker.state is State.CLOSED


def test_the_probes_success_forgets_the_window() -> None:
    clock = ManualClock()
    breaker = Breaker(clock, open_s=0.5)
    for _ in range(10):
        succeed(breaker)
        fail(breaker)
    clock.advance(0.5)
    breaker.permit().success()
    fail(breaker)
    assert breaker.state is State.CLOSED


def test_the_probes_failure_opens_it_for_the_same_time_again() -> None:
    clock, breaker = half_opened()
    for _ in range(3):
        breaker.permit().failure()
        assert breaker.state is State.OPEN
        assert breaker.retry_after_s == 5.0
        clock.advance(5)


def test_a_cancelled_probe_frees_its_place_at_once() -> None:
    _, breaker = half_opened()
    with pytest.raises(asyncio.CancelledError), breaker.permit():
        raise asyncio.CancelledError
    assert (breaker.state, breaker.retry_after_s) == (State.HALF_OPEN, 0.0)
    breaker.permit().success()
    assert breaker.state is State.CLOSED


def test_a_probe_that_never_reports_is_given_up_after_its_lease() -> None:
    clock, breaker = half_opened()
    lost = breaker.permit()
    clock.advance(60)
    probe = breaker.permit()
    lost.failure()
    assert breaker.state is State.HALF_OPEN
    probe.success()
    assert breaker.state is State.CLOSED


def test_a_call_that_began_before_the_breaker_opened_no_longer_counts() -> None:
    clock = ManualClock()
    breaker = Breaker(clock)
    slow_success, slow_failure = breaker.permit(), breaker.permit()
    fail(breaker, 5)
    slow_success.success()
    assert breaker.state is State.OPEN
    clock.advance(5)
    probe = breaker.permit()
    slow_failure.failure()
    assert breaker.state is State.HALF_OPEN
    probe.success()
    assert breaker.state is State.CLOSED


def test_only_the_first_report_of_a_permit_counts() -> None:
    breaker = Breaker(ManualClock())
    permit = breaker.permit()
    permit.success()
    for _ in range(5):
        permit.failure()
    assert breaker.state is State.CLOSED


def test_a_report_inside_the_with_block_goes_before_the_blocks_own_outcome() -> None:
    breaker = Breaker(ManualClock())
    for _ in range(5):
        with breaker.permit() as permit:
            permit.failure()
    assert breaker.state is State.OPEN


@pytest.mark.parametrize("grpc", ["UNAVAILABLE", "DEADLINE_EXCEEDED", "INTERNAL", "UNKNOWN"])
def test_a_status_of_an_unwell_upstream_is_a_failure(grpc: str) -> None:
    breaker = Breaker(ManualClock(), failures_in_row=1)
    with pytest.raises(LoomError), breaker.permit():
        raise error_of(grpc)
    assert breaker.state is State.OPEN


@pytest.mark.parametrize(
    "grpc",
    ["INVALID_ARGUMENT", "NOT_FOUND", "RESOURCE_EXHAUSTED", "ABORTED", "UNAUTHENTICATED", "UNIMPLEMENTED"],
)
def test_any_other_status_is_an_answer_and_so_a_success(grpc: str) -> None:
    breaker = Breaker(ManualClock())
    fail(breaker, 4)
    with pytest.raises(LoomError), breaker.permit():
        raise error_of(grpc)
    fail(breaker, 4)
    assert breaker.state is State.CLOSED


def test_an_exception_that_is_not_ours_is_a_failure() -> None:
    breaker = Breaker(ManualClock(), failures_in_row=1)
    with pytest.raises(ZeroDivisionError), breaker.permit():
        raise ZeroDivisionError
    assert breaker.state is State.OPEN


def test_a_cancellation_neither_counts_as_failure_nor_breaks_the_row() -> None:
    breaker = Breaker(ManualClock())
    fail(breaker, 4)
    for _ in range(5):
        with pytest.raises(asyncio.CancelledError), breaker.permit():
            raise asyncio.CancelledError
    assert breaker.state is State.CLOSED
    fail(breaker)
    assert breaker.state is State.OPEN


def unanswered(breaker: Breaker, permits: list[Permit]) -> None:
    for permit in permits:
        with pytest.raises(LoomError), permit:
            raise LoomError("UPSTREAM_UNAVAILABLE", "nobody answered")


def test_a_replica_that_dies_with_many_calls_is_one_failure() -> None:
    breaker = Breaker(ManualClock())
    for _ in range(4):
        unanswered(breaker, [breaker.permit() for _ in range(30)])
        assert breaker.state is State.CLOSED
    unanswered(breaker, [breaker.permit()])
    assert breaker.state is State.OPEN


def test_calls_that_begin_after_a_death_was_seen_are_told_apart_from_it() -> None:
    breaker = Breaker(ManualClock())
    for _ in range(5):
        unanswered(breaker, [breaker.permit()])
    assert breaker.state is State.OPEN


def test_calls_that_run_out_of_time_together_are_a_failure_each() -> None:
    breaker = Breaker(ManualClock())
    for permit in [breaker.permit() for _ in range(5)]:
        with pytest.raises(LoomError), permit:
            raise LoomError("DEADLINE_EXCEEDED", "late")
    assert breaker.state is State.OPEN


def test_a_probe_that_nobody_answers_opens_it_again() -> None:
    clock, breaker = opened()
    clock.advance(5)
    unanswered(breaker, [breaker.permit()])
    assert breaker.state is State.OPEN


@pytest.mark.parametrize("made", [opened, half_opened])
def test_an_answer_that_came_past_it_closes_it_and_forgets_the_past(made) -> None:
    _, breaker = made()
    probe = breaker.permit() if made is half_opened else None
    breaker.answered()
    assert (breaker.state, breaker.retry_after_s) == (State.CLOSED, 0.0)
    if probe:
        probe.failure()  # of a probe that was out before
    fail(breaker, 4)
    assert breaker.state is State.CLOSED
    fail(breaker)
    assert breaker.state is State.OPEN


def test_each_change_of_state_is_told_once() -> None:
    clock, changes = ManualClock(), []
    breaker = Breaker(clock, on_change=lambda before, after: changes.append((before, after)))
    fail(breaker, 5)
    clock.advance(5)
    breaker.permit().failure()
    clock.advance(5)
    breaker.permit().neutral()
    breaker.permit().success()
    closed, open_, half = State.CLOSED, State.OPEN, State.HALF_OPEN
    assert changes == [(closed, open_), (open_, half), (half, open_), (open_, half), (half, closed)]


def test_the_tally_holds_as_many_counters_as_seconds_whatever_the_rate() -> None:
    tally = SlidingTally(10)
    for event in range(10_000):
        tally.add(event / 100, marked=event % 2 == 0)
    assert (tally.total, tally.marked) == (1000, 500)
    assert len(tally._all) == len(tally._marked) == 10


@pytest.mark.parametrize("silence", [10, 11, 25, 1_000_000])
def test_the_tally_is_empty_after_a_silence_longer_than_its_window(silence: int) -> None:
    tally = SlidingTally(10)
    for second in range(10):
        tally.add(float(second), marked=True)
    tally.advance(9.0 + silence)
    assert (tally.total, tally.marked) == (0, 0)
