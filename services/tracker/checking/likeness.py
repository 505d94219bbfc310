"""How well a report fits, as one number that answers of all trackers share."""

import math

from services.tracker.similar.model import Scored
from services.tracker.similar.order import RELATED_ORDER


def likeness(item: Scored) -> float:
    """In [0, 1]: the probability of a fit, else 1/2 where two reports begin to be related."""
    if item.probability is not None:
        return item.probability
    return 1 / (1 + math.exp(-(item.order - RELATED_ORDER)))
