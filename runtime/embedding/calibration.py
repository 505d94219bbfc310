"""How near unrelated texts and wordings of one fact stand for a model, so that its cosines can be told apart.

Every model has its own scale (0.1 and 0.65 for the default one, 0.7 and 0.9 for some others). The pairs below are
embedded once; the floor is the mean cosine of texts of different lines, the ceiling that of the two texts of a line.
"""

from collections.abc import Callable, Sequence

import numpy as np

from runtime.embedding.interface import Vectors

PAIRS = (
    ("I prefer tea to coffee in the morning.", "What do I like to drink for breakfast?"),
    ("The deployment runs every Thursday at noon.", "When do we release?"),
    ("Her brother moved to Norway last summer.", "Where does her brother live now?"),
    ("The invoice table needs an index on customer_id.", "Which index was missing for invoices?"),
    ("We decided to keep raw logs for ninety days.", "How long are log files stored?"),
    ("The cat has to take a pill twice a day.", "What medicine does our pet get?"),
    ("Use tabs, not spaces, for indentation.", "How should code be indented?"),
    ("The concert was cancelled because of the storm.", "Why did the show not take place?"),
)


def calibrate(embed: Callable[[Sequence[str]], Vectors]) -> tuple[float, float, int]:
    """Floor, ceiling and dimension of a model; `embed` gives rows of length one."""
    left, right = (embed([pair[side] for pair in PAIRS]) for side in (0, 1))
    cosines = left @ right.T
    same = float(np.mean(np.diag(cosines)))
    other = float(cosines[~np.eye(len(PAIRS), dtype=bool)].mean())
    # Questions meet texts that only share a topic: the mean of strangers is too low a floor.
    floor = other + 0.1 * (same - other)
    return floor, max(same + 0.2 * (same - other), floor + 0.05), left.shape[1]
