"""Deadlines: how long a call may still take, handed from hop to hop as seconds left.

A scope ends the work inside it when the time is up and says so as DEADLINE_EXCEEDED. It tells its own timer from
everything else: a cancellation from outside stays a cancellation, a TimeoutError of the work stays what it is.
"""

import asyncio
from types import TracebackType

from runtime.clock import Clock
from runtime.errors import LoomError


def deadline_exceeded() -> LoomError:
    """The error of a call whose time is up."""
    return LoomError("DEADLINE_EXCEEDED", "the call did not finish within its deadline")


class Deadline:
    """A point in time, `seconds` from now on the monotonic clock; 0 or less has passed already."""

    __slots__ = ("_clock", "_ends")

    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock = clock
        self._ends = clock.monotonic() + seconds

    def remaining(self) -> float:
        """Seconds left, never below 0."""
        return max(0.0, self._ends - self._clock.monotonic())

    @property
    def expired(self) -> bool:
        return self._clock.monotonic() >= self._ends

    def child(self, seconds: float) -> "Deadline":
        """A deadline for a part of the work: `seconds` from now, but never later than this one."""
        return Deadline(self._clock, min(seconds, self.remaining()))

    def scope(self) -> "Scope":
        """`async with deadline.scope():` runs its body until the deadline; LoomError DEADLINE_EXCEEDED after it.

        If the deadline has passed already, the body is not begun.
        """
        return Scope(self)


class Scope:
    """One use of a deadline, in one task."""

    __slots__ = ("_deadline", "_timer")

    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline

    async def __aenter__(self) -> Deadline:
        if self._deadline.expired:
            raise deadline_exceeded()
        self._timer = asyncio.timeout(self._deadline.remaining())
        await self._timer.__aenter__()
        return self._deadline

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # The timer raises only for itself: it hands back an outer cancellation, and a TimeoutError of the body too.
        try:
            await self._timer.__aexit__(kind, error, trace)
        except TimeoutError as timeout:
            raise deadline_exceeded() from timeout
