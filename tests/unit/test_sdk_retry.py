import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom import RetryPolicy
from loom._retry import Outcome, Retry

FULL = RetryPolicy(random=lambda: 1.0)
UNSENT, LOST = Outcome(sent=False), Outcome()


def retry(policy: RetryPolicy = FULL, *, repeatable: bool = True, timeout_s: float = 30.0) -> Retry:
    return Retry(policy, repeatable=repeatable, timeout_s=timeout_s)


@pytest.mark.parametrize("outcome", [UNSENT, LOST, *map(Outcome, (408, 500, 502, 503, 504, 599))])
def test_a_failure_is_sent_three_times_in_all(outcome: Outcome) -> None:
    decisions = retry()
    assert [decisions.next(outcome, 0.0) is None for _ in range(3)] == [False, False, True]


@pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 405, 409, 413, 415, 501])
def test_an_answer_that_repetition_cannot_change_is_the_last_one(status: int) -> None:
    assert retry().next(Outcome(status), 0.0) is None


@pytest.mark.parametrize(
    ("outcome", "again"),
    [(UNSENT, True), (LOST, False), (Outcome(408), True), (Outcome(503), True)]
    + [(Outcome(status), False) for status in (500, 502, 504)],
)
def test_an_op_that_must_not_run_twice_is_sent_again_only_when_it_has_not_run(outcome: Outcome, again: bool) -> None:
    assert (retry(repeatable=False).next(outcome, 0.0) is not None) is again


def test_any_op_is_sent_again_after_a_limit() -> None:
    assert retry(repeatable=False).next(Outcome(429), 0.0) is not None


def test_waits_double_up_to_the_cap() -> None:
    decisions = retry(RetryPolicy(attempts=6, base_s=0.5, cap_s=3.0, random=lambda: 1.0), timeout_s=1e9)
    assert [decisions.next(Outcome(503), 0.0) for _ in range(5)] == [0.5, 1.0, 2.0, 3.0, 3.0]


@given(st.floats(0, 1, exclude_max=True), st.integers(1, 100_000))
def test_a_wait_is_drawn_between_nothing_and_its_bound(draw: float, n: int) -> None:
    policy = RetryPolicy(base_s=0.5, cap_s=5.0, random=lambda: draw)
    assert 0 <= policy.wait_s(n) <= min(5.0, 0.5 * 2 ** min(n - 1, 60))


@pytest.mark.parametrize("status", [408, 429, 500, 503])
def test_the_servers_advice_is_the_wait(status: int) -> None:
    assert retry().next(Outcome(status, retry_after_s=7.0), 0.0) == 7.0


def test_limits_have_a_budget_of_waiting_and_no_number_of_attempts() -> None:
    decisions = retry(timeout_s=1e9)
    waits = [decisions.next(Outcome(429, retry_after_s=1.0), 0.0) for _ in range(16)]
    assert waits == [1.0] * 15 + [None]


def test_a_limit_that_asks_for_more_than_the_budget_is_not_waited_for() -> None:
    assert retry(timeout_s=1e9).next(Outcome(429, retry_after_s=15.5), 0.0) is None


def test_limits_do_not_use_up_the_attempts_of_failures() -> None:
    decisions = retry()
    for _ in range(5):
        decisions.next(Outcome(429, retry_after_s=1.0), 0.0)
    assert [decisions.next(Outcome(503), 0.0) is None for _ in range(3)] == [False, False, True]


def test_failures_do_not_use_up_the_budget_of_limits() -> None:
    decisions = retry()
    decisions.next(Outcome(503, retry_after_s=14.0), 0.0)
    assert decisions.next(Outcome(429, retry_after_s=14.0), 0.0) == 14.0


def test_a_limit_is_never_asked_in_a_tight_loop() -> None:
    decisions = retry(RetryPolicy(random=lambda: 0.0), timeout_s=1e9)
    waits = iter(lambda: decisions.next(Outcome(429, retry_after_s=0.0), 0.0), None)
    assert sum(1 for _ in waits) <= 300


def test_a_wait_past_the_calls_timeout_is_not_begun() -> None:
    assert retry(timeout_s=10.0).next(Outcome(503, retry_after_s=4.0), 5.0) == 4.0
    assert retry(timeout_s=10.0).next(Outcome(503, retry_after_s=4.0), 6.0) is None
    assert retry(timeout_s=10.0).next(Outcome(429, retry_after_s=4.0), 6.0) is None


def test_a_policy_can_send_everything_once() -> None:
    once = RetryPolicy(attempts=1, throttle_budget_s=0)
    assert [retry(once).next(outcome, 0.0) for outcome in (UNSENT, Outcome(503), Outcome(429))] == [None] * 3


@given(
    st.lists(st.tuples(st.sampled_from([None, 408, 429, 500, 503]), st.none() | st.floats(0, 40)), max_size=400),
    st.booleans(),
)
def test_however_the_sendings_end_the_bounds_hold(
    ends: list[tuple[int | None, float | None]], repeatable: bool
) -> None:
    decisions, elapsed, throttled, failures = retry(RetryPolicy(), repeatable=repeatable), 0.0, 0.0, 0
    for status, advice in ends:
        wait = decisions.next(Outcome(status, retry_after_s=advice), elapsed)
        if wait is None:
            break
        elapsed += wait
        throttled += wait if status == 429 else 0
        failures += status != 429
    assert elapsed < 30
    assert throttled <= 15
    assert failures <= 2
