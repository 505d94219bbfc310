"""What to ask a source for: the terms of a draft that few reports have, as they stand in texts.

The statement returns the rows with the largest `sum(weight * (in title or body)) + sum(weight * (in title))`. The
title's terms come first, since a body's rarest terms are mostly its own (paths, ids): on public records twelve
needles chosen so find 89 % of the duplicates within 300 rows, the rarest of all terms 69 %.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from services.tracker.similar.statistics import Statistics
from services.tracker.similar.text import K3, TITLE_WEIGHT
from services.tracker.similar.words import _TOKEN, counts, surface, word_terms

MOST_NEEDLES = 12
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class Needle:
    """`text` is to be searched for in lower-cased text; `term` is whose frequency it has."""

    term: str
    text: str
    weight: float


def needles(title: str, body: str, statistics: Statistics, *, most: int = MOST_NEEDLES) -> list[Needle]:
    """At most `most`, the title's first, each group by falling weight. Without statistics all terms are as rare."""
    in_title, in_body = counts(title), counts(body)
    texts = dict(_surfaces(f"{title}\n{body}"))
    found: list[tuple[bool, float, Needle]] = []
    terms = sorted(in_title.keys() | in_body.keys())
    for term, idf in zip(terms, statistics.idf(terms).tolist(), strict=True):
        asked = TITLE_WEIGHT * in_title[term] + in_body[term]
        weight = idf * asked * (K3 + 1) / (K3 + asked)
        if weight > 0 and len(text := texts.get(term, "")) >= _SHORTEST:
            found.append((term not in in_title, -idf, Needle(term, text, weight)))
    found.sort(key=lambda item: (*item[:2], item[2].term))
    distinct = {needle.text: needle for _, _, needle in reversed(found)}
    return [needle for _, _, needle in found if distinct[needle.text] is needle][:most]


def _surfaces(text: str) -> Iterator[tuple[str, str]]:
    """(term, longest text that every spelling seen has in common)."""
    shortest: dict[str, str] = {}
    for word in dict.fromkeys(_TOKEN.findall(text)):
        for term in word_terms(word):
            piece = surface(word, term)
            if term not in shortest or len(piece) < len(shortest[term]):
                shortest[term] = piece
    yield from shortest.items()
