"""search: one query over the caller's memories and the trackers that a namespace reads."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from runtime.clock import Clock
from runtime.errors import LoomError, invalid_field
from runtime.identity import Caller
from services.tracker.checking.draft import Asked as Draft
from services.tracker.ops.duplicate_check import DuplicateCheck, Options, Outcome
from services.tracker.ops.similar import Similar, SimilarOp
from services.tracker.outcome import Item
from services.tracker.resolve import Resolver
from services.tracker.searching import TRACKER, Hit, frames_of, fuse, looks_like_defect

MEMORY_LEG, TRACKERS, DUPLICATES = "memory", "trackers", "duplicates"
OK, NOT_ASKED, REFUSED, OFF, TIMEOUT, UNAVAILABLE = "ok", "not_asked", "refused", "off", "timeout", "unavailable"
BUDGETS_S: Mapping[str, float] = {MEMORY_LEG: 2.0, TRACKERS: 2.0, DUPLICATES: 3.0}
TITLE_CHARS = 300
# Below an even chance, an issue is not offered as an answer.
LEAST_ISSUE = 0.5
NONE = "none"
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")

FindMemories = Callable[[str, str, int, float], Awaitable[tuple[list[Hit], Mapping[str, str]]]]
"""Namespace, query, limit and seconds -> hits in the caller's own name, and the legs of that search."""


@dataclass(slots=True)
class Duplicate:
    verdict: str
    epistemic: str
    answer: str


@dataclass(slots=True)
class Found:
    hits: list[Hit]
    abstained: bool
    duplicate: Duplicate | None
    leg_status: dict[str, str]
    namespaces_read: list[str]
    timings_ms: dict[str, float]


@dataclass(slots=True)
class _Legs:
    """What became of each leg."""

    hits: dict[str, list[Hit]] = field(default_factory=dict)
    states: dict[str, str] = field(default_factory=dict)
    spent: dict[str, float] = field(default_factory=dict)
    read: list[str] = field(default_factory=list)
    duplicate: Duplicate | None = None


class SearchOp:
    def __init__(self, resolver: Resolver, similar: SimilarOp, duplicates: DuplicateCheck, clock: Clock) -> None:
        self._resolver, self._similar, self._duplicates, self._clock = resolver, similar, duplicates, clock

    async def execute(
        self,
        org: str,
        namespace: str,
        memory_namespace: str,
        query: str,
        limit: int,
        caller: Caller,
        memories: FindMemories,
    ) -> Found:
        """A leg that fails or takes too long falls out, and is named; the others' hits stand. Never raises for one.

        INVALID_FIELD for what no leg could take: that is the caller's to put right, and no leg is away for it.
        """
        _check(query, memory_namespace)
        started, legs = self._clock.monotonic(), _Legs()
        work = [self._leg(MEMORY_LEG, legs, self._remembered(legs, memory_namespace, query, limit, memories))]
        if await self._reads_trackers(org, namespace, caller, legs):
            draft = _draft(query)
            work.append(self._leg(TRACKERS, legs, self._alike(legs, org, namespace, draft, limit, caller)))
            if looks_like_defect(query):
                work.append(self._leg(DUPLICATES, legs, self._checked(legs, org, namespace, draft, caller)))
        await asyncio.gather(*work)
        for leg in (TRACKERS, DUPLICATES):
            legs.states.setdefault(leg, NOT_ASKED)
        hits = fuse(legs.hits, limit)
        legs.spent["total"] = self._since(started)
        return Found(hits, not hits, legs.duplicate, legs.states, list(dict.fromkeys(legs.read)), legs.spent)

    async def _reads_trackers(self, org: str, namespace: str, caller: Caller, legs: _Legs) -> bool:
        """A namespace of memories alone reads none; without the directory nobody knows."""
        try:
            return bool((await self._resolver.resolve(org, namespace, caller)).trackers)
        except LoomError:
            legs.states[TRACKERS] = UNAVAILABLE
            return False

    async def _leg(self, name: str, legs: _Legs, work: Awaitable[None]) -> None:
        started = self._clock.monotonic()
        try:
            async with asyncio.timeout(BUDGETS_S[name]):
                await work
        except TimeoutError:
            legs.states[name] = TIMEOUT
        except LoomError as error:
            legs.states[name] = _state(error)
        legs.spent[name] = self._since(started)

    async def _remembered(self, legs: _Legs, namespace: str, query: str, limit: int, memories: FindMemories) -> None:
        hits, inner = await memories(namespace, query, limit, BUDGETS_S[MEMORY_LEG])
        legs.hits[MEMORY_LEG] = hits
        legs.states |= {MEMORY_LEG: OK, **{f"{MEMORY_LEG}/{leg}": state for leg, state in inner.items()}}

    async def _alike(self, legs: _Legs, org: str, namespace: str, draft: Draft, limit: int, caller: Caller) -> None:
        found = await self._similar.execute(org, namespace, draft, None, (), limit, caller)
        legs.hits[TRACKERS] = [_hit(item) for item in found.items if _is_good(item)]
        _heard(legs, TRACKERS, found)

    async def _checked(self, legs: _Legs, org: str, namespace: str, draft: Draft, caller: Caller) -> None:
        options = Options(top_k=5, related_prs=False, rerank=False, namespaces=())
        found = await self._duplicates.execute(org, namespace, draft, None, options, caller)
        legs.hits[DUPLICATES] = [_hit(item) for item in found.items] if found.verdict != NONE else []
        legs.duplicate = Duplicate(found.verdict, found.epistemic, found.answer)
        _heard(legs, DUPLICATES, found)

    def _since(self, started: float) -> float:
        return round((self._clock.monotonic() - started) * 1000, 3)


def _heard(legs: _Legs, leg: str, found: Similar | Outcome) -> None:
    common = found.common
    legs.states[leg] = common.unavailable_reason or UNAVAILABLE if common.tracker_unavailable else OK
    legs.states |= {f"{leg}/{name}": state for name, state in common.leg_status.items()}
    legs.read += found.namespaces_read


def _check(query: str, memory_namespace: str) -> None:
    if not any(each.isprintable() and not each.isspace() for each in query):
        raise invalid_field("query", "more than blanks")
    if not memory_namespace.strip() or _CONTROL.search(memory_namespace):
        raise invalid_field("memory_namespace", "the name of a namespace, without control characters")


def _state(error: LoomError) -> str:
    if error.code.name == "FEATURE_DISABLED":
        return OFF
    if error.code.name == "DEADLINE_EXCEEDED":
        return TIMEOUT
    return REFUSED if error.code.category in ("auth", "not_found", "precondition") else UNAVAILABLE


def _draft(query: str) -> Draft:
    """The query as a report: its first line is the title. One line is title and text at once."""
    title, _, body = query.strip().partition("\n")
    return Draft(title=title[:TITLE_CHARS], body=body or title[TITLE_CHARS:], frames=frames_of(query))


def _is_good(item: Item) -> bool:
    return item.kind != "issue" or (item.score or 0.0) >= LEAST_ISSUE


def _hit(item: Item) -> Hit:
    return Hit(
        origin=TRACKER,
        namespace=item.tracker_namespace,
        kind=item.kind,
        title=item.title,
        source_id=item.source_id,
        number=item.number,
        state=item.state,
        url=item.url,
        at=item.created_at,
        own_score=item.score,
        why=list(item.why),
    )
