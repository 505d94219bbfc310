"""One suite over all doors: each door calls an op by name and gives the JSON answer or the error's detail."""

import functools
import json
from collections.abc import Mapping
from typing import Any, Protocol

import grpc
import httpx
from google.protobuf.json_format import MessageToDict
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from mcp import Client

from gateway.codec import codec_for
from gateway.openapi import codes_of
from loom import Agent
from loom.errors import LoomError as SdkError
from runtime.errors import REGISTRY
from runtime.optable import load_ops
from tests.support.server import Server

TIMEOUT_S = 30.0


class DoorError(Exception):
    """A failed call, with the envelope's detail."""

    def __init__(self, detail: Mapping[str, Any]) -> None:
        super().__init__(detail.get("code"))
        self.detail = dict(detail)

    @property
    def code(self) -> str:
        return str(self.detail["code"])


class Door(Protocol):
    name: str

    async def call(self, op: str, args: Mapping[str, Any]) -> dict[str, Any]: ...


class Http:
    """JSON over HTTP."""

    name = "http"

    def __init__(self, server: Server) -> None:
        self._base = server.base_url

    async def call(self, op: str, args: Mapping[str, Any]) -> dict[str, Any]:
        async with httpx.AsyncClient(timeout=TIMEOUT_S, trust_env=False) as client:
            response = await client.post(f"{self._base}/v1/{op}", json=args)
        body = response.json()
        if response.status_code != 200:
            assert REGISTRY[body["detail"]["code"]].http == response.status_code
            assert op not in load_ops().by_name or body["detail"]["code"] in _codes(op)
            raise DoorError(body["detail"])
        return body


@functools.cache
def _codes(op: str) -> set[str]:
    """What the documentation says that the op may fail with."""
    return {code.name for code in codes_of(load_ops().by_name[op])}


class Mcp:
    """A tool call by the MCP SDK's client, in one protocol mode."""

    def __init__(self, server: Server, mode: str = "auto") -> None:
        self._url, self._mode = f"{server.base_url}/mcp", mode
        self.name = f"mcp-{mode}"

    async def call(self, op: str, args: Mapping[str, Any]) -> dict[str, Any]:
        async with Client(self._url, mode=self._mode) as client:
            result = await client.call_tool("loom_" + op.replace(".", "_"), dict(args))
        assert json.loads(result.content[0].text) == result.structured_content
        if result.is_error:
            raise DoorError(result.structured_content["detail"])
        return result.structured_content


class Grpc:
    """A gRPC stub, with the message built and shown by protobuf's own JSON where the contract allows."""

    name = "grpc"

    def __init__(self, server: Server) -> None:
        self._target = server.grpc

    async def call(self, op: str, args: Mapping[str, Any]) -> dict[str, Any]:
        row = load_ops().by_name[op]
        # The codec stands in for what a gRPC caller writes by hand: json_text fields hold JSON text.
        request = codec_for(row.request).decode(args).message
        async with grpc.aio.insecure_channel(self._target) as channel:
            stub = channel.unary_unary(
                row.path,
                request_serializer=row.request.SerializeToString,
                response_deserializer=row.response.FromString,
            )
            try:
                return codec_for(row.response).encode(await stub(request, timeout=TIMEOUT_S))
            except grpc.aio.AioRpcError as error:
                raise DoorError(detail_of(error)) from None


def detail_of(error: grpc.aio.AioRpcError) -> dict[str, Any]:
    """The envelope's detail, rebuilt from the status details as any gRPC client can."""
    status = rpc_status.from_call(error)
    assert status is not None, error
    info, request, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RequestInfo(), error_details_pb2.RetryInfo()
    for packed in status.details:
        for message in (info, request, retry):
            packed.Unpack(message)
    code = REGISTRY[info.reason]
    assert code.grpc == error.code().name
    seconds = retry.retry_delay.ToMilliseconds() / 1000 if MessageToDict(retry) else None
    return {
        "code": code.name,
        "category": code.category,
        "message": status.message,
        "retryable": code.retryable,
        "retry_after_s": seconds,
        "request_id": request.request_id,
        "metadata": dict(info.metadata),
    }


class Sdk:
    """The library's Agent."""

    name = "sdk"

    def __init__(self, server: Server) -> None:
        self._base = server.base_url

    async def call(self, op: str, args: Mapping[str, Any]) -> dict[str, Any]:
        async with Agent(base_url=self._base) as agent:
            try:
                return await agent.call(op, dict(args))
            except SdkError as error:
                raise DoorError(
                    {
                        "code": error.code,
                        "category": error.category,
                        "message": str(error.message),
                        "retryable": error.retryable,
                        "retry_after_s": error.retry_after_s,
                        "request_id": error.request_id,
                        "metadata": error.metadata,
                    }
                ) from None


DOORS = ("http", "mcp", "mcp-legacy", "grpc", "sdk")


def door(name: str, server: Server) -> Door:
    """The door of that name."""
    if name == "http":
        return Http(server)
    if name == "grpc":
        return Grpc(server)
    if name == "sdk":
        return Sdk(server)
    return Mcp(server, "legacy" if name == "mcp-legacy" else "2026-07-28")
