import pytest

from loom import Agent, SyncAgent
from loom._config import configure
from tests.support.sdk import TWINS

twins = pytest.mark.parametrize("twin", TWINS)


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LOOM_BASE_URL", raising=False)
    monkeypatch.delenv("LOOM_API_KEY", raising=False)


@twins
def test_a_client_shows_who_calls_and_where(twin: type) -> None:
    shown = repr(twin(org="acme", namespace="web", agent="coder", api_key="hidden"))
    assert shown == f"{twin.__name__}(org='acme', namespace='web', agent='coder', base_url='http://127.0.0.1:7777')"


@twins
def test_the_environment_says_where_and_with_which_key(twin: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOOM_BASE_URL", "https://loom.test/")
    assert "https://loom.test'" in repr(twin())
    assert "http://other.test'" in repr(twin(base_url="http://other.test"))


@pytest.mark.parametrize(("given", "env", "sends"), [(None, "", False), ("", "k", True), (None, "k\n", True)])
def test_an_empty_key_is_none_and_a_key_from_a_file_may_end_its_line(given, env, sends, monkeypatch) -> None:
    monkeypatch.setenv("LOOM_API_KEY", env)
    assert (configure({}, None, given, 1.0, None).auth is not None) is sends


@twins
@pytest.mark.parametrize("key", ["two words", "line\nbreak", "schlüssel"])
def test_a_key_that_no_header_can_hold_is_refused_without_being_shown(twin: type, key: str) -> None:
    with pytest.raises(ValueError, match="api_key must be printable ASCII") as caught:
        twin(api_key=key)
    assert key not in str(caught.value)


@twins
@pytest.mark.parametrize("url", ["loom.test", "ftp://loom.test", "http://", "//x", "http://a:port"])
def test_a_base_url_without_scheme_or_host_is_refused(twin: type, url: str) -> None:
    with pytest.raises(ValueError, match="base_url must look like"):
        twin(base_url=url)


@twins
@pytest.mark.parametrize(
    "url", ["http://me:secret@loom.test", "http://loom.test?key=secret", "http://loom.test#secret"]
)
def test_a_secret_in_the_base_url_is_refused_without_being_shown(twin: type, url: str) -> None:
    with pytest.raises(ValueError, match="goes into api_key") as caught:
        twin(base_url=url)
    assert "secret" not in str(caught.value)


@twins
@pytest.mark.parametrize("timeout", [0, -1, float("nan")])
def test_a_timeout_must_leave_time(twin: type, timeout: float) -> None:
    with pytest.raises(ValueError, match="timeout must be a number of seconds above 0"):
        twin(timeout=timeout)


def test_identity_that_is_empty_is_left_to_the_server() -> None:
    assert configure({"org": "", "namespace": None, "agent": "a"}, None, None, 1.0, None).identity == {"agent": "a"}


def test_the_twins_take_the_same_arguments() -> None:
    import inspect

    assert list(inspect.signature(Agent).parameters) == list(inspect.signature(SyncAgent).parameters)
