"""Errors of the client, drawn as a tree:

    LoomError
      InvalidRequest        invalid        an argument is missing, malformed or too large
      PreconditionFailed    precondition   the state that the op needs is not there
      AuthError             auth           the token is missing or refused, or the role is too small
      NotFound              not_found      no such thing, op or route, or none that the caller may know of
      Conflict              conflict       it exists already, or another writer was first
      Overloaded            overload       a limit is reached; `retry_after_s` says for how long
      Timeout               timeout        not finished within the deadline, the server's or the client's
      Unavailable           unavailable    a plane or its storage does not answer
        ConnectionFailed    unavailable    no answer came back at all
      Unsupported           unsupported    this installation does not serve it
      InternalError         internal       a defect of the server, or an answer that is not Loom's

Nothing here holds what the caller sent or the key it was sent with: the text is the server's, or a constant.
"""

import sys
from collections.abc import Mapping
from typing import Any, ClassVar


class LoomError(Exception):
    """A call that failed.

    `code` is the machine-readable reason (docs/errors.md lists the server's), `category` its family, `message` the text
    for a person. `http_status` is None when no answer came. `retryable` says that the same call may succeed later,
    `retry_after_s` after how many seconds, None when there is no advice. `request_id` finds the call in the server's
    log. `metadata` holds details by name, such as the field at fault.
    """

    category: str = "internal"
    code: str
    message: str
    http_status: int | None
    retryable: bool
    retry_after_s: float | None
    request_id: str
    metadata: dict[str, str]

    by_category: ClassVar[dict[str, type["LoomError"]]] = {}

    def __init__(
        self,
        message: str,
        *,
        code: str,
        category: str = "",
        http_status: int | None = None,
        retryable: bool = False,
        retry_after_s: float | None = None,
        request_id: str = "",
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.category = category or type(self).category
        self.http_status = http_status
        self.retryable = retryable
        self.retry_after_s = retry_after_s
        self.request_id = request_id
        self.metadata = dict(metadata or {})

    def __init_subclass__(cls) -> None:
        # The first class of a category is the one that answers are shown as; its subclasses are made by the client.
        LoomError.by_category.setdefault(cls.category, cls)

    def __str__(self) -> str:
        return f"{self.code}: {self.message}" + (f" (request id {self.request_id})" if self.request_id else "")

    def __reduce__(self) -> tuple[Any, ...]:
        # Errors cross process pools; the default would call __init__ without its keywords.
        return type(self).__new__, (type(self), self.message), self.__dict__


class InvalidRequest(LoomError):
    """The request is at fault: an argument is missing, malformed or too large. Sending it again cannot help."""

    category = "invalid"


class PreconditionFailed(LoomError):
    """The state that the op needs is not there."""

    category = "precondition"


class AuthError(LoomError):
    """The token is missing, expired or refused, or its role is too small for the op."""

    category = "auth"


class NotFound(LoomError):
    """There is no such thing, or none that the caller may know of."""

    category = "not_found"


class Conflict(LoomError):
    """It exists already, or another writer was first."""

    category = "conflict"


class Overloaded(LoomError):
    """A limit of rate, concurrency or quota is reached, or the storage has no room."""

    category = "overload"


class Timeout(LoomError):
    """The call did not finish within its deadline. A write may have happened all the same."""

    category = "timeout"


class Unavailable(LoomError):
    """A plane or its storage does not answer."""

    category = "unavailable"


class ConnectionFailed(Unavailable):
    """No connection could be made, or it broke before the answer came."""


class Unsupported(LoomError):
    """This installation does not serve it."""

    category = "unsupported"


class InternalError(LoomError):
    """A defect of the server, or an answer that is not Loom's."""

    category = "internal"


# What a status means where the body does not say it: a proxy in between has answered.
_BY_STATUS = {
    401: AuthError,
    403: AuthError,
    404: NotFound,
    408: Timeout,
    409: Conflict,
    412: PreconditionFailed,
    429: Overloaded,
    501: Unsupported,
    502: Unavailable,
    503: Unavailable,
    504: Timeout,
}
_RETRYABLE = {408, 429, 502, 503, 504}


def from_answer(status: int, body: Any, *, request_id: str, retry_after_s: float | None) -> LoomError:
    """The error of an answer that is no success.

    `body` is the decoded JSON, None where it is none. `request_id` and `retry_after_s` are what the headers say; the
    envelope goes before them.
    """
    detail = body.get("detail") if isinstance(body, dict) else None
    if isinstance(detail, dict) and isinstance(detail.get("code"), str):
        return _from_detail(status, detail, request_id, retry_after_s)
    kind = _class_of(status)
    return kind(
        f"the server answered HTTP {status} without Loom's error body; something in between may have answered for it",
        code=f"HTTP_{status}",
        http_status=status,
        retryable=status in _RETRYABLE,
        retry_after_s=retry_after_s,
        request_id=request_id,
    )


def _from_detail(status: int, detail: dict[str, Any], request_id: str, retry_after_s: float | None) -> LoomError:
    category = str(detail.get("category") or "")
    kind = LoomError.by_category.get(category) or _class_of(status)
    metadata = detail.get("metadata")
    advice = seconds(detail.get("retry_after_s"))
    return kind(
        str(detail.get("message") or ""),
        code=detail["code"],
        category=category,
        http_status=status,
        retryable=detail.get("retryable") is True,
        retry_after_s=retry_after_s if advice is None else advice,
        request_id=str(detail.get("request_id") or request_id),
        metadata={str(k): str(v) for k, v in metadata.items()} if isinstance(metadata, dict) else None,
    )


def _class_of(status: int) -> type[LoomError]:
    return _BY_STATUS.get(status) or (InvalidRequest if 400 <= status < 500 else InternalError)


def seconds(value: Any) -> float | None:
    """A wait that makes sense: a finite number, not below 0; else None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= sys.float_info.max else None
