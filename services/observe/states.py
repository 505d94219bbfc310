"""States of extraction and their merge rule.

pending -> ready -> claimed -> extracted | empty. States only go forward: the version of a state row packs, from the
most significant bit down, rank of the state (3 bits), attempt of the claim (16 bits) and the instant turned around
(45 bits of milliseconds). So the furthest state stands whoever wrote it last; of two claims of one attempt, and of two
endings, the first stands; and a claim after an expired lease, which is a further attempt, replaces the expired one.
"""

from datetime import datetime

PENDING, READY, CLAIMED, EXTRACTED, EMPTY = "pending", "ready", "claimed", "extracted", "empty"
STATES = (PENDING, READY, CLAIMED, EXTRACTED, EMPTY)
RANK = {PENDING: 0, READY: 1, CLAIMED: 2, EXTRACTED: 3, EMPTY: 3}

ATTEMPT_BITS, MOMENT_BITS = 16, 45
LAST_ATTEMPT = (1 << ATTEMPT_BITS) - 1
LAST_MOMENT = (1 << MOMENT_BITS) - 1
LAST_VERSION = (1 << 64) - 1


def version(state: str, attempt: int, at: datetime) -> int:
    """Version of a state row written at `at` (UTC); `attempt` counts the claims of the row, 0 for none."""
    moment = min(int(at.timestamp() * 1000), LAST_MOMENT)
    attempt = min(attempt, LAST_ATTEMPT)
    return (RANK[state] << (ATTEMPT_BITS + MOMENT_BITS)) | (attempt << MOMENT_BITS) | (LAST_MOMENT - moment)
