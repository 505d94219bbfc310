"""Scores of texts from the postings of a question's terms, in numpy."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from services.memory.retrieval.bm25 import contributions, idf
from services.memory.retrieval.fusion import LEAST_SESSIONS, lexical_relevance

Floats = NDArray[np.float64]


class Sizes(Protocol):
    """Of a user's texts: how many, their mean length, their episodes."""

    @property
    def texts(self) -> int: ...
    @property
    def average(self) -> float: ...
    @property
    def episodes(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Question:
    """A question's terms with their weights. `stand_ins` of unknown words weigh too, but not in the ceiling."""

    weights: Mapping[str, float]
    stand_ins: Mapping[str, float]

    @property
    def all(self) -> dict[str, float]:
        return {**self.stand_ins, **self.weights}

    @property
    def terms(self) -> frozenset[str]:
        return frozenset(self.all)

    @property
    def ceiling(self) -> float:
        """What a text of average length reaches that has every term once."""
        return sum(self.weights.values())


def score_lists(
    question: Question, rows: Sequence[Mapping[str, Any]], average: float
) -> tuple[list[tuple[int, int]], dict[int, float]]:
    """Texts (id, revision), best first, and relevance by revision, from whole lists.

    Each row has a term and, alike in order, ids, revisions, counts and lengths of the texts that have it.
    """
    if not rows:
        return [], {}
    weights = question.all
    revisions = np.concatenate([np.asarray(row["revisions"], dtype=np.uint64) for row in rows])
    ids = np.concatenate([np.asarray(row["ids"], dtype=np.uint64) for row in rows])
    found = [
        contributions(
            np.asarray(row["counts"], dtype=np.float64)[:, None],
            np.asarray(row["lengths"], dtype=np.float64),
            average,
            np.array([weights[row["term"]]]),
        )[:, 0]
        for row in rows
    ]
    texts, first, places = np.unique(revisions, return_index=True, return_inverse=True)
    scores = np.bincount(places, weights=np.concatenate(found), minlength=len(texts))
    relevance = lexical_relevance(scores, question.ceiling)
    order = np.lexsort((texts, -scores))
    best = list(zip(ids[first][order].tolist(), texts[order].tolist(), strict=True))
    return best, dict(zip(texts.tolist(), relevance.tolist(), strict=True))


def score_rows(question: Question, rows: Iterable[Mapping[str, Any]], texts: Sequence[int], average: float) -> Floats:
    """Relevance of each of `texts` (revisions) from rows of revision_id, size, terms and counts."""
    weights = question.all
    columns = {term: column for column, term in enumerate(weights)}
    places = {text: place for place, text in enumerate(texts)}
    counts, lengths = np.zeros((len(texts), len(columns))), np.zeros(len(texts))
    for row in rows:
        place = places[row["revision_id"]]
        lengths[place] = row["size"]
        for term, count in zip(row["terms"], row["counts"], strict=True):
            counts[place, columns[term]] = count
    scores = contributions(counts, lengths, average, np.array(list(weights.values()))).sum(axis=1)
    return lexical_relevance(scores, question.ceiling)


def by_session(question: Question, rows: Sequence[Mapping[str, Any]], sizes: Sizes) -> dict[int, float]:
    """Relevance by episode of sessions as a whole; empty where there are too few for that to tell anything.

    Every session counts as one of average length.
    """
    known = [row for row in rows if row["term"] in question.weights]
    if sizes.episodes < LEAST_SESSIONS or not known:
        return {}
    names, places = np.unique(np.concatenate([row["episodes"] for row in known]), return_inverse=True)
    counts = np.zeros((len(names), len(known)))
    start = 0
    for column, row in enumerate(known):
        end = start + len(row["episodes"])
        np.add.at(counts[:, column], places[start:end], np.asarray(row["counts"], dtype=np.float64))
        start = end
    weights = idf(sizes.episodes, (counts > 0).sum(axis=0).astype(np.float64))
    missing = len(question.weights) - len(known)
    ceiling = float(weights.sum()) + missing * float(idf(sizes.episodes, np.zeros(1))[0])
    scores = contributions(counts, np.ones(len(names)), 1.0, weights).sum(axis=1)
    return dict(zip(names.tolist(), lexical_relevance(scores, ceiling).tolist(), strict=True))
