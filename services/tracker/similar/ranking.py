"""Candidates of one check, scored, with duplicates of one defect as one entry: the root of their bucket."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from services.tracker.similar import buckets, caps, features
from services.tracker.similar.caps import Context
from services.tracker.similar.evidence import why
from services.tracker.similar.fit import Fit
from services.tracker.similar.model import Candidate, Draft, Scored
from services.tracker.similar.order import default_order
from services.tracker.similar.prepared import Prepared

Floats = NDArray[np.float64]

MOST_ENTRIES = 40


def eligible(draft: Draft, candidates: Iterable[Candidate]) -> list[Candidate]:
    """Candidates that were there before the draft, each once, in the order of their source_id."""
    found: dict[str, Candidate] = {}
    own = f"{draft.repo}#{draft.number}" if draft.number else ""
    for candidate in candidates:
        if candidate.source_id != own and buckets.is_older(candidate, draft):
            known = found.get(candidate.source_id)
            found[candidate.source_id] = candidate if known is None else _merged(known, candidate)
    return [found[source_id] for source_id in sorted(found)]


def rank(context: Context, candidates: Sequence[Candidate], fit: Fit | None) -> list[Scored]:
    """Entries for `candidates` (as `eligible` gives them), best first; equal ones by source_id.

    At most MOST_ENTRIES of them, and those that the draft names: nobody reads further, and reasons cost time.
    """
    prepared = [Prepared.of(candidate, context.statistics) for candidate in candidates]
    rows = features.compare(context.draft, prepared, context.statistics)
    scores = _scores(rows, fit, with_vectors=features.has_vectors(prepared))
    found = [
        _scored(context, candidates, prepared, group, rows, scores)
        for place, group in enumerate(_groups(candidates, scores.order))
        if place < MOST_ENTRIES or rows[group.best, features.COLUMN["mentioned"]]
    ]
    return sorted(found, key=lambda item: (-item.order, item.candidate.source_id))


def _groups(candidates: Sequence[Candidate], order: Floats) -> list["_Group"]:
    """Buckets by the order of their best members."""
    duplicates = buckets.links(candidates)
    places = {candidate.source_id: place for place, candidate in enumerate(candidates)}
    members: dict[buckets.Root, list[int]] = {}
    for source_id, place in places.items():
        members.setdefault(buckets.root(source_id, duplicates), []).append(place)
    found = []
    for root, own in members.items():
        best = min(own, key=lambda place: (-order[place], place))
        names = tuple(candidates[place].source_id for place in own)
        found.append(_Group(root, best, places.get(root.source_id), names))
    return sorted(found, key=lambda group: (-order[group.best], group.best))


@dataclass(frozen=True, slots=True)
class _Scores:
    order: Floats
    probabilities: Floats | None


@dataclass(frozen=True, slots=True)
class _Group:
    """A bucket: its root, the places of its best member and of the root (None where it was not read)."""

    root: buckets.Root
    best: int
    shown: int | None
    members: tuple[str, ...]


def _scores(rows: Floats, fit: Fit | None, *, with_vectors: bool) -> _Scores:
    if fit is None:
        return _Scores(default_order(rows, with_vectors=with_vectors), None)
    probabilities = fit.probabilities(rows, with_vectors=with_vectors)
    return _Scores(probabilities, probabilities)


def _scored(
    context: Context,
    candidates: Sequence[Candidate],
    prepared: Sequence[Prepared],
    group: _Group,
    rows: Floats,
    scores: _Scores,
) -> Scored:
    best, shown = group.best, group.best if group.shown is None else group.shown
    values = dict(zip(features.NAMES, rows[best].tolist(), strict=True))
    found = [*_bucket_caps(group), *caps.pair_caps(context, prepared[best])]
    if shown != best:
        found += caps.pair_caps(context, prepared[shown])
    return Scored(
        candidate=candidates[shown],
        order=float(scores.order[best]),
        probability=None if scores.probabilities is None else float(scores.probabilities[best]),
        features=values,
        caps=tuple(dict.fromkeys(found)),
        why=why(context, prepared[best], values),
        members=tuple(member for member in group.members if member != candidates[shown].source_id),
        says_the_same=caps.says_the_same(context.draft, prepared[best]),
    )


def _bucket_caps(group: _Group) -> list[str]:
    """A root that is not among the candidates was not read, or is not older than the draft."""
    if group.root.is_cycle:
        return [caps.CYCLE]
    return [caps.ROOT_UNKNOWN] if group.shown is None else []


def _merged(one: Candidate, other: Candidate) -> Candidate:
    """One row that several legs found."""
    cosines = [cosine for cosine in (one.cosine, other.cosine) if cosine is not None]
    facts: Mapping[str, object] = {
        "cosine": max(cosines, default=None),
        "touched": one.touched or other.touched,
        "legs": tuple(sorted({*one.legs, *other.legs})),
    }
    return replace(one, **facts)  # type: ignore[arg-type]
