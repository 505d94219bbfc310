"""BM25F over a few hundred candidates, in numpy.

Formula: Robertson and Zaragoza, The Probabilistic Relevance Framework (2009), 3.3 and 3.6, with the weighted counts of
`documents` as term frequencies, and the idf that is never negative, ln(1 + (N - df + 0.5) / (df + 0.5)).
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

# Short texts: counts saturate early, and length says little.
K1, B = 0.9, 0.4

Floats = NDArray[np.float64]


def idf(total: int, frequencies: Floats) -> Floats:
    """Weight of each term from the number of texts that have it; `total` is the number of texts."""
    if not total:
        return np.zeros_like(frequencies)
    # The formula above in one fraction; a frequency may be ahead of the total by what was just written.
    return np.log((np.maximum(total, frequencies) + 1) / (frequencies + 0.5))


def contributions(counts: Floats, lengths: Floats, average: float, weights: Floats) -> Floats:
    """What each term adds to each text's score: shape (texts, terms), as `counts`.

    `lengths` is (texts,), `average` the mean length of all texts, `weights` (terms,) the idf of each term. A term that
    occurs once in a text of average length adds exactly its weight.
    """
    norm = K1 * (1 - B + B * lengths / max(average, 1.0))
    return weights * counts * (K1 + 1) / (counts + norm[:, None])


def term_weights(terms: Sequence[str], frequencies: Mapping[str, int], total: int) -> dict[str, float]:
    """idf by term; a term without a frequency occurs in no text."""
    counts = np.array([frequencies.get(term, 0) for term in terms], dtype=np.float64)
    return dict(zip(terms, idf(total, counts).tolist(), strict=True))
