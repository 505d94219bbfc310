"""What may be shown: names whose values are private, and what is left of a library's message without its values.

A backstop for logs and spans. The rule is that code hands over names and numbers only; this catches what slips.
"""

import re
from enum import Enum
from functools import lru_cache
from typing import Any

MASK = "***"

_PRIVATE = re.compile(
    r"auth|authorization|bearer|cookies?|tokens?|jwt|passw(?:or)?d|passphrase|secrets?|credentials?|apikey|"
    r"narratives?|contents?|quer(?:y|ies)|titles?|prompts?|body|texts?|snippets?|summar(?:y|ies)|comments?|payload|"
    r"arguments|args|params|inputs?|outputs?|diff"
)
_PRIVATE_PAIR = re.compile(r"(?:api|private|secret|access|signing)_key")
# A name that ends in one of these says how much, not what.
_MEASURE = re.compile(
    r"bytes|chars|count|days|dir|enabled|file|hours|id|length|limit|max|min|ms|path|ratio|rows|s|seconds|size|type"
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+")
_MAX_DEPTH = 6
# A message without arguments may be an f-string: these are the characters that values follow.
_CONSTANT_PART = re.compile(r"[^:'\"`(\[{<\n\r]{0,120}")


@lru_cache(maxsize=2048)
def is_private(key: str) -> bool:
    """True for a name whose value may be private: `authorization`, `query_text`, `db.apiKey`, not `content_type`."""
    words = [word.lower() for word in _WORD.findall(key)]
    if not words or _MEASURE.fullmatch(words[-1]):
        return False
    return any(map(_PRIVATE.fullmatch, words)) or bool(_PRIVATE_PAIR.search("_".join(words)))


def masked(value: Any, depth: int = 1) -> Any:
    """The value with the mask in place of every member that has a private name."""
    if depth > _MAX_DEPTH:
        return MASK
    if isinstance(value, dict):
        return {str(key): MASK if is_private(str(key)) else masked(member, depth + 1) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [masked(member, depth + 1) for member in value]
    return value


def type_name(value: object) -> str:
    """How a value without a form of its own is shown: by its type, since its text may be private."""
    return f"<{type(value).__qualname__}>"


def foreign_text(template: object, args: Any) -> str:
    """A library's log message with its numbers and without its texts, which may be a caller's."""
    if not isinstance(template, str):
        return type_name(template)
    if not args:
        constant = _CONSTANT_PART.match(template)
        return constant[0].strip() if constant else ""
    if not isinstance(args, tuple):
        return template
    try:
        return template % tuple(map(_number, args))
    except (TypeError, ValueError):
        return template


def _number(arg: object) -> object:
    if isinstance(arg, Enum):
        return arg.name
    return arg if isinstance(arg, int | float) else "…"
