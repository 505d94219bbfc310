"""Names and numbers for the gaps of a text."""

from services.tracker.record.demo.defects import metric
from services.tracker.record.demo.dice import Dice
from services.tracker.record.demo.lines import before, minor
from services.tracker.record.demo.vocabulary import Component, Vocabulary

_NUMBERS = frozenset({"few", "n", "big", "pct"})
_SYSTEMS = {"windows-amd64": "Windows", "macos-arm64": "macOS"}


class Slots(dict[str, str]):
    """Fills gaps as they are met. A name is the same throughout a text, a number is another one each time."""

    def __init__(self, words: Vocabulary, component: Component, dice: Dice, **known: str) -> None:
        super().__init__(known)
        self.words, self._component, self.dice = words, component, dice
        self._said: set[str] = set()

    def __missing__(self, gap: str) -> str:
        value = self._made(gap)
        if gap.rstrip("2") not in _NUMBERS:
            self[gap] = value
        return value

    def fill(self, template: str) -> str:
        return template.format_map(self)

    def one(self, among: str) -> str:
        """One of the phrases of that name, filled in; not one that the text has already, where there are others."""
        return self.several(among, 1)[0]

    def several(self, among: str, count: int) -> list[str]:
        """Different phrases of that name, filled in."""
        prose = self.words.prose
        phrases = prose[among] if among in prose else self.words.common[among]
        chosen = self.dice.some([each for each in phrases if each not in self._said] or phrases, count)
        self._said.update(chosen)
        return [self.fill(phrase) for phrase in chosen]

    def _made(self, gap: str) -> str:
        dice, component, common = self.dice, self._component, self.words.common
        match gap.rstrip("2"):
            case "table":
                name = f"{dice.pick(common['nouns_prefix'])}_{dice.pick(common['nouns_table'])}"
                return name if dice.chance(0.5) else f"{name}_v{dice.number(2, 40)}"
            case "node":
                return f"brn-{dice.pick('abcdefgh')}{dice.number(1, 96):02d}"
            case "key":
                return dice.pick(component.settings)
            case "sym":
                return dice.pick(component.symbols)
            case "metric":
                return metric(component, dice)
            case "path":
                return dice.pick(component.files)
            case "few":
                return str(dice.number(2, 9))
            case "n":
                return str(dice.number(10, 240))
            case "big":
                return str(dice.number(12, 990) * 1000 + dice.number(0, 999))
            case "pct":
                return str(dice.number(11, 88))
            case "day":
                return dice.pick(self.words.prose["days"])
            case "older":
                return f"{before(minor(self['version']))}.{dice.number(0, 6)}"
            case "prev":
                return before(minor(self["version"]))
            case "this":
                return minor(self["version"])
            case "env":
                return dice.pick(self._environments())
        return self._phrase(gap.rstrip("2"))

    def _environments(self) -> list[str]:
        """Those that fit the platform."""
        system, systems = _SYSTEMS.get(self["platform"], ""), tuple(_SYSTEMS.values())
        every = self.words.common["environments"]
        return [each for each in every if (each.startswith(system) if system else not each.startswith(systems))]

    def _phrase(self, gap: str) -> str:
        common = self.words.common
        among = {
            "benefit": common["benefits"],
            "ask": common["asks"],
            "greeting": common["greetings"],
            "workload": common["workloads"],
            "platform": common["platforms"],
            "f": self._component.features,
            "c": self._component.chores,
        }[gap]
        return self.dice.pick(among)


def capital(text: str) -> str:
    """The text with a capital first letter, unless it begins with code."""
    return text[:1].upper() + text[1:]
