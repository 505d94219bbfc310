"""The order of candidates where a namespace has no fit of its own, and the ground on which fits stand.

Weights were chosen on the older halves of two unlike public records and rounded by hand: both records are ordered as
well by them as by weights fitted to either (docs/adr/0016-similar-reports.md). Frames, names and fixes in flight have
no labels there; their weights are judgement.
"""

import numpy as np
from numpy.typing import NDArray

from services.tracker.similar.features import COLUMN

Floats = NDArray[np.float64]

# Scores from here on are worth a reader's look: about four in five duplicates that are found, and three in ten others.
RELATED_ORDER = 0.0

_COMMON = {
    "amount": 0.5,
    "named": 0.2,
    "component_same": 0.8,
    "version_same": 0.8,
    "codes_same": 0.5,
    "errors_other": -0.8,
    "conflict": -1.6,
    "frames": 4.0,
    "mentioned": 1.0,
    "touched": 1.0,
}
_WITH_VECTORS = {
    **_COMMON,
    "bm25f": 1.5,
    "covered": 2.0,
    "covers": 1.0,
    "rarest": 2.0,
    "tfidf_rank": 1.5,
    "cosine": 2.0,
    "cosine_lead": 2.0,
    "cosine_rank": 1.0,
}
_WITHOUT = {**_COMMON, "bm25f": 2.0, "covered": 2.5, "covers": 1.5, "rarest": 2.5, "tfidf_rank": 2.0}
_ZERO_WITH_VECTORS, _ZERO_WITHOUT = 9.5, 9.3


def default_order(features: Floats, *, with_vectors: bool) -> Floats:
    """A score for each row of features (columns as features.NAMES); a hand-made logit, not a probability."""
    weights, zero = (_WITH_VECTORS, _ZERO_WITH_VECTORS) if with_vectors else (_WITHOUT, _ZERO_WITHOUT)
    columns = [COLUMN[name] for name in weights]
    return features[:, columns] @ np.array(list(weights.values())) - zero
