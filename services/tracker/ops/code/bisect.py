"""code.bisect_candidates: which pull requests may have brought a defect in."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from runtime.clock import Clock
from runtime.identity import Caller
from services.tracker.history.evidence import Report, path_matches, report_of
from services.tracker.history.rows import instant, numbers
from services.tracker.history.suspects import Limits, Ranking, rank
from services.tracker.history.window import Point, Window, of_issue, window
from services.tracker.ops.asking import Asked, Asking
from services.tracker.ops.code import statements as ask
from services.tracker.ops.code.common import (
    UNKNOWN_ITEM,
    CodeAnswer,
    Row,
    issue_of,
    its_prefix,
    micro,
    nothing_asked,
    of_repository,
    prefix_of,
    settled,
    told,
    unheard,
)
from services.tracker.ops.code.known_fix import KnownFix
from services.tracker.outcome import title_of
from services.tracker.reads import Reading, together
from services.tracker.settings import BisectSettings

CANDIDATES, NONE, NO_REPORT = "candidates", "no_candidates", "no_report"
# How far back a window without a beginning goes.
OPEN_DAYS = 180
_HEX = frozenset("0123456789abcdef")


@dataclass(frozen=True)
class Wanted:
    """What is asked about."""

    repo: str = ""
    issue_number: int | None = None
    good: Sequence[str] = ()
    bad: Sequence[str] = ()
    report: Report = field(default_factory=Report)
    top_k: int = 10


@dataclass(slots=True)
class Suspect:
    number: int
    source_id: str
    title: str
    merged_at: datetime
    merge_sha: str
    score: float
    legs: list[str]
    why: list[str]


@dataclass(slots=True)
class BisectWindow:
    good: str = ""
    good_at: datetime | None = None
    good_how: str = ""
    bad: str = ""
    bad_at: datetime | None = None
    bad_how: str = ""
    unknown: list[str] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Bisect(CodeAnswer):
    candidates: list[Suspect] = field(default_factory=list)
    window: BisectWindow = field(default_factory=BisectWindow)
    partial: bool = False
    partial_reason: str = ""
    scanned: int = 0
    in_window: int = 0
    after_report: int = 0
    patterns: list[str] = field(default_factory=list)
    component_dirs: list[str] = field(default_factory=list)
    known_fixes: list[int] = field(default_factory=list)


class BisectOp:
    def __init__(self, asking: Asking, clock: Clock, settings: BisectSettings, known: KnownFix | None = None) -> None:
        self._asking, self._clock, self._settings, self._known = asking, clock, settings, known

    async def execute(self, org: str, namespace: str, wanted: Wanted, caller: Caller) -> Bisect:
        """Raises NOT_A_TRACKER_NAMESPACE, INVALID_FIELD, MISSING_FIELD."""
        asked = await self._asking.primary(org, namespace, caller)
        return await self.of(asked, wanted)

    async def of(self, asked: Asked, wanted: Wanted) -> Bisect:
        """The same, of a tracker that is asked already."""
        ends = self._clock.monotonic() + self._settings.bisect_deadline_ms / 1000
        reading, prefix = asked.primary, prefix_of(wanted.repo)
        issue, builds, releases = await together(
            self._issue(reading, wanted, prefix),
            reading.rows("builds", ask.BUILDS),
            reading.rows("releases", ask.RELEASES),
        )
        if wanted.issue_number is not None and not issue:
            return _ended(asked, UNKNOWN_ITEM, ["the tracker's repositories have no such issue"])
        row = issue[0] if issue else {}
        report = report_of(row, wanted.report)
        if not (report.text or report.frames or report.paths or report.symbols):
            return _ended(asked, NO_REPORT, ["neither the issue nor the call says what to look for"])
        prefix = its_prefix(row) if row else prefix
        builds, releases = of_repository(builds, prefix), of_repository(releases, prefix)
        span = await self._window(reading, wanted, row, builds, releases, prefix)
        pulls, fixes = await self._pulls(reading, span, row, prefix)
        fixes = fixes or await self._closing(asked, row, prefix)
        light, reported = len(pulls) > ask.MOST_LIGHT, instant(row, "created_at")
        inside = [pull for pull in pulls if _counts(pull, span, reported)]
        diffs = await self._diffs(reading, inside, fixes, report, prefix)
        with_diffs = [{**pull, "diff": diffs.get(pull["source_id"], "")} for pull in pulls]
        limits = Limits(self._settings.bisect_scope_patterns, self._settings.bisect_component_dirs, wanted.top_k)
        ranking = await asyncio.to_thread(
            rank,
            with_diffs,
            report,
            span,
            reported_at=reported,
            fixes=fixes,
            limits=limits,
            stop=lambda: self._clock.monotonic() >= ends,
        )
        return _ranked(asked, ranking, fixes, more=light, unread=max(0, len(inside) - ask.MOST_DIFFS))

    async def _issue(self, reading: Reading, wanted: Wanted, prefix: str) -> list[Row]:
        if wanted.issue_number is None:
            report = wanted.report
            if not (report.text or report.frames or report.paths or report.symbols):
                raise nothing_asked("issue_number", "or text, frames, paths or symbols to look for")
            return []
        found = await issue_of(reading, wanted.issue_number, prefix)
        return [found] if found else []

    async def _window(
        self,
        reading: Reading,
        wanted: Wanted,
        issue: Row,
        builds: Sequence[Row],
        releases: Sequence[Row],
        prefix: str,
    ) -> Window:
        good, bad = of_issue(issue)
        good, bad = [*wanted.good, *good], [*wanted.bad, *(() if wanted.bad else bad)]
        shas = sorted({name.lower() for name in (*good, *bad) if 7 <= len(name) <= 40 and set(name.lower()) <= _HEX})
        pulls = await reading.rows("commits", ask.OF_COMMITS, {"shas": shas, "repo": prefix}) if shas else []
        return window(
            good, bad, history=builds, releases=releases, pulls=pulls, reported_at=instant(issue, "created_at")
        )

    async def _pulls(self, reading: Reading, span: Window, issue: Row, prefix: str) -> tuple[list[Row], list[Row]]:
        """Merged pull requests around the window, and the issue's known fixes with their changes."""
        until = span.bad.at if span.bad and span.bad.at else self._clock.now()
        since = span.good.at if span.good and span.good.at else until - timedelta(days=OPEN_DAYS)
        # What was merged between the window's end and the report is dropped there, and counted.
        reported = instant(issue, "created_at")
        params = {
            "since": micro(since),
            "until": micro(max(until, reported or until) + timedelta(days=14)),
            "repo": prefix,
        }
        known = {"numbers": numbers(issue, "fixed_by"), "issues": [issue["number"]] if issue else [], "repo": prefix}
        pulls, fixes = await together(
            reading.rows("merged", ask.MERGED, params),
            reading.rows("fixes", ask.FIXES, known) if issue else _nothing(),
        )
        return pulls, fixes

    async def _closing(self, asked: Asked, issue: Row, prefix: str) -> list[Row]:
        """The pull request that says that it closes the issue, where the record links none."""
        number = await self._known.of(asked, issue) if self._known and issue else None
        if number is None:
            return []
        return await asked.primary.rows("fixes", ask.FIXES, {"numbers": [number], "issues": [], "repo": prefix})

    async def _diffs(
        self, reading: Reading, inside: Sequence[Row], fixes: Sequence[Row], report: Report, prefix: str
    ) -> dict[str, str]:
        """The changes of those that are most to the point, by `source_id`: by their paths, then the newest."""
        wanted = [*report.all_paths, *(path for fix in fixes for path in fix["affected_file_paths"] or ())]
        chosen = sorted(inside, key=lambda row: not _is_near(row, wanted, report.component))[: ask.MOST_DIFFS]
        if not chosen:
            return {}
        params = {"numbers": [row["number"] for row in chosen], "repo": prefix}
        return {row["source_id"]: row["diff"] for row in await reading.rows("diffs", ask.DIFFS, params)}


def _counts(row: Row, span: Window, reported: datetime | None) -> bool:
    at = instant(row, "merged_at")
    return at is not None and span.holds(at) and (reported is None or at <= reported)


async def _nothing() -> list[Row]:
    return []


def _is_near(row: Row, wanted: Sequence[str], component: str) -> bool:
    paths = row["affected_file_paths"] or ()
    if component and str(row["component"] or "").casefold() == component.casefold():
        return True
    return any(path_matches(path, one) for path in paths for one in wanted)


def _ended(asked: Asked, verdict: str, causes: list[str]) -> Bisect:
    epistemic, common = told(asked)
    if verdict == UNKNOWN_ITEM and unheard(asked):
        causes = unheard(asked)
    return Bisect(verdict=settled(asked, verdict), causes=causes, epistemic=epistemic, common=common)


def _ranked(asked: Asked, found: Ranking, fixes: Sequence[Row], *, more: bool, unread: int) -> Bisect:
    epistemic, common = told(asked)
    reason = found.reason or (f"more than {ask.MOST_LIGHT} pull requests were merged in the window" if more else "")
    reason = reason or (f"of {unread} pull requests the changes were not read, only their paths" if unread else "")
    causes = unheard(asked) + ([f"partial: {reason}"] if reason else [])
    if not found.in_window:
        causes.append("no pull request was merged in the window")
    return Bisect(
        verdict=settled(asked, CANDIDATES if found.suspects else NONE),
        causes=causes,
        epistemic=epistemic,
        common=common,
        candidates=[
            Suspect(
                each.number,
                each.source_id,
                title_of(each.title),
                each.merged_at,
                each.merge_sha,
                each.score,
                list(each.legs),
                list(each.why),
            )
            for each in found.suspects
        ],
        window=_shown(found.window),
        partial=bool(reason),
        partial_reason=reason,
        scanned=found.scanned,
        in_window=found.in_window,
        after_report=found.after_report,
        patterns=list(found.patterns),
        component_dirs=list(found.component_dirs),
        known_fixes=[row["number"] for row in fixes],
    )


def _shown(span: Window) -> BisectWindow:
    good, bad = span.good or Point("", None, ""), span.bad or Point("", None, "")
    return BisectWindow(good.given, good.at, good.how, bad.given, bad.at, bad.how, list(span.unknown))
