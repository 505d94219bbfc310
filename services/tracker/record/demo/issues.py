"""Which issues the demo record has: when, about what, and which of them belong together."""

import math
from collections.abc import Sequence
from dataclasses import replace

from services.tracker.record.demo.defects import Defects
from services.tracker.record.demo.dice import Dice
from services.tracker.record.demo.lines import CANDIDATE, minor, seen_at
from services.tracker.record.demo.model import Defect, Issue, Kind
from services.tracker.record.demo.size import Size
from services.tracker.record.demo.vocabulary import CLIENTS, Component, Vocabulary, file_of

_SHARES = (
    (Kind.BUG, 0.60),
    (Kind.DUPLICATE, 0.125),
    (Kind.TWIN, 0.035),
    (Kind.REGRESSION, 0.025),
    (Kind.FEATURE, 0.12),
    (Kind.QUESTION, 0.055),
    (Kind.PROCESS, 0.04),
)
_WEIGHTS = {"consensus": 1.5, "storage": 1.6, "gateway": 1.4, "rebalance": 1.2, "docs": 0.45, "build": 0.6}
_CLIENT_WEIGHT = 0.36
_SEVERITIES = (("critical", 0.09), ("high", 0.27), ("medium", 0.44), ("low", 0.20))
_BLOCKERS, _SAME_WORDS = 4, 0.3
_PEOPLE = 90


class Issues:
    """Plans the issues in order of time."""

    def __init__(self, words: Vocabulary, size: Size, seed: int) -> None:
        self._words, self._size = words, size
        self._dice = Dice(seed, "issues")
        self._defects = Defects(words, Dice(seed, "defects"))
        self._planned: list[Issue] = []
        self._bugs: list[Issue] = []
        self._repeated: list[Issue] = []
        self._wished: set[tuple[str, str]] = set()
        self._old = 0
        self._weights = [(component, _weight(component)) for component in words.components]

    def plan(self) -> list[Issue]:
        """The issues, oldest first, without flaky tests' ones."""
        for day in self._days():
            self._planned.append(self._issue(self._dice.weighted(_SHARES), day))
        self._name_blockers()
        return self._planned

    def _days(self) -> Sequence[float]:
        """Arrivals: somewhat more each month, and few at every seventh and sixth day."""
        days: list[float] = []
        while len(days) < self._size.issues:
            age = math.sqrt(self._dice.roll())
            day = -self._size.days * (1 - age) if self._dice.chance(0.4) else -self._size.days * self._dice.roll()
            if int(-day) % 7 < 5 or self._dice.chance(0.25):
                days.append(min(day, -0.05))
        return sorted(days)

    def _issue(self, kind: Kind, day: float) -> Issue:
        make = {
            Kind.DUPLICATE: self._duplicate,
            Kind.TWIN: self._twin,
            Kind.REGRESSION: self._regression,
            Kind.FEATURE: self._talk,
            Kind.QUESTION: self._talk,
            Kind.PROCESS: self._talk,
        }.get(kind, self._bug)
        return make(kind, day)

    def _bug(self, _: Kind, day: float) -> Issue:
        component = self._dice.weighted(self._weights)
        issue = self._new(Kind.BUG, component, day)
        issue.defect = self._defects.next(component)
        issue.severity = self._dice.weighted(_SEVERITIES)
        issue.private = self._dice.chance(0.12 if component.name == "auth" else 0.02)
        self._bugs.append(issue)
        return issue

    def _duplicate(self, kind: Kind, day: float) -> Issue:
        """Of a recent bug, in other words: what was repeated once is likelier to be again. Some repeat a duplicate: chains."""
        if len(self._bugs) < 30:
            return self._bug(kind, day)
        popular = self._dice.chance(0.4) and bool(self._repeated)
        root = self._dice.pick(self._repeated[-25:] if popular else self._bugs[-100:])
        self._repeated.append(root)
        target = root
        if repeats := [each for each in self._planned[-400:] if each.root is root]:
            target = self._dice.pick(repeats) if self._dice.chance(0.5) else root
        issue = self._like(root, kind, root.component, day)
        same_words = self._dice.chance(_SAME_WORDS)
        issue.wording = target.wording if same_words else (target.wording + self._dice.number(1, 2)) % 3
        issue.root = target
        return issue

    def _twin(self, kind: Kind, day: float) -> Issue:
        """The same words about another platform or client: alike, and not the same."""
        candidates = [each for each in self._bugs[-120:] if each.twin is None and each.component.code_area]
        if not candidates:
            return self._bug(kind, day)
        other = self._dice.pick(candidates)
        component = other.component
        if component.repo == CLIENTS:
            siblings = [each for each in self._words.components if each.repo == CLIENTS and each is not component]
            component = self._dice.pick(siblings)
        issue = self._like(other, kind, component, day)
        issue.wording, issue.twin, issue.version = other.wording, other, other.version
        issue.defect, other.twin = self._for_twin(other, component), issue
        self._bugs.append(issue)
        return issue

    def _for_twin(self, other: Issue, component: Component) -> Defect:
        defect = other.defect
        assert defect is not None
        if component is other.component:
            platforms = [each for each in self._words.common["platforms"] if each != defect.platform]
            return replace(defect, platform=self._dice.pick(platforms))
        symptom = replace(defect.symptom, file=file_of(defect.symptom.function, component))
        return replace(defect, component=component, symptom=symptom)

    def _regression(self, kind: Kind, day: float) -> Issue:
        """What was fixed once comes back. Whether the earlier issue was fixed by then is settled with the fixes."""
        while self._old < len(self._bugs) and self._bugs[self._old].created < day - 45:
            self._old += 1
        old = [each for each in self._bugs[max(self._old - 300, 0) : self._old] if each.kind is Kind.BUG]
        if not old:
            return self._bug(kind, day)
        earlier = self._dice.pick(old)
        issue = self._like(earlier, kind, earlier.component, day)
        issue.earlier, issue.wording = earlier, self._dice.number(0, 2)
        self._bugs.append(issue)
        return issue

    def _talk(self, kind: Kind, day: float) -> Issue:
        issue = self._new(kind, self._dice.weighted(self._weights), day)
        if kind is Kind.FEATURE:
            issue.subject = self._wish(issue.component)
        return issue

    def _wish(self, component: Component) -> str:
        """A feature that nobody asked for yet, as long as there is one."""
        for _ in range(12):
            wish = f"{self._dice.pick(component.features)} {self._dice.pick(self._words.common['scopes'])}"
            if (component.name, wish) not in self._wished:
                break
        self._wished.add((component.name, wish))
        return wish

    def _like(self, other: Issue, kind: Kind, component: Component, day: float) -> Issue:
        issue = self._new(kind, component, day)
        issue.defect, issue.severity, issue.private = other.defect, other.severity, other.private
        return issue

    def _new(self, kind: Kind, component: Component, day: float) -> Issue:
        versions = seen_at(day)
        weights = [(version, 0.55**place) for place, version in enumerate(versions)]
        return Issue(
            kind=kind,
            component=component,
            created=day,
            author=f"dev-{1 + int(_PEOPLE * self._dice.roll() ** 1.7)}",
            wording=self._dice.number(0, 2),
            version=self._dice.weighted(weights),
        )

    def _name_blockers(self) -> None:
        """Some of the newest severe bugs hold up the candidate."""
        recent = [each for each in self._bugs if each.created > -24 and each.repo != CLIENTS and not each.private]
        severe = sorted(recent, key=lambda each: ("critical", "high", "medium", "low").index(each.severity))
        for issue in severe[: _BLOCKERS + 3]:
            issue.severity, issue.milestone, issue.version = "critical", CANDIDATE, f"{minor(CANDIDATE)}.0-rc.1"


def _weight(component: Component) -> float:
    return _CLIENT_WEIGHT if component.repo == CLIENTS else _WEIGHTS.get(component.name, 1.0)
