"""tracker_embed: vectors of a source's issues and pull requests, page by page in the order in which they changed.

Each namespace of the source is read through its own filters, so that nothing is embedded that none may read; what
several may read is embedded once. Vectors only ever propose: whoever asks reads each candidate anew, through his own
filters, and no cosine of what he may not read leaves. Now and then everything is read anew, and vectors of items that
are gone, or that no namespace reads any more, are removed. After a change of the model all items are read anew too; the
old model's vectors stay until the new ones are complete.
"""

import hashlib
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from runtime.clock import Clock
from runtime.embedding.interface import EmbedderUnavailable, Refused
from runtime.embedding.service import Embedding
from services.tracker.checking.fits import FitStore
from services.tracker.checking.marks import Marks
from services.tracker.checking.models import COMPLETE
from services.tracker.checking.semantic import text_hash
from services.tracker.checking.vectors import ItemVectors, Row, embedded_text
from services.tracker.reads import Reading
from services.tracker.rows import Bound
from services.tracker.workers.embed_state import State
from services.tracker.workers.frame import BackgroundReads, Work
from services.tracker.workers.reading_order import EXISTING, PAGES, Point, after, page

log = logging.getLogger("loom.tracker.workers")

NAME = "tracker_embed"
SWEPT = "embed.swept"
# Texts that the model gets at once: a few seconds of work, after which the lease is renewed.
BATCH = 128
REMOVED_AT_ONCE = 2_000
# Rows may reach a source this much later than they say.
LAG_S = 3_600.0


@dataclass(frozen=True, slots=True)
class _Text:
    item: str
    hash: int
    text: str
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class _Part:
    """What is read through: a namespace and a kind of its items."""

    bound: Bound
    kind: str
    key: str


class Embed:
    """One pass for all sources. `embedding` is None where there is no embedder; `sweep_s` is how often all is read."""

    name = NAME

    def __init__(
        self,
        reads: BackgroundReads,
        vectors: ItemVectors,
        fits: FitStore,
        marks: Marks,
        embedding: Embedding | None,
        clock: Clock,
        sweep_s: float,
    ) -> None:
        self._reads, self._vectors, self._fits, self._marks = reads, vectors, fits, marks
        self._embedding, self._clock, self._sweep_s = embedding, clock, sweep_s

    async def run(self, work: Work) -> Mapping[str, int]:
        """Counts of items read, embedded and removed. Raises SourceSilent, LeaseLost."""
        done: Counter[str] = Counter(read=0, embedded=0, removed=0)
        if self._embedding is None:
            return done
        try:
            await self._run(work, (await self._embedding.ready()).name, done)
        except EmbedderUnavailable as error:
            log.warning("%s goes on at the next pass: %s", NAME, error)
            done["unavailable"] = 1
        return done

    async def _run(self, work: Work, model: str, done: Counter[str]) -> None:
        state = State.read(work.checkpoint, model)
        if state is None:
            state = State(model, sweeps=await self._is_due(work))
        parts = [_part(bound, kind, model) for bound in work.bounds for kind in PAGES]
        for place, part in enumerate(parts):
            if place >= state.part:
                start = state.point if state.sweeps and place == state.part else Point()
                await self._part(work, part, State(model, state.sweeps, place, start), done)
        if state.sweeps:
            await self._remove(work, State(model, True, len(parts), item=state.item), done)
            await self._marks.put(work.source.org, work.source.id, SWEPT, self._clock.now().isoformat())
        if await self._marks.of(work.source.org, work.source.id, COMPLETE) != model:
            await self._vectors.keep_model(work.source.org, work.source.id, model)
            await self._marks.put(work.source.org, work.source.id, COMPLETE, model)

    async def _is_due(self, work: Work) -> bool:
        swept = await self._marks.of(work.source.org, work.source.id, SWEPT)
        return not swept or datetime.fromisoformat(swept) + timedelta(seconds=self._sweep_s) <= self._clock.now()

    async def _part(self, work: Work, part: _Part, state: State, done: Counter[str]) -> None:
        """Reads one namespace's items of one kind: all of them in a sweep, else what changed since the mark."""
        org, source_id, statement = work.source.org, work.source.id, PAGES[part.kind]
        mark = Point.read(await self._marks.of(org, source_id, part.key))
        point = state.point if state.sweeps else mark.before(self._clock.now(), LAG_S)
        reading, stored = await self._reads.reading(part.bound), await self._fits.of(org, part.bound.storage)
        shared = stored.statistics.lines if stored else {}
        while rows := await page(self._reads, reading, statement, point):
            point, done["read"] = after(rows), done["read"] + len(rows)
            done["embedded"] += await self._page(work, part, state, rows, shared)
            if not state.sweeps:
                await self._marks.put(org, source_id, part.key, point.text())
            state = state.at(point)
            await work.save(state.text())
        await self._marks.put(org, source_id, part.key, point.text())

    async def _page(
        self, work: Work, part: _Part, state: State, rows: Sequence[Mapping[str, Any]], shared: Mapping[str, int]
    ) -> int:
        """Embeds what is new or has another text than its vector; how many that were."""
        org, source_id = work.source.org, work.source.id
        texts = [_text(row, shared) for row in rows]
        known = await self._vectors.hashes(org, source_id, state.model, [each.item for each in texts])
        changed = [each for each in texts if known.get(each.item) != each.hash]
        # Texts of like length together, since the model takes as long for each as for the longest.
        changed.sort(key=lambda each: (len(each.text), each.item))
        made = 0
        for start in range(0, len(changed), BATCH):
            chosen = changed[start : start + BATCH]
            found = await self._embedded(part.kind, chosen)
            await self._vectors.put(org, source_id, state.model, found, int(self._clock.now().timestamp() * 1e6))
            made += len(found)
            await work.save(state.text())
        return made

    async def _embedded(self, kind: str, texts: Sequence[_Text]) -> list[Row]:
        """Vectors of the texts; one that the embedder will never take is left out."""
        assert self._embedding is not None
        try:
            vectors = await self._embedding.texts([each.text for each in texts])
        except Refused:
            if len(texts) == 1:
                log.warning("the embedder refused a text; its item is found by words alone")
                return []
            half = len(texts) // 2
            return [*await self._embedded(kind, texts[:half]), *await self._embedded(kind, texts[half:])]
        return [
            Row(each.item, kind, each.hash, each.changed_at, vector.tolist())
            for each, vector in zip(texts, vectors, strict=True)
        ]

    async def _remove(self, work: Work, state: State, done: Counter[str]) -> None:
        """Vectors of items that no namespace of the source reads."""
        org, source_id = work.source.org, work.source.id
        readings = [await self._reads.reading(bound) for bound in work.bounds]
        item = state.item
        while items := await self._vectors.items_after(org, source_id, item, REMOVED_AT_ONCE):
            gone = set(items) - await self._existing(readings, items)
            if gone:
                await self._vectors.remove(org, source_id, sorted(gone))
            item, done["removed"] = items[-1], done["removed"] + len(gone)
            await work.save(State(state.model, True, state.part, item=item).text())

    async def _existing(self, readings: Sequence[Reading], items: Sequence[str]) -> set[str]:
        found: set[str] = set()
        for reading in readings:
            for statement in EXISTING.values():
                rows = await self._reads.rows(reading, statement, {"ids": list(items)})
                found.update(str(row["source_id"]) for row in rows)
        return found


def _part(bound: Bound, kind: str, model: str) -> _Part:
    """Another model, or a namespace that covers something else than before, begins anew: its mark has another name."""
    covers = "\n".join((model, str(bound.restricted), *sorted(bound.repos)))
    digest = hashlib.blake2b(covers.encode(), digest_size=8).hexdigest()
    return _Part(bound, kind, f"embed.{bound.storage}.{kind}.{digest}")


def _text(row: Mapping[str, Any], shared: Mapping[str, int]) -> _Text:
    title, body = str(row["title"] or ""), str(row["shown"] or "")
    changed_at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=int(row["changed_us"]))
    whole = text_hash(embedded_text(title, body))
    return _Text(str(row["source_id"]), whole, embedded_text(title, body, shared), changed_at)
