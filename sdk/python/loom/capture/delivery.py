"""Brings one captured record to the server, or to the spool."""

import threading
from collections.abc import Callable
from typing import Any, NamedTuple

from loom.capture.drain import drain
from loom.capture.ending import Ending
from loom.capture.sender import send
from loom.capture.spool import Spool
from loom.cli.door import Door, UnreachableError
from loom.cli.terminal import UsageError

# Old records that one call of the hook sends beside its own.
DRAINED = 100
TOO_LATE = "no answer in time"


class Captured(NamedTuple):
    """A record, and the name of its call (loom.capture.calls)."""

    record: dict[str, Any]
    digest: str


class Delivery:
    """Sends one record, if there is one, and after it what waits in the spool, until `seconds_left()` runs out."""

    def __init__(
        self, captured: Captured | None, spool: Spool, connect: Callable[[], Door], seconds_left: Callable[[], float]
    ) -> None:
        self._captured, self._spool, self._connect, self._left = captured, spool, connect, seconds_left
        self._settled = captured is None
        self._trouble = TOO_LATE

    def run(self, ending: Ending) -> str:
        """What a person should know, empty when all went well. OSError when the spool cannot take the record.

        The work is done in a thread that is left behind when time is up: the look-up of a host's name can hang, and no
        time limit of a socket covers it.
        """
        work = threading.Thread(target=self._work, daemon=True)
        work.start()
        ending.may_leave(lambda: work.join(max(0.0, self._left())))
        if self._settled or self._captured is None:
            return self._trouble if self._trouble != TOO_LATE else ""
        return f"{self._trouble}; {self._kept(self._captured)}"

    def _kept(self, captured: Captured) -> str:
        try:
            if self._spool.add(captured.record):
                return "the call waits in the spool"
        except OSError:
            self._spool.calls.forget(captured.digest)
            raise
        self._spool.calls.forget(captured.digest)
        return "the spool is full, the call is counted as lost"

    def _work(self) -> None:
        try:
            door = self._connect()
            if self._captured is None or self._sent(door, self._captured.record):
                drain(door, self._spool, self._left, DRAINED)
        except (UnreachableError, UsageError) as failure:
            self._trouble = str(failure)
        except Exception as failure:
            # The name alone: the text of a foreign exception may quote what was sent.
            self._trouble = type(failure).__name__

    def _sent(self, door: Door, record: dict[str, Any]) -> bool:
        """Whether the server answered for the record, so that it is worth asking again now."""
        verdict = send(door, record, max(0.001, self._left()))
        if verdict.refused:
            self._spool.refuse(verdict.reason, record=record)
        self._settled = verdict.stored or verdict.refused
        if not verdict.stored:
            kept = "; the call is kept in the spool's folder `refused`" if verdict.refused else ""
            self._trouble = f"not stored, {verdict.code}{kept}"
        return self._settled
