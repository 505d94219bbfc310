"""code.pr_check: whether a pull request already addresses what a draft is about, over every linked tracker."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from runtime.clock import Clock
from runtime.identity import Caller
from services.tracker.history.evidence import Report, last_part
from services.tracker.history.pr_check import related_pulls
from services.tracker.ops.asking import Asking
from services.tracker.ops.code import statements as ask
from services.tracker.ops.code.common import (
    NOT_THERE,
    CodeAnswer,
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

ADDRESSED, RELATED, NONE = "addressed", "related", "none"
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{4,}")


@dataclass(frozen=True)
class Draft:
    title: str = ""
    body: str = ""
    paths: Sequence[str] = ()
    symbols: Sequence[str] = ()
    frames: Sequence[str] = ()
    component: str = ""
    issue_numbers: Sequence[int] = ()
    days: int = 180
    top_k: int = 10


@dataclass(slots=True)
class RelatedPull:
    tracker_namespace: str
    source_id: str
    number: int
    kind: str
    title: str
    state: str
    why: list[str]
    verdict: str
    score: float
    features: dict[str, float]


@dataclass(slots=True, kw_only=True)
class PrCheck(CodeAnswer):
    items: list[RelatedPull] = field(default_factory=list)
    namespaces_read: list[str] = field(default_factory=list)


class PrCheckOp:
    def __init__(self, asking: Asking, clock: Clock) -> None:
        self._asking, self._clock = asking, clock

    async def execute(self, org: str, namespace: str, draft: Draft, caller: Caller) -> PrCheck:
        """Raises NOT_A_TRACKER_NAMESPACE, MISSING_FIELD."""
        if not (draft.title.strip() or draft.paths or draft.symbols or draft.frames or draft.issue_numbers):
            raise nothing_asked("title", "or paths, symbols, frames or issue_numbers")
        asked = await self._asking.every(org, namespace, caller)
        since = self._clock.now() - timedelta(days=draft.days)
        found = await together(*(_of(reading, draft, since) for reading in asked.readings))
        items = sorted((item for one in found for item in one), key=_best)[: draft.top_k]
        verdict = NONE if not items else ADDRESSED if items[0].verdict == "addresses" else RELATED
        epistemic, common = told(asked)
        return PrCheck(
            verdict=settled(asked, verdict),
            causes=unheard(asked) or ([] if items else ["no open or lately merged pull request is about the same"]),
            epistemic=epistemic,
            common=common,
            items=items,
            namespaces_read=[reading.tracker_namespace for reading in asked.readings],
        )


async def _of(reading: Reading, draft: Draft, since: datetime) -> list[RelatedPull]:
    report = Report("\n".join((draft.title, draft.body)), draft.frames, draft.paths, draft.symbols, draft.component)
    names = [last_part(symbol) for symbol in (*draft.symbols, *report.functions, *sorted(report.all_symbols))]
    asked = {
        "since": micro(since),
        "issues": list(draft.issue_numbers),
        "paths": words(report.all_paths) or [NOT_THERE],
        "names": words(name for name in names if len(name) > 4) or [NOT_THERE],
        "words": words(word.lower() for word in _WORD.findall(draft.title)) or [NOT_THERE],
    }
    rows = await reading.rows("pulls", ask.ABOUT, asked)
    items: list[RelatedPull] = []
    for own in sorted({its_prefix(row) for row in rows}):
        close = related_pulls(
            report, only_of(rows, own), issues=draft.issue_numbers, title=draft.title, top=draft.top_k
        )
        items += [
            RelatedPull(
                reading.tracker_namespace,
                each.source_id,
                each.number,
                "pr",
                title_of(each.title),
                each.state,
                list(each.why),
                each.verdict,
                each.score,
                dict(each.features),
            )
            for each in close
        ]
    return items


def _best(item: RelatedPull) -> tuple[float, bool, str]:
    return -item.score, item.state != "open", item.source_id
