"""The demo record as a plan: which items there are, numbered, before any of their texts is written."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from services.tracker.record.demo.backports import plan_backports
from services.tracker.record.demo.changes import BACKPORT_SHARE, Changes
from services.tracker.record.demo.dice import Dice
from services.tracker.record.demo.issues import Issues
from services.tracker.record.demo.lines import seen_at
from services.tracker.record.demo.model import Change, Issue, Item, Kind
from services.tracker.record.demo.size import Size
from services.tracker.record.demo.suite import TestCase, suite
from services.tracker.record.demo.vocabulary import Vocabulary, vocabulary


@dataclass(frozen=True, slots=True)
class World:
    """Everything that was planned, oldest first. Times are days relative to now."""

    words: Vocabulary
    size: Size
    seed: int
    issues: Sequence[Issue]
    changes: Sequence[Change]
    tests: Sequence[TestCase]


def plan(size: Size, seed: int) -> World:
    """The same plan for the same size and seed, whatever the time is."""
    words = vocabulary()
    tests = suite(words, size.tests, Dice(seed, "suite"))
    issues = Issues(words, size, seed).plan()
    issues = _by_time(issues + _of_tests(tests, Dice(seed, "flaky")))
    planner = Changes(words, size, seed)
    fixes = [change for change in planner.plan(issues) if change.kind is Kind.FIX]
    backports = plan_backports(fixes, int(size.changes * BACKPORT_SHARE), Dice(seed, "backports"))
    missing = size.changes - len(planner.planned) - len(backports)
    planner.work(max(missing, 0))
    changes = _by_time([*planner.planned, *backports])
    _number([*issues, *changes])
    _name_commits(changes, seed)
    _date_updates(issues, changes, Dice(seed, "updates"))
    return World(words, size, seed, issues, changes, tests)


def sha(seed: int, *about: object) -> str:
    """A commit's name: 40 hexadecimal digits that depend on what it is about."""
    return blake2b(repr((seed, *about)).encode(), digest_size=20).hexdigest()


def _of_tests(tests: Sequence[TestCase], dice: Dice) -> list[Issue]:
    """Issues that name a flaky test, one or two each."""
    issues = []
    for test in tests:
        for _ in range((1 + dice.chance(0.4)) if test.named else 0):
            day = -dice.between(2, 45)
            issue = Issue(Kind.FLAKY, test.component, day, f"dev-{dice.number(1, 40)}", test=test.name)
            issue.version, issue.severity, issue.wording = seen_at(day)[0], "medium", dice.number(0, 2)
            issues.append(issue)
    return issues


def _number(items: list[Item]) -> None:
    """As forges do: issues and changes of a repository share one sequence."""
    next_number: dict[str, int] = defaultdict(int)
    for item in sorted(items, key=lambda item: item.created):
        next_number[item.repo] += 1
        item.number = next_number[item.repo]


def _name_commits(changes: Sequence[Change], seed: int) -> None:
    for change in changes:
        change.head_sha = sha(seed, change.source_id, "head")
        if change.merged:
            change.merge_sha = sha(seed, change.source_id, "merge")


def _date_updates(issues: Sequence[Issue], changes: Sequence[Change], dice: Dice) -> None:
    for item in [*issues, *changes]:
        last = item.created if item.closed is None else item.closed
        item.updated = min(last + dice.spread(0.4, 4.0), -0.001)


def _by_time(items: list) -> list:
    return sorted(items, key=lambda item: item.created)
