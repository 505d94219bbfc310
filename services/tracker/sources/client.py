"""One source: its pool, its budget, its breaker, and the cancelling of what was given up.

A read waits for one of the source's places, is sent, and is answered or given up when its budget ends. Given up, the
caller has its state at once; hanging up and `KILL QUERY` of our own query id happen behind it. The breaker hears of a
statement that failed at the source, or that had at least half of its budget and was not answered: waiting for our own
pool is not the source's fault.
"""

import asyncio
import logging
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from runtime import ids
from runtime.breaker import Breaker, CircuitOpenError, Permit, State
from runtime.clock import Clock
from services.tracker.sources.cancel import Canceller
from services.tracker.sources.faults import Kind, SourceFault
from services.tracker.sources.hosts import HostRules
from services.tracker.sources.model import Answer, Limits, Target, check_reads
from services.tracker.sources.silence import Reason, Silent
from services.tracker.sources.wire import Trip, Wire

logger = logging.getLogger("loom.tracker.sources")

_FAIR_SHARE = 0.5
_KILL = "KILL QUERY WHERE query_id IN {ids:Array(String)} ASYNC"


class SourceClient:
    """Reads one source. For one event loop; `rows` is what callers of a read want, `ask` what a check wants.

    `statements` is how many the source gets at once, and how many given-up ones it may leave unconfirmed.
    """

    def __init__(
        self,
        target: Target,
        rules: HostRules,
        clock: Clock,
        limits: Limits,
        *,
        statements: int = 4,
        failures_in_row: int = 3,
        open_s: float = 120.0,
    ) -> None:
        self.target, self.limits = target, limits
        self.breaker = Breaker(
            clock,
            failures_in_row=failures_in_row,
            window_min_calls=sys.maxsize,  # failures in a row alone
            open_s=open_s,
            on_change=self._changed,
        )
        self._statements, self._places = statements, asyncio.Semaphore(statements)
        self._wire = Wire(target, rules, connections=2 * statements + 2)
        self._settings = _SettingsLadder()
        self.canceller = Canceller(self._kill, most=statements)

    @property
    def refusing(self) -> Reason | None:
        """Why nothing is sent now: the breaker is open, and the time of its probe has not come."""
        is_open = self.breaker.state is State.OPEN and self.breaker.retry_after_s > 0
        return Reason.CIRCUIT_OPEN if is_open else None

    async def rows(
        self, name: str, sql: str, params: Mapping[str, Any] | None = None, *, budget_s: float | None = None
    ) -> Answer:
        """The answer to one statement that reads. Silent, with the reason, where there is none.

        ValueError for a statement that is none of SELECT, WITH, DESCRIBE, EXISTS.
        """
        check_reads(name, sql)
        if self.refusing is not None:
            raise Silent(self.refusing)
        limits = self.limits.within(budget_s)
        until = asyncio.get_running_loop().time() + limits.budget_s
        try:
            async with asyncio.timeout_at(until):
                await self._places.acquire()
        except TimeoutError:
            raise Silent(Reason.TIMEOUT) from None
        try:
            return await self._permitted(name, sql, params or {}, limits, until)
        finally:
            self._places.release()

    async def ask(
        self, sql: str, params: Mapping[str, Any] | None = None, *, limits: Limits, plain: bool = False
    ) -> Answer:
        """The same without breaker and budget of reads, for checks. SourceFault says what happened.

        `plain` sends no settings, so that the login is seen as it is: ours hold it to reading.
        """
        trip = _trip()
        try:
            async with asyncio.timeout(limits.budget_s):
                async with self._places:
                    return await self._send(sql, params or {}, limits, trip, plain=plain)
        except TimeoutError:
            raise SourceFault(Kind.TIMEOUT) from None
        finally:
            self._give_up_if_running(trip)

    def answered(self) -> None:
        """Somebody else had an answer of the source: the breaker closes."""
        self.breaker.answered()
        self.canceller.revived()

    async def retire(self) -> None:
        """Close once what runs or waits is answered; its budget bounds that."""
        for _ in range(self._statements):
            await self._places.acquire()
        await self.close()
        for _ in range(self._statements):
            self._places.release()  # whoever came later hears that it is closed

    async def close(self) -> None:
        """Hang up and stop cancelling; what runs fails."""
        await self.canceller.close()
        await self._wire.close()

    def at_level(self, readonly: int) -> None:
        """Remember the login's `readonly`: 1 refuses every setting, 0 and 2 take them."""
        self._settings.start(readonly)

    async def _permitted(self, name: str, sql: str, params: Mapping[str, Any], limits: Limits, until: float) -> Answer:
        try:
            permit = self.breaker.permit()
        except CircuitOpenError:
            raise Silent(Reason.CIRCUIT_OPEN) from None
        fair = until - asyncio.get_running_loop().time() >= _FAIR_SHARE * limits.budget_s
        trip = _trip()
        try:
            async with asyncio.timeout_at(until):
                answer = await self._send(sql, params, limits, trip)
        except TimeoutError:
            _report(permit, failed=fair or None)
            raise Silent(Reason.TIMEOUT) from None
        except SourceFault as fault:
            _report(permit, failed=fault.counts)
            logger.warning("%s: no answer from a source: %s", name, fault)
            raise Silent(fault.reason) from None
        except BaseException:
            permit.neutral()
            raise
        finally:
            self._give_up_if_running(trip)
        permit.success()
        self.canceller.revived()
        return answer

    async def _send(
        self, sql: str, params: Mapping[str, Any], limits: Limits, trip: Trip, *, plain: bool = False
    ) -> Answer:
        if self.canceller.full:
            # Nothing more is sent to a source that keeps what was given up, before it shows that it lives.
            await self._wire.ping()
            await self.canceller.settle()
            if self.canceller.full:
                raise SourceFault(Kind.TIMEOUT)
        while True:
            step = _SettingsLadder.NONE if plain else self._settings.step
            try:
                answer = await self._wire.ask(sql, params, self._settings.at(step, limits), limits, trip)
            except SourceFault as fault:
                trip.sent = False  # it was answered, or the connection is gone
                if fault.kind is Kind.SETTINGS and self._settings.lower(step):
                    continue
                raise
            trip.sent = answer.clipped  # of a result that was cut off, the rest may still be on its way
            return answer

    def _give_up_if_running(self, trip: Trip) -> None:
        if trip.sent:
            self.canceller.abandon(trip.query_id)

    async def _kill(self, query_ids: Sequence[str]) -> bool:
        # Settings are left out: a login at readonly=1 may end its own statements, and may set nothing.
        try:
            await self._wire.tell(_KILL, {"ids": list(query_ids)}, _trip())
        except SourceFault as fault:
            # A source that refuses will not do it the next time either; the closed connection and its limit remain.
            return fault.code is not None
        return True

    def _changed(self, before: State, after: State) -> None:
        logger.warning("the breaker of source %s went from %s to %s", self.target.source_id, before, after)


class _SettingsLadder:
    """Which settings go with a statement. Each step down has fewer, and is remembered once the source refused more."""

    NONE = 2

    def __init__(self) -> None:
        self.step = 0

    def start(self, readonly: int) -> None:
        self.step = self.NONE if readonly == 1 else 0

    def lower(self, refused: int) -> bool:
        """Go below the step that was refused; False where there is none."""
        self.step = max(self.step, min(refused + 1, self.NONE))
        return refused < self.NONE

    def at(self, step: int, limits: Limits) -> dict[str, str]:
        if step == self.NONE:
            return {}
        needed = {"readonly": "2", "max_execution_time": f"{limits.remote_s:g}"}
        if step == 1:
            return needed
        return needed | {
            "max_result_rows": str(limits.max_rows + 1),
            "result_overflow_mode": "break",
            "enable_http_compression": "1",
            "cancel_http_readonly_queries_on_client_close": "1",
        }


def _trip() -> Trip:
    return Trip("loom-" + ids.new_id())


def _report(permit: Permit, *, failed: bool | None) -> None:
    (permit.neutral if failed is None else permit.failure if failed else permit.success)()
