"""Stack frames out of text: Java, C#, JavaScript, Python, Go, Rust and C++, each to one name without what varies.

A frame's key is the qualified function (with its file where the name alone is not qualified), free of addresses, lines,
arguments, template arguments, hashes and the numbers of lambdas, so that the frame of another build is the same.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from services.tracker.similar.frame_names import is_library, normal_name

LONGEST_LINE = 1_000
MOST_FRAMES = 200


@dataclass(frozen=True, slots=True)
class Frame:
    """`key` is compared; `is_library` tells a runtime's or framework's frame, which strangers share."""

    key: str
    is_library: bool


_JAVA = re.compile(
    r"\s*at (?:[\w.\-@]*/{1,2})*(?P<name>[\w$.<>/]+)\((?P<file>[\w$\-]+\.(?:java|kt|scala|groovy|clj)(?::\d+)?"
    r"|Native Method|Unknown Source|<generated>)\)"
)
_CSHARP_IN = re.compile(r"\s*at (?P<name>[\w.`<>\[\]|+,]+) ?\([^()]*(?:\([^()]*\)[^()]*)*\) in (?P<file>.+?):line \d+")
_CSHARP = re.compile(r"\s*at (?P<name>[A-Z]\w*(?:[.+][\w`<>\[\]|,]+)+) ?\((?P<args>[\w .,&\[\]<>`*]*)\)\s*$")
_JS_NAMED = re.compile(
    r"\s*at (?:async )?(?:new )?(?P<name>[^()\s]+(?: \[as \w+\])?) \((?P<file>[^()\s]+?):\d+(?::\d+)?\)"
)
_JS_BARE = re.compile(r"\s*at (?:async )?(?P<file>(?:[a-z]+://|node:|/|\.|[A-Za-z]:\\)[^()\s]*?):\d+:\d+\s*$")
_JS_AT = re.compile(r"\s*(?P<name>[\w$.<>/*]*)@(?P<file>[^@\s]+?):\d+:\d+\s*$")
_PYTHON = re.compile(r'\s*File "(?P<file>[^"\n]+)", line \d+(?:, in (?P<name>\S+))?')
_GO_NAME = re.compile(
    r"(?:created by )?(?P<name>[\w./\-*()\[\]{}~]*\.[\w.()*\[\]{}]+?)(?:\((?:[^()\s]|, )*\)| in goroutine \d+)?\s*$"
)
_GO_FILE = re.compile(r"\s*(?P<file>\S+\.(?:go|s)):\d+(?: \+0x[0-9a-f]+)?\s*$")
_RUST = re.compile(r"\s*\d+:\s+(?:0x[0-9a-f]+ - )?(?P<name>[<\w].*?)(?:\s+at \S+:\d+(?::\d+)?)?\s*$")
_GDB = re.compile(r"\s*(?:frame )?#\d+:?\s+(?:0x[0-9a-fA-F]+ (?:in )?)?(?:[\w.\-]+`)?(?P<rest>[^\n]+)")
_MACOS = re.compile(r"\s*\d+\s+(?P<file>[\w.\-+ ]{1,60}?)\s+0x[0-9a-f]+ (?P<name>[^\n]+?) \+ \d+")
_WINDOWS = re.compile(r"\s*(?:[0-9a-f`]+ )*(?P<file>\w+)!(?P<name>[\w:<>~`',]+)(?:\+0x[0-9a-f]+)?(?:\s|$)")
# Names have no spaces but between brackets, and files end in a kind: prose that ends in a number is no place.
_LISTED = re.compile(
    r"(?:(?P<name>\S.*?)\s*(?:\s(?:at|in)\s|\s?[(@]|\s-\s|\s))?\(?(?P<file>[^\s()@]*\.\w{1,8}):\d+(?::\d+)?\)?\s*$"
)
_SIGNS = ("at ", "::", 'File "', ".go:", ".s:", "#", "@", "!", "0x", ": ")
_RUST_PLACE = re.compile(r"\s*at \S+\.rs:\d+(?::\d+)?\s*$")


def frames(text: str) -> list[Frame]:
    """Frames in `text`, innermost first as the language prints them (Python's are turned round)."""
    lines = [line[:LONGEST_LINE] for line in text.splitlines()]
    found: list[Frame] = []
    python: list[Frame] = []
    at = 0
    while at < len(lines) and len(found) + len(python) < MOST_FRAMES:
        if not _may_hold(lines[at]) and not _may_hold(lines[at + 1] if at + 1 < len(lines) else ""):
            pass
        elif match := _PYTHON.match(lines[at]):
            python.append(_frame(match["name"] or "", match["file"]))
        elif pair := _go(lines, at):
            found.append(pair)
            at += 1
        elif frame := _one(lines[at], lines[at + 1] if at + 1 < len(lines) else ""):
            found.append(frame)
        at += 1
    return _without_repeats([*reversed(python), *found])


def given_frames(listed: Iterable[str]) -> list[Frame]:
    """Frames of a list, each a line of a trace or just a function's name."""
    found: list[Frame] = []
    for text in listed:
        found += _line(text) if len(text) <= LONGEST_LINE else _given(text)
    return _without_repeats(found[:MOST_FRAMES])


# Reports of one program have their frames in common.
@lru_cache(maxsize=1 << 13)
def _line(text: str) -> Sequence[Frame]:
    return _given(text)


def _given(text: str) -> Sequence[Frame]:
    return frames(text) or _named(text.strip()[:LONGEST_LINE])


def _named(text: str) -> list[Frame]:
    """One frame of a list that no language prints so: `name at file:line`, `name (file:line)`, `file:line`, or a name."""
    place = _LISTED.match(text)
    if place is None:
        name = normal_name(text)
        return [Frame(name, is_library(name, ""))] if name else []
    return [_frame(place["name"] or "", place["file"])]


def frame_keys(text: str) -> list[str]:
    """Keys of the application's frames in `text`; empty at once for a text that cannot hold any."""
    return [frame.key for frame in frames(text) if not frame.is_library] if _may_hold(text) else []


def _may_hold(text: str) -> bool:
    return any(sign in text for sign in _SIGNS)


def _one(line: str, following: str) -> Frame | None:
    if _RUST_PLACE.match(line):
        return None
    for pattern in (_JAVA, _CSHARP_IN, _JS_NAMED, _JS_BARE):
        if match := pattern.match(line):
            fields = match.groupdict()
            return _frame(fields.get("name") or "", fields.get("file") or "")
    if match := _CSHARP.match(line):
        return _frame(match["name"], "")
    if match := _JS_AT.match(line):
        return _frame(match["name"], match["file"])
    return _native(line, following)


def _native(line: str, following: str) -> Frame | None:
    if match := _MACOS.match(line):
        return _frame(match["name"], match["file"])
    if (match := _RUST.match(line)) and ("::" in match["name"] or _RUST_PLACE.match(following)):
        return _frame(match["name"], "")
    if (match := _GDB.match(line)) and (name := _gdb_name(match["rest"])):
        return _frame(name, "")
    if (match := _WINDOWS.match(line)) and ("+0x" in line or "::" in match["name"]):
        return _frame(f"{match['file']}!{match['name']}", "")
    return None


def _gdb_name(rest: str) -> str:
    """The function of `ns::f<T> (this=0x0, n=2) at f.cpp:12` and of `ns::f(int) /src/f.cc:12:3`; empty for prose."""
    looks_real = re.search(r"::| /\S+:\d+| at \S+:\d+|\) from \S+|\+0x[0-9a-f]+", rest)
    name = re.split(r"\s+(?:at|from|/)|\s*\(|\s\+ ", rest, maxsplit=1)[0].strip()
    return name if looks_real and name and " " not in re.sub(r"<.*>|operator .*", "", name) else ""


def _go(lines: Sequence[str], at: int) -> Frame | None:
    if at + 1 >= len(lines) or not (place := _GO_FILE.match(lines[at + 1])):
        return None
    match = _GO_NAME.match(lines[at].strip())
    return _frame(match["name"], place["file"]) if match else None


def _frame(name: str, file: str) -> Frame:
    key = normal_name(name)
    if not re.search(r"[.:!/]", key):
        # The name alone is no place in a program: its file goes with it.
        stem = re.split(r"[/\\]", file.split("?")[0])[-1]
        key = f"{stem}:{key or 'anonymous'}" if stem else key
    return Frame(key, is_library(key, file))


def _without_repeats(found: Sequence[Frame]) -> list[Frame]:
    return list(_each_once(frame for frame in found if frame.key))[:MOST_FRAMES]


def _each_once(found: Iterable[Frame]) -> Iterator[Frame]:
    """Recursion repeats frames; the first (innermost) tells where it happened."""
    yield from dict.fromkeys(found)
