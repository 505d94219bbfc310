"""Which pull request fixed an issue that nobody linked.

score = closeness in time x (words + names + files) + what is written. Closeness counts as much as words
(docs/adr/0016-similar-reports.md); its fading was chosen on the older half of a public record.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from services.tracker.similar import text
from services.tracker.similar.closing import CLOSES, Bounds, Claim, claims, mentioned
from services.tracker.similar.document import Document
from services.tracker.similar.model import Candidate
from services.tracker.similar.prepared import Prepared
from services.tracker.similar.statistics import Statistics, of_documents

Floats = NDArray[np.float64]

# How fast a merge's weight fades with the days between it and the issue's resolution.
_FADE = 0.25
_LEAST_CLOSENESS = 0.05
# A written link stands above every recovered one.
_WRITTEN, _MENTIONED = 2.0, 0.3
_FRAMES, _NAMES, _COMPONENT = 0.5, 0.3, 0.15
MOST_DIFF, _MOST_PATHS = 200_000, 50


@dataclass(frozen=True, slots=True)
class Pull:
    """A merged pull request. `highest` and `merged_elsewhere` are as in closing.Bounds."""

    source_id: str
    number: int
    title: str
    body: str = ""
    merged_at: datetime | None = None
    component: str = ""
    head_ref: str = ""
    commits: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    diff: str = ""
    closes: tuple[int, ...] = ()
    merged_elsewhere: bool = False

    @property
    def repo(self) -> str:
        return self.source_id.rpartition("#")[0]


@dataclass(frozen=True, slots=True)
class Link:
    """`evidence` is name -> strength. A score of at least 1 comes of a written link alone, or of words, names, frames and
    time that all agree."""

    pull: str
    issue: str
    score: float
    is_written: bool
    evidence: Mapping[str, float] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()


def link(
    issue: Candidate,
    pulls: Sequence[Pull],
    statistics: Statistics,
    highest: Mapping[str, int],
    *,
    most: int = 20,
    claimed: Mapping[str, Sequence[Claim]] | None = None,
) -> list[Link]:
    """The likeliest fixes of an issue among `pulls`, best first; those merged before it was filed are left out.

    `statistics` are of the pull requests (pull_statistics), `highest` is the largest number of each repository.
    `claimed` has what each of them claims (claims_of), for who asks for many issues.
    """
    later = sorted((pull for pull in pulls if _is_after(pull, issue)), key=lambda pull: pull.source_id)
    if not later:
        return []
    prepared = Prepared.of(issue, statistics)
    words = _words(prepared, later, statistics)
    names = frozenset(IDENTIFIER.findall(f"{issue.title}\n{issue.body[:8_000]}"))
    known = claimed or {pull.source_id: claims_of(pull, highest) for pull in later}
    found = [
        _link(prepared, names, pull, share, known[pull.source_id])
        for pull, share in zip(later, words.tolist(), strict=True)
    ]
    found = [item for item in found if item.score > 0]
    return sorted(found, key=lambda item: (not item.is_written, -item.score, item.pull))[:most]


def claims_of(pull: Pull, highest: Mapping[str, int]) -> list[Claim]:
    """What the pull request says of items, itself or by its branch and commits."""
    bounds = Bounds(highest, pull.merged_elsewhere)
    return claims(pull.title, pull.body, pull.repo, bounds, commits=pull.commits, branch=pull.head_ref)


def pull_statistics(pulls: Iterable[Pull]) -> Statistics:
    """Term statistics of pull requests: what an issue's words are worth among them."""
    return of_documents(document_of(pull.title, pull.body, pull.paths) for pull in pulls)


def closeness(resolved: datetime | None, merged: datetime | None) -> float:
    """In (0, 1]: 1 at the issue's resolution, falling with the days between; 1/2 where either is unknown."""
    if resolved is None or merged is None:
        return 0.5
    days = abs((merged.astimezone(UTC) - resolved.astimezone(UTC)).total_seconds()) / 86_400
    return max(_LEAST_CLOSENESS, float((1 + days) ** -_FADE))


def _is_after(pull: Pull, issue: Candidate) -> bool:
    return issue.created_at is None or pull.merged_at is None or pull.merged_at >= issue.created_at


def _words(issue: Prepared, pulls: Sequence[Pull], statistics: Statistics) -> Floats:
    """BM25F and TF-IDF together, in [0, 1] of what the issue's own text would reach."""
    scores = text.score(issue.document, [document_of(pull.title, pull.body, pull.paths) for pull in pulls], statistics)
    found: Floats = (scores.bm25f + scores.tfidf) / 2
    return found


@lru_cache(maxsize=1 << 13)
def document_of(title: str, body: str, paths: tuple[str, ...]) -> Document:
    """Names of files say what a change is about; those of folders are shared by all changes."""
    names = " ".join(path.rpartition("/")[2] for path in paths[:_MOST_PATHS])
    return Document.of(title, f"{body}\n{names}")


def _link(issue: Prepared, names: frozenset[str], pull: Pull, words: float, claimed: Sequence[Claim]) -> Link:
    report = issue.report
    number, repo = report.number, report.repo
    said = mentioned(claimed, repo, number)
    is_written = any(claim.reason == CLOSES for claim in said) or (pull.repo == repo and number in pull.closes)
    near = closeness(getattr(report, "closed_at", None), pull.merged_at)
    evidence = {
        "words": words,
        "frames": _FRAMES * _frames_in_diff(issue.own_frames, pull),
        "identifiers": _NAMES * _names_in_diff(names, pull),
        "component": _COMPONENT * (bool(report.component) and report.component.casefold() == pull.component.casefold()),
        "mentioned": _MENTIONED * bool(said),
    }
    score = near * sum(evidence.values()) + _WRITTEN * is_written
    shown = {name: value for name, value in evidence.items() if value > 0} | {"closeness": near}
    return Link(pull.source_id, getattr(report, "source_id", ""), score, is_written, shown, tuple(said))


IDENTIFIER = re.compile(r"\b(?:[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+|\w+_\w+|\w+(?:\.\w+)+)\b")


def _names_in_diff(names: frozenset[str], pull: Pull) -> float:
    """Share of the issue's identifiers that the diff has; three at least for the whole."""
    if not names or not pull.diff:
        return 0.0
    changed = pull.diff[:MOST_DIFF]
    return sum(name.rpartition(".")[2] in changed for name in names) / max(len(names), 3)


def _frames_in_diff(own: Sequence[str], pull: Pull) -> float:
    """Weight of the issue's own frames whose function or file the diff touches; the innermost counts most."""
    changed = f"{pull.diff[:MOST_DIFF]}\n{' '.join(pull.paths)}"
    if not own or not changed.strip():
        return 0.0
    weights = [1 / (1 + place) for place in range(len(own))]
    hit = [weight for weight, key in zip(weights, own, strict=True) if function_of(key) in changed]
    return sum(hit) / sum(weights)


def function_of(key: str) -> str:
    """The last part of a frame's key that is a name of its own."""
    parts = [part for part in re.split(r"[.:!/]+", key) if part and part not in {"lambda", "anonymous"}]
    return parts[-1] if parts else key
