"""Which embedder asks a source's vectors: after a change of the model, the old one until the new vectors are complete."""

from collections.abc import Sequence

from runtime.clock import Clock
from runtime.embedding.interface import EmbedderUnavailable
from runtime.embedding.service import Embedding
from services.tracker.checking.marks import Marks

# The mark of tracker_embed: the model of which every item of the source has a vector.
COMPLETE = "embed.model"
KEPT_S = 60.0


class Models:
    """`embeddings` are the configured embedder and, where that is another, the default one; at least one."""

    def __init__(self, embeddings: Sequence[Embedding], marks: Marks, clock: Clock) -> None:
        self._embeddings, self._marks, self._clock = embeddings, marks, clock
        self._kept: dict[tuple[str, str], tuple[float, str]] = {}

    async def serving(self, org: str, source_id: str) -> Embedding:
        """The embedder whose vectors are complete; the configured one where none is."""
        configured, *others = self._embeddings
        if not others:
            return configured
        complete = await self._complete(org, source_id)
        for embedding in self._embeddings:
            if complete and await _name(embedding) == complete:
                return embedding
        return configured

    async def _complete(self, org: str, source_id: str) -> str:
        kept = self._kept.get((org, source_id))
        if kept is None or kept[0] <= self._clock.monotonic():
            found = await self._marks.of(org, source_id, COMPLETE)
            kept = self._kept[org, source_id] = (self._clock.monotonic() + KEPT_S, found)
        return kept[1]


async def _name(embedding: Embedding) -> str:
    try:
        return (await embedding.ready()).name
    except EmbedderUnavailable:
        return ""
