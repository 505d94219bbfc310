"""Text to terms, alike for what is stored and what is asked.

Every word gives its stem, without accents and case. Identifiers give their parts and the whole without its joiners, so
that `userId`, `user_id` and `userid` meet. Scripts written without spaces give characters and pairs of characters.
Emoji are terms. `grams` gives the pieces of a word that let a part of it match.
"""

import threading
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import regex
import snowballstemmer

from services.memory.retrieval.stopwords import STOP_WORDS

# Written without spaces between words; Korean has spaces, but its particles stick to the word.
UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Hangul}ー"
_JOINERS = r"_.\-/\\:#@+&'’"
_TERM = regex.compile(
    rf"(?P<unspaced>[{UNSPACED}\p{{M}}]*[{UNSPACED}][{UNSPACED}\p{{M}}]*)"
    rf"|(?P<word>[[\p{{L}}\p{{N}}\p{{M}}]--[{UNSPACED}]]+(?:[{_JOINERS}]+[[\p{{L}}\p{{N}}\p{{M}}]--[{UNSPACED}]]+)*)"
    r"|(?P<emoji>[\p{Extended_Pictographic}\p{Regional_Indicator}]+)",
    regex.VERSION1,
)
_PARTS = regex.compile(r"\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|\p{N}+|[\p{L}\p{M}]+")
_JOINER = regex.compile(rf"[{_JOINERS}]+")
_CONTRACTED = regex.compile(r"(?:n't|'(?:s|re|ve|ll|d|m))$", regex.IGNORECASE)
_ORDINAL = regex.compile(r"(\d+)(?:st|nd|rd|th)", regex.IGNORECASE)
_SINGLES = regex.compile(r"\p{Han}")
_THOUSANDS = regex.compile(r"(?<=\d),(?=\d{3}\b)")
_FOLDED_SCRIPTS = regex.compile(r"[\p{Latin}\p{Greek}\p{Cyrillic}\p{Arabic}\p{Hebrew}]")
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "þ": "th", "ı": "i", "ё": "е"})
_LANGUAGES = {
    "LATIN": "english",
    "CYRILLIC": "russian",
    "ARABIC": "arabic",
    "GREEK": "greek",
    "DEVANAGARI": "hindi",
}
LONGEST_TERM = 64
_MOST_PARTS = 6
GRAM = 3


class _Stemmers(threading.local):
    """By script. A stemmer keeps the word that it is at in itself: two threads at one would spoil each other's stems."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def stem(self, script: str, word: str) -> str:
        """The word itself where no language of the script is known."""
        if script not in self._made:
            language = _LANGUAGES.get(script)
            self._made[script] = snowballstemmer.stemmer(language).stemWord if language else str
        return str(self._made[script](word))


_stemmers = _Stemmers()


def terms(text: str) -> list[str]:
    """Every term of `text`, in order, repeated as often as it occurs; stop words are left out."""
    return [term for found in _spans(text) for term in found]


def query_terms(text: str) -> list[str]:
    """The distinct terms of a question, in order."""
    return list(dict.fromkeys(terms(text)))


def grams(term: str) -> list[str]:
    """The distinct runs of three characters of a term, which stand for its parts; none for a short term."""
    if len(term) <= GRAM:
        return [term] if len(term) == GRAM else []
    return list(dict.fromkeys(term[at : at + GRAM] for at in range(len(term) - GRAM + 1)))


def fold(text: str) -> str:
    """`text` without case, width and (in scripts where they are optional) accents."""
    text = unicodedata.normalize("NFKC", text).casefold()
    return text if text.isascii() else _without_accents(text)


def _spans(text: str) -> Iterator[tuple[str, ...]]:
    text = _THOUSANDS.sub("", unicodedata.normalize("NFKC", text))
    for match in _TERM.finditer(text):
        if match.lastgroup == "word":
            yield _word_terms(match[0]) if len(match[0]) <= LONGEST_TERM * 4 else _long_terms(match[0])
        elif match.lastgroup == "unspaced":
            yield _unspaced_terms(match[0])
        else:
            yield (match[0],) if len(match[0]) == 1 else (*dict.fromkeys(match[0]),)


@lru_cache(maxsize=1 << 16)
def _word_terms(word: str) -> tuple[str, ...]:
    """The terms of one word or identifier."""
    word = word.replace("’", "'")
    if word.replace("'", "").casefold() in STOP_WORDS:
        return ()
    word = _CONTRACTED.sub("", word)
    pieces = _JOINER.split(word)
    parts = [part for piece in pieces for part in _split_case(piece)]
    found = [term for part in parts if (term := _stem(part))]
    if found and 1 < len(parts) <= _MOST_PARTS and "'" not in word and (whole := _whole(word, pieces)) not in found:
        found.append(whole)
    return tuple(term[:LONGEST_TERM] for term in found if term)


def _long_terms(run: str) -> tuple[str, ...]:
    # A run of letters without an end (base64, a path of a hundred folders) must not fill the cache.
    return tuple(term[:LONGEST_TERM] for piece in _JOINER.split(run) if (term := _stem(piece[: LONGEST_TERM * 4])))


def _split_case(piece: str) -> list[str]:
    if piece.isalpha() and (piece.islower() or piece.istitle() or piece.isupper()):
        return [piece]
    if ordinal := _ORDINAL.fullmatch(piece):
        return [ordinal[1]]
    return _PARTS.findall(piece)


def _whole(word: str, pieces: list[str]) -> str:
    """Numbers keep what joins them (a date, a version); names lose it."""
    if len(pieces) > 1 and all(piece[-1:].isdigit() for piece in pieces):
        return fold(word)
    return _stem("".join(pieces))


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    folded = fold(word)
    if folded in STOP_WORDS or (len(folded) == 1 and folded.isascii() and not folded.isdigit()):
        return ""
    if folded.isdigit():
        return folded.lstrip("0") or "0"  # 03 of a date is 3
    if folded.isascii():
        return _stemmers.stem("LATIN", folded) if folded.isalpha() else folded
    return fold(_stemmers.stem(_script(folded), folded))


def _script(word: str) -> str:
    return unicodedata.name(word[0], "").partition(" ")[0]


def _without_accents(text: str) -> str:
    out: list[str] = []
    folds = False
    for char in unicodedata.normalize("NFD", text):
        if not unicodedata.combining(char):
            folds = bool(_FOLDED_SCRIPTS.fullmatch(char))
        elif folds:
            continue
        out.append(char)
    return unicodedata.normalize("NFC", "".join(out)).translate(_LETTERS)


@lru_cache(maxsize=1 << 14)
def _unspaced_terms(run: str) -> tuple[str, ...]:
    """Pairs of characters, and single ones where one character is a word."""
    run = unicodedata.normalize("NFKC", run).casefold()
    singles = run if len(run) == 1 else _SINGLES.findall(run)
    return (*singles, *(run[at : at + 2] for at in range(len(run) - 1)))
