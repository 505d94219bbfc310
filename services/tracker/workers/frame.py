"""What a background pass is.

A pass works on one source at a time, under a lease. It does its work in steps: after each it saves a checkpoint, from
which the next run goes on, here or elsewhere, whatever ended this one. A step done twice must change nothing, so its
rows have keys that follow from what they say. A source that does not answer raises `SourceSilent`, and is tried again
at the next pass.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from services.tracker.reads import NOT_PROVIDED, OK, REFUSED, Live, NamespaceBinding, Reading, Statement
from services.tracker.rows import Bound, SourceRow

# A statement of a pass may take this long: nobody waits for it.
BUDGET_S = 60.0


class SourceSilent(Exception):
    """The source does not answer now; `reason` is the word that an answer would give."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"a source is silent: {reason}")
        self.reason = reason


class Clipped(Exception):
    """The source had more rows than one answer may have: ask for less at once."""


class LeaseLost(Exception):
    """Another process works on the source by now."""


@dataclass(frozen=True, slots=True)
class Work:
    """One source to work on. `checkpoint` is what the pass saved last, empty text where it begins anew.

    `save` stores a checkpoint and renews the lease; call it after every step, which must take less than the lease
    (`lease.LEASE_S`). Raises LeaseLost. The checkpoint of a run that ends by itself is cleared; what it must know the
    next time (a mark up to where it came) goes into what it stores.
    """

    source: SourceRow
    checkpoint: str
    save: Callable[[str], Awaitable[None]]

    @property
    def bounds(self) -> Sequence[Bound]:
        """The source's tracker namespaces, each as a question to it would be bound."""
        return [
            Bound(each.namespace, each.storage, self.source, each.repos, each.restricted)
            for each in self.source.namespaces
        ]


class Pass(Protocol):
    """One kind of background work; `name` is what `loom worker run` takes."""

    name: str

    async def run(self, work: Work) -> Mapping[str, int]:
        """Works on the source to the end; counts of what was done, for the log. Raises SourceSilent, LeaseLost."""
        ...


class Binder(Protocol):
    """Turns a bound tracker into what readings are made of."""

    async def binding(self, bound: Bound) -> NamespaceBinding: ...


class BackgroundReads:
    """Live reads for passes: with a budget of their own, and silence as an exception."""

    def __init__(self, serving: Binder, live: Live, budget_s: float = BUDGET_S) -> None:
        self._serving, self._live, self._budget_s = serving, live, budget_s

    async def reading(self, bound: Bound) -> Reading:
        """A reading of one namespace. Raises SourceSilent where its source does not serve."""
        binding = await self._serving.binding(bound)
        if binding.silent is not None:
            raise SourceSilent(str(binding.silent))
        return self._live.reading(binding)

    async def rows(
        self, reading: Reading, statement: Statement, params: Mapping[str, Any] | None = None
    ) -> list[dict[str, Any]]:
        """The rows; [] where the source offers none of the tables. Raises SourceSilent, Clipped."""
        leg, fresh = statement.name, self._live.reading(reading.binding)
        found = await fresh.rows(leg, statement, params, budget_s=self._budget_s)
        if fresh.leg_status[leg] not in (OK, NOT_PROVIDED, REFUSED):
            raise SourceSilent(fresh.leg_status[leg])
        if fresh.clipped:
            raise Clipped
        return found
