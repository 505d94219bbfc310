"""One call over HTTP, apart from the sending itself: what is sent, what an answer means, whether to send again.

Both twins drive the same `Call`; they differ only in how they send, wait and count time.
"""

import json
import logging
import re
import sys
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Any, Generic, TypeVar

import httpx

from loom import errors
from loom._config import Config
from loom._generated.table import OPS
from loom._op import Op
from loom._retry import Outcome, Retry

T = TypeVar("T")

CONNECT_S = 5.0
# What one sending may take beyond the server's own deadline, so that the server's answer comes before ours.
GRACE_S = 2.0
_DUMPS = partial(json.dumps, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
OP_NAME = re.compile(r"[A-Za-z0-9_]+([./][A-Za-z0-9_]+)*")

log = logging.getLogger("loom")


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of one sending: an answer, or the exception in its place."""

    status: int = 0
    headers: httpx.Headers = field(default_factory=httpx.Headers)
    body: bytes = b""
    error: Exception | None = None

    @property
    def ok(self) -> bool:
        return self.error is None and 200 <= self.status < 300

    def outcome(self) -> Outcome:
        if self.error is None:
            return Outcome(self.status, retry_after_s=self.retry_after_s())
        never_sent = isinstance(self.error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)
        return Outcome(sent=not never_sent)

    def json(self) -> Any:
        """The decoded body, None when it is no JSON."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None

    def retry_after_s(self) -> float | None:
        """The envelope's advice, else the header's, in seconds; None when there is none."""
        body = self.json()
        detail = body.get("detail") if isinstance(body, dict) else None
        advice = errors.seconds(detail.get("retry_after_s")) if isinstance(detail, dict) else None
        return _header_seconds(self.headers.get("Retry-After", "")) if advice is None else advice


def _header_seconds(text: str) -> float | None:
    """`Retry-After`, which is either a number of seconds or a date (RFC 9110, 10.2.3)."""
    try:
        return errors.seconds(float(text))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):  # no date, or one without a zone
        return None


def phases(limit_s: float) -> httpx.Timeout:
    """A sending's time limit as httpx takes it: one for each phase."""
    return httpx.Timeout(limit_s, connect=min(CONNECT_S, limit_s))


class Call(Generic[T]):
    """One call of an op. `clock` gives seconds. All sendings share one request id and the call's time."""

    def __init__(self, config: Config, op: Op[T], args: Mapping[str, Any], clock: Callable[[], float]) -> None:
        self._config = config
        self._op = op
        self._clock = clock
        self._begun = clock()
        self._retry = Retry(config.retry, repeatable=op.repeatable, timeout_s=config.timeout_s)
        self.url = f"{config.base_url}/v1/{op.path or op.name}"
        self.content = encode(filled(op, args, config.identity))
        self.request_id = uuid.uuid4().hex
        self.headers = {"Content-Type": "application/json", "X-Request-Id": self.request_id, **trace_headers()}

    def sending_s(self) -> float:
        """Seconds that the next sending may take."""
        left = max(0.001, self._config.timeout_s - (self._clock() - self._begun))
        return left if self._op.deadline_s is None else min(left, self._op.deadline_s + GRACE_S)

    def wait_s(self, reply: Reply) -> float | None:
        """Seconds to wait before sending again; None when this reply is the last one."""
        return None if reply.ok else self._retry.next(reply.outcome(), self._clock() - self._begun)

    def result(self, reply: Reply) -> T:
        """What the last reply means: the op's result, or a LoomError."""
        if reply.error is not None:
            raise self._no_answer(reply.error) from reply.error
        body = reply.json()
        if not reply.ok:
            raise errors.from_answer(
                reply.status, body, request_id=self._answered_id(reply), retry_after_s=reply.retry_after_s()
            )
        if not isinstance(body, dict):
            raise self._bad_answer(reply)
        self._tell_ignored(body)
        try:
            return self._op.parse(body)
        except (AttributeError, TypeError, ValueError):
            # Not chained: the text of such an exception holds values of the answer.
            raise self._bad_answer(reply) from None

    def _bad_answer(self, reply: Reply) -> errors.LoomError:
        return errors.InternalError(
            "the answer is not what the op gives; base_url may not be a Loom gateway's",
            code="BAD_ANSWER",
            http_status=reply.status,
            request_id=self._answered_id(reply),
        )

    def _answered_id(self, reply: Reply) -> str:
        return reply.headers.get("X-Request-Id") or self.request_id

    def _no_answer(self, error: Exception) -> errors.LoomError:
        if isinstance(error, TimeoutError | httpx.ReadTimeout | httpx.WriteTimeout):
            return errors.Timeout(
                "no answer came in time", code="CLIENT_TIMEOUT", retryable=True, request_id=self.request_id
            )
        made = "the connection broke before the answer came" if Reply(error=error).outcome().sent else "no connection"
        return errors.ConnectionFailed(
            f"{made}: {self._config.base_url}", code="CONNECTION_FAILED", retryable=True, request_id=self.request_id
        )

    def _tell_ignored(self, body: dict[str, Any]) -> None:
        # An older server serves a newer client's call and names what it did not understand; that must not pass unseen.
        ignored = f"{self._op.name}: {body.get('ignored_args')}"
        if body.get("ignored_args") and ignored not in self._config.told:
            self._config.told.add(ignored)
            log.warning("the server ignored arguments that it does not know: %s", ignored)


def raw_op(name: str) -> Op[dict[str, Any]]:
    """The op behind `call`. A known one is served as its typed call is, another gets org and namespace."""
    if not OP_NAME.fullmatch(name):
        raise ValueError("op must be a name such as observe.record")
    if known := OPS.get(name):
        return Op(name, dict, known.repeatable, known.identity, known.deadline_s, known.path)
    return Op(name, dict, identity={"org": "org", "namespace": "namespace"})


def filled(op: Op[Any], args: Mapping[str, Any], identity: Mapping[str, str]) -> dict[str, Any]:
    """The arguments that are set (None is not), identity first."""
    own = {name: identity[part] for name, part in op.identity.items() if part in identity}
    return {**own, **{name: value for name, value in args.items() if value is not None}}


class NotJson(TypeError, ValueError):
    """An argument that no JSON can hold; the text names it."""


def encode(args: Mapping[str, Any]) -> bytes:
    """The body. Lone surrogates, as undecodable file names hold them, are sent as JSON escapes: UTF-8 has none."""
    return _dumped(args).encode("utf-8", "backslashreplace")


def _dumped(args: Mapping[str, Any]) -> str:
    try:
        return _DUMPS(args)
    except (TypeError, ValueError):
        # The text of that exception can hold the value.
        name = next(filter(None, map(_unheld, args.items())), "an argument")
        raise NotJson(f"{name} is nothing that JSON can hold") from None


def _unheld(arg: tuple[str, Any]) -> str:
    """The argument's name where JSON cannot hold it, else an empty text."""
    try:
        _DUMPS(arg[1])
    except (TypeError, ValueError):
        return arg[0]
    return ""


def trace_headers() -> dict[str, str]:
    """W3C trace context of the span that is active; empty for a program that does not trace."""
    if "opentelemetry.trace" not in sys.modules:
        return {}
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    headers: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(headers)
    return headers
