"""What a report says went wrong: kinds of errors, their messages, their codes; and when two reports cannot be one.

Equal stacks under different errors are different defects: an allocation that fails and an index out of range come
through the same loop.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from services.tracker.similar.words import terms

_HEAD = re.compile(
    r"(?P<kind>\b(?:[\w$]+[.:]+)*[A-Z]\w*(?:Error|Exception|Fault|Panic|Interrupt)\b"
    r"|\bpanic(?=:)|\bfatal error(?=:)|\bSIG[A-Z]{2,5}\b)(?:\s*[:(]\s*(?P<message>[^\n]{0,300}))?"
)
_RUST = re.compile(r"panicked at (?:'(?P<quoted>[^'\n]{0,300})'|[^\n]{0,200}:\d+:\d+:\n?(?P<after>[^\n]{0,300}))")
_CODE = re.compile(
    r"\b(?:E[A-Z]{4,}|ERR_[A-Z0-9_]+|[A-Z]{2,8}[-_]?\d{3,6}|0[xX][89A-Fa-f][0-9a-fA-F]{7}"
    r"|(?:error(?: code)?|status(?: code)?|HTTP(?:/\d\.\d)?|errno|code)[ =:]{1,3}-?\d{1,6}|error\[E\d+\])(?![\w.])",
)
_VARYING = re.compile(r"0x[0-9a-fA-F]+|\d+|\"[^\"]*\"|'[^']*'|`[^`]*`|/\S+")
_EXAMINED = 16_000
# Messages of one kind of error that share less of their words than this are two messages.
_ALIKE = 0.34


@dataclass(frozen=True, slots=True)
class Errors:
    """`messages` are sets of terms by kind of error; `codes` are lower-cased."""

    messages: dict[str, list[frozenset[str]]]
    codes: frozenset[str]


def errors(text: str, listed: Iterable[str] = ()) -> Errors:
    """Errors in the first 16,000 characters of `text`; `listed` codes count as well."""
    text = text[:_EXAMINED]
    messages: dict[str, list[frozenset[str]]] = {}
    for match in _HEAD.finditer(text):
        kind = re.split(r"[.:]+", match["kind"])[-1].lower()
        messages.setdefault(kind, []).append(_message(match["message"] or ""))
    for match in _RUST.finditer(text):
        messages.setdefault("panic", []).append(_message(match["quoted"] or match["after"] or ""))
    codes = {_code(found) for found in (*_CODE.findall(text), *listed)}
    return Errors(messages, frozenset(codes - {""}))


def contradict(one: Errors, other: Errors) -> bool:
    """Whether both name an error and none of one's is the other's."""
    if one.codes and other.codes:
        return not one.codes & other.codes
    if not one.messages or not other.messages:
        return False
    return not any(
        _alike(left, right)
        for kind in one.messages.keys() & other.messages.keys()
        for left in one.messages[kind]
        for right in other.messages[kind]
    )


def _message(text: str) -> frozenset[str]:
    return frozenset(terms(_VARYING.sub(" ", text)))


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    if not one or not other:
        return True
    return len(one & other) / min(len(one), len(other)) >= _ALIKE


def _code(found: str) -> str:
    """`HTTP 404`, `status: 404` are both `404`; other codes as they are."""
    found = found.strip().lower()
    figures = re.search(r"[ =:](-?\d+)$", found)
    return figures[1] if figures else found.replace("error[", "").rstrip("]")
