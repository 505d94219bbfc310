import re
from pathlib import Path

import httpx
import pytest

from loom import LoomError, errors
from tests.support.sdk import Gateway, failure

DOC = (Path(__file__).parents[2] / "docs" / "sdk.md").read_text()
EXAMPLES = re.findall(r"```python\n(.*?)```", DOC, re.DOTALL)
BODY = {
    "status": "ok",
    "kind": "command_run",
    "observations": [{"tool_name": "Bash"}],
    "results": [{"memory_key": "k"}],
}


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Gateway:
    gateway = Gateway([httpx.Response(200, json=BODY)])

    async def serve(_: object, request: httpx.Request) -> httpx.Response:
        return gateway.serve(request)

    monkeypatch.setattr(httpx.HTTPTransport, "handle_request", lambda _, request: gateway.serve(request))
    monkeypatch.setattr(httpx.AsyncHTTPTransport, "handle_async_request", serve)
    return gateway


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_an_example_of_the_manual_runs(number: int, network: Gateway) -> None:
    # The example's placeholder is no key that a header could hold.
    exec(compile(EXAMPLES[number].replace("…", "key"), f"sdk.md example {number}", "exec"), {"__name__": "example"})
    assert network.requests


def test_the_manuals_error_handler_catches_what_is_raised(network: Gateway, capsys) -> None:
    network.steps = [failure(404, "UNKNOWN_OP", "not_found")]
    exec(EXAMPLES[-1], {"__name__": "example"})
    assert capsys.readouterr().out == "UNKNOWN_OP of-the-server\n"


def test_the_manual_names_every_error_class_with_its_category() -> None:
    rows = dict(re.findall(r"^\| `([A-Z]\w+)` \| (\w+) \|", DOC, re.MULTILINE))
    classes = [v for v in vars(errors).values() if isinstance(v, type) and issubclass(v, LoomError)]
    assert rows == {kind.__name__: kind.category for kind in classes if kind is not LoomError}


def test_the_manual_explains_every_argument_of_a_client() -> None:
    import inspect

    from loom import Agent

    told = set(re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`[a-z].*?) \|", DOC, re.MULTILINE))))
    assert set(inspect.signature(Agent).parameters) <= told
