"""Puts search together: the index, both legs, likeness, and the worker that makes vectors."""

from runtime.embedding.load import embedders
from runtime.embedding.service import Embedding
from runtime.embedding.settings import EmbedderSettings
from runtime.plane import Parts
from runtime.settings import SettingsError
from runtime.store import Behind
from services.memory.ops.search import Search
from services.memory.ops.similar import FindSimilar
from services.memory.ports import Finding, nothing
from services.memory.reindex import Reindexer
from services.memory.search_index import TABLES, SearchIndex
from services.memory.search_legs import Semantic
from services.memory.search_store import SearchStore
from services.memory.store import RevisionStore
from services.memory.types import Types
from services.memory.vector_store import VectorStore
from services.memory.vector_worker import VectorWorker


def finding(parts: Parts, revisions: RevisionStore, types: Types) -> Finding:
    """The search of an installation; its worker runs. Raises SettingsError for an endpoint that is not described.

    The model is loaded in the background, so that a process serves meanwhile, by words alone.
    """
    embeddings = embeddings_of(parts.loaded[EmbedderSettings])
    reads, vectors = SearchStore(parts.store), VectorStore(parts.store)
    first = embeddings[0] if embeddings else None
    worker = VectorWorker(vectors, first) if first else None
    index = SearchIndex(parts.store, parts.clock, worker.offer) if worker else SearchIndex(parts.store, parts.clock)
    # A save must not wait for what waits: likes are looked for beside it.
    plain = parts.store.plain if isinstance(parts.store, Behind) else parts.store
    similar = FindSimilar(SearchStore(plain), index, revisions, VectorStore(plain), first, parts.clock)
    reindexer = Reindexer(parts.store, index)

    whole = reindexer.checked if index.is_behind else nothing
    search = Search(reads, revisions, Semantic(vectors, embeddings), types, parts.clock, whole)
    if worker:
        worker.start()
    reindexer.start()

    async def close() -> None:
        await similar.lanes.close()
        await reindexer.close()
        if worker:
            await worker.close()
        for embedding in embeddings:
            await embedding.close()
        await index.close()

    return Finding(index, similar, search, TABLES, close)


def embeddings_of(settings: EmbedderSettings) -> list[Embedding]:
    try:
        return embedders(settings)
    except ValueError as error:
        raise SettingsError([str(error)]) from None
