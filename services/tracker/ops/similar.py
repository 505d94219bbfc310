"""tracker.similar: issues and pull requests that are like a text, an issue or stack frames."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from runtime.errors import missing_field
from runtime.identity import Caller
from services.tracker.checking.checker import RelatedPull, related
from services.tracker.checking.draft import Asked
from services.tracker.checking.legs import ISSUE, VECTORS, Found, pulls_like, state_of
from services.tracker.checking.likeness import likeness
from services.tracker.checking.semantic import NOT_ASKED
from services.tracker.ops.asking import Asked as Readings
from services.tracker.ops.checks import Checking, names_of
from services.tracker.ops.duplicate_check import Change
from services.tracker.ops.records import item_of
from services.tracker.outcome import Common
from services.tracker.reads import together
from services.tracker.rows import Bound
from services.tracker.similar.check import nearest
from services.tracker.similar.model import Draft, Scored
from services.tracker.similar.verdict import epistemic

ISSUES, PRS = "issue", "pr"
# What scores less shares a word or two by chance.
LEAST = 0.01


@dataclass(slots=True)
class Similar:
    items: list[Change]
    epistemic: str
    namespaces_read: list[str]
    missing: int | None
    common: Common


class SimilarOp:
    def __init__(self, checking: Checking) -> None:
        self._checking = checking

    async def execute(
        self,
        org: str,
        namespace: str,
        asked: Asked,
        number: int | None,
        kinds: Sequence[str],
        top_k: int,
        caller: Caller,
    ) -> Similar:
        """Raises MISSING_FIELD where nothing is given to look for."""
        if number is None and not asked.title.strip() and not asked.body.strip() and not asked.frames:
            raise missing_field("text")
        trackers = await self._checking.trackers(org, namespace, (), caller)
        row = None
        if number is not None:
            row = await self._checking.issue(trackers.primary, number, asked.repo)
            if row is None and not asked.title and not asked.body:
                heard = trackers.primary.leg_status.get(ISSUE) == "ok"
                trust = "uncalibrated" if heard else "unavailable"
                return Similar([], trust, names_of(trackers), number if heard else None, trackers.common())
        wanted = list(kinds) or [ISSUES, PRS]
        found = await together(
            *(self._one(trackers, i, asked, row, wanted, top_k) for i in range(len(trackers.bounds)))
        )
        items = sorted(
            (item for some, _ in found for item in some), key=lambda each: (-(each.score or 0), each.source_id)
        )
        states = {f"{place}/{leg}": state for place, (_, legs) in enumerate(found) for leg, state in legs.items()}
        return Similar(items[:top_k], epistemic(states, None), names_of(trackers), None, trackers.common())

    async def _one(
        self,
        trackers: Readings,
        place: int,
        asked: Asked,
        row: dict[str, Any] | None,
        kinds: Sequence[str],
        top_k: int,
    ) -> tuple[list[Change], dict[str, str]]:
        reading, bound = trackers.readings[place], trackers.bounds[place]
        checker = self._checking.checker
        stored = await checker.stored(bound, await self._checking.lenders(bound))
        draft = anytime(asked.draft(row, bound.repos))
        statistics = await checker.statistics(reading, draft, stored)
        if ISSUES in kinds:
            legs = await checker.found(reading, bound, asked, draft, statistics, with_pulls=PRS in kinds)
        else:
            legs = Found(draft, pulls=await pulls_like(reading, draft, statistics))
        found = await self._issues(bound, legs, row["source_id"] if row else "", top_k)
        found += [_pull(each, bound) for each in await asyncio.to_thread(related, draft, legs.pulls, ())]
        for leg, state in legs.states.items():
            if leg == VECTORS or state == NOT_ASKED:
                trackers.note(reading, leg, state)
        states = legs.states | ({"prs": state_of(reading, "prs")} if PRS in kinds else {})
        return [each for each in found if each.score is None or each.score >= LEAST], states

    async def _issues(self, bound: Bound, legs: Found, own: str, top_k: int) -> list[Change]:
        """All but the issue itself.

        By the order that needs no fit: probabilities of being a duplicate have no common scale with pull requests.
        """
        others = [each for each in legs.candidates if each.source_id != own]
        best = await asyncio.to_thread(nearest, legs.draft, others, legs.statistics, None, top_k=top_k)
        return [_issue(item, bound, legs.rows.get(item.candidate.source_id, {})) for item in best]


def anytime(draft: Draft) -> Draft:
    """What is like an issue may be younger than it: its own number and day bound nothing."""
    return replace(draft, created_at=None, number=0)


def _pull(found: RelatedPull, bound: Bound) -> Change:
    change = Change(**item_of(bound.namespace, found.row))
    change.score, change.why, change.legs = found.score, found.why, found.legs
    return change


def _issue(item: Scored, bound: Bound, row: dict[str, Any]) -> Change:
    candidate = item.candidate
    shown = {**row, "source_id": candidate.source_id, "number": candidate.number, "kind": ISSUES}
    change = Change(**item_of(bound.namespace, {**shown, "title": candidate.title, "state": candidate.state}))
    change.score, change.why, change.legs = round(likeness(item), 4), list(item.why), list(candidate.legs)
    return change
