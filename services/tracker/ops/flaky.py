"""tracker.flaky: whether an issue names a test as flaky."""

import asyncio
import re
from dataclasses import dataclass
from typing import Any

from runtime.errors import missing_field
from runtime.identity import Caller
from services.tracker.ops.asking import Asked, Asking
from services.tracker.ops.near import TEST_NAMES
from services.tracker.ops.records import item_of, once
from services.tracker.ops.test_signal import TestSignalOp
from services.tracker.ops.trust import trust
from services.tracker.outcome import Common, Item, word
from services.tracker.reads import Statement

BY_ISSUE, NO_SIGNAL = "flaky_by_issue", "no_flaky_signal"
LIMIT = 20

_COLUMNS = "source_id, number, title, state, created_at, component, severity, url, labels, tests, body"
# A name in running text counts only as a whole word: `test_a` is not named by `test_ab`.
_IN_TITLE, _IN_BODY = (
    f"(position({column}, {{name:String}}) > 0 AND match({column}, {{whole:String}}))" for column in ("title", "body")
)
_SAYS = r"(?i)flak(y|e|ing|iness)|intermitten|sporadic|non-?determinis|unstable|fails (sometimes|randomly|occasionally)"
SAYS_SO = f"(match(title, '{_SAYS}') OR match(body, '{_SAYS}') OR arrayExists(l -> match(l, '{_SAYS}'), labels))"
# The same in other letters: one expression that is shown and filtered by is worked out for every text of the record.
_SAYS_SO = SAYS_SO.replace("(?i)", "(?i:)(?i)")
NAMING = Statement(
    "flaky.issues",
    "SELECT 'issue' AS kind, source_id, number, title, state, created_at, component, severity, url, "
    f"has(tests, {{name:String}}) AS listed, {_IN_TITLE} AS titled, {SAYS_SO} AS says "
    f"FROM {{github_issues({_COLUMNS})}} "
    f"WHERE has(tests, {{name:String}}) OR {_IN_TITLE} OR ({_IN_BODY} AND {_SAYS_SO}) "
    f"ORDER BY state = 'open' DESC, says DESC, created_at DESC, source_id LIMIT {LIMIT}",
    whole=("body",),
)


@dataclass(slots=True)
class FlakySignal:
    """The verdict of tracker.test_signal."""

    verdict: str
    why: list[str]
    lower_bound: float
    window_days: int
    since: str | None
    candidates: list[str]


@dataclass(slots=True)
class Flaky:
    verdict: str
    items: list[Item]
    similar_names: list[str]
    epistemic: str
    common: Common
    signal: FlakySignal | None = None


class FlakyOp:
    """`signals` judges the runs of tests, for whoever asks for both at once."""

    def __init__(self, asking: Asking, signals: TestSignalOp) -> None:
        self._asking, self.signals = asking, signals

    async def execute(
        self, org: str, namespace: str, test_name: str, caller: Caller, *, include_signal: bool = False
    ) -> Flaky:
        """Issues that name the test. Silence of a source is no signal, and `tracker_unavailable` says so.

        Raises MISSING_FIELD for a blank name: every text holds it.
        """
        if not test_name.strip():
            raise missing_field("test_name")
        asked = await self._asking.primary(org, namespace, caller)
        (verdict, items, similar), signal = await asyncio.gather(
            self._issues(asked, test_name), self._signal(asked, test_name) if include_signal else _nothing()
        )
        return Flaky(verdict, items, similar, trust(asked.primary), asked.common(), signal)

    async def _signal(self, asked: Asked, test_name: str) -> FlakySignal:
        found = await self.signals.of(asked, test_name)
        return FlakySignal(
            found.verdict, found.why, found.lower_bound, found.window_days, found.since, found.candidates
        )

    async def _issues(self, asked: Asked, test_name: str) -> tuple[str, list[Item], list[str]]:
        reading = asked.primary
        rows = await reading.rows("issues", NAMING, {"name": test_name, "whole": whole_word(test_name)})
        items = [Item(**item_of(asked.namespace, row), why=_why(row)) for row in once(rows)]
        similar = [] if items else await self._similar(reading, test_name)
        return BY_ISSUE if items else NO_SIGNAL, items, similar

    async def _similar(self, reading: Any, name: str) -> list[str]:
        rows = await reading.rows("names", TEST_NAMES, {"name": name})
        return [word(row["test_name"]) for row in rows if row["test_name"] != name]


async def _nothing() -> None:
    """Nobody asked for it."""


def whole_word(name: str) -> str:
    """A pattern (RE2) that finds a name as a word of its own."""
    return rf"(^|[^A-Za-z0-9_.:/]){re.escape(name)}($|[^A-Za-z0-9_])"


def _why(row: dict[str, Any]) -> list[str]:
    named = "lists the test" if row["listed"] else "names the test in its title" if row["titled"] else "names the test"
    return [named, *(["says that it is flaky"] if row["says"] else [])]
