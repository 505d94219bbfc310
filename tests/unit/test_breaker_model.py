"""The breaker against a model that keeps every outcome and reads the rules off the list."""

from dataclasses import dataclass

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule

from runtime.breaker import Breaker, CircuitOpenError, Permit, State
from runtime.clock import ManualClock

UNANSWERED = "unanswered"
WINDOW_S, OPEN_S, LEASE_S = 10, 5.0, 60.0


class Model:
    """The rules said plainly: `outcomes` are (time, failed) since the breaker last closed."""

    def __init__(self) -> None:
        self.state, self.outcomes = State.CLOSED, []
        self.opened_at = self.probe_at = 0.0
        self.period = object()
        self.probing = False
        self.begun = self.seen = 0

    def may_pass(self, now: float) -> bool:
        if self.state is State.CLOSED:
            return True
        if self.state is State.OPEN:
            return now >= self.opened_at + OPEN_S
        return not self.probing or now >= self.probe_at + LEASE_S

    def admit(self, now: float) -> object:
        self.begun += 1
        if self.state is not State.CLOSED:
            self.state, self.probe_at, self.probing, self.period = State.HALF_OPEN, now, True, object()
        return self.period

    def unanswered(self, period: object, number: int, now: float) -> None:
        """A failure, unless an earlier one that was seen since it began took it along."""
        if period is self.period and (self.state is not State.CLOSED or number > self.seen):
            self.seen = self.begun
            self.report(period, now, True)

    def report(self, period: object, now: float, failed: bool | None) -> None:
        if period is not self.period:
            return
        if self.state is State.HALF_OPEN:
            self._probed(now, failed)
        elif failed is not None:
            self.outcomes.append((now, failed))
            if self._too_many_in_row() or self._too_many_in_window(now):
                self._open(now)

    def _probed(self, now: float, failed: bool | None) -> None:
        if failed is None:
            self.probing = False
        elif failed:
            self._open(now)
        else:
            self.state, self.outcomes, self.period = State.CLOSED, [], object()

    def _open(self, now: float) -> None:
        self.state, self.opened_at, self.period = State.OPEN, now, object()

    def _too_many_in_row(self) -> bool:
        last = [failed for _, failed in self.outcomes[-5:]]
        return last == [True] * 5

    def _too_many_in_window(self, now: float) -> bool:
        recent = [failed for at, failed in self.outcomes if int(at) > int(now) - WINDOW_S]
        return len(recent) >= 20 and sum(recent) * 2 >= len(recent)


@dataclass(frozen=True)
class Pending:
    permit: Permit
    period: object
    number: int


class BreakerMachine(RuleBasedStateMachine):
    pending = Bundle("pending")

    def __init__(self) -> None:
        super().__init__()
        self.clock, self.model = ManualClock(), Model()
        self.breaker = Breaker(self.clock)

    @property
    def now(self) -> float:
        return self.clock.monotonic()

    def _begin(self) -> Pending | None:
        expected = self.model.may_pass(self.now)
        try:
            permit = self.breaker.permit()
        except CircuitOpenError as refusal:
            assert not expected, "refused a call that the model lets pass"
            assert refusal.retry_after_s > 0
            return None
        assert expected, "let a call pass that the model refuses"
        return Pending(permit, self.model.admit(self.now), self.model.begun)

    def _report(self, pending: Pending, failed: bool | str | None) -> None:
        if failed == UNANSWERED:
            pending.permit.unanswered()
            self.model.unanswered(pending.period, pending.number, self.now)
            return
        report = {True: pending.permit.failure, False: pending.permit.success, None: pending.permit.neutral}[failed]
        report()
        self.model.report(pending.period, self.now, failed)

    @rule(target=pending)
    def begin(self) -> object:
        begun = self._begin()
        return multiple() if begun is None else begun

    @rule(begun=consumes(pending), failed=st.sampled_from([True, False, None, UNANSWERED]))
    def end(self, begun: Pending, failed: bool | str | None) -> None:
        self._report(begun, failed)

    # Whole seconds and halves meet the edges of buckets, of the open time and of the lease.
    @rule(half_seconds=st.integers(1, 24) | st.sampled_from([10, 20, 120]))
    def wait(self, half_seconds: int) -> None:
        self.clock.advance(half_seconds / 2)

    # Single steps alone would rarely gather twenty calls in ten seconds.
    @rule(
        outcomes=st.lists(st.sampled_from([True, False, UNANSWERED]), min_size=5, max_size=25),
        every_s=st.sampled_from([0.0, 0.25, 0.5]),
    )
    def burst(self, outcomes: list[bool | str], every_s: float) -> None:
        for failed in outcomes:
            begun = self._begin()
            if begun is not None:
                self._report(begun, failed)
            assert self.breaker.state is self.model.state
            self.clock.advance(every_s)

    @invariant()
    def the_states_agree(self) -> None:
        assert self.breaker.state is self.model.state

    @invariant()
    def there_is_a_wait_exactly_when_a_call_would_be_refused(self) -> None:
        assert (self.breaker.retry_after_s == 0) == self.model.may_pass(self.now)


BreakerMachine.TestCase.settings = settings(max_examples=100, stateful_step_count=30, deadline=None)
TestBreakerAgainstTheModel = BreakerMachine.TestCase
