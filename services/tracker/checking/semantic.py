"""The vector leg: what is near by meaning. It adds candidates and lends the fit a feature, and never ranks by itself."""

import asyncio
import hashlib
from collections.abc import Collection, Mapping, Sequence

from runtime.clock import Clock
from runtime.embedding.interface import EmbedderUnavailable, Refused
from runtime.embedding.service import Embedding
from runtime.errors import LoomError
from services.tracker.checking.models import Models
from services.tracker.checking.vectors import NO_LINES, ItemVectors, Row, Vector, embedded_text
from services.tracker.similar.model import Candidate

OK, OFF, NOT_ASKED, TIMEOUT, UNREACHABLE = "ok", "off", "not_asked", "timeout", "unreachable"
# Texts that one question embeds because the pass has not come by yet.
CATCH_UP = 6
KNOWN_S = 60.0


def text_hash(text: str) -> int:
    """64 bits that tell one text from another."""
    return int.from_bytes(hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=8).digest())


class Semantic:
    """One for the plane. `embedding` is None where the leg is switched off."""

    def __init__(
        self,
        vectors: ItemVectors,
        embedding: Embedding | None,
        clock: Clock,
        *,
        budget_s: float,
        catch_up_s: float,
        models: Models | None = None,
    ) -> None:
        """`models` chooses among several embedders, after a change of the model; without it, `embedding` is the one."""
        self.vectors, self._embedding, self._clock, self._models = vectors, embedding, clock, models
        self._budget_s, self._catch_up_s = budget_s, catch_up_s
        self._known: dict[tuple[str, str], tuple[float, dict[str, int]]] = {}

    async def nearest(
        self,
        org: str,
        source_id: str,
        title: str,
        body: str,
        kinds: Sequence[str],
        scope: Sequence[str],
        lines: Mapping[str, int] = NO_LINES,
    ) -> tuple[str, dict[str, float], Vector | None]:
        """The leg's state, cosines of the nearest items by id, and the question's vector.

        Ids start with one of `scope`: other namespaces' reports would only take the places of those that may be read.
        `lines` are Statistics.lines: what many reports share is left out of the question, as it is of stored vectors.
        """
        if self._embedding is None:
            return OFF, {}, None
        try:
            async with asyncio.timeout(self._budget_s):
                if not await self._has_vectors(org, source_id):
                    return NOT_ASKED, {}, None
                embedding = await self._serving(org, source_id)
                question = await embedding.query(embedded_text(title, body, lines))
                model = (await embedding.ready()).name
                found = await self.vectors.nearest(org, source_id, model, question, kinds, self._budget_s, scope=scope)
        except TimeoutError:
            return TIMEOUT, {}, None
        except (EmbedderUnavailable, Refused, LoomError):
            return UNREACHABLE, {}, None
        return OK, found, question

    async def stored(self, org: str, source_id: str, question: Vector | None, ids: Collection[str]) -> dict[str, float]:
        """Cosines of those of the items that have a vector; nothing where the store is silent."""
        if question is None or not ids:
            return {}
        try:
            model = (await (await self._serving(org, source_id)).ready()).name
            return await self.vectors.cosines(org, source_id, model, question, sorted(ids), self._budget_s)
        except (EmbedderUnavailable, Refused, LoomError):
            return {}

    async def cosines(
        self,
        org: str,
        source_id: str,
        question: Vector | None,
        candidates: Sequence[Candidate],
        lines: Mapping[str, int] = NO_LINES,
    ) -> dict[str, float]:
        """Cosines of the candidates, of those that have a vector; a few that lack one are embedded here and now."""
        if self._embedding is None or question is None or not candidates:
            return {}
        ids = [candidate.source_id for candidate in candidates]
        found: dict[str, float] = {}
        try:
            embedding = await self._serving(org, source_id)
            model = (await embedding.ready()).name
            found = await self.vectors.cosines(org, source_id, model, question, ids, self._budget_s)
            lacking = [each for each in candidates if each.source_id not in found][:CATCH_UP]
            if lacking:
                async with asyncio.timeout(self._catch_up_s):
                    found |= await self._catch_up(org, source_id, embedding, question, lacking, lines)
        except (TimeoutError, EmbedderUnavailable, Refused, LoomError):
            return found  # a cosine that is not there is a feature that is not known
        return found

    async def _serving(self, org: str, source_id: str) -> Embedding:
        assert self._embedding is not None
        return self._embedding if self._models is None else await self._models.serving(org, source_id)

    async def _has_vectors(self, org: str, source_id: str) -> bool:
        kept = self._known.get((org, source_id))
        if kept is None or kept[0] <= self._clock.monotonic():
            models = await self.vectors.models(org, source_id)
            kept = self._known[org, source_id] = (self._clock.monotonic() + KNOWN_S, models)
        return bool(kept[1])

    async def _catch_up(
        self,
        org: str,
        source_id: str,
        embedding: Embedding,
        question: Vector,
        lacking: Sequence[Candidate],
        lines: Mapping[str, int],
    ) -> dict[str, float]:
        model = (await embedding.ready()).name
        # As the pass does it: embedded without what many share, and known by the hash of the text with it.
        texts = [embedded_text(each.title, each.body) for each in lacking]
        made = await embedding.texts([embedded_text(each.title, each.body, lines) for each in lacking])
        now = self._clock.now()
        rows = [
            Row(each.source_id, "issue", text_hash(text), each.created_at or now, vector.tolist())
            for each, text, vector in zip(lacking, texts, made, strict=True)
        ]
        await self.vectors.put(org, source_id, model, rows, int(now.timestamp() * 1e6))
        return {each.source_id: float(vector @ question) for each, vector in zip(lacking, made, strict=True)}
