"""What the process of heavy work can do: recover links, and fit a record. Rows go in as pages, answers are JSON."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from services.tracker.similar.fit import Fit
from services.tracker.similar.link import Pull
from services.tracker.similar.model import Candidate
from services.tracker.similar.recover import Recovery, condensed
from services.tracker.similar.statistics import of_rows
from services.tracker.similar.walk import Record

# Below this share of reports with a vector, a fit is made without them: a missing one would look like a far one.
LEAST_COVERED = 0.95

_INSTANTS = ("created_at", "closed_at", "merged_at")
# Sums of floats differ in their last places with the order of their parts, which hashing decides.
_PLACES = 9
KEPT, MADE, NONE = "kept", "made", "none"


class Jobs:
    """The state between jobs: pull requests for links, or reports for a fit."""

    def __init__(self) -> None:
        self._recovery = Recovery({})
        self._reports: list[Candidate] = []
        self._vectors: list[NDArray[np.float32]] = []

    def do(self, message: dict[str, Any], extra: bytes) -> dict[str, Any]:
        """Does one job. Raises KeyError for one that there is not."""
        jobs: Mapping[str, Callable[..., dict[str, Any]]] = {
            "begin_links": self.begin_links,
            "pulls": self.pulls,
            "link": self.link,
            "begin_fit": self.begin_fit,
            "reports": self.reports,
            "fit": self.fit,
        }
        job = jobs[message.pop("job")]
        return job(**message, **({"extra": extra} if extra else {}))

    def begin_links(self, highest: dict[str, int]) -> dict[str, Any]:
        """Forgets what was there. `highest` is the largest number of each repository."""
        self._recovery = Recovery(highest)
        return {}

    def pulls(self, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
        for row in rows:
            self._recovery.add(pull_of(row))
        return {}

    def link(self, rows: Sequence[dict[str, Any]], most: int, since: str | None) -> dict[str, Any]:
        """Links of issues: [issue, pr, score, written, evidence]. Rows that say `whole` are of all pull requests."""
        from_ = None if since is None else datetime.fromisoformat(since)
        found = []
        for row in rows:
            whole = row.pop("whole")
            for each in self._recovery.links(report_of(row), most=most, since=None if whole else from_):
                evidence = {name: round(value, _PLACES) for name, value in each.evidence.items()}
                found.append([each.issue, each.pull, round(each.score, _PLACES), each.is_written, evidence])
        return {"links": found}

    def begin_fit(self) -> dict[str, Any]:
        """Forgets what was there."""
        self._reports, self._vectors = [], []
        return {}

    def reports(self, rows: Sequence[dict[str, Any]], dim: int = 0, extra: bytes = b"") -> dict[str, Any]:
        """`extra` has the rows' vectors of `dim` float32 each, zeros where a row has none."""
        self._reports += map(report_of, rows)
        if dim:
            self._vectors.append(np.frombuffer(extra, dtype="<f4").reshape(len(rows), dim).astype(np.float16))
        return {}

    def fit(self, stored: dict[str, Any] | None, low: float, high: float, fits: bool) -> dict[str, Any]:
        """The record's statistics and fit.

        `state` is `made` (a new fit), `kept` (the stored one is no worse on the newest reports; its quality is measured
        anew) or `none`; without `fits` only statistics are made.
        """
        vectors = self._all_vectors()
        record = Record(self._reports, vectors)
        self._reports, self._vectors = [], []
        before = _stored(stored)
        state, reason, made = _fitted(record, before, low, high) if fits else (NONE, "not_asked", None)
        statistics = record.statistics
        if statistics.documents < len(record.reports):
            statistics = of_rows((report.title, report.body) for report in record.reports)
        return {
            "state": state,
            "reason": reason,
            "fit": made.to_json() if made else None,
            "statistics": statistics.pruned().to_json(),
            "reports": len(record.reports),
            "duplicates": len(record.duplicates()),
            "has_vectors": vectors is not None,
        }

    def _all_vectors(self) -> NDArray[np.float32] | None:
        if sum(map(len, self._vectors)) != len(self._reports) or not self._reports:
            return None
        found = np.concatenate(self._vectors).astype(np.float32)
        return found if found.any(axis=1).mean() >= LEAST_COVERED else None


def _fitted(record: Record, before: Fit | None, low: float, high: float) -> tuple[str, str, Fit | None]:
    """State, reason, and the fit that serves from now on.

    A stored fit that has become worse than is wanted serves no duplicates any more.
    """
    # Imported here: reading scikit-learn takes longer than most links do.
    from services.tracker.similar import fitting

    try:
        outcome = fitting.fit(record, stored=before, low=low, high=high)
    except (ValueError, IndexError):
        # Labels of one kind alone, as when no duplicate's root can be found by words.
        outcome = fitting.Outcome(None, "not_fittable")
    if outcome.fit is not None:
        return MADE, outcome.reason, outcome.fit
    if before is None:
        return NONE, outcome.reason, None
    if outcome.stored is None:
        return KEPT, outcome.reason, before
    why = fitting.unserved(outcome.stored)
    return KEPT, outcome.reason, replace(before, quality=outcome.stored, serves_duplicates=not why, reason=why)


def _stored(stored: dict[str, Any] | None) -> Fit | None:
    try:
        return Fit.from_json(stored) if stored else None
    except ValueError:
        return None


def report_of(row: dict[str, Any]) -> Candidate:
    """From a row of `issues.REPORTS` that was sent as JSON."""
    return Candidate.of(_timed(row) | {"title": row["title"] or "", "body": row["shown"] or ""})


def pull_of(row: dict[str, Any]) -> Pull:
    """From a row of `issues.PULLS` that was sent as JSON; its diff is condensed."""
    row = _timed(row)
    return Pull(
        source_id=row["source_id"],
        number=row["number"],
        title=row["title"] or "",
        body=row["shown"] or "",
        merged_at=row["merged_at"],
        component=row["component"] or "",
        head_ref=row["head_ref"] or "",
        paths=tuple(row["affected_file_paths"] or ()),
        diff=condensed(row["changed"] or ""),
        closes=tuple(row["closes"] or ()),
    )


def _timed(row: dict[str, Any]) -> dict[str, Any]:
    return row | {name: datetime.fromisoformat(row[name]) for name in _INSTANTS if row.get(name)}
