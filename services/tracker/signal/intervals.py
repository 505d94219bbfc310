"""Intervals and tails of proportions."""

from math import comb, sqrt

Z95 = 1.959963984540054  # two-sided 95 %


def wilson(hits: int, runs: int, z: float = Z95) -> tuple[float, float]:
    """Wilson score interval of a proportion (Wilson 1927), within [0, 1]; (0, 1) without runs."""
    if runs <= 0:
        return 0.0, 1.0
    share, square = hits / runs, z * z
    middle = (share + square / (2 * runs)) / (1 + square / runs)
    half = z / (1 + square / runs) * sqrt(share * (1 - share) / runs + square / (4 * runs * runs))
    low = 0.0 if hits == 0 else max(0.0, middle - half)
    high = 1.0 if hits == runs else min(1.0, middle + half)
    return low, high


def at_least(hits: int, tries: int, share: float) -> float:
    """Probability of `hits` or more in `tries`, each with probability `share`."""
    if hits <= 0:
        return 1.0
    if share >= 1.0:
        return 1.0 if hits <= tries else 0.0
    return min(1.0, sum(comb(tries, k) * share**k * (1 - share) ** (tries - k) for k in range(hits, tries + 1)))


def expected_rate(fails: int, runs: int) -> float:
    """Mean of the failure rate after `fails` of `runs` under Jeffreys' prior; never 0, so that it can be
    multiplied.
    """
    return (fails + 0.5) / (runs + 1)
