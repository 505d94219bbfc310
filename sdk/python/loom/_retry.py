"""When to send a call again, and after how long: decided here, without I/O, for both twins.

Failures (no connection, no answer, 408, 5xx) share a number of attempts. Refusals by a limit (429) are not failures:
they have a budget of waiting of their own, because a busy server that says when to come back will serve the call.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

# However small the draw: a limit that refuses again and again must not be asked in a tight loop.
LEAST_WAIT_S = 0.05

# Statuses by which a server says that it has not run the op, so that any op may be sent again.
NOT_RUN = frozenset({408, 503})


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How patient a client is. `RetryPolicy(attempts=1, throttle_budget_s=0)` sends everything once.

    `attempts`: most sendings of a call that fails. `base_s` and `cap_s`: the n-th wait is drawn evenly from 0 to
    min(cap_s, base_s * 2^(n-1)) seconds ("full jitter": M. Brooker, "Exponential Backoff And Jitter", AWS, 2015).
    `throttle_budget_s`: most seconds that a call waits for limits (429), all its waits together. `random` draws from
    [0, 1).
    """

    attempts: int = 3
    base_s: float = 0.5
    cap_s: float = 5.0
    throttle_budget_s: float = 15.0
    random: Callable[[], float] = field(default=random.random, repr=False)

    def wait_s(self, n: int) -> float:
        """The n-th wait, counted from 1, in seconds."""
        return self.random() * min(self.cap_s, self.base_s * 2.0 ** min(n - 1, 60))


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one sending ended short of success.

    `status` is the HTTP status, None when no answer came; then `sent` says whether the server may have seen the
    request. `retry_after_s` is the server's advice in seconds.
    """

    status: int | None = None
    sent: bool = True
    retry_after_s: float | None = None


class Retry:
    """The decisions about one call. `repeatable`: a read, or a write whose repetition has no effect of its own."""

    __slots__ = ("_failures", "_policy", "_repeatable", "_throttled", "_timeout_s", "_waited_s")

    def __init__(self, policy: RetryPolicy, *, repeatable: bool, timeout_s: float) -> None:
        self._policy = policy
        self._repeatable = repeatable
        self._timeout_s = timeout_s
        self._failures = 0
        self._throttled = 0
        self._waited_s = 0.0

    def next(self, outcome: Outcome, elapsed: float) -> float | None:
        """Seconds to wait before the next sending; None: give up. `elapsed` counts seconds since the call began.

        A wait that would pass the call's timeout is not begun: the caller gets its answer now.
        """
        wait = self._after_limit(outcome) if outcome.status == 429 else self._after_failure(outcome)
        return wait if wait is not None and elapsed + wait < self._timeout_s else None

    def _after_limit(self, outcome: Outcome) -> float | None:
        self._throttled += 1
        wait = self._wait_s(outcome, self._throttled)
        self._waited_s += wait
        return wait if self._waited_s <= self._policy.throttle_budget_s else None

    def _after_failure(self, outcome: Outcome) -> float | None:
        self._failures += 1
        if self._failures >= self._policy.attempts or not self._worth_it(outcome):
            return None
        return self._wait_s(outcome, self._failures)

    def _wait_s(self, outcome: Outcome, n: int) -> float:
        return max(LEAST_WAIT_S, outcome.retry_after_s or self._policy.wait_s(n))

    def _worth_it(self, outcome: Outcome) -> bool:
        if outcome.status is None:
            return self._repeatable or not outcome.sent
        if outcome.status == 501 or not (outcome.status == 408 or outcome.status >= 500):
            return False
        return self._repeatable or outcome.status in NOT_RUN
