"""Ranking of the pull requests of a bisect window. Ranking only: nothing is reproduced.

Each kind of evidence ranks the pull requests by itself; ranks are fused (reciprocal rank fusion, Cormack et al.
2009), weighted by how directly the evidence points at code. Files and words count by rarity within the window, so hub
files count little.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from math import log
from typing import Any

from services.tracker.history.evidence import Report, Touch, directory, last_part, path_matches, touch_of
from services.tracker.history.rows import Row, by_number, instant, number, text
from services.tracker.history.window import Window

RANK_CONSTANT = 60
WEIGHTS: Mapping[str, float] = {
    "fix": 2.0,
    "frames": 2.0,
    "paths": 1.5,
    "symbols": 1.5,
    "patterns": 1.0,
    "component": 0.5,
}
FRAME_DECAY = 0.85  # per frame below the top
HUB_SHARE = 0.1  # a file touched by more of the window's pull requests than this says little
HUB_WEIGHT = 0.1
HUB_LEAST = 3  # pull requests that a hub is touched by, at least


@dataclass(frozen=True, slots=True)
class Suspect:
    number: int
    source_id: str
    title: str
    merged_at: datetime
    merge_sha: str
    score: float
    legs: tuple[str, ...]  # kinds of evidence that found it, strongest first
    why: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Ranking:
    """`partial` with `reason`: time ran out, or the window is open at an end. `after_report` were dropped and
    counted.
    """

    suspects: tuple[Suspect, ...]
    window: Window
    scanned: int
    in_window: int
    after_report: int
    outside: int
    partial: bool
    reason: str | None
    patterns: tuple[str, ...]
    component_dirs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Limits:
    patterns: int = 8  # LOOM_TRACKER_BISECT_SCOPE_PATTERNS
    component_dirs: int = 3  # LOOM_TRACKER_BISECT_COMPONENT_DIRS
    top: int = 10


class _Scan:
    """Touches of the pull requests of the window, and how common what they touch is."""

    def __init__(self, touches: Mapping[int, Touch]) -> None:
        self.touches = touches
        self.size = max(1, len(touches))
        self.files = Counter(path for touch in touches.values() for path in set(touch.paths))
        self.words = Counter(word for touch in touches.values() for word in touch.words)

    def file_weight(self, path: str) -> float:
        count = self.files[path]
        hub = count >= HUB_LEAST and count > HUB_SHARE * self.size
        return _rarity(count, self.size) * (HUB_WEIGHT if hub else 1.0)

    def word_weight(self, word: str) -> float:
        return _rarity(self.words[word], self.size)


Found = dict[int, tuple[float, str]]  # number -> score and what was found
Stop = Callable[[], bool]


def rank(
    pulls: Iterable[Row],
    report: Report,
    window: Window,
    *,
    reported_at: datetime | None = None,
    fixes: Sequence[Row] = (),
    pool: Iterable[Row] = (),
    limits: Limits | None = None,
    stop: Stop = lambda: False,
) -> Ranking:
    """`pulls`: merged pull requests around the window. `fixes`: rows of known fixes, followed back to what they
    changed; they are no suspects themselves. `pool`: more pull requests with component and paths, to learn a
    component's directories from. `stop` is asked between pull requests and between kinds of evidence; once it says
    yes, what is there is ranked."""
    bounds = limits or Limits()
    inside, after, outside = _sort_out(pulls, window, reported_at, {number(row) for row in fixes})
    touches, stopped = _scan(inside, stop)
    scan = _Scan(touches)
    patterns = _patterns(scan, report, bounds.patterns)
    dirs = component_dirs([*pool, *inside], report.component, bounds.component_dirs)
    legs: dict[str, Callable[[], Found]] = {
        "frames": lambda: _frames(scan, report),
        "paths": lambda: _paths(scan, report.all_paths, "touches"),
        "symbols": lambda: _symbols(scan, report.all_symbols),
        "fix": lambda: _fix(scan, fixes),
        "patterns": lambda: _words(scan, patterns, "its changes contain"),
        "component": lambda: _component(scan, report.component, dirs),
    }
    found: dict[str, Found] = {}
    for name, leg in legs.items():
        if stopped or (stopped := stop()):
            break
        found[name] = leg()
    if not found:  # time ran out in the scan: the most direct evidence is cheap on what was read
        found["paths"] = legs["paths"]()
    rows = {number(row): row for row in inside}
    suspects = _fuse(found, rows)[: bounds.top]
    reason = "deadline" if stopped else window.open_reason
    return Ranking(
        tuple(suspects),
        window,
        len(touches),
        len(inside),
        after,
        outside,
        reason is not None,
        reason,
        tuple(patterns),
        tuple(dirs),
    )


def _sort_out(
    pulls: Iterable[Row], window: Window, reported_at: datetime | None, known: set[int]
) -> tuple[list[Row], int, int]:
    """Rows in the window, newest merged first; how many came after the report; how many lie outside of the window."""
    inside, after, outside = [], 0, 0
    for one, row in by_number(pulls).items():
        merged_at = instant(row, "merged_at")
        if merged_at is None or one in known:
            continue
        if reported_at is not None and merged_at > reported_at:
            after += 1
        elif not window.holds(merged_at):
            outside += 1
        else:
            inside.append((merged_at, one, row))
    return [row for _, _, row in sorted(inside, key=lambda entry: entry[:2], reverse=True)], after, outside


def _scan(rows: Sequence[Row], stop: Stop) -> tuple[dict[int, Touch], bool]:
    touches: dict[int, Touch] = {}
    for row in rows:
        if stop():
            return touches, True
        touches[number(row)] = touch_of(row)
    return touches, False


def _frames(scan: _Scan, report: Report) -> Found:
    found: Found = {}
    for place, function in enumerate(report.functions):
        _raise(
            found, _words(scan, [last_part(function)], "its changes touch a function of the stack:"), FRAME_DECAY**place
        )
    return found


def _paths(scan: _Scan, paths: Sequence[str], how: str) -> Found:
    found: Found = {}
    for one, touch in scan.touches.items():
        hits = [path for path in touch.paths if any(path_matches(path, wanted) for wanted in paths)]
        if hits:
            best = max(hits, key=lambda path: (scan.file_weight(path), path))
            found[one] = sum(scan.file_weight(path) for path in set(hits)), f"{how} {best}"
    return found


def _symbols(scan: _Scan, symbols: Iterable[str]) -> Found:
    return _words(scan, sorted({last_part(symbol) for symbol in symbols}), "its changes name")


def _words(scan: _Scan, words: Sequence[str], how: str) -> Found:
    found: Found = {}
    for one, touch in scan.touches.items():
        hits = [word for word in words if word in touch.words]
        if hits:
            best = max(hits, key=lambda word: (scan.word_weight(word), word))
            found[one] = sum(scan.word_weight(word) for word in hits), f"{how} {best}"
    return found


def _fix(scan: _Scan, fixes: Sequence[Row]) -> Found:
    """Who changed before what the known fix changed: its files, and the rarer words of its changed lines."""
    found: Found = {}
    for row in fixes:
        touch = touch_of(row)
        files = _paths(scan, touch.paths, f"touched before it what the fix #{number(row)} changed:")
        rare = sorted(
            (word for word in touch.words if 0 < scan.words[word] <= 0.2 * scan.size + 1), key=scan.words.__getitem__
        )
        words = _words(scan, rare[:20], f"changed before it words that the fix #{number(row)} changed:")
        _raise(found, files, 1.0)
        _raise(found, {one: hit for one, hit in words.items() if one in files or not touch.paths}, 1.0)
    return found


def _patterns(scan: _Scan, report: Report, most: int) -> list[str]:
    """The report's rarest words among the window's changes."""
    present = {word: count for word, count in scan.words.items() if word.casefold() in report.words}
    return sorted(present, key=lambda word: (present[word], -len(word), word))[:most]


def _component(scan: _Scan, component: str, dirs: Sequence[str]) -> Found:
    found = _paths(scan, dirs, "touches the component's directory:") if dirs else {}
    same = component.casefold()
    for one, touch in scan.touches.items():
        if same and touch.component.casefold() == same:
            found[one] = found.get(one, (0.0, ""))[0] + 1.0, f"is of component {touch.component}"
    return found


def component_dirs(pulls: Iterable[Row], component: str, most: int) -> list[str]:
    """Directories that pull requests of the component touch much more than others do, the most telling first."""
    if not component:
        return []
    inside: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for row in by_number(pulls).values():
        dirs = {directory(path) for path in row.get("affected_file_paths") or ()} - {""}
        total.update(dirs)
        if text(row, "component").casefold() == component.casefold():
            inside.update(dirs)
    telling = {path: count * count / total[path] for path, count in inside.items() if count >= 0.5 * total[path]}
    return sorted(telling, key=lambda path: (-telling[path], path))[:most]


def _fuse(found: Mapping[str, Found], rows: Mapping[int, Row]) -> list[Suspect]:
    parts: dict[int, list[tuple[float, str, str]]] = defaultdict(list)
    for leg, hits in found.items():
        for one, (place, why) in _places(hits).items():
            parts[one].append((WEIGHTS[leg] / (RANK_CONSTANT + place), leg, why))
    suspects = [
        _suspect(rows[one], sorted(share, key=lambda part: (-part[0], part[1]))) for one, share in parts.items()
    ]
    return sorted(suspects, key=lambda suspect: (-suspect.score, -suspect.merged_at.timestamp(), -suspect.number))


def _places(hits: Found) -> dict[int, tuple[int, str]]:
    """1 for the best; equals share the better place."""
    order = sorted(hits.items(), key=lambda hit: -hit[1][0])
    places: dict[int, tuple[int, str]] = {}
    place, before = 0, None
    for index, (one, (score, why)) in enumerate(order, start=1):
        rounded = round(score, 9)
        place = place if rounded == before else index
        before = rounded
        places[one] = place, why
    return places


def _suspect(row: Row, share: Sequence[tuple[float, str, str]]) -> Suspect:
    merged_at = instant(row, "merged_at")
    if merged_at is None:
        raise ValueError("a suspect has a time of merging")
    return Suspect(
        number(row),
        text(row, "source_id"),
        text(row, "title"),
        merged_at,
        text(row, "merge_sha"),
        round(sum(part for part, _, _ in share), 6),
        tuple(leg for _, leg, _ in share),
        tuple(why for _, _, why in share),
    )


def _raise(found: Found, more: Found, factor: float) -> None:
    for one, (score, why) in more.items():
        known = found.get(one)
        found[one] = (factor * score, why) if known is None else (known[0] + factor * score, known[1])


def _rarity(count: int, size: int) -> float:
    return log(1 + size / max(1, count))
