"""How ops read a source: a `Reading` per call and namespace, which keeps what became of each leg.

Silence of a source is a state here, never an exception: a leg that got no answer has no rows and a status.
"""

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import isfinite
from typing import Any, TypeVar

from runtime.clock import Clock
from services.tracker.reads.relation import Relation, Shape
from services.tracker.reads.scope import Scope
from services.tracker.reads.statement import MAX_NUMBER, Statement
from services.tracker.sources.model import LiveClient, Row
from services.tracker.sources.silence import Reason, Silent

T = TypeVar("T")

OK, NOT_PROVIDED, REFUSED, SKIPPED = "ok", "not_provided", "refused", "skipped"
_NUMBERS = frozenset({int, float})
_NO_SILENCE = (NOT_PROVIDED, REFUSED, SKIPPED)
# After these nothing more is sent in the same call: the source would keep it waiting once more.
_LASTING = (Reason.OFF, Reason.TIMEOUT, Reason.CIRCUIT_OPEN, Reason.UNREACHABLE)


@dataclass(frozen=True, slots=True)
class NamespaceBinding:
    """A tracker namespace tied to its source: what may be read of it, and how.

    `relations` holds the tables that the source offers. `silent` is the reason why it does not serve at all, if so.
    """

    tracker_namespace: str
    client: LiveClient
    scope: Scope
    relations: Mapping[str, Relation] = field(default_factory=dict)
    silent: Reason | None = None


class Live:
    """Makes readings. `serve` is the kill switch: off, every leg is silent with the reason `off`."""

    def __init__(self, shape: Shape, clock: Clock, *, serve: bool = True) -> None:
        self._shape, self._clock, self._serve = shape, clock, serve

    def reading(self, binding: NamespaceBinding) -> "Reading":
        """A fresh reading of one namespace, for one call."""
        return Reading(self._shape, self._clock, binding, binding.silent if self._serve else Reason.OFF)


class Reading:
    """The legs of one call over one namespace.

    `leg_status` has one of `ok`, `not_provided` (the source offers none of the leg's tables), `refused` (they are closed
    to the namespace), `skipped` (the source was silent before, so it was not asked), or a reason of silence: `off`,
    `timeout`, `circuit_open`, `unreachable`, `contract`. A leg that runs several statements keeps the worst of their
    states. `timings_ms` has the milliseconds of each leg.
    """

    def __init__(self, shape: Shape, clock: Clock, binding: NamespaceBinding, silent: Reason | None) -> None:
        self._shape, self._clock, self._silent = shape, clock, silent
        self._gave_up = False
        self.binding = binding
        self.leg_status: dict[str, str] = {}
        self.timings_ms: dict[str, float] = {}
        self._missing: dict[str, None] = {}
        self._refused: dict[str, None] = {}
        self._clipped: dict[str, None] = {}

    @property
    def tracker_namespace(self) -> str:
        return self.binding.tracker_namespace

    @property
    def not_provided(self) -> list[str]:
        """Tables and `table.column`s that were asked for and are not there, refused tables included; sorted."""
        return sorted({*self._missing, *self._refused})

    @property
    def refused(self) -> list[str]:
        """Tables that were asked for and are closed to the namespace, sorted."""
        return sorted(self._refused)

    @property
    def clipped(self) -> list[str]:
        """Legs whose answer was longer than the limits let through, sorted."""
        return sorted(self._clipped)

    @property
    def unavailable_reason(self) -> str | None:
        """The reason of silence where no leg was answered and one was silent; None otherwise."""
        if OK in self.leg_status.values():
            return None
        return next((state for state in self.leg_status.values() if state not in _NO_SILENCE), None)

    @property
    def tracker_unavailable(self) -> bool:
        return self.unavailable_reason is not None

    def provides(self, table: str, *columns: str) -> bool:
        """Whether the namespace may read the table and the source offers it, with all of these columns."""
        relation = self.binding.relations.get(table)
        return relation is not None and not self.binding.scope.refuses(table) and relation.columns.issuperset(columns)

    async def rows(
        self, leg: str, statement: Statement, params: Mapping[str, Any] | None = None, *, budget_s: float | None = None
    ) -> list[Row]:
        """The rows of one statement, [] where there is no answer; `leg_status[leg]` says which.

        Values by family: int, float, bool or 0/1, str, aware datetime in UTC, list; None where there is none, and for a
        number that JSON has no room for. Once the source was silent, what is asked afterwards is skipped.
        `budget_s` replaces the source's budget, for background work.
        """
        if self._gave_up:
            self._note(leg, SKIPPED)
            return []
        started = self._clock.monotonic()
        try:
            return await self._rows(leg, statement, params or {}, budget_s)
        except Silent as silent:
            self._gave_up = self._gave_up or silent.reason in _LASTING
            self._note(leg, silent.reason)
            return []
        finally:
            spent = round((self._clock.monotonic() - started) * 1000, 3)
            self.timings_ms[leg] = max(self.timings_ms.get(leg, 0.0), spent)

    async def _rows(
        self, leg: str, statement: Statement, params: Mapping[str, Any], budget_s: float | None
    ) -> list[Row]:
        if self._silent is not None:
            raise Silent(self._silent)
        built = statement.build(self._shape, self.binding.relations, self.binding.scope, params)
        self._missing.update(dict.fromkeys(built.not_provided))
        self._refused.update(dict.fromkeys(built.refused))
        if built.empty:
            self._note(leg, NOT_PROVIDED if built.not_provided else REFUSED)
            return []
        answer = await self.binding.client.rows(statement.name, built.sql, built.params, budget_s=budget_s)
        self._note(leg, OK)
        if answer.clipped:
            self._clipped[leg] = None
        _tame(answer.rows)
        return answer.rows

    def _note(self, leg: str, state: str) -> None:
        before = self.leg_status.get(leg)
        mild = (None, OK, NOT_PROVIDED, REFUSED)
        if before in mild and not (state in (NOT_PROVIDED, REFUSED) and before == OK):
            self.leg_status[leg] = str(state)


def _tame(rows: Sequence[Row]) -> None:
    """Takes numbers out that no answer could carry: beyond 2^53, infinite, or none at all."""
    for name in rows[0] if rows else ():
        # Most columns have no number, and are not looked at value by value.
        lists = [row for row in rows if isinstance(row[name], list)]
        if not _NUMBERS.isdisjoint(map(type, chain.from_iterable(row[name] for row in lists))):
            for row in lists:
                row[name] = [each for each in row[name] if _fits(each)]
        if not _NUMBERS.isdisjoint(type(row[name]) for row in rows):
            for row in rows:
                if not _fits(row[name]):
                    row[name] = None


def _fits(value: Any) -> bool:
    if isinstance(value, float):
        return isfinite(value)
    return not isinstance(value, int) or -MAX_NUMBER <= value <= MAX_NUMBER


async def together(*legs: Awaitable[T]) -> list[T]:
    """Run legs at once and give their results in order; the first that raises cancels the others, and is raised."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_awaited(leg)) for leg in legs]
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None
    return [task.result() for task in tasks]


async def _awaited(leg: Awaitable[T]) -> T:
    return await leg
