"""Which files a change touches, and where tests live."""

from services.tracker.record.demo.dice import Dice
from services.tracker.record.demo.model import Defect
from services.tracker.record.demo.vocabulary import Component

_HUBS = ("CHANGELOG.md", "docs/reference/config.md", "Cargo.lock", "go.sum", "proto/brindle.proto")


def tests_of(component: Component, file: str) -> str:
    """The test file that belongs to a source file."""
    stem, dot, extension = file.rpartition("/")[2].rpartition(".")
    if component.language == "go":
        return f"{component.root}/{stem}_test.go"
    if component.language in ("java", "dotnet"):
        return f"{component.root.replace('/src', '/test')}/{stem}Test.{extension}"
    if component.language == "python":
        return f"{component.root.replace('/src', '')}/tests/test_{stem}.py"
    if component.language == "js":
        return f"{component.root}/{stem}.test.ts"
    return f"{component.root.replace('/src', '')}/tests/{stem}{dot}{extension}"


def touched(component: Component, dice: Dice, defect: Defect | None = None) -> tuple[str, ...]:
    """Paths: of the faulty file and its test, or of a few files of the component; sometimes one that all change."""
    paths = dice.some(component.files, dice.number(1, 4))
    if defect is not None:
        faulty = f"{component.root}/{defect.symptom.file}"
        paths = [faulty, tests_of(component, defect.symptom.file), *paths[: dice.number(0, 1)]]
    elif dice.chance(0.5) and component.code_area:
        paths.append(tests_of(component, paths[0]))
    if dice.chance(0.25):
        paths.append(dice.pick(_HUBS))
    return tuple(dict.fromkeys(paths))
