"""code.history: what touched paths or symbols, newest first, over every linked tracker."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from runtime.clock import Clock
from runtime.identity import Caller
from services.tracker.history.evidence import last_part
from services.tracker.history.touched import touched
from services.tracker.ops.asking import Asking
from services.tracker.ops.code import statements as ask
from services.tracker.ops.code.common import (
    NOT_THERE,
    CodeAnswer,
    Row,
    its_prefix,
    micro,
    nothing_asked,
    only_of,
    settled,
    told,
    unheard,
    words,
)
from services.tracker.outcome import title_of
from services.tracker.reads import Reading, together

TOUCHED, UNTOUCHED = "touched", "untouched"


@dataclass(slots=True)
class Touch:
    tracker_namespace: str
    source_id: str
    number: int
    kind: str
    title: str
    state: str
    why: list[str]
    at: datetime | None


@dataclass(slots=True, kw_only=True)
class History(CodeAnswer):
    items: list[Touch] = field(default_factory=list)
    namespaces_read: list[str] = field(default_factory=list)


class HistoryOp:
    def __init__(self, asking: Asking, clock: Clock) -> None:
        self._asking, self._clock = asking, clock

    async def execute(
        self,
        org: str,
        namespace: str,
        caller: Caller,
        *,
        paths: Sequence[str] = (),
        symbols: Sequence[str] = (),
        days: int = 365,
        limit: int = 20,
    ) -> History:
        """Raises NOT_A_TRACKER_NAMESPACE, MISSING_FIELD."""
        paths, symbols = words(path.strip("/ ") for path in paths), words(symbol.strip() for symbol in symbols)
        if not (paths or symbols):
            raise nothing_asked("paths", "or symbols, of three characters at least")
        asked = await self._asking.every(org, namespace, caller)
        since = self._clock.now() - timedelta(days=days)
        found = await together(*(_of(reading, paths, symbols, since) for reading in asked.readings))
        items = sorted((item for one in found for item in one), key=_newest)[:limit]
        epistemic, common = told(asked)
        return History(
            verdict=settled(asked, TOUCHED if items else UNTOUCHED),
            causes=unheard(asked) or ([] if items else [f"nothing of the last {days} days names or touches them"]),
            epistemic=epistemic,
            common=common,
            items=items,
            namespaces_read=[reading.tracker_namespace for reading in asked.readings],
        )


async def _of(reading: Reading, paths: Sequence[str], symbols: Sequence[str], since: datetime) -> list[Touch]:
    pulls, issues = await together(
        reading.rows("pulls", ask.TOUCHING, pulls_params(paths, symbols, since)),
        reading.rows("issues", ask.SAYING, {"since": micro(since), "words": [*paths, *symbols]}),
    )
    items: list[Touch] = []
    for own in sorted({its_prefix(row) for row in (*pulls, *issues)}):
        for each in touched(only_of(pulls, own), only_of(issues, own), paths=paths, symbols=symbols):
            title = title_of(each.title)
            why = list(each.why)[:10]
            items.append(
                Touch(
                    reading.tracker_namespace, each.source_id, each.number, each.kind, title, each.state, why, each.at
                )
            )
    return items


def pulls_params(paths: Sequence[str], symbols: Sequence[str], since: datetime) -> Row:
    """Parameters of `statements.TOUCHING`; its searches take no empty list."""
    return {
        "since": micro(since),
        "paths": list(paths) or [NOT_THERE],
        "names": words(last_part(symbol) for symbol in symbols) or [NOT_THERE],
        "symbols": list(symbols) or [NOT_THERE],
    }


def _newest(item: Touch) -> tuple[float, str, int]:
    return -(item.at.timestamp() if item.at else 0.0), item.source_id, item.number
