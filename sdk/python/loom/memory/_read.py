"""From the generated results, which grow with the contract, to the library's own models."""

from collections.abc import Iterable
from dataclasses import fields
from typing import Any, TypeVar

from loom._generated.models import memory as answers
from loom.memory._models import (
    CompactObservation,
    Observation,
    PastSession,
    SaveResult,
    SearchResult,
    Session,
    SimilarObservation,
    StartedSession,
    Stats,
    Timeline,
)

T = TypeVar("T")


def saved(answer: answers.SaveResponse | answers.SessionSummaryResponse) -> SaveResult:
    return _as(SaveResult, answer, similar=_each(SimilarObservation, answer.similar))


def started(answer: answers.SessionStartResponse) -> StartedSession:
    return _as(
        StartedSession,
        answer,
        sessions_context=_each(PastSession, answer.sessions_context),
        memories=_each(CompactObservation, answer.memories),
    )


def ended(answer: answers.SessionEndResponse) -> Session:
    return _as(Session, answer)


def searched(answer: answers.SearchResponse) -> SearchResult:
    return _as(SearchResult, answer, hits=_each(CompactObservation, answer.hits))


def observation(answer: answers.GetObservationResponse) -> Observation | None:
    found = answer.observation
    return None if found is None else _as(Observation, found, evidence=tuple(found.evidence))


def timeline(answer: answers.TimelineResponse) -> Timeline:
    return Timeline(observations=_each(CompactObservation, answer.observations))


def stats(answer: answers.StatsResponse) -> Stats:
    return _as(Stats, answer)


def _as(kind: type[T], answer: Any, **changed: Any) -> T:
    names = (field.name for field in fields(kind))  # type: ignore[arg-type]
    return kind(**{name: changed.get(name, getattr(answer, name)) for name in names})


def _each(kind: type[T], answers_: Iterable[Any]) -> tuple[T, ...]:
    return tuple(_as(kind, one) for one in answers_)
