"""The retry budget: retries may add only so much to an upstream's load, or they keep a sick one down.

Over the last `window_s` seconds at most `ratio` of the calls may be retried, and never fewer than `floor`, so that a
quiet upstream has retries at all: 3 in 10 s is 0.3 a second, which harms nobody. A retry is paid for when it is decided
and not given back if it is not sent after all.
"""

from runtime.breaker import SlidingTally
from runtime.clock import Clock


class RetryBudget:
    """One upstream's budget. `calls` counts calls, not attempts."""

    def __init__(self, clock: Clock, *, ratio: float = 0.2, floor: int = 3, window_s: int = 10) -> None:
        self._clock, self._ratio, self._floor = clock, ratio, floor
        self._window = SlidingTally(window_s)

    def note_call(self) -> None:
        """Count a call's first attempt."""
        self._window.add(self._clock.monotonic(), marked=False)

    def take(self) -> bool:
        """Pay for one retry; False if the budget is spent."""
        window = self._window
        slot = window.advance(self._clock.monotonic())
        if window.marked + 1 > max(self._floor, self._ratio * window.total):
            return False
        window.mark(slot)
        return True
