"""The legs of one check over one tracker: what each finds, all at once, each within its own budget."""

import asyncio
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from services.tracker.checking import statements as sql
from services.tracker.checking.draft import Asked, before_ms
from services.tracker.checking.semantic import NOT_ASKED, Semantic
from services.tracker.names import repo_of
from services.tracker.reads import OK, SKIPPED, Reading, Scope, together
from services.tracker.rows import Bound
from services.tracker.similar.mentions import Mention, names
from services.tracker.similar.model import Candidate, Draft
from services.tracker.similar.needles import needles
from services.tracker.similar.prepared import Prepared, prepare
from services.tracker.similar.statistics import Statistics
from services.tracker.sources.silence import Reason

TEXT, FRAMES, NUMBERS, VECTORS, FIX = "text", "frames", "numbers", "vectors", "fix_in_flight"
LEGS = (TEXT, FRAMES, NUMBERS, VECTORS, FIX)
# Legs that complete what others found: the issue that is asked about, and reports that were only named so far.
ISSUE, RECORDS = "issue", "records"
# What is shown beside the verdict and takes no part in it.
PRS = "prs"
NUMBERED = 20
# Reads of roots behind roots; a chain that is longer stays unread, which caps it.
CHAIN = 3
# The switch that turns a source off is no leg's own switch: what it keeps quiet is missing.
SOURCE_OFF = "source_off"
_SHORTEST_NAME = 4

Row = dict[str, Any]


@dataclass(slots=True)
class Found:
    """What the legs of one tracker found.

    `states` has every leg. `draft` is the one that was given, with what its bare numbers turned out to name. `touching`
    are pull requests that touch its paths, `pulls` those that share its words.
    """

    draft: Draft
    candidates: list[Candidate] = field(default_factory=list)
    rows: dict[str, Row] = field(default_factory=dict)
    states: dict[str, str] = field(default_factory=dict)
    touching: list[Row] = field(default_factory=list)
    pulls: list[Row] = field(default_factory=list)
    statistics: Statistics = field(default_factory=Statistics)


class Legs:
    """Runs the legs. One for the plane."""

    def __init__(self, semantic: Semantic) -> None:
        self._semantic = semantic

    async def run(
        self,
        reading: Reading,
        bound: Bound,
        draft: Draft,
        asked: Asked,
        statistics: Statistics,
        *,
        with_pulls: bool = False,
    ) -> Found:
        """Never raises for a silent source: its legs have the reason as their state.

        `with_pulls`: pull requests in the draft's words are read beside the legs, since most checks show them.
        """
        found = Found(draft, statistics=statistics)
        org, source, scope = bound.source.org, bound.source.id, Scope(bound.repos).prefixes()
        ((text, preparing), frames, numbers, touching, pulls), (state, near, question) = await together(  # type: ignore[misc]
            together(
                self._text(reading, draft, statistics),
                self._frames(reading, draft, asked, statistics),
                self._numbers(reading, draft),
                self._touching(reading, draft, asked),
                pulls_like(reading, draft, statistics) if with_pulls else _no_rows(),
            ),
            self._semantic.nearest(org, source, draft.title, draft.body, ["issue"], scope, statistics.lines),
        )
        legs: dict[str, set[str]] = {}
        for leg, rows in ((TEXT, text), (FRAMES, frames), (NUMBERS, numbers)):
            _take(found, legs, leg, rows)
        found.draft = _with_numbers(draft, numbers)
        found.touching = [pull_then(row, draft.created_at) for row in touching]
        found.pulls = pulls
        fixed = {f"{repo_of(row['source_id'])}#{n}" for row in touching for n in row["closes"] or ()}
        # What will be compared is known but for what stands behind its duplicates: vectors are read beside the record.
        named = {_target(row, draft.created_at) for row in found.rows.values()} | fixed | found.rows.keys()
        stored, *_ = await together(
            self._semantic.stored(org, source, question, named - near.keys() - {""}),
            self._read_more(reading, found, legs, {VECTORS: near.keys(), FIX: fixed}),
            preparing,
        )
        near |= stored
        found.states = _states(reading, state)
        found.candidates = [
            _candidate(row, legs.get(id_, ()), draft.created_at, near.get(id_), touched=id_ in fixed)
            for id_, row in found.rows.items()
        ]
        if state == OK:
            without = [each for each in found.candidates if each.cosine is None]
            more = await self._semantic.cosines(org, source, question, without, statistics.lines)
            found.candidates = [
                replace(each, cosine=more[each.source_id]) if each.source_id in more else each
                for each in found.candidates
            ]
        return found

    async def _text(self, reading: Reading, draft: Draft, statistics: Statistics) -> tuple[list[Row], Awaitable[None]]:
        """The rows, and when they are taken apart: the other legs and what they lead to are read meanwhile."""
        found = needles(draft.title, draft.body, statistics)
        rows = await reading.rows(TEXT, sql.TEXT, sql.weighing(found, before_ms(draft))) if found else []
        reports = [Candidate.of({**row, "body": row["shown"] or "", "title": row["title"] or ""}) for row in rows]
        return rows, asyncio.ensure_future(
            asyncio.to_thread(prepare, Prepared.of(draft, statistics), reports, statistics)
        )

    async def _frames(self, reading: Reading, draft: Draft, asked: Asked, statistics: Statistics) -> list[Row]:
        own = Prepared.of(draft, statistics).own_frames
        found = [*dict.fromkeys(name for key in (*own, *asked.symbols) if (name := function_name(key)))]
        if not found:
            return []
        return await reading.rows(FRAMES, sql.FRAMES, sql.naming(found, before_ms(draft)))

    async def _numbers(self, reading: Reading, draft: Draft) -> list[Row]:
        named = _named(draft)
        # A key such as `CORE-12` is an item's address; its number is what can be looked up.
        wanted = {each.number or int(each.key.rpartition("-")[2]) for each in named}
        if not wanted:
            return []
        rows = await reading.rows(NUMBERS, sql.NUMBERED, {"numbers": sorted(wanted)[:NUMBERED]})
        return [row for row in rows if any(_is_of(each, row) for each in named)]

    async def _touching(self, reading: Reading, draft: Draft, asked: Asked) -> list[Row]:
        if not asked.paths:
            return []
        return await reading.rows(FIX, sql.TOUCHING, {"paths": list(asked.paths), "before": before_ms(draft)})

    async def _read_more(
        self, reading: Reading, found: Found, legs: dict[str, set[str]], named: Mapping[str, Iterable[str]]
    ) -> None:
        """Rows of what is near and of what is being fixed, and the roots of every bucket.

        What the namespace may not read stays unread: it is asked for once.
        """
        for leg, ids in named.items():
            for id_ in ids:
                legs.setdefault(id_, set()).add(leg)
        known: set[str] = set()
        fetched: dict[str, Row] = {}
        asked: set[str] = set()
        wanted = {id_ for ids in named.values() for id_ in ids}
        for _ in range(1 + CHAIN):
            wanted |= {target for row in found.rows.values() if (target := _target(row, found.draft.created_at))}
            ids = sorted(wanted - known - found.rows.keys())[: sql.READ]
            if not ids:
                return
            known.update(ids)
            if not asked.issuperset(ids):
                rows = await reading.rows(RECORDS, sql.BY_ID, {"ids": ids})
                fetched |= {row["source_id"]: row for row in rows}
                asked |= {*ids, *(_target(fetched[id_], None) for id_ in ids if id_ in fetched)}
            # A statement brings what the reports duplicate now, which was not known at every instant.
            _take(found, legs, "", [fetched[id_] for id_ in ids if id_ in fetched])


async def pulls_like(reading: Reading, draft: Draft, statistics: Statistics) -> list[Row]:
    """Pull requests that share the draft's rarest words, as they were when it was filed."""
    found = needles(draft.title, draft.body, statistics)
    if not found:
        return []
    rows = await reading.rows(PRS, sql.PULLS, sql.weighing(found, before_ms(draft)))
    return [pull_then(row, draft.created_at) for row in rows]


async def _no_rows() -> list[Row]:
    return []


def function_name(key: str) -> str:
    """The last part of a frame's key that says something, as it stands in texts; empty for none."""
    for separator in ("::", "!", "/", ":", "#"):
        key = key.replace(separator, ".")
    parts = [part for part in key.split(".") if len(part) >= _SHORTEST_NAME and not part.isdigit()]
    return parts[-1] if parts else ""


def _named(draft: Draft) -> list[Mention]:
    return [each for each in Prepared.of(draft, Statistics()).named if each.number or each.key]


def _is_of(mention: Mention, row: Row) -> bool:
    """A bare number may be of any repository where the draft's own is not known."""
    if not mention.key and not mention.repo:
        return bool(mention.number == row["number"])
    return names(mention, row["source_id"], row["url"] or "")


def _with_numbers(draft: Draft, rows: Sequence[Row]) -> Draft:
    """A bare number of a draft without a repository names an item where only one repository has that number."""
    bare = {each.number for each in _named(draft) if not each.repo and not each.key}
    own = [row["source_id"] for row in rows if row["number"] in bare]
    told = [id_ for id_ in own if [each.rpartition("#")[2] for each in own].count(id_.rpartition("#")[2]) == 1]
    return replace(draft, mentions=(*draft.mentions, *told)) if told else draft


def _states(reading: Reading, vectors: str) -> dict[str, str]:
    """Of every leg. Vectors alone say nothing where the record is silent: no report is read."""
    asked = [*LEGS, *(leg for leg in (ISSUE, RECORDS) if leg in reading.leg_status)]
    states = {leg: state_of(reading, leg) for leg in asked}
    return states | {VECTORS: SKIPPED if reading.tracker_unavailable and vectors == OK else vectors}


def state_of(reading: Reading, leg: str) -> str:
    """Of a leg that asks the source."""
    state = reading.leg_status.get(leg, NOT_ASKED)
    return SOURCE_OFF if state == Reason.OFF else state


def _take(found: Found, legs: dict[str, set[str]], leg: str, rows: Sequence[Row]) -> None:
    for row in rows:
        row.setdefault("body", row.pop("shown", "") or "")
        row["title"] = row["title"] or ""
        found.rows.setdefault(row["source_id"], row)
        legs.setdefault(row["source_id"], set()).update({leg} - {""})


def _candidate(
    row: Row, legs: Iterable[str], as_of: datetime | None, cosine: float | None, *, touched: bool
) -> Candidate:
    """As the report was at the instant: what became of it later is not known then."""
    candidate = Candidate.of(row, legs=tuple(sorted(legs)), cosine=cosine, touched=touched)
    closed = candidate.closed_at
    if as_of is None or (closed is not None and closed <= as_of):
        return candidate
    # Without the instant nobody knows whether it was closed by then.
    state = "" if closed is None and candidate.state == "closed" else "open"
    return replace(candidate, state=state, state_reason="", closed_at=None, duplicate_of=0, fixed_by=())


def _target(row: Row, as_of: datetime | None) -> str:
    """What a report was known to duplicate at the instant, as `Org/repo#number`; empty for nothing."""
    closed = row["closed_at"]
    is_known = as_of is None or (closed is not None and closed <= as_of)
    return f"{repo_of(row['source_id'])}#{row['duplicate_of']}" if is_known and row["duplicate_of"] else ""


def pull_then(row: Row, as_of: datetime | None) -> Row:
    """A pull request as it was at the instant."""
    merged = row["merged_at"]
    if as_of is None or merged is None or merged <= as_of:
        return row
    return {**row, "state": "open", "merged_at": None, "release": ""}
