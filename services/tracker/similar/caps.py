"""Reasons why a candidate cannot be the draft's duplicate, only related to it, however alike the two are."""

from dataclasses import dataclass

from services.tracker.similar import twins
from services.tracker.similar.errors import contradict
from services.tracker.similar.features import is_named
from services.tracker.similar.information import SHORT, Said, specific
from services.tracker.similar.model import Candidate
from services.tracker.similar.prepared import Prepared
from services.tracker.similar.process import is_process
from services.tracker.similar.statistics import Statistics

CYCLE, ROOT_UNKNOWN, PROCESS, SHORT_TITLE, OTHER_ERROR = (
    "cycle_of_duplicates",
    "root_not_read_or_not_older",
    "process_ticket",
    "short_title",
    "other_error",
)
TWIN = "titles_differ_by_"
# Shared words of bodies that bear out a short title.
_LEAST_SHARED = 3


@dataclass(frozen=True, slots=True)
class Context:
    """What is the same for all candidates of a check."""

    draft: Prepared
    said: Said
    is_process: bool
    statistics: Statistics

    @classmethod
    def of(cls, draft: Prepared, said: Said, statistics: Statistics) -> "Context":
        return cls(draft, said, is_process(draft.report.title, draft.report.body, (), statistics), statistics)


def pair_caps(context: Context, candidate: Prepared) -> list[str]:
    """Caps from the two reports themselves."""
    found = []
    if kind := twins.difference(context.draft.report.title, candidate.report.title):
        found.append(TWIN + kind)
    elif twins.conflicts(context.draft.report.title, candidate.report.title):
        found.append(f"{TWIN}platform")
    if context.is_process or _is_process(candidate, context.statistics):
        found.append(PROCESS)
    if context.said.level == SHORT and not _borne_out(context.draft, candidate):
        found.append(SHORT_TITLE)
    if contradict(context.draft.errors, candidate.errors):
        found.append(OTHER_ERROR)
    return found


def says_the_same(draft: Prepared, candidate: Prepared) -> bool:
    """Whether the two share more than words that every report has."""
    if not isinstance(candidate.report, Candidate):
        return False
    if specific(draft.document.terms) & specific(candidate.document.terms):
        return True
    return _has_shared_code(draft, candidate) or is_named(draft, candidate.report) or candidate.report.touched


def _borne_out(draft: Prepared, candidate: Prepared) -> bool:
    """Body, stack frames or codes that agree beside a short title."""
    bodies = specific(draft.document.body.keys()) & specific(candidate.document.body.keys())
    return len(bodies) >= _LEAST_SHARED or _has_shared_code(draft, candidate)


def _has_shared_code(draft: Prepared, candidate: Prepared) -> bool:
    frames = draft.own_frames and not set(draft.own_frames).isdisjoint(candidate.own_frames)
    return bool(frames or draft.errors.codes & candidate.errors.codes)


def _is_process(candidate: Prepared, statistics: Statistics) -> bool:
    report = candidate.report
    labels = report.labels if isinstance(report, Candidate) else ()
    return is_process(report.title, report.body, labels, statistics)
