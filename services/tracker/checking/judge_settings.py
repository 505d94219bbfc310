"""Settings of the language model that judges what is related."""

from runtime.clock import Clock
from runtime.llm import Llm
from runtime.settings import SettingsError, setting, settings
from services.tracker.checking.judge import Judge


@settings(prefix="LOOM_TRACKER_")
class JudgeSettings:
    """The language model that may judge and order what a duplicate check found."""

    llm_base_url: str = setting(
        "",
        help="Base URL of an OpenAI-compatible endpoint that judges related reports, such as http://127.0.0.1:8080/v1;"
        " it is sent titles and texts of the draft and of reports that its asker may read, private ones too where a"
        " restricted namespace is asked. Empty: nothing is sent to anybody.",
    )
    llm_model: str = setting("", help="Name of the endpoint's model.")
    llm_api_key: str = setting("", help="Key for the endpoint, sent as a bearer token.", secret=True)
    llm_timeout_s: float = setting(
        3.0,
        help="Seconds that the endpoint may take for an answer; then the check answers without it.",
        min=0.1,
        max=60,
    )


def judge_of(given: JudgeSettings, clock: Clock) -> Judge | None:
    """None where no endpoint is configured. Raises SettingsError where half of one is."""
    if not given.llm_base_url:
        return None
    if not given.llm_model:
        raise SettingsError(["LOOM_TRACKER_LLM_MODEL must be set where LOOM_TRACKER_LLM_BASE_URL is"])
    return Judge(Llm(given.llm_base_url, given.llm_model, given.llm_api_key, given.llm_timeout_s, clock))
