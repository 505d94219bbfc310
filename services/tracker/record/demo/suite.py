"""The invented product's test suite, and which of its tests are ill."""

from dataclasses import dataclass

from services.tracker.record.demo.dice import Dice
from services.tracker.record.demo.paths import tests_of
from services.tracker.record.demo.vocabulary import Component, Vocabulary

_BEHAVIOURS = """survives restart,rejects empty input,keeps order,releases its lock,honours the deadline,retries once,
handles large values,is idempotent,drops expired rows,reports progress,recovers after crash,limits bandwidth,closes cleanly,
matches the reference,splits ranges,merges overlaps,survives clock step,refuses unknown fields,resumes half way,
counts correctly,reloads settings,ignores duplicates,wakes waiters,scales to many tables,falls back to a replica"""
_RATES = (0.14, 0.07, 0.09, 0.03, 0.045)


@dataclass(frozen=True, slots=True)
class TestCase:
    """A test. `rate` is how often it fails without a reason, on `platform` only where that is set."""

    __test__ = False

    name: str
    component: Component
    home: str
    rate: float = 0.0
    platform: str = ""
    named: bool = False

    @property
    def flaky(self) -> bool:
        return 0.01 <= self.rate < 0.9


def suite(words: Vocabulary, count: int, dice: Dice) -> list[TestCase]:
    """`count` tests over all components that have code; one in fifteen is flaky (of many tests, twelve), and
    every third of those nobody named."""
    components = [component for component in words.components if component.code_area]
    every = [
        (component, file.rpartition("/")[2], behaviour)
        for component in components
        for file in component.files
        for behaviour in _BEHAVIOURS.replace("\n", "").split(",")
    ]
    chosen = dice.some(every, min(count, len(every)))
    tests = [TestCase(_name(*each), each[0], tests_of(each[0], each[1])) for each in chosen]
    every_so_many = max(15, len(tests) // 12)
    return [_health(test, place, every_so_many, dice) for place, test in enumerate(tests)]


def _health(test: TestCase, place: int, period: int, dice: Dice) -> TestCase:
    rate, platform, named = 0.0, "", False
    if place % period == 4:
        rate = _RATES[place // period % len(_RATES)]
        named = place // period % 3 != 2
        platform = dice.pick(("", "", "linux-arm64", "macos-arm64")) if named and place > 30 else ""
    elif place % (3 * period) == 11:
        rate = 0.004
    elif place % (4 * period) == 17:
        rate, platform, named = 0.97, "windows-amd64", place == 17
    return TestCase(test.name, test.component, test.home, rate, platform, named)


def _name(component: Component, file: str, behaviour: str) -> str:
    stem = file.rpartition(".")[0]
    words = behaviour.split()
    snake, camel = "_".join(words), "".join(word.capitalize() for word in words)
    title = "".join(word.capitalize() for word in stem.split("_"))
    return {
        "rust": f"{component.name}::{stem}::tests::{snake}",
        "go": f"{component.root}.Test{title}{camel}",
        "cpp": f"{title}Test.{camel}",
        "js": f"{component.root}/{stem}.test.ts > {behaviour}",
        "python": f"{component.root.replace('/src', '')}/tests/test_{stem}.py::test_{snake}",
        "java": f"io.brindle.client.{title}Test.{camel[0].lower()}{camel[1:]}",
        "dotnet": f"Brindle.Client.Tests.{title}Test.{camel}",
    }[component.language]
