"""The breaker: remembers an upstream's failures and stops asking it for a while.

Closed, every call passes and its outcome is remembered. It opens after `failures_in_row` failures with no success
between them, or when at least `window_ratio` of at least `window_min_calls` calls of the last `window_s` seconds
failed; this is judged after every outcome, so the success that completes the minimum may open it too. Open, every call
is refused for `open_s`. Then it is half-open: one call, the probe, passes and the others are refused; its success
closes the breaker and forgets the past, its failure opens it for `open_s` again.

A replica that dies takes every call down that it had. That is one thing that happened, however many calls were in
flight, and another replica may answer the next one: of failures that say that nobody answered, those of calls which
began before the last one was seen do not count.

`open_s` stays the same however often the probe fails: a failing upstream costs one caller in five seconds, which is
not worth a slower recovery and a retry-after that is hard to predict.
"""

from collections.abc import Callable
from enum import StrEnum
from types import TracebackType

from runtime.clock import Clock
from runtime.errors import LoomError

FAILURE_STATUSES = frozenset({"UNAVAILABLE", "DEADLINE_EXCEEDED", "INTERNAL", "UNKNOWN"})
UNANSWERED = "UPSTREAM_UNAVAILABLE"
PROBING_RETRY_AFTER_S = 1.0


class State(StrEnum):
    """What the breaker does with calls. It leaves OPEN when the first call after `open_s` comes, not by itself."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


class CircuitOpenError(Exception):
    """The call was refused and did not happen; `retry_after_s` is when to ask again."""

    def __init__(self, retry_after_s: float) -> None:
        super().__init__("circuit open")
        self.retry_after_s = retry_after_s


class SlidingTally:
    """Counts events, and the marked ones among them, over the current second and the `seconds - 1` before it.

    Memory is one pair of counters a second, whatever the rate. `total` and `marked` are as of the last `advance`.
    """

    __slots__ = ("_all", "_marked", "_second", "marked", "total")

    def __init__(self, seconds: int) -> None:
        self._all = [0] * seconds
        self._marked = [0] * seconds
        self._second = 0
        self.total = 0
        self.marked = 0

    def advance(self, now: float) -> int:
        """Forget what is too old at `now` (monotonic seconds); returns the slot of the current second."""
        second = int(now)
        if second > self._second:
            self._expire(min(second - self._second, len(self._all)), second)
        return self._second % len(self._all)

    def _expire(self, slots: int, second: int) -> None:
        for passed in range(second - slots + 1, second + 1):
            slot = passed % len(self._all)
            self.total -= self._all[slot]
            self.marked -= self._marked[slot]
            self._all[slot] = self._marked[slot] = 0
        self._second = second

    def add(self, now: float, *, marked: bool) -> None:
        """Count one event at `now`."""
        slot = self.advance(now)
        self._all[slot] += 1
        self.total += 1
        if marked:
            self.mark(slot)

    def mark(self, slot: int) -> None:
        """Mark one event of a slot that `advance` returned."""
        self._marked[slot] += 1
        self.marked += 1

    def clear(self) -> None:
        """Forget everything."""
        self._all = [0] * len(self._all)
        self._marked = [0] * len(self._marked)
        self.total = self.marked = 0


def is_failure(error: BaseException) -> bool:
    """Whether an error says that the upstream is unwell; an exception that is not ours counts as UNKNOWN."""
    if isinstance(error, LoomError):
        return error.code.grpc in FAILURE_STATUSES
    return isinstance(error, Exception)


class Permit:
    """The right to one call. The first report counts, later ones do nothing.

    As a context manager it reports by itself: no error is a success, an error of `FAILURE_STATUSES` a failure, any
    other answer of the upstream a success, and a cancellation or an interpreter exit neither.
    """

    __slots__ = ("_breaker", "_life", "_number", "_reported")

    def __init__(self, breaker: "Breaker", life: int, number: int) -> None:
        self._breaker, self._life, self._number, self._reported = breaker, life, number, False

    def success(self) -> None:
        """The upstream answered."""
        self._report(False)

    def failure(self) -> None:
        """The upstream is unwell."""
        self._report(True)

    def unanswered(self) -> None:
        """Nobody answered; a failure, unless one that is known already took this call along."""
        if not self._reported:
            self._report(self._breaker._is_news(self._life, self._number))

    def neutral(self) -> None:
        """Nothing was learned: the caller went away first. A probe's place is free again at once."""
        self._report(None)

    def _report(self, failed: bool | None) -> None:
        if not self._reported:
            self._reported = True
            self._breaker._settle(self._life, failed)

    def __enter__(self) -> "Permit":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.success()
        elif isinstance(error, LoomError) and error.code.name == UNANSWERED:
            self.unanswered()
        elif is_failure(error):
            self.failure()
        elif isinstance(error, Exception):
            self.success()
        else:
            self.neutral()


class Breaker:
    """One upstream's breaker; see the module for its rules. For one event loop: it takes no lock.

    `on_change(before, after)` is called at each change of state and must not raise. A probe that has not reported
    within `probe_lease_s` is given up and the next call probes; its late report is ignored, like that of any call
    which began before the last change of state.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        failures_in_row: int = 5,
        window_s: int = 10,
        window_min_calls: int = 20,
        window_ratio: float = 0.5,
        open_s: float = 5.0,
        probe_lease_s: float = 60.0,
        on_change: Callable[[State, State], None] | None = None,
    ) -> None:
        self._clock = clock
        self._failures_in_row, self._min_calls, self._ratio = failures_in_row, window_min_calls, window_ratio
        self._open_s, self._probe_lease_s = open_s, probe_lease_s
        self._on_change = on_change
        self._window = SlidingTally(window_s)
        self._row = 0
        self._life = 0
        self._begun = self._taken_along = 0
        self._until = 0.0
        self.state = State.CLOSED

    def permit(self) -> Permit:
        """The right to one call, to be used as `with breaker.permit():`; raises CircuitOpenError if refused."""
        if self.state is not State.CLOSED:
            now = self._clock.monotonic()
            if now < self._until:
                raise CircuitOpenError(self._wait(now))
            self._enter(State.HALF_OPEN, until=now + self._probe_lease_s)
        self._begun += 1
        return Permit(self, self._life, self._begun)

    def answered(self) -> None:
        """The upstream answered outside of any permit: closed at once, and the past is forgotten."""
        self._recover(self._clock.monotonic())

    @property
    def retry_after_s(self) -> float:
        """Seconds until a call may pass; 0 if one may now, a second while a probe is out (nobody knows how long)."""
        return 0.0 if self.state is State.CLOSED else self._wait(self._clock.monotonic())

    def _wait(self, now: float) -> float:
        left = max(0.0, self._until - now)
        return min(left, PROBING_RETRY_AFTER_S) if self.state is State.HALF_OPEN else left

    def _is_news(self, life: int, number: int) -> bool | None:
        """True for a failure that counts, None for one of a call that began before the last such failure was seen."""
        if life != self._life or (self.state is State.CLOSED and number <= self._taken_along):
            return None
        self._taken_along = self._begun
        return True

    def _settle(self, life: int, failed: bool | None) -> None:
        if life != self._life:
            return
        now = self._clock.monotonic()
        if self.state is State.HALF_OPEN:
            self._settle_probe(now, failed)
        elif failed is not None:
            self._remember(now, failed)

    def _settle_probe(self, now: float, failed: bool | None) -> None:
        if failed is None:
            self._until = now
        elif failed:
            self._enter(State.OPEN, until=now + self._open_s)
        else:
            self._recover(now)

    def _recover(self, now: float) -> None:
        self._row = 0
        self._window.clear()
        self._enter(State.CLOSED, until=now)

    def _remember(self, now: float, failed: bool) -> None:
        window = self._window
        window.add(now, marked=failed)
        self._row = self._row + 1 if failed else 0
        too_many = window.total >= self._min_calls and window.marked >= self._ratio * window.total
        if too_many or self._row >= self._failures_in_row:
            self._enter(State.OPEN, until=now + self._open_s)

    def _enter(self, state: State, *, until: float) -> None:
        before, self.state, self._until = self.state, state, until
        self._life += 1
        if self._on_change and before is not state:
            self._on_change(before, state)
