"""Sends what waits in the spool, the oldest first."""

from collections.abc import Callable
from typing import NamedTuple

from loom.capture.sender import Verdict, batches, send_batch
from loom.capture.spool import Spool, Waiting
from loom.cli.door import Door


class Drained(NamedTuple):
    """How many records were stored, refused, and kept for later."""

    stored: int = 0
    refused: int = 0
    kept: int = 0


def drain(door: Door, spool: Spool, seconds_left: Callable[[], float], limit: int | None = None) -> Drained:
    """Sends at most `limit` records until `seconds_left()` runs out; none when another process is sending.

    A record that the server has is removed, one that it refuses is set aside with the reason, another one stays. A
    batch of which the server takes nothing now ends the pass. UnreachableError when no answer comes.
    """
    total = Drained()
    with spool.sending() as mine:
        paths = spool.paths(limit) if mine else []
        for group in batches(paths, lambda path: path.stat().st_size):
            if seconds_left() <= 0:
                break
            waiting = spool.load(group)
            verdicts = send_batch(door, [each.record for each in waiting], seconds_left()) if waiting else []
            done = _settle(spool, waiting, verdicts)
            total = Drained(*(sum(pair) for pair in zip(total, done, strict=True)))
            if waiting and done.kept == len(waiting):
                break
    return total


def _settle(spool: Spool, waiting: list[Waiting], verdicts: list[Verdict]) -> Drained:
    for each, verdict in zip(waiting, verdicts, strict=True):
        if verdict.stored:
            spool.remove(each)
        elif verdict.refused:
            spool.set_aside(each, verdict.reason)
    stored = sum(verdict.stored for verdict in verdicts)
    refused = sum(verdict.refused for verdict in verdicts)
    return Drained(stored, refused, len(verdicts) - stored - refused)
