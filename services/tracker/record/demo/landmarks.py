"""What is worth asking the demo record about: names and numbers for documentation, the banner and tests.

`LANDMARKS` is what `find` finds in the record of the default size and seed; a test holds them equal.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from services.tracker.record.demo.backports import MISSING
from services.tracker.record.demo.checks import cis
from services.tracker.record.demo.issue_text import crashes
from services.tracker.record.demo.lines import CANDIDATE, releases
from services.tracker.record.demo.model import Issue, Kind
from services.tracker.record.demo.vocabulary import SERVER
from services.tracker.record.demo.world import World

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Landmarks:
    """Numbers are of `repo`, in which they are unambiguous among both repositories of the record."""

    repo: str
    other_repo: str
    component: str
    error_code: str
    path: str
    release_with_blockers: str
    blockers: tuple[int, ...]
    healthy_release: str
    issue_with_duplicates: int
    duplicates: tuple[int, ...]
    duplicate_chain: tuple[int, ...]
    """Each repeats the next one; the last is the root."""
    twins: tuple[int, int]
    process_ticket: int
    regression: int
    regression_of: int
    fixed_issue: int
    fixing_pr: int
    causing_pr: int
    backported_pr: int
    pr_without_backport: int
    branch_without_backport: str
    unlinked_issue: int
    unlinked_pr: int
    crash: int
    private_issue: int
    flaky_test: str
    flaky_issue: int
    unnamed_flaky_test: str
    platform_test: str
    regressed_test: str
    regressing_pr: int
    storm_days_ago: float
    sick_runner: str


LANDMARKS = Landmarks(
    repo="brindlekv/brindle",
    other_repo="brindlekv/brindle-clients",
    component="operator",
    error_code="BRN-8216",
    path="crates/wal/src/writer.rs",
    release_with_blockers="3.2.0",
    blockers=(2530, 2542, 2559, 2568),
    healthy_release="3.0.7",
    issue_with_duplicates=1038,
    duplicates=(1251, 1271, 1427, 1446, 1463),
    duplicate_chain=(2673, 2642, 2436),
    twins=(2463, 2658),
    process_ticket=2627,
    regression=2531,
    regression_of=1565,
    fixed_issue=2533,
    fixing_pr=2599,
    causing_pr=2154,
    backported_pr=2537,
    pr_without_backport=2679,
    branch_without_backport="release/3.2",
    unlinked_issue=2665,
    unlinked_pr=2668,
    crash=2671,
    private_issue=2592,
    flaky_test="web/src/metrics.test.ts > counts correctly",
    flaky_issue=2484,
    unnamed_flaky_test="cmd/brindlectl.TestCmdScalesToManyTables",
    platform_test="internal/backup.TestCatalogIgnoresDuplicates",
    regressed_test="consensus::lease::tests::wakes_waiters",
    regressing_pr=2600,
    storm_days_ago=22.8,
    sick_runner="linux-amd64-13",
)


def find(world: World) -> Landmarks:
    """The landmarks of a record, newest first where there are several."""
    issues = [each for each in reversed(world.issues) if each.repo == SERVER and each.number > 400]
    changes = [each for each in reversed(world.changes) if each.repo == SERVER and each.number > 400]
    shown = [each for each in issues if not each.private]
    by_number = {each.number: each for each in issues}
    fixed = _first(shown, lambda each: each.bisected and len(each.fixes) == 1 and each.linked and each.fixes[0].merged)
    unlinked = _first(shown, lambda each: not each.linked and bool(each.fixes) and each.reason == "completed")
    twin = _first(shown, lambda each: each.kind is Kind.TWIN)
    back = _first(shown, lambda each: each.earlier is not None and each.earlier.number > 400)
    lacking = _first(changes, lambda each: not each.private and MISSING in each.backports.values())
    crash = _first(
        shown, lambda each: each.defect is not None and crashes(each.defect) and bool(each.defect.symptom.code)
    )
    assert twin.twin is not None and back.earlier is not None and crash.defect is not None
    return Landmarks(
        repo=SERVER,
        other_repo=next(each.repo for each in world.issues if each.repo != SERVER),
        component=Counter(each.component.name for each in issues if each.closed is None and each.defect).most_common(1)[
            0
        ][0],
        error_code=f"BRN-{crash.defect.symptom.code}",
        path=Counter(path for each in changes for path in each.files if "/src/" in path).most_common(1)[0][0],
        release_with_blockers=CANDIDATE,
        blockers=tuple(sorted(each.number for each in shown if each.milestone == CANDIDATE and each.closed is None)),
        healthy_release=[each.version for each in releases() if each.state == "released"][-1],
        **_duplicates(shown, by_number),
        twins=(twin.twin.number, twin.number),
        process_ticket=_first(shown, lambda each: each.kind is Kind.PROCESS).number,
        regression=back.number,
        regression_of=back.earlier.number,
        fixed_issue=fixed.number,
        fixing_pr=fixed.fixes[0].number,
        causing_pr=fixed.causes[0].number,
        backported_pr=_first(
            changes, lambda each: len(each.backports) > 1 and set(each.backports.values()) == {"done"}
        ).number,
        pr_without_backport=lacking.number,
        branch_without_backport=next(branch for branch, state in lacking.backports.items() if state == MISSING),
        unlinked_issue=unlinked.number,
        unlinked_pr=unlinked.fixes[0].number,
        crash=crash.number,
        private_issue=_first(issues, lambda each: each.private).number,
        **_tests(world),
    )


def _duplicates(shown: list[Issue], by_number: dict[int, Issue]) -> dict[str, object]:
    buckets: dict[int, list[int]] = defaultdict(list)
    for each in shown:
        if each.root is not None and each.closed is not None and not each.root.private:
            buckets[each.root.number].append(each.number)
    root = max((number for number in buckets if number in by_number), key=lambda number: (len(buckets[number]), number))
    last = _first(shown, lambda each: _labelled(each) and _labelled(each.root) and each.root.root.number > 400)  # type: ignore[union-attr]
    chain = [last]
    while chain[-1].root is not None:
        chain.append(chain[-1].root)
    return {
        "issue_with_duplicates": root,
        "duplicates": tuple(sorted(buckets[root])),
        "duplicate_chain": tuple(each.number for each in chain),
    }


def _labelled(issue: Issue | None) -> bool:
    return issue is not None and issue.root is not None and issue.closed is not None


def _tests(world: World) -> dict[str, object]:
    ci = cis(world)[0]
    flaky = max((each for each in ci.tests if each.flaky and each.named), key=lambda each: (each.rate, each.name))
    unnamed = max((each for each in ci.tests if each.flaky and not each.named), key=lambda each: (each.rate, each.name))
    regression = ci.ills.regressions[-1]
    storm = ci.ills.storm
    return {
        "flaky_test": flaky.name,
        "flaky_issue": _first(reversed(world.issues), lambda each: each.test == flaky.name).number,
        "unnamed_flaky_test": unnamed.name,
        "platform_test": next(each.name for each in ci.tests if each.platform and each.rate > 0.9),
        "regressed_test": ci.tests[regression.test].name,
        "regressing_pr": regression.culprit.number,
        "storm_days_ago": round(-storm.since, 1) if storm else 0.0,
        "sick_runner": ci.ills.sick_runner,
    }


def _first(among: Iterable[T], wanted: Callable[[T], bool]) -> T:
    return next(each for each in among if wanted(each))
