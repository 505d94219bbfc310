"""The files that a test lives in, by its name, and how often pull requests touch them."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

_PARTS = re.compile(r"[^A-Za-z0-9_\-]+")
_ENDINGS = re.compile(r"\.[A-Za-z0-9]{1,8}$")
_PATH = re.compile(
    r"[\w./\-]+\.(?:py|rs|go|java|kt|scala|cs|cc|cpp|cxx|c|h|hpp|js|jsx|ts|tsx|rb|php|swift|sql|sh|ex|exs)\b"
)
_TESTISH = re.compile(
    r"(?:^|[_\-/.])(?:test|tests|spec|specs|it|queries)(?:$|[_\-/.\d])|test(?=s?(?:\.|$))|Test|Spec|IT\b", re.ASCII
)
MOST_CHANGES = 10


def is_home(path: str, test_name: str) -> bool:
    """Whether the file is one that the test lives in.

    The name gives a path (`tests/unit/test_a.py::test_b`, `02345_insert.sql`), or a class or file stem that is one of
    its parts (`org.acme.FooTest#bar`, `foo_test/case`); a stem of fewer than four letters or digits proves nothing.
    """
    named = _PATH.search(test_name)
    if named is not None:
        return _ends_alike(path, named[0].replace("::", "/"))
    stem = _ENDINGS.sub("", path.rpartition("/")[2])
    if len(stem) < 4:
        return False
    parts = {part.casefold() for part in _PARTS.split(test_name) if len(part) >= 4}
    return stem.casefold() in parts and _near_tests(path, stem)


def _ends_alike(path: str, named: str) -> bool:
    """Equal, or one is the end of the other at a separator."""
    shorter, longer = sorted((path.strip("/"), named.strip("/")), key=len)
    return longer == shorter or longer.endswith("/" + shorter)


def _near_tests(path: str, stem: str) -> bool:
    """A stem that is a test's, a path through a test folder, or a numbered case file."""
    return bool(_TESTISH.search(stem) or _TESTISH.search(path) or stem[:4].isdigit())


def churn(test_name: str, pulls: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """How many merged pull requests touched the test's home files. From rows of github_prs with `affected_file_paths`.

    `{"files": [...], "changes": n, "pull_requests": [newest first, at most MOST_CHANGES]}`
    """
    files: set[str] = set()
    touched: list[tuple[str, int]] = []
    for row in pulls:
        homes = {path for path in row.get("affected_file_paths") or () if is_home(path, test_name)}
        if homes and row.get("merged_at") is not None:
            files |= homes
            touched.append((str(row["merged_at"]), int(row.get("number") or 0)))
    newest = [number for _, number in sorted(touched, reverse=True)]
    return {"files": sorted(files), "changes": len(newest), "pull_requests": newest[:MOST_CHANGES]}
