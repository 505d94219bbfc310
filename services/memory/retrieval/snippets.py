"""The part of a text that shows why it matched: at most 240 characters, cut between what a reader sees as characters."""

from collections.abc import Iterator

import regex

from services.memory.retrieval.tokens import UNSPACED, terms

MOST_CHARS = 240
ELLIPSIS = "…"
_LEAD = 60
# Scripts without spaces write whole paragraphs as one word, so their runs are looked at in pieces.
_WORD = regex.compile(rf"(?P<unspaced>[{UNSPACED}][{UNSPACED}\p{{M}}]*)|[^\s{UNSPACED}]+")
_PIECE = 16
_BLANKS = regex.compile(r"\s+")
_GRAPHEME = regex.compile(r"\X")
# A longer text is looked at in parts of this size, up to the first one with a match.
_PART = 20_000


def snippet(text: str, wanted: frozenset[str]) -> str:
    """A part of `text`, in one line, around the densest match of the terms in `wanted`; its beginning without any."""
    line = _BLANKS.sub(" ", text).strip()
    if len(line) <= MOST_CHARS:
        return line
    start = max(_densest(line, wanted) - _LEAD, 0)
    # The room of both marks, so that the whole is never longer than it may be.
    start = _start(line, min(start, len(line) - MOST_CHARS + 1)) if start else 0
    return _cut(line, start)


def _densest(line: str, wanted: frozenset[str]) -> int:
    """Where the window begins that has most of the wanted terms, each counted once; 0 without a match."""
    parts = range(0, len(line), _PART)
    return next((at for part in parts if (at := _densest_of(line, part, wanted)) is not None), 0)


def _densest_of(line: str, part: int, wanted: frozenset[str]) -> int | None:
    """The same for the part that begins at `part`; None without a match."""
    words = _words(line, part, part + _PART)
    found = [(at, term) for at, word in words for term in terms(word) if term in wanted]
    if not found:
        return None
    best, best_at = 0, 0
    first = 0
    window: dict[str, int] = {}
    for at, term in found:
        window[term] = window.get(term, 0) + 1
        while at - found[first][0] > MOST_CHARS - 2 * _LEAD:
            window[found[first][1]] -= 1
            first += 1
        distinct = sum(count > 0 for count in window.values())
        if distinct > best:
            best, best_at = distinct, found[first][0]
    return best_at


def _words(line: str, begin: int, end: int) -> Iterator[tuple[int, str]]:
    """Words with their places. Pieces of a run overlap by a character, so that no pair of characters is lost."""
    for match in _WORD.finditer(line, begin, end):
        if match["unspaced"] is None:
            yield match.start(), match[0]
            continue
        for at in range(0, max(len(match[0]) - 1, 1), _PIECE - 1):
            yield match.start() + at, match[0][at : at + _PIECE]


def _start(line: str, at: int) -> int:
    """The next beginning of a word at or after `at` if one is near, else of a character."""
    blank = line.find(" ", at, at + _LEAD // 2)
    if blank >= 0:
        return blank + 1
    # Going on from the last blank before keeps the look-back short.
    begin = max(line.rfind(" ", 0, at) + 1, at - 4 * MOST_CHARS)
    return next((match.start() for match in _GRAPHEME.finditer(line, begin) if match.start() >= at), at)


def _cut(line: str, start: int) -> str:
    lead = ELLIPSIS if start else ""
    if len(lead) + len(line) - start <= MOST_CHARS:
        return lead + line[start:]
    room = MOST_CHARS - len(lead) - len(ELLIPSIS)
    end = start
    for match in _GRAPHEME.finditer(line, start):
        if match.end() - start > room:
            break
        end = match.end()
    blank = line.rfind(" ", start + room // 2, end)
    return lead + line[start : blank if blank > 0 and line[end : end + 1] != " " else end].rstrip() + ELLIPSIS
