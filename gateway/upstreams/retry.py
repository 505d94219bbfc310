"""Retries of one call. tenacity does the waiting; what is retried, and when no more, is decided here.

What is retried, and why nothing else:

- UNAVAILABLE: another replica may answer, SHUTTING_DOWN of one of them included. Not CIRCUIT_OPEN, whoever says it: a
  breaker that is open now is open in 100 ms. OVERLOADED is RESOURCE_EXHAUSTED and so not retried either.
- ABORTED, if the op is idempotent.
- Never a write that is not idempotent, whatever the code: UNAVAILABLE does not tell whether the plane had done it.

A retry must also fit: within the number of retries, within the deadline after the wait (a retry_after_s of the plane is
waited for in full or the call is not retried), while the breaker is closed, and within the budget. Else the caller gets
the last error that the plane gave.

The retry_after_s of UPSTREAM_UNAVAILABLE is not waited for: no plane said it. The code stands for a silent plane, and
its retry_after_s is our advice to the caller, a second, where another replica may answer within milliseconds.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from google.protobuf.message import Message
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception

from gateway.upstreams.budget import RetryBudget
from runtime.breaker import CircuitOpenError
from runtime.deadline import Deadline
from runtime.errors import LoomError

FIRST_WAIT_S = 0.05
LONGEST_WAIT_S = 1.0
# With less time than this left, an attempt would only turn UNAVAILABLE into DEADLINE_EXCEEDED.
SHORTEST_ATTEMPT_S = 0.01


class Retryable(Protocol):
    """What the rules read of an op."""

    @property
    def idempotent(self) -> bool: ...

    @property
    def writes(self) -> bool: ...


def may_retry(op: Retryable, error: BaseException) -> bool:
    """Whether the same call may be sent again after this error."""
    if not isinstance(error, LoomError) or error.code.name == "CIRCUIT_OPEN":
        return False
    if op.writes and not op.idempotent:
        return False
    return error.code.grpc == "UNAVAILABLE" or (error.code.grpc == "ABORTED" and op.idempotent)


def full_jitter(failed_attempts: int, rand: Callable[[], float]) -> float:
    """Seconds to wait: anything from 0 to a bound that doubles, 50 ms after the first attempt, at most 1 s.

    Source: Exponential Backoff And Jitter, AWS Architecture Blog, 2015.
    """
    return rand() * min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** (failed_attempts - 1))


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """One upstream's retries. `rand` gives numbers from 0 to 1, `sleep` waits seconds, `breaker_closed` asks its breaker.

    `on_retry()` and `on_budget_spent()` are told before the wait, and instead of a retry.
    """

    budget: RetryBudget
    retries: int
    rand: Callable[[], float]
    sleep: Callable[[float], Awaitable[None]]
    breaker_closed: Callable[[], bool]
    on_retry: Callable[[], None]
    on_budget_spent: Callable[[], None]

    async def after(
        self, first: LoomError, op: Retryable, attempt: Callable[[float], Awaitable[Message]], deadline: Deadline
    ) -> Message:
        """Go on after the first attempt of a call failed with `first`; `attempt(timeout_s)` makes another.

        Raises the last error of the plane when no attempt succeeds.
        """
        return await _Retries(self, first, op, attempt, deadline).run()


class _Retries:
    """The retries of one call. Made only after a failure, so a call that succeeds pays nothing for them."""

    def __init__(
        self,
        policy: RetryPolicy,
        first: LoomError,
        op: Retryable,
        attempt: Callable[[float], Awaitable[Message]],
        deadline: Deadline,
    ) -> None:
        self._policy, self._op, self._attempt, self._deadline = policy, op, attempt, deadline
        self._last = first
        self._begun = False

    async def run(self) -> Message:
        # One AsyncRetrying a call: it keeps its state in thread-locals, which tasks of one loop would share.
        retrying = AsyncRetrying(
            sleep=self._policy.sleep,
            retry=retry_if_exception(lambda error: may_retry(self._op, error)),
            wait=self._wait,
            stop=self._stop,
            before_sleep=lambda _: self._policy.on_retry(),
            reraise=True,
        )
        return await retrying(self._next)

    async def _next(self) -> Message:
        # tenacity always begins with an attempt; ours has happened, so its first one repeats the error.
        if not self._begun:
            self._begun = True
            raise self._last
        left = self._deadline.remaining()
        if left < SHORTEST_ATTEMPT_S:
            raise self._last
        try:
            return await self._attempt(left)
        except CircuitOpenError:
            raise self._last from None
        except LoomError as error:
            self._last = error
            raise

    def _wait(self, state: RetryCallState) -> float:
        asked = 0.0 if self._last.code.name == "UPSTREAM_UNAVAILABLE" else self._last.retry_after_s or 0.0
        return asked + full_jitter(state.attempt_number, self._policy.rand)

    def _stop(self, state: RetryCallState) -> bool:
        policy = self._policy
        fits = self._deadline.remaining() - state.upcoming_sleep >= SHORTEST_ATTEMPT_S
        if state.attempt_number > policy.retries or not fits or not policy.breaker_closed():
            return True
        if policy.budget.take():
            return False
        policy.on_budget_spent()
        return True
