"""Which pull requests the demo record has, and what became of its issues by them."""

from bisect import bisect_left, bisect_right

from services.tracker.record.demo.dice import Dice
from services.tracker.record.demo.lines import CANDIDATE, MAIN
from services.tracker.record.demo.model import Change, Issue, Kind
from services.tracker.record.demo.paths import touched
from services.tracker.record.demo.size import Size
from services.tracker.record.demo.vocabulary import SERVER, Component, Vocabulary

BACKPORT_SHARE = 0.17
_FIX_SHARE = 0.58
_UNLINKED, _SECOND_FIX, _CAUSED = 0.09, 0.06, 0.24
_OPEN_BLOCKERS = 4
_BUGS = (Kind.BUG, Kind.TWIN, Kind.REGRESSION)
_HASTE = {"critical": 0.4, "high": 0.8, "medium": 1.3, "low": 2.5}
_NOW = -0.05


class Changes:
    """Plans changes, and writes into the issues what they did."""

    def __init__(self, words: Vocabulary, size: Size, seed: int) -> None:
        self._words, self._size, self._dice = words, size, Dice(seed, "changes")
        self.planned: list[Change] = []
        self._work: dict[str, list[Change]] = {}
        self._days: dict[str, list[float]] = {}

    def plan(self, issues: list[Issue]) -> list[Change]:
        """All changes but the backports."""
        self.work(int(self._size.changes * (1 - _FIX_SHARE - BACKPORT_SHARE)))
        bugs = [issue for issue in issues if issue.kind in _BUGS]
        share = min(0.8, _FIX_SHARE * self._size.changes / max(len(bugs), 1))
        for issue in bugs:
            if issue.milestone:
                continue
            self._settle_bug(issue, share)
        self._settle_blockers([issue for issue in bugs if issue.milestone == CANDIDATE])
        for issue in issues:
            self._settle_rest(issue)
        return self.planned

    def work(self, count: int) -> None:
        """Plans so many features and clean-ups: where most faults come from."""
        days = sorted(-self._size.days * self._dice.roll() + _NOW for _ in range(count))
        components = [(each, 0.4 if each.repo != SERVER else 1.0) for each in self._words.components]
        for day in days:
            component = self._dice.weighted(components)
            feature = self._dice.chance(0.4)
            change = self._new(Kind.FEATURE if feature else Kind.CHORE, component, day)
            change.subject = self._dice.pick(component.features if feature else component.chores)
            change.files = touched(component, self._dice)
            self._end(change, self._dice.spread(3.5, 2.2))
            self._work.setdefault(component.name, []).append(change)
        for name, changes in self._work.items():
            self._days[name] = [change.created for change in changes]

    def _end(self, change: Change, took: float) -> None:
        """Merged mostly; given up now and then; still open when it is too young."""
        closed = change.created + took
        if closed < _NOW:
            change.closed, change.state = closed, "merged" if self._dice.chance(0.93) else "closed"

    def _settle_bug(self, issue: Issue, share: float) -> None:
        closed = issue.created + self._dice.spread(9 * _HASTE[issue.severity], 2.6)
        self._find_cause(issue)
        if closed < _NOW and self._dice.chance(share):
            self._fix(issue, closed)
        elif issue.created > -25 and self._dice.chance(0.3):
            self._fix_in_flight(issue)
        elif issue.created < -70 and self._dice.chance(0.55):
            issue.closed = min(issue.created + self._dice.spread(40, 1.6), _NOW)
            issue.reason = self._dice.pick(("not_planned", "cannot_reproduce", "works_as_designed"))
        if issue.earlier and not (issue.earlier.fixes and (issue.earlier.closed or 0) < issue.created):
            issue.earlier = None

    def _settle_blockers(self, blockers: list[Issue]) -> None:
        for place, issue in enumerate(blockers):
            self._find_cause(issue)
            if place >= _OPEN_BLOCKERS:
                self._fix(issue, issue.created / 2)
            elif place % 2:
                self._fix_in_flight(issue)

    def _settle_rest(self, issue: Issue) -> None:
        chance, days, reason = {
            Kind.DUPLICATE: (0.92, 2.0, "duplicate"),
            Kind.QUESTION: (0.75, 5.0, "completed"),
            Kind.PROCESS: (0.9, 8.0, "completed"),
            Kind.FEATURE: (0.35, 60.0, self._dice.pick(("completed", "not_planned"))),
        }.get(issue.kind, (0.0, 1.0, ""))
        closed = issue.created + self._dice.spread(days, 2.2)
        if closed < _NOW and self._dice.chance(chance):
            issue.closed, issue.reason = closed, reason

    def _fix(self, issue: Issue, closed: float) -> None:
        """The change that mends it, and now and then a second one before that."""
        linked = not self._dice.chance(_UNLINKED)
        if linked and self._dice.chance(_SECOND_FIX):
            earlier = self._new_fix(issue, issue.created + 0.4 * (closed - issue.created))
            earlier.closed, earlier.state = issue.created + 0.7 * (closed - issue.created), "merged"
        change = self._new_fix(issue, max(issue.created + 0.02, closed - self._dice.spread(1.8, 2.0)))
        change.closed, change.state, change.linked, issue.linked = closed, "merged", linked, linked
        issue.closed, issue.reason = closed + 0.003, "completed"

    def _fix_in_flight(self, issue: Issue) -> None:
        self._new_fix(issue, issue.created + 0.6 * (_NOW - issue.created))

    def _new_fix(self, issue: Issue, day: float) -> Change:
        change = self._new(Kind.FIX, issue.component, min(day, _NOW))
        change.defect, change.private = issue.defect, issue.private
        change.fixes.append(issue)
        change.files = touched(issue.component, self._dice, issue.defect)
        issue.fixes.append(change)
        return change

    def _find_cause(self, issue: Issue) -> None:
        """A merged change of the component from the weeks before, which then touches the faulty file."""
        days = self._days.get(issue.component.name, [])
        first, last = bisect_left(days, issue.created - 60), bisect_right(days, issue.created - 3)
        suspects = [
            change
            for change in self._work.get(issue.component.name, [])[max(first, last - 20) : last]
            if change.merged and change.closed is not None and change.closed < issue.created and change.defect is None
        ]
        share = 0.9 if issue.kind is Kind.REGRESSION or issue.milestone else _CAUSED
        if suspects and self._dice.chance(share):
            cause = self._dice.pick(suspects[-6:])
            defect = issue.defect
            assert defect is not None
            cause.defect = defect
            cause.files = tuple(dict.fromkeys((f"{issue.component.root}/{defect.symptom.file}", *cause.files)))
            issue.causes.append(cause)
            issue.bisected = self._dice.chance(0.6)

    def _new(self, kind: Kind, component: Component, day: float) -> Change:
        author = f"dev-{1 + int(45 * self._dice.roll() ** 1.5)}"
        change = Change(kind=kind, component=component, created=day, author=author, base=MAIN)
        self.planned.append(change)
        return change
