"""Settings of extraction."""

from runtime.settings import SettingsError, setting, settings


@settings(prefix="LOOM_")
class ExtractionSettings:
    """How recorded sessions become memories."""

    memory_extract: bool = setting(True, help="Make memories of crystallized observations in this process.")
    memory_extract_poll_s: float = setting(
        5.0,
        help="Seconds between looks for queued observations; the planes of one process tell each other at once.",
        min=0.05,
        max=3600,
    )
    memory_extract_lease_s: int = setting(
        120,
        help="Seconds that a worker may take for what it claimed before another one takes it over.",
        min=5,
        max=3600,
    )
    memory_extract_batch: int = setting(300, help="Most observations that are claimed at once.", min=1, max=1000)
    llm_base_url: str = setting(
        "",
        help="Base URL of an OpenAI-compatible endpoint that drafts memories, such as http://127.0.0.1:8080/v1; "
        "empty: the built-in rules draft them, and no text leaves this installation.",
    )
    llm_model: str = setting("", help="Name of the endpoint's model.")
    llm_api_key: str = setting("", help="Key for the endpoint, sent as a bearer token.", secret=True)
    llm_timeout_s: float = setting(
        30.0, help="Seconds that the endpoint may take for one session; then the rules draft.", min=0.1, max=600
    )
    llm_max_chars: int = setting(
        48_000, help="Most characters of observations that one request holds.", min=1_000, max=2_000_000
    )

    @property
    def has_llm(self) -> bool:
        """Whether an endpoint drafts. Raises SettingsError for one that is half described."""
        if bool(self.llm_base_url) != bool(self.llm_model):
            raise SettingsError(["LOOM_LLM_BASE_URL and LOOM_LLM_MODEL must be set together"])
        if self.llm_base_url and not self.llm_base_url.startswith(("http://", "https://")):
            raise SettingsError(["LOOM_LLM_BASE_URL must begin with http:// or https://"])
        return bool(self.llm_base_url)
