"""code.context_pack: one bundle for whoever starts on an issue, within a budget of characters."""

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from runtime.errors import LoomError
from runtime.identity import Caller
from services.tracker.checking.draft import Asked as Draft
from services.tracker.ops.code.backports import BackportGap, BackportGapOp
from services.tracker.ops.code.bisect import Bisect, BisectOp, Wanted
from services.tracker.ops.code.common import UNKNOWN_ITEM, CodeAnswer, prefix_of
from services.tracker.ops.code.pack_text import (
    backports_text,
    bisect_text,
    body_text,
    graph_text,
    item_text,
    links_text,
    similar_text,
    tests_text,
)
from services.tracker.ops.code.packing import Placed, Section, pack
from services.tracker.ops.item import ItemOp, Record
from services.tracker.ops.links import LinksOp
from services.tracker.ops.similar import Similar, SimilarOp
from services.tracker.ops.test_signal import TestSignal, TestSignalOp
from services.tracker.ops.trust import DEGRADED, UNAVAILABLE, UNCALIBRATED
from services.tracker.outcome import Common
from services.tracker.reads import together

PACKED, ITEM, ISSUE = "packed", "item", "issue"
MOST_TESTS = 3
MOST_SIMILAR = 8
T = TypeVar("T")


@dataclass(slots=True, kw_only=True)
class ContextPack(CodeAnswer):
    pack: str = ""
    sections: list[Placed] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PackOps:
    """The ops whose answers are bundled."""

    item: ItemOp
    links: LinksOp
    backports: BackportGapOp
    bisect: BisectOp
    signals: TestSignalOp
    similar: SimilarOp


class ContextPackOp:
    def __init__(self, ops: PackOps) -> None:
        self._ops = ops

    async def execute(
        self, org: str, namespace: str, issue_number: int, caller: Caller, *, repo: str = "", max_chars: int = 12_000
    ) -> ContextPack:
        """Raises NOT_A_TRACKER_NAMESPACE, INVALID_FIELD. What an op could not say is left out, by its name."""
        prefix_of(repo)
        found = await self._ops.item.execute(org, namespace, [issue_number], repo, caller)
        issue = next((record for record in found.items if record.kind == ISSUE), None)
        if issue is None:
            silent = found.common.tracker_unavailable or not found.missing
            return ContextPack(
                verdict=UNAVAILABLE if silent else UNKNOWN_ITEM,
                causes=["the tracker did not answer" if silent else "the tracker's repositories have no such issue"],
                epistemic=UNAVAILABLE if silent else UNCALIBRATED,
                common=found.common,
            )
        own = issue.source_id.rpartition("#")[0]
        links, gaps, bisect, like, *signals = await together(
            _kept(self._ops.links.execute(org, namespace, issue_number, None, own, caller)),
            _kept(self._ops.backports.execute(org, namespace, caller, repo=own, issue_number=issue_number)),
            _kept(self._ops.bisect.execute(org, namespace, Wanted(own, issue_number, top_k=5), caller)),
            _kept(self._ops.similar.execute(org, namespace, Draft(repo=own), issue_number, (), MOST_SIMILAR, caller)),
            *(_kept(self._ops.signals.execute(org, namespace, test, caller)) for test in issue.tests[:MOST_TESTS]),
        )
        heard = [(name, one) for name, one in _named(links, gaps, bisect, like) if one]
        tests = [(test, one) for test, one in zip(issue.tests, signals, strict=False) if one is not None]
        common = _common(found.common, [*heard, *((f"tests/{test}", one) for test, one in tests)])
        text, sections, left_out = pack(_sections(issue, links, gaps, bisect, like, tests), max_chars)
        return ContextPack(
            verdict=PACKED,
            causes=[f"{name} is incomplete: its tracker did not answer" for name, one in heard if _silent(one)],
            epistemic=DEGRADED if any(_silent(one) for _, one in [*heard, *tests]) else UNCALIBRATED,
            common=common,
            pack=text,
            sections=sections,
            left_out=[*left_out, *_untold(links, gaps, bisect, like, issue, tests)],
        )


async def _kept(answer: Awaitable[T]) -> T | None:
    """None where the op refuses; a bundle is worth having without it."""
    try:
        return await answer
    except LoomError:
        return None


def _sections(
    issue: Record,
    links: object,
    gaps: BackportGap | None,
    bisect: Bisect | None,
    like: Similar | None,
    tests: Sequence[tuple[str, TestSignal]],
) -> list[Section]:
    """What an agent needs first comes first; the text of the report, which may be long, comes last but one."""
    return [
        Section("item", f"{issue.source_id}: {issue.title}", item_text(issue)),
        Section("links", "Links", links_text(links)),
        Section("similar", "Like it", similar_text(like)),
        Section("tests", "Signals of its tests", tests_text(tests)),
        Section("bisect", "What may have brought it in", bisect_text(bisect)),
        Section("backports", "Release branches", backports_text(gaps)),
        Section("body", "Report", body_text(issue)),
        Section("graph", "Around it", graph_text(issue)),
    ]


def _named(*answers: object) -> list[tuple[str, object]]:
    return list(zip(("links", "backports", "bisect", "similar"), answers, strict=True))


def _silent(answer: object) -> bool:
    return getattr(answer, "epistemic", UNCALIBRATED) in (DEGRADED, UNAVAILABLE)


def _untold(
    links: object,
    gaps: BackportGap | None,
    bisect: Bisect | None,
    like: Similar | None,
    issue: Record,
    tests: Sequence[tuple[str, TestSignal]],
) -> list[str]:
    """Sections that have nothing to say, with the reason."""
    told = [] if links_text(links) else ["links: none are known"]
    told += [] if similar_text(like) else ["similar: nothing is like it"]
    if bisect is None or not bisect.candidates:
        told.append(f"bisect: {'; '.join(bisect.causes) if bisect else 'refused'}")
    if gaps is None or not gaps.branches:
        told.append(f"backports: {'; '.join(gaps.causes) if gaps else 'refused'}")
    if not issue.tests:
        told.append("tests: the issue names none")
    if len(issue.tests) > len(tests):
        told.append(f"tests: {len(issue.tests) - len(tests)} more that the issue names")
    if issue.body_clipped:
        told.append("body: its end, which tracker.item cuts too")
    return told


def _common(common: Common, others: Sequence[tuple[str, object]]) -> Common:
    """The item's own legs, and those of the others under their names."""
    legs, spent = dict(common.leg_status), dict(common.timings_ms)
    missing = set(common.not_provided)
    for name, answer in others:
        own: Common = answer.common  # type: ignore[attr-defined]
        legs |= {f"{name}/{leg}": state for leg, state in own.leg_status.items()}
        spent |= {f"{name}/{leg}": ms for leg, ms in own.timings_ms.items() if leg != "total"}
        spent["total"] = max(spent.get("total", 0.0), common.timings_ms.get("total", 0.0) + own.timings_ms["total"])
        missing |= set(own.not_provided)
    return replace(common, leg_status=legs, timings_ms=spent, not_provided=sorted(missing))
