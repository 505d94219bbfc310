"""Duplicates of one defect as a bucket with one root: chains are followed, cycles have no root."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from services.tracker.similar.model import Candidate, Draft

MOST_STEPS = 64


@dataclass(frozen=True, slots=True)
class Root:
    """`source_id` is the end of the chain, or of a cycle its smallest member."""

    source_id: str
    is_cycle: bool = False


def target_of(candidate: Candidate) -> str:
    """source_id of what the candidate duplicates; empty for none. Numbers are of the candidate's own repository."""
    return f"{candidate.repo}#{candidate.duplicate_of}" if candidate.duplicate_of else ""


def links(candidates: Iterable[Candidate]) -> dict[str, str]:
    """What each candidate duplicates, by source_id; a report cannot duplicate itself."""
    found = {candidate.source_id: target_of(candidate) for candidate in candidates}
    return {source: target for source, target in found.items() if target and target != source}


def root(source_id: str, duplicates: Mapping[str, str]) -> Root:
    """The end of the chain of duplicates from a report."""
    seen: dict[str, None] = {}
    while source_id in duplicates and len(seen) < MOST_STEPS:
        if source_id in seen:
            members = list(seen)
            return Root(min(members[members.index(source_id) :]), is_cycle=True)
        seen[source_id] = None
        source_id = duplicates[source_id]
    return Root(source_id, is_cycle=source_id in duplicates)


def missing(candidates: Iterable[Candidate]) -> set[str]:
    """source_ids that chains lead to and that are not among the candidates: to be read before a check.

    A chain may go on there, so the caller asks again until nothing is missing, or its budget ends.
    """
    listed = list(candidates)
    return set(links(listed).values()) - {candidate.source_id for candidate in listed}


def is_older(candidate: Candidate, draft: Draft) -> bool:
    """Whether a report was there before the draft: by time, else by number within one repository.

    A draft that is not filed yet (neither instant nor number) is younger than everything.
    """
    created, filed = candidate.created_at, draft.created_at
    if created is not None and filed is not None and created != filed:
        return created < filed
    if draft.number and candidate.repo.casefold() == draft.repo.casefold():
        return candidate.number < draft.number
    return filed is None or created is None
