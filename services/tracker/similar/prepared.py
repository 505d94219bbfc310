"""A report with what is derived from its text, each part when it is first asked for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from services.tracker.similar.document import Document
from services.tracker.similar.errors import Errors, errors
from services.tracker.similar.frame_match import application
from services.tracker.similar.frames import Frame, frames, given_frames
from services.tracker.similar.mentions import Mention, mentions
from services.tracker.similar.model import Candidate, Draft
from services.tracker.similar.statistics import Statistics

# Texts whose parts are kept, some 35 kB each: those of one check, and what the next one has in common with it.
_KEPT = 600


@dataclass(frozen=True)
class Prepared:
    """`report` is a draft or a candidate, `document` its terms."""

    report: Draft | Candidate
    document: Document

    @classmethod
    def of(cls, report: Draft | Candidate, statistics: Statistics) -> "Prepared":
        return cls(report, _document(report.title, statistics.kept(report.body)))

    @cached_property
    def frames(self) -> list[Frame]:
        """Given frames, else those in the body."""
        return _frames(self.report.frames, self.report.body)

    @cached_property
    def own_frames(self) -> list[str]:
        return application(self.frames)

    @cached_property
    def errors(self) -> Errors:
        return _errors(f"{self.report.title}\n{self.report.body}", self.report.error_codes)

    @cached_property
    def named(self) -> list[Mention]:
        """Items that the text or the given list names; what stands in an HTML comment is a template's."""
        given: Sequence[str] = getattr(self.report, "mentions", ())
        text = "\n".join((self.report.title, self.report.body, *given))
        return [found for found in mentions(text, self.report.repo) if found.aside != "html_comment"]

    @cached_property
    def components(self) -> frozenset[str]:
        return _parts(self.report.component)

    @cached_property
    def versions(self) -> frozenset[str]:
        return _parts(self.report.version)


def prepare(draft: Prepared, reports: Iterable[Candidate], statistics: Statistics) -> None:
    """Takes apart what a check of the draft will look at, so that this can be done while more is read."""
    for report in reports:
        other = Prepared.of(report, statistics)
        _ = other.document.mentions
        _ = other.frames if draft.own_frames else ()
        _ = other.errors if draft.errors.codes or draft.errors.messages else ()


@lru_cache(maxsize=_KEPT)
def _document(title: str, body: str) -> Document:
    return Document.of(title, body)


@lru_cache(maxsize=_KEPT)
def _frames(given: tuple[str, ...], body: str) -> list[Frame]:
    return given_frames(given) or frames(body)


@lru_cache(maxsize=_KEPT)
def _errors(text: str, codes: tuple[str, ...]) -> Errors:
    return errors(text, codes)


def forget() -> None:
    """Leaves nothing that was taken apart before: for who measures."""
    for kept in (_document, _frames, _errors):
        kept.cache_clear()


def _parts(text: str) -> frozenset[str]:
    return frozenset(part.strip().casefold() for part in text.replace(";", ",").split(",") if part.strip())
