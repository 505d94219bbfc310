"""What a report says about code, and what a pull request touches: frames, symbols, paths, patterns, component
directories.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from services.tracker.history.rows import Row, text, texts

# Runs of characters that a path may have; what ends like source code is one. Cut first and judged then, so that long
# runs of dots and dashes cost no more than other text.
_RUN = re.compile(r"[\w./+-]+")
_CODE = frozenset(
    "py pyi rs go java kt scala cs cc cpp cxx c h hh hpp m mm js jsx ts tsx rb php swift sql sh lua ex exs proto yaml yml"  # noqa: SIM905
    " toml xml gradle cmake".split()
)
_SYMBOL = re.compile(r"[A-Za-z_]\w*(?:(?:::|\.|#|->)[A-Za-z_~]\w*)+|[A-Za-z_]\w{4,}")
_WORD = re.compile(r"[A-Za-z_]\w{3,}")
_TEMPLATE = re.compile(r"<[^<>]*>|\([^()]*\)|\{\{closure\}\}|\[[^\[\]]*\]|0x[0-9a-fA-F]+|\$\d+|@[0-9a-f]{6,}")
_CHANGED = re.compile(r"^(?:[+-](?![+-]{2})|@@).*$", re.MULTILINE)
_NEW_FILE = re.compile(r"^\+\+\+ b/(.+)$", re.MULTILINE)


def paths_in(said: str) -> list[str]:
    """Source paths that a text names, without line numbers."""
    return list(dict.fromkeys(run for found in _RUN.findall(said) if _is_path(run := found.strip(".+-"))))


def _is_path(run: str) -> bool:
    stem, dot, ending = run.rpartition(".")
    return bool(dot and stem) and ending.casefold() in _CODE


def without_paths(said: str) -> str:
    return _RUN.sub(lambda found: " " if _is_path(found[0].strip(".+-")) else found[0], said)


def symbols_in(said: str) -> set[str]:
    """Names that are code and not prose: qualified (`A::b`, `a.b`), with an underscore or a digit, or in mixed
    case.
    """
    return {found for found in _SYMBOL.findall(said) if _is_code(found)}


def _is_code(name: str) -> bool:
    return (
        "_" in name.strip("_") or not name.isidentifier() or (any(c.isupper() for c in name[1:]) and not name.isupper())
    )


def last_part(symbol: str) -> str:
    return re.split(r"::|\.|#|->", symbol)[-1]


def frame_functions(frames: Iterable[str]) -> list[str]:
    """The function of each frame, top first, without arguments, templates and addresses; a frame without one is left
    out.
    """
    found: list[str] = []
    for frame in frames:
        plain = _TEMPLATE.sub("", _TEMPLATE.sub("", frame))
        names = [name for name in _SYMBOL.findall(without_paths(plain)) if name.casefold() not in _FRAME_WORDS]
        if names:
            found.append(max(names, key=lambda name: (len(re.split(r"::|\.|#|->", name)), _is_code(name))))
    return list(dict.fromkeys(found))


_FRAME_WORDS = frozenset("file line frame thread native method unknown source async goroutine panic".split())  # noqa: SIM905


@dataclass(frozen=True)
class Report:
    """What is asked about: an issue's texts and what the caller adds. Lists are in order of importance."""

    text: str = ""
    frames: Sequence[str] = ()
    paths: Sequence[str] = ()
    symbols: Sequence[str] = ()
    component: str = ""

    @cached_property
    def all_paths(self) -> list[str]:
        return list(dict.fromkeys([*self.paths, *paths_in("\n".join((self.text, *self.frames)))]))

    @cached_property
    def functions(self) -> list[str]:
        return frame_functions(self.frames)

    @cached_property
    def all_symbols(self) -> set[str]:
        return {*self.symbols, *symbols_in(without_paths(self.text))}

    @cached_property
    def words(self) -> set[str]:
        return {word.casefold() for word in _WORD.findall(self.text)}


def report_of(issue: Row, more: Report | None = None) -> Report:
    """From a row of github_issues, with what the caller adds put first."""
    added = more or Report()
    return Report(
        "\n".join(part for part in (added.text, text(issue, "title"), text(issue, "body")) if part),
        (*added.frames, *texts(issue, "frames")) if not isinstance(issue.get("frames"), str) else added.frames,
        added.paths,
        added.symbols,
        added.component or text(issue, "component"),
    )


@dataclass(frozen=True)
class Touch:
    """What a pull request touches. Words of its diff are those of changed lines and of hunk headers."""

    paths: tuple[str, ...]
    words: frozenset[str]
    component: str = ""
    title_words: frozenset[str] = frozenset()


def touch_of(row: Row) -> Touch:
    diff = text(row, "diff")
    paths = tuple(texts(row, "affected_file_paths")) or tuple(_NEW_FILE.findall(diff))
    words = frozenset(word for line in _CHANGED.findall(diff) for word in _WORD.findall(line))
    title = frozenset(word.casefold() for word in _WORD.findall(text(row, "title")))
    return Touch(paths, words, text(row, "component"), title)


def path_matches(path: str, wanted: str) -> bool:
    """Equal, one the end of the other at a separator, or `wanted` a directory above it."""
    path, wanted = path.strip("/"), wanted.strip("/")
    if not wanted:
        return False
    if path == wanted or path.startswith(wanted + "/"):
        return True
    shorter, longer = sorted((path, wanted), key=len)
    return longer.endswith("/" + shorter)


def directory(path: str) -> str:
    return path.rpartition("/")[0]
