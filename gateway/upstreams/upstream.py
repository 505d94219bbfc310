"""An upstream: one plane as the gateway calls it. Concurrency limit, then breaker, then the transport; retries around.

A call holds its place under the concurrency limit from beginning to end, waits between attempts included, so the limit
bounds everything that a plane can make the gateway hold. Each attempt asks the breaker and reports to it.

The transport is trusted to end within `timeout_s` and to say DEADLINE_EXCEEDED. A timer around `call` must leave it a
little longer: a call that is cancelled from outside tells the breaker nothing, so a plane that hangs would never count.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal, Protocol

from google.protobuf.message import Message

from gateway.upstreams.budget import RetryBudget
from gateway.upstreams.limit import ConcurrencyLimit
from gateway.upstreams.retry import Retryable, RetryPolicy, may_retry
from runtime.breaker import Breaker, CircuitOpenError, State
from runtime.call import ELSEWHERE
from runtime.clock import Clock
from runtime.deadline import Deadline, deadline_exceeded
from runtime.errors import LoomError

Event = Literal["retry", "budget_spent", "overloaded", "circuit_open"]


class Transport(Protocol):
    """What carries one attempt: a channel, or a plane in the same process. Raises LoomError."""

    async def call(self, op: Retryable, request: Message, metadata: Mapping[str, str], timeout_s: float) -> Message: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Stats:
    """One upstream at one moment. `refused_total` counts what the limit and the breaker refused."""

    name: str
    in_flight: int
    state: State
    retries_total: int
    refused_total: int


class Upstream:
    """One plane. `call` is all that the gateway needs; the rest is for metrics and shutdown.

    `rand` gives numbers from 0 to 1 for the jitter, `sleep` waits that many seconds. `on_event(name, event)` is told of
    each retry and refusal and must not raise; changes of the breaker's state are the breaker's own to tell.
    """

    def __init__(
        self,
        name: str,
        transport: Transport,
        *,
        clock: Clock,
        breaker: Breaker,
        budget: RetryBudget,
        rand: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        max_concurrent: int = 256,
        retries: int = 2,
        on_event: Callable[[str, Event], None] = lambda name, event: None,
    ) -> None:
        self.name = name
        self._transport, self._clock, self._breaker, self._budget = transport, clock, breaker, budget
        self._on_event = on_event
        self._retries_total = self._refused_total = 0
        self._limit = ConcurrencyLimit(name, max_concurrent, on_refused=partial(self._refused, "overloaded"))
        self._retry = RetryPolicy(
            budget=budget,
            retries=retries,
            rand=rand,
            sleep=sleep,
            breaker_closed=lambda: breaker.state is State.CLOSED,
            on_retry=self._retried,
            on_budget_spent=partial(on_event, name, "budget_spent"),
        )

    async def call(self, op: Retryable, request: Message, metadata: Mapping[str, str], timeout_s: float) -> Message:
        """The plane's answer within `timeout_s`, retries included. Raises LoomError: the plane's own, or ours.

        Ours are OVERLOADED (limit) and CIRCUIT_OPEN (breaker), both with retry_after_s, plane and origin, and
        DEADLINE_EXCEEDED when no time was left to begin with, which says nothing about the plane and counts nowhere.
        """
        if timeout_s <= 0:
            raise deadline_exceeded()
        with self._limit:
            deadline = Deadline(self._clock, timeout_s)
            self._budget.note_call()
            try:
                return await self._attempt(op, request, metadata, timeout_s)
            except CircuitOpenError as refusal:
                raise self._circuit_open(refusal) from None
            except LoomError as error:
                if not may_retry(op, error):
                    raise
                first = error
            again = partial(self._attempt, op, request, {**metadata, **ELSEWHERE})
            return await self._retry.after(first, op, again, deadline)

    async def close(self) -> None:
        """Close the transport."""
        await self._transport.close()

    @property
    def refusing(self) -> bool:
        """True while the breaker lets nothing through; false again when a probe may pass, though nobody has tried."""
        return self._breaker.state is State.OPEN and self._breaker.retry_after_s > 0

    def stats(self) -> Stats:
        """For metrics and health."""
        return Stats(self.name, self._limit.in_flight, self._breaker.state, self._retries_total, self._refused_total)

    async def _attempt(self, op: Retryable, request: Message, metadata: Mapping[str, str], timeout_s: float) -> Message:
        with self._breaker.permit():
            return await self._transport.call(op, request, metadata, timeout_s)

    def _circuit_open(self, refusal: CircuitOpenError) -> LoomError:
        self._refused("circuit_open")
        message = f"the plane {self.name} failed repeatedly and is not asked for now"
        return LoomError(
            "CIRCUIT_OPEN", message, retry_after_s=refusal.retry_after_s, plane=self.name, origin="breaker"
        )

    def _refused(self, event: Event) -> None:
        self._refused_total += 1
        self._on_event(self.name, event)

    def _retried(self) -> None:
        self._retries_total += 1
        self._on_event(self.name, "retry")
