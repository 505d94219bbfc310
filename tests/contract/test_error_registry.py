"""The error registry and the tests agree: each code is provoked by a test, raised by the code, and no test knows others.

A test says what it provokes by `@pytest.mark.provokes("CODE", …)`, and tests/conftest.py fails it when it did not.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from runtime.errors import REGISTRY

ROOT = Path(__file__).resolve().parents[2]
APPLICATION = ("runtime", "gateway", "services", "standalone")


def provoked() -> dict[str, list[str]]:
    """Code -> the tests that are marked with it."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in (ROOT / "tests").rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                for code in marks(node):
                    found[code].append(f"{path.relative_to(ROOT)}::{node.name}")
    return found


def marks(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.provokes":
            for argument in decorator.args:
                assert isinstance(argument, ast.Constant), f"{node.name}: name the codes outright"
                yield str(argument.value)


def raised() -> set[str]:
    """Codes that stand in the application outside of the registry itself, as whole string constants."""
    found = set()
    for path in (path for folder in APPLICATION for path in (ROOT / folder).rglob("*.py")):
        tree = ast.parse(path.read_text())
        for node in tree.body if path.name == "errors.py" and path.parent.name == "runtime" else [tree]:
            # In the registry's own module only functions raise codes; the registry there names them all.
            if isinstance(node, ast.AnnAssign | ast.Assign):
                continue
            found |= {
                each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and each.value in REGISTRY
            }
    return found


def test_every_code_is_provoked_by_a_test() -> None:
    assert sorted(set(REGISTRY) - set(provoked())) == []


def test_no_test_claims_a_code_that_is_not_in_the_registry() -> None:
    assert {code: tests for code, tests in provoked().items() if code not in REGISTRY} == {}


def test_no_code_is_in_the_registry_that_nothing_can_raise() -> None:
    assert sorted(set(REGISTRY) - raised()) == []


def test_every_code_tells_a_person_what_to_do() -> None:
    for code in REGISTRY.values():
        assert code.hint.endswith(".")
        assert code.name == code.name.upper()
        assert code.retryable == (code.category in {"overload", "timeout", "unavailable"})
