"""code.backport_gap and code.backport_gaps: which release branches lack a fix."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from runtime.clock import Clock
from runtime.identity import Caller
from services.tracker.history.backports import IN_FLIGHT, MISSING, Board, Gap, Record, backport_gap
from services.tracker.history.rows import by_number, instant, merged, numbers, text
from services.tracker.ops.asking import Asked, Asking
from services.tracker.ops.code import statements as ask
from services.tracker.ops.code.carriers import around_of
from services.tracker.ops.code.common import (
    UNKNOWN_ITEM,
    CodeAnswer,
    Row,
    exactly_one,
    issue_of,
    its_prefix,
    micro,
    of_repository,
    only_newest,
    only_of,
    prefix_of,
    settled,
    told,
    unheard,
)
from services.tracker.ops.code.known_fix import KnownFix
from services.tracker.outcome import title_of
from services.tracker.reads import Reading, together

COMPLETE, NO_FIX, NO_BRANCHES = "complete", "no_fix", "no_branches"
SAID = "the record links no fix: this one says in words that it closes the issue"


@dataclass(slots=True)
class BranchGap:
    branch: str
    status: str
    evidence: list[str]
    pull_request: int | None = None


@dataclass(slots=True, kw_only=True)
class BackportGap(CodeAnswer):
    branches: list[BranchGap] = field(default_factory=list)
    fixes: list[int] = field(default_factory=list)


@dataclass(slots=True)
class FixGaps:
    number: int
    source_id: str
    title: str
    merged_at: datetime | None
    issues: list[int]
    branches: list[BranchGap]


@dataclass(slots=True, kw_only=True)
class BackportGaps(CodeAnswer):
    fixes: list[FixGaps] = field(default_factory=list)
    missing_numbers: list[int] = field(default_factory=list)
    missing_by_branch: dict[str, int] = field(default_factory=dict)


class BackportGapOp:
    def __init__(self, asking: Asking, known: KnownFix | None = None) -> None:
        self._asking, self._known = asking, known

    async def execute(
        self,
        org: str,
        namespace: str,
        caller: Caller,
        *,
        repo: str = "",
        issue_number: int | None = None,
        pr_number: int | None = None,
        branches: Sequence[str] = (),
    ) -> BackportGap:
        """Raises NOT_A_TRACKER_NAMESPACE, INVALID_FIELD."""
        exactly_one(("issue_number", issue_number), ("pr_number", pr_number))
        prefix_of(repo)
        asked = await self._asking.primary(org, namespace, caller)
        return await self.of(asked, repo=repo, issue_number=issue_number, pr_number=pr_number, branches=branches)

    async def of(
        self,
        asked: Asked,
        *,
        repo: str = "",
        issue_number: int | None = None,
        pr_number: int | None = None,
        branches: Sequence[str] = (),
    ) -> BackportGap:
        """The same, of a tracker that is asked already."""
        reading, prefix = asked.primary, prefix_of(repo)
        first, builds, releases = await together(
            _first(reading, issue_number, pr_number, prefix),
            reading.rows("builds", ask.BUILDS),
            reading.rows("releases", ask.RELEASES),
        )
        if not first:
            return _ended(asked, UNKNOWN_ITEM, "the tracker's repositories have no such number")
        prefix = its_prefix(first[0])
        fixes, issue = await _fixes(reading, first[0], issue_number, prefix)
        said = [] if fixes or issue_number is None else await self._closing(asked, first[0], prefix)
        fixes = fixes or said
        if not fixes:
            return _ended(asked, NO_FIX, "no pull request is known to fix it")
        around = await around_of(reading, fixes, numbers(issue or {}, "caused_by"), prefix)
        record = Record([*around, *fixes], of_repository(builds, prefix), of_repository(releases, prefix))
        gaps = await asyncio.to_thread(backport_gap, [row["number"] for row in fixes], record, issue, branches)
        verdict, causes = summary(gaps)
        epistemic, common = told(asked)
        return BackportGap(
            verdict=settled(asked, verdict),
            causes=[*unheard(asked), *causes, *([SAID] if said else []), *only_newest(builds)],
            epistemic=epistemic,
            common=common,
            branches=shown(gaps),
            fixes=sorted({row["number"] for row in fixes}),
        )

    async def _closing(self, asked: Asked, issue: Row, prefix: str) -> list[Row]:
        """The pull request that says that it closes the issue, where the record links none."""
        number = await self._known.of(asked, issue) if self._known else None
        if number is None:
            return []
        rows = await asked.primary.rows("fixes", ask.PULLS, {"numbers": [number], "issues": [], "repo": prefix})
        return [row for row in rows if row["number"] == number][:1]


class BackportGapsOp:
    def __init__(self, asking: Asking, clock: Clock) -> None:
        self._asking, self._clock = asking, clock

    async def execute(
        self,
        org: str,
        namespace: str,
        caller: Caller,
        *,
        repo: str = "",
        pr_numbers: Sequence[int] = (),
        days: int = 30,
        branches: Sequence[str] = (),
        limit: int = 20,
    ) -> BackportGaps:
        """Raises NOT_A_TRACKER_NAMESPACE, INVALID_FIELD."""
        prefix = prefix_of(repo)
        asked = await self._asking.primary(org, namespace, caller)
        reading, since = asked.primary, self._clock.now() - timedelta(days=days)
        chosen = (
            reading.rows("fixes", ask.PULLS, {"numbers": list(pr_numbers), "issues": [], "repo": prefix})
            if pr_numbers
            else reading.rows("fixes", ask.LATELY_FIXED, {"since": micro(since), "limit": limit, "repo": prefix})
        )
        found, builds, releases = await together(
            chosen, reading.rows("builds", ask.BUILDS), reading.rows("releases", ask.RELEASES)
        )
        rows: list[FixGaps] = []
        for own in sorted({its_prefix(row) for row in found}):
            history = Record((), of_repository(builds, own), of_repository(releases, own))
            rows += await self._board(reading, only_of(found, own), history, branches, own)
        known = {row.number for row in rows}
        missing = [number for number in pr_numbers if number not in known]
        return _board_of(asked, rows if pr_numbers else rows[:limit], missing, only_newest(builds))

    async def _board(
        self,
        reading: Reading,
        fixes: Sequence[Row],
        history: Record,
        branches: Sequence[str],
        prefix: str,
    ) -> list[FixGaps]:
        """The fixes of one repository; `history` is its builds and releases."""
        closed = sorted({number for row in fixes for number in numbers(row, "closes")})
        around, issues = await together(
            around_of(reading, fixes, (), prefix),
            reading.rows("issues", ask.ISSUES, {"numbers": closed, "repo": prefix}),
        )
        by_issue = by_number(issues)
        # Off the loop: of many fixes and builds it takes a while.
        board = await asyncio.to_thread(Board, replace(history, pulls=[*around, *fixes]), branches)
        rows = []
        for number, row in by_number(fixes).items():
            own = [by_issue[one] for one in numbers(row, "closes") if one in by_issue]
            about = own[0] if len(own) == 1 else None
            gaps = await asyncio.to_thread(board.gaps, [number], about)
            rows.append(
                FixGaps(
                    number,
                    row["source_id"],
                    title_of(row["title"]),
                    instant(row, "merged_at"),
                    numbers(row, "closes"),
                    shown(gaps),
                )
            )
        return rows


def summary(gaps: Iterable[Gap]) -> tuple[str, list[str]]:
    """The verdict over branches, and the sentence for it."""
    listed = list(gaps)
    if not listed:
        return NO_BRANCHES, ["the record names no release branches"]
    for status, what in ((MISSING, "lacks it"), (IN_FLIGHT, "has it in flight")):
        found = [gap.branch for gap in listed if gap.status == status]
        if found:
            return status, [f"{', '.join(found)} {what}"]
    return COMPLETE, ["every release branch has it, or does not need it"]


def shown(gaps: Iterable[Gap]) -> list[BranchGap]:
    return [BranchGap(gap.branch, gap.status, list(gap.evidence), gap.pull_request) for gap in gaps]


async def _first(reading: Reading, issue: int | None, pull: int | None, prefix: str) -> list[Row]:
    if issue is not None:
        found = await issue_of(reading, issue, prefix)
        return [found] if found else []
    return (await reading.rows("pull", ask.PULLS, {"numbers": [pull], "issues": [], "repo": prefix}))[:1]


async def _fixes(reading: Reading, row: Row, issue_number: int | None, prefix: str) -> tuple[list[Row], Row | None]:
    """Pull requests that fix it, no backports among them, and the issue that it is about."""
    if issue_number is None:
        closed = numbers(row, "closes")
        issues = await reading.rows("issue", ask.ISSUES, {"numbers": closed, "repo": prefix}) if closed else []
        return [row], issues[0] if len(by_number(issues)) == 1 else None
    asked = {"numbers": numbers(row, "fixed_by"), "issues": [issue_number], "repo": prefix}
    found = by_number(await reading.rows("fixes", ask.PULLS, asked))
    wanted = {*numbers(row, "fixed_by"), *(n for n, one in found.items() if issue_number in numbers(one, "closes"))}
    fixes = [found[n] for n in sorted(wanted) if n in found and not found[n].get("backport_of")]
    alive = [one for one in fixes if merged(one) or text(one, "state").casefold() == "open"]
    return alive, row


def _ended(asked: Asked, verdict: str, cause: str) -> BackportGap:
    epistemic, common = told(asked)
    return BackportGap(
        verdict=settled(asked, verdict), causes=unheard(asked) or [cause], epistemic=epistemic, common=common
    )


def _board_of(
    asked: Asked, rows: Sequence[FixGaps], missing: Sequence[int], only_newest: Sequence[str]
) -> BackportGaps:
    epistemic, common = told(asked)
    lacking = Counter(gap.branch for row in rows for gap in row.branches if gap.status == MISSING)
    statuses = {gap.status for row in rows for gap in row.branches}
    if not rows:
        verdict, causes = NO_FIX, ["no such fixes are known"]
    elif not any(row.branches for row in rows):
        verdict, causes = NO_BRANCHES, ["the record names no release branches"]
    else:
        verdict = next((status for status in (MISSING, IN_FLIGHT) if status in statuses), COMPLETE)
        causes = [f"{branch} lacks {count} of {len(rows)} fixes" for branch, count in lacking.most_common()]
    return BackportGaps(
        verdict=settled(asked, verdict),
        causes=[*unheard(asked), *causes, *only_newest],
        epistemic=epistemic,
        common=common,
        fixes=sorted(rows, key=_most_urgent),
        missing_numbers=sorted(set(missing)),
        missing_by_branch=dict(lacking),
    )


def _most_urgent(row: FixGaps) -> tuple[int, float, int]:
    lacking = sum(gap.status == MISSING for gap in row.branches)
    return -lacking, -(row.merged_at.timestamp() if row.merged_at else 0.0), -row.number
