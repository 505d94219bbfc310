"""What the generated code says about an op, and what it needs in order to say it. Imports no HTTP stack."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

T = TypeVar("T")

# Any JSON value. The server keeps integers of any size as they are.
JsonValue: TypeAlias = bool | int | float | str | Sequence["JsonValue"] | Mapping[str, "JsonValue"] | None


@dataclass(frozen=True, slots=True)
class Op(Generic[T]):
    """One op.

    `repeatable`: a read, or declared idempotent. `identity`: argument -> the part of the agent's identity that it takes
    when not given. `deadline_s`: after how many seconds the server gives up by itself, None when that is not known.
    `parse` makes the result of the answer's body. `path` is the path behind /v1/ where it is not the name.
    """

    name: str
    parse: Callable[[dict[str, Any]], T]
    repeatable: bool = False
    identity: Mapping[str, str] = field(default_factory=dict)
    deadline_s: float | None = None
    path: str = ""


class Send(Protocol):
    """Calls an op and returns its result."""

    def __call__(self, op: Op[T], args: dict[str, Any], /) -> T: ...


class AsyncSend(Protocol):
    """Calls an op and returns its result, when awaited."""

    def __call__(self, op: Op[T], args: dict[str, Any], /) -> Awaitable[T]: ...
