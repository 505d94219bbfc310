"""Titles that differ only in what makes them two reports: a platform, a number, a version, a model, the name of an API.

`Android: X` and `iOS: X` are one wish for two platforms; `Phase 2 of X` follows `Phase 1 of X`. Such a pair looks most
alike and is no duplicate.
"""

import re
from collections import Counter
from functools import lru_cache

from services.tracker.similar.stopwords import STOP_WORDS

_PLATFORMS = """
ios iphone ipad ipados watchos tvos visionos macos mac osx darwin android windows win win32 win64 linux ubuntu debian
fedora centos rhel alpine freebsd openbsd solaris aix blackberry tizen mobileweb html5 web desktop mobile tablet phone
chrome chromium firefox safari edge opera ie webkit gecko x86 x64 amd64 i386 arm arm64 aarch64 armv7 riscv ppc64le s390x
intel amd nvidia cuda rocm metal vulkan opengl directx emulator simulator mysql postgres postgresql sqlite oracle
mariadb mssql mongodb redis kafka aws azure gcp s3 gcs hdfs docker kubernetes java python ruby rust go golang node nodejs
php swift kotlin scala perl dotnet csharp typescript javascript
"""
_ORDINALS = """
one two three four five six seven eight nine ten first second third fourth fifth i ii iii iv v vi vii viii ix a b c d
"""
_PAIRS = """
left right top bottom horizontal vertical portrait landscape get set getter setter read write encode decode import
export upload download enable disable add remove show hide start end first last min max minimum maximum width height
client server request response input output before after up down increment decrement encrypt decrypt serialize
deserialize compress decompress row column source target push pull send receive lock unlock login logout
"""
PLATFORMS = frozenset(_PLATFORMS.split())
_ORDINAL = frozenset(_ORDINALS.split())
_OPPOSITES = frozenset(_PAIRS.split())
_SERIES = frozenset(
    {"phase", "part", "step", "round", "batch", "iteration", "milestone", "wave", "stage", "sprint", "week"}
)

_WORD = re.compile(r"#?[^\W_](?:[\w.:'’\-+/]*[^\W_+])?(?:\(\))?")
_NUMBER = re.compile(r"#?\d+(?:st|nd|rd|th)?")
_VERSION = re.compile(r"v?\d+(?:\.\w+)+(?:[\-+.]\w+)*|v\d+", re.IGNORECASE)
_MODEL = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[\w\-+]+")
_NAME = re.compile(r".*(?:[a-z][A-Z]|[A-Z]{2,}[a-z]|_|\w\.\w|::|\(\)|\w/\w).*")
# Of the words of either title, the share that both must have before the rest can be the only difference.
_COMMON = 0.5


def difference(one: str, other: str) -> str:
    """The kind of thing in which two titles alone differ: platform, number, version, model, name or opposite; or empty.

    A word that only one of them has does not count, as a title may just say less; but one more number in a series does.
    """
    left, right = _words(one), _words(other)
    if left.keys().isdisjoint(right):
        return ""
    common = (left & right).total()
    if not common or common < _COMMON * max(left.total(), right.total()) or _only_platforms(left & right):
        return ""
    here, there = list(left - right), list(right - left)
    if not here and not there:
        return ""
    kinds = {_kind(word) for word in (*here, *there)}
    if "" in kinds:
        return ""
    if here and there:
        return _foremost(kinds)
    return "number" if kinds == {"number"} and _is_series(one, other, left & right) else ""


def conflicts(one: str, other: str) -> bool:
    """Whether both titles name platforms, and none in common."""
    left, right = _platforms(one), _platforms(other)
    return bool(left and right and not left & right)


def _platforms(title: str) -> set[str]:
    return {word for word in _words(title) if word in PLATFORMS}


_SAME = {
    "iphone": "ios",
    "ipad": "ios",
    "ipados": "ios",
    "osx": "macos",
    "mac": "macos",
    "win32": "windows",
    "win": "windows",
}
_ORDER = ("platform", "version", "number", "model", "name", "opposite")


def _foremost(kinds: set[str]) -> str:
    return next(kind for kind in _ORDER if kind in kinds)


@lru_cache(maxsize=1 << 12)
def _words(title: str) -> Counter[str]:
    """Words of a title; what the cache holds is never changed."""
    return Counter(
        word
        if _NAME.fullmatch(word) and word.casefold() not in PLATFORMS
        else _SAME.get(word.casefold(), word.casefold())
        for match in _WORD.findall(title[:500])
        if (word := match.strip("'’:")).casefold() not in STOP_WORDS - _ORDINAL
    )


def _only_platforms(words: Counter[str]) -> bool:
    return all(word in PLATFORMS for word in words)


@lru_cache(maxsize=1 << 14)
def _kind(word: str) -> str:
    folded = word.casefold()
    if folded in PLATFORMS:
        return "platform"
    if _NUMBER.fullmatch(folded) or folded in _ORDINAL or folded in _SERIES:
        return "number"
    if _VERSION.fullmatch(word):
        return "version"
    if _NAME.fullmatch(word):
        return "name"
    if _MODEL.fullmatch(word):
        return "model"
    return "opposite" if folded in _OPPOSITES else ""


def _is_series(one: str, other: str, common: Counter[str]) -> bool:
    """`X #2` after `X`, `Phase 2` after `Phase`: a number at an end, after a `#` or beside a word for a part."""
    last = re.compile(r"(?:#\d+|\b(?:\d+|ii|iii|iv))[)\].]?\s*$", re.IGNORECASE)
    return bool(last.search(one) or last.search(other) or any(word in _SERIES for word in common))
