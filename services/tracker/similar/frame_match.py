"""How alike two stacks are.

Weighted Jaccard of the application's frames: a frame weighs its idf times a decay by its place among them, so that the
innermost count most; places may differ by one at no cost, since compilers inline and frameworks wrap. Frames of
runtimes and frameworks do not count at all: strangers share them.
"""

from collections.abc import Callable, Sequence

from services.tracker.similar.frames import Frame

# Weight of the frame at place p among the application's: 1 / (1 + DECAY p).
DECAY = 0.3
_SLACK, _DRIFT = 1, 0.15


def similarity(one: Sequence[Frame], other: Sequence[Frame], idf: Callable[[str], float]) -> float:
    """In [0, 1]; 0 where either has no frame of the application."""
    first, second = _places(one), _places(other)
    if not first or not second:
        return 0.0
    common = total = 0.0
    for key in first.keys() | second.keys():
        here, there = (_weight(places.get(key)) for places in (first, second))
        total += idf(key) * max(here, there)
        if here and there:
            drift = max(0, abs(first[key] - second[key]) - _SLACK)
            common += idf(key) * min(here, there) / (1 + _DRIFT * drift)
    return common / total if total else 0.0


def application(found: Sequence[Frame]) -> list[str]:
    """Keys of frames that are the application's own, in order."""
    return [frame.key for frame in found if not frame.is_library]


def _places(found: Sequence[Frame]) -> dict[str, int]:
    return {key: place for place, key in enumerate(dict.fromkeys(application(found)))}


def _weight(place: int | None) -> float:
    return 0.0 if place is None else 1 / (1 + DECAY * place)
