"""What the lexical leg sees of a memory: weighted counts of terms over title, content, kind, date and topic key."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from services.memory.retrieval.tokens import terms

# BM25F: an occurrence in the title counts as this many in the content.
TITLE_WEIGHT = 2
MOST_COUNT = 255
MOST_LENGTH = 65_535
# A text has fewer distinct terms than this unless it is no prose (a dump, a table); the rest is not indexed.
MOST_TERMS = 4_000


@dataclass(frozen=True, slots=True)
class Document:
    """One text as the index has it.

    `counts` are weighted term counts in [1, 255], `length` the number of terms of title and content.
    """

    counts: Mapping[str, int]
    length: int


def document(title: str, content: str, kind: str, topic_key: str | None, said_at: datetime) -> Document:
    """The document of one text of a memory; `said_at` in UTC."""
    in_title, in_content = Counter(terms(title)), Counter(terms(content))
    counts = Counter(in_content)
    for term, count in in_title.items():
        counts[term] += TITLE_WEIGHT * count
    for term in (*terms(kind), *terms(topic_key or ""), *date_terms(said_at)):
        counts[term] += 1
    kept = dict(counts.most_common(MOST_TERMS))
    length = sum(in_title.values()) + sum(in_content.values())
    return Document(
        {term: min(count, MOST_COUNT) for term, count in kept.items()},
        min(length, MOST_LENGTH),
    )


def date_terms(instant: datetime) -> list[str]:
    """A day as people write it: 2026-03-04, March, 4, 2026, Wednesday."""
    return terms(f"{instant:%Y-%m-%d %B %A}")
