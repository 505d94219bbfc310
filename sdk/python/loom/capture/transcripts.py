"""Reads transcripts of coding agents, JSON lines, and pairs each tool call with its result."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from loom.capture import claude, codex, jsontext
from loom.capture.outcomes import error_of, failure
from loom.capture.payloads import call_of
from loom.capture.records import Call
from loom.capture.steps import Context, Finished, Started
from loom.capture.times import later


class Found(NamedTuple):
    """A finished call and the line on which it began."""

    line: int
    call: Call


class Transcript:
    """One transcript, read line by line; it may mix the formats of several agents.

    After reading, `bad` holds a sentence for each line that is no JSON object, and `unfinished` is the number of calls
    without a result: they are left out, since the result belongs to a record's key and may follow later.
    """

    def __init__(self, name: str, agent: str = "", session: str = "") -> None:
        self._name, self._agent, self._session = name, agent, session
        self._context = Context()
        self._open: dict[str, tuple[int, Started]] = {}
        self._at, self._same = "", 0
        self.bad: list[str] = []

    @property
    def unfinished(self) -> int:
        """Calls without a result so far."""
        return len(self._open)

    def read(self, lines: Iterable[bytes]) -> Iterator[Found]:
        """The finished calls, in the order of their results."""
        for number, line in enumerate(lines, 1):
            value = self._value(line, number)
            if value is not None:
                yield from self._found(value, number)

    def _value(self, line: bytes, number: int) -> dict[str, Any] | None:
        if not line.strip():
            return None
        try:
            value = jsontext.loads(line)
        except ValueError:
            self.bad.append(f"{self._name}:{number}: not JSON")
            return None
        if not isinstance(value, dict):
            self.bad.append(f"{self._name}:{number}: not a JSON object")
            return None
        return value

    def _found(self, value: dict[str, Any], number: int) -> Iterator[Found]:
        if "hook_event_name" in value:
            call = call_of(value, self._agent)
            if call is not None:
                yield Found(number, call._replace(tags=("capture:import", *call.tags[1:])))
            return
        for step in (claude if claude.speaks(value) else codex).steps(value, self._context, number):
            if isinstance(step, Started):
                self._open[step.call_id] = (number, step._replace(at=self._own_time(step.at)))
            elif step.call_id in self._open:
                line, started = self._open.pop(step.call_id)
                yield Found(line, self._call(started, step))

    def _own_time(self, at: str) -> str:
        """`at`, moved on by a microsecond for each call before that began at the same instant: calls of one message
        share its time, and two that are alike otherwise would become one row."""
        self._same = self._same + 1 if at and at == self._at else 0
        self._at = at
        return later(at, self._same) if self._same else at

    def _call(self, started: Started, finished: Finished) -> Call:
        error, output = error_of(finished.output), finished.output
        if finished.failed and error is None:
            error, output = failure(output), None  # the result is the error text: once is enough
        return Call(
            agent=self._agent or started.agent,
            session=self._session or started.session,
            # Without a time, the id is what tells two equal calls apart.
            run=started.run if started.at else started.call_id,
            call_id=started.call_id,
            tool=started.tool,
            given=started.given,
            output=output,
            error=error,
            cwd=started.cwd,
            at=started.at,
            tags=("capture:import", *started.tags),
        )
