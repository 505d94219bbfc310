"""Which embedders an installation has."""

from collections.abc import Callable

from runtime.embedding.interface import Embedder, EmbedderUnavailable
from runtime.embedding.service import Embedding
from runtime.embedding.settings import MINILM, NONE, OPENAI, EmbedderSettings


def embedders(settings: EmbedderSettings) -> list[Embedding]:
    """The configured embedder, then the default one where another is configured; none where it is turned off.

    Raises ValueError, naming the variable, where an endpoint is not described.
    """
    if settings.kind == NONE:
        return []
    if settings.kind == MINILM:
        return [Embedding(_minilm(settings))]
    for name in ("url", "model"):
        if not getattr(settings, name):
            raise ValueError(f"LOOM_EMBEDDER_{name.upper()} must be set where LOOM_EMBEDDER_KIND is {OPENAI}")
    return [Embedding(_openai(settings)), Embedding(_minilm(settings))]


def _minilm(settings: EmbedderSettings) -> Callable[[], Embedder]:
    def load() -> Embedder:
        # Imported where it is used: half a second that a process without search need not spend.
        try:
            from runtime.embedding.minilm import installed
        except ImportError as error:
            raise EmbedderUnavailable(f"the package {error.name} is not installed") from None
        return installed(threads=settings.threads)

    return load


def _openai(settings: EmbedderSettings) -> Callable[[], Embedder]:
    def load() -> Embedder:
        from runtime.embedding.openai import OpenAIEmbedder

        return OpenAIEmbedder(settings.url, settings.model, settings.api_key, settings.timeout_s)

    return load
