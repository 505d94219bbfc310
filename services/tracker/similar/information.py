"""Whether a draft says enough to be compared, and whether what two reports share says anything."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from services.tracker.similar.document import Document
from services.tracker.similar.statistics import Statistics
from services.tracker.similar.stopwords import REPORT_WORDS
from services.tracker.similar.words import word_terms

# Words of a title that say what it is about; with fewer, something else has to agree.
SHORT_TITLE = 3
_LEAST_BODY = 4
# A word that more than this share of the reports have is common.
_COMMON_SHARE = 0.02

NOTHING, SHORT, ENOUGH = "nothing", "short", "enough"


@dataclass(frozen=True, slots=True)
class Said:
    """`level` is NOTHING (cannot be compared), SHORT (needs evidence beside the title) or ENOUGH."""

    level: str
    reason: str = ""


def said(draft: Document, statistics: Statistics, *, has_evidence: bool) -> Said:
    """What a draft says. `has_evidence`: it has stack frames of the application, an error code or names an item."""
    title, body = specific(draft.title.keys()), specific(draft.body.keys())
    if has_evidence:
        return Said(ENOUGH if len(title) >= SHORT_TITLE else SHORT)
    if len(body) >= _LEAST_BODY:
        return Said(ENOUGH if len(title) >= SHORT_TITLE else SHORT)
    if not title:
        return Said(NOTHING, "generic_text" if draft.title else "empty_title")
    if len(title) == 1 and _is_common(next(iter(title)), statistics):
        return Said(NOTHING, "single_common_word")
    return Said(ENOUGH if len(title) >= SHORT_TITLE else SHORT)


def specific(terms: Iterable[str]) -> set[str]:
    """Terms that are not words which every report has."""
    return set(terms) - _report_terms()


def _is_common(term: str, statistics: Statistics) -> bool:
    """Without statistics a plain word counts as common, and a name with a digit or much length as rare."""
    if not statistics.documents:
        return len(term) <= 12 and term.isalpha()
    return statistics.frequencies.get(term, 1) > max(3.0, _COMMON_SHARE * statistics.documents)


@cache
def _report_terms() -> frozenset[str]:
    return frozenset(term for word in REPORT_WORDS for term in word_terms(word))
