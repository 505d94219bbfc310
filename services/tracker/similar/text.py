"""How near the texts of reports are to a draft's: BM25F and TF-IDF over a few hundred candidates, in numpy.

BM25F: Robertson and Zaragoza, The Probabilistic Relevance Framework (2009), 3.6; the draft's own counts saturate with
K3 (3.1 there). TF-IDF: cosine of (1 + ln tf) idf. Settings were chosen on the older halves of two public records
(docs/adr/0016-similar-reports.md): a title says as much as six mentions in a body.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from services.tracker.similar.document import TITLE_COUNTS, Document
from services.tracker.similar.statistics import Statistics

Floats = NDArray[np.float64]

TITLE_WEIGHT = 6.0
K1, K3 = 4.0, 20.0
B_TITLE, B_BODY = 0.6, 0.85


@dataclass(frozen=True, slots=True)
class TextScores:
    """One number per candidate, each in [0, 1] unless said otherwise.

    bm25f: share of what the draft would score against itself. amount: ln(1 + the sum itself). tfidf, title: cosines of
    all text and of titles. covered: share of the draft's title (by idf) that the candidate has anywhere. covers: share
    of the candidate's title that the draft's title has. rarest: largest idf of a term in both titles. named: ln(1 + idf
    of shared identifiers, codes and numbers). Sums and idf are in units of the idf of a term that one report has, so
    that records of all sizes compare.
    """

    bm25f: Floats
    amount: Floats
    tfidf: Floats
    title: Floats
    covered: Floats
    covers: Floats
    rarest: Floats
    named: Floats


def score(draft: Document, documents: Sequence[Document], statistics: Statistics) -> TextScores:
    """Scores of `documents` against a draft."""
    terms = sorted(draft.terms)
    idf = statistics.idf(terms)
    in_title, in_body = _matrix(terms, documents)
    own_title, own_body = _matrix(terms, [draft])
    sums = _bm25f(in_title, in_body, _lengths(documents), own_title, own_body, idf, statistics)
    itself = _bm25f(own_title, own_body, _lengths([draft]), own_title, own_body, idf, statistics)
    titled = own_title[0] > 0
    unit = float(statistics.idf([""])[0])
    both_titles = (in_title > 0) & titled
    anywhere = (in_title + in_body) > 0
    title_squares, title_sums = _title_sizes(documents, statistics)
    named = np.array([_is_name(term) for term in terms], dtype=bool)
    return TextScores(
        bm25f=_ratio(sums, itself),
        amount=np.log1p(sums / unit),
        tfidf=_tfidf(draft, documents, terms, in_title, in_body, idf, statistics),
        title=_ratio(both_titles @ idf**2, np.sqrt(title_squares * (titled @ idf**2))),
        covered=_ratio((anywhere & titled) @ idf, titled @ idf),
        covers=_ratio(both_titles @ idf, title_sums),
        rarest=np.clip((both_titles * idf).max(axis=1, initial=0.0) / unit, 0.0, 1.0),
        named=np.log1p((anywhere & named) @ idf / unit),
    )


def _matrix(terms: Sequence[str], documents: Sequence[Document]) -> tuple[Floats, Floats]:
    """Counts in titles and in bodies, each of shape (documents, terms)."""
    columns = {term: column for column, term in enumerate(terms)}
    titles, bodies = np.zeros((len(documents), len(terms))), np.zeros((len(documents), len(terms)))
    for row, document in enumerate(documents):
        for term in columns.keys() & document.mentions.keys():
            titles[row, columns[term]] = document.title[term]
            bodies[row, columns[term]] = document.body[term]
    return titles, bodies


def _lengths(documents: Sequence[Document]) -> tuple[Floats, Floats]:
    return (
        np.array([document.title.total() for document in documents], dtype=np.float64),
        np.array([document.body.total() for document in documents], dtype=np.float64),
    )


def _bm25f(
    in_title: Floats,
    in_body: Floats,
    lengths: tuple[Floats, Floats],
    own_title: Floats,
    own_body: Floats,
    idf: Floats,
    statistics: Statistics,
) -> Floats:
    title_norm = 1 - B_TITLE + B_TITLE * lengths[0] / max(statistics.title_length, 1.0)
    body_norm = 1 - B_BODY + B_BODY * lengths[1] / max(statistics.body_length, 1.0)
    weighted = TITLE_WEIGHT * in_title / title_norm[:, None] + in_body / body_norm[:, None]
    asked = TITLE_WEIGHT * own_title[0] + own_body[0]
    return (weighted * (K1 + 1) / (weighted + K1)) @ (asked * (K3 + 1) / (K3 + asked) * idf)


def _tfidf(
    draft: Document,
    documents: Sequence[Document],
    terms: Sequence[str],
    in_title: Floats,
    in_body: Floats,
    idf: Floats,
    statistics: Statistics,
) -> Floats:
    mentions = TITLE_COUNTS * in_title + in_body
    weights = np.where(mentions > 0, 1 + np.log(np.maximum(mentions, 1)), 0.0) * idf
    own = (1 + np.log([draft.mentions[term] for term in terms])) * idf
    norms = np.sqrt(_squares([document.mentions for document in documents], statistics))
    return _ratio(weights @ own, norms * np.linalg.norm(own))


def _squares(counted: Sequence[Mapping[str, int]], statistics: Statistics) -> Floats:
    """Sum of squared TF-IDF weights of each."""
    mentions = np.array([count for terms in counted for count in terms.values()], dtype=np.float64)
    weights = (1 + np.log(mentions)) * statistics.idf(term for terms in counted for term in terms)
    return np.bincount(_owners(counted), weights=weights**2, minlength=len(counted))


def _title_sizes(documents: Sequence[Document], statistics: Statistics) -> tuple[Floats, Floats]:
    """Sum of the squared idf of each title's terms, and of the idf itself."""
    titles = [document.title for document in documents]
    idf, owners = statistics.idf(term for terms in titles for term in terms), _owners(titles)
    squares, sums = (np.bincount(owners, weights=values, minlength=len(titles)) for values in (idf**2, idf))
    return squares, sums


def _owners(counted: Sequence[Mapping[str, int]]) -> NDArray[np.int64]:
    """For each term of all, whose it is."""
    return np.repeat(np.arange(len(counted)), [len(terms) for terms in counted])


def _ratio(part: Floats, whole: Floats | float) -> Floats:
    """part / whole in [0, 1]; 0 where there is no whole."""
    whole = np.broadcast_to(np.asarray(whole, dtype=np.float64), part.shape)
    return np.clip(np.divide(part, whole, out=np.zeros_like(part, dtype=np.float64), where=whole > 0), 0.0, 1.0)


def _is_name(term: str) -> bool:
    """Identifiers, error codes, versions and numbers: few words of a language are as long or hold a digit."""
    return len(term) > 12 or any(char.isdigit() for char in term)
