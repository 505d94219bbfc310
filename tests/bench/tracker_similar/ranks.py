"""Rank of the right report, with every bucket as one entry, and what it comes to over many drafts."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

MISSED = 10**9


def rank_of(root: int, targets: NDArray[np.int64], scores: NDArray[np.float64]) -> int:
    """Rank of `root` among the buckets; a bucket scores as its best member, and ties count against the method."""
    mine = scores[targets == root]
    if not len(mine) or mine.max() <= -np.inf:
        return MISSED
    ahead = np.unique(targets[scores >= mine.max()])
    return max(1, int((ahead != root).sum()) + 1)


def line(ranks: Sequence[int]) -> tuple[float, float, float]:
    """recall@1, recall@10, MAP (one right answer each: the mean of 1 / rank)."""
    found = np.array(ranks, dtype=np.float64)
    return float((found <= 1).mean()), float((found <= 10).mean()), float((1 / found).mean())
