"""The stored fit of a namespace: features to a probability, in numpy alone, and plain JSON to keep it in.

The probability is a logistic function of standardised features and of the default order's score; it is one of the
candidate being the draft's duplicate at the record's own share of duplicates. Two sets of parameters are kept, so that
a check without vectors is calibrated too.
"""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from services.tracker.similar.features import NAMES
from services.tracker.similar.order import default_order

Floats = NDArray[np.float64]

VERSION = 2
# A threshold below or above is not believed, whatever the record says.
THRESHOLD_MIN, THRESHOLD_MAX = 0.5, 0.95
# One chance in ten is worth a look on any record; a record's own threshold may lie below.
RELATED = 0.1
# Standardised features are cut off here: a value that the fit has never seen must not decide alone.
_FARTHEST = 6.0


@dataclass(frozen=True, slots=True)
class Logistic:
    """Parameters by feature name; features that are not named do not count. `prior` weighs the default order."""

    means: Mapping[str, float]
    scales: Mapping[str, float]
    weights: Mapping[str, float]
    intercept: float
    prior: float

    def probabilities(self, features: Floats, *, with_vectors: bool) -> Floats:
        """Of each row of features (columns as features.NAMES)."""
        columns = [NAMES.index(name) for name in self.weights]
        means, scales, weights = (
            np.array([values[name] for name in self.weights], dtype=np.float64)
            for values in (self.means, self.scales, self.weights)
        )
        standard = np.clip((features[:, columns] - means) / scales, -_FARTHEST, _FARTHEST)
        logits = standard @ weights + self.prior * default_order(features, with_vectors=with_vectors) + self.intercept
        return sigmoid(logits)


@dataclass(frozen=True, slots=True)
class Quality:
    """What a fit reached on reports newer than those it was fitted on. Counts are of drafts; shares are in [0, 1].

    precision and recall are at the served threshold; precision is None where nothing reached it. related_recall is the
    share of duplicates whose original is at least `related`, related_share that of other drafts which have anything
    related. log_loss is of the best candidate's probability, in nats.
    """

    drafts: int
    duplicates: int
    served: int
    precision: float | None
    recall: float
    brier: float
    ece: float
    average_precision: float
    log_loss: float
    related_recall: float = 0.0
    related_share: float = 0.0


@dataclass(frozen=True, slots=True)
class Fit:
    """`serves_duplicates` is False where the precision wanted was not shown; `reason` says why.

    `related` and `related_without` are the probabilities from which on a report is worth a look, with vectors and
    without: each set of parameters spreads its probabilities in its own way.
    """

    with_vectors: Logistic
    without_vectors: Logistic
    threshold: float
    serves_duplicates: bool
    reason: str
    quality: Quality
    related: float = RELATED
    related_without: float = RELATED
    version: int = VERSION
    labelled: int = 0

    def probabilities(self, features: Floats, *, with_vectors: bool) -> Floats:
        """Of each row of features being a duplicate."""
        chosen = self.with_vectors if with_vectors else self.without_vectors
        return chosen.probabilities(features, with_vectors=with_vectors)

    def related_from(self, *, with_vectors: bool) -> float:
        """The probability from which on a report is related."""
        return self.related if with_vectors else self.related_without

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Fit":
        """Raises ValueError for anything that to_json did not give, and for the fit of another version."""
        try:
            if data["version"] != VERSION:
                raise ValueError("the fit is of another version")
            parts = {
                "with_vectors": _logistic(data["with_vectors"]),
                "without_vectors": _logistic(data["without_vectors"]),
                "quality": Quality(**data["quality"]),
            }
            return cls(**{**data, **parts})
        except (KeyError, TypeError, AttributeError):
            raise ValueError("not a fit") from None


def sigmoid(logits: Floats) -> Floats:
    return 1.0 / (1.0 + np.exp(-np.clip(logits, -40.0, 40.0)))


def clamp(threshold: float, low: float = THRESHOLD_MIN, high: float = THRESHOLD_MAX) -> float:
    """Within the limits that the settings give. Raises ValueError where they are crossed."""
    if low > high:
        raise ValueError("the least threshold is above the largest")
    return high if math.isnan(threshold) else min(high, max(low, threshold))


def _logistic(data: Mapping[str, Any]) -> Logistic:
    found = Logistic(**data)
    if set(found.weights) - set(NAMES) or any(not found.scales[name] > 0 for name in found.weights):
        raise ValueError("the fit has features that are not known")
    return found
