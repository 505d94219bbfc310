"""The error envelope as each door shows it, checked to the letter, for one bad call after another.

A caller of this module puts CANARY into whatever it sends that is bad: no failure may show it, and no log line.
"""

import json
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Protocol

import grpc
import httpx
from google.protobuf.message import Message
from google.rpc import error_details_pb2 as pb
from grpc_status import rpc_status
from mcp import Client

from gateway.codec import codec_for
from loom import Agent, RetryPolicy
from loom import errors as sdk
from runtime.errors import DOMAIN, REGISTRY
from runtime.optable import load_ops
from tests.support.server import Server

CANARY = "canaryinthemine"
TIMEOUT_S = 30.0
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
SHAPE: dict[str, tuple[type, ...]] = {
    "code": (str,),
    "category": (str,),
    "message": (str,),
    "retryable": (bool,),
    "retry_after_s": (float, int, type(None)),
    "request_id": (str,),
    "metadata": (dict,),
}
# Codes that were seen in a checked envelope since a test began; tests/conftest.py holds `provokes` marks against it.
seen: set[str] = set()


class Failure(Exception):
    """A failed call, whose envelope has been checked. `detail` is the envelope's."""

    def __init__(self, detail: Mapping[str, Any]) -> None:
        super().__init__(detail["code"])
        self.detail = dict(detail)

    @property
    def told(self) -> dict[str, Any]:
        """What must be the same on every door."""
        return {name: value for name, value in self.detail.items() if name != "request_id"}


def check_detail(detail: Any) -> dict[str, Any]:
    """Keys, types, and that the code's family is the registry's."""
    assert list(detail) == list(SHAPE), detail
    assert {name: type(value) for name, value in detail.items() if not isinstance(value, SHAPE[name])} == {}
    assert all(isinstance(part, str) for pair in detail["metadata"].items() for part in pair)
    code = REGISTRY[detail["code"]]
    assert (detail["category"], detail["retryable"]) == (code.category, code.retryable)
    assert detail["message"]
    assert REQUEST_ID.fullmatch(detail["request_id"])
    assert detail["retry_after_s"] is None or detail["retry_after_s"] >= 0
    assert CANARY not in json.dumps(detail)
    seen.add(code.name)
    return detail


def check_http(response: httpx.Response) -> dict[str, Any]:
    """The whole answer of the HTTP door; gives the detail."""
    body = response.json()
    assert list(body) == ["detail"], body
    detail = check_detail(body["detail"])
    assert response.status_code == REGISTRY[detail["code"]].http
    assert response.headers["content-type"] == "application/json"
    assert response.headers.get_list("x-request-id") == [detail["request_id"]]
    after = detail["retry_after_s"]
    # Whole seconds, never fewer than the envelope says.
    assert ("retry-after" in response.headers) == (after is not None)
    assert after is None or int(response.headers["retry-after"]) >= max(1, after)
    assert CANARY not in response.text + str(response.headers)
    return detail


def check_status(error: grpc.aio.AioRpcError | grpc.RpcError) -> dict[str, Any]:
    """The status of a gRPC call, rebuilt as any client can; gives the detail."""
    status = rpc_status.from_call(error)
    assert status is not None, error
    parts: dict[str, Any] = {}
    for packed in status.details:
        name = packed.TypeName().rpartition(".")[2]
        assert name not in parts
        parts[name] = getattr(pb, name)()
        packed.Unpack(parts[name])
    info = parts["ErrorInfo"]
    code = REGISTRY[info.reason]
    assert (info.domain, error.code().name) == (DOMAIN, code.grpc)
    assert dict(error.trailing_metadata())["x-request-id"] == parts["RequestInfo"].request_id
    assert ("BadRequest" in parts) == ("field" in info.metadata)
    for violation in parts["BadRequest"].field_violations if "BadRequest" in parts else []:
        shown = (violation.field, violation.reason, violation.description)
        assert shown == (info.metadata["field"], info.reason, status.message)
    assert set(parts) <= {"ErrorInfo", "RequestInfo", "RetryInfo", "BadRequest"}
    assert CANARY.encode() not in status.SerializeToString()
    detail = {
        "code": info.reason,
        "category": code.category,
        "message": status.message,
        "retryable": code.retryable,
        "retry_after_s": parts["RetryInfo"].retry_delay.ToMilliseconds() / 1000 if "RetryInfo" in parts else None,
        "request_id": parts["RequestInfo"].request_id,
        "metadata": dict(info.metadata),
    }
    return check_detail(detail)


def check_tool_result(result: Mapping[str, Any]) -> dict[str, Any]:
    """A failed MCP tool result, as JSON; gives the detail."""
    assert result["isError"] is True
    [content] = result["content"]
    assert json.loads(content["text"]) == result["structuredContent"]
    assert list(result["structuredContent"]) == ["detail"]
    return check_detail(result["structuredContent"]["detail"])


def check_sdk(error: sdk.LoomError) -> dict[str, Any]:
    """The library's exception; gives the detail."""
    code = REGISTRY[error.code]
    assert type(error) is sdk.LoomError.by_category[code.category]
    assert error.http_status == code.http
    assert CANARY not in f"{error}{error!r}{error.__cause__!r}{error.__context__!r}"
    return check_detail({name: getattr(error, name) for name in SHAPE})


class Caller(Protocol):
    """One door. `call` gives the answer or raises Failure."""

    name: str

    async def call(self, op: str, args: Mapping[str, Any]) -> dict[str, Any]: ...


class Http:
    name = "http"

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    async def call(self, op: str, args: Mapping[str, Any]) -> dict[str, Any]:
        response = await self._client.post(f"/v1/{op}", json=args)
        if response.status_code != 200:
            raise Failure(check_http(response))
        return response.json()


class Mcp:
    """`generic` calls through the tool `loom_op`."""

    def __init__(self, client: Client, name: str, *, generic: bool = False) -> None:
        self.client, self.name, self._generic = client, name, generic

    async def call(self, op: str, args: Mapping[str, Any]) -> dict[str, Any]:
        tool, given = "loom_" + op.replace(".", "_"), dict(args)
        if self._generic:
            tool, given = "loom_op", {"op": op, "arguments": given}
        result = await self.client.call_tool(tool, given)
        if result.is_error:
            raise Failure(check_tool_result(result.model_dump(by_alias=True, exclude_none=True)))
        return result.structured_content


class Grpc:
    name = "grpc"

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._channel = channel

    async def call(self, op: str, args: Mapping[str, Any]) -> dict[str, Any]:
        row = load_ops().by_name[op]
        answer = await self.send(row.path, codec_for(row.request).decode(args).message)
        return codec_for(row.response).encode(row.response.FromString(answer))

    async def send(self, path: str, request: Message | bytes, timeout_s: float = TIMEOUT_S) -> bytes:
        """Any bytes to any rpc."""
        body = request if isinstance(request, bytes) else request.SerializeToString()
        try:
            return await self._channel.unary_unary(path)(body, timeout=timeout_s)
        except grpc.aio.AioRpcError as error:
            raise Failure(check_status(error)) from None


class Sdk:
    name = "sdk"

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    async def call(self, op: str, args: Mapping[str, Any]) -> dict[str, Any]:
        try:
            return await self._agent.call(op, dict(args))
        except sdk.LoomError as error:
            raise Failure(check_sdk(error)) from None


CALLERS = ("http", "mcp-2026-07-28", "mcp-legacy", "loom_op", "grpc", "sdk")
# Each call is made once: what a retry would hide is what these tests look at.
ONCE = RetryPolicy(attempts=1, throttle_budget_s=0)


@asynccontextmanager
async def opened(name: str, server: Server) -> AsyncIterator[Caller]:
    """The door of that name. Enter and leave it in one task, as MCP's client wants; a fixture has tasks of its own."""
    if name == "http":
        async with httpx.AsyncClient(base_url=server.base_url, timeout=TIMEOUT_S, trust_env=False) as http:
            yield Http(http)
    elif name == "grpc":
        async with grpc.aio.insecure_channel(server.grpc) as channel:
            yield Grpc(channel)
    elif name == "sdk":
        async with Agent(base_url=server.base_url, retry=ONCE) as agent:
            yield Sdk(agent)
    else:
        mode = "legacy" if name == "mcp-legacy" else "2026-07-28"
        async with Client(f"{server.base_url}/mcp", mode=mode) as client:
            yield Mcp(client, name, generic=name == "loom_op")


async def failure_of(door: Caller, op: str, args: Mapping[str, Any]) -> Failure:
    """The failure of a call that must fail."""
    try:
        answer = await door.call(op, args)
    except Failure as failure:
        return failure
    raise AssertionError(f"{op} was served by {door.name}: {answer}")


class Problems:
    """Collects what fails in a long table, so that one run shows every row at fault."""

    def __init__(self) -> None:
        self.found: dict[str, str] = {}

    @contextmanager
    def of(self, row: object) -> Iterator[None]:
        """Notes the first line of a failed assertion instead of raising it."""
        try:
            yield
        except AssertionError as error:
            self.found[str(row)] = (str(error).strip().splitlines() or ["assert"])[0]
