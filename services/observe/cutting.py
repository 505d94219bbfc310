"""Cutting and cleaning of text for people.

Lengths are characters (code points). A cut never falls inside what a reader sees as one character: a letter with its
accents, an emoji joined of several, a flag, a syllable written with several letters. The rules are those of Unicode's
extended grapheme clusters (UAX 29), told from the character database of the standard library.
"""

import re
import unicodedata

ELLIPSIS = "…"

_ODD = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*+[ -/]*+[@-~]|\][^\x07\x1b]*+(?:\x07|\x1b\\)|[@-Z\\^_])")
_SURROGATE = re.compile(r"[\ud800-\udfff]")

_JOINER = "\u200d"
# Not marks by category, and yet part of the character before: joiners, skin tones, tags, and some vowels and signs.
_TRAILING = re.compile("[\u200c\u200d\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f\uff9e\uff9f\u0e33\u0eb3]")
_LEADING = re.compile("[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u110bd\U000110bd]")
_FLAG = re.compile("[\U0001f1e6-\U0001f1ff]")
_HANGUL = re.compile("[\u1100-\u115f\ua960-\ua97c][\u1100-\u11ff\ua960-\ua97c\uac00-\ud7a3]|"
                     "[\u1160-\u11ff\uac00-\ud7a3\ud7b0-\ud7fb][\u1160-\u11ff\ud7b0-\ud7fb]")  # fmt: skip
_VIRAMA = 9


def whole(text: str) -> str:
    """The text with surrogate pairs joined and half ones replaced by U+FFFD."""
    if text.isascii() or not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def clean(text: str) -> str:
    """Valid text without terminal colours and without control characters other than newline and tab."""
    if text.replace("\n", "").isprintable():
        return text
    text = whole(text)
    return _ODD.sub("", _ESCAPE.sub("", text)) if _ODD.search(text) else text


def cut(text: str, limit: int) -> str:
    """At most `limit` characters of the text; one that was cut ends in `…`, which counts."""
    window = 2 * limit + 2
    return _fit(whole(text[:window]), limit, len(text) > window)


def excerpt(text: str, limit: int) -> str:
    """At most `limit` characters of the cleaned text, for which the rest of a long text is not looked at."""
    window = 2 * limit + 64
    return _fit(clean(text[:window]), limit, len(text) > window)


def scalar(value: str | int | float | bool | None) -> str:
    """A scalar of JSON as text, as JSON writes it but without quotes."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    try:
        return str(value)
    except ValueError:  # Python refuses to write whole numbers of thousands of digits in base ten
        return hex(int(value))


def _fit(text: str, limit: int, more: bool) -> str:
    if not more and len(text) <= limit:
        return text
    if limit < 1:
        return ""
    return text[: _boundary(text, min(limit - 1, len(text)))].rstrip() + ELLIPSIS


def _boundary(text: str, index: int) -> int:
    """The last place at or before `index` between two characters as readers see them."""
    if index < len(text) and text[: index + 1].isascii():
        return index
    while index > 0 and (index == len(text) or _joined(text, index)):
        index -= 1
    return index


def _joined(text: str, index: int) -> bool:
    """Whether the code points before and at `index` make one character."""
    before, after = text[index - 1], text[index]
    if before == _JOINER or _TRAILING.match(after) or _LEADING.match(before) or unicodedata.category(after)[0] == "M":
        return True
    if _FLAG.match(before) and _FLAG.match(after):
        return _flags_before(text, index) % 2 == 1
    if unicodedata.combining(before) == _VIRAMA and unicodedata.category(after) == "Lo":
        return True
    return _HANGUL.match(before + after) is not None


def _flags_before(text: str, index: int) -> int:
    start = index
    while start > 0 and _FLAG.match(text[start - 1]):
        start -= 1
    return index - start
