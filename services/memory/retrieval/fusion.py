"""Scores of both legs to one text relevance in [0, 1], which means the same for every question and every store.

Lexical: BM25 over what the question could reach if each of its terms occurred once in a text of average length. A term
that the store does not know counts in that ceiling, so that a question about something else stays low.
Semantic: cosine between the model's floor (unrelated texts) and its ceiling (the same fact in other words).
Why scores and not ranks, and where the numbers come from: docs/adr/0010-memory-search.md.
"""

import numpy as np
from numpy.typing import NDArray

LEXICAL_WEIGHT = 0.55
# What the better of the texts one place away in the same session lends a text, and the better of those two away.
NEIGHBOUR_SHARES = (0.4, 0.2)
# How much the session as a whole counts, and from how many sessions on that tells anything.
SESSION_WEIGHT, LEAST_SESSIONS = 0.15, 12
# The most that a session lends a text beyond as much as the text has of its own: one that has nothing to do with the
# question but stands beside its answer stays far below the answer.
MOST_LENT = 0.2

# Sums over 1 are bent back from here on.
KNEE = 0.8

Floats = NDArray[np.float64]
Indexes = NDArray[np.int64]


def lexical_relevance(scores: Floats, ceiling: float) -> Floats:
    """BM25 scores over the question's ceiling (the sum of its terms' weights), in [0, 1]."""
    if ceiling <= 0:
        return np.zeros_like(scores)
    return soften(np.maximum(scores / ceiling, 0.0))


def semantic_relevance(cosines: Floats, floor: float, ceiling: float) -> Floats:
    """Cosines between the model's floor and ceiling, in [0, 1]; NaN, for a text without a vector yet, stays NaN."""
    return np.clip((cosines - floor) / max(ceiling - floor, 1e-6), 0.0, 1.0)


def fuse(lexical: Floats | None, semantic: Floats | None) -> Floats:
    """Weighted sum of the legs. A leg that did not run (None) or has nothing on a text yet (NaN) has no weight there."""
    if lexical is None or semantic is None:
        only = lexical if lexical is not None else semantic
        return np.zeros(0) if only is None else np.nan_to_num(only)
    both = LEXICAL_WEIGHT * lexical + (1 - LEXICAL_WEIGHT) * semantic
    return np.where(np.isnan(semantic), lexical, both)


def lend(scores: Floats, neighbours: Indexes, sessions: Floats | None = None) -> Floats:
    """Scores with what their sessions lend them, in [0, 1].

    `neighbours` has shape (texts, 4): indexes into `scores` of the texts 1 before, 1 after, 2 before, 2 after in the
    same session; -1 where there is none. `sessions` has the lexical relevance of each text's session, where there are
    LEAST_SESSIONS of them; a session alone makes no hit of nothing.
    """
    padded = np.append(scores, 0.0)  # what index -1 finds
    near, far = NEIGHBOUR_SHARES
    lent = near * padded[neighbours[:, :2]].max(axis=1) + far * padded[neighbours[:, 2:]].max(axis=1)
    if sessions is not None:
        lent = lent + np.where(scores + lent > 0, SESSION_WEIGHT * sessions, 0.0)
    return soften(scores + np.minimum(lent, MOST_LENT + scores))


def contrast(relevance: Floats) -> Floats:
    """Relevance in [0, 1] with weak made weaker and strong stronger, in the same order (3r^2 - 2r^3).

    The fused scores of right answers and of near misses lie closer together than recency's whole range, so without it
    the date would decide between them.
    """
    return relevance * relevance * (3 - 2 * relevance)


def soften(scores: Floats) -> Floats:
    """Scores of at least 0 into [0, 1]: up to KNEE as they are, above it ever closer to 1, so that order remains."""
    above = np.maximum(scores - KNEE, 0.0)
    return np.minimum(scores, KNEE) + (1 - KNEE) * -np.expm1(-above / (1 - KNEE))
