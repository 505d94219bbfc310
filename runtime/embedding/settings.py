"""Settings of the embedder."""

from runtime.settings import setting, settings

MINILM, OPENAI, NONE = "minilm", "openai", "none"


@settings(prefix="LOOM_EMBEDDER_")
class EmbedderSettings:
    """What makes vectors of texts."""

    kind: str = setting(
        MINILM,
        choices=(MINILM, OPENAI, NONE),
        help="`minilm`: the model that comes with Loom, on the processor; `openai`: an OpenAI-compatible endpoint; "
        "`none`: search by words alone.",
    )
    url: str = setting("", help="Base URL of the endpoint, such as http://127.0.0.1:8080/v1.")
    model: str = setting("", help="Name of the endpoint's model; it stands beside every vector.")
    api_key: str = setting("", help="Key for the endpoint, sent as a bearer token.", secret=True)
    timeout_s: float = setting(5.0, help="Seconds that the endpoint may take for a request.", min=0.1, max=120)
    threads: int = setting(1, help="Processor threads of the model for one batch.", min=1, max=64)
