"""A language model behind an OpenAI-compatible endpoint: POST <base URL>/chat/completions, one answer as JSON text."""

import asyncio
import json
from typing import Any

import httpx

from runtime.breaker import Breaker, CircuitOpenError
from runtime.clock import Clock

MOST_ANSWER_BYTES = 1 << 20
MOST_ANSWER_TOKENS = 4_000
# An endpoint that fails is left alone for a while: each session would wait for it in vain.
FAILURES_IN_ROW, OPEN_S = 3, 60.0


class LlmError(Exception):
    """The endpoint gave no answer; the text says why, and holds nothing that was sent or received."""


class Llm:
    """One endpoint. Nothing is retried: whoever asks has another way."""

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key: str,
        timeout_s: float,
        clock: Clock,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._client = httpx.AsyncClient(
            base_url=base_url.rstrip("/") + "/", headers=headers, timeout=timeout_s, transport=transport
        )
        self._model, self._timeout_s = model, timeout_s
        self._breaker = Breaker(clock, failures_in_row=FAILURES_IN_ROW, open_s=OPEN_S)

    async def answer(self, system: str, user: str) -> str:
        """The text of the answer. Raises LlmError."""
        try:
            with self._breaker.permit():
                async with asyncio.timeout(self._timeout_s):
                    return _content(await self._post(system, user))
        except CircuitOpenError:
            raise LlmError("it failed repeatedly and is not asked for now") from None
        except (TimeoutError, httpx.TimeoutException):
            raise LlmError("it did not answer in time") from None
        except httpx.HTTPError as error:
            raise LlmError(f"it cannot be reached ({type(error).__name__})") from None

    async def close(self) -> None:
        await self._client.aclose()

    async def _post(self, system: str, user: str) -> bytes:
        body = {
            "model": self._model,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
            "response_format": {"type": "json_object"},
            "temperature": 0,
            "max_tokens": MOST_ANSWER_TOKENS,
        }
        async with self._client.stream("POST", "chat/completions", json=body) as response:
            if response.status_code != httpx.codes.OK:
                raise LlmError(f"it answered {response.status_code}")
            received = bytearray()
            async for chunk in response.aiter_bytes():
                received += chunk
                if len(received) > MOST_ANSWER_BYTES:
                    raise LlmError("its answer is too long")
            return bytes(received)


def _content(body: bytes) -> str:
    try:
        answer: Any = json.loads(body)
        content = answer["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError, RecursionError):
        raise LlmError("its answer is not of the expected form") from None
    if not isinstance(content, str):
        raise LlmError("its answer holds no text")
    return content
