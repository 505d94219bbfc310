"""From a question's namespace to a reading of its tracker, and from readings to what every op says of them."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from runtime.clock import Clock
from runtime.identity import Caller
from services.tracker.outcome import Common
from services.tracker.reads import Live, NamespaceBinding, Reading, together
from services.tracker.resolve import FAN_OUT, Resolver, not_a_tracker
from services.tracker.rows import Bound

TOTAL = "total"
T = TypeVar("T")


class Serving(Protocol):
    """Turns a bound tracker into what readings are made of."""

    async def binding(self, bound: Bound, *, ask: bool = True) -> NamespaceBinding:
        """Without `ask` nothing is sent: what is not known of the source yet is left empty."""
        ...


class Asking:
    """What the question ops share."""

    def __init__(self, resolver: Resolver, serving: Serving, live: Live, clock: Clock) -> None:
        self._resolver, self._serving, self._live, self._clock = resolver, serving, live, clock

    async def primary(self, org: str, namespace: str, caller: Caller, *, ask: bool = True) -> "Asked":
        """A reading of the primary tracker; without `ask` one that has sent nothing. Raises NOT_A_TRACKER_NAMESPACE."""
        started = self._clock.monotonic()
        bound = await self._resolver.primary(org, namespace, caller)
        return Asked([await self._reading(bound, ask=ask)], self._clock, started, [bound])

    async def every(self, org: str, namespace: str, caller: Caller) -> "Asked":
        """Readings of the trackers that a search reads, primary first. Raises NOT_A_TRACKER_NAMESPACE."""
        started = self._clock.monotonic()
        bound = await self._resolver.readable(org, namespace, caller)
        return Asked(await together(*(self._reading(each) for each in bound)), self._clock, started, bound)

    async def some(self, org: str, namespace: str, caller: Caller, only: Sequence[str] = ()) -> "Asked":
        """As `every`; of these namespaces, where any are named. Raises NOT_A_TRACKER_NAMESPACE where one is not linked.

        What is named is read though more are linked than a search reads at once.
        """
        if not only:
            return await self.every(org, namespace, caller)
        started = self._clock.monotonic()
        found = (await self._resolver.resolve(org, namespace, caller)).trackers
        kept = [each for each in found if each.namespace in only]
        # Left out in silence, it would seem to have been searched.
        if {each.namespace for each in kept} != set(only) or len(kept) > FAN_OUT:
            raise not_a_tracker()
        return Asked(await together(*(self._reading(each) for each in kept)), self._clock, started, kept)

    async def _reading(self, bound: Bound, *, ask: bool = True) -> Reading:
        return self._live.reading(await self._serving.binding(bound, ask=ask))


class Asked:
    """The readings of one call, and what they are bound to, alike in order.

    With several trackers, legs are named `namespace/leg`.
    """

    def __init__(self, readings: Sequence[Reading], clock: Clock, started: float, bounds: Sequence[Bound] = ()) -> None:
        self.readings, self.bounds, self._clock, self._started = readings, bounds, clock, started
        self._notes: dict[str, str] = {}

    def note(self, reading: Reading, leg: str, state: str) -> None:
        """The state of a leg that asks no source, such as the one over Loom's own vectors."""
        self._notes.update(self._named(reading, {leg: state}))

    @property
    def primary(self) -> Reading:
        return self.readings[0]

    @property
    def namespace(self) -> str:
        return self.primary.tracker_namespace

    def common(self) -> Common:
        """Silent where a tracker was: what it would have said is missing."""
        silent = [reading for reading in self.readings if reading.tracker_unavailable]
        reason = silent[0].unavailable_reason if silent else None
        spent = round((self._clock.monotonic() - self._started) * 1000, 3)
        return Common(
            tracker_namespace=self.namespace,
            tracker_unavailable=bool(silent),
            unavailable_reason=str(reason or ""),
            leg_status={
                **{k: str(v) for one in self.readings for k, v in self._named(one, one.leg_status).items()},
                **self._notes,
            },
            not_provided=sorted({name for one in self.readings for name in one.not_provided}),
            timings_ms={
                **{k: v for one in self.readings for k, v in self._named(one, one.timings_ms).items()},
                TOTAL: spent,
            },
        )

    def _named(self, reading: Reading, legs: dict[str, T]) -> dict[str, T]:
        if len(self.readings) == 1:
            return legs
        return {f"{reading.tracker_namespace}/{leg}": value for leg, value in legs.items()}
