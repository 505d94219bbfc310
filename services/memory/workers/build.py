"""Puts the extraction worker together."""

from runtime.llm import Llm
from runtime.plane import Parts
from services.memory.ops.save import Save
from services.memory.types import Types
from services.memory.workers.drafting import Drafting
from services.memory.workers.extracted_store import ExtractedStore
from services.memory.workers.extraction import Extraction
from services.memory.workers.handover import PLANE, Handover
from services.memory.workers.keeping import Keeping
from services.memory.workers.settings import ExtractionSettings

# Sessions that a language model may hang at within one lease.
LLM_LEASES = 2


def extraction(parts: Parts, save: Save, types: Types) -> Extraction | None:
    """The worker, not started; None where it is switched off, or nobody asked for it. Raises SettingsError."""
    settings: ExtractionSettings | None = parts.loaded.instances.get(ExtractionSettings)
    if settings is None or not settings.memory_extract:
        return None
    store, count = ExtractedStore(parts.store), parts.metrics.extraction
    llm_s = settings.llm_timeout_s if settings.has_llm else 0.0
    return Extraction(
        Handover(parts.peers),
        Drafting(types, count, _llm(settings, parts), settings.llm_max_chars),
        Keeping(save, store, types, count),
        store,
        parts.clock,
        parts.peers.bell(PLANE),
        count,
        batch=settings.memory_extract_batch,
        lease_s=min(max(settings.memory_extract_lease_s, int(LLM_LEASES * llm_s)), 3600),
        poll_s=settings.memory_extract_poll_s,
    )


def _llm(settings: ExtractionSettings, parts: Parts) -> Llm | None:
    if not settings.has_llm:
        return None
    return Llm(settings.llm_base_url, settings.llm_model, settings.llm_api_key, settings.llm_timeout_s, parts.clock)
