"""An embedder behind an OpenAI-compatible endpoint: POST <url>/embeddings with {model, input}."""

from collections.abc import Sequence

import httpx
import numpy as np

from runtime.embedding.calibration import calibrate
from runtime.embedding.interface import EmbedderUnavailable, Refused, Vectors, unit

BATCH = 64
# Characters of one text; endpoints refuse what is over their model's limit, mostly 8,191 word pieces.
MOST_CHARS = 8_000


class OpenAIEmbedder:
    """Vectors from an endpoint. Floor and ceiling are measured with the first answer."""

    def __init__(
        self, url: str, model: str, api_key: str, timeout_s: float, *, transport: httpx.BaseTransport | None = None
    ) -> None:
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._client = httpx.Client(
            base_url=url.rstrip("/") + "/", headers=headers, timeout=timeout_s, transport=transport
        )
        self._model = model
        self.name, self.dim, self.floor, self.ceiling = f"openai:{model}", 0, 0.0, 1.0

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See Embedder. Refused where the endpoint answers that the input is at fault."""
        if not self.dim:
            self._learn()
        found = [self._request(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]
        vectors = np.concatenate(found) if found else np.zeros((0, self.dim), dtype=np.float32)
        if vectors.shape[1] != self.dim:
            raise EmbedderUnavailable("the endpoint changed the length of its vectors")
        return vectors

    def close(self) -> None:
        self._client.close()

    def _learn(self) -> None:
        self.floor, self.ceiling, dim = calibrate(self._request)
        self.dim = dim

    def _request(self, texts: Sequence[str]) -> Vectors:
        body = {"model": self._model, "input": [text[:MOST_CHARS] or " " for text in texts]}
        try:
            answer = self._client.post("embeddings", json=body)
        except httpx.TimeoutException:
            raise EmbedderUnavailable("the endpoint did not answer in time") from None
        except httpx.HTTPError as error:
            raise EmbedderUnavailable(f"the endpoint cannot be reached ({type(error).__name__})") from None
        if answer.status_code in {400, 413, 422}:
            raise Refused(f"the endpoint refused the input with {answer.status_code}")
        if answer.status_code != httpx.codes.OK:
            raise EmbedderUnavailable(f"the endpoint answered {answer.status_code}")
        return _vectors(answer, len(texts))


def _vectors(answer: httpx.Response, count: int) -> Vectors:
    """The vectors in the order of the texts. Raises EmbedderUnavailable for anything else than `count` of them."""
    try:
        data = sorted(answer.json()["data"], key=lambda item: item["index"])
        vectors = np.asarray([item["embedding"] for item in data], dtype=np.float32)
    except (ValueError, KeyError, TypeError):
        raise EmbedderUnavailable("the endpoint's answer is not of the expected form") from None
    if vectors.ndim != 2 or len(vectors) != count or not vectors.shape[1] or not np.isfinite(vectors).all():
        raise EmbedderUnavailable("the endpoint's answer has not one vector for each text")
    return unit(vectors)
