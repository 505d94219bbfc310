"""tracker.binding: what a namespace resolves to for the caller."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from runtime.identity import Caller
from services.tracker.answers.catalogue import TEMPLATES, runnable
from services.tracker.reads import together
from services.tracker.resolve import Resolver
from services.tracker.rows import Bound


@dataclass(frozen=True, slots=True)
class FitQuality:
    """Measured on data that was held out."""

    fitted_at: datetime
    precision: float | None
    recall: float
    brier: float
    threshold: float | None
    pairs: int
    related_recall: float
    related_share: float


@dataclass(frozen=True, slots=True)
class BoundTracker:
    namespace: str
    primary: bool
    repos: list[str]
    restricted: bool
    state: str
    features: list[str]
    fit: FitQuality | None = None


@dataclass(frozen=True, slots=True)
class Bindings:
    kind: str
    trackers: list[BoundTracker] = field(default_factory=list)
    templates: list[str] = field(default_factory=list)


class States(Protocol):
    """What is known of a source's serving."""

    async def state(self, bound: Bound) -> tuple[str, list[str], list[str]]:
        """`serving` or the reason of its silence, its features, and its tables of the contract."""
        ...


class Fits(Protocol):
    async def quality(self, bound: Bound) -> FitQuality | None: ...


class BindingOp:
    def __init__(self, resolver: Resolver, states: States, fits: Fits | None = None) -> None:
        self._resolver, self._states, self._fits = resolver, states, fits

    async def execute(self, org: str, namespace: str, caller: Caller) -> Bindings:
        """`kind` is `none`, with nothing else, for unbound, refused and missing namespaces alike."""
        found = await self._resolver.resolve(org, namespace, caller)
        if not found.trackers:
            return Bindings("none")
        states = await together(*(self._states.state(bound) for bound in found.trackers))
        trackers = [
            await self._tracker(bound, index == 0, state, features)
            for index, (bound, (state, features, _)) in enumerate(zip(found.trackers, states, strict=True))
        ]
        restricted, tables = found.trackers[0].restricted, states[0][2]
        names = [template.name for template in TEMPLATES if runnable(template, restricted, tables)]
        return Bindings(found.kind, trackers, names)

    async def _tracker(self, bound: Bound, primary: bool, state: str, features: list[str]) -> BoundTracker:
        fit = await self._fits.quality(bound) if self._fits else None
        return BoundTracker(bound.namespace, primary, list(bound.repos), bound.restricted, state, features, fit)
