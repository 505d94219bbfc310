"""Plain methods, each over everything that was there before the draft, with boilerplate lines dropped."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from services.tracker.similar.document import Document
from services.tracker.similar.walk import Record

Floats = NDArray[np.float64]
RRF_K = 60


class Lexical:
    """Counts of a record's terms, asked with what was there before each report."""

    def __init__(self, record: Record, documents: Sequence[Document]) -> None:
        self.record, self.documents = record, documents
        places: dict[str, list[tuple[int, int, int]]] = {}
        for place, document in enumerate(documents):
            for term in document.terms:
                places.setdefault(term, []).append((place, document.title[term], document.body[term]))
        self.postings = {term: np.array(rows, dtype=np.int32) for term, rows in places.items()}
        self.titles = np.array([document.title.total() for document in documents], dtype=np.float64)
        self.bodies = np.array([document.body.total() for document in documents], dtype=np.float64)
        self.components = [frozenset(report.component.split(", ")) - {""} for report in record.reports]
        self.norms = self._norms()

    def bm25(self, place: int, *, title_weight: float = 1.0, k1: float = 1.2, b: float = 0.75) -> Floats:
        """One field, in which a title counts `title_weight` times."""
        found, lengths = np.zeros(place), (title_weight * self.titles + self.bodies)[:place]
        norm = k1 * (1 - b + b * lengths / max(lengths.mean(), 1.0))
        for term in self.documents[place].terms:
            rows = self._before(term, place)
            if len(rows):
                counts = title_weight * rows[:, 1] + rows[:, 2]
                found[rows[:, 0]] += _idf(place, len(rows)) * counts * (k1 + 1) / (counts + norm[rows[:, 0]])
        return found

    def with_components(self, place: int, scores: Floats, *, bonus: float = 0.15) -> Floats:
        """A share of the best score more for a common component."""
        own = self.components[place]
        same = np.array([bool(own & other) for other in self.components[:place]], dtype=np.float64)
        return scores + bonus * scores.max(initial=0.0) * same * (scores > 0)

    def tfidf(self, place: int) -> Floats:
        """Cosine with sublinear counts; idf over the whole record, as a library's vectoriser would have it."""
        found = np.zeros(place)
        for term, count in self.documents[place].mentions.items():
            rows = self._before(term, place)
            if len(rows):
                weight = (1 + np.log(count)) * _idf(len(self.documents), len(self.postings[term])) ** 2
                found[rows[:, 0]] += weight * (1 + np.log(3 * rows[:, 1] + rows[:, 2]))
        return found / self.norms[:place]

    def _before(self, term: str, place: int) -> NDArray[np.int32]:
        rows = self.postings[term]
        return rows[: np.searchsorted(rows[:, 0], place)]

    def _norms(self) -> Floats:
        squares = np.zeros(len(self.documents))
        for rows in self.postings.values():
            weights = (1 + np.log(3 * rows[:, 1] + rows[:, 2])) * _idf(len(self.documents), len(rows))
            squares[rows[:, 0]] += weights**2
        return np.sqrt(np.maximum(squares, 1e-9))


def methods(lexical: Lexical) -> dict[str, Callable[[int], Floats]]:
    """Score of every earlier report, by the names of ../shared/data/README.md."""
    vectors = lexical.record.vectors
    assert vectors is not None

    def minilm(place: int) -> Floats:
        return (vectors[:place] @ vectors[place]).astype(np.float64)

    def bm25f(place: int) -> Floats:
        return lexical.with_components(place, lexical.bm25(place, title_weight=3.0))

    def fused(*legs: Callable[[int], Floats]) -> Callable[[int], Floats]:
        return lambda place: sum((_reciprocal(leg(place)) for leg in legs), np.zeros(place))

    return {
        "BM25 (title + body)": lexical.bm25,
        "BM25F, title x 3, component agreement": bm25f,
        "TF-IDF, sublinear": lexical.tfidf,
        "MiniLM-L6 int8 alone, 64 pieces": minilm,
        "rank fusion of BM25F and TF-IDF": fused(bm25f, lexical.tfidf),
        "rank fusion of BM25F and MiniLM": fused(bm25f, minilm),
        "rank fusion of TF-IDF and MiniLM": fused(lexical.tfidf, minilm),
    }


def _reciprocal(scores: Floats) -> Floats:
    ranks = np.empty(len(scores))
    ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return np.where(scores > 0, 1.0 / (RRF_K + ranks), 0.0)


def _idf(total: int, frequency: int) -> float:
    return float(np.log((total + 1) / (frequency + 0.5)))
