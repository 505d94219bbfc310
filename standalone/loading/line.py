"""Calls of ops, wherever they are answered: by a server, or in this process."""

import asyncio
import threading
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import orjson

from loom.cli.door import Answer, Door
from standalone.answering import Answering
from standalone.embedded import Embedded

# Above the longest deadline of an op that is called here.
TIMEOUT_S = 330.0
TRIES, LONGEST_WAIT_S = 6, 5.0


class RefusedError(Exception):
    """An op was refused; the message is the server's."""

    def __init__(self, code: str, message: str, metadata: Mapping[str, str]) -> None:
        super().__init__(message)
        self.code, self.metadata = code, metadata


class Post(Protocol):
    def __call__(self, op: str, body: bytes) -> Answer:
        """UnreachableError where no answer comes."""


class Line:
    """Asks ops, again where the answer says that trying again may help."""

    def __init__(self, post: Post, address: str, sleep: Callable[[float], object] | None = None) -> None:
        self._post, self.address, self._sleep = post, address, sleep or threading.Event().wait

    def ask(self, op: str, fields: Mapping[str, Any]) -> dict[str, Any]:
        """The answer's fields. RefusedError, UnreachableError."""
        return self.ask_bytes(op, orjson.dumps(fields))

    def ask_bytes(self, op: str, body: bytes) -> dict[str, Any]:
        for _ in range(TRIES - 1):
            answer = self._post(op, body)
            detail = answer.detail()
            if answer.ok or detail is None or not detail.get("retryable") or detail.get("retry_after_s") is None:
                break
            self._sleep(min(float(detail["retry_after_s"]), LONGEST_WAIT_S))
        else:
            answer = self._post(op, body)
        return self._fields(answer)

    def _fields(self, answer: Answer) -> dict[str, Any]:
        value, detail = answer.value(), answer.detail()
        if answer.ok and isinstance(value, dict):
            return value
        if detail is None:
            message = f"HTTP {answer.status} from {self.address}, and not an answer of Loom: check the base URL"
            raise RefusedError("NOT_LOOM", message, {})
        raise RefusedError(detail["code"], str(detail.get("message", "")), detail.get("metadata") or {})


def to_server(door: Door) -> Line:
    return Line(lambda op, body: door.post(op, body, TIMEOUT_S), door.address)


def to_folder(installation: Embedded) -> Line:
    return Line(lambda op, body: Answer(*installation.post(op, body, {}, TIMEOUT_S)), "the data folder")


def to_loop(answering: Answering, loop: asyncio.AbstractEventLoop, stopping: Callable[[], bool]) -> Line:
    """For a thread beside the loop that answers. Raises InterruptedError once the process is to stop."""

    def post(op: str, body: bytes) -> Answer:
        if stopping():
            raise InterruptedError
        return Answer(*asyncio.run_coroutine_threadsafe(answering.answer(op, body, {}), loop).result())

    return Line(post, "this process")
