"""An OpenAI-compatible endpoint, the settings that choose it, and the threads around an embedder."""

import json
from collections.abc import Callable, Sequence

import httpx
import numpy as np
import pytest

from runtime.embedding.interface import EmbedderUnavailable, Refused, Vectors
from runtime.embedding.load import embedders
from runtime.embedding.openai import BATCH, OpenAIEmbedder
from runtime.embedding.service import Embedding
from runtime.embedding.settings import EmbedderSettings


def vector(text: str) -> list[float]:
    return [float(len(text)), 1.0, float(text.count("e"))]


def endpoint(answer: Callable[[httpx.Request], httpx.Response]) -> OpenAIEmbedder:
    return OpenAIEmbedder("http://127.0.0.1:9/v1", "m", "key-1", 1.0, transport=httpx.MockTransport(answer))


def good(request: httpx.Request) -> httpx.Response:
    texts = json.loads(request.content)["input"]
    data = [{"index": place, "embedding": vector(text)} for place, text in enumerate(texts)]
    return httpx.Response(200, json={"data": data[::-1]})


def test_vectors_come_in_the_order_of_the_texts_and_have_length_one() -> None:
    found = endpoint(good).embed(["e", "longer text"])
    for row, text in zip(found, ["e", "longer text"], strict=True):
        expected = np.array(vector(text)) / np.linalg.norm(vector(text))
        assert row == pytest.approx(expected, abs=1e-5)


def test_the_request_has_model_input_and_key_and_is_cut_into_batches() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return good(request)

    embedder = endpoint(answer)
    embedder.embed(["first"])
    seen.clear()
    embedder.embed(["text"] * (BATCH + 1))
    assert [len(json.loads(request.content)["input"]) for request in seen] == [BATCH, 1]
    assert seen[0].url.path == "/v1/embeddings" and seen[0].headers["authorization"] == "Bearer key-1"
    assert json.loads(seen[0].content)["model"] == "m" and embedder.name == "openai:m" and embedder.dim == 3


def test_floor_and_ceiling_are_measured_with_the_first_answer() -> None:
    embedder = endpoint(good)
    embedder.embed(["x"])
    assert -1 <= embedder.floor < embedder.ceiling


@pytest.mark.parametrize(
    ("answer", "match"),
    [
        (lambda request: httpx.Response(500), "answered 500"),
        (lambda request: httpx.Response(401), "answered 401"),
        (lambda request: httpx.Response(200, text="no json"), "expected form"),
        (lambda request: httpx.Response(200, json={"data": []}), "one vector for each"),
        (lambda request: httpx.Response(200, json={"data": [{"index": 0, "embedding": "x"}]}), "expected form"),
        (lambda request: httpx.Response(200, json={"data": [{"index": 0, "embedding": [[1]]}] * 8}), "one vector"),
    ],
)
def test_an_endpoint_that_fails_or_lies_is_unavailable(
    answer: Callable[[httpx.Request], httpx.Response], match: str
) -> None:
    with pytest.raises(EmbedderUnavailable, match=match):
        endpoint(answer).embed(["secret text"])


def test_an_endpoint_that_hangs_or_is_away_is_unavailable() -> None:
    def late(request: httpx.Request) -> httpx.Response:
        raise httpx.ReadTimeout("secret text", request=request)

    def away(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("secret text", request=request)

    for answer in (late, away):
        with pytest.raises(EmbedderUnavailable) as caught:
            endpoint(answer).embed(["secret text"])
        assert "secret" not in str(caught.value)


def test_refused_input_is_told_apart_from_a_failure() -> None:
    with pytest.raises(Refused, match="413"):
        endpoint(lambda request: httpx.Response(413)).embed(["x"])


@pytest.mark.parametrize(("fields", "name"), [({}, "URL"), ({"url": "http://127.0.0.1:9"}, "MODEL")])
def test_an_endpoint_needs_its_url_and_model(fields: dict[str, str], name: str) -> None:
    with pytest.raises(ValueError, match=f"LOOM_EMBEDDER_{name}"):
        embedders(EmbedderSettings(kind="openai", **fields))


def test_beside_an_endpoint_stands_the_default_model() -> None:
    chosen = embedders(EmbedderSettings(kind="openai", url="http://127.0.0.1:9", model="m"))
    assert len(chosen) == 2 and embedders(EmbedderSettings(kind="none")) == []


class Fake:
    """Counts its calls; `error` is raised by each."""

    name, dim, floor, ceiling = "fake", 2, 0.0, 1.0

    def __init__(self, error: Exception | None = None) -> None:
        self.calls: list[Sequence[str]] = []
        self.error = error

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.calls.append(texts)
        if self.error:
            raise self.error
        return np.ones((len(texts), 2), dtype=np.float32)

    def close(self) -> None:
        return None


async def test_a_question_asked_again_is_remembered() -> None:
    fake = Fake()
    embedding = Embedding(lambda: fake)
    assert (await embedding.query("a")).tolist() == (await embedding.query("a")).tolist()
    assert fake.calls == [["a"]]
    await embedding.close()


async def test_a_load_that_fails_is_tried_again() -> None:
    tries = iter([EmbedderUnavailable("no file"), None])

    def load() -> Fake:
        if error := next(tries):
            raise error
        return Fake()

    embedding = Embedding(load)
    with pytest.raises(EmbedderUnavailable, match="no file"):
        await embedding.query("a")
    assert len(await embedding.query("a")) == 2
    await embedding.close()


async def test_a_foreign_failure_says_its_kind_and_no_text() -> None:
    embedding = Embedding(lambda: Fake(ZeroDivisionError("secret text")))
    with pytest.raises(EmbedderUnavailable) as caught:
        await embedding.texts(["secret text"])
    assert "ZeroDivisionError" in str(caught.value) and "secret" not in str(caught.value)
    await embedding.close()


async def test_after_closing_nothing_is_embedded() -> None:
    embedding = Embedding(Fake)
    await embedding.ready()
    await embedding.close()
    with pytest.raises(EmbedderUnavailable):
        await embedding.texts(["a"])
