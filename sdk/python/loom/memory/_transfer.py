"""A user's memories out of an installation and into one, as JSON lines: a memory with all of its texts on each line.

Bringing the same lines in again adds nothing, so an import that failed is simply run again.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from loom.errors import LoomError
from loom.sync import SyncAgent

PAGE = 100
MOST_RECORDS = 500
# A call should be over well within its deadline, on a slow disk too, and fit the default body limit of 1 MiB.
MOST_TEXTS = 2_000
MOST_BYTES = 700_000
# Of two texts neither part could leave one out: see `_halves`.
LEAST_SPLIT = 3
TOO_LARGE = "BODY_TOO_LARGE"

Record = dict[str, Any]
Identity = Mapping[str, str]


class StoppedError(Exception):
    """The import ended early; the cause is the LoomError. `got` is what had come in by then."""

    def __init__(self, error: LoomError, got: "Got") -> None:
        super().__init__(str(error))
        self.error, self.got = error, got


class Line(NamedTuple):
    """A memory, its size in bytes of JSON, and the place that it comes from, such as `file.jsonl:12`."""

    place: str
    record: Record
    size: int


class Refused(NamedTuple):
    """A line that cannot be brought in, and why."""

    place: str
    reason: str


@dataclass(frozen=True, slots=True)
class Got:
    """How far an import is: memories that are in, texts that were new, memories that were refused."""

    memories: int = 0
    texts: int = 0
    refused: int = 0


def exported(agent: SyncAgent, identity: Identity) -> Iterator[Record]:
    """All memories of a user, in the order in which they were first said. Raises LoomError."""
    token = ""
    while True:
        page = agent.call("memory.export", {**identity, "page_size": PAGE, "page_token": token})
        yield from page["records"]
        token = page["next_page_token"]
        if not token:
            return


def parse(place: str, text: str | bytes) -> Line | Refused:
    """The memory on a line."""
    try:
        record = json.loads(text)
        size = len(json.dumps(record, ensure_ascii=False, allow_nan=False).encode("utf-8", "backslashreplace"))
    except (ValueError, RecursionError):
        return Refused(place, "not JSON")
    if not isinstance(record, dict) or not isinstance(record.get("revisions"), list) or not record["revisions"]:
        return Refused(place, "not a memory as memory.export gives it: an object with revisions")
    return Line(place, record, size)


class Import:
    """Brings lines in, in calls of a size that a server takes. `tell` hears of each line that is refused."""

    def __init__(self, agent: SyncAgent, identity: Identity, tell: Callable[[Refused], None]) -> None:
        self._agent, self._identity, self._tell = agent, identity, tell
        self.got = Got()

    def run(self, lines: Iterable[Line]) -> Got:
        """Raises StoppedError at the first call that fails; what was brought in before stays."""
        for group in _groups(lines):
            try:
                self._bring_in(group)
            except LoomError as error:
                raise StoppedError(error, self.got) from error
        return self.got

    def _bring_in(self, group: list[Line]) -> None:
        """One call, or more where the server takes less in one."""
        try:
            answer = self._agent.call(
                "memory.import_batch", {**self._identity, "records": [line.record for line in group]}
            )
        except LoomError as error:
            if error.code != TOO_LARGE:
                raise
            self._in_parts(group, error)
            return
        for line, result in zip(group, answer["results"], strict=True):
            self._note(line, result)

    def _in_parts(self, group: list[Line], error: LoomError) -> None:
        if len(group) > 1:
            middle = len(group) // 2
            self._bring_in(group[:middle])
            self._bring_in(group[middle:])
            return
        [line] = group
        if len(line.record["revisions"]) < LEAST_SPLIT:
            self._refuse(line, error.message)
            return
        before = self.got
        for part in _halves(line):
            self._bring_in([part])
        # However many calls it took, it is one memory.
        self.got = replace(self.got, memories=before.memories + (self.got.refused == before.refused))

    def _note(self, line: Line, result: Mapping[str, Any]) -> None:
        if result["detail"] is not None:
            self._refuse(line, result["detail"]["message"])
        else:
            self.got = replace(self.got, memories=self.got.memories + 1, texts=self.got.texts + result["added"])

    def _refuse(self, line: Line, reason: str) -> None:
        self.got = replace(self.got, refused=self.got.refused + 1)
        self._tell(Refused(line.place, reason))


def _halves(line: Line) -> Iterator[Line]:
    """The record in two, the later texts first.

    A memory is known by its last text. So the later half makes the memory, and the earlier one carries the last text
    along, by which it is found again.
    """
    texts = line.record["revisions"]
    middle = len(texts) // 2
    yield line._replace(record={**line.record, "revisions": texts[middle:]})
    yield line._replace(record={**line.record, "revisions": [*texts[:middle], texts[-1]]})


def _groups(lines: Iterable[Line]) -> Iterator[list[Line]]:
    group: list[Line] = []
    texts = size = 0
    for line in lines:
        its_texts = len(line.record["revisions"])
        full = len(group) == MOST_RECORDS or texts + its_texts > MOST_TEXTS or size + line.size > MOST_BYTES
        if group and full:
            yield group
            group, texts, size = [], 0, 0
        group.append(line)
        texts, size = texts + its_texts, size + line.size
    if group:
        yield group
