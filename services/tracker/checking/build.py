"""Puts together what is derived from sources, and the check over it."""

from collections.abc import Sequence
from dataclasses import dataclass

from runtime.embedding.load import embedders
from runtime.embedding.service import Embedding
from runtime.embedding.settings import EmbedderSettings
from runtime.plane import Parts
from runtime.settings import SettingsError
from services.tracker.checking.checker import Checker
from services.tracker.checking.fits import FitStore
from services.tracker.checking.judge import Judge
from services.tracker.checking.judge_settings import JudgeSettings, judge_of
from services.tracker.checking.legs import Legs
from services.tracker.checking.links_store import LinkStore
from services.tracker.checking.marks import Marks
from services.tracker.checking.models import Models
from services.tracker.checking.semantic import Semantic
from services.tracker.checking.vectors import ItemVectors
from services.tracker.settings import TrackerSettings
from services.tracker.sources.settings import LiveSettings


@dataclass(frozen=True, slots=True)
class Derived:
    """State that Loom keeps of sources: fits, links, vectors, and how far passes came; and the models it asks.

    `embeddings` has the configured embedder first, and none where the vector leg is off. `judge` is None without a
    language model.
    """

    fits: FitStore
    links: LinkStore
    vectors: ItemVectors
    marks: Marks
    embeddings: Sequence[Embedding]
    judge: Judge | None = None

    @property
    def embedding(self) -> Embedding | None:
        """What new vectors are made with."""
        return self.embeddings[0] if self.embeddings else None

    async def erase(self, org: str, source_id: str) -> None:
        """Everything that was derived from a source that is removed."""
        await self.fits.erase(org, source_id)
        await self.links.erase(org, source_id)
        await self.vectors.erase(org, source_id)
        await self.marks.erase(org, source_id)

    async def close(self) -> None:
        for embedding in self.embeddings:
            await embedding.close()
        if self.judge is not None:
            await self.judge.close()


def derived_of(parts: Parts) -> Derived:
    """Raises SettingsError for an embedder or a language model that is half described.

    The embedder's model is loaded when it is first asked.
    """
    embeddings: Sequence[Embedding] = ()
    if parts.loaded[TrackerSettings].similar_vector_leg:
        try:
            embeddings = embedders(parts.loaded[EmbedderSettings])
        except ValueError as error:
            raise SettingsError([str(error)]) from None
    judge = judge_of(parts.loaded[JudgeSettings], parts.clock)
    marks = Marks(parts.store, parts.clock)
    fits = FitStore(parts.store, parts.clock)
    return Derived(fits, LinkStore(parts.store), ItemVectors(parts.store), marks, embeddings, judge)


def legs_of(parts: Parts, derived: Derived) -> Legs:
    settings, live = parts.loaded[TrackerSettings], parts.loaded[LiveSettings]
    semantic = Semantic(
        derived.vectors,
        derived.embedding,
        parts.clock,
        budget_s=live.live_budget_ms / 1000,
        catch_up_s=settings.similar_catch_up_budget_ms / 1000,
        models=Models(derived.embeddings, derived.marks, parts.clock) if derived.embeddings else None,
    )
    return Legs(semantic)


def checker_of(legs: Legs, derived: Derived) -> Checker:
    return Checker(legs, derived.fits)
