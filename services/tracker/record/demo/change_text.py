"""Titles, descriptions and diffs of the demo's pull requests."""

from services.tracker.record.demo.dice import Dice
from services.tracker.record.demo.diffs import diff
from services.tracker.record.demo.lines import MAIN, shipped_in
from services.tracker.record.demo.model import Change, Issue, Kind
from services.tracker.record.demo.paths import tests_of
from services.tracker.record.demo.slots import Slots, capital
from services.tracker.record.demo.vocabulary import Vocabulary

_CLOSING = (
    "Fixes #{n}",
    "Closes #{n}",
    "Resolves #{n}",
    "Fixes {repo}#{n}",
    "closes {url}",
    "Fixed: #{n}",
    "This fixes #{n}.",
)


class ChangeText:
    """Writes changes, one after the other."""

    def __init__(self, words: Vocabulary, dice: Dice) -> None:
        self._words, self._dice = words, dice

    def write(self, change: Change) -> tuple[str, str, str]:
        """Title, body and diff."""
        slots = self._slots(change)
        if change.backport_of is not None:
            title, body = self._backport(change, slots)
        elif change.kind is Kind.FIX:
            title, body = self._fix(change, slots)
        else:
            kind = "feature" if change.kind is Kind.FEATURE else "chore"
            slots["f"] = slots["c"] = change.subject
            title, body = slots.one(f"{kind}_prs"), slots.one(f"{kind}_pr_bodies")
        return title, body, self._diff(change, slots)

    def _slots(self, change: Change) -> Slots:
        slots = Slots(self._words, change.component, self._dice)
        version = shipped_in(MAIN, change.created) or "3.2.0"
        slots |= {"component": change.component.name, "version": version, "base": change.base, "testpath": "tests"}
        if change.defect is not None:
            slots["testpath"] = tests_of(change.component, change.defect.symptom.file)
            slots["path"] = f"{change.component.root}/{change.defect.symptom.file}"
        return slots

    def _fix(self, change: Change, slots: Slots) -> tuple[str, str]:
        issue, defect = change.fixes[0], change.defect
        assert defect is not None
        wording = self._dice.number(0, 2)
        slots |= {"s": defect.symptom.say[wording], "cause": defect.cause, "Cause": capital(defect.cause)}
        slots |= {"fix": defect.fix, "Fix": capital(defect.fix), "closing": self._closing(change, issue)}
        title = self._dice.pick(
            ("{component}: {fix}", "{Fix}", "fix({component}): {fix}", "{component}: {fix}", "Fix: {s}")
        )
        if not change.linked:
            return slots.fill(title.replace("Fix: {s}", "{Fix}")), slots.one("bare_bodies")
        if self._dice.chance(0.15):
            title += " (#{issue})"
            slots["issue"] = str(issue.number)
        return slots.fill(title), slots.one("fix_bodies")

    def _closing(self, change: Change, issue: Issue) -> str:
        form = self._dice.pick(_CLOSING) if change.merged or change.state == "open" else "Refs #{n}"
        return form.format(n=issue.number, repo=issue.repo, url=issue.url)

    def _backport(self, change: Change, slots: Slots) -> tuple[str, str]:
        source = change.backport_of
        assert source is not None and change.defect is not None
        line = change.base.rpartition("/")[2]
        slots["n"] = str(source.number)
        title = self._dice.pick(
            (
                f"[{line}] {{c}}: {{fix}}",
                f"Backport #{source.number} to {line}: {{fix}}",
                f"{line}: {{fix}} (backport of #{source.number})",
            )
        )
        slots |= {"fix": change.defect.fix, "c": change.component.name}
        return slots.fill(title), slots.one("backport_bodies")

    def _diff(self, change: Change, slots: Slots) -> str:
        symbol, why = slots["sym"], ""
        if change.defect is not None and change.kind in (Kind.FIX, Kind.BACKPORT):
            symbol, why = change.defect.symptom.function, change.defect.fix
        elif change.defect is not None:
            symbol = change.defect.symptom.function
        # A backport changes what the original changed.
        original = (change.backport_of or change).source_id
        own = Slots(self._words, change.component, Dice.brief(len(change.files), original))
        return diff(change.files, symbol, why, slots["version"], own)
