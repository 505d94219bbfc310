"""Delivers records in batches and waits where a server asks for time: for work that a person watches, not for hooks."""

import time
from collections.abc import Callable
from typing import Any

from loom.capture.sender import Verdict, send_batch
from loom.cli.door import Door, UnreachableError

ATTEMPTS = 6
LONGEST_WAIT_S = 10.0
TIMEOUT_S = 60.0


class StoppedError(Exception):
    """The server takes nothing more; the message says why."""


class Courier:
    """Sends until each record is stored or refused."""

    def __init__(self, door: Door, sleep: Callable[[float], None] | None = None) -> None:
        self._door, self._sleep = door, sleep or time.sleep
        self._answered = False

    def deliver(self, records: list[dict[str, Any]]) -> list[Verdict]:
        """The verdict of each record: stored, or refused. StoppedError when the server asks for more time than this
        waits, or for something that time does not bring. UnreachableError when it has never answered."""
        done: list[Verdict | None] = [None] * len(records)
        for attempt in range(ATTEMPTS):
            open_ = [at for at, verdict in enumerate(done) if verdict is None]
            last = self._attempt([records[at] for at in open_], attempt)
            for at, verdict in zip(open_, last, strict=True):
                done[at] = verdict if verdict.stored or verdict.refused else None
            left = [verdict for verdict in last if not (verdict.stored or verdict.refused)]
            if not left:
                break
            hopeless = next((verdict for verdict in left if not verdict.retryable), None)
            if hopeless or attempt == ATTEMPTS - 1:
                raise StoppedError((hopeless or left[0]).reason)
            self._sleep(min(max([verdict.retry_after_s or 0.2 * 2**attempt for verdict in left]), LONGEST_WAIT_S))
        return [verdict for verdict in done if verdict is not None]

    def _attempt(self, records: list[dict[str, Any]], attempt: int) -> list[Verdict]:
        try:
            verdicts = send_batch(self._door, records, TIMEOUT_S)
        except UnreachableError as failure:
            if not self._answered:
                raise
            # It was there a moment ago: a restart is over in seconds.
            return [Verdict(False, False, str(failure), retryable=True)] * len(records)
        self._answered = True
        return verdicts
