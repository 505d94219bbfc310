"""A load from its first batch to the links of its code namespace."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from runtime.clock import SystemClock
from runtime.ids import new_id
from services.tracker.record.batch import Batch
from services.tracker.record.demo.build import demo
from services.tracker.record.demo.landmarks import LANDMARKS
from services.tracker.record.demo.size import DEMO
from standalone.loading.line import Line, RefusedError
from standalone.loading.link import link
from standalone.loading.send import Sender
from standalone.loading.worth import Worth

DEMO_TRACKER, DEMO_CODE = "tracker-demo", "code-demo"
DEMO_ROWS = DEMO.issues + DEMO.changes + DEMO.check_rows

Told = Callable[[str, int], None]
"""Hears of the table and how many rows of it were sent."""


class NotLinkedError(Exception):
    """The load is shown, and its code namespace does not read it. The message says why."""


@dataclass(slots=True)
class Outcome:
    """Rows that are in now and rows that the server left out, by table and by reason; what is worth asking about."""

    stored: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    worth: Worth = field(default_factory=Worth)

    @property
    def rows(self) -> int:
        return self.stored.total()


def load(line: Line, batches: Iterable[Batch], namespace: str, told: Told, *, replace: bool = False) -> Outcome:
    """Loads the batches and shows them; without a row nothing changes. RefusedError, UnreachableError."""
    sender, worth = Sender(line, namespace, new_id()), Worth()
    for batch in batches:
        sender.send(batch)
        worth.see(batch)
        told(batch.table, len(batch))
    if sender.stored.total():
        sender.finish(worth.repos, replace=replace)
    return Outcome(sender.stored, sender.refused, worth)


def load_demo(line: Line, told: Told, namespace: str = DEMO_TRACKER, code_namespace: str = DEMO_CODE) -> Outcome:
    """Loads the demo record in the place of one that is there, which is of another day, and links its code namespace."""
    outcome = load(line, demo(SystemClock().now()), namespace, told, replace=True)
    link_loaded(line, code_namespace, LANDMARKS.repo, namespace)
    return outcome


def link_loaded(line: Line, code_namespace: str, repo: str, tracker: str) -> None:
    """Links what has been loaded. NotLinkedError."""
    try:
        link(line, code_namespace, repo, tracker)
    except RefusedError as refusal:
        raise NotLinkedError(f"the rows are in, but {code_namespace} is not linked to them: {refusal}") from None
