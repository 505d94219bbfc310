"""The concurrency limit and the retry budget by themselves."""

import pytest

from gateway.upstreams.budget import RetryBudget
from gateway.upstreams.limit import ConcurrencyLimit
from runtime.clock import ManualClock
from runtime.errors import LoomError


def take_all(budget: RetryBudget, at_most: int = 1000) -> int:
    return sum(budget.take() for _ in range(at_most))


def test_a_full_limit_refuses_at_once_with_a_retry_after() -> None:
    limit = ConcurrencyLimit("memory", 2)
    with limit, limit:
        with pytest.raises(LoomError) as refusal, limit:
            pass
        assert limit.in_flight == 2
    error = refusal.value
    assert (error.code.name, error.retry_after_s) == ("OVERLOADED", 1.0)
    assert error.metadata == {"plane": "memory", "origin": "limit"}


def test_a_place_is_given_back_even_after_an_error() -> None:
    limit = ConcurrencyLimit("memory", 1)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), limit:
            raise ZeroDivisionError
    assert limit.in_flight == 0


def test_a_refusal_is_told_and_takes_no_place() -> None:
    told = []
    limit = ConcurrencyLimit("memory", 0, on_refused=lambda: told.append(1))
    with pytest.raises(LoomError), limit:
        pass
    assert (told, limit.in_flight) == ([1], 0)


def test_a_fifth_of_the_calls_may_be_retried() -> None:
    budget = RetryBudget(ManualClock())
    for _ in range(100):
        budget.note_call()
    assert take_all(budget) == 20


def test_a_quiet_upstream_has_three_retries_in_the_window() -> None:
    budget = RetryBudget(ManualClock())
    budget.note_call()
    assert take_all(budget) == 3


def test_the_floor_is_not_on_top_of_the_share() -> None:
    budget = RetryBudget(ManualClock())
    for _ in range(20):
        budget.note_call()
    assert take_all(budget) == 4


def test_retries_are_paid_back_when_they_leave_the_window() -> None:
    clock = ManualClock()
    budget = RetryBudget(clock)
    assert take_all(budget) == 3
    clock.advance(9)
    assert take_all(budget) == 0
    clock.advance(1)
    assert take_all(budget) == 3


def test_calls_that_left_the_window_earn_no_retries() -> None:
    clock = ManualClock()
    budget = RetryBudget(clock)
    for _ in range(100):
        budget.note_call()
    clock.advance(10)
    assert take_all(budget) == 3


def test_a_retry_is_not_a_call_and_earns_nothing() -> None:
    budget = RetryBudget(ManualClock(), ratio=1.0, floor=0)
    budget.note_call()
    assert take_all(budget) == 1
