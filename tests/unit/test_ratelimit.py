"""The gateway's rate limit: a bucket for each token, exact to the nanosecond, bounded in memory."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.ratelimit import Buckets, RateLimiter, key_of
from runtime.clock import ManualClock
from runtime.errors import LoomError

RATES = st.one_of(st.sampled_from([0.1, 1.0, 3.0, 7.0, 50.0, 1000.0]), st.floats(0.01, 10_000))
STEPS = st.lists(st.tuples(st.one_of(st.just(0.0), st.floats(0, 5)), st.integers(1, 12)), max_size=40)


def limiter(clock: ManualClock, per_s: float = 10.0, burst: int = 3) -> RateLimiter:
    return RateLimiter(Buckets(clock, per_s=per_s, burst=burst))


def refusal(limit: RateLimiter, header: str) -> LoomError | None:
    try:
        limit.admit({"authorization": header})
    except LoomError as error:
        return error
    return None


@given(per_s=RATES, burst=st.integers(1, 20), steps=STEPS)
def test_no_window_holds_more_than_the_burst_and_what_the_rate_adds(per_s: float, burst: int, steps: list) -> None:
    clock = ManualClock()
    buckets, taken = Buckets(clock, per_s=per_s, burst=burst), []
    for pause, calls in steps:
        clock.advance(pause)
        taken += [clock.monotonic() for _ in range(calls) if not buckets.take(b"k")]
    for first in range(len(taken)):
        for last in range(first, len(taken)):
            window = taken[last] - taken[first]
            # A nanosecond at each end, which the clock's own numbers do not tell apart.
            assert last - first + 1 <= burst + per_s * (window + 2e-9)


@given(per_s=RATES, burst=st.integers(1, 20), pauses=st.lists(st.floats(0, 3), min_size=1, max_size=60))
def test_a_call_is_refused_only_when_its_bucket_is_empty(per_s: float, burst: int, pauses: list[float]) -> None:
    clock = ManualClock()
    buckets, level, before = Buckets(clock, per_s=per_s, burst=burst), float(burst), 0.0
    for pause in pauses:
        clock.advance(pause)
        level = min(float(burst), level + (clock.monotonic() - before) * per_s)
        before = clock.monotonic()
        wait = buckets.take(b"k")
        if abs(level - 1) > 1e-4:
            assert (wait == 0.0) is (level >= 1), (level, wait)
        if wait == 0.0:
            level -= 1


@given(per_s=st.floats(0.05, 900), burst=st.integers(1, 5), passed=st.floats(0, 100))
def test_the_wait_that_is_told_is_enough_and_none_too_long(per_s: float, burst: int, passed: float) -> None:
    clock = ManualClock()
    clock.advance(passed)
    buckets = Buckets(clock, per_s=per_s, burst=burst)
    while not (wait := buckets.take(b"k")):
        pass
    assert wait == math.ceil(round(wait * 1000, 6)) / 1000
    before = ManualClock()
    early = Buckets(before, per_s=per_s, burst=burst)
    for _ in range(burst):
        assert early.take(b"k") == 0.0
    before.advance(max(0.0, wait - 0.0015))
    assert early.take(b"k") > 0.0
    clock.advance(wait + 1e-9)
    assert buckets.take(b"k") == 0.0


def test_a_refused_call_costs_nothing() -> None:
    clock = ManualClock()
    buckets = Buckets(clock, per_s=1.0, burst=1)
    assert [buckets.take(b"k") for _ in range(5)] == [0.0, 1.0, 1.0, 1.0, 1.0]
    clock.advance(1.0)
    assert buckets.take(b"k") == 0.0


def test_the_refusal_says_when_to_come_back_and_nothing_of_the_token() -> None:
    clock = ManualClock()
    limit = limiter(clock, per_s=4.0, burst=2)
    assert [refusal(limit, "Bearer head.body.sign") for _ in range(2)] == [None, None]
    error = refusal(limit, "Bearer head.body.sign")
    assert error is not None
    assert (error.code.name, error.code.http, error.retry_after_s) == ("RATE_LIMITED", 429, 0.25)
    assert "body" not in str(error.detail("r"))


def test_each_token_has_a_bucket_of_its_own() -> None:
    limit = limiter(ManualClock(), burst=1)
    assert refusal(limit, "Bearer a.b.c") is None
    assert refusal(limit, "Bearer a.other.c") is None
    assert refusal(limit, "Bearer a.b.c") is not None


@pytest.mark.parametrize(
    "spelling", ["bearer a.b.c", "Bearer   a.b.c ", "BEARER a.b.c", "Bearer a.b.c!", "Bearer a.b.d"]
)
def test_another_spelling_of_a_token_is_the_same_bucket(spelling: str) -> None:
    limit = limiter(ManualClock(), burst=1)
    assert refusal(limit, "Bearer a.b.c") is None
    assert refusal(limit, spelling) is not None


def test_calls_without_a_token_are_left_to_whoever_refuses_them() -> None:
    limit = limiter(ManualClock(), burst=1)
    assert [refusal(limit, header) for header in ("", "", " ")] == [None, None, None]
    for _ in range(3):
        limit.admit({})


def test_memory_is_bounded_and_the_longest_silent_token_goes_first() -> None:
    clock = ManualClock()
    buckets = Buckets(clock, per_s=1.0, burst=1, most=3)
    for key in (b"1", b"2", b"3"):
        buckets.take(key)
    assert buckets.take(b"1") > 0
    clock.advance(1.0)
    assert buckets.take(b"1") == 0.0
    assert buckets.take(b"4") == 0.0
    assert len(buckets) == 3
    assert buckets.take(b"1") > 0
    assert buckets.take(b"2") == 0.0


def test_keys_are_digests() -> None:
    assert len(key_of("Bearer a.b.c")) == 32
    assert b"b" * 5 not in key_of("Bearer a.bbbbb.c")
    assert key_of("Bearer \udcff.x.y")
