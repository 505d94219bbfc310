"""Titles and bodies of the demo's issues, in several manners of writing."""

from collections.abc import Callable

from services.tracker.record.demo.dice import Dice
from services.tracker.record.demo.frames import stack, trace
from services.tracker.record.demo.lines import MAIN
from services.tracker.record.demo.model import Defect, Issue, Kind
from services.tracker.record.demo.slots import Slots, capital
from services.tracker.record.demo.vocabulary import Vocabulary

CRASHING = 0.45
_BREAKING = ("assertion", "DATA RACE", "attempt")

_SPOKEN = {"linux-amd64": "Linux", "linux-arm64": "arm64", "macos-arm64": "macOS", "windows-amd64": "Windows"}


class IssueText:
    """Writes issues, one after the other."""

    def __init__(self, words: Vocabulary, dice: Dice) -> None:
        self._words, self._dice = words, dice
        self._manners: tuple[tuple[Callable[[Slots], str], float], ...] = (
            (_form, 0.26),
            (_story, 0.24),
            (_note, 0.14),
            (_log, 0.16),
            (_measured, 0.08),
            (_asked, 0.12),
        )

    def write(self, issue: Issue) -> tuple[str, str]:
        """Title and body."""
        if issue.defect is None:
            return self._talk(issue)
        slots = self._slots(issue, issue.defect)
        title = self._title(issue, slots)
        body = self._dice.weighted(self._manners)(slots)
        if crashes(issue.defect):
            frames = stack(issue.defect, issue.component, issue.version)
            fenced = trace(issue.component.language, frames, issue.defect.symptom.message, slots["code"])
            body = f"{body}\n\n```\n{fenced}\n```" if self._dice.chance(0.7) else f"```\n{fenced}\n```\n\n{body}"
        return title, body + self._asides(issue, slots)

    def _slots(self, issue: Issue, defect: Defect) -> Slots:
        code = f"BRN-{defect.symptom.code}" if defect.symptom.code else ""
        slots = Slots(self._words, issue.component, self._dice)
        slots |= {"component": issue.component.name, "version": issue.version, "platform": defect.platform}
        slots |= {"s": defect.symptom.say[issue.wording], "msg": defect.symptom.message, "code": code}
        slots["t"] = slots.fill(defect.trigger[issue.wording])
        slots["S"], slots["T"] = capital(slots["s"]), capital(slots["t"])
        return slots

    def _title(self, issue: Issue, slots: Slots) -> str:
        if issue.twin is not None:
            part = issue.component.name if issue.component.name.startswith("client") else _SPOKEN[slots["platform"]]
            return slots.fill(f"{part}: {{s}} {{t}}")
        templates = [each for each in self._words.prose["titles"] if slots["code"] or "{code}" not in each]
        title = slots.fill(self._dice.pick(templates))
        return title if title.startswith((slots["component"], slots["version"])) else capital(title)

    def _asides(self, issue: Issue, slots: Slots) -> str:
        """What else the author knows: what it resembles, what broke it."""
        asides = []
        if issue.kind is Kind.DUPLICATE:
            asides.append(slots.one("duplicate_notes"))
        if issue.earlier is not None:
            asides.append(f"This looked fixed by #{issue.earlier.number}, it is back.")
        if issue.causes and issue.bisected:
            asides.append(f"Bisected to #{issue.causes[0].number} ({issue.causes[0].merge_sha[:10]}).")
        if issue.twin is not None and issue.kind is Kind.TWIN and self._dice.chance(0.5):
            asides.append(
                f"See also #{issue.twin.number}, which is the same on another platform."
                if issue.twin.repo == issue.repo
                else ""
            )
        return "".join(f"\n\n{aside}" for aside in asides if aside)

    def _talk(self, issue: Issue) -> tuple[str, str]:
        """Issues that report no fault of the product."""
        slots = Slots(self._words, issue.component, self._dice)
        slots |= {
            "component": issue.component.name,
            "version": issue.version,
            "platform": "linux-arm64",
            "test": issue.test,
        }
        slots["t"] = slots.fill(self._dice.pick(self._words.triggers)[issue.wording])
        slots["f"] = issue.subject
        slots["code"] = f"BRN-{self._dice.number(1000, 9999)}"
        slots["log"] = slots.one("logs_of_tests")
        if issue.kind is Kind.PROCESS:
            title, body = self._dice.pick(self._words.prose["process"])
            return slots.fill(title), slots.fill(body)
        name = {Kind.FEATURE: "feature", Kind.QUESTION: "question", Kind.FLAKY: "flaky"}[issue.kind]
        return slots.one(f"{name}_titles"), slots.one(f"{name}_bodies")


def crashes(defect: Defect) -> bool:
    """Whether reports of the defect have a stack trace."""
    breaks = bool(defect.symptom.cause) or defect.symptom.message.startswith(_BREAKING)
    return defect.component.code_area and breaks and Dice.brief(defect.salt, "crash").chance(CRASHING)


def branches_of(issue: Issue, release_branches: list[str]) -> list[str]:
    """Branches that have the fault, the trunk first."""
    return [MAIN, *release_branches] if issue.defect is not None else []


def _form(slots: Slots) -> str:
    steps = "\n".join(
        f"{place}. {step}" for place, step in enumerate(slots.several("steps", slots.dice.number(3, 5)), 1)
    )
    parts = [
        f"### What happens\n{slots.one('openings')} {slots.one('observed')}",
        f"### Steps\n{steps}",
        f"### Expected\n{slots.one('expected')}",
    ]
    parts.append(slots.fill("### Environment\n- brindle {version} ({platform})\n- {env}\n- workload: {workload}"))
    if slots.dice.chance(0.5):
        parts.append(f"### Anything else\n{slots.one('impact')} {slots.one('observed')}")
    return "\n\n".join(parts)


def _story(slots: Slots) -> str:
    first = f"{slots.one('openings')} {slots.one('impact')}"
    second = " ".join(slots.several("observed", slots.dice.number(2, 4)))
    third = f"Setup: {slots['env']}. Workload: {slots['workload']}. Version {slots['version']}."
    parts = [first, second, third]
    if slots.dice.chance(0.4):
        parts.insert(0, slots["greeting"])
    if slots.dice.chance(0.6):
        parts.append(f"{slots.one('observed')} {slots['ask']}")
    return "\n\n".join(parts)


def _note(slots: Slots) -> str:
    if slots.dice.chance(0.25):
        return f"{slots['S']} {slots['t']}. {slots['version']}, {slots['platform']}."
    return f"{slots.one('openings')} {slots.one('observed')}"


def _log(slots: Slots) -> str:
    lines = []
    for template in slots.dice.some(slots.words.prose["logs"], slots.dice.number(3, 6)):
        at = _time_of_day(slots)
        lines.append(template.replace("({code})", slots["code"] or "(no code)").replace("{ts}", at))
    log = "\n".join(slots.fill(line) for line in sorted(lines))
    return f"{slots.one('openings')}\n\n```\n{log}\n```\n\n{slots.one('observed')} {slots.one('impact')}"


def _time_of_day(slots: Slots) -> str:
    number = slots.dice.number
    return f"{number(0, 23):02d}:{number(0, 59):02d}:{number(0, 59):02d}.{number(0, 999):03d}"


def _measured(slots: Slots) -> str:
    said = (slots.one("openings"), slots.one("perf"), slots.one("observed"))
    return "\n\n".join((*said, slots.fill("Hardware: {env}; {workload}.")))


def _asked(slots: Slots) -> str:
    said = " ".join(slots.several("observed", 2))
    return f"{slots['greeting']}\n\n{slots.one('openings')}\n\n{said}\n\n{slots.one('impact')} {slots['ask']}"
