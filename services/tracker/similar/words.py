"""Text of reports to terms: stems, identifiers whole and in parts, error codes, versions.

A term is a string; `counts` gives how often each occurs. Code is where reports of one defect agree most, so that
`readTimeout`, `read_timeout` and `READ_TIMEOUT` meet, and a version or a code stays one term.
"""

import re
import unicodedata
from collections import Counter
from functools import lru_cache

from services.tracker.similar.stem import stem
from services.tracker.similar.stopwords import STOP_WORDS

# Beyond it come logs, which say little of a report that their beginning does not.
LONGEST_TEXT = 8_000
LONGEST_TERM = 64
_MOST_PARTS = 8

_TOKEN = re.compile(r"[^\W_](?:[\w.'’\-]*[^\W_])?")
_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_A-Za-z]+")
_VERSION = re.compile(r"[vV]?(\d+(?:\.\d+)+)((?:[.\-]?[A-Za-z]\w*)*)")
_SPLIT = re.compile(r"[._'’\-]+")
_CONTRACTED = re.compile(r"(?:n['’]t|['’](?:s|re|ve|ll|d|m))$", re.IGNORECASE)
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+")


def counts(text: str) -> Counter[str]:
    """How often each term occurs in the first 8,000 characters of `text`."""
    text = text[:LONGEST_TEXT]
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    found: dict[str, int] = {}
    # Words are counted as written first: the work for a term is done once per distinct word.
    for word, count in Counter(_TOKEN.findall(text)).items():
        for term in word_terms(word):
            found[term] = found.get(term, 0) + count
    return Counter(found)


def terms(text: str) -> list[str]:
    """The distinct terms of `text`, in order of their first occurrence."""
    return list(counts(text))


@lru_cache(maxsize=1 << 17)
def word_terms(word: str) -> tuple[str, ...]:
    """The distinct terms of one word as written."""
    if not word.isascii() and _UNSPACED.search(word):
        return _pairs(word)
    if version := _VERSION.fullmatch(word):
        return _version(version[1], version[2])
    pieces = [piece for piece in _SPLIT.split(_CONTRACTED.sub("", word)) if piece]
    parts = [part for piece in pieces for part in _parts(piece)]
    found = [found_stem for part in parts[:_MOST_PARTS] if (found_stem := _stem(part))]
    if len(parts) > 1 and found:
        found.append("".join(pieces).lower())
    return tuple(dict.fromkeys(term[:LONGEST_TERM] for term in found))


def _version(numbers: str, suffix: str) -> tuple[str, ...]:
    """`11.3.1` is also an `11.3`; zeros at the end say nothing (`1.7.0` is `1.7`)."""
    figures = numbers.split(".")
    while len(figures) > 2 and figures[-1] == "0":
        figures.pop()
    whole = ".".join(figures)
    found = [(whole + suffix.lower()), whole, ".".join(figures[:2])]
    return tuple(dict.fromkeys(term[:LONGEST_TERM] for term in found))


def _parts(piece: str) -> list[str]:
    if piece.isalpha() and (piece.islower() or piece.isupper() or piece.istitle()):
        return [piece]
    if piece.isdigit() or piece[:2] in ("0x", "0X"):
        return [piece]
    return _PARTS.findall(piece)


def _stem(part: str) -> str:
    folded = part.casefold()
    if folded in STOP_WORDS or (len(folded) == 1 and not folded.isdigit()):
        return ""
    if folded.isdigit():
        return folded.lstrip("0") or "0"
    return stem(folded) if folded.isascii() and folded.isalpha() else folded


def _pairs(word: str) -> tuple[str, ...]:
    """Scripts without spaces: pairs of characters; what stands between them as usual."""
    found: list[str] = []
    for run in _UNSPACED.findall(word):
        found += [run[at : at + 2] for at in range(max(len(run) - 1, 1))]
    for rest in _UNSPACED.split(word):
        if rest:
            found += word_terms(rest)
    return tuple(dict.fromkeys(found))


def surface(word: str, term: str) -> str:
    """What of `term` stands literally in the lower-cased `word`: their common beginning.

    A stem need not be a piece of its word (`library`, `librari`); a statement that searches text needs one that is.
    """
    lowered = word.lower()
    at = lowered.find(term[:3])
    if at < 0:
        return ""
    length = 0
    for one, other in zip(lowered[at:], term, strict=False):
        if one != other:
            break
        length += 1
    return term[:length]
