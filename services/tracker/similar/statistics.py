"""What a record says of its terms: how many reports have each, how long reports are, which lines they share.

Plain numbers that a worker keeps per namespace and stores with the fit (as JSON), so that a check asks the source once.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from services.tracker.similar.boilerplate import SHARED_BY, line_keys, without_boilerplate
from services.tracker.similar.document import Document
from services.tracker.similar.frames import frame_keys


@dataclass(slots=True)
class Statistics:
    """`documents` reports with `title_length` and `body_length` terms each on average.

    `frequencies` counts reports by term, `lines` by key of a line (boilerplate.line_keys), `frames` by stack frame,
    `titles` by key of a title.
    """

    documents: int = 0
    title_length: float = 0.0
    body_length: float = 0.0
    frequencies: dict[str, int] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    frames: dict[str, int] = field(default_factory=dict)
    titles: dict[str, int] = field(default_factory=dict)

    def add(self, title: str, body: str) -> Document:
        """Counts one more report and gives its terms, without the lines that many reports share already."""
        document = self.document(title, body)
        self.add_document(document)
        _count(self.lines, set(line_keys(body).values()))
        _count(self.titles, set(line_keys(title).values()))
        _count(self.frames, set(frame_keys(body)))
        return document

    def add_document(self, document: Document) -> None:
        """Counts the terms of one more report alone."""
        share = 1 / (self.documents + 1)
        self.title_length += share * (document.title.total() - self.title_length)
        self.body_length += share * (document.body.total() - self.body_length)
        self.documents += 1
        _count(self.frequencies, document.terms)

    def document(self, title: str, body: str) -> Document:
        """Terms of a report, without the lines that many share."""
        return Document.of(title, self.kept(body))

    def kept(self, body: str) -> str:
        """A body without the lines that many share."""
        return without_boilerplate(body, self.lines)

    def series(self, title: str) -> int:
        """How many reports have this title but for its digits."""
        return max((self.titles.get(key, 0) for key in line_keys(title).values()), default=0)

    def idf(self, terms: Iterable[str]) -> NDArray[np.float64]:
        """ln((documents + 1) / (frequency + 1/2)) of each term. A term that nobody counted is in one report."""
        frequencies = np.fromiter(map(self.frequencies.get, terms, repeat(1)), dtype=np.float64)
        return idf(self.documents, frequencies)

    def frame_idf(self, frame: str) -> float:
        """As idf, of a stack frame, in [0, 1]: 1 where one report has it."""
        own, rarest = idf(max(self.documents, 2), np.array([self.frames.get(frame, 1), 1.0]))
        return min(1.0, float(own / rarest))

    def pruned(self) -> "Statistics":
        """Without what says nothing: terms and frames of one report, and lines that few share."""
        return Statistics(
            self.documents,
            self.title_length,
            self.body_length,
            {term: count for term, count in self.frequencies.items() if count > 1},
            {key: count for key, count in self.lines.items() if count >= SHARED_BY},
            {frame: count for frame, count in self.frames.items() if count > 1},
            {key: count for key, count in self.titles.items() if count > 1},
        )

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Statistics":
        """Raises ValueError where a field is missing or of another type."""
        try:
            return cls(
                int(data["documents"]),
                float(data["title_length"]),
                float(data["body_length"]),
                *({str(key): int(count) for key, count in data[name].items()} for name in _MAPS),
            )
        except (KeyError, TypeError, AttributeError):
            raise ValueError("not the statistics of a record") from None


_MAPS = ("frequencies", "lines", "frames", "titles")


def of_rows(reports: Iterable[tuple[str, str]]) -> Statistics:
    """Statistics of (title, body), oldest first."""
    found = Statistics()
    for title, body in reports:
        found.add(title, body)
    return found


def of_documents(documents: Iterable[Document]) -> Statistics:
    """Statistics of terms alone."""
    found = Statistics()
    for document in documents:
        found.add_document(document)
    return found


def of_frequencies(documents: int, frequencies: Mapping[str, int], candidates: Iterable[tuple[str, str]]) -> Statistics:
    """For a source without a fit: what one statement counted, and lengths as the candidates have them.

    `frequencies` are of the draft's terms alone (needles.needles gives what to count).
    """
    sample = of_rows(candidates)
    counted = {term: max(1, count) for term, count in frequencies.items()}
    return Statistics(documents, sample.title_length, sample.body_length, counted, dict(sample.lines))


def _count(counted: dict[str, int], keys: Iterable[str]) -> None:
    for key in keys:
        counted[key] = counted.get(key, 0) + 1


def idf(documents: int, frequencies: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weight of terms by how many of the reports have them. A frequency may be ahead of the number of reports."""
    return np.log((np.maximum(documents, frequencies) + 1) / (frequencies + 0.5))
