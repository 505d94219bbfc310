"""Start in order, stop in reverse: readiness first, then a drain, then the servers, then what they stand on.

The first SIGTERM or SIGINT stops the process in good order, exit code 0. A second one, or a stop that outlasts its
limit, ends it at once with exit code 1: nothing acknowledged can be lost by that, since it is on disk already.
"""

import asyncio
import logging
import os
import signal
from collections.abc import Awaitable, Callable

from runtime.health import Health
from runtime.tuning import tune_for_serving

log = logging.getLogger("loom.lifecycle")

# What closing may take beyond drain and grace: the store and telemetry.
CLOSING_S = 15.0


async def _nothing() -> None:
    """No other door."""


class Lifecycle:
    """Signals of one process. `hard_stop` ends it at once; tests replace it."""

    def __init__(
        self, health: Health, *, drain_s: float, grace_s: float, hard_stop: Callable[[int], None] = os._exit
    ) -> None:
        self._health, self._drain_s, self._grace_s, self._hard_stop = health, drain_s, grace_s, hard_stop
        self._first = asyncio.Event()

    @property
    def grace_s(self) -> float:
        return self._grace_s

    @property
    def stopping(self) -> bool:
        """True from the first signal on."""
        return self._first.is_set()

    def listen(self) -> None:
        """Takes over SIGTERM and SIGINT."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.stop)

    def stop(self) -> None:
        """What a signal does."""
        if self._first.is_set():
            log.warning("second signal: stopping at once")
            self._hard_stop(1)
        self._first.set()

    async def run_until_stopped(self, not_serving: Callable[[], Awaitable[None]] = _nothing) -> None:
        """Serves until the first signal, says not ready, and goes on serving for the drain.

        `not_serving` tells the other doors' health services.
        """
        tune_for_serving()
        self._health.ready = True
        await self._first.wait()
        log.info("stopping")
        self._health.ready = False
        await not_serving()
        asyncio.get_running_loop().call_later(self._drain_s + self._grace_s + CLOSING_S, self._too_long)
        if self._drain_s:
            await asyncio.sleep(self._drain_s)

    def _too_long(self) -> None:
        log.error("the stop outlasted its limit: stopping at once")
        self._hard_stop(1)
