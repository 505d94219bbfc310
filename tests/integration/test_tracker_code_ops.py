"""The code ops over records written by hand; silence, unknown numbers and several repositories among them."""

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest

from runtime.errors import LoomError
from services.tracker.checking.links_store import Candidate, LinkStore
from services.tracker.history.evidence import Report
from services.tracker.ops.code.backports import BackportGapOp, BackportGapsOp
from services.tracker.ops.code.bisect import BisectOp, Wanted
from services.tracker.ops.code.first_build import FirstBuildOp
from services.tracker.ops.code.history import HistoryOp
from services.tracker.ops.code.known_fix import KnownFix
from services.tracker.ops.code.pr_check import Draft, PrCheckOp
from services.tracker.settings import BisectSettings
from services.tracker.sources.silence import Reason
from tests.support.tracker_record import CALLER, NOW, ORG, TRACKER, Recorded, batch, recorded


def at(day: float) -> Any:
    return NOW - timedelta(days=100) + timedelta(days=day)


def issue(number: int, repo: str = "Org/repo", **more: Any) -> Mapping[str, Any]:
    row = {
        "source_id": f"{repo}#{number}",
        "number": number,
        "title": "cache returns stale entries",
        "body": "Cache::insert keeps the old value, see src/cache.rs",
        "state": "closed",
        "created_at": at(60),
        "updated_at": at(60),
        "is_private": 0,
        "triage_clean_on": ["1.0.0"],
        "triage_reproduces_on": ["1.1.0"],
    }
    return {**row, **more}


def pull(number: int, day: float, repo: str = "Org/repo", **more: Any) -> Mapping[str, Any]:
    row = {
        "source_id": f"{repo}#{number}",
        "number": number,
        "title": f"change {number}",
        "body": "",
        "state": "merged",
        "created_at": at(day - 1),
        "updated_at": at(day),
        "merged_at": at(day),
        "base_ref": "main",
        "merge_sha": f"{number:040x}",
        "is_private": 0,
        "affected_file_paths": ["src/other.rs"],
        "diff": "+++ b/src/other.rs\n+let other_value = 1;\n",
    }
    return {**row, **more}


CULPRIT = pull(
    20, 30, affected_file_paths=["src/cache.rs"], diff="+++ b/src/cache.rs\n@@ fn insert\n+Cache::insert(key);\n"
)
BUILDS = [
    {"version": "1.0.0", "branch": "release/1.0", "sha": "a" * 40, "built_at": at(10)},
    {"version": "1.1.0", "branch": "release/1.1", "sha": "b" * 40, "built_at": at(50)},
    {"version": "1.2.0-dev", "branch": "main", "sha": f"{30:040x}", "pr_number": 30, "built_at": at(71)},
]
RELEASES = [
    {"version": "1.0.0", "branch": "release/1.0", "state": "released", "released_at": at(10), "is_private": 0},
    {"version": "1.1.0", "branch": "release/1.1", "state": "released", "released_at": at(50), "is_private": 0},
]
FIX = pull(30, 70, closes=[1], affected_file_paths=["src/cache.rs"])
BACKPORT = pull(31, 72, base_ref="release/1.1", backport_of=30, title="Backport #30 to 1.1")
PULLS = [CULPRIT, FIX, BACKPORT, *(pull(number, 20 + number / 10) for number in range(40, 60))]


@asynccontextmanager
async def record_of(
    pulls: Iterable[Mapping[str, Any]] = PULLS,
    issues: Iterable[Mapping[str, Any]] = (issue(1, fixed_by=[30]),),
    repos: tuple[str, ...] = ("Org/repo",),
) -> AsyncIterator[Recorded]:
    tables = [
        batch("github_issues", issues),
        batch("github_prs", pulls),
        batch("version_history", BUILDS),
        batch("releases", RELEASES),
    ]
    async with recorded(tables, repos=repos) as record:
        yield record


def bisect(record: Recorded, **settings: Any) -> BisectOp:
    return BisectOp(record.asking, record.clock, BisectSettings(**settings))


async def test_bisect_ranks_what_touched_the_reports_code_in_the_triages_window() -> None:
    after = pull(70, 65, affected_file_paths=["src/cache.rs"])
    async with record_of([*PULLS, after]) as record:
        found = await bisect(record).execute(ORG, TRACKER, Wanted(issue_number=1), CALLER)
    assert (found.verdict, found.candidates[0].number) == ("candidates", 20)
    assert (found.window.good, found.window.bad) == ("1.0.0", "1.1.0")
    assert found.known_fixes == [30]
    assert found.after_report == 2  # the later change and the backport; the fix is no suspect
    assert not found.partial


async def test_bisect_without_a_good_end_or_time_is_partial_and_says_why() -> None:
    async with record_of(issues=[issue(1, triage_clean_on=[])]) as record:
        found = await bisect(record).execute(ORG, TRACKER, Wanted(issue_number=1), CALLER)
        assert (found.partial, "no known good version" in found.partial_reason) == (True, True)
        record.clock.monotonic = iter(range(0, 10_000, 10)).__next__  # type: ignore[method-assign]
        late = await bisect(record, bisect_deadline_ms=100).execute(ORG, TRACKER, Wanted(issue_number=1), CALLER)
    assert (late.partial, late.partial_reason) == (True, "deadline")


async def test_bisect_takes_a_report_in_words_and_needs_one() -> None:
    wanted = Wanted(good=("1.0.0",), bad=("1.1.0",), report=Report("insert", paths=("src/cache.rs",)))
    async with record_of() as record:
        found = await bisect(record).execute(ORG, TRACKER, wanted, CALLER)
        with pytest.raises(LoomError, match="issue_number is required") as refused:
            await bisect(record).execute(ORG, TRACKER, Wanted(), CALLER)
        assert refused.value.metadata == {"field": "issue_number"}
    assert found.candidates[0].number == 20


async def test_a_number_of_another_repository_is_another_item() -> None:
    theirs = issue(1, "Org/other", title="unrelated", body="src/other.rs", updated_at=at(99))
    async with record_of(issues=[issue(1, fixed_by=[30]), theirs], repos=("Org/repo", "Org/other")) as record:
        mine = await bisect(record).execute(ORG, TRACKER, Wanted("Org/repo", 1), CALLER)
        other = await bisect(record).execute(ORG, TRACKER, Wanted("Org/other", 1), CALLER)
    assert mine.candidates[0].number == 20
    assert other.candidates == []


async def test_each_release_branch_says_where_the_fix_is() -> None:
    async with record_of() as record:
        op = BackportGapOp(record.asking)
        by_issue = await op.execute(ORG, TRACKER, CALLER, issue_number=1)
        by_pull = await op.execute(ORG, TRACKER, CALLER, pr_number=30)
        no_fix = await op.execute(ORG, TRACKER, CALLER, pr_number=99)
        with pytest.raises(LoomError, match="issue_number"):
            await op.execute(ORG, TRACKER, CALLER)
    states = {gap.branch: (gap.status, gap.pull_request) for gap in by_issue.branches}
    assert states == {"release/1.1": ("present", 31), "release/1.0": ("missing", None)}
    assert (by_issue.verdict, by_issue.fixes, by_pull.branches) == ("missing", [30], by_issue.branches)
    assert no_fix.verdict == "unknown_item"


async def test_what_takes_a_fix_or_its_backport_back_is_found_though_it_names_only_what_it_takes_back() -> None:
    """As forges write it: the title of what is taken back, and its number in the text."""
    back = pull(80, 75, title='Revert "carry it to 1.1"', body="Reverts Org/repo#31", base_ref="release/1.1")
    again = pull(81, 76, title='Reapply "carry it to 1.1"', body="Reverts Org/repo#80", base_ref="release/1.1")
    backport = {**BACKPORT, "title": "carry it to 1.1"}

    async def found(*more: Mapping[str, Any]) -> tuple[str, list[str]]:
        async with record_of([CULPRIT, FIX, backport, *more]) as record:
            answer = await BackportGapOp(record.asking).execute(ORG, TRACKER, CALLER, issue_number=1)
            board = await BackportGapsOp(record.asking, record.clock).execute(ORG, TRACKER, CALLER, pr_numbers=[30])
        assert board.fixes[0].branches == answer.branches
        [gap] = [gap for gap in answer.branches if gap.branch == "release/1.1"]
        return gap.status, gap.evidence

    assert (await found())[0] == "present"
    assert await found(back) == ("missing", ["#80 took it back"])
    assert (await found(back, again))[0] == "present"


async def test_the_board_shows_named_fixes_and_those_of_late() -> None:
    async with record_of() as record:
        op = BackportGapsOp(record.asking, record.clock)
        late = await op.execute(ORG, TRACKER, CALLER, days=60)
        named = await op.execute(ORG, TRACKER, CALLER, pr_numbers=[30, 99])
        none = await op.execute(ORG, TRACKER, CALLER, days=1)
    assert [row.number for row in late.fixes] == [30]
    assert late.missing_by_branch == {"release/1.0": 1}
    assert ([row.number for row in named.fixes], named.missing_numbers) == ([30], [99])
    assert none.verdict == "no_fix"


async def test_the_first_build_of_a_change_is_found_by_number_and_by_commit() -> None:
    async with record_of() as record:
        op = FirstBuildOp(record.asking)
        by_number = await op.execute(ORG, TRACKER, CALLER, pr_number=30)
        by_commit = await op.execute(ORG, TRACKER, CALLER, sha=f"{30:040x}"[:40])
        unknown = await op.execute(ORG, TRACKER, CALLER, sha="c0ffee00")
        with pytest.raises(LoomError, match="sha"):
            await op.execute(ORG, TRACKER, CALLER, sha="not a sha")
    assert (by_number.verdict, [build.version for build in by_number.builds]) == ("built", ["1.2.0-dev"])
    assert (by_commit.pr_number, by_commit.builds) == (30, by_number.builds)
    assert unknown.verdict == "unknown_item"


async def test_history_lists_what_touched_a_path_or_a_symbol_newest_first() -> None:
    async with record_of() as record:
        op = HistoryOp(record.asking, record.clock)
        path = await op.execute(ORG, TRACKER, CALLER, paths=["src/cache.rs"])
        symbol = await op.execute(ORG, TRACKER, CALLER, symbols=["Cache::insert"])
        nothing = await op.execute(ORG, TRACKER, CALLER, paths=["src/none.rs"])
        with pytest.raises(LoomError, match="paths is required") as refused:
            await op.execute(ORG, TRACKER, CALLER, paths=["a"])
        assert refused.value.metadata == {"field": "paths"}
    assert [(item.kind, item.number) for item in path.items] == [("pr", 30), ("issue", 1), ("pr", 20)]
    assert ("issue", 1) in [(item.kind, item.number) for item in symbol.items]
    assert ("pr", 20) in [(item.kind, item.number) for item in symbol.items]
    assert nothing.verdict == "untouched"


async def test_a_pull_request_that_closes_the_drafts_issue_addresses_it() -> None:
    async with record_of() as record:
        op = PrCheckOp(record.asking, record.clock)
        closing = await op.execute(ORG, TRACKER, Draft(title="stale entries", issue_numbers=[1]), CALLER)
        none = await op.execute(ORG, TRACKER, Draft(title="completely elsewhere"), CALLER)
    assert (closing.verdict, closing.items[0].number) == ("addressed", 30)
    assert none.verdict == "none"


async def test_a_silent_tracker_makes_every_verdict_unavailable() -> None:
    async with record_of() as record:
        record.serving.silence(Reason.TIMEOUT)
        answers = [
            await bisect(record).execute(ORG, TRACKER, Wanted(issue_number=1), CALLER),
            await BackportGapOp(record.asking).execute(ORG, TRACKER, CALLER, issue_number=1),
            await BackportGapsOp(record.asking, record.clock).execute(ORG, TRACKER, CALLER),
            await FirstBuildOp(record.asking).execute(ORG, TRACKER, CALLER, pr_number=30),
            await HistoryOp(record.asking, record.clock).execute(ORG, TRACKER, CALLER, paths=["src/cache.rs"]),
            await PrCheckOp(record.asking, record.clock).execute(ORG, TRACKER, Draft(title="stale"), CALLER),
        ]
    for answer in answers:
        assert (answer.verdict, answer.epistemic) == ("unavailable", "unavailable")
        assert answer.common.tracker_unavailable
        assert answer.causes[0] == "the tracker did not answer: nothing is cleared"


UNLINKED = [CULPRIT, pull(30, 70, title="Fixes #1: drop stale entries"), BACKPORT]


def found_link(number: int, score: float, *, written: bool = True, repo: str = "Org/repo") -> Candidate:
    return Candidate("Org/repo#1", f"{repo}#{number}", score, written, {"words": 1.0})


@pytest.mark.parametrize(
    ("links", "fixes"),
    [
        ([found_link(30, 9.0)], [30]),
        ([found_link(20, 12.0, written=False), found_link(30, 1.0)], [30]),
        ([found_link(30, 0.99)], []),
        ([found_link(30, 9.0, written=False)], []),
        ([found_link(30, 9.0, repo="Org/other")], []),
        ([found_link(77, 9.0)], []),
        ([], []),
    ],
)
async def test_where_the_record_links_no_fix_only_a_closing_keyword_above_the_least_score_counts(
    links: list[Candidate], fixes: list[int]
) -> None:
    async with record_of(UNLINKED, issues=[issue(1)]) as record:
        store = LinkStore(record.store)
        await store.put(ORG, record.source.id, links, 1)
        known = KnownFix(store, 1.0)
        gap = await BackportGapOp(record.asking, known).execute(ORG, TRACKER, CALLER, issue_number=1)
        op = BisectOp(record.asking, record.clock, BisectSettings(), known)
        suspects = await op.execute(ORG, TRACKER, Wanted(issue_number=1), CALLER)
    assert (gap.fixes, suspects.known_fixes) == (fixes, fixes)
    assert (gap.verdict == "no_fix") == (not fixes)
    assert any("says in words" in cause for cause in gap.causes) == bool(fixes)


async def test_a_fix_that_the_record_links_stands_before_one_in_words() -> None:
    async with record_of([*UNLINKED, pull(33, 71, closes=[1])], issues=[issue(1)]) as record:
        store = LinkStore(record.store)
        await store.put(ORG, record.source.id, [found_link(30, 9.0)], 1)
        found = await BackportGapOp(record.asking, KnownFix(store, 1.0)).execute(ORG, TRACKER, CALLER, issue_number=1)
    assert found.fixes == [33]
