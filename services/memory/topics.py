"""A topic key out of what a memory says: `area/sub-area`, the same for the same words."""

import regex

from services.memory.retrieval.stopwords import STOP_WORDS
from services.memory.retrieval.tokens import fold

AREAS = {
    "profile": "user",
    "preference": "preferences",
    "decision": "decisions",
    "pattern": "patterns",
    "discovery": "discoveries",
    "summary": "sessions",
}
MOST_WORDS = 4
MOST_WORD_CHARS = 32
NOTHING = "general"
_WORD = regex.compile(r"[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*")
# Of a long content the beginning says what it is about.
_LOOKED_AT = 2_000


def suggest(type_: str, title: str, content: str) -> str:
    """The area is the kind's, the sub-area the first telling words of the title, or of the content without any."""
    area = AREAS.get(type_) or type_.replace("/", "-")
    in_title, in_content = _words(title), _words(content[:_LOOKED_AT])
    words = _telling(in_title) or _telling(in_content) or in_title or in_content or [NOTHING]
    return f"{area}/{'-'.join(word[:MOST_WORD_CHARS] for word in words[:MOST_WORDS])}"


def _words(text: str) -> list[str]:
    words = (fold(match[0]).replace("'", "").replace("’", "") for match in _WORD.finditer(text))
    return [word for word in dict.fromkeys(words) if word]


def _telling(words: list[str]) -> list[str]:
    return [word for word in words if word not in STOP_WORDS]
