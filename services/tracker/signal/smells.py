"""Smells in a test's source, as far as a diff shows it: what makes a test depend on more than the code under test.

Only lines that the diff adds or keeps, in files that are the test's own home (`homes`), are looked at.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from services.tracker.signal.homes import is_home

MOST_SMELLS = 20
_WORDS: Mapping[str, str] = {
    "sleep": r"\b(?:time\.|Thread\.|asyncio\.|TimeUnit\.\w+\.|std::this_thread::|tokio::time::|thread::)?"
    r"(?:sleep|usleep|nanosleep|sleep_for|sleep_until|setTimeout|waitForTimeout)\s*\(|\btime\.Sleep\(|\bThread\.Sleep\(|"
    r"\bTask\.Delay\(|^\s*sleep\s+[\d.]+\s*$",
    "wall_clock": r"\b(?:datetime\.(?:now|utcnow|today)|time\.time|date\.today|Date\.now|System\.currentTimeMillis|"
    r"Instant\.now|LocalDate(?:Time)?\.now|Clock\.system\w*|time\.Now|SystemTime::now|Utc::now|chrono::system_clock::now|"
    r"DateTime\.(?:Utc)?Now)\b|\bnew Date\(\s*\)|\b(?:now|today|yesterday)\(\)",
    "random": r"\b(?:random\.(?:random|randint|choice|shuffle|sample|uniform|randrange)|Math\.random|new Random\(\s*\)|"
    r"rand\.(?:Int|Intn|Float64|Perm)|rand::random|thread_rng|std::random_device|uuid4?\.?\w*\(|UUID\.randomUUID|"
    r"np\.random\.(?:rand|randn|randint)|secrets\.\w+)\b|\brand(?:32|64)?\(\)|\bgenerateUUIDv4\(\)",
    "network": r"https?://(?!localhost|127\.0\.0\.1|\[::1\]|example\.(?:com|org))|\b(?:requests\.(?:get|post|put)|urlopen|"
    r"http\.Get|HttpClient|net\.Dial|socket\.(?:connect|create_connection)|new Socket|fetch|curl|wget)\b\s*[(\s]",
    "shared_state": r"\b(?:os\.environ\[|os\.putenv|setenv\(|System\.setProperty|os\.Setenv|process\.env\.\w+\s*=|"
    r"static\s+mut\b|"
    r"global\s+\w+|os\.chdir|/tmp/[\w.-]+|static\s+(?!final\b|void\b|class\b|const\b|\w*\s*\w+\s*\()\w+(?:<[^>]*>)?\s+\w+\s*=)",
    "order": r"@(?:FixMethodOrder|TestMethodOrder|Order|Depends|pytest\.mark\.(?:order|run|dependency))\b|dependsOnMethods|"
    r"\bdepends_on\s*=|\btest\.describe\.serial\b|\bjest\.runInBand\b",
}
_SEED = re.compile(r"\bseed\b|\bsrand\b|set_seed|manual_seed|setSeed|new Random\(\s*\w+", re.IGNORECASE)
_SMELLS = {name: re.compile(pattern) for name, pattern in _WORDS.items()}
_FILE = re.compile(r"^\+\+\+ (?:b/)?(.+?)(?:\t.*)?$")
_HUNK = re.compile(r"^@@ -\d+(?:,\d+)? \+(\d+)")


class Smell(NamedTuple):
    smell: str
    path: str
    line: int  # in the new file
    pr: int

    def to_dict(self) -> dict[str, Any]:
        return self._asdict()


class _Line(NamedTuple):
    path: str
    number: int
    text: str


def smells(test_name: str, pulls: Iterable[Mapping[str, Any]]) -> list[Smell]:
    """Of the test's home files, from rows of github_prs with `diff`, newest pull request last. At most MOST_SMELLS.

    A line that a later diff shows again counts once, for the later one. Seeded randomness is no smell.
    """
    found: dict[tuple[str, str, int], Smell] = {}
    for row in sorted(pulls, key=lambda row: int(row.get("number") or 0)):
        lines = [line for line in new_lines(str(row.get("diff") or "")) if is_home(line.path, test_name)]
        seeded = {line.path for line in lines if _SEED.search(line.text)}
        for line in lines:
            for name in _named(line, seeded):
                found[name, line.path, line.number] = Smell(name, line.path, line.number, int(row.get("number") or 0))
    return sorted(found.values(), key=lambda smell: (smell.smell, smell.path, smell.line))[:MOST_SMELLS]


def _named(line: _Line, seeded: set[str]) -> list[str]:
    named = [name for name, pattern in _SMELLS.items() if pattern.search(line.text)]
    return [name for name in named if name != "random" or line.path not in seeded]


def new_lines(diff: str) -> Iterable[_Line]:
    """Added and kept lines of a unified diff, with their path and number in the new file; comments are left out."""
    path, number, inside = "", 0, False
    for text in diff.splitlines():
        hunk = _HUNK.match(text)
        if hunk:
            number, inside = int(hunk[1]), True
        elif text.startswith(("diff --git ", "--- ")) and not (inside and text.startswith("--- ") and number == 0):
            inside = False
        elif not inside and (name := _FILE.match(text)):
            path = name[1]
        elif inside and text[:1] in ("+", " "):
            if not text[1:].lstrip().startswith(("#", "//", "*", "/*", "--")):
                yield _Line(path, number, text[1:])
            number += 1
