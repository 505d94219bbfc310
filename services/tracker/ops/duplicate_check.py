"""tracker.duplicate_check: whether a draft exists already, and how far to trust the answer."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Protocol

from runtime.errors import invalid_field, missing_field
from runtime.identity import Caller
from services.tracker.checking import merging
from services.tracker.checking.checker import Checked, Enriched, RelatedPull
from services.tracker.checking.draft import Asked
from services.tracker.checking.legs import ISSUE, VECTORS
from services.tracker.checking.likeness import likeness
from services.tracker.checking.semantic import NOT_ASKED
from services.tracker.ops.asking import Asked as Readings
from services.tracker.ops.checks import Checking, names_of
from services.tracker.ops.records import item_of
from services.tracker.outcome import Common, Item
from services.tracker.reads import together
from services.tracker.similar.evidence import is_fixed
from services.tracker.similar.model import Draft, Scored

UNKNOWN_ISSUE = "the number of an issue that the namespace's repositories have"
JUDGED = "judge"


@dataclass(slots=True)
class Report(Item):
    """A report that the draft may repeat."""

    legs: list[str] = field(default_factory=list)
    probability: float | None = None
    possible_regression: bool = False
    closed_at: datetime | None = None
    fix_release: str = ""
    fixed_by: list[int] = field(default_factory=list)
    backports: list[int] = field(default_factory=list)
    members: list[str] = field(default_factory=list)
    caps: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Change(Item):
    """A pull request that may be about the draft."""

    legs: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class FitShown:
    fitted_at: datetime
    namespace: str
    serves_duplicates: bool
    reason: str
    precision: float | None
    recall: float
    brier: float
    ece: float
    drafts: int
    related_recall: float
    related_share: float


@dataclass(slots=True)
class Outcome:
    verdict: str
    epistemic: str
    answer: str
    confidence: float | None
    items: list[Report]
    nearest: list[Report]
    related_prs: list[Change]
    threshold: float | None
    fit: FitShown | None
    namespaces_read: list[str]
    reasons: list[str]
    common: Common


class Judge(Protocol):
    """A language model, where one is configured. It may promote and order, never demote; failing, it changes nothing."""

    async def promote(self, draft: Draft, items: Sequence[Scored]) -> int | None: ...

    async def order(self, draft: Draft, nearest: Sequence[Scored]) -> Sequence[int] | None: ...


@dataclass(frozen=True, slots=True)
class Options:
    top_k: int
    related_prs: bool
    rerank: bool
    namespaces: Sequence[str]


class DuplicateCheck:
    def __init__(self, checking: Checking, judge: Judge | None = None) -> None:
        self._checking, self._judge = checking, judge

    async def execute(
        self, org: str, namespace: str, asked: Asked, number: int | None, options: Options, caller: Caller
    ) -> Outcome:
        """Raises MISSING_FIELD without a draft, INVALID_FIELD for a number that the record does not have."""
        if number is None and not asked.title.strip() and not asked.body.strip() and not asked.frames:
            raise missing_field("title")
        trackers = await self._checking.trackers(org, namespace, options.namespaces, caller)
        row = await self._issue(trackers, asked, number)
        checks = await together(*(self._one(trackers, i, asked, row, options) for i in range(len(trackers.bounds))))
        best = await self._judged(merging.strongest(checks))
        verdict = best.verdict.verdict
        near = await self._ordered(best.draft, merging.nearest(checks, options.top_k), rerank=options.rerank)
        trust = merging.trust(checks)
        shown = merging.items(checks, verdict, options.top_k) if verdict != "none" else []
        related = [(each, one) for one in checks for each in one.related] if verdict != "duplicate_of" else []
        return Outcome(
            verdict=verdict,
            epistemic=trust,
            answer=merging.answer(best, trust),
            confidence=merging.confidence(checks, best, trust),
            items=[_report(item, one) for item, one in shown],
            nearest=[_report(item, one) for item, one in near],
            related_prs=[_change(each, one) for each, one in related[: options.top_k]],
            threshold=best.verdict.threshold,
            fit=await self._fit(org, best),
            namespaces_read=names_of(trackers),
            reasons=list(best.verdict.reasons),
            common=trackers.common(),
        )

    async def _issue(self, trackers: Readings, asked: Asked, number: int | None) -> dict[str, Any] | None:
        if number is None:
            return None
        reading = trackers.primary
        row = await self._checking.issue(reading, number, asked.repo)
        silent = reading.leg_status.get(ISSUE) != "ok"
        if row is None and not silent and not asked.title.strip():
            raise invalid_field("issue_number", UNKNOWN_ISSUE)
        return row

    async def _one(
        self, trackers: Readings, place: int, asked: Asked, row: dict[str, Any] | None, options: Options
    ) -> Checked:
        reading, bound = trackers.readings[place], trackers.bounds[place]
        others = await self._checking.lenders(bound)
        checker = self._checking.checker
        checked = await checker.check(
            reading, bound, asked, row, others, options.top_k, related_prs=options.related_prs
        )
        await checker.enrich(reading, checked, related_prs=options.related_prs)
        for leg in (VECTORS, *(name for name, state in checked.found.states.items() if state == NOT_ASKED)):
            trackers.note(reading, leg, checked.found.states[leg])
        return checked

    async def _judged(self, checked: Checked) -> Checked:
        """A judge may make a duplicate of what is related; a cap is a reason that it has to respect."""
        verdict = checked.verdict
        free = [item for item in verdict.items if not item.caps]
        if self._judge is None or verdict.verdict != "related" or not free:
            return checked
        chosen = await self._judge.promote(checked.draft, free)
        if chosen is None:
            return checked
        first = free[chosen]
        lead = "Possible regression of" if is_fixed(first.candidate) else "Duplicate of"
        answer = f"{lead} {first.candidate.source_id}, by the judgement of a language model."
        promoted = replace(
            verdict, verdict="duplicate_of", items=(first,), answer=answer, confidence=None, reasons=(JUDGED,)
        )
        checked.verdict = promoted
        return checked

    async def _ordered(self, draft: Draft, near: list[merging.Placed], *, rerank: bool) -> list[merging.Placed]:
        if self._judge is None or not rerank or len(near) < 2:
            return near
        order = await self._judge.order(draft, [item for item, _ in near])
        return near if order is None else [near[place] for place in order]

    async def _fit(self, org: str, checked: Checked) -> FitShown | None:
        stored = checked.fitted
        if stored is None or stored.fit is None:
            return None
        own, quality = checked.bound, stored.fit.quality
        is_own = stored.namespace == own.storage
        return FitShown(
            fitted_at=stored.fitted_at,
            namespace=own.namespace if is_own else await self._checking.public(org, stored.namespace),
            serves_duplicates=stored.fit.serves_duplicates,
            reason=stored.fit.reason,
            precision=quality.precision,
            recall=quality.recall,
            brier=quality.brier,
            ece=quality.ece,
            drafts=quality.drafts,
            related_recall=quality.related_recall,
            related_share=quality.related_share,
        )


def _report(item: Scored, checked: Checked) -> Report:
    candidate = item.candidate
    extra = checked.extra.get(candidate.source_id, Enriched())
    row = checked.found.rows.get(candidate.source_id, {})
    shown = {**row, "source_id": candidate.source_id, "number": candidate.number, "kind": ISSUE}
    report = Report(**item_of(checked.bound.namespace, {**shown, "title": candidate.title, "state": candidate.state}))
    report.score = round(likeness(item), 4)
    report.why = list(item.why)
    report.legs = list(candidate.legs)
    report.probability = item.probability
    report.possible_regression = is_fixed(candidate)
    report.closed_at = candidate.closed_at
    report.fix_release = extra.fix_release
    report.fixed_by = extra.fixed_by or list(candidate.fixed_by)
    report.backports = extra.backports
    report.members = list(item.members)
    report.caps = list(item.caps)
    return report


def _change(related: RelatedPull, checked: Checked) -> Change:
    change = Change(**item_of(checked.bound.namespace, related.row))
    change.score, change.why, change.legs = related.score, related.why, related.legs
    return change
