"""One check over one tracker: legs, rules, and what is added to the answer."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from services.tracker.checking import statements as sql
from services.tracker.checking.counting import sampled, statistics_of
from services.tracker.checking.draft import Asked
from services.tracker.checking.fits import FitStore, Stored
from services.tracker.checking.legs import PRS, Found, Legs
from services.tracker.reads import Reading, together
from services.tracker.rows import Bound
from services.tracker.similar.check import check
from services.tracker.similar.evidence import sentence
from services.tracker.similar.link import Pull, link, pull_statistics
from services.tracker.similar.model import Candidate, Draft, Scored, Verdict
from services.tracker.similar.statistics import Statistics
from services.tracker.similar.verdict import DUPLICATE, NONE

RELATED = 5
# Of what a pull request could reach, what one has to that is shown.
LEAST_RELATED = 0.2


@dataclass(slots=True)
class Enriched:
    """What the record says of a shown report's fix."""

    fix_release: str = ""
    fixed_by: list[int] = field(default_factory=list)
    backports: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class RelatedPull:
    """A pull request that may be about the draft. `score` is in [0, 1]."""

    row: dict[str, Any]
    score: float
    why: list[str]
    legs: list[str]


@dataclass(slots=True)
class Checked:
    """The outcome for one tracker. `fitted` is None where the check ran without a stored fit."""

    bound: Bound
    draft: Draft
    verdict: Verdict
    found: Found
    fitted: Stored | None = None
    # Whether an instant was given: what cannot be dated is not shown then.
    is_dated: bool = False
    extra: dict[str, Enriched] = field(default_factory=dict)
    related: list[RelatedPull] = field(default_factory=list)


class Checker:
    """One for the plane."""

    def __init__(self, legs: Legs, fits: FitStore) -> None:
        self._legs, self._fits = legs, fits

    async def check(
        self,
        reading: Reading,
        bound: Bound,
        asked: Asked,
        row: dict[str, Any] | None,
        others: Sequence[str],
        top_k: int,
        *,
        related_prs: bool = False,
    ) -> Checked:
        """`row` is the issue that is asked about; `others` are namespaces whose fit may be borrowed."""
        stored = await self.stored(bound, others)
        draft = asked.draft(row, bound.repos)
        statistics = await self.statistics(reading, draft, stored)
        found = await self.found(reading, bound, asked, draft, statistics, with_pulls=related_prs)
        fit = stored.fit if stored else None
        # Some hundred texts are taken apart: off the loop, which others wait for.
        verdict = await asyncio.to_thread(
            check, found.draft, found.candidates, found.statistics, fit, found.states, top_k=top_k
        )
        return Checked(bound, found.draft, verdict, found, stored if fit else None, is_dated=asked.as_of is not None)

    async def statistics(self, reading: Reading, draft: Draft, stored: Stored | None) -> Statistics:
        """What a pass counted, else what the source counts now."""
        return await statistics_of(reading, draft, stored.statistics if stored else None)

    async def found(
        self,
        reading: Reading,
        bound: Bound,
        asked: Asked,
        draft: Draft,
        statistics: Statistics,
        *,
        with_pulls: bool = False,
    ) -> Found:
        """What the legs find, with statistics that say something of it."""
        found = await self._legs.run(reading, bound, draft, asked, statistics, with_pulls=with_pulls)
        if not statistics.lines and not statistics.titles:
            found.statistics = await asyncio.to_thread(sampled, statistics, list(found.rows.values()))
        return found

    async def stored(self, bound: Bound, others: Sequence[str]) -> Stored | None:
        """Statistics and fit of the namespace, or a borrowed fit."""
        return (await self._fits.serving(bound, others))[0]

    async def enrich(self, reading: Reading, checked: Checked, *, related_prs: bool) -> None:
        """Fixes, releases and backports of what is shown; pull requests that may be about the draft."""
        verdict = checked.verdict
        shown = {item.candidate.source_id: item for item in (*verdict.items, *verdict.nearest)}
        _, checked.related = await together(
            self._fixes(reading, checked, list(shown.values())),
            _related(checked) if related_prs and verdict.verdict != DUPLICATE else _nothing(),
        )

    async def _fixes(self, reading: Reading, checked: Checked, shown: Sequence[Scored]) -> None:
        if not shown:
            return
        candidates = [item.candidate for item in shown]
        fixes = sorted({number for each in candidates for number in each.fixed_by})
        params = {"fixes": fixes, "issues": sorted({each.number for each in candidates})}
        rows = await reading.rows(PRS, sql.FIXING, params)
        as_of = checked.draft.created_at
        rows = [with_release(row, as_of, is_dated=checked.is_dated) for row in rows]
        checked.extra = {each.source_id: enriched(each, rows, as_of) for each in candidates}
        checked.verdict = with_releases(checked.verdict, checked.extra)


async def _related(checked: Checked) -> list[RelatedPull]:
    pulls = [] if says_nothing(checked.verdict) else checked.found.pulls
    return await asyncio.to_thread(related, checked.draft, pulls, checked.found.touching)


async def _nothing() -> list[RelatedPull]:
    return []


def says_nothing(verdict: Verdict) -> bool:
    """Whether the draft said too little to be compared: a verdict of `none` has no other reason."""
    return verdict.verdict == NONE and bool(verdict.reasons)


def related(draft: Draft, found: Sequence[dict[str, Any]], touching: Sequence[dict[str, Any]]) -> list[RelatedPull]:
    """The likeliest of both, best first; those that touch the draft's paths always count."""
    touched = {row["source_id"] for row in touching}
    rows = {row["source_id"]: row for row in (*touching, *found)}
    pulls = [pull_of(row) for row in rows.values()]
    if not pulls:
        return []
    issue = Candidate(
        source_id=f"{draft.repo}#0",
        number=0,
        title=draft.title,
        body=draft.body,
        component=draft.component,
        version=draft.version,
        frames=draft.frames,
    )
    scores = {each.pull: each for each in link(issue, pulls, pull_statistics(pulls), {}, most=len(pulls))}
    shown = []
    for source_id, row in rows.items():
        scored = scores.get(source_id)
        score = min(1.0, scored.score) if scored else 0.0
        legs = [*(["fix_in_flight"] if source_id in touched else []), *([PRS] if scored else [])]
        why = (["touches a path of the draft"] if source_id in touched else []) + (
            [name for name in scored.evidence if name != "closeness"] if scored else []
        )
        if source_id in touched or score >= LEAST_RELATED:
            shown.append(RelatedPull(row, round(score, 4), why, legs))
    shown.sort(key=lambda each: (each.row["source_id"] not in touched, -each.score, each.row["source_id"]))
    return shown[:RELATED]


def pull_of(row: dict[str, Any]) -> Pull:
    body = row["body"] if "body" in row else row.get("shown")
    return Pull(
        source_id=row["source_id"],
        number=row["number"],
        title=row["title"] or "",
        body=body or "",
        merged_at=row["merged_at"],
        component=row["component"] or "",
        head_ref=row["head_ref"] or "",
        paths=tuple(row["affected_file_paths"] or ()),
        closes=tuple(row["closes"] or ()),
    )


def enriched(candidate: Candidate, rows: Sequence[dict[str, Any]], as_of: datetime | None) -> Enriched:
    """Of the candidate's own repository, and as far as it was merged at the instant."""
    own = [row for row in rows if row["source_id"].rpartition("#")[0] == candidate.repo]
    known = [row for row in own if as_of is None or (row["merged_at"] is not None and row["merged_at"] <= as_of)]
    fixing = [row for row in known if row["number"] in candidate.fixed_by or candidate.number in (row["closes"] or ())]
    numbers = {row["number"] for row in fixing}
    merged = [row for row in fixing if row["state"] == "merged"]
    backports = sorted(row["number"] for row in known if row["backport_of"] in numbers and row["number"] not in numbers)
    release = next((row["release"] for row in merged if row["release"]), "")
    return Enriched(release, sorted({*candidate.fixed_by, *numbers}), backports)


def with_release(row: dict[str, Any], as_of: datetime | None, *, is_dated: bool) -> dict[str, Any]:
    """Without a release that was not out at the instant; one whose day nobody knows is kept unless `is_dated`."""
    if as_of is None or not row["release"]:
        return row
    out = row["released_at"]
    is_known = (out is not None and out <= as_of) if row["is_listed"] else not is_dated
    return row if is_known else {**row, "release": ""}


def with_releases(verdict: Verdict, extra: dict[str, Enriched]) -> Verdict:
    """The verdict with what is known of fixes; the sentence is worded anew, since a fixed report reads otherwise."""
    items = tuple(_fixed(item, extra) for item in verdict.items)
    nearest = tuple(_fixed(item, extra) for item in verdict.nearest)
    answer = sentence(verdict.verdict, verdict.epistemic, items, verdict.reasons)
    return replace(verdict, items=items, nearest=nearest, answer=answer)


def _fixed(item: Scored, extra: dict[str, Enriched]) -> Scored:
    known = extra.get(item.candidate.source_id)
    if known is None:
        return item
    candidate = replace(item.candidate, fix_release=known.fix_release, fixed_by=tuple(known.fixed_by))
    return replace(item, candidate=candidate)
