"""Reports of a record in memory, in order of time, for what goes over all of them: the fit, links, benches.

About one kilobyte per report: terms as numbers, and the places of each term. A check never needs it.
"""

from array import array
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from services.tracker.similar.document import Document
from services.tracker.similar.needles import Needle

Indexes = NDArray[np.int64]


class Corpus:
    """Documents by number, 0 for the first added."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._terms: list[str] = []
        self._rows: list[tuple[array[int], array[int], array[int]]] = []
        # Per term the documents that have it, and of those the ones that have it in the title.
        self._anywhere: list[array[int]] = []
        self._in_title: list[array[int]] = []

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, document: Document) -> None:
        """Appends one report."""
        row, number = (array("I"), array("H"), array("H")), len(self._rows)
        for term in document.terms:
            index = self._index(term)
            row[0].append(index)
            row[1].append(min(document.title[term], 65_535))
            row[2].append(min(document.body[term], 65_535))
            self._anywhere[index].append(number)
            if document.title[term]:
                self._in_title[index].append(number)
        self._rows.append(row)

    def document(self, number: int) -> Document:
        """The report's terms as they were added."""
        terms, titles, bodies = self._rows[number]
        names = [self._terms[index] for index in terms]
        return Document(
            Counter({name: count for name, count in zip(names, titles, strict=True) if count}),
            Counter({name: count for name, count in zip(names, bodies, strict=True) if count}),
        )

    def pool(self, needles: Sequence[Needle], most: int) -> Indexes:
        """The `most` documents with the largest weight of needles, as the statement to a source would give them."""
        weights = np.zeros(len(self._rows))
        for needle in needles:
            index = self._numbers.get(needle.term)
            if index is not None:
                weights[np.frombuffer(self._anywhere[index], dtype=np.uint32)] += needle.weight
                if self._in_title[index]:
                    weights[np.frombuffer(self._in_title[index], dtype=np.uint32)] += needle.weight
        return largest(weights, most)

    def _index(self, term: str) -> int:
        index = self._numbers.setdefault(term, len(self._terms))
        if index == len(self._terms):
            self._terms.append(term)
            self._anywhere.append(array("I"))
            self._in_title.append(array("I"))
        return index


def largest(values: NDArray[np.float64], most: int) -> Indexes:
    """Places of the `most` largest values above 0, largest first; of equal ones the later."""
    places = np.argpartition(-values, most)[:most] if len(values) > most else np.arange(len(values))
    places = places[values[places] > 0]
    found: Indexes = places[np.lexsort((-places, -values[places]))]
    return found
