"""What goes into a check and what comes out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class Draft:
    """A report that may exist already. `created_at` (aware) is when it was or would be filed; None is now."""

    title: str
    body: str = ""
    created_at: datetime | None = None
    repo: str = ""
    number: int = 0
    component: str = ""
    version: str = ""
    error_codes: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A report of the record that some leg found.

    `cosine` is None where one of the two texts has no vector. `touched` tells that a PR that touches the draft's paths
    fixes it. `legs` are the names of the legs that found it, for the answer alone.
    """

    source_id: str
    number: int
    title: str
    body: str = ""
    created_at: datetime | None = None
    closed_at: datetime | None = None
    state: str = ""
    state_reason: str = ""
    component: str = ""
    version: str = ""
    error_codes: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    duplicate_of: int = 0
    fixed_by: tuple[int, ...] = ()
    fix_release: str = ""
    url: str = ""
    cosine: float | None = None
    touched: bool = False
    legs: tuple[str, ...] = ()

    @property
    def repo(self) -> str:
        """`Org/repo` of the source_id; empty where it has none."""
        return self.source_id.rpartition("#")[0]

    @classmethod
    def of(cls, row: Mapping[str, Any], **found: Any) -> "Candidate":
        """From a row of the contract's github_issues; `found` is what the legs add. Absent columns may be missing."""
        given = {name: row[name] for name in _PLAIN if row.get(name) is not None}
        for name in _LISTS:
            given[name] = tuple(row.get(name) or ())
        return cls(**(given | found))

    def was_open(self, at: datetime | None) -> bool:
        """Whether the report was open at the instant; as it is now for None."""
        if self.closed_at is None:
            return self.state != "closed"
        return at is not None and self.closed_at > at


_LISTS = ("error_codes", "frames", "labels", "fixed_by")
_PLAIN = (
    "source_id",
    "number",
    "title",
    "body",
    "created_at",
    "closed_at",
    "state",
    "state_reason",
    "component",
    "version",
    "duplicate_of",
    "url",
)


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with what speaks for it.

    `order` ranks candidates of one check (any scale); `probability` is None without a fit. `caps` are the reasons why
    it can be `related` at most, `why` what the two have in common, both as short names; `members` are the other reports of
    its bucket that were found. Without `says_the_same` the two share only words that every report has.
    """

    candidate: Candidate
    order: float
    probability: float | None
    features: Mapping[str, float]
    caps: tuple[str, ...] = ()
    why: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    says_the_same: bool = True


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer of a check; see verdict.decide.

    `items` are what the verdict rests on, `nearest` the best ranked reports whatever the verdict. `confidence` is the
    probability that the first item is the same defect, for `none` that no candidate is; None without a calibrated fit.
    """

    verdict: str
    epistemic: str
    answer: str
    confidence: float | None
    items: tuple[Scored, ...] = ()
    nearest: tuple[Scored, ...] = ()
    threshold: float | None = None
    reasons: tuple[str, ...] = ()
    leg_status: Mapping[str, str] = field(default_factory=dict)
