"""How good probabilities are: calibration, precision and recall, average precision. Everything takes weights."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
BINS = 10


def expected_calibration_error(probabilities: Floats, labels: Floats, weights: Floats, *, bins: int = BINS) -> float:
    """Mean distance of share and probability over equally wide bins (Naeini et al. 2015, with weights)."""
    if not weights.sum():
        return 0.0
    place = np.minimum((probabilities * bins).astype(int), bins - 1)
    gaps = np.bincount(place, weights=weights * (probabilities - labels), minlength=bins)
    return float(np.abs(gaps).sum() / weights.sum())


def brier(probabilities: Floats, labels: Floats, weights: Floats) -> float:
    """Mean squared distance of probability and label."""
    return _mean((probabilities - labels) ** 2, weights)


def log_loss(probabilities: Floats, labels: Floats, weights: Floats) -> float:
    """Mean -ln of the probability that was given to what came, in nats."""
    given = np.clip(np.where(labels > 0, probabilities, 1 - probabilities), 1e-9, 1.0)
    return _mean(-np.log(given), weights)


def average_precision(scores: Floats, labels: Floats, weights: Floats, positives: float) -> float:
    """Area under the steps of precision over recall, where `positives` is the weight of all there is to find."""
    order = np.argsort(-scores, kind="stable")
    hits, seen = np.cumsum((labels * weights)[order]), np.cumsum(weights[order])
    # Equal scores come together: the precision of a group is that at its end.
    last = np.append(scores[order][1:] != scores[order][:-1], True) if len(order) else np.zeros(0, dtype=bool)
    hits, seen = hits[last], seen[last]
    gained = np.diff(hits, prepend=0.0)
    return float((gained * hits / np.maximum(seen, 1e-12)).sum() / positives) if positives else 0.0


def threshold_for(probabilities: Floats, labels: Floats, weights: Floats, precision: float) -> float:
    """The least probability from which on the precision is reached; NaN where it never is."""
    order = np.argsort(-probabilities, kind="stable")
    reached = np.cumsum((labels * weights)[order]) / np.maximum(np.cumsum(weights[order]), 1e-12)
    good = np.flatnonzero(reached >= precision)
    return float(probabilities[order][good[-1]]) if len(good) else float("nan")


def look_threshold(found: Floats, others: Floats, weights: Floats, *, recall: float, most: float) -> float:
    """From which probability on a report is worth a look.

    The largest at which the share `recall` of the `found` duplicates' originals is shown, raised where more than the
    share `most` of `others` (best candidates of drafts that duplicate nothing, with weights) would have something shown.
    """
    # Rounded first: 0.8 x 15 is a little more than 12.
    place = max(1, int(np.ceil(round(recall * len(found), 6))))
    wanted = float(np.sort(found)[::-1][place - 1]) if len(found) else 1.0
    values, places = np.unique(others, return_inverse=True)
    if not len(values):
        return wanted
    masses = np.bincount(places, weights=weights)
    shares = np.cumsum(masses[::-1])[::-1] / masses.sum()
    few = np.flatnonzero(shares <= most)
    return max(wanted, float(values[few[0]]) if len(few) else 1.0)


def _mean(values: Floats, weights: Floats) -> float:
    return float((values * weights).sum() / weights.sum()) if weights.sum() else 0.0
