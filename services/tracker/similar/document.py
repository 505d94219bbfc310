"""Terms of one report."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from services.tracker.similar.words import counts

# What a mention in a title counts in TF-IDF.
TITLE_COUNTS = 3


@dataclass(frozen=True)
class Document:
    """Terms of one report's title and of its body without boilerplate."""

    title: Counter[str]
    body: Counter[str]

    @classmethod
    def of(cls, title: str, body: str) -> "Document":
        return cls(counts(title), counts(body))

    @cached_property
    def mentions(self) -> dict[str, int]:
        """How often each term occurs, a title's TITLE_COUNTS times."""
        found = {term: TITLE_COUNTS * count for term, count in self.title.items()}
        for term, count in self.body.items():
            found[term] = found.get(term, 0) + count
        return found

    @property
    def terms(self) -> Collection[str]:
        return self.mentions.keys()
