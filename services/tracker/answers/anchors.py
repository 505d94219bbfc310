"""Anchors out of a question's words. It errs on the side of naming too little: what is named is searched for."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from services.tracker.answers.held import Anchors
from services.tracker.answers.numbers import numbers_of

MOST = 10
MAX_NUMBER = 9007199254740991

_REPO = re.compile(r"(?<![\w/.#-])([A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+)#[0-9]{1,16}\b")
_SHA = re.compile(r"(?<![\w.#/-])(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?![\w.-])")
_VERSION = re.compile(
    r"(?<![\w./-])v?[0-9]{1,4}\.[0-9]{1,4}(?:\.[0-9]{1,6})?(?:[-.](?:alpha|beta|rc|dev|pre)[.-]?[0-9]*)?"
    r"(?![\w/-]|\.[0-9])",
    re.IGNORECASE,
)
_PATH = re.compile(
    r"(?<![\w:/.])(?:[\w.@+-]+/)+[\w.@+-]+\.[A-Za-z][A-Za-z0-9]{0,9}(?![\w/])"
    r"|(?<![\w:/.])(?:[\w.@+-]+/){2,}[\w.@+-]*"
)
_TEST = re.compile(
    r"(?<![\w.:/@-])(?:"
    # web: a file, and what its describe blocks say
    r"[\w@./-]+\.(?:test|spec)\.[cm]?[jt]sx?\s+[>›]\s+[^?!,;\"“”`\n]+"
    # Rust and Go: modules with tests in them, packages
    r"|\w+(?:::\w+)*::tests?(?:::\w+)+"
    r"|(?:[\w.-]+/)*[\w-]+\.Test[A-Z_]\w*(?:/[\w=-]+)*"
    r"|(?:[\w./-]+::)*(?:test_\w+|Test[A-Z]\w*(?:[.#:]+\w+)*|\w+Test(?:[.#:]+\w+)+|\w+_test\b|\w+(?:\.\w+)*\.test\w+)"
    r"(?:\[[^\]\s]*\])?)"
)
# Words of the question that follow a name which may hold any words.
_ASIDE = re.compile(
    r"(?:[\s.]+(?:flaky|flakes?|fail(?:s|ed|ing)?|broken|red|green|pass(?:es|ed|ing)?|unstable|stable|lately|recently|now|"
    r"again|today|often|really|or|and|a|an|the|still|known|just|doing|do|did|so|to|be|on|main|is|it|why|bug))+[\s.]*$",
    re.IGNORECASE,
)
_COMPONENT = re.compile(r"\b(?:component|area|module)\s+[`'\"“]?([A-Za-z][\w./-]{1,60})", re.I)
_COMPONENT_AFTER = re.compile(r"[`'\"“]?\b([A-Za-z][\w./-]{1,60})[`'\"”]?\s+(?:component|area|module)\b", re.I)
_NO_COMPONENT = frozenset({"the", "a", "an", "this", "that", "which", "what", "each", "every", "is", "of", "in", "for"})


def anchors_of(question: str, given: Mapping[str, Sequence[Any]]) -> Anchors:
    """`given` holds the request's own anchors by the field names of `Anchors`."""
    rest = question
    # Tests first: what is in front of `::` is a path, and a part of the test's name.
    named = [_ASIDE.sub("", name).strip() for name in _found(_TEST, rest)]
    tests = [name for name in named if name.lower() not in {"test", "tests"}]
    for name in tests:
        rest = rest.replace(name, " ")
    paths = _found(_PATH, rest)
    for path in paths:
        rest = rest.replace(path, " ")
    numbers = [int(digits) for digits in numbers_of(question) if 0 < int(digits) <= MAX_NUMBER]
    components = [
        c for c in (*_found(_COMPONENT, rest, 1), *_found(_COMPONENT_AFTER, rest, 1)) if c.lower() not in _NO_COMPONENT
    ]
    return Anchors(
        numbers=_merge(given.get("numbers", ()), numbers),
        tests=_merge(given.get("tests", ()), tests),
        versions=_merge(given.get("versions", ()), _found(_VERSION, rest)),
        shas=_merge(given.get("shas", ()), _found(_SHA, rest)),
        paths=_merge(given.get("paths", ()), paths, 20),
        frames=_merge(given.get("frames", ()), (), 50),
        components=_merge(given.get("components", ()), components),
        repos=_merge((), _found(_REPO, question, 1)),
    )


def with_components(anchors: Anchors, question: str, known: Iterable[str]) -> Anchors:
    """With the components of the record that the question names by themselves, longest first."""
    words = question.casefold()
    named = [
        name
        for name in sorted(known, key=len, reverse=True)
        if len(name) > 2 and re.search(rf"(?<![\w-]){re.escape(name.casefold())}(?![\w-])", words)
    ]
    components = _merge(anchors.components, named)
    return replace(anchors, components=components)


def _found(pattern: re.Pattern[str], text: str, group: int = 0) -> list[str]:
    return [match[group] for match in pattern.finditer(text)]


def _merge(given: Iterable[Any], found: Iterable[Any], most: int = MOST) -> tuple[Any, ...]:
    # A blank one is named by every text, and is the version and the component of whatever has none.
    named = [each for each in (*given, *found) if not isinstance(each, str) or each.strip()]
    return tuple(dict.fromkeys(named))[:most]
