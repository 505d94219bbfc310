"""Where the faults of the invented product come from: a symptom, the condition it needs, its cause and what mends it."""

from zlib import crc32

from services.tracker.record.demo.dice import Dice
from services.tracker.record.demo.model import Defect
from services.tracker.record.demo.vocabulary import Component, Symptom, Three, Vocabulary, file_of

_OWN_SYMPTOM, _OWN_TRIGGER = 0.62, 0.5


class Defects:
    """Draws defects. A pair of symptom and condition comes back only when the component has no fresh one left."""

    def __init__(self, words: Vocabulary, dice: Dice) -> None:
        self._words, self._dice = words, dice
        self._taken: set[tuple[str, str, str]] = set()
        self._told: set[tuple[str, str]] = set()
        self._salt = 0

    def next(self, component: Component) -> Defect:
        for _ in range(12):
            symptom, trigger = self._symptom(component), self._trigger(component)
            key = (component.name, symptom.say[0], trigger[0])
            if key not in self._taken:
                break
        self._taken.add(key)
        self._salt += 1
        cause, fix = self._explained(component, symptom)
        platform = self._dice.pick(self._words.common["platforms"])
        return Defect(component, symptom, trigger, platform, self._salt, cause, fix)

    def _symptom(self, component: Component) -> Symptom:
        if self._dice.chance(_OWN_SYMPTOM) or not component.code_area:
            return self._dice.pick(component.symptoms)
        say, message = self._dice.pick(self._words.general)
        function = self._dice.pick(component.symbols)
        slots = {"sym": function, "key": self._dice.pick(component.settings), "metric": metric(component, self._dice)}
        told = tuple(text.format_map(slots) for text in say)
        return Symptom(told, message, function, file_of(function, component))  # type: ignore[arg-type]

    def _trigger(self, component: Component) -> Three:
        own = self._dice.chance(_OWN_TRIGGER) or not component.code_area
        return self._dice.pick(component.triggers if own else self._words.triggers)

    def _explained(self, component: Component, symptom: Symptom) -> tuple[str, str]:
        """The first defect with a symptom has the cause that belongs to it, later ones have others."""
        key = (component.name, symptom.say[0])
        if symptom.cause and key not in self._told:
            self._told.add(key)
            return symptom.cause, symptom.fix
        slots = {"sym": self._dice.pick(component.symbols), "key": self._dice.pick(component.settings)}
        cause, fix = self._dice.pick(self._words.repairs)
        return cause.format_map(slots), fix.format_map(slots)


def metric(component: Component, dice: Dice) -> str:
    """The name of a metric of the component."""
    what = dice.pick(("requests", "retries", "queue_depth", "bytes", "stalls", "evictions", "errors", "lag", "waiters"))
    return f"brindle_{component.name.replace('-', '_')}_{what}_total"


def line_of(symbol: str, version: str) -> int:
    """The line that a function is at: stable, but for a few lines between versions."""
    return 20 + crc32(symbol.encode()) % 640 + crc32(f"{symbol}{version}".encode()) % 7
