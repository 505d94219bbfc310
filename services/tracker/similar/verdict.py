"""Scored candidates to a verdict, and how far it may be trusted.

Verdicts: duplicate_of, related, none. Epistemic: calibrated (a fit, and every leg answered), uncalibrated (no fit:
related at most), degraded (a leg or tracker was silent: none clears nothing), unavailable (nothing answered).
"""

from collections.abc import Mapping, Sequence

from services.tracker.similar.evidence import SAME_TITLE, sentence
from services.tracker.similar.fit import Fit
from services.tracker.similar.information import NOTHING, Said
from services.tracker.similar.model import Scored, Verdict
from services.tracker.similar.order import RELATED_ORDER

DUPLICATE, RELATED, NONE = "duplicate_of", "related", "none"
CALIBRATED, UNCALIBRATED, DEGRADED, UNAVAILABLE = "calibrated", "uncalibrated", "degraded", "unavailable"
# Cosine of two texts' terms from which on they say the same in the same words.
NEARLY_EQUAL = 0.75
# States of a leg in which it says nothing, and nothing is missing for it.
ANSWERED = "ok"
UNASKED = frozenset({"off", "not_provided", "not_asked"})


def epistemic(legs: Mapping[str, str], fit: Fit | None) -> str:
    """From the legs' states: `ok`, one of UNASKED, or any reason of silence (timeout, circuit_open, …)."""
    asked = [state for state in legs.values() if state not in UNASKED]
    if asked and ANSWERED not in asked:
        return UNAVAILABLE
    if any(state != ANSWERED for state in asked):
        return DEGRADED
    return UNCALIBRATED if fit is None else CALIBRATED


def decide(
    scored: Sequence[Scored], said: Said, fit: Fit | None, legs: Mapping[str, str], *, top_k: int = 10
) -> Verdict:
    """`scored` is best first."""
    trust = epistemic(legs, fit)
    nearest = tuple(scored[:top_k])
    common = {"nearest": nearest, "leg_status": dict(legs), "threshold": fit.threshold if _serves(fit) else None}
    if said.level == NOTHING:
        return _verdict(NONE, trust, (), None, reasons=(said.reason,), **common)
    found = [item for item in scored if item.says_the_same]
    duplicates = tuple(item for item in found if _is_duplicate(item, fit))
    if duplicates:
        return _verdict(DUPLICATE, trust, duplicates[:top_k], duplicates[0].probability, **common)
    with_vectors = any(item.features.get("cosine") for item in scored)
    least = fit.related_from(with_vectors=with_vectors) if fit else 0.0
    related = tuple(item for item in found if _is_related(item, fit, least))
    if related:
        reasons = (*_unserved(fit), *related[0].caps)
        return _verdict(RELATED, trust, related[:top_k], related[0].probability, reasons=reasons, **common)
    return _verdict(NONE, trust, (), _nothing(scored, fit), **common)


def _serves(fit: Fit | None) -> bool:
    return fit is not None and fit.serves_duplicates


def _is_duplicate(item: Scored, fit: Fit | None) -> bool:
    if fit is None or not fit.serves_duplicates or item.probability is None or item.caps:
        return False
    return item.probability >= fit.threshold


def _is_related(item: Scored, fit: Fit | None, least: float) -> bool:
    """What the draft names itself, or what has its title or nearly its text, is related whatever a fit makes of it."""
    if item.features.get("mentioned") or SAME_TITLE in item.why or item.features.get("tfidf", 0.0) >= NEARLY_EQUAL:
        return True
    if fit is None or item.probability is None:
        return item.order >= RELATED_ORDER
    return item.probability >= least


def _unserved(fit: Fit | None) -> tuple[str, ...]:
    if fit is None:
        return ("no_fit",)
    return () if fit.serves_duplicates else (fit.reason,)


def _nothing(scored: Sequence[Scored], fit: Fit | None) -> float | None:
    if fit is None:
        return None
    return 1.0 - max((item.probability or 0.0 for item in scored), default=0.0)


def _verdict(
    verdict: str, trust: str, items: tuple[Scored, ...], confidence: float | None, **fields: object
) -> Verdict:
    """A confidence is given only where it is one: with a fit, and with nothing missing."""
    return Verdict(
        verdict=verdict,
        epistemic=trust,
        answer=sentence(verdict, trust, items, fields.get("reasons", ())),  # type: ignore[arg-type]
        confidence=confidence if trust == CALIBRATED else None,
        items=items,
        **fields,  # type: ignore[arg-type]
    )
