"""Sources of trackers: whether the key of their credentials can be read, and what the server says of each."""

from pathlib import Path

from loom import SyncAgent
from loom.errors import LoomError as ClientError
from runtime.process import ProcessSettings, StoreSettings
from runtime.settings import Loaded
from services.tracker.sources.secrets import KEY_FILE, parse_keys
from services.tracker.sources.settings import SecretSettings
from standalone.checks.finding import Finding
from standalone.checks.running import base_url

TIMEOUT_S = 35.0
SERVING = "serving"


def secret_key(loaded: Loaded) -> Finding:
    """LOOM_SECRET_KEY, or a single user's own key, which is made when it is first needed."""
    given = loaded[SecretSettings].secret_key
    own = Path(loaded[StoreSettings].data_dir) / KEY_FILE
    try:
        if given:
            return Finding("secret key", f"{len(parse_keys(given))} keys in LOOM_SECRET_KEY, the first encrypts")
        if loaded[ProcessSettings].keys_dir:
            return Finding("secret key", "LOOM_SECRET_KEY is not set: no ClickHouse can be added as a source")
        if not own.exists():
            return Finding("secret key", "none yet: one is made in the data folder at the first start")
        parse_keys(own.read_text("ascii").strip())
    except (OSError, ValueError) as error:
        told = str(error) if given else f"restore {own}, or set LOOM_SECRET_KEY"
        return Finding("secret key", "cannot be read: credentials of sources do not open", told)
    return Finding("secret key", f"in {own}")


def sources(loaded: Loaded) -> list[Finding]:
    """What a check of each source finds that the caller administers; nothing where no server answers."""
    try:
        with SyncAgent(base_url=base_url(loaded), timeout=TIMEOUT_S) as agent:
            return [_checked(agent, each.name, each.state) for each in agent.tracker.source.list().sources]
    except ClientError as error:
        if error.code.startswith("TOKEN_"):
            return [Finding("sources", "not asked: LOOM_API_KEY holds no token of this server")]
        return []  # the line about the server says it


def _checked(agent: SyncAgent, name: str, state: str) -> Finding:
    try:
        verdict = agent.tracker.source.check(name=name).verdict
    except ClientError as error:
        if error.code == "SOURCE_NOT_FOUND":  # somebody else's
            return Finding(f"source: {name}", state, "" if state in (SERVING, "") else "its admins can look at it")
        return Finding(f"source: {name}", "cannot be checked", str(error))
    if not verdict.ok:
        advice = f"`loom call tracker.source.check name={name}` shows all of it"
        return Finding(f"source: {name}", verdict.summary, advice)
    return Finding(f"source: {name}", verdict.summary)
