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
    return f"{_slug([type_], 1) if type_ not in AREAS else AREAS[type_]}/{_sub_area(title, content)}"


def _sub_area(title: str, content: str) -> str:
    for text in (title, content[:_LOOKED_AT]):
        words = [fold(match[0]).replace("'", "").replace("’", "") for match in _WORD.finditer(text)]
        telling = [word for word in dict.fromkeys(words) if word and word not in STOP_WORDS]
        if telling or words:
            return _slug(telling or list(dict.fromkeys(words)), MOST_WORDS)
    return NOTHING


def _slug(words: list[str], most: int) -> str:
    return "-".join(word[:MOST_WORD_CHARS] for word in words[:most])
