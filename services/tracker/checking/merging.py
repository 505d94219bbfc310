"""Verdicts of several trackers as one: the strongest verdict stands, the weakest trust holds."""

from collections.abc import Sequence

from services.tracker.checking.checker import Checked
from services.tracker.checking.likeness import likeness
from services.tracker.similar.evidence import sentence
from services.tracker.similar.model import Scored

RANK = {"duplicate_of": 2, "related": 1, "none": 0}
CALIBRATED, UNCALIBRATED, DEGRADED, UNAVAILABLE = "calibrated", "uncalibrated", "degraded", "unavailable"

Placed = tuple[Scored, Checked]


def strongest(checks: Sequence[Checked]) -> Checked:
    """The tracker whose verdict stands; of equal ones the one that is surer, and then the first."""
    return max(checks, key=lambda each: (RANK[each.verdict.verdict], _sureness(each)))


def trust(checks: Sequence[Checked]) -> str:
    """Silence of one tracker degrades the whole, since what it would have said is missing."""
    found = {each.verdict.epistemic for each in checks}
    if found == {UNAVAILABLE}:
        return UNAVAILABLE
    if found & {UNAVAILABLE, DEGRADED}:
        return DEGRADED
    return UNCALIBRATED if UNCALIBRATED in found else CALIBRATED


def confidence(checks: Sequence[Checked], best: Checked, trusted: str) -> float | None:
    """Of the whole: that nothing is found holds as far as it holds for each tracker."""
    if trusted != CALIBRATED:
        return None
    if best.verdict.verdict != "none":
        return best.verdict.confidence
    return min((each.verdict.confidence for each in checks if each.verdict.confidence is not None), default=None)


def answer(best: Checked, trusted: str) -> str:
    """The sentence of the verdict that stands; what another tracker's silence leaves open is said in it."""
    verdict = best.verdict
    if verdict.epistemic == trusted:
        return verdict.answer
    return sentence(verdict.verdict, trusted, verdict.items, verdict.reasons)


def items(checks: Sequence[Checked], verdict: str, top_k: int) -> list[Placed]:
    """What the verdict rests on, of every tracker that has it."""
    return _best(
        [(item, each) for each in checks if each.verdict.verdict == verdict for item in each.verdict.items], top_k
    )


def nearest(checks: Sequence[Checked], top_k: int) -> list[Placed]:
    return _best([(item, each) for each in checks for item in each.verdict.nearest], top_k)


def _best(found: Sequence[Placed], top_k: int) -> list[Placed]:
    """Orders of trackers with and without a fit are on two scales; their likeness is on one."""
    return sorted(found, key=lambda placed: (-likeness(placed[0]), placed[0].candidate.source_id))[:top_k]


def _sureness(checked: Checked) -> float:
    first = checked.verdict.items[:1]
    return (first[0].probability or 0.0) if first else 0.0
